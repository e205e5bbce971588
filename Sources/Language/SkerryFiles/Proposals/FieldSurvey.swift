import SkerryValues

/// The values seen at one place of the payloads of a topic.
struct FieldSurvey {
    /// The number of different texts that are remembered.
    static let textLimit = 16
    /// The number of times that are remembered for which a number was low.
    static let dipLimit = 64
    /// The number of samples that are kept, spread evenly over the recording.
    static let sampleLimit = 512

    /// The number of values.
    private(set) var count = 0
    /// The number of changes of the value.
    private(set) var changes = 0
    /// The number of truth values.
    private(set) var bools = 0
    /// The number of numeric values, also in texts.
    private(set) var numbers = 0
    /// The number of texts that are numbers: `"74"`.
    private(set) var quoted = 0
    /// The values that name a moment near that of their message, in each form.
    private(set) var moments: [MomentForm: Int] = [:]
    /// True if one of these moments was to come.
    private(set) var isAhead = false
    /// The texts that name a length of time, in each form.
    private(set) var lengths: [LengthForm: Int] = [:]
    /// The texts, and the small whole numbers, with how often they were seen, in the order of their first time.
    private(set) var texts: [(text: String, count: Int)] = []
    /// The texts that came first, one for each topic.
    private(set) var firstTexts: Set<String> = []
    /// The texts that came last, one for each topic.
    private(set) var lastTexts: Set<String> = []
    /// The number of times that one text followed another, both by their places in `texts`.
    private var turns: [Turn: Int] = [:]
    /// The place of the last text; nil if it is not remembered.
    private var lastPlace: Int?
    /// True if there were more different texts than are remembered.
    private(set) var hasMoreTexts = false
    /// The smallest number.
    private(set) var least = Double.infinity
    /// The largest number.
    private(set) var most = -Double.infinity
    /// Some of the numbers.
    private(set) var sample: [Double] = []
    /// The seconds for which the number was low between two times that it was high.
    private(set) var dips: [Double] = []
    /// By how much the number fell in small steps, and in how many seconds.
    private(set) var fall = (amount: 0.0, seconds: 0.0)
    private var stride = 1
    private var lastNumber: (value: Double, at: Timestamp)?
    /// The moment since which the number is low; nil while it is high, and before it first was.
    private var lowSince: Timestamp?

    /// One text, and the next.
    ///
    /// Small, because there may be one for each two texts of each field of a whole broker.
    private struct Turn: Hashable {
        var from: UInt8
        var to: UInt8

        init(_ from: Int, _ to: Int) {
            (self.from, self.to) = (UInt8(from), UInt8(to))
        }
    }

    mutating func add(_ value: Value, at moment: Timestamp) {
        switch value {
        case .bool(let bool):
            count += 1
            bools += 1
            if note(bool ? "true" : "false") { changes += 1 }
        case .int(let int): add(Double(int), at: moment)
        case .uint(let uint): add(Double(uint), at: moment)
        case .double(let double): add(double, at: moment)
        case .string(let text):
            if let number = text.plainNumber {
                quoted += 1
                add(number, as: text, at: moment)
                return
            }
            count += 1
            note(text, at: moment)
            if let length = LengthForm.read(text) {
                lengths[length.form, default: 0] += 1
                noteFall(to: length.seconds, at: moment)
            }
            // Long texts are no states, and memory is not endless.
            if note(text.utf8.count <= 64 ? text : String(text.prefix(40)) + "…") { changes += 1 }
        default: break
        }
    }

    /// Notes a text, and returns whether it differs from the one before.
    private mutating func note(_ text: String) -> Bool {
        let isOther = !firstTexts.isEmpty && !lastTexts.contains(text)
        if firstTexts.isEmpty { firstTexts = [text] }
        lastTexts = [text]
        let place = place(of: text)
        if let place { texts[place].count += 1 }
        if let last = lastPlace, let place, place != last { turns[Turn(last, place), default: 0] += 1 }
        lastPlace = place
        return isOther
    }

