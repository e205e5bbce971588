import SkerryValues

/// Cuts a text into tokens.
struct Lexer {
    let bytes: [UInt8]
    var position: Int
    /// True if an unmatched closing brace ends the expression, as in a template.
    let endsAtBrace: Bool
    private var openBraces = 0

    init(_ bytes: [UInt8], from start: Int = 0, endsAtBrace: Bool = false) {
        self.bytes = bytes
        self.position = start
        self.endsAtBrace = endsAtBrace
    }

    /// All tokens, the last one of kind `end`.
    mutating func tokens() throws(ExpressionProblem.Finding) -> [Token] {
        var tokens: [Token] = []
        while true {
            let token = try next()
            tokens.append(token)
            if case .end = token.kind { return tokens }
        }
    }

    /// The byte at a distance from the position; 0 past the end.
    func peek(_ distance: Int = 0) -> UInt8 {
        position + distance < bytes.count ? bytes[position + distance] : 0
    }

    func range(from start: Int) -> SourceRange { SourceRange(start: start, end: position) }

    private mutating func next() throws(ExpressionProblem.Finding) -> Token {
        skipBlanks()
        let start = position
        guard start < bytes.count else { return Token(kind: .end, range: range(from: start)) }
        let byte = bytes[start]
        if let literal = try quotedLiteral() {
            return Token(kind: .literal(literal), range: range(from: start))
        }
        if isLetter(byte) { return name() }
        if isDigit(byte) || (byte == UInt8(ascii: ".") && isDigit(peek(1))) {
            let kind = try number()
            return Token(kind: kind, range: range(from: start))
        }
        if byte == UInt8(ascii: "`") { return try quotedField() }
        guard let symbol = symbol() else {
            position += 1
            while position < bytes.count, bytes[position] & 0xC0 == 0x80 { position += 1 }
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            throw ExpressionProblem.Finding(
                .syntax,
                isInvisible(text)
                    ? "there is a character here that looks like a blank, or like nothing"
                    : "unexpected character '" + text + "'",
                at: range(from: start),
                hint: isInvisible(text) ? "delete it, and type a blank if one belongs here" : nil
            )
        }
        if symbol == .leftBrace { openBraces += 1 }
        if symbol == .rightBrace {
            if endsAtBrace, openBraces == 0 {
                position = start
                return Token(kind: .end, range: range(from: start))
            }
            openBraces -= 1
        }
        return Token(kind: .symbol(symbol), range: range(from: start))
    }

    /// True for blanks of other widths, and for what has no width, as texts copied from a web page have them.
    private func isInvisible(_ text: String) -> Bool {
        switch text.unicodeScalars.first?.value ?? 0 {
        case 0xA0, 0xAD, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x2064, 0x3000, 0xFEFF: true
        default: false
        }
    }

    private mutating func skipBlanks() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D: position += 1
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                while position < bytes.count, bytes[position] != 0x0A { position += 1 }
            default: return
            }
        }
    }

    private mutating func name() -> Token {
        let start = position
        while isLetter(peek()) || isDigit(peek()) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        let kind: Token.Kind =
            switch text {
            case "true": .literal(.bool(true))
            case "false": .literal(.bool(false))
            case "null": .literal(.null)
            case "in": .symbol(.in)
            default: .identifier(text)
            }
        return Token(kind: kind, range: range(from: start))
    }

    private mutating func quotedField() throws(ExpressionProblem.Finding) -> Token {
        let start = position
        position += 1
        while isFieldByte(peek()) { position += 1 }
        guard peek() == UInt8(ascii: "`"), position > start + 1 else {
            throw ExpressionProblem.Finding(
                .syntax,
                "a field name in back quotes is not closed or empty",
                at: range(from: start),
                hint: "it may have letters, digits, '_', '.', '-', '/' and blanks"
            )
        }
        position += 1
        let text = String(decoding: bytes[start + 1..<position - 1], as: UTF8.self)
        return Token(kind: .quotedField(text), range: range(from: start))
    }

    private func isFieldByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: " "): true
        default: isLetter(byte) || isDigit(byte)
        }
    }

    private mutating func symbol() -> Symbol? {
        let pair = pairedSymbol()
        if let pair {
            position += 2
            return pair
        }
        let single = singleSymbol()
        if single != nil { position += 1 }
        return single
    }

    private func pairedSymbol() -> Symbol? {
        switch (peek(), peek(1)) {
        case (UInt8(ascii: "<"), UInt8(ascii: "=")): .lessOrEqual
        case (UInt8(ascii: ">"), UInt8(ascii: "=")): .greaterOrEqual
        case (UInt8(ascii: "="), UInt8(ascii: "=")): .equal
        case (UInt8(ascii: "!"), UInt8(ascii: "=")): .notEqual
        case (UInt8(ascii: "&"), UInt8(ascii: "&")): .and
        case (UInt8(ascii: "|"), UInt8(ascii: "|")): .or
        default: nil
        }
    }

    private func singleSymbol() -> Symbol? {
        switch peek() {
        case UInt8(ascii: "("): .leftParenthesis
        case UInt8(ascii: ")"): .rightParenthesis
        case UInt8(ascii: "["): .leftBracket
        case UInt8(ascii: "]"): .rightBracket
        case UInt8(ascii: "{"): .leftBrace
        case UInt8(ascii: "}"): .rightBrace
        case UInt8(ascii: "."): .dot
        case UInt8(ascii: ","): .comma
        case UInt8(ascii: ":"): .colon
        case UInt8(ascii: "?"): .question
        case UInt8(ascii: "+"): .plus
        case UInt8(ascii: "-"): .minus
        case UInt8(ascii: "*"): .star
        case UInt8(ascii: "/"): .slash
        case UInt8(ascii: "%"): .percent
        case UInt8(ascii: "!"): .not
        case UInt8(ascii: "<"): .less
        case UInt8(ascii: ">"): .greater
        default: nil
        }
    }
}
