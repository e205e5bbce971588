import SkerryActivity
import SkerryDevice

/// The views of an island's layout, as lines of Swift for each region.
struct AppView {
    /// A region of the expanded island.
    struct ExpandedRegion {
        /// The case of `DynamicIslandExpandedRegionPosition`.
        var position: String
        /// The rank in which regions get room, the highest first.
        var priority: Int
        /// The lines of its views.
        var lines: [String]
    }

    /// The colour of the definition.
    let tint: Colour?
    /// The types of values that the views write as text.
    let writtenTypes: [FieldType]
    /// True if a timer is drawn as a clock.
    let drawsClock: Bool
    /// True if a timer is drawn as a bar.
    let drawsBar: Bool
    /// True if a number is drawn as a bar.
    let drawsLevel: Bool
    /// The types of numbers that are written with a unit, or with their own number of decimals.
    let measuredTypes: [FieldType]

    private let layout: IslandLayout
    private let model: AppModel

    init(_ layout: IslandLayout, _ model: AppModel) {
        self.layout = layout
        self.model = model
        tint = layout.tint.flatMap { Colour($0) }
        let elements = layout.elements
        drawsClock = elements.contains { if case .clock = $0 { true } else { false } }
        drawsBar = elements.contains { if case .bar = $0 { true } else { false } }
        drawsLevel = elements.contains { if case .level = $0 { true } else { false } }
        let members = elements.flatMap(\.parts).compactMap(\.member)
        let measured = Set(members.filter { $0.isMeasure }.map(\.type))
        measuredTypes = FieldType.allCases.filter { measured.contains($0) }
        let written = Set(members.filter { !$0.isMeasure }.map(\.type))
        writtenTypes = FieldType.allCases.filter { written.contains($0) }
    }
}

// MARK: - Regions

extension AppView {
    /// The views left of the camera.
    var compactLeading: [String] { compact(layout.compactLeading) }

    /// The views right of the camera.
    var compactTrailing: [String] { compact(layout.compactTrailing) }

    /// The views where several apps share the island.
    var minimal: [String] { compact(layout.minimal) }

    /// The regions of the expanded island.
    var expanded: [ExpandedRegion] {
        layout.expanded.map { region in
            ExpandedRegion(
                position: region.position.name,
                priority: region.position.priority,
                lines: stack("VStack(alignment: .leading, spacing: 4)", region.elements.map(lines))
            )
        }
    }

    /// The Lock Screen: symbols before the texts, clocks behind them, bars below.
    var lockScreen: [String] {
        let lock = layout.lock
        var row = lock.symbols.map(lines)
        if !lock.texts.isEmpty {
            row.append(stack("VStack(alignment: .leading, spacing: 4)", lock.texts.map(lines)))
        }
        if !lock.clocks.isEmpty {
            row += [["Spacer()"]] + lock.clocks.map { lines($0) + ["    .font(.title2)"] }
        }
        return stack("HStack(spacing: 12)", row) + lock.bars.flatMap(lines)
    }

    private func compact(_ elements: [IslandLayout.Element]) -> [String] {
        elements.isEmpty ? ["EmptyView()"] : stack("HStack(spacing: 4)", elements.map(lines))
    }

    /// Views in a stack; one alone needs none.
    private func stack(_ head: String, _ views: [[String]]) -> [String] {
        if views.count < 2 { return views.first ?? [] }
        return [head + " {"] + Array(views.joined()).indented(by: 4) + ["}"]
    }
}

// MARK: - Elements

extension AppView {
    private func lines(_ element: IslandLayout.Element) -> [String] {
        switch element {
        case .symbol(let name): ["Image(systemName: \(SwiftName.literal(name)))"]
        case .title(let parts): lines(of: parts, modifier: ".font(.headline)")
        case .text(let parts):
            // The digits of numbers roll; the letters of words would, too.
            lines(
                of: parts,
                modifier: ".contentTransition(\(parts.isNumber ? ".numericText()" : ".opacity"))"
            )
        case .clock(let field): ["TimerText(timer: \(timer(field)))"]
        case .bar(let field): ["TimerBar(timer: \(timer(field)))"]
        case .level(let field, let whole):
            ["LevelBar(value: \(number(model.content[field])), total: \(whole))"]
        }
    }

