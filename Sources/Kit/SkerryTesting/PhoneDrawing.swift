package import SkerryDevice
package import SkerryValues
import SkerryActivity
import SkerryFiles

/// A card as a person sees it at one moment, drawn from the layout that the generated app was made from.
package struct PhoneDrawing: Hashable, Sendable {
    /// A view on the screen with its colour and its link.
    package struct View: Hashable, Sendable {
        /// The parts of the picture.
        package let drawn: Drawn
        /// The colour, `#rrggbb`; nil for the usual one.
        package let tint: String?
        /// The colour of the circle behind a symbol, `#rrggbb`; nil without a circle.
        package let circle: String?
        /// The picture in place of a symbol, in an app that has it; nil for the symbol alone.
        package let image: String?
        /// The link that a touch opens; nil for that of the region.
        package let link: String?
        /// The most lines of a text; nil leaves it to the phone.
        package let lines: Int?
        /// The cells of a row that are as wide as their views, by their places among the cells.
        package let fittedCells: [Int]
    }

    /// The kinds of views.
    package indirect enum Drawn: Hashable, Sendable {
        /// A picture, by its name in SF Symbols.
        case symbol(String)
        /// A headline.
        case title(String)
        case text(String)
        /// A small text.
        case caption(String)
        /// A clock, such as `42:07` or `12 min`.
        case clock(String)
        /// A bar, with the share that is filled, 0 to 1.
        case bar(Double)
        /// Segments, of which the first ones are filled.
        case steps(Int, of: Int)
        /// Cells side by side.
        case row([[View]])
    }

    /// A region of the expanded island.
    package struct Region: Hashable, Sendable {
        /// The place of the region.
        package let position: IslandLayout.Position
        /// The views, one below the other.
        package let views: [View]
        /// The edge at which they are; nil for the usual one of the region.
        package let alignment: IslandAlignment?
        /// The link that a touch opens; nil without one.
        package let link: String?
    }

    /// The colour of the island, `#rrggbb`; nil for the system's own.
    package let tint: String?
    /// The views left of the camera.
    package let compactLeading: [View]
    /// The views right of the camera.
    package let compactTrailing: [View]
    /// The views where several activities share the island.
    package let minimal: [View]
    /// The regions of the expanded island.
    package let expanded: [Region]
    /// The row on the Lock Screen: symbols, texts, clocks.
    package let lockRow: [View]
    /// The bars below the row.
    package let lockBars: [View]
    /// The link that a touch of the Lock Screen opens; nil without one.
    package let lockLink: String?

    /// Draws a card at a moment.
    package init(_ card: PhoneCard, _ layout: IslandLayout, at now: Timestamp) {
        func views(_ elements: [IslandLayout.Element]) -> [View] {
            elements.compactMap { card.view($0, layout, at: now) }
        }
        tint = card.tint(of: layout)
        compactLeading = views(layout.compactLeading)
        compactTrailing = views(layout.compactTrailing)
        minimal = views(layout.minimal)
        expanded = layout.expanded.map {
            Region(
                position: $0.position,
                views: views($0.elements),
                alignment: $0.alignment,
                link: card.link($0.link) ?? card.link
            )
        }
        lockRow = views(layout.lock.symbols) + views(layout.lock.texts) + views(layout.lock.clocks)
        lockBars = views(layout.lock.bars)
        lockLink = card.link(layout.lock.link) ?? card.link
    }
}

// MARK: - Views

extension PhoneCard {
    /// Draws an element; nil where the app draws nothing, as for a timer that there is not.
    fileprivate func view(
        _ element: IslandLayout.Element,
        _ layout: IslandLayout,
        at now: Timestamp
    ) -> PhoneDrawing.View? {
        func colour(_ tint: IslandLayout.Tint) -> String? {
            switch tint {
            case .colour(let colour): colour
            case .island: self.tint(of: layout)
            }
        }
        return drawn(element.view, layout, at: now).map {
            PhoneDrawing.View(
                drawn: $0,
                tint: element.tint.flatMap(colour),
                circle: element.circle.map { colour($0) ?? "#8e8e93" },
                image: element.image,
                link: link(element.link),
                lines: element.lines,
                fittedCells: element.fittedCells
            )
        }
    }

