import SkerryDevice
import SkerryImport
import SkerryMachine

/// Turns a document into a chart whose conditions and actions a host evaluates.
struct ChartTranslation {
    private static let microstepLimit = 1000

    private let document: SCXMLDocument
    private var host = ChartHost()

    private init(_ document: SCXMLDocument) {
        self.document = document.resolved()
    }

    /// The chart of a machine, and a host that knows its conditions and actions.
    static func chart(of document: SCXMLDocument) throws(StatechartProblem) -> (Statechart, ChartHost) {
        var translation = ChartTranslation(document)
        let chart = try translation.chart()
        return (chart, translation.host)
    }

    private mutating func chart() throws(StatechartProblem) -> Statechart {
        let root = document.root
        host.declareSystem(name: document.name?.text ?? "")
        var builder = StatechartBuilder(
            initial: root.initial.map { $0.text },
            initialActions: block(root.initialActions),
            entry: data(of: root) + [block(document.scripts)]
        )
        builder.limits.microsteps = Self.microstepLimit
        add(root.transitions, from: .root, to: &builder)
        for state in root.states { add(state, in: .root, to: &builder) }
        let chart = try builder.build()
        for (index, state) in chart.states.enumerated() {
            host.states.append((name: state.name, id: StateID(rawValue: UInt16(index))))
        }
        return chart
    }

    private mutating func add(_ state: SCXMLState, in parent: StateID, to builder: inout StatechartBuilder) {
        let kind: StatechartBuilder.Kind =
            switch state.kind {
            case .state: .state
            case .parallel: .parallel
            case .final: .final
            case .history(let deep): .history(deep: deep)
            }
        let id = builder.addState(
            state.id?.text ?? "",
            in: parent,
            kind: kind,
            initial: state.initial.map { $0.text },
            initialActions: block(state.initialActions),
            entry: data(of: state) + state.entry.map { block($0) },
            exit: state.exit.map { block($0) },
            doneData: doneData(of: state)
        )
        add(state.transitions, from: id, to: &builder)
        for child in state.states { add(child, in: id, to: &builder) }
    }

    private mutating func add(
        _ transitions: [SCXMLTransition],
        from source: StateID,
        to builder: inout StatechartBuilder
    ) {
        for transition in transitions {
            var condition: GuardID?
            if let text = transition.condition {
                condition = GuardID(rawValue: UInt16(clamping: host.conditions.count))
                host.conditions.append(text.text)
            }
            builder.addTransition(
                from: source,
                on: transition.events.isEmpty ? .always : .event(transition.events.map { $0.text }),
                if: condition,
                to: transition.targets.map { $0.text },
                actions: block(transition.actions),
                isInternal: transition.isInternal
            )
        }
    }

    /// The data of a state, each in a block of its own.
    private mutating func data(of state: SCXMLState) -> [[Statechart.Action]] {
        state.data.map { item in
            host.scope.declare(item.id.text)
            return [action(.data(item))]
        }
    }

    private mutating func doneData(of state: SCXMLState) -> UInt16? {
        if state.doneData.isEmpty { return nil }
        host.doneData.append(state.doneData)
        return UInt16(clamping: host.doneData.count - 1)
    }

    private mutating func block(_ actions: [SCXMLAction]) -> [Statechart.Action] {
        actions.map { action(.content($0)) }
    }

    private mutating func action(_ action: ChartHost.Action) -> Statechart.Action {
        host.actions.append(action)
        return .host(UInt16(clamping: host.actions.count - 1))
    }
}
