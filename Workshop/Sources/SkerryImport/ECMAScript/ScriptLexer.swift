/// The lexer of scripts.
struct ScriptLexer {
    struct Token {
        enum Kind: Equatable {
            case name(String)
            case number(Double)
            case text(String)
            case sign(String)
        }

        var kind: Kind
        /// The position of the first byte of UTF-8.
        var offset: Int
        /// True if there is a line break before the token.
        var startsLine: Bool
    }

    private static let signs = [
        "===", "!==", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "(", ")",
        "[", "]", "{", "}", ".", ",", ":", ";", "?", "!", "<", ">", "+", "-", "*", "/", "%", "=",
    ].map { Array($0.unicodeScalars) }

    private let scalars: [Unicode.Scalar]
    private var place = 0
    private var offset = 0
    private var sawNewline = false

    static func tokens(of text: String) throws(ScriptError) -> [Token] {
        var lexer = ScriptLexer(scalars: Array(text.unicodeScalars))
        var tokens: [Token] = []
        while let token = try lexer.next() { tokens.append(token) }
        return tokens
    }

    private init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    private func scalar(_ ahead: Int = 0) -> Unicode.Scalar? {
        place + ahead < scalars.count ? scalars[place + ahead] : nil
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where place < scalars.count {
            offset += UTF8.width(scalars[place])
            place += 1
        }
    }

    private mutating func next() throws(ScriptError) -> Token? {
        sawNewline = false
        try skipBlanks()
        guard let first = scalar() else { return nil }
        let (start, startsLine) = (offset, sawNewline)
        let kind: Token.Kind
        if first == "'" || first == "\"" {
            kind = .text(try text())
        } else if isDigit(first) || (first == "." && scalar(1).map(isDigit) ?? false) {
            kind = .number(try number())
        } else if isPartOfName(first) {
            var name = String.UnicodeScalarView()
            while let next = scalar(), isPartOfName(next) || isDigit(next) {
                name.append(next)
                advance()
            }
            kind = .name(String(name))
        } else {
            guard let sign = Self.signs.first(where: { scalars[place...].starts(with: $0) }) else {
                throw ScriptError("'\(first)' is not understood", at: offset)
            }
            advance(sign.count)
            kind = .sign(String(String.UnicodeScalarView(sign)))
        }
        return Token(kind: kind, offset: start, startsLine: startsLine)
    }

    private func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "$" || scalar.properties.isAlphabetic
    }

    private mutating func skipBlanks() throws(ScriptError) {
        while let first = scalar() {
            if first.properties.isWhitespace {
                if first == "\n" || first == "\r" { sawNewline = true }
                advance()
            } else if first == "/", scalar(1) == "/" {
                while let next = scalar(), next != "\n" { advance() }
            } else if first == "/", scalar(1) == "*" {
                let start = offset
                while let next = scalar(), next != "*" || scalar(1) != "/" {
                    if next == "\n" { sawNewline = true }
                    advance()
                }
                if scalar() == nil { throw ScriptError("a comment without end", at: start) }
                advance(2)
            } else {
                return
            }
        }
    }

    private mutating func number() throws(ScriptError) -> Double {
        let start = offset
        var text = ""
        while let next = scalar() {
            let isExponent = text.hasSuffix("e") || text.hasSuffix("E")
            guard
                isDigit(next) || isPartOfName(next) || next == "."
                    || (isExponent && "+-".contains(Character(next)))
            else { break }
            text.unicodeScalars.append(next)
            advance()
        }
        if text.hasPrefix("0x") || text.hasPrefix("0X"), let value = UInt64(text.dropFirst(2), radix: 16) {
            return Double(value)
        }
        guard let value = Double(text), text.first.map({ $0.isNumber || $0 == "." }) ?? false else {
            throw ScriptError("'\(text)' is no number", at: start)
        }
        return value
    }

    private mutating func text() throws(ScriptError) -> String {
        let (start, quote) = (offset, scalar())
        advance()
        var text = String.UnicodeScalarView()
        while let next = scalar() {
            advance()
            if next == quote { return String(text) }
            guard next == "\\" else {
                text.append(next)
                continue
            }
            guard let escaped = scalar() else { break }
            advance()
            switch escaped {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            case "u", "x": text.append(try code(digits: escaped == "u" ? 4 : 2))
            default: text.append(escaped)
            }
        }
        throw ScriptError("a text without end", at: start)
    }

    private mutating func code(digits: Int) throws(ScriptError) -> Unicode.Scalar {
        let start = offset
        var text = ""
        for _ in 0..<digits {
            if let next = scalar() { text.unicodeScalars.append(next) }
            advance()
        }
        guard let code = UInt32(text, radix: 16), let scalar = Unicode.Scalar(code) else {
            throw ScriptError("'\(text)' is no character", at: start)
        }
        return scalar
    }
}
