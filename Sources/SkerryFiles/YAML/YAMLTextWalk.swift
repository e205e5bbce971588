import SkerryDevice

/// Finds where the letters of a text stand in a file, for texts with escapes or on several lines.
///
/// It walks along the file and the text at once, and stops where they no longer fit together.
struct YAMLTextWalk {
    /// How a text is written.
    enum Style: Equatable {
        case plain
        case singleQuoted
        case doubleQuoted
        /// A block whose lines begin after so many spaces.
        case block(indentation: Int)
    }

    private let lines: SourceLines
    private let style: Style
    private var line: Int
    private var row: ArraySlice<Unicode.Scalar>
    private var rowStart = 0
    private var position = 0
    private var rowEnd = 0
    private var letters: [Unicode.Scalar]
    private var index = 0
    private var offset = 0
    private var pieces: [SourceText.Piece] = []

    /// The pieces of a text whose first letter stands at a line and a column, both counted from 1, in scalars.
    static func pieces(
        of text: String,
        style: Style,
        line: Int,
        column: Int,
        in lines: SourceLines
    ) -> [SourceText.Piece] {
        if lines.rest(ofLine: line, fromScalarColumn: column).starts(with: text.unicodeScalars) { return [] }
        var walk = YAMLTextWalk(style: style, line: line, lines: lines, letters: Array(text.unicodeScalars))
        walk.enter(line, at: column - 1)
        while walk.index < walk.letters.count, walk.step() {}
        return walk.pieces
    }

    private init(style: Style, line: Int, lines: SourceLines, letters: [Unicode.Scalar]) {
        self.style = style
        self.line = line
        self.lines = lines
        self.letters = letters
        row = []
    }

    /// One step further; false when nothing fits any more.
    private mutating func step() -> Bool {
        guard position < rowEnd else { return stepToNextLine(joinsLines: false) }
        let scalar = row[rowStart + position]
        if style == .doubleQuoted, scalar == "\\" { return stepOverEscape() }
        if style == .singleQuoted, scalar == "'" {
            position += 2
            return take(1, isJump: true)
        }
        guard scalar == letters[index] else { return false }
        position += 1
        return take(1, isJump: false)
    }

    private mutating func stepOverEscape() -> Bool {
        guard position + 1 < rowEnd else { return stepToNextLine(joinsLines: true) }
        switch row[rowStart + position + 1] {
        case "x": position += 4
        case "u": position += 6
        case "U": position += 10
        default: position += 2
        }
        return take(1, isJump: true)
    }

    /// Goes to the next line with text on it; the breaks between are a space or line feeds of the text.
    private mutating func stepToNextLine(joinsLines: Bool) -> Bool {
        repeat {
            guard line < lines.count else { return false }
            line += 1
            enter(line, at: 0)
        } while rowEnd == 0
        var taken = 0
        if !joinsLines, letters[index] == " " {
            taken = 1
        } else if !joinsLines {
            taken = letters[index...].prefix { $0 == "\n" }.count
            guard taken > 0 else { return false }
        }
        if case .block(let indentation) = style {
            position = min(indentation, rowEnd)
        } else {
            position = row.prefix { $0 == " " || $0 == "\t" }.count
        }
        return take(taken, isJump: true)
    }

    private mutating func enter(_ line: Int, at position: Int) {
        row = lines.rest(ofLine: line, fromScalarColumn: 1)
        rowStart = row.startIndex
        self.position = position
        let isBlock = if case .block = style { true } else { false }
        let last = row.lastIndex { isBlock ? $0 != " " : $0 != " " && $0 != "\t" }
        rowEnd = last.map { (isBlock ? row.endIndex : $0 + 1) - rowStart } ?? 0
    }

    private mutating func take(_ count: Int, isJump: Bool) -> Bool {
        for letter in letters[index..<min(index + count, letters.count)] { offset += UTF8.width(letter) }
        index += count
        if isJump {
            let place = lines.place(line: line, scalarColumn: position + 1)
            pieces.append(SourceText.Piece(offset: offset, at: place))
        }
        return true
    }
}
