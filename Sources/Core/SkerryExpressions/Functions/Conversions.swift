public import SkerryValues

extension Value {
    /// The value as another type, or an error.
    func converted(by function: Function) -> Value {
        switch function {
        case .toBool: boolean
        case .toInt: integer
        case .toUint: unsignedInteger
        case .toDouble: floatingPoint
        case .toString: text.map { .string($0) } ?? conversionError
        case .toBytes: byteString
        case .toTimestamp: moment
        default: length
        }
    }

    /// Texts and bytes that cannot be converted are bad arguments; other types have no such conversion.
    ///
    /// Null is what devices say of a value that they do not know.
    private var conversionError: Value {
        switch self {
        case .null: .error(.unset)
        case .string, .bytes: .error(.invalidArgument)
        default: .error(.noSuchOverload)
        }
    }

    private var boolean: Value {
        switch self {
        case .bool: return self
        case .string(let text):
            switch text {
            case "1", "t", "T", "true", "TRUE", "True": return .bool(true)
            case "0", "f", "F", "false", "FALSE", "False": return .bool(false)
            default: return conversionError
            }
        default: return conversionError
        }
    }

    private var integer: Value {
        switch self {
        case .int: self
        case .uint(let number): Int64(exactly: number).map { .int($0) } ?? .error(.overflow)
        case .double(let number):
            number > -0x1p63 && number < 0x1p63 ? .int(Int64(number)) : .error(.overflow)
        case .string(let text):
            Int64(text).map { .int($0) } ?? Int64(text.leadingDigits).map { .int($0) } ?? conversionError
        case .timestamp(let moment): .int(moment.seconds)
        default: conversionError
        }
    }

    private var unsignedInteger: Value {
        switch self {
        case .uint: self
        case .int(let number): UInt64(exactly: number).map { .uint($0) } ?? .error(.overflow)
        case .double(let number):
            number >= 0 && number < 0x1p64 ? .uint(UInt64(number)) : .error(.overflow)
        case .string(let text):
            isDigit(text.utf8.first { $0 != UInt8(ascii: " ") } ?? 0)
                ? (UInt64(text) ?? UInt64(text.leadingDigits)).map { .uint($0) } ?? conversionError
                : conversionError
        default: conversionError
        }
    }

    private var floatingPoint: Value {
        switch self {
        case .double: self
        case .int(let number): .double(Double(number))
        case .uint(let number): .double(Double(number))
        case .string(let text):
            text.decimalNumber.map { finite($0, of: text) } ?? conversionError
        default: conversionError
        }
    }

    /// A number that was read; infinite only when it was written so, not because its digits are too many.
    private func finite(_ number: Double, of text: String) -> Value {
        number.isInfinite && text.utf8.contains(where: isDigit) ? .error(.overflow) : .double(number)
    }

    private var byteString: Value {
        switch self {
        case .bytes: self
        case .string(let text): .bytes(Array(text.utf8))
        case .list(let elements): Self.bytes(of: elements)
        default: conversionError
        }
    }

    private static func bytes(of elements: [Value]) -> Value {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(elements.count)
        for element in elements {
            guard case .int(let number) = element else { return .error(.noSuchOverload) }
            guard let byte = UInt8(exactly: number) else { return .error(.invalidArgument) }
            bytes.append(byte)
        }
        return .bytes(bytes)
    }

    private var moment: Value {
        switch self {
        case .timestamp: self
        case .int(let seconds): CalendarTimestamp.value(seconds: seconds, nanoseconds: 0)
        case .string(let text): CalendarTimestamp.parse(text)
        default: conversionError
        }
    }

    private var length: Value {
        switch self {
        case .duration: self
        case .string(let text): CalendarDuration.parse(text)
        default: conversionError
        }
    }

    /// The value as text, as CEL's `string()` gives it; nil where CEL has no conversion.
    ///
    /// Bytes must be valid UTF-8. Whole doubles have no `.0`.
    public var text: String? {
        switch self {
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .int(let number): String(number)
        case .uint(let number): String(number)
        case .double(let number): decimalText(number)
        case .bytes(let bytes): String(validating: bytes, as: UTF8.self)
        case .timestamp(let moment): moment.text
        case .duration(let length): length.text
        case .type(let name): name
        case .null, .list, .map, .optional, .error: nil
        }
    }

    /// A number of seconds, minutes or hours as a duration.
    func duration(inUnitsOf unit: Int64) -> Value {
        switch self {
        case .int(let count): return length(of: count, unit)
        case .uint(let count): return Int64(exactly: count).map { length(of: $0, unit) } ?? .error(.overflow)
        case .double(let count): return length(of: count, unit)
        case .string(let text):
            if let count = Int64(text) { return length(of: count, unit) }
            guard let count = text.decimalNumber, count.isFinite else {
                return .error(.invalidArgument)
            }
            return length(of: count, unit)
        default: return conversionError
        }
    }

    private func length(of count: Int64, _ unit: Int64) -> Value {
        let (seconds, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow ? .error(.overflow) : CalendarDuration.value(seconds: seconds, nanoseconds: 0)
    }

    private func length(of count: Double, _ unit: Int64) -> Value {
        guard !count.isNaN else { return .error(.invalidArgument) }
        let nanoseconds = (count * Double(unit) * Double(nanosecondsPerSecond)).rounded()
        guard nanoseconds > -0x1p63, nanoseconds < 0x1p63 else { return .error(.overflow) }
        return CalendarDuration.value(totalNanoseconds: Int64(nanoseconds))
    }
}

/// A double in the fewest digits that identify it: plain up to 21 digits, else as `1.5e+30`.
func decimalText(_ number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    let sign = number.sign == .minus ? "-" : ""
    let (digits, exponent) = shortestDigits(number.magnitude)
    if number == 0 { return sign + "0" }
    let text = String(decoding: digits, as: UTF8.self)
    if exponent < -4 || exponent >= 21 {
        let power = String(exponent.magnitude)
        let fraction = digits.count > 1 ? "." + text.dropFirst() : ""
        return sign + String(text.prefix(1)) + fraction + (exponent < 0 ? "e-" : "e+")
            + (power.utf8.count < 2 ? "0" : "") + power
    }
    if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + text }
    if digits.count <= exponent + 1 {
        return sign + text + String(repeating: "0", count: exponent + 1 - digits.count)
    }
    return sign + text.prefix(exponent + 1) + "." + text.dropFirst(exponent + 1)
}

/// The shortest decimal digits of a number and the power of ten of the first one.
private func shortestDigits(_ magnitude: Double) -> (digits: [UInt8], exponent: Int) {
    var digits: [UInt8] = []
    var pointPosition: Int?
    var power = 0
    var bytes = magnitude.description.utf8.makeIterator()
    while let byte = bytes.next() {
        if byte == UInt8(ascii: ".") {
            pointPosition = digits.count
        } else if byte == UInt8(ascii: "e") {
            var exponent = ""
            while let rest = bytes.next() { exponent.unicodeScalars.append(Unicode.Scalar(rest)) }
            power = Int(exponent) ?? 0
        } else {
            digits.append(byte)
        }
    }
    let leadingZeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    let exponent = (pointPosition ?? digits.count) - 1 + power - leadingZeros
    digits.removeFirst(leadingZeros)
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return (digits, exponent)
}
