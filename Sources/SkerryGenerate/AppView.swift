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
        /// The lines of its views, with their links.
        var lines: [String]
    }

    /// A function that chooses a symbol or a colour.
    struct Choosing {
        /// `symbol` or `islandTint`.
        var name: String
        /// The label of its argument, such as `byState`.
        var label: String
        /// The type of its argument.
        var argument: String
        /// The cases, each with the pattern and the result as Swift.
        var cases: [(pattern: String, result: String)]
        /// The result of all other values, as Swift.
        var otherwise: String
        /// True if the argument has the names of several states with commas between them.
        var isJoined: Bool
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
    /// True if a number is drawn as segments.
    let drawsSteps: Bool
    /// True if bars have the colour of the definition, each by itself; false when each use of a bar gives its colour.
    let tintsBars: Bool
    /// The types of values that links contain.
    let linkedTypes: [FieldType]
    /// True if a view or a region has a link of its own.
    let hasLinks: Bool
    /// The types of numbers that are written with a unit, or with their own number of decimals.
    let measuredTypes: [FieldType]

    private let layout: IslandLayout
    private let model: AppModel
    private let type: String
    private let name: String

    /// - Parameters:
    ///   - layout: The layout.
    ///   - model: The members that it draws.
    ///   - type: The beginning of the names of types.
    ///   - name: The name of the definition for people.
    init(_ layout: IslandLayout, _ model: AppModel, type: String, name: String) {
        self.name = name
        self.type = type
        self.layout = layout
        self.model = model
        tint = layout.tint.flatMap { Colour($0) }
        let elements = layout.elements
        drawsClock = elements.contains { if case .clock = $0.view { true } else { false } }
        drawsBar = elements.contains { if case .bar = $0.view { true } else { false } }
        drawsLevel = elements.contains { if case .level = $0.view { true } else { false } }
        drawsSteps = elements.contains { if case .steps = $0.view { true } else { false } }
        tintsBars = layout.tints == nil && !elements.contains { $0.isBar && $0.tint != nil }
        let members = elements.flatMap(\.parts).compactMap(\.member)
        let measured = Set(members.filter { $0.isMeasure }.map(\.type))
        measuredTypes = FieldType.allCases.filter { measured.contains($0) }
        let written = Set(members.filter { !$0.isMeasure }.map(\.type))
        writtenTypes = FieldType.allCases.filter { written.contains($0) }
        let links = [layout.lock.link] + layout.expanded.map(\.link) + elements.map(\.link)
        hasLinks = links.contains { !$0.isEmpty }
        var linked = Set(links.joined().compactMap(\.member).map(\.type))
        if !linked.isDisjoint(with: [.any, .timestamp, .duration]) { linked.insert(.double) }
        linkedTypes = FieldType.allCases.filter { linked.contains($0) }
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
                lines: linked(region)
            )
        }
    }

    /// The views of a region within its link, or each view within its own.
    private func linked(_ region: IslandLayout.Region) -> [String] {
        let edge = region.alignment?.name ?? "leading"
        let head = "VStack(alignment: .\(edge), spacing: 4)"
        let hasOwnLinks = region.elements.contains { element in
            if case .row(let cells) = element.view {
                cells.joined().contains { !$0.link.isEmpty }
            } else {
                !element.link.isEmpty
            }
        }
        let isPicture = region.elements.allSatisfy { if case .symbol = $0.view { true } else { false } }
        var lines: [String]
        if hasOwnLinks {
            lines = stack(head, region.elements.map { linked($0, in: region.link) })
        } else {
            lines = linked(stack(head, region.elements.map { view($0, isAlone: isPicture) }), to: region.link)
        }
        guard region.alignment != nil else { return lines }
        lines = modified(lines, by: ".multilineTextAlignment(.\(edge))")
        return modified(lines, by: ".frame(maxWidth: .infinity, alignment: .\(edge))")
    }

    /// A view of a region within its own link or that of the region, or a row of such views.
    private func linked(_ element: IslandLayout.Element, in link: [IslandLayout.TextPart]) -> [String] {
        if case .row(let cells) = element.view { return row(cells) { self.linked($0, in: link) } }
        return linked(view(element, isAlone: true), to: element.link.isEmpty ? link : element.link)
    }

    /// Cells of the same width, the first one at the leading edge, the last one at the trailing edge.
    private func row(
        _ cells: [[IslandLayout.Element]],
        _ lines: (IslandLayout.Element) -> [String]
    ) -> [String] {
        let drawn = cells.enumerated().map { index, cell in
            let edge = index == 0 ? "leading" : index == cells.count - 1 ? "trailing" : "center"
            let column = stack("VStack(alignment: .\(edge), spacing: 4)", cell.map(lines))
            return modified(column, by: ".frame(maxWidth: .infinity, alignment: .\(edge))")
        }
        return stack("HStack(spacing: 8)", drawn)
    }

    /// Lines within a link; without one of their own they open that of the activity.
    private func linked(_ lines: [String], to link: [IslandLayout.TextPart]) -> [String] {
        call("Linked", "url: ", link, " {") + lines.indented(by: 4) + ["}"]
    }

    /// The modifier with what the banner on the Lock Screen opens.
    var lockURL: [String] { call(".widgetURL", "", layout.lock.link, "") }

    /// A call with the URL of a link, on several lines if it is long.
    private func call(
        _ name: String,
        _ label: String,
        _ link: [IslandLayout.TextPart],
        _ end: String
    ) -> [String] {
        if link.isEmpty { return ["\(name)(\(label)context.attributes.url)\(end)"] }
        let parts = link.map(linked)
        let line = "\(name)(\(label)url(\(parts.joined(separator: ", "))) ?? context.attributes.url)\(end)"
        if line.count <= Self.longestText { return [line] }
        let listed = parts.indices.map { "        " + parts[$0] + ($0 < parts.count - 1 ? "," : "") }
        return ["\(name)(", "    \(label)url("] + listed + ["    ) ?? context.attributes.url", ")" + end]
    }

    /// The expression of Swift that gives a part of a link, a `String?`.
    private func linked(_ part: IslandLayout.TextPart) -> String {
        switch part {
        case .literal(let text): SwiftName.literal(text)
        case .device: "context.attributes.device"
        case .attribute(let member):
            "linked(context.attributes.attributes.\(model.attributes[member.name].property))"
        case .field(let member): "linked(context.state.content.\(model.content[member.name].property))"
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
            row += [["Spacer()"]] + lock.clocks.map { modified(lines($0), by: ".font(.title2)") }
        }
        return stack("HStack(spacing: 12)", row) + lock.bars.flatMap(lines)
    }

    private func compact(_ elements: [IslandLayout.Element]) -> [String] {
        if elements.isEmpty { return ["EmptyView()"] }
        return stack("HStack(spacing: 4)", elements.map { view($0, isAlone: true) })
    }

    /// Views in a stack; one alone needs none.
    private func stack(_ head: String, _ views: [[String]]) -> [String] {
        if views.count < 2 { return views.first ?? [] }
        return [head + " {"] + Array(views.joined()).indented(by: 4) + ["}"]
    }
}

