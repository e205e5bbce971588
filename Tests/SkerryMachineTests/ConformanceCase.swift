import SkerryMachine
import SkerryValues

/// A case of the conformance file, made into a chart and played.
struct ConformanceCase {
    let title: String
    let chart: Statechart
    private(set) var host = ScriptHost()
    private let script: JSONObject
    private var machine = Machine()
    private var now = Timestamp(seconds: 0)
    private var sequence: UInt64 = 0

    init(_ json: JSONObject) throws {
        title = "\(json["group"] ?? "") \(json["name"] ?? "")"
        script = json["script"] as? JSONObject ?? [:]
        let root = json["machine"] as? JSONObject ?? [:]
        var translation = Translation()
        let data = (root["data"] as? [JSONObject] ?? []).map { item in
            [translation.action(item.merging(["do": "data"]) { old, _ in old })]
        }
        let initial = translation.initial(of: root)
        var builder = StatechartBuilder(
            initial: initial.targets,
            initialActions: initial.actions,
            entry: data + [translation.block(root["script"])]
        )
        builder.limits.microsteps = 1000
        translation.add(transitionsOf: root, from: .root, to: &builder)
        translation.add(childrenOf: root, in: .root, to: &builder)
        chart = try builder.build()
        host = translation.host
        for (index, state) in chart.states.enumerated() {
            host.stateIDs[state.name] = StateID(rawValue: UInt16(index))
        }
    }

    /// Plays the events.
    ///
    /// - Returns: the first thing that is not as expected, in words.
    mutating func play() -> String? {
        _ = machine.start(chart: chart, host: &host, at: now, sequence: &sequence)
        fireDue()
        if let problem = difference(from: script["initialConfiguration"], after: "the start") {
            return problem
        }
        for event in script["events"] as? [JSONObject] ?? [] {
            let name = (event["event"] as? JSONObject)?["name"] as? String ?? ""
            if let after = event["after"] as? Int {
                now = now + .milliseconds(Int64(after))
                fireDue()
            }
            _ = machine.handle(event: name, chart: chart, host: &host, at: now, sequence: &sequence)
            fireDue()
            if let problem = difference(from: event["nextConfiguration"], after: name) { return problem }
        }
        return nil
    }

    private mutating func fireDue() {
        while machine.fire(upTo: now, chart: chart, host: &host, sequence: &sequence) != nil {}
    }

    private func difference(from expected: Any?, after event: String) -> String? {
        let wanted = (expected as? [String] ?? []).sorted()
        let active = machine.activeAtomicStates(in: chart).map { chart.states[Int($0.rawValue)].name }
            .sorted()
        return wanted == active ? nil : "\(title): after \(event) \(active), expected \(wanted)"
    }
}

/// Turns the JSON of a machine into calls of the builder.
private struct Translation {
    var host = ScriptHost()
    private var unnamed = 0

    mutating func add(childrenOf json: JSONObject, in parent: StateID, to builder: inout StatechartBuilder) {
        for child in json["children"] as? [JSONObject] ?? [] {
            let initial = initial(of: child)
            let state = builder.addState(
                name(of: child),
                in: parent,
                kind: kind(of: child),
                initial: initial.targets,
                initialActions: initial.actions,
                entry: (child["onentry"] as? [Any] ?? []).map { block($0) },
                exit: (child["onexit"] as? [Any] ?? []).map { block($0) }
            )
            if child["kind"] as? String != "history" { add(transitionsOf: child, from: state, to: &builder) }
            add(childrenOf: child, in: state, to: &builder)
        }
    }

    mutating func add(
        transitionsOf json: JSONObject,
        from source: StateID,
        to builder: inout StatechartBuilder
    ) {
        for transition in json["transitions"] as? [JSONObject] ?? [] {
            var condition: GuardID?
            if let text = transition["cond"] as? String {
                condition = GuardID(rawValue: UInt16(host.conditions.count))
                host.conditions.append(text)
            }
            builder.addTransition(
                from: source,
                on: (transition["event"] as? [String]).map { .event($0) } ?? .always,
                if: condition,
                to: transition["target"] as? [String] ?? [],
                actions: block(transition["actions"]),
                isInternal: transition["type"] as? String == "internal"
            )
        }
    }

    mutating func initial(of json: JSONObject) -> (targets: [String], actions: [Statechart.Action]) {
        if let targets = json["initial"] as? [String] { return (targets, []) }
        var transition = json["initialTransition"] as? JSONObject
        if json["kind"] as? String == "history" {
            transition = (json["transitions"] as? [JSONObject])?.first
        }
        return (transition?["target"] as? [String] ?? [], block(transition?["actions"]))
    }

    mutating func block(_ json: Any?) -> [Statechart.Action] {
        (json as? [JSONObject] ?? []).map { action($0) }
    }

    mutating func action(_ json: JSONObject) -> Statechart.Action {
        if json["do"] as? String == "raise", let event = json["event"] as? String { return .raise(event) }
        host.actions.append(json)
        return .host(UInt16(host.actions.count - 1))
    }

    private mutating func name(of json: JSONObject) -> String {
        if let name = json["id"] as? String { return name }
        unnamed += 1
        return "unnamed \(unnamed)"
    }

    private func kind(of json: JSONObject) -> StatechartBuilder.Kind {
        switch json["kind"] as? String {
        case "parallel": .parallel
        case "final": .final
        case "history": .history(deep: json["type"] as? String == "deep")
        default: .state
        }
    }
}
