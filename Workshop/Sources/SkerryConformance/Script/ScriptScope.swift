import SkerryImport
import SkerryValues

/// The variables of a machine, and the part of ECMAScript that its expressions use.
///
/// Lists and objects are values here: two variables never share an object.
struct ScriptScope {
    /// The most loop rounds and calls of one evaluation; more is an error.
    static let effortLimit = 100_000
    private static let depthLimit = 60
    /// The variables that only the machine sets.
    private static let systemNames: Set<String> = ["_event", "_ioprocessors", "_name", "_sessionid", "_x"]

    /// The states for which `In` is true.
    var activeStates: [String] = []
    /// The variables by name.
    private var variables: [String: ScriptValue] = [:]
    /// The variables that scripts may not change, such as `_event`.
    private var system: [String: ScriptValue] = [:]
    /// The parameters and variables of the functions being called.
    private var frames: [[String: ScriptValue]] = []
    private var effort = 0

    /// Declares or sets a variable; system variables do not change.
    mutating func declare(_ name: String, _ value: ScriptValue = .undefined) {
        if !Self.systemNames.contains(name) { variables[name] = value }
    }

    mutating func declareIfNeeded(_ name: String) { if variables[name] == nil { declare(name) } }

    mutating func declare(system name: String, _ value: ScriptValue) { system[name] = value }

    /// Assigns the first value of a variable; it is an error for a system variable.
    mutating func initialize(_ name: String, _ value: ScriptValue) throws(ScriptError) {
        if Self.systemNames.contains(name) { throw ScriptError("'\(name)' is a name of the system") }
        variables[name] = value
    }

    func value(of name: String) -> ScriptValue? {
        frames.last?[name] ?? variables[name] ?? system[name]
    }

    /// The value of an expression.
    mutating func evaluate(_ text: String) throws(ScriptError) -> ScriptValue {
        begin()
        return try evaluate(try ScriptParser.expression(text))
    }

    /// Assigns a location such as `a` or `a.b[0]`, which must exist.
    mutating func assign(_ location: String, _ value: ScriptValue) throws(ScriptError) {
        begin()
        try set(try ScriptParser.expression(location), to: value, declares: false)
    }

    private mutating func begin() {
        effort = 0
        frames = []
    }

    private mutating func spend(at offset: Int) throws(ScriptError) {
        effort += 1
        if effort > Self.effortLimit { throw ScriptError("this takes too long", at: offset) }
    }

    // MARK: Statements

    /// Runs a script, whose variables and functions become those of the machine.
    mutating func run(_ text: String) throws(ScriptError) {
        begin()
        _ = try run(try ScriptParser.script(text))
    }

    /// The way in which a statement ends.
    private enum Ending {
        case goOn
        case leave
        case resume
        case give(ScriptValue)
    }

    private mutating func run(_ statements: [ScriptStatement]) throws(ScriptError) -> Ending {
        for case .function(let function) in statements { declareHere(function.name, .function(function)) }
        for statement in statements {
            let ending = try run(statement)
            if case .goOn = ending { continue }
            return ending
        }
        return .goOn
    }

    private mutating func run(_ statement: ScriptStatement) throws(ScriptError) -> Ending {
        switch statement {
        case .expression(let node): _ = try evaluate(node)
        case .variable(let name, let value):
            let isKnown = frames.last.map { $0[name] != nil } ?? (variables[name] != nil)
            if let value {
                declareHere(name, try evaluate(value))
            } else if !isKnown {
                declareHere(name, .undefined)
            }
        case .function: break
        case .block(let statements): return try run(statements)
        case .branch(let condition, let first, let second):
            if try evaluate(condition).isTrue { return try run(first) }
            if let second { return try run(second) }
        case .loop(let condition, let after, let body):
            while true {
                if let condition, try !evaluate(condition).isTrue { break }
                try spend(at: condition?.offset ?? 0)
                let ending = try run(body)
                if case .leave = ending { break }
                if case .give = ending { return ending }
                if let after { _ = try evaluate(after) }
            }
        case .members(let name, let value, let body):
            for key in try evaluate(value).keys {
                declareHere(name, .text(key))
                let ending = try run(body)
                if case .leave = ending { break }
                if case .give = ending { return ending }
            }
        case .give(let value):
            guard let value else { return .give(.undefined) }
            return .give(try evaluate(value))
        case .leave: return .leave
        case .resume: return .resume
        case .fail(let value): throw ScriptError(try evaluate(value).text, at: value.offset)
        case .attempt(let body, let name, let other):
            do throws(ScriptError) {
                return try run(body)
            } catch {
                declareHere(name, .object([ScriptValue.Member(name: "message", value: .text(error.message))]))
                return try run(other)
            }
        }
        return .goOn
    }

    private mutating func declareHere(_ name: String, _ value: ScriptValue) {
        if frames.isEmpty {
            declare(name, value)
        } else {
            frames[frames.count - 1][name] = value
        }
    }

    /// Calls a function that a script defines; with `makes`, the result is the object in `this`.
    mutating func call(
        _ function: ScriptFunction,
        _ arguments: [ScriptValue],
        this: ScriptValue = .undefined,
        makes: Bool = false,
        at offset: Int
    ) throws(ScriptError) -> ScriptValue {
        try spend(at: offset)
        guard frames.count < Self.depthLimit else { throw ScriptError("calls nested too deep", at: offset) }
        var frame = ["this": makes ? .object([]) : this]
        for (index, name) in function.parameters.enumerated() {
            frame[name] = index < arguments.count ? arguments[index] : .undefined
        }
        frames.append(frame)
        defer { frames.removeLast() }
        if case .give(let value) = try run(function.body) { return value }
        return makes ? frames[frames.count - 1]["this"] ?? .undefined : .undefined
    }

    // MARK: Assignments

    /// Assigns a location; an unknown name becomes a variable if `declares` is true, and is an error otherwise.
    mutating func set(
        _ location: ScriptNode,
        to value: ScriptValue,
        declares: Bool
    ) throws(ScriptError) {
        var path: [String] = []
        var node = location
        while case .member(let inner, let name) = node.kind {
            path.insert(try evaluate(name).text, at: 0)
            node = inner
        }
        guard case .name(let name) = node.kind else {
            throw ScriptError("this can not be assigned to", at: location.offset)
        }
        let isLocal = frames.last.map { $0[name] != nil } ?? false
        let old = isLocal ? frames[frames.count - 1][name] : variables[name]
        let isNew = old == nil && declares && !Self.systemNames.contains(name)
        guard let changed = (isNew ? .undefined : old)?.setting(path[...], to: value) else {
            throw ScriptError("'\(name)' can not be assigned to", at: location.offset)
        }
        if isLocal {
            frames[frames.count - 1][name] = changed
        } else {
            variables[name] = changed
        }
    }
}
