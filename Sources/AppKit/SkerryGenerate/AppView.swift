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
    /// True if a timer is drawn as a clock, or as its minutes.
    let drawsClock: Bool
    /// True if a timer is drawn as its minutes.
    let drawsMinutes: Bool
    /// True if a timer is drawn as a bar, or as a clock: that is a ring where there is little room.
    let drawsBar: Bool
    /// True if a number is drawn as a bar.
    let drawsLevel: Bool
    /// True if a number is drawn as segments.
    let drawsSteps: Bool
    /// True if a picture of the app may stand in place of a symbol.
    let drawsPictures: Bool
    /// True if a text pushes the one before it out.
    let pushesTexts: Bool
    /// True if a text is joined from pieces.
    let joinsTexts: Bool
    /// True if bars have the colour of the definition, each by itself; false when each use of a bar gives its colour.
    let tintsBars: Bool
    /// The types of values that links contain.
    let linkedTypes: [FieldType]
    /// True if a view, a region or a button has a link of its own.
    let hasLinks: Bool
    /// The types of numbers that are written with a unit, or with their own number of decimals.
    let measuredTypes: [FieldType]

    /// The layout.
    let layout: IslandLayout
    /// The members that it draws.
    let model: AppModel
    /// The beginning of the names of types.
    let type: String
    /// The name of the definition for people.
    let name: String
    /// The text before `attributes` and `state` where views read them.
    var context = "context."

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
        drawsMinutes = elements.contains { if case .clock(_, true) = $0.view { true } else { false } }
        drawsBar = drawsClock || elements.contains { if case .bar = $0.view { true } else { false } }
        drawsLevel = elements.contains { if case .level = $0.view { true } else { false } }
        drawsSteps = elements.contains { if case .steps = $0.view { true } else { false } }
        drawsPictures = elements.contains { $0.image != nil }
        pushesTexts = elements.contains { $0.transition == .push }
        joinsTexts = elements.contains { $0.parts.count > 1 }
        tintsBars = layout.tints == nil && !elements.contains { $0.isBar && $0.tint != nil }
        let members = elements.flatMap(\.parts).compactMap(\.member)
        let measured = Set(members.filter { $0.isMeasure }.map(\.type))
        measuredTypes = FieldType.allCases.filter { measured.contains($0) }
        let written = Set(members.filter { !$0.isMeasure }.map(\.type))
        writtenTypes = FieldType.allCases.filter { written.contains($0) }
        let links =
            [layout.lock.link] + layout.expanded.map(\.link) + elements.map(\.link)
            + layout.buttons.map(\.link)
        hasLinks = links.contains { !$0.isEmpty }
        var linked = Set(links.joined().compactMap(\.member).map(\.type))
        if !linked.isDisjoint(with: [.any, .timestamp, .duration]) { linked.insert(.double) }
        linkedTypes = FieldType.allCases.filter { linked.contains($0) }
    }
}

extension AppView {
    /// The views left of the camera.
    var compactLeading: [String] { compact(layout.compactLeading) }

    /// The views right of the camera.
    var compactTrailing: [String] { compact(layout.compactTrailing) }

    /// The views where several apps share the island: a bar is a ring there.
    var minimal: [String] {
        compact(layout.minimal) { element in
            switch element.view {
            case .bar, .level: ".progressViewStyle(.circular)"
            default: nil
            }
        }
    }

    /// The card of a watch: both sides of the compact island, with larger symbols on the left and larger digits.
    var smallCard: [String] {
        var view = self
        view.context = ""
        let leading = view.compact(layout.compactLeading) { element in
            switch element.view {
            case .symbol: ".font(.title)"
            case .clock: ".font(.title2)"
            default: nil
            }
        }
        let trailing = view.compact(layout.compactTrailing) { element in
            if case .clock = element.view { ".font(.title2)" } else { nil }
        }
        return leading + ["Spacer(minLength: 0)"] + trailing
    }

    /// The regions of the expanded island.
    var expanded: [ExpandedRegion] {
        var regions = layout.expanded.map { region in
            ExpandedRegion(
                position: region.position.name,
                priority: region.position.priority,
                lines: linked(region)
            )
        }
        if layout.buttons.isEmpty { return regions }
        // Below the views, and not within their link.
        let bottom = IslandLayout.Position.bottom
        let above = regions.last?.position == bottom.name ? [regions.removeLast().lines] : []
        let lines = stack("VStack(alignment: .leading, spacing: 8)", above + [buttons])
        regions.append(ExpandedRegion(position: bottom.name, priority: bottom.priority, lines: lines))
        return regions
    }

    /// The buttons that are there in the present state.
    private var buttons: [String] {
        ["Buttons(attributes: \(context)attributes, state: \(context)state)"]
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
        if case .row(let cells) = element.view {
            return row(cells, fitted: element.fittedCells) { self.linked($0, in: link) }
        }
        return linked(view(element, isAlone: true), to: element.link.isEmpty ? link : element.link)
    }

    /// Cells side by side, the first one at the leading edge, the last one at the trailing edge.
    ///
    /// They have the same width, after the fitted ones took what they need.
    func row(
        _ cells: [[IslandLayout.Element]],
        fitted: [Int],
        _ lines: (IslandLayout.Element) -> [String]
    ) -> [String] {
        let drawn = cells.enumerated().map { index, cell in
            let edge = index == 0 ? "leading" : index == cells.count - 1 ? "trailing" : "center"
            let column = stack("VStack(alignment: .\(edge), spacing: 4)", cell.map(lines))
            return modified(
                column,
                by: fitted.contains(index)
                    ? ".layoutPriority(1)" : ".frame(maxWidth: .infinity, alignment: .\(edge))"
            )
        }
        return stack("HStack(spacing: 8)", drawn)
    }

