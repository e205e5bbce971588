import SkerryValues

/// An MQTT topic filter (MQTT 5, section 4.7) whose levels may also be captures in braces.
///
/// `homeconnect/{device}/state` matches the same topics as `homeconnect/+/state` and names the level at the plus sign.
/// A capture may be a part of its level (`plug-{device}`), and `{name...}` as the last level takes all levels from there
/// on, one at least. Levels may be empty and may contain spaces; a filter may start with `/`.
public struct TopicFilter: Hashable, Sendable {
    /// One level of a filter.
    public enum Level: Hashable, Sendable {
        /// This text and no other.
        case literal(String)
        /// Any one level (`+`).
        case any
        /// Any one level, kept under a name (`{device}`).
        case capture(String)
        /// One level that begins and ends with these texts, whose rest is kept under a name (`plug-{device}`).
        case partialCapture(prefix: String, name: String, suffix: String)
        /// One or more levels, the last ones of the topic, kept under a name (`{device...}`).
        case captureOfRest(String)
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
        /// A brace that does not enclose a name, or a second capture in a level.
        case badCapture
        /// `{name...}` does not stand alone in the last level.
        case misplacedRest
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
            if case .captureOfRest = level, position != parts.count - 1 { throw .misplacedRest }
            if let name = level.captureName, levels.contains(where: { $0.captures(name) }) {
                throw .repeatedCapture
            }
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
        let pieces = Array(part.utf8).split(separator: UInt8(ascii: "{"), omittingEmptySubsequences: false)
        guard pieces.count == 2, !pieces[0].contains(UInt8(ascii: "}")) else { throw .badCapture }
        let inner = pieces[1].split(separator: UInt8(ascii: "}"), omittingEmptySubsequences: false)
        guard inner.count == 2 else { throw .badCapture }
        let takesRest = inner[0].suffix(3).elementsEqual("...".utf8)
        let name = String(decoding: takesRest ? inner[0].dropLast(3) : inner[0], as: UTF8.self)
        let prefix = String(decoding: pieces[0], as: UTF8.self)
        let suffix = String(decoding: inner[1], as: UTF8.self)
        guard name.isIdentifier else { throw .badCapture }
        let isWhole = prefix.utf8.isEmpty && suffix.utf8.isEmpty
        if takesRest {
            guard isWhole else { throw .misplacedRest }
            return .captureOfRest(name)
        }
        return isWhole ? .capture(name) : .partialCapture(prefix: prefix, name: name, suffix: suffix)
    }

    /// The names of the captures, in the order of the levels.
    public var captures: [String] { levels.compactMap { $0.captureName } }

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
            case .rest, .captureOfRest: return true
            case .any, .capture: continue
            case .partialCapture(let prefix, _, let suffix):
                guard Self.name(in: part, prefix, suffix) != nil else { return false }
            case .literal(let text): guard part.elementsEqual(text.utf8) else { return false }
            }
        }
        // `a/#` covers `a`, too.
        return rest.isEmpty || rest.count == 1 && rest.first == .rest
    }

    /// The texts at the captures in a topic that the filter covers, in the order of ``captures``.
    public func capturedTexts(in topic: ArraySlice<UInt8>) -> [String] {
        var texts: [String] = []
        let parts = topic.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (level, part) in zip(levels, parts) {
            switch level {
            case .literal, .any, .rest: continue
            case .capture: texts.append(String(decoding: part, as: UTF8.self))
            case .partialCapture(let prefix, _, let suffix):
                texts.append(String(decoding: Self.name(in: part, prefix, suffix) ?? [], as: UTF8.self))
            case .captureOfRest:
                texts.append(String(decoding: topic[part.startIndex...], as: UTF8.self))
            }
        }
        return texts
    }

    /// The part of a level between two texts; nil when the level does not have them or nothing is between them.
    private static func name(
        in level: ArraySlice<UInt8>,
        _ prefix: String,
        _ suffix: String
    ) -> ArraySlice<UInt8>? {
        let (start, end) = (prefix.utf8.count, suffix.utf8.count)
        guard level.count > start + end, level.prefix(start).elementsEqual(prefix.utf8),
            level.suffix(end).elementsEqual(suffix.utf8)
        else { return nil }
        return level.dropFirst(start).dropLast(end)
    }

    /// The filter to subscribe to, with `+` for every capture.
    public var subscription: String {
        var text = ""
        for (position, level) in levels.enumerated() {
            if position > 0 { text += "/" }
            switch level {
            case .literal(let literal): text += literal
            case .any, .capture, .partialCapture: text += "+"
            case .rest, .captureOfRest: text += "#"
            }
        }
        return text
    }
}

extension TopicFilter.Level {
    /// The name under which the level is kept; nil when it is no capture.
    public var captureName: String? {
        switch self {
        case .capture(let name), .partialCapture(_, let name, _), .captureOfRest(let name): name
        case .literal, .any, .rest: nil
        }
    }

    fileprivate func captures(_ name: String) -> Bool {
        captureName?.hasSameCodePoints(as: name) ?? false
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

extension String {
    /// True if this can be one level of a topic that is published, and stand in a line of a log.
    var isTopicLevel: Bool {
        !utf8.isEmpty && utf8.count <= 256
            && unicodeScalars.allSatisfy {
                switch $0 {
                case "/", "+", "#", "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": false
                default: true
                }
            }
    }
}

// A source of `$skerry/<kind>/<device>` reads the activities of the devices of another kind. The engine gives
// these messages to itself: topics that begin with `$` belong to the broker, so no client can publish there (MQTT 5,
// section 4.7.2).

extension TopicFilter {
    /// The first level of the topics on which the engine gives activities to definitions that read them.
    public static let engineLevel = "$skerry"

    /// True if the engine makes the messages, and no broker has them.
    public var isOfEngine: Bool { levels.first == .literal(Self.engineLevel) }

    /// The kind whose activities the filter covers; nil if it covers none, or those of several kinds.
    public var activityKind: String? {
        guard isOfEngine, levels.count > 2, case .literal(let kind) = levels[1] else { return nil }
        return kind
    }
}
