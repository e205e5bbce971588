public import SkerryActivity
import SkerryExpressions
import SkerryValues

/// The views of an activity, in the places where phones and pages draw them.
///
/// The compiler makes one for each definition with an activity, and fills places that the definition leaves empty. The
/// generated Swift, the page and the simulated phone all draw from it, so they agree. Texts show attributes and fields
/// as they are: a reader joins the parts and computes nothing.
public struct IslandLayout: Hashable, Sendable {
    /// A view with its colour and its link.
    public struct Element: Hashable, Sendable {
        /// The view.
        public let view: View
        /// The colour; nil for the usual one: that of the text around it, for a bar that of the island.
        public internal(set) var tint: Tint?
        /// The colour of the circle behind a symbol; nil without a circle.
        public internal(set) var circle: Tint?
        /// The picture of an app's asset catalogue that is drawn in place of a symbol by apps that have it; nil for the symbol alone.
        public internal(set) var image: String?
        /// The parts of the link that a touch opens; none for the link of the region.
        public internal(set) var link: [TextPart] = []
        /// The most lines of a text; nil leaves it to the reader.
        public internal(set) var lines: Int?
        /// The way in which a text changes; nil for the usual one: digits of numbers roll in a text, other texts fade, and titles
        /// and captions are left to the reader.
        public internal(set) var transition: IslandTransition?
        /// The cells of a row that are as wide as their views, by their places among the cells; the others share the rest.
        public internal(set) var fittedCells: [Int] = []
    }

    /// A view.
    public enum View: Hashable, Sendable {
        /// A picture, by its name in SF Symbols; with a choice, this is the name where the choice has none.
        case symbol(String, Choice?)
        /// A headline.
        case title([TextPart])
        /// A text.
        case text([TextPart])
        /// A timer of the content, as a running clock, or as its whole minutes.
        case clock(field: String, inMinutes: Bool)
        /// A countdown of the content, as a bar that fills.
        case bar(field: String)
        /// A number of the content, as a bar that this whole fills.
        case level(field: String, of: Double)
        /// A number of the content, as so many segments of which the first ones are filled.
        case steps(field: String, of: Int)
        /// A small text.
        case caption([TextPart])
        /// Cells side by side, each with views one below the other; they have the same width, except those that fit.
        ///
        /// The first cell has its views at the leading edge, the last one at the trailing edge, the others in the middle.
        case row([[Element]])
    }

    /// The colour of a view.
    public enum Tint: Hashable, Sendable {
        /// The colour of the island, which may depend on the state.
        case island
        /// A colour, `#rrggbb`.
        case colour(String)
    }

    /// The symbols or colours of the states, or of the values of a field.
    public struct Choice: Hashable, Sendable {
        /// A symbol or a colour and what chooses it.
        public struct Case: Hashable, Sendable {
            /// The name of the state, or the value of the field.
            public let value: String
            /// The name in SF Symbols, or the colour `#rrggbb`.
            public let result: String
        }

        /// The field of the content that chooses; nil for the state.
        public let field: String?
        /// The cases; no two have the same value.
        public let cases: [Case]

        /// Returns the choice of a value.
        ///
        /// Where several states are active, their names stand in it with commas between them, and the first one
        /// that has a case chooses.
        public func result(of value: String) -> String? {
            let names = field == nil ? value.split(separator: ",").map(String.init) : [value]
            for name in names {
                if let found = cases.first(where: { $0.value.hasSameCodePoints(as: name) }) {
                    return found.result
                }
            }
            return nil
        }
    }

    /// A part of a text.
    public enum TextPart: Hashable, Sendable {
        /// Text as it is.
        case literal(String)
        /// The name of the device.
        case device
        /// The value of an attribute; never a timer, a list or an object.
        case attribute(LiveActivityContract.Field)
        /// The value of a field of the content; never a timer, a list or an object.
        case field(LiveActivityContract.Field)
    }

    /// A place in the expanded island.
    public enum Position: UInt8, Sendable, CaseIterable {
        /// Left of the camera.
        case leading
        /// Right of the camera.
        case trailing
        /// Below the camera.
        case center
        /// Below everything else.
        case bottom

        /// The name that SwiftUI and the JSON have for it.
        public var name: String {
            switch self {
            case .leading: "leading"
            case .trailing: "trailing"
            case .center: "center"
            case .bottom: "bottom"
            }
        }

        /// The rank in which regions get room, the highest first.
        public var priority: Int {
            switch self {
            case .bottom: 0
            case .leading, .trailing: 1
            case .center: 2
            }
        }
    }

    /// A region of the expanded island; its views stand one below the other.
    public struct Region: Hashable, Sendable {
        /// The place of the region.
        public let position: Position
        /// The views, at least one.
        public let elements: [Element]
        /// The edge at which its views and the lines of its texts are; nil for the usual one of the region.
        public let alignment: IslandAlignment?
        /// The parts of the link that a touch opens; none for the link of the activity.
        public let link: [TextPart]
    }

    /// The Lock Screen: a row of symbols, the column of texts, and clocks at the far end; bars and rows below it.
    public struct LockScreen: Hashable, Sendable {
        /// The symbols at the beginning of the row.
        public let symbols: [Element]
        /// Titles and texts, one below the other.
        public let texts: [Element]
        /// The clocks at the end of the row, in large digits.
        public let clocks: [Element]
        /// The bars and the rows of the definition, below the row.
        public let bars: [Element]
        /// The parts of the link that a touch opens; none for the link of the activity.
        public let link: [TextPart]
    }