    private func drawn(
        _ view: IslandLayout.View,
        _ layout: IslandLayout,
        at now: Timestamp
    ) -> PhoneDrawing.Drawn? {
        switch view {
        case .row(let cells):
            .row(cells.map { cell in cell.compactMap { self.view($0, layout, at: now) } })
        case .caption(let parts): .caption(parts.map(piece).joined())
        case .symbol(let name, let choice): .symbol(choice.flatMap { chosen(by: $0) } ?? name)
        case .title(let parts): .title(parts.map(piece).joined())
        case .text(let parts): .text(parts.map(piece).joined())
        case .clock(let field, let inMinutes):
            content[field].flatMap { AnchoredTime(content: $0) }?.clock(at: now, inMinutes: inMinutes)
        case .bar(let field): content[field].flatMap { AnchoredTime(content: $0) }?.bar(at: now)
        case .level(let field, let whole):
            content[field]?.number.map { .bar(min(max($0 / whole, 0), 1)) }
        case .steps(let field, let count):
            content[field]?.number.map { .steps(Int(min(max($0, 0), Double(count))), of: count) }
        }
    }

    /// The colour of the island; nil for the system's own.
    fileprivate func tint(of layout: IslandLayout) -> String? {
        layout.tints.flatMap { chosen(by: $0) } ?? layout.tint
    }

    /// The symbol or colour that the state or a field chooses; nil when it has no case.
    private func chosen(by choice: IslandLayout.Choice) -> String? {
        let deciding = choice.field.map { content[$0] } ?? state["state"]
        guard case .string(let value)? = deciding else { return nil }
        return choice.result(of: value)
    }

    /// The link of the activity, which is in its content if it may change; nil without one.
    fileprivate var link: String? {
        guard case .string(let link)? = state["link"] ?? attributes["link"] else { return nil }
        return link
    }

    /// The link with these parts; nil without parts, or when one of them is missing.
    fileprivate func link(_ parts: [IslandLayout.TextPart]) -> String? {
        let found = parts.compactMap(linked)
        return parts.isEmpty || found.count < parts.count ? nil : found.joined()
    }

    private func linked(_ part: IslandLayout.TextPart) -> String? {
        switch part {
        case .literal(let text): text
        case .device: attributes["device"]?.linked
        case .attribute(let attribute):
            if case .map(let values)? = attributes["attributes"] {
                values[attribute.name]?.linked
            } else {
                nil
            }
        case .field(let field): content[field.name]?.linked
        }
    }

    private func piece(_ part: IslandLayout.TextPart) -> TextPiece {
        switch part {
        case .literal(let text): return .words(text)
        case .device: return .value(attributes["device"]?.text(as: .string) ?? "")
        case .attribute(let attribute):
            guard case .map(let values)? = attributes["attributes"] else { return .value("") }
            return .value(values[attribute.name]?.text(as: attribute.type) ?? "")
        case .field(let field): return .value(content[field.name]?.text(of: field) ?? "")
        }
    }
}

extension Value {
    /// The value as links contain it; nil when there is none.
    fileprivate var linked: String? {
        switch self {
        case .string(let text): text.isEmpty ? nil : text
        case .bool(let truth): truth ? "true" : "false"
        case .int(let number): number.description
        case .double(let number): Int64(exactly: number).map { $0.description } ?? number.description
        default: nil
        }
    }

    /// The number; nil for anything else.
    fileprivate var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// Writes a field with its unit and decimals, as the generated app does; a percentage has no blank in English.
    fileprivate func text(of field: LiveActivityContract.Field) -> String {
        guard let number, field.unit != nil || field.decimals != nil else { return text(as: field.type) }
        var scale = 1.0
        for _ in 0..<(field.decimals ?? 2) { scale *= 10 }
        var writer = JSONWriter()
        writer.value(.double((number * scale).rounded() / scale))
        let digits = String(decoding: writer.bytes, as: UTF8.self)
        guard let unit = field.unit else { return digits }
        return unit == "%" ? digits + unit : digits + "\u{00A0}" + unit
    }

