import SkerryDevice

/// The lines of a YAML text, to find places in it.
///
/// Lines end where YAML ends them: at LF, CR LF, CR, U+0085, U+2028 and U+2029. Marks of a YAML parser count
/// Unicode scalars; places count characters, as people and editors do.
struct SourceLines: Sendable {
    /// The lines without their line ends, in order.
    let lines: [Substring.UnicodeScalarView]

    init(_ text: String) {
        let scalars = Substring(text).unicodeScalars
        var lines: [Substring.UnicodeScalarView] = []
        var start = scalars.startIndex
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            guard scalar.endsLine else {
                index = next
                continue
            }
            lines.append(scalars[start..<index])
            start = next
            if scalar == "\r", next < scalars.endIndex, scalars[next] == "\n" {
                start = scalars.index(after: next)
            }
            index = start
        }
        lines.append(scalars[start...])
        self.lines = lines
    }

    /// The place of a mark whose line and column count from 1 and whose column counts scalars.
    func place(line: Int, scalarColumn: Int) -> Place {
        let line = max(1, line)
        guard line <= lines.count else { return Place(line: line, column: 1) }
        let before = lines[line - 1].prefix(max(0, scalarColumn - 1))
        return Place(line: line, column: Substring(before).count + 1)
    }

    /// The place that lies so many UTF-8 bytes after the start of a text that was cut into these lines.
    static func place(ofUTF8Offset offset: Int, in bytes: some Collection<UInt8>) -> Place {
        let before = SourceLines(String(decoding: bytes.prefix(offset), as: UTF8.self)).lines
        return Place(line: before.count, column: Substring(before[before.count - 1]).count + 1)
    }

    /// The scalars of a line from a column on, both counted from 1; empty where there are none.
    func rest(ofLine line: Int, fromScalarColumn column: Int) -> Substring.UnicodeScalarView {
        guard (1...lines.count).contains(line) else { return Substring().unicodeScalars }
        return lines[line - 1].dropFirst(max(0, column - 1))
    }
}

extension Unicode.Scalar {
    /// Whether YAML ends a line at this scalar.
    var endsLine: Bool {
        switch value {
        case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}
