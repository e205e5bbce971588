/// The smallest part of a text that may be written in another language than CEL.
struct ForeignToken {
    enum Kind {
        case name, number, text, sign, end
    }

    var kind: Kind
    /// As it is written; a text in quotes of another kind, as CEL has it.
    var text: String
    var range: SourceRange
    /// For a text with values in it, such as `f"{x} W"`: what it is put together from.
    var pieces: [Piece] = []
    /// True if the quotes are foreign to CEL.
    var isForeign = false

    /// A part of a text with values in it.
    enum Piece {
        case literal(String)
        case value(SourceRange)
    }

    func isSign(_ sign: String) -> Bool { kind == .sign && haveSameBytes(text, sign) }

    func isName(_ name: String) -> Bool { kind == .name && haveSameBytes(text, name) }
}

/// Cuts a text into tokens without refusing anything.
struct ForeignLexer {
    let bytes: [UInt8]
    let end: Int
    var position: Int

    /// Signs of two and more characters, the longest first.
    private static let signs = [
        "===", "!==", "==", "!=", "<>", "<=", ">=", "=>", "=~", "->", ":=", "&&", "||", "??", "?.", "?:",
        "**",
    ]

    /// The tokens of a part of a text, the last one of kind `end`.
    static func tokens(_ bytes: [UInt8], in range: SourceRange) -> [ForeignToken] {
        var lexer = ForeignLexer(bytes: bytes, end: range.end, position: range.start)
        var tokens: [ForeignToken] = []
        while let token = lexer.next() { tokens.append(token) }
        tokens.append(
            ForeignToken(kind: .end, text: "", range: SourceRange(start: range.end, end: range.end))
        )
        return tokens
    }

    private func peek(_ distance: Int = 0) -> UInt8 {
        position + distance < end ? bytes[position + distance] : 0
    }

    private func slice(_ start: Int, _ end: Int) -> String {
        String(decoding: bytes[start..<max(start, min(end, self.end))], as: UTF8.self)
    }

    private func token(_ kind: ForeignToken.Kind, from start: Int) -> ForeignToken {
        ForeignToken(
            kind: kind,
            text: slice(start, position),
            range: SourceRange(start: start, end: position)
        )
    }

    private mutating func next() -> ForeignToken? {
        skipBlanks()
        guard position < end else { return nil }
        let start = position
        if let text = quoted() { return text }
        if isLetter(peek()) {
            while isLetter(peek()) || isDigit(peek()) { position += 1 }
            return token(.name, from: start)
        }
        if isDigit(peek()) || (peek() == UInt8(ascii: ".") && isDigit(peek(1))) {
            return number()
        }
        for sign in Self.signs where bytes[start..<end].starts(with: sign.utf8) {
            position += sign.utf8.count
            return token(.sign, from: start)
        }
        position += 1
        while position < end, bytes[position] & 0xC0 == 0x80 { position += 1 }
        return token(.sign, from: start)
    }

    private mutating func skipBlanks() {
        while position < end {
            switch peek() {
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D: position += 1
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                while position < end, peek() != 0x0A { position += 1 }
            default: return
            }
        }
    }

    private mutating func number() -> ForeignToken {
        let start = position
        if peek() == UInt8(ascii: "0"), peek(1) | 0x20 == UInt8(ascii: "x") { position += 2 }
        let isHexadecimal = position > start
        while isDigit(peek()) || (isHexadecimal && hexValue(peek()) != nil) { position += 1 }
        if peek() == UInt8(ascii: "."), isDigit(peek(1)) {
            position += 1
            while isDigit(peek()) { position += 1 }
        }
        if peek() | 0x20 == UInt8(ascii: "e"), isDigit(peek(1)) || (peek(1) < 0x30 && isDigit(peek(2))) {
            position += 2
            while isDigit(peek()) { position += 1 }
        }
        if peek() == UInt8(ascii: "u"), !isLetter(peek(1)) { position += 1 }
        return token(.number, from: start)
    }

    // MARK: Texts

    private mutating func quoted() -> ForeignToken? {
        if let text = curled() { return text }
        let start = position
        var prefix = 0
        while prefix < 2, isPrefix(peek(prefix)) { prefix += 1 }
        let quote = peek(prefix)
        let isTemplate = quote == UInt8(ascii: "`")
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") || (isTemplate && prefix == 0) else {
            return nil
        }
        let takesValues = isTemplate || (0..<prefix).contains { peek($0) | 0x20 == UInt8(ascii: "f") }
        position += prefix + 1
        let content = position
        while position < end, peek() != quote {
            position += peek() == UInt8(ascii: "\\") ? 2 : 1
        }
        let contentEnd = min(position, end)
        position = min(position + 1, end)
        var result = token(.text, from: start)
        guard takesValues else { return result }
        result.isForeign = true
        result.pieces = pieces(from: content, to: contentEnd)
        return result
    }

    private func isPrefix(_ byte: UInt8) -> Bool {
        switch byte | 0x20 {
        case UInt8(ascii: "b"), UInt8(ascii: "r"), UInt8(ascii: "f"): true
        default: false
        }
    }

    /// A text in the quotes of a word processor.
    private mutating func curled() -> ForeignToken? {
        let start = position
        guard let opening = curledLength(start) else { return nil }
        position += opening
        let content = position
        while position < end, curledLength(position) == nil { position += 1 }
        let contentEnd = position
        position = min(position + (curledLength(position) ?? 0), end)
        var result = token(.text, from: start)
        result.text = "\"" + slice(content, contentEnd) + "\""
        result.isForeign = true
        return result
    }

    /// The bytes of one of `‘ ’ ‚ “ ” „ « »` at a place; nil when there is none.
    private func curledLength(_ place: Int) -> Int? {
        let byte = { (distance: Int) in place + distance < end ? bytes[place + distance] : 0 }
        if byte(0) == 0xC2, byte(1) == 0xAB || byte(1) == 0xBB { return 2 }
        guard byte(0) == 0xE2, byte(1) == 0x80, (0x98...0x9E).contains(byte(2)) else { return nil }
        return 3
    }

    private func pieces(from start: Int, to end: Int) -> [ForeignToken.Piece] {
        var pieces: [ForeignToken.Piece] = []
        var literal = start
        var place = start
        while place < end {
            guard bytes[place] == UInt8(ascii: "{") else {
                place += 1
                continue
            }
            let hasDollar = place > literal && bytes[place - 1] == UInt8(ascii: "$")
            if place - (hasDollar ? 1 : 0) > literal {
                pieces.append(.literal(slice(literal, place - (hasDollar ? 1 : 0))))
            }
            var close = place + 1
            while close < end, bytes[close] != UInt8(ascii: "}") { close += 1 }
            pieces.append(.value(SourceRange(start: place + 1, end: close)))
            place = min(close + 1, end)
            literal = place
        }
        if literal < end { pieces.append(.literal(slice(literal, end))) }
        return pieces
    }
}
