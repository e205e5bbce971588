public import SkerryValues

/// A place in a definition's text.
public struct Place: Hashable, Comparable, Sendable {
    /// The line, from 1.
    public var line: Int
    /// The column in characters, from 1.
    public var column: Int

    /// Makes a place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Orders by line, then column.
    public static func < (left: Place, right: Place) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A piece of text of a definition and where it stands.
public struct SourceText: Hashable, Sendable {
    /// The text, as YAML understands it: without quotes, with escapes resolved.
    public var text: String
    /// Where its first character stands.
    public var place: Place
    /// For a YAML block scalar (`|`, `>`): the column in which each of its lines starts; nil for text on one line.
    public var blockColumn: Int?

    /// Makes a text with its place.
    public init(_ text: String, at place: Place, blockColumn: Int? = nil) {
        self.text = text
        self.place = place
        self.blockColumn = blockColumn
    }

    /// Where the character at a UTF-8 offset of the text stands.
    public func place(atUTF8Offset offset: Int) -> Place {
        var result = place
        for character in String(decoding: text.utf8.prefix(offset), as: UTF8.self) {
            if let blockColumn, character == "\n" {
                result.line += 1
                result.column = blockColumn
            } else {
                result.column += 1
            }
        }
        return result
    }
}

/// A length of time as written in a definition, and where.
public struct SourceInterval: Hashable, Sendable {
    /// The length.
    public var interval: Interval
    /// Where it stands.
    public var place: Place

    /// Makes a length with its place.
    public init(_ interval: Interval, at place: Place) {
        self.interval = interval
        self.place = place
    }
}