// MARK: - Elements

extension AppView {
    /// A view with its colour, and with its link if it has one.
    private func lines(_ element: IslandLayout.Element) -> [String] {
        element.link.isEmpty ? view(element) : linked(view(element, isAlone: true), to: element.link)
    }

    /// A view with its colour and what VoiceOver reads of it.
    ///
    /// A symbol is read as the name of the definition where there may be nothing else: in the small places, alone in a
    /// region, or in a link of its own. Beside texts it is passed over. All other views are read as they are.
    private func view(_ element: IslandLayout.Element, isAlone: Bool = false) -> [String] {
        var lines = plain(element.view)
        if case .symbol = element.view {
            let spoken = ".accessibilityLabel(Text(verbatim: \(SwiftName.literal(name))))"
            lines = modified(lines, by: isAlone ? spoken : ".accessibilityHidden(true)")
        }
        if let limit = element.lines { lines = modified(lines, by: ".lineLimit(\(limit))") }
        guard let colour = colour(of: element) else { return lines }
        return modified(lines, by: element.isBar ? ".tint(\(colour))" : ".foregroundStyle(\(colour))")
    }

    /// A view with one more modifier, which is indented below a view of one line.
    private func modified(_ lines: [String], by modifier: String) -> [String] {
        let isOpen = lines.first.map { $0.hasSuffix("(") || $0.hasSuffix("{") } ?? false
        return lines + [(isOpen ? "" : "    ") + modifier]
    }

