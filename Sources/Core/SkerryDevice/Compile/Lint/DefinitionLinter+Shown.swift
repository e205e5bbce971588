import SkerryActivity
import SkerryExpressions
import SkerryValues

extension DefinitionLinter {
    /// Warns of symbols that readers do not know; they draw a general one instead.
    mutating func warnOfUnknownSymbols() {
        guard let island = draft.island else { return }
        if let symbol = island.symbol { warnOfUnknown(symbol.text, symbol) }
        for element in island.views where element.kind == .symbol && element.value.text.braced == nil {
            warnOfUnknown(element.value.text, element.value)
        }
        for element in definition.parts.island?.views ?? [] {
            guard let choice = element.symbols, choice.field != nil else { continue }
            for one in choice.cases { warnOfUnknown(one.value, element.source) }
        }
        let drawsStates = island.views.contains { $0.value.text.braced == "state.symbol" }
        for state in states {
            guard let symbol = state.symbol else { continue }
            warnOfUnknown(symbol.text, symbol)
            guard !drawsStates, !draft.isIncomplete else { continue }
            report(
                .unknownSymbol,
                symbol,
                "nothing draws the symbols of states",
                remedy: "write `symbol: \"{state.symbol}\"` in a region of the island"
            )
        }
    }

    private mutating func warnOfUnknown(_ name: String, _ source: SourceText) {
        if IslandSymbol.isKnown(name) { return }
        let near = nearestName(to: name, among: IslandSymbol.names + IslandSymbol.systemNames)
        let isSystemName = name.utf8.contains(UInt8(ascii: "."))
        report(
            .unknownSymbol,
            source,
            isSystemName
                ? "the page does not know the SF Symbol '\(name)' and draws a gear"
                : "no reader knows the symbol '\(name)'",
            remedy: near.map { "did you mean '\($0)'?" } ?? "write a name from the lists in docs/phones.md"
        )
    }

    // MARK: Heights

    /// Warns of a card on the Lock Screen, and of an expanded island, that are higher than iOS shows them.
    mutating func warnOfTallCards() {
        guard let island = draft.island, let contract = definition.activity?.contract else { return }
        let layout = IslandLayout(definition.parts.island, of: contract)
        let places: [(height: Int, what: String, isDrawn: (IslandRegion) -> Bool)] = [
            (layout.lockHeight, "the card on the Lock Screen", { $0 == .lock }),
            (layout.expandedHeight, "the expanded island", { $0.isLarge && $0 != .lock }),
        ]
        for place in places where place.height > IslandLayout.longest {
            // What is written last is what is cut off.
            let cut = island.elements.last { place.isDrawn($0.region) }?.firstView.value
            guard let cut = cut ?? island.buttons.last?.name else { continue }
            report(
                .cardTooTall,
                cut,
                "\(place.what) needs \(place.height) points, and iOS cuts it at \(IslandLayout.longest)",
                remedy: "leave views out, put them side by side in a 'row', or give texts fewer 'lines'"
            )
        }
    }

    // MARK: Titles

    /// Warns of states without a title that an activity can show or end in, if its content shows the title.
    mutating func warnOfMissingTitles(_ graph: StateGraph, _ reached: [Bool]) {
        guard let activity = draft.activity, showsTitle,
            !states.contains(where: { if case .parallel = $0.kind { true } else { false } })
        else { return }
        let starts = graph.indices(of: activity.starts)
        let ends = Set(graph.indices(of: activity.ends))
        var shown = [Bool](repeating: false, count: states.count)
        for state in states.indices
        where reached[state] && graph.chain(of: state).contains(where: starts.contains) {
            graph.lead(to: state, &shown)
        }
        graph.restore(&shown)
        graph.spread(&shown, ends: ends, leavesEnds: false)
        for state in states.indices where shown[state] {
            guard let next = leftAtOnce(state, graph), !shown[next] else { continue }
            graph.lead(to: next, &shown)
        }
        for state in states.indices where shown[state] && graph.children[state].isEmpty {
            if case .history = states[state].kind { continue }
            let chain = graph.chain(of: state)
            guard leftAtOnce(state, graph) == nil, !chain.contains(where: { states[$0].title != nil }) else {
                continue
            }
            let name = states[state].name
            let verb = chain.contains { ends.contains($0) } ? "end" : "be"
            report(
                .titleMissing,
                name,
                "an activity can \(verb) in '\(name.text)', which has no title, and the content shows state.title",
                remedy: "give it a 'title:', or show default(state.title, \"…\")"
            )
        }
    }

