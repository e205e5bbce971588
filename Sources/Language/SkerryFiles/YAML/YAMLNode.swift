public import SkerryDevice

/// A node of a YAML document with its place; aliases and merge keys are resolved.
public struct YAMLNode: Sendable {
    /// The kinds of nodes.
    public enum Content: Sendable {
        case scalar(YAMLScalar)
        case list([YAMLNode])
        case map([YAMLPair])
    }

    /// The content.
    public var content: Content
    /// The place of its start.
    public var place: Place
    /// True for a list or a mapping in brackets or braces.
    var isFlow = false
    /// The tag, such as `!Ref`, unless it is one of YAML's own.
    public var tag: String?

    /// The scalar, when it is one.
    public var scalar: YAMLScalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    /// True for a missing value.
    public var isEmpty: Bool { scalar?.isEmpty ?? false }

    /// True for brackets or braces that are rather the beginning of a text: no mapping of names to values.
    var isMeantAsText: Bool {
        guard isFlow, case .map(let pairs) = content else { return isFlow }
        return pairs.contains { $0.value.isEmpty || !$0.key.text.unicodeScalars.allSatisfy(\.isPartOfKey) }
    }

    /// True for braces in which a text may be cut at a comma, as in `{ en: Off, ready, de: Aus }`.
    var isCutAtComma: Bool {
        guard isFlow, case .map(let pairs) = content else { return false }
        return zip(pairs, pairs.dropFirst()).contains { text, rest in
            rest.value.isEmpty && text.value.scalar.map { $0.isPlain && !$0.isEmpty } ?? false
        }
    }

    /// The number of characters that a problem of the whole node marks.
    var length: Int { max(1, scalar?.source.text.count ?? 1) }

    /// The kind of node, in words for people.
    public var shape: String {
        switch content {
        case .scalar(let scalar):
            switch scalar.isPlain ? CoreSchema.meaning(of: scalar.source.text) : .text {
            case .null: "nothing"
            case .bool: "a truth value"
            case .int, .double: "a number"
            case .text: "a text"
            }
        case .list: "a list"
        case .map: "a mapping"
        }
    }
}

/// A text of a YAML document.
public struct YAMLScalar: Sendable {
    /// The text without quotes and its place.
    public var source: SourceText
    /// True for a text without quotes that is no block, so that `true` is a truth value.
    public var isPlain: Bool
    /// The text as its author may have meant it, if a `#` in it begins a comment; one that takes signs only in words for
    /// people, such as `Program #1`.
    var cutOff: UnquotedText?

    /// True for a missing text.
    package var isEmpty: Bool { isPlain && source.text.isEmpty }
}

extension String {
    /// `90.5` for `90,5`; nil for anything but a number with a decimal comma.
    var withDecimalPoint: String? {
        let parts = split(separator: ",", omittingEmptySubsequences: false)
        let isNumber = parts.count == 2 && parts.allSatisfy { Int($0) != nil } && parts[1].first != "-"
        return isNumber && parts[1].first != "+" ? "\(parts[0]).\(parts[1])" : nil
    }
}

/// A key of a YAML mapping with its value.
public struct YAMLPair: Sendable {
    /// The key.
    public var key: SourceText
    /// The value.
    public var value: YAMLNode
}
