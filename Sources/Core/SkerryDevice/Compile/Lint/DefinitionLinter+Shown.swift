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
            warnOfShownExpression(source, template)
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

extension DefinitionLinter {
    /// Warns of texts within expressions that show braces, as in `hot ? "At {power} W" : "Cold"`.
    mutating func warnOfBracesInExpressions() {
        for expression in definition.expressions {
            for literal in expression.program.shownTexts {
                guard let open = literal.firstIndex(of: "{"),
                    let close = literal[open...].firstIndex(of: "}")
                else { continue }
                let inner = String(literal[literal.index(after: open)..<close])
                var paths = PathTable()
                let program = try? Program.compile(inner, in: scope, paths: &paths)
                let shown = Array("{\(inner)}".utf8)
                let written = Array(expression.text.text.utf8)
                guard let program, !program.references.isEmpty,
                    let offset = written.indices.first(where: { written[$0...].starts(with: shown) })
                else { continue }
                report(
                    .bracesShown,
                    expression.text,
                    offset..<offset + shown.count,
                    "a text within an expression shows braces as they stand, and not the value",
                    remedy: "join texts and values, as in \"at \" + string(\(inner.trimmed))"
                )
            }
        }
    }

    /// Warns of a text that is an expression without braces, as in `device.name` or `power + " W"`.
    private mutating func warnOfShownExpression(_ source: SourceText, _ template: TextTemplate) {
        guard case .literal(let text)? = template.parts.first, template.parts.count == 1 else { return }
        var paths = PathTable()
        var names = scope
        // Also where types do not fit, as in power + " W".
        names.defersChecks = true
        if text.contains(where: { ".+(?=<>".contains($0) }),
            let program = try? Program.compile(text, in: names, paths: &paths), !program.references.isEmpty
        {
            report(
                .bracesShown,
                source,
                "this text is shown as it stands, and it reads like an expression",
                remedy: "write {\(text)} to show the value"
            )
        }
    }

