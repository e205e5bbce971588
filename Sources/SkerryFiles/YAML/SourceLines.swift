import SkerryDevice

/// The lines of a YAML text, to find places in it.
///
/// Lines end where YAML ends them: at LF, CR LF, CR, U+0085, U+2028 and U+2029. Marks of a YAML parser count
/// Unicode scalars; places count characters, as people and editors do.
struct SourceLines: Sendable {
    private let scalars: [Unicode.Scalar]
    private let ranges: [Range<Int>]
    /// For each scalar the number of characters before it in its line; empty when all of them are ASCII.
    private let columns: [Int32]

    init(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        var ranges: [Range<Int>] = []
        var start = 0
        var index = 0
        while index < scalars.count {
            guard scalars[index].endsLine else {
                index += 1
                continue
            }
            ranges.append(start..<index)
            let isPair = scalars[index] == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
            start = index + (isPair ? 2 : 1)
            index = start
        }
        ranges.append(start..<scalars.count)
        self.scalars = scalars
        self.ranges = ranges
        columns = text.utf8.allSatisfy { $0 < 0x80 } ? [] : SourceLines.columns(of: scalars, ranges)
    }

    private static func columns(of scalars: [Unicode.Scalar], _ ranges: [Range<Int>]) -> [Int32] {
        var columns = [Int32](repeating: 0, count: scalars.count)
        for range in ranges {
            var position = range.lowerBound
            for (column, character) in SourceLines.text(scalars[range]).enumerated() {
                for _ in character.unicodeScalars {
                    columns[position] = Int32(column)
                    position += 1
                }
            }
        }
        return columns
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// How many lines there are, at least 1.
    var count: Int { ranges.count }

    /// A line without its line end, counted from 1; nil when there is none.
    func text(ofLine line: Int) -> String? {
        guard (1...count).contains(line) else { return nil }
        return SourceLines.text(scalars[ranges[line - 1]])
    }

    /// Whether a line, counted from 1, is empty or does not exist.
    func isEmpty(line: Int) -> Bool {
        !(1...count).contains(line) || ranges[line - 1].isEmpty
    }

    /// The place of a mark whose line and column count from 1 and whose column counts scalars.
    ///
    /// A mark behind the end of a line stands for that end, one behind the last line for the end of the text.
    func place(line: Int, scalarColumn: Int) -> Place {
        let line = max(1, line)
        guard line <= count else { return place(line: count, scalarColumn: .max / 2) }
        let range = ranges[line - 1]
        let position = range.lowerBound + max(0, scalarColumn - 1)
        guard !columns.isEmpty else {
            return Place(line: line, column: min(position, range.upperBound) - range.lowerBound + 1)
        }
        if position < range.upperBound { return Place(line: line, column: Int(columns[position]) + 1) }
        let last = range.isEmpty ? 0 : Int(columns[range.upperBound - 1]) + 1
        return Place(line: line, column: last + 1)
    }

    /// Where a text ends.
    static func end(of text: String) -> Place {
        let lines = SourceLines(text)
        return lines.place(line: lines.count, scalarColumn: .max / 2)
    }

    /// The scalars of a line from a column on, both counted from 1; empty where there are none.
    func rest(ofLine line: Int, fromScalarColumn column: Int) -> ArraySlice<Unicode.Scalar> {
        guard (1...count).contains(line) else { return [] }
        let range = ranges[line - 1]
        return scalars[min(range.lowerBound + max(0, column - 1), range.upperBound)..<range.upperBound]
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
