import SkerryActivity
import SkerryExpressions
import SkerryValues

extension DefinitionCompiler {
    /// Compiles an attribute or a field, and checks that its value can become the declared type.
    ///
    /// See docs/decisions/0016-phones-compute-nothing.md.
    mutating func typed(_ source: SourceText, as type: FieldType?) -> ActivityDefinition.Typed? {
        guard let program = program(source) else { return nil }
        if let type, !type.canCoerce(program.type) {
            reportCoercion(of: source, program.type.description, to: type)
        }
        return ActivityDefinition.Typed(program: program, type: type)
    }

    /// Reports an expression whose value can't become the declared type.
    mutating func reportCoercion(of source: SourceText, _ what: String, to type: FieldType) {
        report(
            .wrongType,
            source,
            "this is \(what), which can't become \(type.name)",
            remedy: "leave 'type' out, or convert it in the expression"
        )
    }

    /// The contract of the activity, from which an app's types are generated.
    func phoneContract(
        attributes: [(name: String, value: ActivityDefinition.Typed)],
        content: [ActivityDefinition.ContentField],
        _ plan: ActivityPlan
    ) -> LiveActivityContract {
        let leaves = states.filter { $0.isInnermost }.map { $0.name.text }
        let isParallel = states.contains { if case .parallel = $0.kind { true } else { false } }
        return LiveActivityContract(
            kind: plan.kind,
            attributes: attributes.map { .init(name: $0.name, type: $0.value.fieldType) },
            content: zip(plan.fields, content).map { field, content in
                switch content.source {
                case .expression(let value): member(field.name, value)
                case .timer: .init(name: field.name, type: .time)
                }
            },
            states: isParallel ? nil : leaves,
            longestState: draft.machine.longestName
        )
    }

    /// A field of the content as readers get it.
    private func member(
        _ name: String,
        _ value: ActivityDefinition.Typed
    ) -> LiveActivityContract.Field {
        let field = draft.activity?.content.first { $0.name.text.hasSameCodePoints(as: name) }
        return LiveActivityContract.Field(
            name: name,
            type: value.fieldType,
            unit: field?.unit?.text,
            decimals: field?.decimals,
            whole: field?.whole
        )
    }

    /// Checks that the largest push stays within Apple's limit; definitions without an island are not checked.
    mutating func checkSize(of contract: LiveActivityContract, at place: Place) {
        let size = contract.largestBody
        guard draft.island != nil, size > LiveActivityContract.limit else { return }
        problems.append(
            DefinitionProblem(
                .tooLargeForPhones,
                at: place,
                "a push with attributes and content can have \(size) bytes, and Apple takes "
                    + "\(LiveActivityContract.limit)",
                remedy: "leave fields out, or give numbers a 'type': a text of unknown length counts "
                    + "\(LiveActivityContract.longestText) bytes"
            )
        )
    }
}

extension ActivityDefinition.Typed {
    /// The type that a phone declares for this value.
    fileprivate var fieldType: FieldType { type ?? FieldType(program.type) }
}

extension StateDraft {
    /// True for a state in which a machine can rest.
    var isInnermost: Bool {
        if case .history = kind { return false }
        return !states.contains { if case .history = $0.kind { false } else { true } }
    }

    /// The length of the longest text in bytes that names the active states within this state.
    fileprivate var longestName: Int {
        if isInnermost { return name.text.utf8.count }
        let lengths = states.map { $0.longestName }
        if case .parallel = kind { return lengths.reduce(lengths.count) { $0 + $1 } }
        return lengths.max() ?? 0
    }
}
