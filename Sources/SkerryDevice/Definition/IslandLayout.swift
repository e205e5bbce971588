public import SkerryActivity
public import SkerryValues
import SkerryExpressions

/// The views of an activity, in the places where phones and pages draw them.
///
/// The compiler makes one for each definition with an activity, and fills places that the definition leaves empty. The
/// generated Swift, the page and the simulated phone all draw from it, so they agree. Texts show attributes and fields
/// as they are: a reader joins the parts and computes nothing.
public struct IslandLayout: Hashable, Sendable {
    /// A view.
    public enum Element: Hashable, Sendable {
        /// A picture, by its name in SF Symbols.
        case symbol(String)
        /// A headline.
        case title([TextPart])
        /// A text.
        case text([TextPart])
        /// A timer of the content, as a running clock.
        case clock(field: String)
        /// A countdown of the content, as a bar that fills.
        case bar(field: String)
        /// A number of the content, as a bar that this whole fills.
        case level(field: String, of: Double)
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
    }

    /// The Lock Screen: a row of symbols, the column of texts, and clocks at the far end; bars below the row.
    public struct LockScreen: Hashable, Sendable {
        /// The symbols at the beginning of the row.
        public let symbols: [Element]
        /// Titles and texts, one below the other.
        public let texts: [Element]
        /// The clocks at the end of the row, in large digits.
        public let clocks: [Element]
        /// The bars below the row.
        public let bars: [Element]
    }

    /// The colour of the definition, `#rrggbb`; nil for the system's own.
    public let tint: String?
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

    /// Every view in every place.
    public var elements: [Element] {
        compactLeading + compactTrailing + minimal + expanded.flatMap { $0.elements }
            + lock.symbols + lock.texts + lock.clocks + lock.bars
    }
}

// MARK: - From a definition

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
        tint = island?.tint
        var symbol = IslandSymbol.fallback
        for case (_, .symbol(let name)) in placed {
            symbol = name
            break
        }
        self.symbol = symbol
        compactLeading = compact(.compactLeading, or: .symbol(symbol))
        compactTrailing = elements(in: .compactTrailing)
        minimal = compact(.minimal, or: .symbol(symbol))
        expanded = Position.allCases.compactMap { position in
            let elements = elements(in: position.region)
            return elements.isEmpty ? nil : Region(position: position, elements: elements)
        }
        lock = LockScreen(compact(.lock, or: .title([.device])))
    }

    private static func element(
        _ written: Island.Element,
        of island: Island,
        _ contract: LiveActivityContract
    ) -> Element? {
        switch written.kind {
        case .symbol: .symbol(IslandSymbol.systemName(of: written.source.text))
        case .title: .title(parts(of: written, of: island, contract))
        case .text: .text(parts(of: written, of: island, contract))
        case .countdown: contract.timer(called: written.source.text).map { .clock(field: $0) }
        case .progress: contract.bar(called: written.source.text)
        }
    }

    /// The parts of a text; the compiler has warned of those that phones can't draw, and they are left out.
    private static func parts(
        of written: Island.Element,
        of island: Island,
        _ contract: LiveActivityContract
    ) -> [TextPart] {
        (written.text?.parts ?? []).compactMap { part(of: $0, of: island, contract) }
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
            (.minimal, .symbol(IslandSymbol.fallback)),
            (.expandedCenter, .title([.device])),
            (.lock, .title([.device])),
        ]
        if let shown = contract.content.first(where: { $0.type == .string })
            ?? contract.content.first(where: { $0.type.isWritten })
        {
            placed.append((.expandedBottom, .text([.field(shown)])))
            placed.append((.lock, .text([.field(shown)])))
        }
        if let timer = contract.content.first(where: { $0.type == .time }) {
            for region in [IslandRegion.compactTrailing, .expandedTrailing, .lock] {
                placed.append((region, .clock(field: timer.name)))
            }
        }
        return placed
    }
}

