// Devices that write the unit of a number behind it: `12 W`, `21.5 °C`, `43min`.

extension String {
    /// The number before a unit, as JSON writes numbers or with `+` or no digit before the point, with blanks around it; nil without
    /// one.
    ///
    /// What follows has no digit and does not begin with a sign of punctuation: `1 h 30 min`, `12:30`, `2026-03-01` and `1,5 W`
    /// are no numbers, nor is one that is too large for a double. The unit itself does not count.
    public var leadingNumber: Double? {
        leadingPart(isWhole: false).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// The number that `double` reads: infinite, not a number, or ``leadingNumber``.
    var decimalNumber: Double? {
        // Swift reads hexadecimals, too.
        utf8.contains { $0 | 0x20 == UInt8(ascii: "x") } ? leadingNumber : Double(self) ?? leadingNumber
    }

    /// The digits of a whole number before a unit, with its sign; empty without one.
    var leadingDigits: String { leadingPart(isWhole: true) ?? "" }

    private func leadingPart(isWhole: Bool) -> String? {
        let text = utf8.drop { $0 == 0x20 }
        var end = text.startIndex
        func skipDigits() -> Bool {
            let start = end
            while end < text.endIndex, isDigit(text[end]) { end = text.index(after: end) }
            return end > start
        }
        if text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+") { end = text.index(after: end) }
        let begins = skipDigits()
        guard begins || !isWhole && end < text.endIndex && text[end] == UInt8(ascii: ".") else { return nil }
        if !isWhole, end < text.endIndex, text[end] == UInt8(ascii: ".") {
            end = text.index(after: end)
            guard skipDigits() else { return nil }
        }
        if !isWhole, end < text.endIndex, text[end] | 0x20 == UInt8(ascii: "e") {
            let mantissa = end
            end = text.index(after: end)
            if end < text.endIndex, "+-".utf8.contains(text[end]) { end = text.index(after: end) }
            // Otherwise it is the first letter of the unit.
            if !skipDigits() { end = mantissa }
        }
        let rest = text[end...]
        guard !rest.contains(where: { isDigit($0) }) else { return nil }
        // `0xF` is written in hexadecimals, and no zero with a unit.
        let digits = text[..<end].drop { !isDigit($0) }
        if digits.elementsEqual("0".utf8), rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "x"),
            rest.dropFirst().first.flatMap({ hexValue($0) }) != nil
        {
            return nil
        }
        switch rest.first {
        case nil, 0x20?, UInt8(ascii: "%")?: break
        case let byte? where byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20): break
        default: return nil
        }
        return String(text[..<end])
    }
}
