import SkerryMachine
import SkerryValues

/// Turns the JSON of a machine into calls of the builder.
struct ChartTranslation {
    private static let microstepLimit = 1000

    private var host = ChartHost()
    private var unnamed = 0

    /// The chart of a machine, and a host that knows its conditions and actions.
    static func chart(of json: Value) throws(StatechartProblem) -> (Statechart, ChartHost) {
        var translation = ChartTranslation()
        let start = translation.initial(of: json)
        let isEarly = json["binding"]?.word != "late"
        let data = isEarly ? translation.allData(below: json) : translation.data(of: json)
        var builder = StatechartBuilder(
            initial: start.targets,
            initialActions: start.actions,
            entry: data + [translation.block(json["script"])]
        )
        builder.limits.microsteps = microstepLimit
        translation.host.declareSystem(name: json["name"]?.word ?? "")
        translation.add(transitionsOf: json, from: .root, to: &builder)
        translation.add(childrenOf: json, in: .root, to: &builder, bindsLate: !isEarly)
        let chart = try builder.build()
        for (index, state) in chart.states.enumerated() {
            translation.host.states[state.name] = StateID(rawValue: UInt16(index))
        }
        return (chart, translation.host)
    }

    private mutating func add(
        childrenOf json: Value,
        in parent: StateID,
        to builder: inout StatechartBuilder,
        bindsLate: Bool
    ) {
        for child in json["children"]?.elements ?? [] {
            let initial = initial(of: child)
            let kind = child["kind"]?.word
            let state = builder.addState(
                name(of: child),
                in: parent,
                kind: Self.kind(of: child),
                initial: initial.targets,
                initialActions: initial.actions,
                entry: (bindsLate ? data(of: child) : []) + blocks(child["onentry"]),
                exit: blocks(child["onexit"]),
                doneData: doneData(of: child)
            )
            if kind != "history" { add(transitionsOf: child, from: state, to: &builder) }
            add(childrenOf: child, in: state, to: &builder, bindsLate: bindsLate)
        }
    }

    private mutating func add(
        transitionsOf json: Value,
        from source: StateID,
        to builder: inout StatechartBuilder
    ) {
        for transition in json["transitions"]?.elements ?? [] {
            var condition: GuardID?
            if let text = transition["cond"]?.word {
                condition = GuardID(rawValue: UInt16(clamping: host.conditions.count))
                host.conditions.append(text)
            }
            let events = transition["event"]?.elements.compactMap { $0.word } ?? []
            builder.addTransition(
                from: source,
                on: events.isEmpty ? .always : .event(events),
                if: condition,
                to: names(transition["target"]),
                actions: block(transition["actions"]),
                isInternal: transition["type"]?.word == "internal"
            )
        }
    }

    private mutating func initial(of json: Value) -> (targets: [String], actions: [Statechart.Action]) {
        if json["initial"] != nil { return (names(json["initial"]), []) }
        let isHistory = json["kind"]?.word == "history"
        let transition = isHistory ? json["transitions"]?.elements.first : json["initialTransition"]
        return (names(transition?["target"]), block(transition?["actions"]))
    }

    private func names(_ json: Value?) -> [String] { json?.elements.compactMap { $0.word } ?? [] }

    /// The data of a machine and of all its states, each in a block of its own.
    private mutating func allData(below json: Value) -> [[Statechart.Action]] {
        var blocks = data(of: json)
        for child in json["children"]?.elements ?? [] { blocks += allData(below: child) }
        return blocks
    }

    private mutating func data(of json: Value) -> [[Statechart.Action]] {
        (json["data"]?.elements ?? []).map { item in
            if let name = item["id"]?.word { host.scope.declare(name) }
            guard case .map(var fields) = item else { return [] }
            fields.set("do", to: .string("data"))
            return [action(.map(fields))]
        }
    }

    private mutating func doneData(of json: Value) -> UInt16? {
        guard let data = json["donedata"] else { return nil }
        host.doneData.append(data["body"] ?? data)
        return UInt16(clamping: host.doneData.count - 1)
    }

    private mutating func blocks(_ json: Value?) -> [[Statechart.Action]] {
        (json?.elements ?? []).map { block($0) }
    }

    private mutating func block(_ json: Value?) -> [Statechart.Action] {
        (json?.elements ?? []).map { action($0) }
    }

    private mutating func action(_ json: Value) -> Statechart.Action {
        host.actions.append(json)
        return .host(UInt16(clamping: host.actions.count - 1))
    }

    private mutating func name(of json: Value) -> String {
        if let name = json["id"]?.word { return name }
        unnamed += 1
        return "unnamed \(unnamed)"
    }

    private static func kind(of json: Value) -> StatechartBuilder.Kind {
        switch json["kind"]?.word {
        case "parallel": .parallel
        case "final": .final
        case "history": .history(deep: json["type"]?.word == "deep")
        default: .state
        }
    }
}
