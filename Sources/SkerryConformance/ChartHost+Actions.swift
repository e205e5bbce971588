import SkerryMachine
import SkerryValues

extension ChartHost {
    /// Does an action; whether the rest of its block is to be done.
    mutating func run(
        _ action: Value,
        _ machine: inout Machine,
        _ occasion: Occasion,
        _ sequence: inout UInt64
    ) throws(ScriptError) -> Bool {
        switch action["do"]?.word {
        case "log":
            if let text = action["expr"]?.word { _ = try evaluate(text, machine, occasion) }
        case "data": try initialize(action, machine, occasion)
        case "assign":
            let value = try content(action, machine, occasion)
            let location = action["location"]?.word ?? ""
            let states = states
            try scope.assign(location, value) { [machine] in states[$0].map(machine.isActive) ?? false }
        case "if":
            return try run(all: try chosen(action, machine, occasion), &machine, occasion, &sequence)
        case "foreach": return try runForEach(action, &machine, occasion, &sequence)
        case "raise":
            let data = note(MachineEventDetails(type: "internal"))
            machine.raise(MachineEvent(action["event"]?.word ?? "", data: data))
        case "cancel":
            let id = try text(action, "sendid", "sendidexpr", machine, occasion) ?? action["id"]?.word
            if let id { machine.cancel(id) }
        case "send": return try send(action, &machine, occasion, &sequence)
        case "script":
            guard let text = action["text"]?.word else { throw ScriptError(message: "a script without text") }
            _ = try evaluate("0", machine, occasion)
            let states = states
            try scope.run(text) { [machine] in states[$0].map(machine.isActive) ?? false }
        case let other: throw ScriptError(message: "\(other ?? "nothing") is not understood")
        }
        return true
    }

    private mutating func run(
        all actions: [Value],
        _ machine: inout Machine,
        _ occasion: Occasion,
        _ sequence: inout UInt64
    ) throws(ScriptError) -> Bool {
        for action in actions where try !run(action, &machine, occasion, &sequence) { return false }
        return true
    }

    private mutating func initialize(
        _ action: Value,
        _ machine: Machine,
        _ occasion: Occasion
    ) throws(ScriptError) {
        let name = action["id"]?.word ?? ""
        guard initializes(name) else { return }
        scope.declare(name, try content(action, machine, occasion))
    }

    /// What an element holds: an expression, or else a text, which may be an expression too.
    private mutating func content(
        _ element: Value,
        _ machine: Machine,
        _ occasion: Occasion
    ) throws(ScriptError) -> ScriptValue {
        if element["src"] != nil { throw ScriptError(message: "the file of 'src' is not in the case") }
        if let text = element["expr"]?.word { return try evaluate(text, machine, occasion) }
        guard let text = element["text"]?.word else { return .undefined }
        do throws(ScriptError) {
            return try evaluate(text, machine, occasion)
        } catch {
            return .text(text.split { $0.isWhitespace }.joined(separator: " "))
        }
    }

    /// The branch of an `if`, whose parts stand in one list.
    private mutating func chosen(
        _ action: Value,
        _ machine: Machine,
        _ occasion: Occasion
    ) throws(ScriptError) -> [Value] {
        var isChosen = try evaluate(action["cond"]?.word ?? "", machine, occasion).isTrue
        var wasChosen = isChosen
        var branch: [Value] = []
        for inner in action["body"]?.elements ?? [] {
            switch inner["do"]?.word {
            case "elseif":
                isChosen = false
                if !wasChosen { isChosen = try evaluate(inner["cond"]?.word ?? "", machine, occasion).isTrue }
                wasChosen = wasChosen || isChosen
            case "else": isChosen = !wasChosen
            default: if isChosen { branch.append(inner) }
            }
        }
        return branch
    }

