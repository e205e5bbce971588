import SkerryActivity
import SkerryExpressions
import SkerryValues

extension IslandLayout {
    private typealias Placed = (region: IslandRegion, element: Element)

    /// Arranges the views of an island, or the plain layout for an activity without one.
    init(_ island: Island?, of contract: LiveActivityContract) {
        let placed: [Placed]
        if let island, !island.elements.isEmpty {
            placed = island.elements.compactMap { written in
                Self.element(written, of: island, contract).map { (written.region, $0) }
            }
        } else {
            placed = Self.plain(contract)
        }
        func elements(in region: IslandRegion) -> [Element] {
            placed.compactMap { $0.region == region ? $0.element : nil }
        }
        func compact(_ region: IslandRegion, or fallback: Element) -> [Element] {
            let elements = elements(in: region)
            return elements.isEmpty ? [fallback] : elements
        }
        func link(of region: IslandRegion) -> [TextPart] {
            island?.links.first { $0.region == region }.map { parts(of: $0.link) } ?? []
        }
        func parts(of template: TextTemplate) -> [TextPart] {
            island.map { Self.parts(of: template, of: $0, contract) } ?? []
        }
        tint = island?.tint
        tints = island?.tints
        symbol = island.map { Self.symbol(of: $0) } ?? IslandSymbol.fallback
        compactLeading = compact(.compactLeading, or: Element(.symbol(symbol, nil)))
        compactTrailing = elements(in: .compactTrailing)
        minimal = compact(.minimal, or: Element(.symbol(symbol, nil)))
        expanded = Position.allCases.compactMap { position in
            let elements = elements(in: position.region)
            if elements.isEmpty { return nil }
            return Region(
                position: position,
                elements: elements,
                alignment: island?.alignments[position.region],
                link: link(of: position.region)
            )
        }
        lock = LockScreen(compact(.lock, or: Element(.title([.device]))), link: link(of: .lock))
        buttons = (island?.buttons ?? []).map { button in
            Button(
                title: button.title,
                action: button.link.map { .link(parts(of: $0)) } ?? .event(button.name, states: button.states)
            )
        }
    }

    /// The symbol that the island names, or the first one that it draws.
    private static func symbol(of island: Island) -> String {
        if let symbol = island.symbol { return IslandSymbol.systemName(of: symbol) }
        let first = island.views.first { $0.kind == .symbol && $0.symbols == nil }
        return first.map { IslandSymbol.systemName(of: $0.source.text) } ?? IslandSymbol.fallback
    }

    private static func element(
        _ written: Island.Element,
        of island: Island,
        _ contract: LiveActivityContract
    ) -> Element? {
        let view: View? =
            switch written.kind {
            case .symbol where written.symbols != nil: .symbol(symbol(of: island), written.symbols)
            case .symbol: .symbol(IslandSymbol.systemName(of: written.source.text), nil)
            case .title: .title(written.text.map { parts(of: $0, of: island, contract) } ?? [])
            case .caption: .caption(written.text.map { parts(of: $0, of: island, contract) } ?? [])
            case .text: .text(written.text.map { parts(of: $0, of: island, contract) } ?? [])
            case .countdown, .minutes:
                contract.timer(called: written.source.text).map {
                    .clock(field: $0, inMinutes: written.kind == .minutes)
                }
            case .progress: contract.bar(of: written)
            case .row:
                .row(written.cells.map { cell in cell.compactMap { Self.element($0, of: island, contract) } })
            }
        let link = written.link.map { parts(of: $0, of: island, contract) } ?? []
        return view.map {
            Element(
                $0,
                tint: written.tint,
                circle: written.circle,
                image: written.image,
                link: link,
                lines: written.lines,
                transition: written.transition,
                fittedCells: written.fittedCells
            )
        }
    }

