/// Texts in addresses, as RFC 3986 writes them.
package enum PercentCoding {
    /// A text without its escapes; nil when one is none, or what comes out is not UTF-8.
    static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Names and values of a query, or of a body of the type `application/x-www-form-urlencoded`; what is no text is
    /// left out.
    static func form(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: "&").prefix(32).compactMap { member in
            let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { decoded($0.replacing("+", with: " ")[...]) }
            guard let name = parts[0], let value = parts.count > 1 ? parts[1] : "" else { return nil }
            return (name, value)
        }
    }

    /// A text as the value of a parameter.
    package static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte.isPlainInQuery {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The query of an address.
    static func query(_ members: [(name: String, value: String)]) -> String {
        members.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension UInt8 {
    /// True if it may stand in the value of a parameter as it is: colons and slashes may, which keeps addresses short.
    fileprivate var isPlainInQuery: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:/".utf8.contains(self)
        }
    }
}
