/// Splits a script into tokens.
struct ScriptLexer {
    enum Token: Equatable {
        case name(String)
        case number(Double)
        case text(String)
        case sign(String)
    }

    private static let signs = [
        "===", "!==", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "(", ")", "[",
        "]", "{", "}",
        ".", ",", ":", ";", "?", "!", "<", ">", "+", "-", "*", "/", "%", "=",
    ]

    private var rest: Substring

    static func tokens(of text: String) throws(ScriptError) -> [Token] {
        var lexer = ScriptLexer(rest: Substring(text))
        var tokens: [Token] = []
        while let token = try lexer.next() { tokens.append(token) }
        return tokens
    }

    private mutating func next() throws(ScriptError) -> Token? {
        skipBlanks()
        guard let first = rest.unicodeScalars.first else { return nil }
        if first == "'" || first == "\"" { return .text(try text()) }
        if ("0"..."9").contains(first) || isFraction { return .number(try number()) }
        if isPartOfName(first) {
            let name = rest.prefix {
                $0.unicodeScalars.allSatisfy { isPartOfName($0) || ("0"..."9").contains($0) }
            }
            rest = rest.dropFirst(name.count)
            return .name(String(name))
        }
        guard let sign = Self.signs.first(where: { rest.hasPrefix($0) }) else {
            throw ScriptError(message: "'\(first)' can not stand here")
        }
        rest = rest.dropFirst(sign.count)
        return .sign(sign)
    }

    private var isFraction: Bool {
        rest.first == "." && (rest.dropFirst().first.map { ("0"..."9").contains($0) } ?? false)
    }

    private func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "$" || scalar.properties.isAlphabetic
    }

    private mutating func skipBlanks() {
        while true {
            rest = rest.drop { $0.isWhitespace }
            if rest.hasPrefix("//") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.hasPrefix("*/") { rest = rest.dropFirst() }
                rest = rest.dropFirst(2)
            } else {
                return
            }
        }
    }

    private mutating func number() throws(ScriptError) -> Double {
        var text = ""
        while let first = rest.first {
            let isExponent = text.last.map { $0 == "e" || $0 == "E" } ?? false
            guard first.isASCII,
                first.isLetter || first.isNumber || first == "." || (isExponent && "+-".contains(first))
            else { break }
            text.append(first)
            rest = rest.dropFirst()
        }
        guard let value = Double(text) else { throw ScriptError(message: "'\(text)' is no number") }
        return value
    }

    private mutating func text() throws(ScriptError) -> String {
        guard let quote = rest.popFirst() else { return "" }
        var text = ""
        while let character = rest.popFirst() {
            if character == quote { return text }
            guard character == "\\" else {
                text.append(character)
                continue
            }
            switch rest.popFirst() {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            case .some(let escaped): text.append(escaped)
            case nil: break
            }
        }
        throw ScriptError(message: "a text without end")
    }
}
