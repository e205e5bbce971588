import SkerryDevice

/// The lines of a YAML text.
///
/// YAML ends lines at LF, CR LF, CR, U+0085, U+2028 and U+2029. Positions count Unicode scalars, as libyaml does; places
/// count characters, as people and editors do.
struct YAMLLines: Sendable {
    /// The text.
    let scalars: [Unicode.Scalar]
    private let ranges: [Range<Int>]
    /// For each scalar the number of characters before it in its line; empty when all of them are ASCII.
    private let columns: [Int32]
    /// The file that places are in; see `Place`.
    private let file: Int

    init(_ text: String, file: Int = 0) {
        self.file = file
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
        columns = text.utf8.allSatisfy { $0 < 0x80 } ? [] : YAMLLines.columns(of: scalars, ranges)
    }

    private static func columns(of scalars: [Unicode.Scalar], _ ranges: [Range<Int>]) -> [Int32] {
        var columns = [Int32](repeating: 0, count: scalars.count)
        for range in ranges {
            guard scalars[range].contains(where: { !$0.isASCII }) else {
                for (column, position) in range.enumerated() { columns[position] = Int32(column) }
                continue
            }
            var position = range.lowerBound
            for (column, character) in String(scalars[range]).enumerated() {
                for _ in character.unicodeScalars {
                    columns[position] = Int32(column)
                    position += 1
                }
            }
        }
        return columns
    }

    /// The number of lines, at least 1.
    var count: Int { ranges.count }

    /// A line without its line end, counted from 1; nil when there is none.
    func text(ofLine line: Int) -> String? {
        (1...count).contains(line) ? String(scalars[ranges[line - 1]]) : nil
    }

    /// The positions of a line, counted from 1, without its line end.
    func range(ofLine line: Int) -> Range<Int> { ranges[line - 1] }

    /// The number of spaces at the beginning of a line, given by its positions.
    func indentation(of line: Range<Int>) -> Int { scalars[line].prefix { $0 == " " }.count }

    /// The positions of the lines that begin with a scalar.
    func starts(with scalar: Unicode.Scalar) -> [Int] {
        ranges.filter { scalars[$0].first == scalar }.map(\.lowerBound)
    }

    /// The line of a position, from 1; positions after the text belong to the last line.
    func line(of index: Int) -> Int {
        ranges.partitionPoint { $0.lowerBound <= index }
    }

    /// The place of a position; that of a line end is behind the last character of the line.
    func place(of index: Int) -> Place {
        let line = line(of: index)
        let range = ranges[line - 1]
        if columns.isEmpty {
            return Place(line: line, column: min(index, range.upperBound) - range.lowerBound + 1, file: file)
        }
        if index < range.upperBound { return Place(line: line, column: Int(columns[index]) + 1, file: file) }
        let column = range.isEmpty ? 1 : Int(columns[range.upperBound - 1]) + 2
        return Place(line: line, column: column, file: file)
    }

    /// The scalars from a position up to the end of its line.
    func rest(from index: Int) -> ArraySlice<Unicode.Scalar> {
        let end = ranges[line(of: index) - 1].upperBound
        return scalars[min(index, end)..<end]
    }

    static func end(of text: String) -> Place {
        let lines = YAMLLines(text)
        return lines.place(of: lines.scalars.count)
    }
}

extension Array {
    /// The number of elements before the first one that does not fulfil a condition; none after it may fulfil it.
    func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
        var first = 0
        var end = count
        while first < end {
            let middle = (first + end) / 2
            if isBefore(self[middle]) { first = middle + 1 } else { end = middle }
        }
        return first
    }
}

extension String {
    /// A text of some scalars.
    init(_ scalars: ArraySlice<Unicode.Scalar>) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}

extension Unicode.Scalar {
    /// True for the scalars at which YAML ends a line.
    var endsLine: Bool {
        switch value {
        case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}
