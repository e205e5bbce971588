import SkerryValues

/// The values seen at one place of the payloads of a topic.
struct FieldSurvey {
    /// The number of different texts that are remembered.
    static let textLimit = 16
    /// The number of samples that are kept, spread evenly over the recording.
    static let sampleLimit = 512

    /// The number of values.
    private(set) var count = 0
    /// The number of changes of the value.
    private(set) var changes = 0
    /// The number of truth values.
    private(set) var bools = 0
    /// The number of numeric values.
    private(set) var numbers = 0
    /// The texts with how often they were seen, in the order of their first time.
    private(set) var texts: [(text: String, count: Int)] = []
    /// The texts that came first, one for each topic.
    private(set) var firstTexts: Set<String> = []
    /// The texts that came last, one for each topic.
    private(set) var lastTexts: Set<String> = []
    /// True if there were more different texts than are remembered.
    private(set) var hasMoreTexts = false
    /// The smallest number.
    private(set) var least = Double.infinity
    /// The largest number.
    private(set) var most = -Double.infinity
    /// Some of the numbers.
    private(set) var sample: [Double] = []
    /// By how much the number fell in small steps, and in how many seconds.
    private(set) var fall = (amount: 0.0, seconds: 0.0)
    private var stride = 1
    private var lastNumber: (value: Double, at: Timestamp)?

    mutating func add(_ value: Value, at moment: Timestamp) {
        switch value {
        case .bool(let bool):
            count += 1
            bools += 1
            note(bool ? "true" : "false")
        case .int(let int): add(Double(int), at: moment)
        case .uint(let uint): add(Double(uint), at: moment)
        case .double(let double): add(double, at: moment)
        case .string(let text):
            count += 1
            // Long texts are no states, and memory is not endless.
            note(text.utf8.count <= 64 ? text : String(text.prefix(40)) + "…")
        default: break
        }
    }

    private mutating func note(_ text: String) {
        if firstTexts.isEmpty { firstTexts = [text] } else if !lastTexts.contains(text) { changes += 1 }
        lastTexts = [text]
        if let index = texts.firstIndex(where: { $0.text == text }) {
            texts[index].count += 1
        } else if texts.count < FieldSurvey.textLimit {
            texts.append((text, 1))
        } else {
            hasMoreTexts = true
        }
    }

    private mutating func add(_ number: Double, at moment: Timestamp) {
        guard number.isFinite else { return }
        count += 1
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
        guard let last = lastNumber else {
            lastNumber = (number, moment)
            return
        }
        guard number != last.value else { return }
        changes += 1
        let seconds = (moment - last.at).inSeconds
        if number < last.value, seconds > 0,
            last.value - number <= max(2, last.value / 5) || (last.value - number).isTime(of: seconds)
        {
            fall.amount += last.value - number
            fall.seconds += seconds
        }
        lastNumber = (number, moment)
    }

    /// Merges the values at the same place of another topic.
    mutating func merge(_ other: FieldSurvey) {
        count += other.count
        changes += other.changes
        bools += other.bools
        numbers += other.numbers
        least = min(least, other.least)
        most = max(most, other.most)
        sample += other.sample.prefix(FieldSurvey.sampleLimit)
        fall.amount += other.fall.amount
        fall.seconds += other.fall.seconds
        hasMoreTexts = hasMoreTexts || other.hasMoreTexts
        firstTexts.formUnion(other.firstTexts)
        lastTexts.formUnion(other.lastTexts)
        for (text, count) in other.texts {
            if let index = texts.firstIndex(where: { $0.text == text }) {
                texts[index].count += count
            } else if texts.count < FieldSurvey.textLimit {
                texts.append((text, count))
            } else {
                hasMoreTexts = true
            }
        }
    }

    /// True if nearly all values are texts.
    var isText: Bool { count > 0 && numbers == 0 && bools == 0 }

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