    /// The place of a text among those that are remembered; nil if there is no room for it.
    private mutating func place(of text: String) -> Int? {
        if let place = texts.firstIndex(where: { $0.text == text }) { return place }
        guard texts.count < FieldSurvey.textLimit else {
            hasMoreTexts = true
            return nil
        }
        texts.append((text, 0))
        return texts.count - 1
    }

    /// The number of times that one text followed another.
    func turns(from: String, to: String) -> Int {
        guard let from = texts.firstIndex(where: { $0.text == from }),
            let to = texts.firstIndex(where: { $0.text == to })
        else { return 0 }
        return turns[Turn(from, to)] ?? 0
    }

    /// Notes the moment that a text names, if it is one near that of its message.
    private mutating func note(_ text: String, at moment: Timestamp) {
        guard text.utf8.count >= 19, let named = RecordingTime.parse(text) else { return }
        let hasOffset = text.dropFirst(19).contains { "Zz+-".contains($0) }
        note(named, in: hasOffset ? .text : .localText, at: moment)
    }

    private mutating func note(_ named: Timestamp, in form: MomentForm, at moment: Timestamp) {
        guard (moment - .hours(24)...moment + .hours(168)).contains(named) else { return }
        moments[form, default: 0] += 1
        isAhead = isAhead || named > moment
    }

    private mutating func add(_ number: Double, as text: String? = nil, at moment: Timestamp) {
        guard number.isFinite else { return }
        count += 1
        if let text {
            _ = note(text)
        } else if !hasMoreTexts, number == number.rounded(), (0..<1000).contains(number) {
            _ = note(number.shortText)
        }
        if (1e9..<1e10).contains(number) {
            note(Timestamp(seconds: Int64(number)), in: .seconds, at: moment)
        } else if (1e12..<1e13).contains(number) {
            note(Timestamp(seconds: Int64(number / 1000)), in: .milliseconds, at: moment)
        }
        least = min(least, number)
        most = max(most, number)
        if numbers.isMultiple(of: stride) {
            sample.append(number)
            if sample.count == FieldSurvey.sampleLimit {
                sample = sample.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
                stride *= 2
            }
        }
        numbers += 1
        noteDip(number, at: moment)
        if noteFall(to: number, at: moment) { changes += 1 }
    }

    /// Notes by how much the number has fallen, and returns whether it differs from the one before.
    @discardableResult
    private mutating func noteFall(to number: Double, at moment: Timestamp) -> Bool {
        guard let last = lastNumber else {
            lastNumber = (number, moment)
            return false
        }
        guard number != last.value else { return false }
        let seconds = (moment - last.at).inSeconds
        if number < last.value, seconds > 0,
            last.value - number <= max(2, last.value / 5) || (last.value - number).isTime(of: seconds)
        {
            fall.amount += last.value - number
            fall.seconds += seconds
        }
        lastNumber = (number, moment)
        return true
    }

    /// Notes for how long the number was less than a twentieth of the largest one.
    private mutating func noteDip(_ number: Double, at moment: Timestamp) {
        if number * 20 < most {
            lowSince = lowSince ?? moment
        } else if let since = lowSince {
            if dips.count < FieldSurvey.dipLimit { dips.append((moment - since).inSeconds) }
            lowSince = nil
        }
    }

    /// Merges the values at the same place of another topic.
    mutating func merge(_ other: FieldSurvey) {
        count += other.count
        changes += other.changes
        bools += other.bools
        numbers += other.numbers
        quoted += other.quoted
        moments.merge(other.moments, uniquingKeysWith: +)
        isAhead = isAhead || other.isAhead
        lengths.merge(other.lengths, uniquingKeysWith: +)
        dips += other.dips.prefix(FieldSurvey.dipLimit - dips.count)
        least = min(least, other.least)
        most = max(most, other.most)
        sample += other.sample.prefix(FieldSurvey.sampleLimit)
        fall.amount += other.fall.amount
        fall.seconds += other.fall.seconds
        hasMoreTexts = hasMoreTexts || other.hasMoreTexts
        firstTexts.formUnion(other.firstTexts)
        lastTexts.formUnion(other.lastTexts)
        let places = other.texts.map { text, count in
            let place = place(of: text)
            if let place { texts[place].count += count }
            return place
        }
        for (turn, count) in other.turns {
            guard let from = places[Int(turn.from)], let to = places[Int(turn.to)] else { continue }
            turns[Turn(from, to), default: 0] += count
        }
    }

