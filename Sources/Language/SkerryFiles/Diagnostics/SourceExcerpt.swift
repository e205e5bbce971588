/// A line of a text, ready for a terminal, with a mark below some of its characters.
struct SourceExcerpt {
    /// The line, or the part of it around the mark.
    ///
    /// Tabs stay tabs, control characters become visible.
    var text = ""
    /// Spaces and tabs up to the mark, then `^~~~` as wide as the marked text.
    var mark = ""

    /// Cuts out the part of a line around a mark.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - column: The first marked character, from 1; beyond the end of the line, the mark is at its end.
    ///   - length: The number of marked characters, at least 1; only those within the line are marked.
    ///   - limit: The number of columns shown.
    init(line: String, column: Int, length: Int, limit: Int) {
        let characters = Array(line)
        let start = min(max(0, column - 1), characters.count)
        let end = min(max(start + 1, start + length), max(start + 1, characters.count))
        var first = 0
        // A mark behind the end of the line needs a column, too.
        let behind = max(0, end - characters.count)
        if SourceExcerpt.width(of: characters[..<min(end, characters.count)]) + behind > limit {
            first = max(0, start - limit / 3)
        }
        if first > 0 {
            text = "…"
            mark = " "
        }
        var shown = 0
        var index = first
        while index < max(end, characters.count), shown < limit {
            let character = index < characters.count ? characters[index] : nil
            let width = character.map { SourceExcerpt.width(of: $0) } ?? 1
            if let character { text.append(SourceExcerpt.isControl(character) ? "\u{FFFD}" : character) }
            if index < start {
                mark += character == "\t" ? "\t" : String(repeating: " ", count: width)
            } else if index < end {
                let line = String(repeating: "~", count: max(1, width))
                mark += index == start ? "^" + line.dropFirst() : line
            }
            shown += width
            index += 1
        }
        if index < characters.count { text.append("…") }
    }

    /// Returns whether a character would do something to a terminal rather than be seen; a tab would not.
    static func isControl(_ character: Character) -> Bool {
        guard character != "\t" else { return false }
        return character.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
            case .format: scalar.value != 0x200D && scalar.value != 0x200C
            default: false
            }
        }
    }

    private static func width(of characters: ArraySlice<Character>) -> Int {
        characters.reduce(0) { $0 + width(of: $1) }
    }

    /// The number of terminal columns of a character.
    static func width(of character: Character) -> Int {
        character.unicodeScalars.reduce(0) { max($0, width(of: $1)) }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default:
            return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }
}
