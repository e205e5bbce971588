import SkerryDevice

/// Finds the places of the letters of a text with escapes or on several lines.
///
/// It steps through the file and the text together, and stops where they no longer fit.
struct YAMLTextWalk {
    private let lines: YAMLLines
    private let style: YAMLEvent.Style
    /// The spaces before each line of a block.
    private let indentation: Int
    private let letters: [Unicode.Scalar]
    private var line: Int
    private var position: Int
    /// The end of the part of the line that belongs to the text.
    private var end = 0
    private var index = 0
    private var offset = 0
    private var pieces: [SourceText.Piece] = []

    /// The pieces of a text with the position of its first letter and, for a block, the indentation of its lines.
    static func pieces(
        of text: String,
        _ style: YAMLEvent.Style,
        indentation: Int,
        from start: Int,
        in lines: YAMLLines
    ) -> [SourceText.Piece] {
        let letters = Array(text.unicodeScalars)
        if lines.rest(from: start).starts(with: letters) { return [] }
        let line = lines.line(of: start)
        var walk = YAMLTextWalk(
            lines: lines,
            style: style,
            indentation: indentation,
            letters: letters,
            line: line,
            position: start
        )
        walk.end = walk.textEnd(ofLine: line)
        while walk.index < letters.count, walk.step() {}
        return walk.pieces
    }

    /// Takes a step; false when file and text no longer fit.
    private mutating func step() -> Bool {
        guard position < end else { return stepToNextLine(joinsLines: false) }
        let scalar = lines.scalars[position]
        if style == .doubleQuoted, scalar == "\\" { return stepOverEscape() }
        let isDoubledQuote = style == .singleQuoted && scalar == "'"
        guard isDoubledQuote || scalar == letters[index] else { return false }
        position += isDoubledQuote ? 2 : 1
        take(1, isJump: isDoubledQuote)
        return true
    }

    private mutating func stepOverEscape() -> Bool {
        guard position + 1 < end else { return stepToNextLine(joinsLines: true) }
        switch lines.scalars[position + 1] {
        case "x": position += 4
        // A letter beyond U+FFFF was written as two escapes, a pair of surrogates.
        case "u": position += letters[index].value > 0xFFFF ? 12 : 6
        case "U": position += 10
        default: position += 2
        }
        take(1, isJump: true)
        return true
    }

    /// Goes to the next line that is not empty; the breaks before it are a space or line feeds of the text.
    private mutating func stepToNextLine(joinsLines: Bool) -> Bool {
        repeat {
            guard line < lines.count else { return false }
            line += 1
            position = lines.range(ofLine: line).lowerBound
            end = textEnd(ofLine: line)
        } while position == end
        var taken = 0
        if !joinsLines {
            taken = letters[index] == " " ? 1 : letters[index...].prefix { $0 == "\n" }.count
            guard taken > 0 else { return false }
        }
        if style == .block {
            position = min(position + indentation, end)
        } else {
            position += lines.rest(from: position).prefix { $0 == " " || $0 == "\t" }.count
        }
        take(taken, isJump: true)
        return true
    }

    /// The end of the text on a line: its start when there is none.
    private func textEnd(ofLine line: Int) -> Int {
        let range = lines.range(ofLine: line)
        if style == .block {
            return lines.scalars[range].allSatisfy { $0 == " " } ? range.lowerBound : range.upperBound
        }
        return lines.scalars[range].lastIndex { $0 != " " && $0 != "\t" }.map { $0 + 1 } ?? range.lowerBound
    }

    private mutating func take(_ count: Int, isJump: Bool) {
        for letter in letters[index..<min(index + count, letters.count)] { offset += UTF8.width(letter) }
        index += count
        if isJump { pieces.append(SourceText.Piece(offset: offset, at: lines.place(of: position))) }
    }
}

extension YAMLLines {
    /// A text with the places of its letters.
    func source(of text: String, _ style: YAMLEvent.Style, _ event: YAMLEvent) -> SourceText {
        var start = contentStart(of: event)
        var indentation = 0
        switch style {
        case .plain: break
        case .singleQuoted, .doubleQuoted: start += 1
        case .block: (start, indentation) = blockStart(below: line(of: start))
        }
        let pieces = YAMLTextWalk.pieces(of: text, style, indentation: indentation, from: start, in: self)
        return SourceText(text, at: place(of: start), pieces: pieces)
    }

    /// True for a list or a mapping that begins with a bracket or a brace.
    func beginsWithBracket(_ event: YAMLEvent) -> Bool {
        scalars[contentStart(of: event)...].first.map("[{".unicodeScalars.contains) ?? false
    }

    /// The position of a node behind its anchor and its tag.
    private func contentStart(of event: YAMLEvent) -> Int {
        var index = event.start
        guard event.anchor != nil || event.hasTag else { return index }
        while index < event.end, "&!#".unicodeScalars.contains(scalars[index]) {
            let isComment = scalars[index] == "#"
            let isEnd = { (scalar: Unicode.Scalar) in
                scalar.endsLine || !isComment && (scalar == " " || scalar == "\t")
            }
            index = scalars[index...].firstIndex(where: isEnd) ?? scalars.count
            let isBlank = { (scalar: Unicode.Scalar) in scalar.endsLine || scalar == " " || scalar == "\t" }
            index += scalars[index...].prefix(while: isBlank).count
        }
        return min(index, event.end)
    }

    /// The position of a block's first letter, and the spaces before its first line that is not empty.
    private func blockStart(below header: Int) -> (start: Int, indentation: Int) {
        guard header < count else { return (scalars.count, 0) }
        let below = (header + 1...count).lazy.map { scalars[range(ofLine: $0)] }
        let content = below.first { !$0.allSatisfy { $0 == " " } } ?? scalars[range(ofLine: count)]
        let indentation = content.prefix { $0 == " " }.count
        let first = range(ofLine: header + 1)
        return (min(first.lowerBound + indentation, first.upperBound), indentation)
    }
}
