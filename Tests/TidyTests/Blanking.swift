/// Puts blanks in place of what is not code, byte by byte.
struct Blanking {
    private let bytes: [UInt8]
    private var result: [UInt8]
    private var index = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
        result = bytes
    }

    mutating func code() -> [UInt8] {
        skipCode(untilParenthesis: false)
        return result
    }

    /// Reads code up to the end of the file or, in an interpolation, up to its closing parenthesis.
    private mutating func skipCode(untilParenthesis: Bool) {
        var depth = 0
        while index < bytes.count {
            if starts("//") {
                blank(while: { $0 != UInt8(ascii: "\n") })
            } else if starts("/*") {
                blankComment()
            } else if let pounds = poundsOfText() {
                blankText(pounds: pounds)
            } else if bytes[index] == UInt8(ascii: "`") {
                index += 1
                blank(while: { $0 != UInt8(ascii: "`") && $0 != UInt8(ascii: "\n") })
                index += 1
            } else {
                if bytes[index] == UInt8(ascii: "(") { depth += 1 }
                if bytes[index] == UInt8(ascii: ")") {
                    if untilParenthesis, depth == 0 { return }
                    depth -= 1
                }
                index += 1
            }
        }
    }

    /// The number of `#` before the quote, or nil when no text starts here.
    private func poundsOfText() -> Int? {
        var end = index
        while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
        return end < bytes.count && bytes[end] == UInt8(ascii: "\"") ? end - index : nil
    }

    private mutating func blankComment() {
        var depth = 0
        repeat {
            if starts("/*") {
                depth += 1
                blank(count: 2)
            } else if starts("*/") {
                depth -= 1
                blank(count: 2)
            } else {
                blank(count: 1)
            }
        } while depth > 0 && index < bytes.count
    }

    private mutating func blankText(pounds: Int) {
        let marks = String(repeating: "#", count: pounds)
        blank(count: pounds)
        let quotes = starts("\"\"\"") ? "\"\"\"" : "\""
        blank(count: quotes.utf8.count)
        while index < bytes.count {
            if starts(quotes + marks) {
                blank(count: quotes.utf8.count + pounds)
                return
            }
            if starts("\\" + marks + "(") {
                blank(count: 2 + pounds)
                skipCode(untilParenthesis: true)
                blank(count: 1)
            } else if starts("\\" + marks) {
                blank(count: 2 + pounds)
            } else if quotes == "\"", bytes[index] == UInt8(ascii: "\n") {
                return
            } else {
                blank(count: 1)
            }
        }
    }

    private func starts(_ text: String) -> Bool {
        // Most bytes differ from the first, which costs far less to compare than a slice in a debug build.
        index < bytes.count && bytes[index] == text.utf8.first && bytes[index...].starts(with: text.utf8)
    }

    private mutating func blank(count: Int) {
        for _ in 0..<count where index < bytes.count {
            if bytes[index] != UInt8(ascii: "\n") { result[index] = UInt8(ascii: " ") }
            index += 1
        }
    }

    private mutating func blank(while matches: (UInt8) -> Bool) {
        while index < bytes.count, matches(bytes[index]) { blank(count: 1) }
    }
}
