import SkerryActivity
import SkerryDevice
import SkerryValues

/// Compares what a test expects with what is.
///
/// A mapping expects only the members that it names; null expects that there is no value. A length of time is
/// written as one, or in seconds. A moment is written as a date, in Unix seconds, or as the length of time since the
/// start of the test.
struct TestComparison {
    /// The first thing that is not as expected.
    struct Difference {
        var name: String
        var place: SourceText
        var expected: String
        var got: String
    }

    /// The first difference; nil when all is as expected.
    func difference(_ expected: TestValue, _ actual: Value, at name: SourceText) -> Difference? {
        if case .map(let entries) = expected.content, case .map(let map) = actual {
            for entry in entries {
                let value = map[entry.name.text] ?? .null
                if let inner = difference(entry.value, value, at: entry.name) {
                    return Difference(
                        name: name.text + "." + inner.name,
                        place: inner.place,
                        expected: inner.expected,
                        got: inner.got
                    )
                }
            }
            return nil
        }
        if case .list(let elements) = expected.content, case .list(let values) = actual,
            elements.count == values.count
        {
            let pairs = zip(elements, values)
            if pairs.allSatisfy({ difference($0, $1, at: name) == nil }) { return nil }
        }
        if matches(expected, actual, isAnchor: ["start", "end"].contains(name.text)) { return nil }
        let isWritten = !expected.source.text.isEmpty
        return Difference(
            name: name.text,
            place: isWritten ? expected.source : name,
            expected: Self.words(expected.value),
            got: Self.words(actual)
        )
    }

    private func matches(_ expected: TestValue, _ actual: Value, isAnchor: Bool) -> Bool {
        switch (expected.content, actual) {
        case (.null, .null), (.null, .error): return true
        case (.int(let seconds), .duration(let length)): return length.interval == Interval(seconds: seconds)
        case (.double(let seconds), .duration(let length)):
            return length.interval == Interval(seconds: seconds)
        case (.int(let seconds), .timestamp(let moment)): return moment.moment == Timestamp(seconds: seconds)
        case (.text(let text), .duration(let length)): return interval(text) == length.interval
        case (.text(let text), .timestamp(let moment)): return self.moment(text) == moment.moment
        case (.text(let text), .int(let seconds)):
            // A time in the content: seconds there, written as a time here.
            return isAnchor
                ? moment(text)?.roundedSeconds == seconds : interval(text)?.roundedSeconds == seconds
        default: return expected.value.isSameJSON(as: actual)
        }
    }

    private func interval(_ text: String) -> Interval? {
        guard case .success(let interval) = DurationText.parse(text) else { return nil }
        return interval
    }

    private func moment(_ text: String) -> Timestamp? {
        interval(text).map { DefinitionTestRunner.start + $0 } ?? RecordingTime.parse(text)
    }

    /// A value in words.
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

extension DurationText {
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
