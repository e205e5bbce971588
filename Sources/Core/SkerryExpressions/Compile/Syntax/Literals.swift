import SkerryValues

extension Lexer {
    /// Reads a number at the position: whole without sign, unsigned with `u`, or a double.
    mutating func number() throws(ExpressionProblem.Finding) -> Token.Kind {
        let start = position
        if peek() == UInt8(ascii: "0"), peek(1) == UInt8(ascii: "x"), hexValue(peek(2)) != nil {
            position += 2
            while hexValue(peek()) != nil { position += 1 }
            return try wholeNumber(digits: start + 2..<position, radix: 16, from: start)
        }
        while isDigit(peek()) { position += 1 }
        guard skipFraction() || skipExponent() else {
            return try wholeNumber(digits: start..<position, radix: 10, from: start)
        }
        _ = skipExponent()
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let value = Double(text[...].first == "." ? "0" + text : text), value.isFinite else {
            throw ExpressionProblem.Finding(
                .badLiteral,
                "the number does not fit a double",
                at: range(from: start)
            )
        }
        return .literal(.double(value))
    }

    private mutating func skipFraction() -> Bool {
        guard peek() == UInt8(ascii: "."), isDigit(peek(1)) else { return false }
        position += 1
        while isDigit(peek()) { position += 1 }
        return true
    }

    private mutating func skipExponent() -> Bool {
        guard peek() | 0x20 == UInt8(ascii: "e") else { return false }
        let sign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-") ? 1 : 0
        guard isDigit(peek(1 + sign)) else { return false }
        position += 1 + sign
        while isDigit(peek()) { position += 1 }
        return true
    }

    private mutating func wholeNumber(
        digits: Range<Int>,
        radix: UInt64,
        from start: Int
    ) throws(ExpressionProblem.Finding) -> Token.Kind {
        var magnitude: UInt64 = 0
        for index in digits {
            let (product, tooBig) = magnitude.multipliedReportingOverflow(by: radix)
            let (sum, overflow) = product.addingReportingOverflow(UInt64(hexValue(bytes[index]) ?? 0))
            if tooBig || overflow {
                throw ExpressionProblem.Finding(
                    .badLiteral,
                    "the number does not fit 64 bits",
                    at: range(from: start)
                )
            }
            magnitude = sum
        }
        guard peek() | 0x20 == UInt8(ascii: "u") else { return .integer(magnitude) }
        position += 1
        return .literal(.uint(magnitude))
    }

    /// Reads a string or bytes literal if one starts at the position.
    mutating func quotedLiteral() throws(ExpressionProblem.Finding) -> Value? {
        var length = 0
        let isBytes = peek() | 0x20 == UInt8(ascii: "b")
        if isBytes { length += 1 }
        let isRaw = peek(length) | 0x20 == UInt8(ascii: "r")
        if isRaw { length += 1 }
        let quote = peek(length)
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let start = position
        let isTriple = peek(length + 1) == quote && peek(length + 2) == quote
        position += length + (isTriple ? 3 : 1)
        let content = try quotedContent(
            quote: quote,
            isTriple: isTriple,
            isRaw: isRaw,
            isBytes: isBytes,
            from: start
        )
        return isBytes ? .bytes(content) : .string(String(decoding: content, as: UTF8.self))
    }

    private mutating func quotedContent(
        quote: UInt8,
        isTriple: Bool,
        isRaw: Bool,
        isBytes: Bool,
        from start: Int
    ) throws(ExpressionProblem.Finding) -> [UInt8] {
        var content: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            if byte == quote, !isTriple || (peek(1) == quote && peek(2) == quote) {
                position += isTriple ? 3 : 1
                return content
            }
            if byte == 0x0A || byte == 0x0D, !isTriple { break }
            if byte == UInt8(ascii: "\\"), !isRaw {
                try appendEscape(to: &content, isBytes: isBytes)
            } else {
                content.append(byte)
                position += 1
            }
        }
        throw ExpressionProblem.Finding(
            .badLiteral,
            "the text literal is not closed",
            at: range(from: start)
        )
    }

    private mutating func appendEscape(
        to content: inout [UInt8],
        isBytes: Bool
    ) throws(ExpressionProblem.Finding) {
        let start = position
        let letter = peek(1)
        position += 2
        if let byte = simpleEscape(letter) {
            content.append(byte)
            return
        }
        let code: UInt32?
        switch letter {
        case UInt8(ascii: "x"), UInt8(ascii: "X"): code = digits(2, radix: 16)
        case UInt8(ascii: "u") where !isBytes: code = scalarOfFourDigits()
        case UInt8(ascii: "U") where !isBytes: code = digits(8, radix: 16)
        case UInt8(ascii: "0")...UInt8(ascii: "3"):
            position -= 1
            code = digits(3, radix: 8)
        default: code = nil
        }
        if let code, isBytes, let byte = UInt8(exactly: code) {
            content.append(byte)
        } else if let code, !isBytes, let scalar = Unicode.Scalar(code) {
            content.append(contentsOf: String(scalar).utf8)
        } else {
            position = min(position, bytes.count)
            throw ExpressionProblem.Finding(
                .badLiteral,
                "no such escape in a text literal",
                at: range(from: start),
                hint: "a backslash itself is written '\\\\'"
            )
        }
    }

    private func simpleEscape(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "a"): 0x07
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "v"): 0x0B
        case UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
            letter
        default: nil
        }
    }

    /// The code behind `\u`; beyond the first 65,536 it takes two escapes, a surrogate pair.
    private mutating func scalarOfFourDigits() -> UInt32? {
        guard let high = digits(4, radix: 16) else { return nil }
        guard (0xD800...0xDBFF).contains(high), peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u")
        else { return high }
        position += 2
        guard let low = digits(4, radix: 16), (0xDC00...0xDFFF).contains(low) else { return nil }
        return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)
    }

    private mutating func digits(_ count: Int, radix: UInt32) -> UInt32? {
        var code: UInt32 = 0
        for _ in 0..<count {
            guard let digit = hexValue(peek()), digit < radix else { return nil }
            code = code << (radix == 16 ? 4 : 3) | digit
            position += 1
        }
        return code
    }
}