    /// True if nearly all values are texts.
    var isText: Bool { count > 0 && numbers == 0 && bools == 0 }

    /// The form in which it names moments to come; nil if it does not.
    var momentForm: MomentForm? {
        guard isAhead, let most = moments.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else {
            return nil
        }
        // Many devices go on naming the end of the last run, or none.
        return most.value * 4 >= count ? most.key : nil
    }

    /// The form in which it names lengths of time; nil if it does not.
    var lengthForm: LengthForm? {
        // Many devices say "-" or nothing while they rest.
        guard let most = lengths.max(by: { $0.value < $1.value }), most.value * 4 >= count else { return nil }
        // Two parts are hours and minutes, unless they fall much faster than time passes.
        let isFast = fall.seconds > 0 && fall.amount / fall.seconds > 10
        return most.key == .clock && isFast ? .minutesAndSeconds : most.key
    }

    /// True if nearly all values are numbers.
    var isNumber: Bool { count > 0 && numbers * 10 >= count * 9 }

    /// True if all values are true or false.
    var isBool: Bool { count > 0 && bools == count }

    /// True if all values are true or false, also as texts.
    var isTruth: Bool { isBool || isText && texts.allSatisfy { ["true", "false"].contains($0.text) } }

    /// The values, in words.
    var summary: String {
        if isNumber {
            return "\(least.shortText) to \(most.shortText), seen \(count.times), changed \(changes.times)"
        }
        let shown = texts.prefix(8).map(\.text).joined(separator: ", ")
        let more = hasMoreTexts || texts.count > 8 ? ", …" : ""
        return "seen \(count.times): \(shown)\(more)".cleanLine
    }
}

/// A form in which devices write moments.
enum MomentForm: Comparable {
    /// Seconds since the Unix epoch.
    case seconds
    /// Milliseconds since the Unix epoch.
    case milliseconds
    /// A text as RFC 3339 has it.
    case text
    /// Such a text without an offset from UTC.
    case localText

    /// The expression for the moment that stands at a place.
    func expression(_ place: String) -> String {
        switch self {
        case .seconds: "timestamp(int(\(place)))"
        case .milliseconds: "timestamp(int(\(place)) / 1000)"
        case .text: "timestamp(\(place))"
        case .localText: "timestamp(\(place), place.zone)"
        }
    }
}

extension Double {
    /// True if so many seconds, minutes or hours are about a length of time.
    fileprivate func isTime(of seconds: Double) -> Bool {
        [1, 60, 3600].contains { unit in (self * unit / seconds - 1).magnitude < 0.1 }
    }

    /// The number with at most two digits after the point.
    var shortText: String {
        let rounded = (self * 100).rounded() / 100
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int64(rounded)) : "\(rounded)"
    }
}

extension String {
    /// The number that the text is, as devices write numbers into texts; nil if it is none, or one that only programs write.
    fileprivate var plainNumber: Double? {
        guard utf8.count <= 20, let first = utf8.first, let last = utf8.last,
            allSatisfy({ $0 == "-" || $0 == "." || $0.isASCII && $0.isNumber }),
            first.isDigit || first == UInt8(ascii: "-"), last.isDigit
        else { return nil }
        return Double(self)
    }
}

extension Int {
    /// The count in words.
    var times: String { self == 1 ? "once" : "\(self) times" }
}

extension String {
    /// The text without control characters, on one line of a comment.
    var cleanLine: String {
        rewritten { $0.properties.generalCategory.isVisible ? nil : " " }
    }
}

extension Unicode.GeneralCategory {
    /// True if a character of this kind may be used in a comment.
    fileprivate var isVisible: Bool {
        switch self {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            false
        default: true
        }
    }
}
