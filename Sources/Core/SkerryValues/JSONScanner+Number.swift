/// A number as it is written, taken apart into sign, digits and power of ten.
struct JSONNumber {
    let start: Int
    var isNegative = false
    /// All digits as one whole number; meaningless when there are more than 19.
    var digits: UInt64 = 0
    /// The number of digits, leading zeros included.
    var digitCount = 0
    /// The number of digits after the point.
    var fractionCount = 0
    /// The exponent as written, held within ±1,000,000.
    var exponent = 0
    /// True if there is neither point nor exponent.
    var isWhole = true
}

extension JSONScanner {
    /// Reads the number that begins at `position` and moves behind it.
    mutating func number() throws(JSONRefusal) -> JSONNumber {
        var number = JSONNumber(start: position)
        if current == UInt8(ascii: "-") {
            number.isNegative = true
            position += 1
        }
        let first = current
        guard JSONScanner.isDigit(first) else { throw misplacedDigit(in: number) }
        takeDigits(into: &number)
        if first == UInt8(ascii: "0"), number.digitCount > 1 {
            throw JSONRefusal(problem: .badNumber, offset: number.start)
        }
        if current == UInt8(ascii: ".") {
            number.isWhole = false
            position += 1
            let wholeCount = number.digitCount
            takeDigits(into: &number)
            number.fractionCount = number.digitCount - wholeCount
            guard number.fractionCount > 0 else { throw misplacedDigit(in: number) }
        }
        if current | 0x20 == UInt8(ascii: "e") {
            number.isWhole = false
            position += 1
            try takeExponent(into: &number)
        }
        return number
    }

    /// The refusal of whatever stands where a digit must.
    private func misplacedDigit(in number: JSONNumber) -> JSONRefusal {
        guard position < end else { return refusal(.unexpectedEnd) }
        let looksLikeNumber =
            position > number.start || current == UInt8(ascii: "+") || current == UInt8(ascii: ".")
        return looksLikeNumber ? JSONRefusal(problem: .badNumber, offset: number.start) : refusal(.badSyntax)
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    @inline(__always)
    private mutating func takeDigits(into number: inout JSONNumber) {
        let start = position
        var digits = number.digits
        while position < end {
            let digit = bytes[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            digits = digits &* 10 &+ UInt64(digit)
            position += 1
        }
        number.digits = digits
        number.digitCount += position - start
    }

    private mutating func takeExponent(into number: inout JSONNumber) throws(JSONRefusal) {
        let isNegative = current == UInt8(ascii: "-")
        if isNegative || current == UInt8(ascii: "+") { position += 1 }
        guard JSONScanner.isDigit(current) else { throw misplacedDigit(in: number) }
        var exponent = 0
        while JSONScanner.isDigit(current) {
            // Held, so that no number of digits overflows; it is beyond every double either way.
            exponent = min(exponent * 10 + Int(current &- UInt8(ascii: "0")), 1_000_000)
            position += 1
        }
        number.exponent = isNegative ? -exponent : exponent
    }
}

extension JSONNumber {
    /// Refuses a number whose value no double can hold.
    @inline(__always)
    func checkRange(_ scanner: borrowing JSONScanner) throws(JSONRefusal) {
        // Less than 10^308 whatever the digits are.
        if digitCount - fractionCount + exponent <= 308 { return }
        _ = try exactDouble(scanner)
    }

    /// The number as an integer when it is written as one and fits, else as the nearest double.
    ///
    /// `-0` is the integer 0.
    @inline(__always)
    func value(_ scanner: borrowing JSONScanner) throws(JSONRefusal) -> Value {
        // Nineteen digits always fit 64 bits, twenty may not.
        guard digitCount <= 19 else { return .double(try exactDouble(scanner)) }
        if isWhole {
            if digits <= UInt64(Int64.max) { return .int(isNegative ? -Int64(digits) : Int64(digits)) }
            if isNegative, digits == Int64.min.magnitude { return .int(.min) }
        }
        let power = exponent - fractionCount
        guard digits <= 1 << 53, (-22...22).contains(power) else { return .double(try exactDouble(scanner)) }
        // Digits and power of ten are exact doubles, so that one operation rounds once (Clinger's fast path).
        var scale = 1.0
        for _ in 0..<abs(power) { scale *= 10 }
        let magnitude = power < 0 ? Double(digits) / scale : Double(digits) * scale
        return .double(isNegative ? -magnitude : magnitude)
    }

    /// The nearest double, by the standard library's reading of the text.
    private func exactDouble(_ scanner: borrowing JSONScanner) throws(JSONRefusal) -> Double {
        let text = UnsafeBufferPointer(start: scanner.bytes + start, count: scanner.position - start)
        guard let double = Double(String(decoding: text, as: UTF8.self)), double.isFinite else {
            throw JSONRefusal(problem: .numberOutOfRange, offset: start)
        }
        return double
    }
}
