import SkerryDevice
import SkerryImport
import SkerryMachine

/// A translation of a document into a chart whose conditions and actions a host evaluates.
struct ChartTranslation {
    private static let microstepLimit = 1000

    private let document: SCXMLDocument
    private var script = ChartScript()

    private init(_ document: SCXMLDocument) {
        self.document = document.resolved()
    }

    /// A host with the chart of a machine, its conditions and its actions.
    static func host(of document: SCXMLDocument) throws(StatechartProblem) -> ChartHost {
        var translation = ChartTranslation(document)
        let chart = try translation.chart()
        return ChartHost(chart, translation.script)
    }

    private mutating func chart() throws(StatechartProblem) -> Statechart {
        let root = document.root
        script.scope.declareSystem(name: document.name?.text ?? "")
        var builder = StatechartBuilder(
            initial: root.initial.map { $0.text },
            initialActions: block(root.initialActions),
            entry: data(of: root) + [block(document.scripts)]
        )
        builder.limits.microsteps = Self.microstepLimit
        add(root.transitions, from: .root, to: &builder)
        for state in root.states { add(state, in: .root, to: &builder) }
        return try builder.build()
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
                condition = GuardID(rawValue: UInt16(clamping: script.conditions.count))
                script.conditions.append(text.text)
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

    /// The data of a state, each as a block, so that an error in one does not affect the others.
    private mutating func data(of state: SCXMLState) -> [[Statechart.Action]] {
        state.data.map { item in
            script.scope.declare(item.id.text)
            return [action(.data(item))]
        }
    }

    private mutating func doneData(of state: SCXMLState) -> UInt16? {
        if state.doneData.isEmpty { return nil }
        script.doneData.append(state.doneData)
        return UInt16(clamping: script.doneData.count - 1)
    }

    private mutating func block(_ actions: [SCXMLAction]) -> [Statechart.Action] {
        actions.map { action(.content($0)) }
    }

    private mutating func action(_ action: ChartScript.Action) -> Statechart.Action {
        script.actions.append(action)
        return .host(UInt16(clamping: script.actions.count - 1))
    }
}
