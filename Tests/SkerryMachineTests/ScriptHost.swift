import SkerryMachine
import SkerryValues

typealias JSONObject = [String: Any]

/// Means the conditions and actions of the conformance cases, which are texts and JSON.
struct ScriptHost: MachineHost {
    var conditions: [String] = []
    var actions: [JSONObject] = []
    var names: [String: ScriptValue] = ["_sessionid": .text("1"), "_name": .text("")]
    /// What came with events, by number less one.
    var payloads: [ScriptValue] = []
    var stateIDs: [String: StateID] = [:]

    mutating func holds(_ condition: GuardID, in machine: inout Machine, on occasion: Occasion) -> Bool {
        do {
            return try evaluate(conditions[Int(condition.rawValue)], machine, occasion).isTrue
        } catch {
            machine.raise(MachineEvent("error.execution"))
            return false
        }
    }

    func interval(_ expression: UInt16, in machine: inout Machine, on occasion: Occasion) -> Interval? { nil }

    mutating func perform(
        _ action: UInt16,
        in machine: inout Machine,
        on occasion: Occasion,
        sequence: inout UInt64
    ) -> Bool {
        do {
            try run(actions[Int(action)], &machine, occasion, &sequence)
            return true
        } catch {
            machine.raise(MachineEvent("error.execution"))
            return false
        }
    }

    private func evaluate(_ text: String, _ machine: Machine, _ occasion: Occasion) throws -> ScriptValue {
        var names = names
        if let event = occasion.event {
            let data = event.data > 0 ? payloads[Int(event.data) - 1] : .undefined
            names["_event"] = .object(["name": .text(event.name), "data": data])
        }
        return try SimpleScript.evaluate(text, names: names) { name in
            stateIDs[name].map(machine.isActive) ?? false
        }
    }

    private mutating func run(
        _ action: JSONObject,
        _ machine: inout Machine,
        _ occasion: Occasion,
        _ sequence: inout UInt64
    ) throws {
        switch action["do"] as? String {
        case "log":
            if let text = action["expr"] as? String { _ = try evaluate(text, machine, occasion) }
        case "assign", "data":
            let name = action["location"] as? String ?? action["id"] as? String ?? ""
            guard let text = action["expr"] as? String else { return names[name] = .undefined }
            names[name] = try evaluate(text, machine, occasion)
        case "if":
            for inner in try chosen(action, machine, occasion) {
                try run(inner, &machine, occasion, &sequence)
            }
        case "foreach":
            guard case .list(let items)? = names[action["array"] as? String ?? ""] else {
                throw ScriptError(message: "not a list")
            }
            for (index, item) in items.enumerated() {
                if let name = action["item"] as? String { names[name] = item }
                if let name = action["index"] as? String { names[name] = .number(Double(index)) }
                for inner in action["body"] as? [JSONObject] ?? [] {
                    try run(inner, &machine, occasion, &sequence)
                }
            }
        case "raise":
            machine.raise(MachineEvent(action["event"] as? String ?? ""))
        case "send":
            try send(action, &machine, occasion, &sequence)
        case let other:
            throw ScriptError(message: "\(other ?? "nothing") is not understood")
        }
    }

    /// The branch of an `if`, whose parts stand in one list.
    private func chosen(
        _ action: JSONObject,
        _ machine: Machine,
        _ occasion: Occasion
    ) throws -> [JSONObject] {
        var isChosen = try evaluate(action["cond"] as? String ?? "", machine, occasion).isTrue
        var wasChosen = isChosen
        var branch: [JSONObject] = []
        for inner in action["body"] as? [JSONObject] ?? [] {
            switch inner["do"] as? String {
            case "elseif":
                isChosen =
                    try !wasChosen && evaluate(inner["cond"] as? String ?? "", machine, occasion).isTrue
                wasChosen = wasChosen || isChosen
            case "else": isChosen = !wasChosen
            default: if isChosen { branch.append(inner) }
            }
        }
        return branch
    }

    private mutating func send(
        _ action: JSONObject,
        _ machine: inout Machine,
        _ occasion: Occasion,
        _ sequence: inout UInt64
    ) throws {
        var members: [String: ScriptValue] = [:]
        var payload: ScriptValue?
        for name in (action["namelist"] as? String ?? "").split(separator: " ") {
            members[String(name)] = try evaluate(String(name), machine, occasion)
        }
        for part in action["body"] as? [JSONObject] ?? [] {
            if let text = part["text"] as? String { payload = .text(text) }
            guard let text = part["expr"] as? String ?? part["location"] as? String else { continue }
            let value = try evaluate(text, machine, occasion)
            if let name = part["name"] as? String { members[name] = value } else { payload = value }
        }
        var name = action["event"] as? String ?? ""
        if let text = action["eventexpr"] as? String,
            case .text(let found) = try evaluate(text, machine, occasion)
        {
            name = found
        }
        var delay = action["delay"] as? String ?? "0ms"
        if let text = action["delayexpr"] as? String,
            case .text(let found) = try evaluate(text, machine, occasion)
        {
            delay = found
        }
        payloads.append(payload ?? .object(members))
        machine.send(
            MachineEvent(name, data: UInt32(payloads.count)),
            after: .milliseconds(Int64(delay.dropLast(2)) ?? 0),
            at: occasion.now,
            sequence: &sequence
        )
    }
}