    /// True if a field of the content has no value without a title.
    private var showsTitle: Bool {
        let title = ReferenceKind.stateTitle.reference()
        return definition.activity?.content.contains { field in
            guard field.condition == nil, case .expression(let value) = field.source else { return false }
            return value.program.requiredReferences.contains(title)
        } ?? false
    }

    /// The state that a state is left for at once, before anybody sees it; nil when a machine can rest in it.
    private func leftAtOnce(_ state: Int, _ graph: StateGraph) -> Int? {
        for outer in graph.chain(of: state) {
            for (index, transition) in states[outer].transitions.enumerated() {
                guard case .always = transition.trigger, let target = graph.targets[outer][index].first,
                    conditions[outer][index].map({ alwaysHolds($0) }) ?? true
                else { continue }
                return graph.leaf(of: target)
            }
        }
        return nil
    }

    // MARK: Braces

    /// Warns of island texts that stay empty on phones, which show fields as they are and compute nothing.
    mutating func warnOfUndrawnTexts() {
        guard let island = definition.parts.island, let contract = definition.activity?.contract else {
            return
        }
        for element in island.views {
            for case .expression(let program, let range) in element.text?.parts ?? [] {
                switch island.shown(by: program) {
                case nil:
                    report(
                        .notDrawnOnPhones,
                        element.source,
                        range,
                        "phones show fields as they are and can't compute this",
                        remedy: "compute it in a field of 'content:' and show that"
                    )
                case .field(let name) where contract.content.contains { $0.isStructure(name) },
                    .attribute(let name) where contract.attributes.contains { $0.isStructure(name) }:
                    report(
                        .notDrawnOnPhones,
                        element.source,
                        range,
                        "phones do not get lists and objects",
                        remedy: "make a text of it in 'content:' and show that"
                    )
                case .device, .field, .attribute: break
                }
            }
        }
    }

    /// Warns of texts that show an expression in braces instead of its value, as in `{{ program }}`.
    mutating func warnOfShownBraces() {
        for (source, template) in templates {
            for case .literal(let literal) in template.parts {
                guard let open = literal.firstIndex(of: "{"), let close = literal.lastIndex(of: "}"),
                    open < close
                else { continue }
                let inner = literal[literal.index(after: open)..<close].filter { $0 != "{" && $0 != "}" }
                var paths = PathTable()
                let program = try? Program.compile(inner, in: scope, paths: &paths)
                guard let program, !program.references.isEmpty else { continue }
                let written = Array(source.text.utf8)
                let offset =
                    written.indices.first { written[$0...].starts(with: "{{".utf8) } ?? 0
                report(
                    .bracesShown,
                    source,
                    offset..<min(written.count, offset + inner.utf8.count + 4),
                    "two braces stand for a brace itself, so this text shows '{\(inner)}'",
                    remedy: "write {\(inner.trimmed)} to show the value"
                )
            }
        }
    }
}

extension IslandElementDraft {
    /// The element itself, or the first one in its cells.
    fileprivate var firstView: IslandElementDraft { cells.joined().first ?? self }
}

extension String {
    /// The text without surrounding spaces.
    fileprivate var trimmed: String {
        let rest = drop { $0 == " " }
        guard let last = rest.lastIndex(where: { $0 != " " }) else { return "" }
        return String(rest[...last])
    }
}

extension LiveActivityContract.Field {
    fileprivate func isStructure(_ name: String) -> Bool {
        type == .structure && self.name.hasSameCodePoints(as: name)
    }
}
