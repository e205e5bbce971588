/// Why a line of a recording can't be used.
package enum RecordingProblem: UInt8, Error, Hashable, Sendable, CaseIterable {
    /// It begins like JSON, but is none.
    case notJSON
    /// It is neither JSON nor `timestamp topic payload`.
    case notALine
    /// Its time is missing or can't be read.
    case noTime
    /// Its topic is missing or empty.
    case noTopic
    /// Its payload is missing.
    case noPayload
    /// `qos`, `retain`, `mid` or `payloadlen` has an invalid value.
    case badField
    /// A text has an escape that JSON does not know, or half a surrogate pair.
    case badEscape
    /// The payload is shorter or longer than `payloadlen` says; recorders cut payloads at a zero byte.
    case lengthMismatch
    /// It is longer than `RecordingReader.lineLimit`.
    case lineTooLong
    /// It begins a JSON array.
    case array

    /// The same in a sentence without a full stop.
    package var message: String {
        switch self {
        case .notJSON: "the line begins like JSON, but is not valid"
        case .notALine: "the line is neither JSON nor `timestamp topic payload`"
        case .noTime: "the time is missing or can't be read"
        case .noTopic: "the topic is missing or empty"
        case .noPayload: "the payload is missing"
        case .badField: "'qos', 'retain', 'mid' or 'payloadlen' has an invalid value"
        case .badEscape: "a text has an escape that JSON does not know, or half a surrogate pair"
        case .lengthMismatch:
            "the payload is not as long as 'payloadlen' says; recorders cut payloads at a zero byte"
        case .array: "the line begins a JSON array, not a message"
        case .lineTooLong: "the line is longer than \(RecordingReader.lineLimit) bytes"
        }
    }
}

/// The report on reading a recording.
public struct RecordingReport: Sendable {
    /// A line that can't be used.
    public struct Refusal: Hashable, Sendable {
        /// The line, from 1.
        package var line: Int
        /// Why it can't be used.
        package var problem: RecordingProblem
    }

    /// The number of refusals kept; all are counted.
    package static let refusalLimit = 100

    /// The number of lines read, including empty ones.
    public internal(set) var lines = 0
    /// The number of messages read.
    public internal(set) var messages = 0
    /// The number of empty lines; `mosquitto_sub -F '%J'` prints one for every payload that is not JSON.
    public internal(set) var emptyLines = 0
    /// The number of refused lines.
    public internal(set) var refused = 0
    /// The first lines that could not be used.
    public internal(set) var refusals: [Refusal] = []
    /// The number of messages with an earlier time than the one before them.
    public internal(set) var backwardSteps = 0
    /// The number of bytes read.
    public internal(set) var bytes = 0

    /// The reason why the file is not a recording, or hardly one, with a remedy; nil if most of its lines are messages.
    ///
    /// The subject of the sentence is the file.
    package var complaint: String? {
        guard refused > 0 else {
            if messages > 0 { return nil }
            return lines > 0
                ? "has only empty lines: mosquitto_sub -F '%J' prints one for each payload that is not JSON; use -F '%j'"
                : "is empty: record messages with 'skerry record'"
        }
        guard refused > messages else { return nil }
        let first = refusals.first.map { "; line \($0.line): \($0.problem.message)" } ?? ""
        if messages > 0 { return "is hardly a recording: \(refused) of \(lines) lines can't be used\(first)" }
        let remedy =
            switch refusals.first?.problem {
            case .array?: "jq -c '.[]' FILE makes a line of each element"
            case .notJSON?: "If it is JSON over several lines, jq -c . FILE makes one line of each object"
            default: "A recording has lines as 'skerry record' and mosquitto_sub -F '%j' print them"
            }
        return "is not a recording: none of its \(lines) lines is a message\(first). \(remedy)"
    }

    mutating func refuse(_ problem: RecordingProblem) {
        refused += 1
        guard refusals.count < RecordingReport.refusalLimit else { return }
        refusals.append(Refusal(line: lines, problem: problem))
    }
}
