/// The core schema of YAML 1.2: the meaning of a text without quotes.
enum CoreSchema {
    /// The meaning of a text.
    enum Meaning: Equatable {
        case null
        case bool(Bool)
        case int(Int64)
        case double(Double)
        case text
    }

    /// The meaning of a text without quotes.
    static func meaning(of text: String) -> Meaning {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        case ".nan", ".NaN", ".NAN": return .double(.nan)
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .double(.infinity)
        case "-.inf", "-.Inf", "-.INF": return .double(-.infinity)
        default: return number(text)
        }
    }

    private static func number(_ text: String) -> Meaning {
        if text.hasPrefix("0x") { return whole(text.dropFirst(2), radix: 16) }
        if text.hasPrefix("0o") { return whole(text.dropFirst(2), radix: 8) }
        // Swift's `Double` also takes words such as `inf`, and hexadecimal fractions.
        guard text.utf8.allSatisfy(isNumberLetter), text.utf8.contains(where: { (0x30...0x39).contains($0) })
        else { return .text }
        if let value = Int64(text) { return .int(value) }
        return Double(text).map { .double($0) } ?? .text
    }

    /// A whole number without a sign, which Swift's `Int64` would take.
    private static func whole(_ digits: Substring, radix: Int) -> Meaning {
        guard let first = digits.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else {
            return .text
        }
        return Int64(digits, radix: radix).map { .int($0) } ?? .text
    }

    private static func isNumberLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
