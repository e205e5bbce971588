import SkerryActivity
package import SkerryDevice
package import SkerryExpressions
import SkerryValues

/// The layouts of islands by the kinds of devices, from which sinks take their texts; the clocks and the words of the house.
package struct SinkLayouts: Sendable {
    /// Returns the layout of a kind; nil if no definition in force has it.
    package var island: @Sendable (_ kind: String) -> IslandLayout?
    /// Returns the time zone of times in texts.
    package var zone: @Sendable () -> TimeZoneRules
    /// The words beside those of definitions.
    package var words: SinkWords
    /// The address of the page without a slash at its end; nil if phones can't reach it.
    package var page: String?

    /// Makes a source of layouts.
    package init(
        zone: @escaping @Sendable () -> TimeZoneRules,
        words: SinkWords = SinkWords(),
        page: String? = nil,
        island: @escaping @Sendable (_ kind: String) -> IslandLayout?
    ) {
        self.zone = zone
        self.words = words
        self.page = page
        self.island = island
    }
}

/// The activity as a person sees it where there is room for a title, a text, one clock and one bar.
struct ShownActivity: Hashable, Sendable {
    /// A clock that needs no updates.
    enum Clock: Hashable, Sendable {
        /// Runs down to a moment.
        case down(Timestamp)
        /// Runs up since a moment.
        case up(Timestamp)
    }

    struct Bar: Hashable, Sendable {
        /// The filled part, 0 to ``whole``.
        var part: Int64
        /// The whole, at least 1.
        var whole: Int64
    }

    /// The headline.
    var title: String
    /// The texts below it, joined; never empty.
    var text: String
    /// A text of ten characters at most, for the smallest place; nil if there is none.
    var shortText: String?
    /// The running clock, nil without one.
    var clock: Clock?
    /// The bar of a number or of a paused timer, nil without one.
    var bar: Bar?
    /// The name of the picture in SF Symbols.
    var symbol: String
    /// The colour, `#rrggbb`; nil for the system's own.
    var tint: String?

    /// The longest short text in characters.
    static let shortLength = 10

    /// Takes it from the layout of the definition, in the places of the Lock Screen first.
    init(_ update: ActivityUpdate, device: String, _ layout: IslandLayout?, _ layouts: SinkLayouts) {
        let words = layouts.words
        let reader = LayoutReader(update: update, device: device, zone: layouts.zone(), words: words)
        let elements = (layout.map { $0.lock.elements + $0.compactTrailing + $0.elements } ?? []).map {
            $0.view
        }
        let title = elements.lazy.compactMap { reader.title($0) }.first ?? device
        self.title = LiveActivityContract.cut(title)
        var texts: [String] = []
        for element in layout.map({ $0.lock.texts + $0.lock.bars.cells }) ?? [] {
            if let text = reader.text(element.view), !texts.contains(text) { texts.append(text) }
        }
        if texts.isEmpty, let text = elements.lazy.compactMap({ reader.text($0) }).first { texts = [text] }
        if texts.isEmpty { texts = [update.state.isEmpty ? device : update.state] }
        if update.phase == .stale { texts.append(words.silence) }
        let joined = texts.joined(separator: " · ")
        // A title that says the same does not say of what.
        if joined.hasSameCodePoints(as: title) { self.title = LiveActivityContract.cut(device) }
        text = LiveActivityContract.cut(joined)
        let clocks = update.phase == .ended ? [] : elements.compactMap { reader.clock($0) }
        // A known end says more than the time since the start.
        clock = clocks.first { if case .down = $0 { true } else { false } } ?? clocks.first
        bar = elements.lazy.compactMap { reader.bar($0) }.first
        assert(bar.map { $0.whole > 0 && (0...$0.whole).contains($0.part) } ?? true, "a bar is too full")
        symbol =
            elements.lazy.compactMap { reader.symbol($0) }.first ?? layout?.symbol ?? IslandSymbol.fallback
        tint = layout?.tints.flatMap { reader.chosen(by: $0) } ?? layout?.tint
        let compact = (layout?.compactTrailing ?? []).lazy.compactMap { reader.text($0.view) }.first
        let share = bar.map { "\($0.part * 100 / $0.whole)%" }
        shortText = (compact ?? share ?? texts[0]).shortened(to: Self.shortLength)
    }

