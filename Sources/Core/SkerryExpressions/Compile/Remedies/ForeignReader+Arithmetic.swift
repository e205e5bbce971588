// Sums, products and signs, with the operators that other languages have beside them.

extension ForeignReader {
    mutating func sum() -> Part? {
        guard var result = product() else { return nil }
        while token.kind == .sign {
            let sign = token
            switch sign.text {
            case "+", "-": position += 1
            case "~", "–", "−":
                position += 1
                noteOperator(sign, sign.isSign("~") ? "write '+'" : "write '-'")
            case "??", "?:":
                position += 1
                guard let next = product() else { return nil }
                noteOperator(sign, "write default(value, other)")
                result = Part("default(" + result.text + ", " + next.text + ")")
                continue
            default: return result
            }
            guard let next = product() else { return nil }
            let native = sign.isSign("~") || sign.isSign("+") ? "+" : "-"
            result = Part(result.within(.sum) + " " + native + " " + next.within(.product), .sum)
        }
        return result
    }

    private mutating func product() -> Part? {
        guard var result = signed() else { return nil }
        while token.kind == .sign || token.isName("mod") || token.isName("div") {
            let sign = token
            var native = sign.text
            switch sign.text {
            case "%" where isAfterwards(peek()):
                position += 1
                note(sign.range, "a number has no '%' after it", "leave it out")
                continue
            case "*", "/", "%": position += 1
            case "×", "·", "÷", "mod", "div":
                position += 1
                native = sign.isName("mod") ? "%" : sign.isSign("÷") || sign.isName("div") ? "/" : "*"
                noteOperator(sign, "write '" + native + "'")
            case "**", "^":
                position += 1
                guard let next = signed() else { return nil }
                noteOperator(sign, "multiply the value by itself")
                guard haveSameBytes(next.text, "2"), result.rank == .member else { return nil }
                result = Part(result.text + " * " + result.text, .product)
                continue
            default: return result
            }
            guard let next = signed() else { return nil }
            result = Part(result.within(.product) + " " + native + " " + next.within(.sign), .product)
        }
        return result
    }

    /// Returns whether a token ends an operand, so that a `%` before it is no operator.
    func isAfterwards(_ token: ForeignToken) -> Bool {
        switch token.kind {
        case .end: return true
        case .name: return ["and", "or", "if", "else"].contains { token.isName($0) }
        case .number, .text: return false
        case .sign:
            switch token.text {
            case "(", "[", "{", "-", "!", "$", ".": return false
            default: return true
            }
        }
    }

    private mutating func signed() -> Part? {
        guard depth < 40 else { return nil }
        depth += 1
        defer { depth -= 1 }
        if take("!") { return signed().map { Part("!" + $0.within(.sign), .sign) } }
        if take("-") { return signed().map { Part("-" + $0.within(.sign), .sign) } }
        if token.isName("typeof"), peek().kind == .name {
            let word = token
            position += 1
            noteOperator(word, "write type(value) == string")
            return member().map { Part("type(" + $0.text + ")") }
        }
        return member()
    }
}