    /// Writes a value as the generated app does, for readers of English in UTC; empty when it has another type.
    fileprivate func text(as type: FieldType) -> String {
        switch (type, self) {
        case (.any, .string(let text)), (.string, .string(let text)): return text
        case (.any, .bool(let truth)), (.bool, .bool(let truth)): return truth ? "true" : "false"
        case (.any, .int(let number)), (.int, .int(let number)), (.double, .int(let number)):
            return number.description
        case (.any, .double(let number)), (.double, .double(let number)):
            var writer = JSONWriter()
            writer.double((number * 100).rounded() / 100)
            return String(decoding: writer.bytes, as: UTF8.self)
        case (.timestamp, _):
            guard let moment = PushContent.moment(self) else { return "" }
            return RecordingTime.text(moment).split(separator: " ").last.map { String($0.prefix(5)) } ?? ""
        case (.duration, _):
            guard let moment = PushContent.moment(self) else { return "" }
            let minutes = moment.flooredSeconds / 60
            return "\(minutes / 60):\(Self.twoDigits(minutes % 60))"
        default: return ""
        }
    }

    fileprivate static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

// MARK: - Timers

extension AnchoredTime {
    /// Reads a timer of the content; nil when the app would draw nothing of it.
    fileprivate init?(content: Value) {
        guard case .map(let members) = content else { return nil }
        let moments = ["start", "end", "remaining", "duration", "elapsed"].map { name in
            members[name].flatMap(PushContent.moment)
        }
        let zero = Timestamp(seconds: 0)
        switch (moments[0], moments[1], moments[2], moments[4]) {
        case (let start, let end?, _, _):
            guard start ?? zero < end else { return nil }
            self = .running(start: start ?? zero, end: end)
        case (_, nil, let remaining?, _):
            self = .paused(remaining: remaining - zero, duration: (moments[3] ?? zero) - zero)
        case (let start?, nil, nil, _): self = .countingUp(start: start)
        case (nil, nil, nil, let elapsed?): self = .held(elapsed: elapsed - zero)
        case (nil, nil, nil, nil): return nil
        }
    }

    /// Draws the clock; an hourglass once a countdown is over.
    fileprivate func clock(at now: Timestamp, inMinutes: Bool) -> PhoneDrawing.Drawn {
        func text(_ length: Interval, down: Bool) -> PhoneDrawing.Drawn {
            .clock(inMinutes ? Self.minutes(length, down: down) : Self.digits(length))
        }
        switch self {
        case .running(let start, let end), .estimated(let start, let end, _):
            return now >= end ? .symbol("hourglass") : text(min(end - now, end - start), down: true)
        case .countingUp(let start): return text(now - start, down: false)
        case .paused(let time, _): return text(time, down: true)
        case .held(let time): return text(time, down: false)
        }
    }

    /// Draws the bar; nil for a time that counts up.
    fileprivate func bar(at now: Timestamp) -> PhoneDrawing.Drawn? {
        switch self {
        case .running(let start, let end), .estimated(let start, let end, _):
            .bar(Self.share(now - start, of: end - start))
        case .paused(let remaining, let duration):
            .bar(duration > .zero ? Self.share(duration - remaining, of: duration) : 0)
        case .countingUp, .held: nil
        }
    }

    private static func share(_ part: Interval, of whole: Interval) -> Double {
        min(max(Double(part.microseconds) / Double(whole.microseconds), 0), 1)
    }

    /// Writes whole minutes; while it counts down, a minute that has begun counts in full.
    private static func minutes(_ length: Interval, down: Bool) -> String {
        let whole = max(length.roundedSeconds + (down ? 59 : 0), 0) / 60
        let (hours, minutes) = (whole / 60, whole % 60)
        return hours == 0 ? "\(minutes) min" : minutes == 0 ? "\(hours)h" : "\(hours)h \(minutes)m"
    }

    private static func digits(_ length: Interval) -> String {
        let seconds = max(length.roundedSeconds, 0)
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let end = ":" + Value.twoDigits(seconds % 60)
        return hours > 0 ? "\(hours):\(Value.twoDigits(minutes))\(end)" : "\(minutes)\(end)"
    }
}
