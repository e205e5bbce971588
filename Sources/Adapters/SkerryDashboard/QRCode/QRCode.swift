/// A QR code (ISO/IEC 18004): bytes at error correction level M, in the smallest of versions 1 to 10 that holds them.
package struct QRCode: Hashable, Sendable {
    /// Modules on each side, without the quiet zone.
    package let size: Int
    private let modules: [Bool]

    /// The width of the light frame around a code, in modules.
    package static let quietZone = 4

    /// Makes the code of a text in UTF-8; nil when it has more than 213 bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = QRVersion.smallest(for: bytes.count) else { return nil }
        let codewords = version.codewords(of: bytes)
        let drawing = QRDrawing(version: version, codewords: codewords)
        let best = QRMask.allCases.map { mask in drawing.masked(with: mask) }
            .min { $0.penalty < $1.penalty }
        guard let best else { return nil }
        size = best.size
        modules = best.modules.map { $0 == .dark }
    }

    /// Returns whether a module is dark; modules outside the code, as in the quiet zone, are light.
    package func isDark(row: Int, column: Int) -> Bool {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
        return modules[row * size + column]
    }

    /// The code as an image of its own colours, which looks the same on light and on dark pages.
    package var svg: String {
        let width = size + 2 * Self.quietZone
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                let start = column
                while isDark(row: row, column: column) { column += 1 }
                if column > start {
                    path +=
                        "M\(start + Self.quietZone) \(row + Self.quietZone)h\(column - start)v1H\(start + Self.quietZone)z"
                } else {
                    column += 1
                }
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(width)" shape-rendering="crispEdges" \
            role="img" aria-label="QR code"><path fill="#fff" d="M0 0h\(width)v\(width)H0z"/><path d="\(path)"/></svg>
            """
    }

    /// The code in half blocks for terminals, two rows of modules a line, black on white whatever their colours are.
    package var terminalText: String {
        let range = -Self.quietZone..<size + Self.quietZone
        var text = ""
        for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            text += "\u{1B}[38;5;16;48;5;231m"
            for column in range {
                switch (isDark(row: row, column: column), isDark(row: row + 1, column: column)) {
                case (false, false): text += " "
                case (true, false): text += "▀"
                case (false, true): text += "▄"
                case (true, true): text += "█"
                }
            }
            text += "\u{1B}[0m\n"
        }
        return text
    }
}