    private func plain(_ view: IslandLayout.View) -> [String] {
        switch view {
        case .symbol(let name, nil): ["Image(systemName: \(SwiftName.literal(name)))"]
        case .symbol(_, let choice?): ["Image(systemName: symbol(\(choosing(choice))))"]
        case .title(let parts): lines(of: parts, modifier: ".font(.headline)")
        case .text(let parts):
            // The digits of numbers roll; the letters of words would, too.
            lines(
                of: parts,
                modifier: ".contentTransition(\(parts.isNumber ? ".numericText()" : ".opacity"))"
            )
        case .caption(let parts): lines(of: parts, modifier: ".font(.caption)")
        case .row(let cells): row(cells) { self.lines($0) }
        case .clock(let field): ["TimerText(timer: \(timer(field)))"]
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

// MARK: - Choices

extension AppView {
    /// The argument of a function that chooses, with its label.
    private func choosing(_ choice: IslandLayout.Choice) -> String {
        guard let field = choice.field else { return "byState: context.state.state" }
        let property = model.content[field].property
        return "\(Self.label(property)): context.state.content.\(property)"
    }

    private static func label(_ property: String) -> String {
        "by" + property.prefix(1).uppercased() + property.dropFirst()
    }

    /// The functions that choose symbols and colours.
    var choosings: [Choosing] {
        var found: [Choosing] = []
        for element in layout.elements {
            guard case .symbol(let name, let choice?) = element.view else { continue }
            let literal = SwiftName.literal(name)
            let made = choosing("symbol", choice, otherwise: literal) { SwiftName.literal($0) }
            if !found.contains(where: { $0.label == made.label }) { found.append(made) }
        }
        if let tints = layout.tints {
            let otherwise = tint?.swift ?? "nil"
            found.append(choosing("islandTint", tints, otherwise: otherwise) { Colour($0)?.swift ?? "nil" })
        }
        return found
    }

    private func choosing(
        _ name: String,
        _ choice: IslandLayout.Choice,
        otherwise: String,
        _ swift: (String) -> String
    ) -> Choosing {
        let states = choice.field == nil ? model.states : nil
        return Choosing(
            name: name,
            label: choice.field.map { Self.label(model.content[$0].property) } ?? "byState",
            argument: choice.field != nil ? "String?" : states == nil ? "String" : "\(type)Attributes.State",
            cases: choice.cases.map { one in
                (states?.names[one.value].map { "." + $0 } ?? SwiftName.literal(one.value), swift(one.result))
            },
            otherwise: otherwise,
            isJoined: choice.field == nil && states == nil
        )
    }
}

extension IslandLayout.Element {
    /// The parts of a text; none for other views.
    fileprivate var parts: [IslandLayout.TextPart] {
        switch view {
        case .title(let parts), .text(let parts), .caption(let parts): parts
        case .symbol, .clock, .bar, .level, .steps, .row: []
        }
    }

    /// True for views that are coloured as bars are.
    fileprivate var isBar: Bool {
        switch view {
        case .bar, .level, .steps: true
        case .symbol, .title, .text, .caption, .clock, .row: false
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

    /// The colour as Swift.
    var swift: String { "Color(red: \(red), green: \(green), blue: \(blue))" }

    private static func share(_ part: Int) -> String {
        let thousandths = (part * 1000 + 127) / 255
        let digits = String(thousandths % 1000 + 1000).dropFirst()
        return "\(thousandths / 1000).\(digits)"
    }
}