    private mutating func runForEach(
        _ action: Value,
        _ machine: inout Machine,
        _ occasion: Occasion,
        _ sequence: inout UInt64
    ) throws(ScriptError) -> Bool {
        guard case .list(let items) = try evaluate(action["array"]?.word ?? "", machine, occasion) else {
            throw ScriptError(message: "not a list")
        }
        let names = [action["item"]?.word ?? "", action["index"]?.word].compactMap { $0 }
        guard names.allSatisfy(ScriptParser.isName) else {
            throw ScriptError(message: "not the name of a variable")
        }
        if items.isEmpty { for name in names { scope.declareIfNeeded(name) } }
        for (index, item) in items.enumerated() {
            scope.declare(names[0], item)
            if names.count > 1 { scope.declare(names[1], .number(Double(index))) }
            guard try run(all: action["body"]?.elements ?? [], &machine, occasion, &sequence) else {
                return false
            }
        }
        return true
    }

    /// A text that is written or given by an expression.
    private mutating func text(
        _ element: Value,
        _ name: String,
        _ expression: String,
        _ machine: Machine,
        _ occasion: Occasion
    ) throws(ScriptError) -> String? {
        guard let text = element[expression]?.word else { return element[name]?.word }
        return try evaluate(text, machine, occasion).text
    }

    /// What an event carries: the content, or the names and parameters as an object.
    mutating func payload(
        _ parts: [Value],
        names: String,
        _ machine: inout Machine,
        _ occasion: Occasion
    ) throws(ScriptError) -> ScriptValue {
        var object = ScriptValue.object([])
        for name in names.split(whereSeparator: { $0.isWhitespace }).map(String.init) {
            object = object.setting([name], to: try evaluate(name, machine, occasion)) ?? object
        }
        for part in parts {
            if part["do"]?.word == "content" || part["name"] == nil {
                return try content(part, machine, occasion)
            }
            guard let name = part["name"]?.word, let text = part["expr"]?.word ?? part["location"]?.word
            else { continue }
            do throws(ScriptError) {
                object = object.setting([name], to: try evaluate(text, machine, occasion)) ?? object
            } catch {
                fail(in: &machine)
            }
        }
        return object == .object([]) ? .undefined : object
    }

    private mutating func send(
        _ action: Value,
        _ machine: inout Machine,
        _ occasion: Occasion,
        _ sequence: inout UInt64
    ) throws(ScriptError) -> Bool {
        let name = try text(action, "event", "eventexpr", machine, occasion) ?? ""
        let target = try text(action, "target", "targetexpr", machine, occasion)
        let type = try text(action, "type", "typeexpr", machine, occasion)
        let wait = try text(action, "delay", "delayexpr", machine, occasion) ?? "0ms"
        var id = action["id"]?.word
        if let location = action["idlocation"]?.word {
            id = newSendID()
            try scope.assign(location, .text(id ?? "")) { _ in false }
        }
        guard let delay = Self.interval(wait) else { throw ScriptError(message: "'\(wait)' is no delay") }
        let data = try payload(
            action["body"]?.elements ?? [],
            names: action["namelist"]?.word ?? "",
            &machine,
            occasion
        )
        guard ["", "scxml", Self.processor].contains(type ?? "") else {
            fail(in: &machine, sendID: id)
            return false
        }
        switch target ?? "" {
        case "#_internal":
            let details = MachineEventDetails(type: "internal", data: data, sendID: id)
            machine.raise(MachineEvent(name, data: note(details)))
        case "", "#_scxml_" + Self.session:
            let details = MachineEventDetails(type: "external", data: data, sendID: id, isOwn: true)
            let event = MachineEvent(name, data: note(details))
            machine.send(event, after: delay, id: id, at: occasion.now, sequence: &sequence)
        case let other where other.hasPrefix("#_"):
            fail(in: &machine, "error.communication", sendID: id)
        default:
            fail(in: &machine, sendID: id)
            return false
        }
        return true
    }

    /// A delay such as `1.5s`, `10ms` or a number of milliseconds.
    private static func interval(_ text: String) -> Interval? {
        let number = text.prefix { $0.isNumber || $0 == "." }
        let digits = number.hasPrefix(".") ? "0" + number : String(number)
        guard let value = Double(digits), value < 1e9 else { return nil }
        switch text.dropFirst(number.count) {
        case "ms", "": return Interval(microseconds: Int64(value * 1000))
        case "s": return Interval(microseconds: Int64(value * 1_000_000))
        case "m": return Interval(microseconds: Int64(value * 60_000_000))
        default: return nil
        }
    }
}
