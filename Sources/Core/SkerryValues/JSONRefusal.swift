/// The limits of a JSON text; one that exceeds them is refused.
public struct JSONLimits: Sendable {
    /// The longest text that is read, in bytes.
    public var bytes: Int
    /// The number of arrays and objects that may be nested, 0 to 512.
    public var depth: Int {
        didSet { depth = min(max(depth, 0), JSONLimits.deepest) }
    }

    /// The greatest depth that can be set; the reader is recursive and must not exhaust its stack.
    static let deepest = 512

    /// Makes limits; `depth` is held between 0 and 512.
    public init(bytes: Int = 262_144, depth: Int = 64) {
        self.bytes = bytes
        self.depth = min(max(depth, 0), JSONLimits.deepest)
    }
}

/// Why a text is not read as JSON, and where.
public struct JSONRefusal: Error, Equatable, Sendable {
    /// The problem.
    public var problem: JSONProblem
    /// The byte at which reading stopped, counted from 0.
    public var offset: Int

    /// Makes a refusal.
    public init(problem: JSONProblem, offset: Int) {
        self.problem = problem
        self.offset = offset
    }
}

/// A reason why a text is not JSON (RFC 8259).
public enum JSONProblem: UInt8, Error, Hashable, Sendable, CaseIterable {
    /// There is nothing but white space.
    case empty
    /// The text is longer than `JSONLimits.bytes`.
    case tooLarge
    /// Arrays and objects lie deeper inside each other than `JSONLimits.depth`.
    case tooDeep
    /// The text begins with a byte order mark, which section 8.1 forbids to send.
    case byteOrderMark
    /// The text ends inside a value.
    case unexpectedEnd
    /// A byte that cannot stand in this place.
    case badSyntax
    /// A number that is not written as section 6 demands, such as `01`, `+1`, `.5` or `1.`.
    case badNumber
    /// A number beyond the range of a double, such as `1e400`.
    case numberOutOfRange
    /// A control character in a string that is not escaped.
    case controlCharacter
    /// A backslash in a string that no known escape follows.
    case badEscape
    /// An escape `\uD800` to `\uDFFF` that is no half of a pair: no text can hold it.
    case loneSurrogate
    /// A string that is not UTF-8 (RFC 3629).
    case badUTF8
    /// Something follows the value.
    case trailingBytes

    /// The problem in a few words, for logs.
    public var summary: String {
        switch self {
        case .empty: "nothing there"
        case .tooLarge: "too large"
        case .tooDeep: "nested too deeply"
        case .byteOrderMark: "begins with a byte order mark"
        case .unexpectedEnd: "ends too early"
        case .badSyntax: "a character that is not allowed here"
        case .badNumber: "not a JSON number"
        case .numberOutOfRange: "a number out of range"
        case .controlCharacter: "a control character in a string"
        case .badEscape: "an unknown escape"
        case .loneSurrogate: "half of a surrogate pair"
        case .badUTF8: "not UTF-8"
        case .trailingBytes: "something follows the value"
        }
    }
}
