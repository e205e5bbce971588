public import SkerryDevice

/// A node of a YAML document with its place; aliases and merge keys are resolved.
public struct YAMLNode: Sendable {
    /// What a node is made of.
    public enum Content: Sendable {
        case scalar(YAMLScalar)
        case list([YAMLNode])
        case map([YAMLPair])
    }

    /// What it is made of.
    public var content: Content
    /// Where it starts.
    public var place: Place
    /// Whether it is written with braces or brackets.
    var isFlow = false
    /// Its tag when that is none of YAML's own, such as `!Ref`.
    public var tag: String?

    /// The scalar, when it is one.
    public var scalar: YAMLScalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    /// Whether nothing stands where a value could.
    public var isEmpty: Bool { scalar?.isEmpty ?? false }

    /// How many characters a problem of the whole node should mark.
    var length: Int { max(1, scalar?.source.text.count ?? 1) }

    /// What it is, for people.
    public var shape: String {
        switch content {
        case .scalar(let scalar): scalar.isEmpty ? "nothing" : "a text"
        case .list: "a list"
        case .map: "a mapping"
        }
    }
}

/// A text of a YAML document.
public struct YAMLScalar: Sendable {
    /// The text without quotes and its place.
    public var source: SourceText
    /// Whether it is written without quotes and on no block of its own, so that `true` is a truth value.
    public var isPlain: Bool
    /// Whether nothing is written because a `#` makes a comment of it.
    var isCutOffByComment = false

    /// Whether nothing is written at all.
    public var isEmpty: Bool { isPlain && source.text.isEmpty }
}

/// A key of a YAML mapping with its value.
public struct YAMLPair: Sendable {
    /// The key.
    public var key: SourceText
    /// The value.
    public var value: YAMLNode
}