    /// A button that sends the device an event, or opens a link.
    public struct Button: Hashable, Sendable {
        /// The effect of a touch.
        public enum Action: Hashable, Sendable {
            /// It sends this event, and is there in these states, those in which the machine waits for it.
            case event(String, states: [String])
            /// It opens the link with these parts, and is there while none of them is missing.
            case link([TextPart])
        }

        /// The text on it.
        public let title: String
        /// The effect of a touch.
        public let action: Action
    }

    /// The colour of the definition, `#rrggbb`; nil for the system's own.
    public let tint: String?
    /// The colours of states, or of the values of a field, that replace it; nil when there is one colour.
    public let tints: Choice?
    /// The SF Symbol of the device, for places where a reader has nothing else to draw.
    public let symbol: String
    /// The views left of the camera, side by side.
    public let compactLeading: [Element]
    /// The views right of the camera, side by side; often none.
    public let compactTrailing: [Element]
    /// The views of the smallest form, side by side.
    public let minimal: [Element]
    /// The regions of the expanded island that draw something, in the order of ``Position``.
    public let expanded: [Region]
    /// The Lock Screen; it always draws something.
    public let lock: LockScreen
    /// The buttons below the Lock Screen and the expanded island, side by side; often none.
    public let buttons: [Button]

    /// Every view in every place, without the rows around them.
    public var elements: [Element] {
        let all =
            compactLeading + compactTrailing + minimal + expanded.flatMap { $0.elements }
            + lock.symbols + lock.texts + lock.clocks + lock.bars
        return all.flatMap { element in
            if case .row(let cells) = element.view { Array(cells.joined()) } else { [element] }
        }
    }
}

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
        compactLeading = compact(.compactLeading, or: Element(view: .symbol(symbol, nil)))
        compactTrailing = elements(in: .compactTrailing)
        minimal = compact(.minimal, or: Element(view: .symbol(symbol, nil)))
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
        lock = LockScreen(compact(.lock, or: Element(view: .title([.device]))), link: link(of: .lock))
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
                view: $0,
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
            (.minimal, Element(view: .symbol(IslandSymbol.fallback, nil))),
            (.expandedCenter, Element(view: .title([.device]))),
            (.lock, Element(view: .title([.device]))),
        ]
        if let shown = contract.content.first(where: { $0.type == .string })
            ?? contract.content.first(where: { $0.type.isWritten })
        {
            placed.append((.expandedBottom, Element(view: .text([.field(shown)]))))
            placed.append((.lock, Element(view: .text([.field(shown)]))))
        }
        if let timer = contract.content.first(where: { $0.type == .time }) {
            for region in [IslandRegion.compactTrailing, .expandedTrailing, .lock] {
                placed.append((region, Element(view: .clock(field: timer.name, inMinutes: false))))
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

extension IslandLayout {
    /// The height in points at which iOS cuts a card on the Lock Screen, and the expanded island.
    static let longest = 160

    /// The height in points of a line of text, of a symbol, and of the other views of a card.
    ///
    /// The page draws with the same numbers, in `phone.css`.
    private enum Points {
        static let line = 22
        static let caption = 16
        static let clock = 28
        static let circle = 32
        static let bar = 4
        static let button = 34
        /// Between views, between the parts of a card, around a card.
        static let (gap, part, edge) = (4, 8, 16)
        /// The camera, and the space above and below the regions around it.
        static let (camera, beside, below, bottom, end) = (37, 17, 3, 12, 18)
    }

    /// The points that the card on the Lock Screen needs at least: a text without `lines` has one line.
    var lockHeight: Int {
        let clocks = lock.clocks.isEmpty ? 0 : Points.clock
        let row = max(Self.height(lock.symbols.prefix(1)), Self.height(lock.texts), clocks)
        var parts = lock.bars.map { Self.height(of: $0) }
        if row > 0 { parts.append(row) }
        if !buttons.isEmpty { parts.append(Points.button) }
        return Self.stacked(parts, gap: Points.part) + 2 * Points.edge
    }

    /// The points that the expanded island needs at least.
    var expandedHeight: Int {
        func height(_ position: Position) -> Int {
            Self.height(expanded.first { $0.position == position }?.elements ?? [])
        }
        let sides = Points.beside + max(height(.leading), height(.trailing))
        let center = height(.center)
        let middle = Points.camera + (center > 0 ? Points.below + center : 0)
        let bottom = [height(.bottom), buttons.isEmpty ? 0 : Points.button].filter { $0 > 0 }
        let below = bottom.isEmpty ? 0 : Points.bottom + Self.stacked(bottom, gap: Points.part)
        return max(sides, middle) + below + Points.end
    }

    private static func height(_ elements: some Sequence<Element>) -> Int {
        stacked(elements.map { height(of: $0) }, gap: Points.gap)
    }

    private static func stacked(_ heights: [Int], gap: Int) -> Int {
        heights.reduce(0, +) + gap * max(0, heights.count - 1)
    }

    private static func height(of element: Element) -> Int {
        switch element.view {
        case .symbol where element.circle != nil || element.image != nil: Points.circle
        case .symbol, .clock: Points.line
        case .title, .text: Points.line * (element.lines ?? 1)
        case .caption: Points.caption * (element.lines ?? 1)
        case .bar, .level, .steps: Points.bar
        case .row(let cells): cells.map { height($0) }.max() ?? 0
        }
    }
}
