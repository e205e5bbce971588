/// Everything that an expression may name: variables, host calls, the payload, time zones.
public struct Scope: Sendable {
    /// The namespace in which names are looked up first, such as `com.example`; empty for none.
    public var container = ""
    /// True if mistakes of types and names are left to the evaluation, where they become error values.
    public var defersChecks = false
    /// True if a part that always fails, as `int("x")` does, is a mistake; CEL leaves it to the evaluation.
    public var refusesFailures = false
    /// True if undeclared names are accepted, because some declarations could not be read.
    public var toleratesUnknownNames = false
    /// The source of named time zones such as `Europe/Berlin`; fixed offsets and `UTC` need none.
    ///
    /// It must give the same answer for the same name every time.
    public var timeZone: @Sendable (_ name: String) -> TimeZoneRules? = { _ in nil }

    /// The reference whose own value, as a branch of the whole expression, says nothing new; nil for none.
    ///
    /// In `cond ? value : left`, the expression of `left`, that branch is compiled as if it were the absent value.
    public var own: Reference?

    private(set) var absent: Variable?
    private(set) var variables: [Variable] = []
    private(set) var calls: [HostCall] = []
    private(set) var payloads: [Payload] = []

    /// Makes an empty scope: only the standard functions and types.
    public init() {}

    /// Declares a variable; a name may be qualified, as `timer.cycle`, and the longest one wins.
    public mutating func declare(_ name: String, type: ExpressionType, as reference: Reference) {
        variables.append(Variable(name: name, type: type, reference: reference))
    }

    /// Declares the word for no value, which leaves the type of an expression to its other branches.
    public mutating func declareAbsent(_ name: String, as reference: Reference) {
        absent = Variable(name: name, type: .dyn, reference: reference)
        declare(name, type: .dyn, as: reference)
    }

    /// Declares a call that the host answers and that is resolved when the expression is compiled.
    ///
    /// - Parameters:
    ///   - name: The function's name, such as `inState`.
    ///   - parameter: How the argument must be written.
    ///   - choices: What the argument may be. With `.none` the one choice, whose name does not matter.
    public mutating func declareCall(_ name: String, parameter: CallParameter, choices: [CallChoice]) {
        calls.append(HostCall(name: name, parameter: parameter, choices: choices))
    }

    /// Declares a payload, whose constant paths each become one load.
    ///
    /// `payload.a["b"][0]` loads one reference of this kind whose index is the path's number in the
    /// `PathTable`; the bare name is the path without steps.
    public mutating func declarePayload(_ name: String, type: ExpressionType, kind: UInt8) {
        payloads.append(Payload(name: name, type: type, kind: kind))
    }

    /// All names that can be written, for hints.
    var names: [String] { variables.map { $0.name } + payloads.map { $0.name } }

    struct Variable: Sendable {
        var name: String
        var type: ExpressionType
        var reference: Reference
    }

    struct HostCall: Sendable {
        var name: String
        var parameter: CallParameter
        var choices: [CallChoice]
    }

    struct Payload: Sendable {
        var name: String
        var type: ExpressionType
        var kind: UInt8
    }
}

/// The required form of the argument of a host call.
public enum CallParameter: Hashable, Sendable {
    /// No argument: `elapsed()`.
    case none
    /// A text literal among the choices: `inState("running")`.
    case text
    /// A bare name among the choices: `changed(power)`.
    case name
}

/// One argument that a host call takes, and what the call then reads.
public struct CallChoice: Sendable {
    /// The argument.
    public var name: String
    /// The reference that is loaded.
    public var reference: Reference
    /// Its type.
    public var type: ExpressionType

    /// Makes a choice.
    public init(_ name: String, as reference: Reference, type: ExpressionType) {
        self.name = name
        self.reference = reference
        self.type = type
    }
}
