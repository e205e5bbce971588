import SkerryActivity
import SkerryDevice
import SkerryValues

/// Compares the expectations of a test with the actual values.
///
/// A mapping expects only the members that it names; null expects that there is no value. A list expects all of its
/// elements. A length of time is written as one, or in seconds. A moment is written as a date, in Unix seconds, or as
/// the length of time since the start of the test. A number may differ from a computed one in its last digits.
enum TestComparison {
    /// Returns all differences from an expectation.
    ///
    /// - Parameters:
    ///   - expected: the expected value.
    ///   - actual: the actual value.
    ///   - path: the name of the value.
    ///   - name: the key of the expectation.
    /// - Returns: one difference for each value that differs.
    static func differences(
        _ expected: TestValue,
        _ actual: Value,
        at path: String,
        _ name: SourceText
    ) -> [TestDifference] {
        if case .map(let entries) = expected.content, case .map(let map) = actual {
            return entries.flatMap { entry in
                let value = map[entry.name.text] ?? .null
                return differences(entry.value, value, at: "\(path).\(entry.name.text)", entry.name)
            }
        }
        if case .list(let elements) = expected.content, case .list(let values) = actual,
            elements.count == values.count
        {
            return zip(elements, values).enumerated().flatMap { index, pair in
                differences(pair.0, pair.1, at: "\(path)[\(index)]", name)
            }
        }
        if matches(expected, actual) { return [] }
        var difference = difference(expected, at: path, name, got: words(actual))
        if case .text(let text) = expected.content, let time = time(actual, writtenAs: text) {
            difference.expected = text
            difference.got = time
        }
        return [difference]
    }

    /// A difference in words.
    static func difference(
        _ expected: TestValue,
        at path: String,
        _ name: SourceText,
        got: String
    ) -> TestDifference {
        let isWritten = !expected.source.text.isEmpty
        return TestDifference(
            path: path,
            place: isWritten ? expected.source : name,
            expected: words(expected.value),
            got: got
        )
    }

    private static func matches(_ expected: TestValue, _ actual: Value) -> Bool {
        switch (expected.content, actual) {
        case (.null, .null), (.null, .error): return true
        case (.int(let seconds), .duration(let length)): return length.interval == Interval(seconds: seconds)
        case (.double(let seconds), .duration(let length)):
            return length.interval == Interval(seconds: seconds)
        case (.int(let seconds), .timestamp(let moment)): return moment.moment == Timestamp(seconds: seconds)
        case (.double(let seconds), .timestamp(let moment)):
            return Interval(seconds: seconds).map { Timestamp(seconds: 0) + $0 } == moment.moment
        case (.text(let text), .duration(let length)): return interval(text) == length.interval
        case (.text(let text), .timestamp(let moment)): return self.moment(text) == moment.moment
        // A time in the content: seconds there, written here as a moment or as a length.
        case (.text(let text), .int(let seconds)):
            if moment(text)?.roundedSeconds == seconds || interval(text)?.roundedSeconds == seconds {
                return true
            }
        case (.text(let text), .double(let seconds)):
            if let length = Interval(seconds: seconds),
                interval(text) == length || moment(text) == Timestamp(seconds: 0) + length
            {
                return true
            }
        case (.int(let number), .double(let actual)): if isNear(Double(number), actual) { return true }
        case (.double(let number), .double(let actual)): if isNear(number, actual) { return true }
        default: break
        }
        return expected.value.isSameJSON(as: actual)
    }

    /// True for numbers that differ by no more than adding up decimals does.
    private static func isNear(_ number: Double, _ other: Double) -> Bool {
        number.isFinite && (number - other).magnitude <= 1e-12 * max(1, number.magnitude)
    }

    /// A time in the words in which it is expected; nil when one of both is none.
    private static func time(_ actual: Value, writtenAs text: String) -> String? {
        let isLength = interval(text) != nil
        guard isLength || moment(text) != nil else { return nil }
        // Numbers of seconds in which no length of time is told.
        let isMoment = !isLength || actual.isUnixTime
        func words(_ moment: Timestamp) -> String {
            isLength ? DurationText.text(moment - DefinitionTestRunner.start) : RecordingTime.text(moment)
        }
        switch actual {
        case .timestamp(let moment): return words(moment.moment)
        case .duration(let length) where isLength: return DurationText.text(length.interval)
        case .int(let seconds) where isMoment: return words(Timestamp(seconds: seconds))
        case .int(let seconds) where isLength: return DurationText.text(Interval(seconds: seconds))
        default: return nil
        }
    }

    /// The length of time in a text; a minus before it makes it negative.
    static func interval(_ text: String) -> Interval? {
        let isNegative = text.hasPrefix("-")
        guard case .success(let interval) = DurationText.parse(isNegative ? String(text.dropFirst()) : text)
        else { return nil }
        return isNegative ? .zero - interval : interval
    }

    static func moment(_ text: String) -> Timestamp? {
        interval(text).map { DefinitionTestRunner.start + $0 } ?? RecordingTime.parse(text)
    }

    static func words(_ value: Value) -> String {
        switch value {
        case .null: return "nothing"
        case .error(.unset): return "unset"
        case .string(let text): return "'\(text)'"
        case .duration(let length): return DurationText.text(length.interval)
        case .timestamp(let moment): return RecordingTime.text(moment.moment)
        default:
            var writer = JSONWriter()
            writer.value(value)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }
}

extension Value {
    /// True for whole seconds that are a moment of this century rather than a length of time.
    fileprivate var isUnixTime: Bool {
        if case .int(let seconds) = self { (978_307_200..<4_102_444_800).contains(seconds) } else { false }
    }
}

extension DurationText {
    /// A length of silence, with the signals whose silence it is.
    static func text(_ silence: SilenceDraft) -> String { text(silence.length) + silence.subject }

    /// A length of time, or the setting that gives it.
    static func text(_ length: SourceInterval) -> String {
        length.setting.map { "settings.\($0)" } ?? text(length.interval)
    }

    /// A length of time as definitions write it, to the millisecond; `0s` for none, with a minus before negative ones.
    static func text(_ interval: Interval) -> String {
        var milliseconds = interval.magnitude.microseconds / 1000
        if milliseconds == 0 { return "0s" }
        var text = interval < .zero ? "-" : ""
        for (name, length) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)] {
            let count = milliseconds / Int64(length)
            milliseconds %= Int64(length)
            if count > 0 { text += "\(count)\(name)" }
        }
        return text
    }
}
