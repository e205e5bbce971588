public import SkerryValues

/// A place in a definition's text.
public struct Place: Hashable, Comparable, Sendable {
    /// The line, from 1.
    public var line: Int
    /// The column in characters, from 1.
    public var column: Int
    /// The file: 0 for that of the definition, from 1 on for the files that it extends, the nearest first.
    public var file: Int

    /// Makes a place.
    public init(line: Int, column: Int, file: Int = 0) {
        self.line = line
        self.column = column
        self.file = file
    }

    /// Orders by file, then line, then column.
    public static func < (left: Place, right: Place) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

/// A piece of a definition's text, with its place.
public struct SourceText: Hashable, Sendable {
    /// A part of a text whose place does not follow from the part before it, as after an escape or on a new line.
    public struct Piece: Hashable, Sendable {
        /// The position of the piece in the text, in bytes of UTF-8.
        public var offset: Int
        /// The place of the piece's first character.
        public var place: Place

        /// Makes a piece.
        public init(offset: Int, at place: Place) {
            self.offset = offset
            self.place = place
        }
    }

    /// The text, as YAML understands it: without quotes, with escapes resolved.
    public var text: String
    /// The place of the first character.
    public var place: Place
    /// The parts behind the first one, sorted by their offsets; none for a text written on one line as it is.
    public var pieces: [Piece]

    /// Makes a text with its place.
    public init(_ text: String, at place: Place, pieces: [Piece] = []) {
        self.text = text
        self.place = place
        self.pieces = pieces
    }

    /// The place of the character at a UTF-8 offset of the text.
    public func place(atUTF8Offset offset: Int) -> Place {
        let piece = pieces.last { $0.offset <= offset } ?? Piece(offset: 0, at: place)
        let between = text.utf8.prefix(offset).dropFirst(piece.offset)
        var result = piece.place
        result.column += String(decoding: between, as: UTF8.self).count
        return result
    }

    /// A part of the text with its place, without the blanks at its ends; the range counts bytes of UTF-8.
    func part(_ range: Range<Int>) -> SourceText {
        var bytes = Array(text.utf8)[range]
        while bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
        while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
        return SourceText(
            String(decoding: bytes, as: UTF8.self),
            at: place(atUTF8Offset: bytes.startIndex),
            pieces: pieces.compactMap { piece in
                guard bytes.indices.dropFirst().contains(piece.offset) else { return nil }
                return Piece(offset: piece.offset - bytes.startIndex, at: piece.place)
            }
        )
    }
}

/// A length of time written in a definition, with its place.
public struct SourceInterval: Hashable, Sendable {
    /// The length.
    public var interval: Interval
    /// The place of its first character.
    public var place: Place
    /// The name of the setting that gives it, whose default is the length; nil for a length written as one.
    public var setting: String?

    /// Makes a length with its place.
    public init(_ interval: Interval, at place: Place, setting: String? = nil) {
        self.interval = interval
        self.place = place
        self.setting = setting
    }
}
