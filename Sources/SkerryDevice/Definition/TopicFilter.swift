/// An MQTT topic filter (MQTT 5, section 4.7) whose levels may also be captures in braces.
///
/// `homeconnect/{device}/state` matches the same topics as `homeconnect/+/state` and names the level at the plus sign.
/// Levels may be empty and may contain spaces; a filter may start with `/`.
public struct TopicFilter: Hashable, Sendable {
    /// One level of a filter.
    public enum Level: Hashable, Sendable {
        /// This text and no other.
        case literal(String)
        /// Any one level (`+`).
        case any
        /// Any one level, kept under a name (`{device}`).
        case capture(String)
        /// All levels from here on, none included (`#`).
        case rest
    }

    /// The reason why a text is no filter.
    public enum Problem: Error, Hashable, Sendable {
        /// The filter is empty or longer than 65,535 bytes.
        case badLength
        /// `#` does not stand alone in the last level.
        case misplacedHash
        /// `+` does not stand alone in its level.
        case misplacedPlus
        /// A brace that does not enclose a whole level with a name in it.
        case badCapture
        /// A capture's name twice.
        case repeatedCapture
        /// A shared subscription, which gives no order per device.
        case shared
        /// U+0000, which MQTT does not allow.
        case badCharacter
    }

    /// The levels, from the left.
    public let levels: [Level]

    /// Parses a filter.
    ///
    /// - Throws: The rule of MQTT or of captures that the text breaks.
    public init(_ text: String) throws(Problem) {
        guard !text.utf8.isEmpty, text.utf8.count <= 65_535 else { throw .badLength }
        guard !text.utf8.contains(0) else { throw .badCharacter }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts[0].utf8.elementsEqual("$share".utf8) { throw .shared }
        var levels: [Level] = []
        for (position, part) in parts.enumerated() {
            let level = try Self.level(part)
            if level == .rest, position != parts.count - 1 { throw .misplacedHash }
            if case .capture = level, levels.contains(level) { throw .repeatedCapture }
            levels.append(level)
        }
        self.levels = levels
    }

    private static func level(_ part: Substring) throws(Problem) -> Level {
        if part == "+" { return .any }
        if part == "#" { return .rest }
        if part.utf8.contains(UInt8(ascii: "+")) { throw .misplacedPlus }
        if part.utf8.contains(UInt8(ascii: "#")) { throw .misplacedHash }
        let opens = part.utf8.contains(UInt8(ascii: "{"))
        let closes = part.utf8.contains(UInt8(ascii: "}"))
        guard opens || closes else { return .literal(String(part)) }
        guard part.utf8.first == UInt8(ascii: "{"), part.utf8.last == UInt8(ascii: "}") else {
            throw .badCapture
        }
        let name = String(part.dropFirst().dropLast())
        guard name.isIdentifier else { throw .badCapture }
        return .capture(name)
    }

    /// The names of the captures, in the order of the levels.
    public var captures: [String] {
        var names: [String] = []
        for case .capture(let name) in levels { names.append(name) }
        return names
    }

    /// True if the filter covers a topic, given in UTF-8, as MQTT defines it.
    public func matches(_ topic: ArraySlice<UInt8>) -> Bool {
        var rest = levels[...]
        // A wildcard in the first level covers no topic of the broker itself.
        if topic.first == UInt8(ascii: "$") {
            guard case .literal? = rest.first else { return false }
        }
        for part in topic.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let level = rest.popFirst() else { return false }
            switch level {
            case .rest: return true
            case .any, .capture: continue
            case .literal(let text): guard part.elementsEqual(text.utf8) else { return false }
            }
        }
        // `a/#` covers `a`, too.
        return rest.isEmpty || rest.count == 1 && rest.first == .rest
    }

    /// The filter to subscribe to, with `+` for every capture.
    public var subscription: String {
        var text = ""
        for (position, level) in levels.enumerated() {
            if position > 0 { text += "/" }
            switch level {
            case .literal(let literal): text += literal
            case .any, .capture: text += "+"
            case .rest: text += "#"
            }
        }
        return text
    }
}

extension String {
    /// True if this can be a name in an expression: a letter or `_`, then letters, digits and `_`, all ASCII.
    var isIdentifier: Bool {
        guard let first = utf8.first, first.isLetterOrUnderscore else { return false }
        return utf8.allSatisfy {
            $0.isLetterOrUnderscore || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9"))
        }
    }
}

extension UInt8 {
    fileprivate var isLetterOrUnderscore: Bool {
        let lowered = self | 0x20
        return (lowered >= UInt8(ascii: "a") && lowered <= UInt8(ascii: "z")) || self == UInt8(ascii: "_")
    }
}