    /// The parts of a text; the compiler has warned of those that phones can't draw, and they are left out.
    private static func parts(
        of text: TextTemplate,
        of island: Island,
        _ contract: LiveActivityContract
    ) -> [TextPart] {
        text.parts.compactMap { part(of: $0, of: island, contract) }
    }

    private static func part(
        of written: TextTemplate.Part,
        of island: Island,
        _ contract: LiveActivityContract
    ) -> TextPart? {
        switch written {
        case .literal(let text): .literal(text)
        case .expression(let program, _):
            switch island.shown(by: program) {
            case .device: .device
            case .attribute(let name): contract.attributes.written(called: name).map { .attribute($0) }
            case .field(let name): contract.content.written(called: name).map { .field($0) }
            case nil: nil
            }
        }
    }

    /// The views of a definition without an island: the device, the first text and the first timer.
    private static func plain(_ contract: LiveActivityContract) -> [Placed] {
        var placed: [Placed] = [
            (.minimal, Element(.symbol(IslandSymbol.fallback, nil))),
            (.expandedCenter, Element(.title([.device]))),
            (.lock, Element(.title([.device]))),
        ]
        if let shown = contract.content.first(where: { $0.type == .string })
            ?? contract.content.first(where: { $0.type.isWritten })
        {
            placed.append((.expandedBottom, Element(.text([.field(shown)]))))
            placed.append((.lock, Element(.text([.field(shown)]))))
        }
        if let timer = contract.content.first(where: { $0.type == .time }) {
            for region in [IslandRegion.compactTrailing, .expandedTrailing, .lock] {
                placed.append((region, Element(.clock(field: timer.name, inMinutes: false))))
            }
        }
        return placed
    }
}

extension IslandLayout.LockScreen {
    /// Sorts views into the places of the Lock Screen; in each place they keep their order.
    fileprivate init(_ elements: [IslandLayout.Element], link: [IslandLayout.TextPart]) {
        var (symbols, texts): ([IslandLayout.Element], [IslandLayout.Element]) = ([], [])
        var (clocks, bars): ([IslandLayout.Element], [IslandLayout.Element]) = ([], [])
        for element in elements {
            switch element.view {
            case .symbol: symbols.append(element)
            case .title, .text, .caption: texts.append(element)
            case .clock: clocks.append(element)
            case .bar, .level, .steps, .row: bars.append(element)
            }
        }
        (self.symbols, self.texts, self.clocks, self.bars) = (symbols, texts, clocks, bars)
        self.link = link
    }
}

extension IslandLayout.Position {
    fileprivate var region: IslandRegion {
        switch self {
        case .leading: .expandedLeading
        case .trailing: .expandedTrailing
        case .center: .expandedCenter
        case .bottom: .expandedBottom
        }
    }
}

extension FieldType {
    /// True for the types that texts can show.
    fileprivate var isWritten: Bool {
        switch self {
        case .any, .string, .int, .double, .bool, .timestamp, .duration: true
        case .time, .structure: false
        }
    }
}

extension [LiveActivityContract.Field] {
    /// Returns the member of this name, if texts can show it.
    fileprivate func written(called name: String) -> LiveActivityContract.Field? {
        first { $0.type.isWritten && $0.name.hasSameCodePoints(as: name) }
    }
}

extension LiveActivityContract {
    /// Returns the name if a field of the content with this name is a timer.
    fileprivate func timer(called name: String) -> String? {
        content.first { $0.type == .time && $0.name.hasSameCodePoints(as: name) }?.name
    }

    /// Returns the bar of a field of the content: a timer, a number with a whole, or a number of steps.
    fileprivate func bar(of written: Island.Element) -> IslandLayout.View? {
        let name = written.source.text
        guard let field = content.first(where: { $0.name.hasSameCodePoints(as: name) }) else { return nil }
        if field.type == .time { return .bar(field: field.name) }
        if let steps = written.steps { return .steps(field: field.name, of: steps) }
        return (written.whole ?? field.whole).map { .level(field: field.name, of: $0) }
    }
}
