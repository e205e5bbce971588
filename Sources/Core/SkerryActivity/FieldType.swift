/// The type of an attribute or of a field of the content, as a phone declares it.
public enum FieldType: UInt8, Sendable, CaseIterable {
    /// A text, a number or a truth value, as it comes.
    case any
    /// Text.
    case string
    /// A whole number.
    case int
    /// A number.
    case double
    /// A truth value.
    case bool
    /// A moment, as Unix seconds.
    case timestamp
    /// A length of time, in seconds.
    case duration
    /// A timer, as absolute times that the reader draws a countdown from.
    case time
    /// A list or an object: readers on MQTT get it, phones do not.
    case structure

    /// The word of the definition language.
    public var name: String {
        switch self {
        case .any: "any"
        case .string: "string"
        case .int: "int"
        case .double: "double"
        case .bool: "bool"
        case .timestamp: "timestamp"
        case .duration: "duration"
        case .time: "time"
        case .structure: "structure"
        }
    }

    /// The types that a definition can declare.
    public static let declarable: [FieldType] = [.string, .int, .double, .bool, .timestamp, .duration]

    /// The most bytes of JSON that a value of this type takes on a phone.
    var longestValue: Int {
        switch self {
        case .any, .string: LiveActivityContract.longestText + 2
        case .int, .duration, .timestamp, .double: 24
        case .bool: 5
        case .time: #"{"duration":,"remaining":}"#.utf8.count + 2 * 20
        case .structure: 0
        }
    }
}
