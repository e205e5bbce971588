import SkerryExpressions
import SkerryValues

/// A scope with a few signals, host calls and a payload, and present values for all of them.
struct Workbench: ValueSource {
    static let signalKind: UInt8 = 1
    static let payloadKind: UInt8 = 2
    static let callKind: UInt8 = 3

    var scope = Scope()
    var paths = PathTable()
    private var signals: [Value] = []
    private var payload = Value.error(.noSuchKey)
    private var calls: [Value] = []

    /// Declares a signal with its present value.
    mutating func signal(_ name: String, _ type: ExpressionType, _ value: Value) {
        scope.declare(name, type: type, as: Reference(kind: Self.signalKind, index: UInt16(signals.count)))
        signals.append(value)
    }

    /// Declares a host call whose choices are all true or all false.
    mutating func call(_ name: String, _ parameter: CallParameter, _ choices: [(String, Bool)]) {
        scope.declareCall(
            name,
            parameter: parameter,
            choices: choices.map { choice in
                calls.append(.bool(choice.1))
                let reference = Reference(kind: Self.callKind, index: UInt16(calls.count - 1))
                return CallChoice(choice.0, as: reference, type: .bool)
            }
        )
    }

    mutating func payload(_ value: Value, type: ExpressionType = .dyn) {
        scope.declarePayload("payload", type: type, kind: Self.payloadKind)
        payload = value
    }

    func load(_ reference: Reference, _ context: borrowing PathTable) -> Value {
        switch reference.kind {
        case Self.signalKind: signals[Int(reference.index)]
        case Self.callKind: calls[Int(reference.index)]
        default: found(context.paths[Int(reference.index)])
        }
    }

    private func found(_ path: [PathStep]) -> Value {
        var value = payload
        for step in path {
            switch (step, value) {
            case (.key(let name), .map(let map)): value = map[name] ?? .error(.noSuchKey)
            case (.index(let index), .list(let elements)):
                value = elements.indices.contains(index) ? elements[index] : .error(.indexOutOfBounds)
            case (.shape, _): value = value.shape
            default: return .error(.noSuchKey)
            }
        }
        return value
    }

    mutating func compile(_ text: String) throws(ExpressionProblem) -> Program {
        try Program.compile(text, in: scope, paths: &paths)
    }

    mutating func value(_ text: String, costLimit: Int32 = 10_000) throws -> Value {
        try compile(text).evaluate(from: self, paths, costLimit: costLimit)
    }

    mutating func findings(_ text: String) -> [ExpressionProblem.Finding] {
        do {
            _ = try compile(text)
            return []
        } catch {
            return error.findings
        }
    }

    /// A washing machine in the middle of its work.
    static func washer() -> Workbench {
        var bench = Workbench()
        bench.signal("power", .double, .double(3.5))
        bench.signal("operation", .string, .string("Run"))
        bench.signal("program", .dyn, .error(.unset))
        bench.signal("count", .int, .int(4))
        bench.signal("timer.cycle", .dyn, .duration(CalendarDuration(seconds: 90, nanoseconds: 0)))
        bench.call("inState", .text, [("running", true), ("paused", false)])
        bench.call("changed", .name, [("power", false), ("operation", true)])
        bench.call("elapsed", .none, [("", true)])
        bench.payload(
            .map(
                ValueMap(uniqueEntries: [
                    entry("a", .map(ValueMap(uniqueEntries: [entry("b", .int(7)), entry("n", .null)]))),
                    entry("list", .list([.string("x"), .string("y")])),
                    entry("odd name", .bool(true)),
                ])
            )
        )
        return bench
    }

    private static func entry(_ key: String, _ value: Value) -> ValueMap.Entry {
        ValueMap.Entry(key: .string(key), value: value)
    }
}

extension Value {
    /// The error by its name; nil for a value.
    var failure: String? {
        if case .error(let error) = self { "\(error)" } else { nil }
    }
}