    /// Warns of texts of the island that are the name of a field or an attribute, and of topics with a level `device`.
    mutating func warnOfShownNames() {
        let names =
            (draft.activity?.attributes ?? []).map { $0.name.text }
            + (draft.activity?.content ?? []).map { $0.name.text }
        for element in draft.island?.views ?? []
        where [.text, .title].contains(element.kind) && names.contains(element.value.text) {
            report(
                .bracesShown,
                element.value,
                "this text is shown as it stands, and '\(element.value.text)' is the name of a field",
                remedy: "write \"{\(element.value.text)}\" to show its value"
            )
        }
        // Some devices have it in their own topics.
        let filters = draft.sources.map { $0.topic.text } + ["homeassistant/device/+/config"]
        let known = filters.filter { $0.split(separator: "/").contains("device") }.compactMap {
            $0.split(separator: "/").first
        }
        for case .publish(let message) in actions {
            let levels = message.topic.text.split(separator: "/")
            guard levels.contains("device"), let first = levels.first, !known.contains(first) else {
                continue
            }
            report(
                .bracesShown,
                message.topic,
                "this goes to a topic with the level 'device', not with the name of the device",
                remedy: "write {device} in its place"
            )
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

extension DefinitionLinter {
    /// Warns of activities that never end, and of alerts that are never given.
    mutating func warnOfActivity(_ graph: StateGraph, _ reached: [Bool]) {
        guard let activity = draft.activity else { return }
        let starts = graph.indices(of: activity.starts)
        let ends = Set(graph.indices(of: activity.ends))
        var followed = [Bool](repeating: false, count: states.count)
        for state in states.indices
        where reached[state] && graph.chain(of: state).contains(where: starts.contains) {
            graph.lead(to: state, &followed)
        }
        graph.restore(&followed)
        graph.spread(&followed, ends: ends)
        guard !activity.ends.isEmpty else {
            reportEndless(at: activity.place, remedy: "add 'ends:' with the states whose entry ends it")
            return
        }
        guard ends.contains(where: { followed[$0] }) else {
            reportEndless(
                at: activity.place,
                remedy: "none of the states in 'ends:' can be reached from the start"
            )
            return
        }
        warnOfTraps(graph, followed, ends)
        warnOfEndsWithinStarts(graph, starts)
        for (index, alert) in activity.alerts.enumerated() {
            guard case .state(let state) = alert.occasion else { continue }
            let earlier = activity.alerts.prefix(index).first { other in
                if case .state(let name) = other.occasion { name.text == state.text } else { false }
            }
            if let earlier {
                report(
                    .alertNeverGiven,
                    state,
                    "the alert on line \(earlier.title.place.line) is always given instead",
                    remedy:
                        "one alert is given at a time: leave one out, or choose its words by an expression"
                )
            }
            guard !graph.indices(of: [state]).contains(where: { followed[$0] }) else { continue }
            report(
                .alertNeverGiven,
                state,
                "the state '\(state.text)' is never entered while the activity goes on",
                remedy: "alerts are given from a state of 'starts:' up to the first one of 'ends:'"
            )
        }
    }

    /// Warns of states in `ends` that are within one in `starts`: a run goes on while one of these is active.
    private mutating func warnOfEndsWithinStarts(_ graph: StateGraph, _ starts: [Int]) {
        for name in draft.activity?.ends ?? [] {
            guard let state = graph.indices(of: [name]).first,
                let start = graph.chain(of: state).first(where: starts.contains),
                leftAtOnce(state, graph) == nil
            else { continue }
            // It leaves the state around it with an event of its own.
            if case .final = states[state].kind { continue }
            let outer = states[start].name.text
            report(
                .activityNeverEnds,
                name,
                "entering '\(name.text)' ends nothing: "
                    + (start == state
                        ? "it is in 'starts:', too" : "it is within '\(outer)', which 'starts:' names"),
                remedy: start == state
                    ? "leave it out of one of the two"
                    : "name in 'starts:' the states within '\(outer)' that are work"
            )
        }
    }

    private mutating func reportEndless(at place: Place, remedy: String) {
        problems.append(
            DefinitionProblem(
                .activityNeverEnds,
                at: place,
                "the activity can start and never ends",
                remedy: remedy
            )
        )
    }

    /// Warns of innermost states from which the end of the activity can't be reached.
    private mutating func warnOfTraps(_ graph: StateGraph, _ followed: [Bool], _ ends: Set<Int>) {
        for state in states.indices where followed[state] && graph.children[state].isEmpty {
            if case .history = states[state].kind { continue }
            let chain = graph.chain(of: state)
            guard !chain.contains(where: { ends.contains($0) }) else { continue }
            var reached = [Bool](repeating: false, count: states.count)
            graph.lead(to: state, &reached)
            for outer in chain {
                guard case .parallel = states[outer].kind else { continue }
                for other in states.indices where graph.isWithin(other, outer) { reached[other] = true }
            }
            graph.restore(&reached)
            graph.spread(&reached, ends: ends)
            guard !ends.contains(where: { reached[$0] }) else { continue }
            report(
                .activityNeverEnds,
                states[state].name,
                "an activity that gets to '\(states[state].name.text)' never ends",
                remedy: "lead from here to a state of 'ends:', or name this one there"
            )
        }
    }

    // MARK: Content

    /// Warns of content that can exceed its limit: constants that are too long, and whole payloads.
    mutating func warnOfContentSize() {
        guard let activity = draft.activity else { return }
        var bytes = 0
        for field in activity.attributes.map({ ($0.name, $0.value) })
            + activity.content.map({ ($0.name, $0.value) })
        {
            var paths = PathTable()
            guard let program = try? Program.compile(field.1.text, in: scope, paths: &paths) else { continue }
            bytes += field.0.text.utf8.count + 4
            bytes += program.possibleValues?.map { literal($0).utf8.count }.max() ?? 0
            if let signal = program.reference, showsWholePayload(signal) {
                report(
                    .contentTooLarge,
                    field.1,
                    "this shows whole payloads, and content may have \(definition.limits.contentBytes) bytes",
                    remedy: "show the fields that people want to see"
                )
            }
        }
        guard bytes > definition.limits.contentBytes else { return }
        problems.append(
            DefinitionProblem(
                .contentTooLarge,
                at: activity.place,
                "attributes and content can have \(bytes) bytes, and the limit is \(definition.limits.contentBytes)",
                remedy: "shorten the texts"
            )
        )
    }

    /// True for a signal whose value is a whole JSON payload.
    private func showsWholePayload(_ reference: Reference) -> Bool {
        guard reference.kind == ReferenceKind.signal.rawValue else { return false }
        return definition.sources.contains { source in
            source.payload == .json
                && source.signals.contains { signal in
                    guard signal.form == nil, signal.signal == Int(reference.index),
                        let read = signal.program.reference
                    else {
                        return false
                    }
                    return read.kind == ReferenceKind.payload.rawValue && source.wholePayload[Int(read.index)]
                }
        }
    }

    // MARK: Island

    /// Warns of texts that do not fit into their region, as far as their length is known.
    mutating func warnOfWideTexts() {
        guard let island = draft.island, let activity = draft.activity else { return }
        for region in IslandRegion.allCases {
            var sum = 0
            for (element, share) in island.elements.filter({ $0.region == region }).flatMap({ $0.shares }) {
                var width = element.kind.characters
                if element.kind.isText { width = leastWidth(element.value, activity) }
                sum += width
                let room = region.characters(for: element.kind) / share
                let needed = region.isOneLine ? sum : width
                guard needed > room, width > 0 else { continue }
                report(
                    .textTooWide,
                    element.value,
                    "this can be \(needed) characters wide, and there is room for about \(room)",
                    remedy: "shorten it, or show it on the lock screen"
                )
            }
        }
    }

    /// The width that a text needs at least, in characters: its literal parts and the longest title that it shows.
    private func leastWidth(_ text: SourceText, _ activity: ActivityDraft) -> Int {
        var fields = Scope()
        fields.defersChecks = true
        let names = activity.attributes.map { $0.name.text } + activity.content.map { $0.name.text }
        for (index, name) in names.enumerated() {
            fields.declare(name, type: .dyn, as: ReferenceKind.field.reference(index))
        }
        return width(of: text.text, in: fields) { reference in
            let index = Int(reference.index) - activity.attributes.count
            guard reference.kind == ReferenceKind.field.rawValue, index >= 0 else { return 0 }
            if let unit = activity.content[index].unit { return 2 + unit.text.count }
            guard activity.content[index].value.text == "state.title" else { return 0 }
            return states.map { state in
                state.title.map { width(of: $0.text, in: fields) { _ in 0 } } ?? 0
            }.max() ?? 0
        }
    }

    private func width(of text: String, in fields: Scope, _ shown: (Reference) -> Int) -> Int {
        var paths = PathTable()
        guard let template = try? TextTemplate.compile(text, in: fields, paths: &paths) else { return 0 }
        var width = 0
        for part in template.parts {
            switch part {
            case .literal(let literal): width += literal.count
            case .expression(let program, _): width += program.reference.map(shown) ?? 0
            }
        }
        return width
    }
}

extension IslandElementDraft {
    /// The element, or those of a row, each with the number of cells that share the width; a fitted cell takes what it needs.
    fileprivate var shares: [(element: IslandElementDraft, of: Int)] {
        if kind != .row { return [(self, 1)] }
        return cells.enumerated().flatMap { index, cell in
            cell.map { ($0, fittedCells.contains(index) ? 1 : cells.count - fittedCells.count) }
        }
    }
}

extension IslandElementKind {
    /// The width in characters: `1:23:45` of a countdown, `12 min` of minutes; texts are measured elsewhere.
    fileprivate var characters: Int {
        switch self {
        case .symbol: 2
        case .countdown: 7
        case .minutes: 6
        case .text, .title, .caption, .progress, .row: 0
        }
    }
}

extension IslandRegion {
    /// True if the region draws all elements side by side.
    fileprivate var isOneLine: Bool { self == .compactLeading || self == .compactTrailing }

    /// The approximate width of the region in characters.
    ///
    /// The compact regions have about ten; the others were measured at the width of a small phone, in the type sizes of
    /// titles and texts there, with two lines for texts below the camera and on the Lock Screen.
    fileprivate func characters(for kind: IslandElementKind) -> Int {
        switch self {
        case .minimal: 7
        case .compactLeading, .compactTrailing: 10
        case .expandedLeading, .expandedTrailing: 16
        case .expandedCenter: 40
        case .expandedBottom, .lock: kind == .title ? 40 : 80
        }
    }
}
