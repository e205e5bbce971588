import SkerryActivity
import SkerryDevice

// The views of elements: what they show, in which colour, and what VoiceOver reads.

extension AppView {
    /// A view with its colour, and with its link if it has one.
    func lines(_ element: IslandLayout.Element) -> [String] {
        element.link.isEmpty ? view(element) : linked(view(element, isAlone: true), to: element.link)
    }

    /// A view with its colour and what VoiceOver reads of it.
    ///
    /// A symbol is read as the name of the definition where there may be nothing else: in the small places, alone in a
    /// region, or in a link of its own. Beside texts it is passed over. All other views are read as they are.
    /// A circle behind a symbol has the diameter, and a picture in its place that height; without one they are left out.
    func view(
        _ element: IslandLayout.Element,
        isAlone: Bool = false,
        diameter: Int? = AppView.largeCircle
    ) -> [String] {
        var lines = plain(element)
        let spoken = isAlone ? spokenName : ".accessibilityHidden(true)"
        if case .symbol = element.view { lines = modified(lines, by: spoken) }
        if let limit = element.lines { lines = modified(lines, by: ".lineLimit(\(limit))") }
        if let circle = element.circle, let diameter {
            let font = diameter < Self.largeCircle ? [".font(.footnote)"] : []
            let parts = [
                ".foregroundStyle(\(colour(of: element) ?? ".white"))",
                ".frame(width: \(diameter), height: \(diameter))",
                ".background(\(fill(circle)).gradient, in: Circle())",
            ]
            lines = (font + parts).reduce(lines) { modified($0, by: $1) }
        } else if let colour = colour(of: element) {
            lines = modified(lines, by: element.isBar ? ".tint(\(colour))" : ".foregroundStyle(\(colour))")
        }
        guard let image = element.image, let diameter else { return lines }
        let head = "Picture(name: \(SwiftName.literal(image)), height: \(diameter)) {"
        return modified([head] + lines.indented(by: 4) + ["}"], by: spoken)
    }

    /// The diameter in points of a circle behind a symbol, in the large regions.
    static let largeCircle = 32

    /// The colour of a circle as Swift; grey where the island has none.
    private func fill(_ circle: IslandLayout.Tint) -> String {
        switch circle {
        case .colour(let hex): Colour(hex).map { $0.swift } ?? "Color.gray"
        case .island: islandTint.map { layout.tints == nil ? $0 : "(\($0) ?? .gray)" } ?? "Color.gray"
        }
    }

    /// The modifier by which VoiceOver reads a symbol as the name of the definition.
    private var spokenName: String { ".accessibilityLabel(Text(verbatim: \(SwiftName.literal(name))))" }

    /// The symbol of the definition, for places where the layout has none.
    var symbolOfDefinition: [String] {
        modified(["Image(systemName: \(SwiftName.literal(layout.symbol)))"], by: spokenName)
    }

    /// A view with one more modifier, which is indented below a view of one line.
    func modified(_ lines: [String], by modifier: String) -> [String] { modified(lines, by: [modifier]) }

    private func modified(_ lines: [String], by modifier: [String]) -> [String] {
        let isOpen = lines.first.map { $0.hasSuffix("(") || $0.hasSuffix("{") } ?? false
        return lines + modifier.indented(by: isOpen ? 0 : 4)
    }

    private func plain(_ element: IslandLayout.Element) -> [String] {
        switch element.view {
        case .symbol(let name, nil): ["Image(systemName: \(SwiftName.literal(name)))"]
        case .symbol(_, let choice?): ["Image(systemName: symbol(\(choosing(choice))))"]
        case .title: modified(changing(element), by: ".font(.headline)")
        case .text: changing(element)
        case .caption: modified(changing(element), by: ".font(.caption)")
        case .row(let cells): row(cells, fitted: element.fittedCells) { self.lines($0) }
        case .clock(let field, let inMinutes):
            ["\(inMinutes ? "TimerMinutes" : "TimerText")(timer: \(timer(field)))"]
        case .bar(let field): ["TimerBar(timer: \(timer(field)))"]
        case .level(let field, let whole):
            ["LevelBar(value: \(number(model.content[field])), total: \(whole))"]
        case .steps(let field, let count):
            ["StepBar(value: \(number(model.content[field])), steps: \(count))"]
        }
    }

    /// The colour of a view as Swift; nil for the usual one.
    private func colour(of element: IslandLayout.Element) -> String? {
        switch element.tint {
        case .colour(let hex): Colour(hex).map { $0.swift }
        case .island: islandTint.map { layout.tints == nil || element.isBar ? $0 : $0 + " ?? .primary" }
        case nil: element.isBar && !tintsBars ? islandTint : nil
        }
    }

    /// The colour of the island as Swift, a `Color`, or a `Color?` where it changes; nil for the system's own.
    var islandTint: String? {
        if let tints = layout.tints { return "islandTint(\(choosing(tints)))" }
        return tint == nil ? nil : "\(type)LiveActivity.tint"
    }

    /// True if the colour of the island can change.
    var changesTint: Bool { layout.tints != nil }