extension IslandLayout.LockScreen {
    /// Sorts views into the places of the Lock Screen; in each place they keep their order.
    fileprivate init(_ elements: [IslandLayout.Element]) {
        var (symbols, texts): ([IslandLayout.Element], [IslandLayout.Element]) = ([], [])
        var (clocks, bars): ([IslandLayout.Element], [IslandLayout.Element]) = ([], [])
        for element in elements {
            switch element {
            case .symbol: symbols.append(element)
            case .title, .text: texts.append(element)
            case .clock: clocks.append(element)
            case .bar, .level: bars.append(element)
            }
        }
        (self.symbols, self.texts, self.clocks, self.bars) = (symbols, texts, clocks, bars)
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
        first { $0.type.isWritten && $0.name.utf8.elementsEqual(name.utf8) }
    }
}

extension LiveActivityContract {
    /// Returns the name if a field of the content with this name is a timer.
    fileprivate func timer(called name: String) -> String? {
        content.first { $0.type == .time && $0.name.utf8.elementsEqual(name.utf8) }?.name
    }

    /// Returns the bar of a field of the content: a timer, or a number with a whole.
    fileprivate func bar(called name: String) -> IslandLayout.Element? {
        guard let field = content.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
        if field.type == .time { return .bar(field: field.name) }
        return field.whole.map { .level(field: field.name, of: $0) }
    }
}

// MARK: - JSON

extension IslandLayout {
    /// Writes the layout as the JSON object that docs/phones.md describes.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("tint")
        if let tint { writer.string(tint) } else { writer.null() }
        writer.key("symbol")
        writer.string(symbol)
        Self.write("compactLeading", compactLeading, to: &writer)
        Self.write("compactTrailing", compactTrailing, to: &writer)
        Self.write("minimal", minimal, to: &writer)
        writer.key("expanded")
        writer.beginArray()
        for region in expanded {
            writer.beginObject()
            writer.key("position")
            writer.string(region.position.name)
            writer.key("priority")
            writer.int(Int64(region.position.priority))
            Self.write("elements", region.elements, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.key("lock")
        writer.beginObject()
        Self.write("symbols", lock.symbols, to: &writer)
        Self.write("texts", lock.texts, to: &writer)
        Self.write("clocks", lock.clocks, to: &writer)
        Self.write("bars", lock.bars, to: &writer)
        writer.endObject()
        writer.endObject()
    }

    private static func write(_ key: String, _ elements: [Element], to writer: inout JSONWriter) {
        writer.key(key)
        writer.beginArray()
        for element in elements { element.write(to: &writer) }
        writer.endArray()
    }
}

extension IslandLayout.Element {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("draw")
        switch self {
        case .symbol(let name): Self.write("symbol", "name", name, to: &writer)
        case .title(let parts): Self.write("title", parts, to: &writer)
        case .text(let parts): Self.write("text", parts, to: &writer)
        case .clock(let field): Self.write("clock", "field", field, to: &writer)
        case .bar(let field): Self.write("bar", "field", field, to: &writer)
        case .level(let field, let whole):
            Self.write("bar", "field", field, to: &writer)
            writer.key("of")
            if let number = Int64(exactly: whole) { writer.int(number) } else { writer.double(whole) }
        }
        writer.endObject()
    }

    private static func write(_ kind: String, _ key: String, _ name: String, to writer: inout JSONWriter) {
        writer.string(kind)
        writer.key(key)
        writer.string(name)
    }

    private static func write(
        _ kind: String,
        _ parts: [IslandLayout.TextPart],
        to writer: inout JSONWriter
    ) {
        writer.string(kind)
        writer.key("parts")
        writer.beginArray()
        for part in parts { part.write(to: &writer) }
        writer.endArray()
    }
}

extension IslandLayout.TextPart {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .literal(let text):
            writer.key("literal")
            writer.string(text)
        case .device:
            writer.key("device")
            writer.bool(true)
        case .attribute(let attribute): Self.write("attribute", attribute, to: &writer)
        case .field(let field): Self.write("field", field, to: &writer)
        }
        writer.endObject()
    }

    private static func write(
        _ key: String,
        _ member: LiveActivityContract.Field,
        to writer: inout JSONWriter
    ) {
        writer.key(key)
        writer.string(member.name)
        writer.key("type")
        writer.string(member.type.name)
        if let decimals = member.decimals {
            writer.key("round")
            writer.int(Int64(decimals))
        }
        if let unit = member.unit {
            writer.key("unit")
            writer.string(unit)
        }
    }
}