    /// The end of a running countdown as the clocks of a zone show it, such as `14:35`; nil without one.
    func endTime(in zone: TimeZoneRules) -> String? {
        guard case .down(let end) = clock else { return nil }
        return LayoutReader.timeOfDay(end.roundedSeconds, zone)
    }
}

extension IslandLayout.LockScreen {
    fileprivate var elements: [IslandLayout.Element] { symbols + texts + clocks + bars + bars.cells }
}

extension [IslandLayout.Element] {
    /// The views in the cells of rows.
    fileprivate var cells: [IslandLayout.Element] {
        flatMap { element -> [IslandLayout.Element] in
            if case .row(let cells) = element.view { Array(cells.joined()) } else { [] }
        }
    }
}

extension String {
    /// The text, or its first clause, or its first words without what only leads on to others, such as `,` or `of`; half a word
    /// only if not even one fits.
    fileprivate func shortened(to length: Int) -> String {
        if count <= length { return self }
        var words: [Substring] = []
        var room = length
        let all = split(separator: " ")
        for word in all {
            guard word.count <= room else { break }
            words.append(word)
            room -= word.count + 1
            if word.last?.endsClause == true { break }
        }
        // In `Done after 84 min`, the word before the number that has no room says nothing without it.
        if words.count > 1, words.count < all.count, all[words.count].first?.isNumber == true,
            words[words.count - 1].allSatisfy({ $0.isLowercase }),
            words[words.count - 2].last?.isNumber != true
        {
            words.removeLast()
        }
        while words.count > 1, let last = words.last {
            // A short word behind a number is its unit.
            let isUnit = words[words.count - 2].last?.isNumber == true
            guard last.isMark || last.leadsOn && !isUnit else { break }
            words.removeLast()
        }
        while let mark = words.last?.last, mark.endsClause { words[words.count - 1].removeLast() }
        let text = words.joined(separator: " ")
        return text.isEmpty ? String(prefix(length - 1)) + "…" : text
    }
}

extension Character {
    /// True for a mark behind which another clause begins.
    fileprivate var endsClause: Bool { ",;:.·–—".contains(self) }
}

extension Substring {
    /// True for marks alone.
    fileprivate var isMark: Bool { allSatisfy { $0.endsClause || "/-(".contains($0) } }

    /// True for a short word such as `of` or `bis`, which means nothing at the end of a text.
    fileprivate var leadsOn: Bool { count <= 3 && allSatisfy { $0.isLowercase } }
}

/// Reads the elements of a layout with the values of an update.
private struct LayoutReader {
    let update: ActivityUpdate
    let device: String
    let zone: TimeZoneRules
    let words: SinkWords

    func title(_ view: IslandLayout.View) -> String? {
        if case .title(let parts) = view { joined(parts) } else { nil }
    }

    func text(_ view: IslandLayout.View) -> String? {
        if case .text(let parts) = view { joined(parts) } else { nil }
    }

    func symbol(_ view: IslandLayout.View) -> String? {
        guard case .symbol(let name, let choice) = view else { return nil }
        return choice.flatMap { chosen(by: $0) } ?? name
    }

    /// The symbol or colour that the state or a field chooses; nil when it has no case.
    func chosen(by choice: IslandLayout.Choice) -> String? {
        guard let field = choice.field else { return choice.result(of: update.state) }
        guard case .string(let value)? = update.content[field] else { return nil }
        return choice.result(of: value)
    }