    /// The expression of Swift that gives a timer of the content.
    func timer(_ field: String) -> String {
        "\(context)state.content.\(model.content[field].property)"
    }

    /// A text with the way in which it changes.
    private func changing(_ element: IslandLayout.Element) -> [String] {
        let parts = element.parts
        switch element.transition ?? element.usualTransition {
        case .push: return words(of: parts, in: "PushedText")
        case .numeric: return modified(words(of: parts), by: rolling(parts))
        case .opacity: return modified(words(of: parts), by: ".contentTransition(.opacity)")
        case .identity: return modified(words(of: parts), by: ".contentTransition(.identity)")
        case nil: return words(of: parts)
        }
    }

    /// The modifier by which digits roll up when the numbers grow, and down when they fall; on several lines if it is long.
    private func rolling(_ parts: [IslandLayout.TextPart]) -> [String] {
        let numbers = parts.compactMap { part in
            if case .field(let field) = part { "\(number(model.content[field.name])) ?? 0" } else { nil }
        }
        // Attributes never change.
        guard let first = numbers.first else { return [".contentTransition(.numericText())"] }
        let line = ".contentTransition(.numericText(value: \(first)))"
        if numbers.count == 1, line.count <= Self.longestText { return [line] }
        let sum = numbers.enumerated().map { "        \($0 == 0 ? "value: " : "    + ")(\($1))" }
        return [".contentTransition(", "    .numericText("] + sum + ["    )", ")"]
    }

    /// A `Text`: one expression as it is, everything else joined from its pieces, on several lines if it is long.
    func words(of parts: [IslandLayout.TextPart], in view: String = "Text") -> [String] {
        if parts.count == 1 { return ["\(view)(verbatim: \(expression(parts[0]) ?? literal(parts[0])))"] }
        let pieces = parts.map { part in
            expression(part).map { ".value(\($0))" } ?? ".words(\(literal(part)))"
        }
        let line = "\(view)(verbatim: joined(\(pieces.joined(separator: ", "))))"
        if line.count <= Self.longestText { return [line] }
        let last = pieces.count - 1
        let lines = pieces.enumerated().map { "        \($1)\($0 == last ? "" : ",")" }
        return ["\(view)(", "    verbatim: joined("] + lines + ["    )", ")"]
    }

    private func literal(_ part: IslandLayout.TextPart) -> String {
        if case .literal(let text) = part { SwiftName.literal(text) } else { "\"\"" }
    }

    /// The longest text on one line, so that the most indented one fits into the lines of this repository.
    static let longestText = 82

    /// The expression of Swift that gives a part's text; nil for literal text.
    private func expression(_ part: IslandLayout.TextPart) -> String? {
        switch part {
        case .literal: nil
        case .device: "\(context)attributes.device"
        case .attribute(let attribute):
            "text(\(context)attributes.attributes.\(model.attributes[attribute.name].shownProperty))"
        case .field(let field) where field.isMeasure:
            "text(\(context)state.content.\(model.content[field.name].property), digits: \(field.decimals ?? 2), "
                + "unit: \(SwiftName.literal(field.unit ?? "")))"
        case .field(let field): "text(\(context)state.content.\(model.content[field.name].shownProperty))"
        }
    }

    /// The expression of Swift that gives a number of the content as a `Double?`.
    private func number(_ member: AppModel.Member) -> String {
        let value = "\(context)state.content.\(member.property)"
        return member.type == .int ? value + ".map { Double($0) }" : value
    }
}

extension IslandLayout.Element {
    /// The parts of a text; none for other views.
    var parts: [IslandLayout.TextPart] {
        switch view {
        case .title(let parts), .text(let parts), .caption(let parts): parts
        case .symbol, .clock, .bar, .level, .steps, .row: []
        }
    }

    /// The way in which a text changes that has none: the digits of numbers roll; the letters of words would, too.
    fileprivate var usualTransition: IslandTransition? {
        if case .text(let parts) = view { parts.isNumber ? .numeric : .opacity } else { nil }
    }

    /// True for views that are coloured as bars are.
    var isBar: Bool {
        switch view {
        case .bar, .level, .steps: true
        case .symbol, .title, .text, .caption, .clock, .row: false
        }
    }
}

extension [IslandLayout.TextPart] {
    /// True if all values in a text are numbers, and there is at least one.
    var isNumber: Bool {
        let isOnlyValues = allSatisfy { if case .device = $0 { false } else { true } }
        let types = compactMap { $0.member?.type }
        return isOnlyValues && !types.isEmpty && types.allSatisfy { $0 == .int || $0 == .double }
    }
}

extension IslandLayout.TextPart {
    /// The member whose value is written; nil for text that needs no writing.
    var member: LiveActivityContract.Field? {
        switch self {
        case .attribute(let member), .field(let member): member
        case .literal, .device: nil
        }
    }
}

extension LiveActivityContract.Field {
    /// True for a number with a unit, or with its own number of decimals.
    var isMeasure: Bool { unit != nil || decimals != nil }
}
