package import SkerryDevice

/// A node of a YAML document with its place; aliases and merge keys are resolved.
package struct YAMLNode: Sendable {
    /// The kinds of nodes.
    package enum Content: Sendable {
        case scalar(YAMLScalar)
        case list([YAMLNode])
        case map([YAMLPair])
    }

    /// The content.
    package var content: Content
    /// The place of its start.
    package var place: Place
    /// True for a list or a mapping in brackets or braces.
    var isFlow = false
    /// The tag, such as `!Ref`, unless it is one of YAML's own.
    package var tag: String?

    /// The scalar, when it is one.
    package var scalar: YAMLScalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    /// True for a missing value.
    package var isEmpty: Bool { scalar?.isEmpty ?? false }

    /// The number of characters that a problem of the whole node marks.
    var length: Int { max(1, scalar?.source.text.count ?? 1) }

    /// The kind of node, in words for people.
    package var shape: String {
        switch content {
        case .scalar(let scalar): scalar.isEmpty ? "nothing" : "a text"
        case .list: "a list"
        case .map: "a mapping"
        }
    }
}

/// A text of a YAML document.
package struct YAMLScalar: Sendable {
    /// The text without quotes and its place.
    package var source: SourceText
    /// True for a text without quotes that is no block, so that `true` is a truth value.
    package var isPlain: Bool
    /// True for a missing text where a `#` begins a comment.
    var isCutOffByComment = false

    /// True for a missing text.
    package var isEmpty: Bool { isPlain && source.text.isEmpty }
}

/// A key of a YAML mapping with its value.
package struct YAMLPair: Sendable {
    /// The key.
    package var key: SourceText
    /// The value.
    package var value: YAMLNode
}