    private func timer(_ field: String) -> String {
        "context.state.content.\(model.content[field].property)"
    }

    /// A `Text`: one expression as it is, everything else as a literal with interpolations, on several lines if it is long.
    private func lines(of parts: [IslandLayout.TextPart], modifier: String) -> [String] {
        if parts.count == 1, let expression = expression(parts[0]) {
            return ["Text(verbatim: \(expression))", "    " + modifier]
        }
        let pieces = parts.map { part in
            if case .literal(let text) = part { return SwiftName.escaped(text) }
            return expression(part).map { "\\(\($0))" } ?? ""
        }
        let line = "Text(verbatim: \"\(pieces.joined())\")"
        if line.count <= Self.longestText { return [line, "    " + modifier] }
        let literals = pieces.enumerated().map { number, piece in
            (number == 0 ? "    verbatim: " : "        + ") + "\"\(piece)\""
        }
        return ["Text("] + literals + [")", modifier]
    }

    /// The longest text on one line, so that the most indented one fits into the lines of this repository.
    private static let longestText = 82

    /// The expression of Swift that gives a part's text; nil for literal text.
    private func expression(_ part: IslandLayout.TextPart) -> String? {
        switch part {
        case .literal: nil
        case .device: "context.attributes.device"
        case .attribute(let attribute):
            "text(context.attributes.attributes.\(model.attributes[attribute.name].shownProperty))"
        case .field(let field) where field.isMeasure:
            "text(context.state.content.\(model.content[field.name].property), digits: \(field.decimals ?? 2), "
                + "unit: \(SwiftName.literal(field.unit ?? "")))"
        case .field(let field): "text(context.state.content.\(model.content[field.name].shownProperty))"
        }
    }

    /// The expression of Swift that gives a number of the content as a `Double?`.
    private func number(_ member: AppModel.Member) -> String {
        let value = "context.state.content.\(member.property)"
        return member.type == .int ? value + ".map { Double($0) }" : value
    }
}

extension IslandLayout.Element {
    /// The parts of a text; none for other views.
    fileprivate var parts: [IslandLayout.TextPart] {
        switch self {
        case .title(let parts), .text(let parts): parts
        case .symbol, .clock, .bar, .level: []
        }
    }
}

extension [IslandLayout.TextPart] {
    /// True if all values in a text are numbers, and there is at least one.
    fileprivate var isNumber: Bool {
        let isOnlyValues = allSatisfy { if case .device = $0 { false } else { true } }
        let types = compactMap { $0.member?.type }
        return isOnlyValues && !types.isEmpty && types.allSatisfy { $0 == .int || $0 == .double }
    }
}

extension IslandLayout.TextPart {
    /// The member whose value is written; nil for text that needs no writing.
    fileprivate var member: LiveActivityContract.Field? {
        switch self {
        case .attribute(let member), .field(let member): member
        case .literal, .device: nil
        }
    }
}

extension LiveActivityContract.Field {
    /// True for a number with a unit, or with its own number of decimals.
    fileprivate var isMeasure: Bool { unit != nil || decimals != nil }
}

/// A colour as numbers in Swift.
struct Colour {
    /// The colour as `#rrggbb`.
    let hex: String
    /// The share of red, such as `0.502`.
    let red: String
    /// The share of green.
    let green: String
    /// The share of blue.
    let blue: String

    /// Reads `#rrggbb`.
    init?(_ hex: String) {
        guard let number = Int(hex.dropFirst(), radix: 16) else { return nil }
        self.hex = hex
        red = Self.share(number >> 16 & 255)
        green = Self.share(number >> 8 & 255)
        blue = Self.share(number & 255)
    }

    private static func share(_ part: Int) -> String {
        let thousandths = (part * 1000 + 127) / 255
        let digits = String(thousandths % 1000 + 1000).dropFirst()
        return "\(thousandths / 1000).\(digits)"
    }
}