    /// Lines within a link; without one of their own they open that of the activity.
    func linked(_ lines: [String], to link: [IslandLayout.TextPart]) -> [String] {
        call("Linked", "url: ", link, " {") + lines.indented(by: 4) + ["}"]
    }

    /// The modifier with what the banner on the Lock Screen opens.
    var lockURL: [String] { call(".widgetURL", "", layout.lock.link, "") }

    /// The banner with a link of its own, which its buttons are not within.
    var linkedBanner: [String] {
        let banner = "attributes: attributes, state: state, isStale: false"
        if !layout.buttons.isEmpty { return call("LockScreen", banner + ", link: ", layout.lock.link, "") }
        return linked(["LockScreen(\(banner))"], to: layout.lock.link)
    }

    /// A call with the URL of a link, on several lines if it is long.
    private func call(
        _ name: String,
        _ label: String,
        _ link: [IslandLayout.TextPart],
        _ end: String
    ) -> [String] {
        if link.isEmpty { return ["\(name)(\(label)\(activityURL))\(end)"] }
        let parts = link.map(linked)
        let line = "\(name)(\(label)url(\(parts.joined(separator: ", "))) ?? \(activityURL))\(end)"
        if line.count <= Self.longestText { return [line] }
        let listed = parts.indices.map { "        " + parts[$0] + ($0 < parts.count - 1 ? "," : "") }
        return ["\(name)(", "    \(label)url("] + listed + ["    ) ?? \(activityURL)", ")" + end]
    }

    /// The arguments of a button with a link: its title and the URL.
    func linked(_ button: IslandLayout.Button) -> [String] {
        var view = self
        view.context = ""
        return [SwiftName.literal(button.title) + ",", "url("]
            + button.link.enumerated().map { index, part in
                "    \(view.linked(part))\(index < button.link.count - 1 ? "," : "")"
            } + [")"]
    }

    /// The URL of the activity's link as Swift.
    var activityURL: String { "\(context)\(model.isLinkContent ? "state" : "attributes").url" }

    /// The expression of Swift that gives a part of a link, a `String?`.
    private func linked(_ part: IslandLayout.TextPart) -> String {
        switch part {
        case .literal(let text): SwiftName.literal(text)
        case .device: "\(context)attributes.device"
        case .attribute(let member):
            "linked(\(context)attributes.attributes.\(model.attributes[member.name].property))"
        case .field(let member): "linked(\(context)state.content.\(model.content[member.name].property))"
        }
    }

    /// The Lock Screen: symbols before the texts, clocks behind them, bars below.
    ///
    /// It reads members of its own, so that an app can draw it without ActivityKit.
    var lockScreen: [String] {
        var view = self
        view.context = ""
        return view.lockLines
    }

    private var lockLines: [String] {
        let lock = layout.lock
        var row = lock.symbols.map(lines)
        if !lock.texts.isEmpty {
            row.append(stack("VStack(alignment: .leading, spacing: 4)", lock.texts.map(lines)))
        }
        if !lock.clocks.isEmpty {
            row += [["Spacer()"]] + lock.clocks.map { modified(lines($0), by: ".font(.title2)") }
        }
        let shown = [stack("HStack(spacing: 12)", row)] + lock.bars.map(lines)
        // VoiceOver reads the card as one, and the buttons by themselves. A hint, because a value would replace the
        // percent of a bar.
        let spoken = [
            ".accessibilityElement(children: .combine)",
            #".accessibilityHint(isOutdated ? Text("may be out of date") : Text(verbatim: ""))"#,
        ]
        let combined = spoken.reduce(stack("VStack(alignment: .leading, spacing: 8)", shown)) {
            modified($0, by: $1)
        }
        if layout.buttons.isEmpty { return combined }
        // Below the views, and not within their link.
        return ["Linked(url: link) {"] + combined.indented(by: 4) + ["}"] + buttons
    }

    /// Views side by side, each with one more modifier if it has one.
    private func compact(
        _ elements: [IslandLayout.Element],
        modifier: (IslandLayout.Element) -> String? = { _ in nil }
    ) -> [String] {
        if elements.isEmpty { return ["EmptyView()"] }
        let views = elements.map { element in
            let lines = view(element, isAlone: true, diameter: 24)
            return modifier(element).map { modified(lines, by: $0) } ?? lines
        }
        return stack("HStack(spacing: 4)", views)
    }

    /// Views in a stack; one alone needs none.
    func stack(_ head: String, _ views: [[String]]) -> [String] {
        if views.count < 2 { return views.first ?? [] }
        return [head + " {"] + Array(views.joined()).indented(by: 4) + ["}"]
    }
}

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

// Symbols and colours that depend on the state or on a field.

extension AppView {
    /// The argument of a function that chooses, with its label.
    func choosing(_ choice: IslandLayout.Choice) -> String {
        guard let field = choice.field else { return "byState: \(context)state.state" }
        let property = model.content[field].property
        return "\(Self.label(property)): \(context)state.content.\(property)"
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
