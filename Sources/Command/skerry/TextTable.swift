/// Lines of cells below each other, in columns.
struct TextTable {
    /// The head and the rows, without line ends.
    let lines: [String]

    /// Makes a table; each row has as many cells as the head.
    init(_ head: [String], _ rows: [[String]]) {
        let rows = [head] + rows
        let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        lines = rows.map { cells in
            let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }

    /// All lines as one text.
    var text: String { lines.map { "\($0)\n" }.joined() }
}