    func clock(_ view: IslandLayout.View) -> ShownActivity.Clock? {
        switch view {
        case .clock(let field, _), .bar(let field):
            guard case .map(let time)? = update.content[field] else { return nil }
            if let end = time.seconds("end") { return .down(Timestamp(seconds: end)) }
            return time.seconds("start").map { .up(Timestamp(seconds: $0)) }
        default: return nil
        }
    }

    func bar(_ view: IslandLayout.View) -> ShownActivity.Bar? {
        switch view {
        case .level(let field, let whole):
            guard let number = update.content[field]?.number, whole > 0 else { return nil }
            let scale = whole == whole.rounded() && whole >= 1 && whole <= 1000 ? whole : 100
            let part = min(max(number / whole, 0), 1) * scale
            return ShownActivity.Bar(part: Int64(part.rounded()), whole: Int64(scale))
        case .steps(let field, let count):
            guard let number = update.content[field]?.number else { return nil }
            let part = min(max(number, 0), Double(count))
            return ShownActivity.Bar(part: Int64(part), whole: Int64(count))
        case .bar(let field), .clock(let field, _):
            guard case .map(let time)? = update.content[field], let left = time.seconds("remaining"),
                let whole = time.seconds("duration"), whole > 0
            else { return nil }
            return ShownActivity.Bar(part: min(max(whole - left, 0), whole), whole: whole)
        default: return nil
        }
    }

    /// The parts as one text; nil if nothing is to be seen.
    private func joined(_ parts: [IslandLayout.TextPart]) -> String? {
        let pieces = parts.map { part -> TextPiece in
            switch part {
            case .literal(let text): .words(text)
            case .device: .value(device)
            case .attribute(let field): .value(self.text(of: update.attributes[field.name], field))
            case .field(let field): .value(self.text(of: update.content[field.name], field))
            }
        }
        let text = pieces.joined()
        return text.utf8.allSatisfy { $0 == UInt8(ascii: " ") } ? nil : text
    }

    private func text(of value: Value?, _ field: LiveActivityContract.Field) -> String {
        guard let value else { return "" }
        switch (field.type, value) {
        case (_, .string(let text)): return text
        case (_, .bool(let truth)): return words.truth(truth)
        case (.timestamp, _): return value.number.map { Self.timeOfDay(Int64($0), zone) } ?? ""
        case (.duration, _): return value.number.map { Self.hours(Int64($0)) } ?? ""
        default: return value.number.map { Self.written($0, field) } ?? ""
        }
    }

    /// A number with its unit and decimals, as the generated app writes it.
    private static func written(_ number: Double, _ field: LiveActivityContract.Field) -> String {
        var scale = 1.0
        for _ in 0..<min(field.decimals ?? 2, 9) { scale *= 10 }
        var writer = JSONWriter()
        writer.value(.double((number * scale).rounded() / scale))
        let digits = String(decoding: writer.bytes, as: UTF8.self)
        guard let unit = field.unit else { return digits }
        return unit == "%" ? digits + unit : digits + "\u{00A0}" + unit
    }

    /// A time of day, such as `14:35`.
    static func timeOfDay(_ seconds: Int64, _ zone: TimeZoneRules) -> String {
        let local = seconds + Int64(zone.offset(at: seconds))
        return hours(local - local.floorDivided(by: 86_400) * 86_400)
    }

    private static func hours(_ seconds: Int64) -> String {
        let minutes = max(seconds, 0) / 60 % 60
        return "\(max(seconds, 0) / 3600):\(minutes < 10 ? "0" : "")\(minutes)"
    }
}

extension ValueMap {
    fileprivate func seconds(_ name: String) -> Int64? {
        if case .int(let number)? = self[name] { number } else { nil }
    }
}

extension Value {
    /// The finite number of a size that texts show; nil for anything else.
    fileprivate var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .uint(let number): Double(number)
        case .double(let number) where number.magnitude < 1e15: number
        default: nil
        }
    }
}
