/// Pieces of JSON text, written as `mosquitto_sub -F '%j'` writes them.
enum JSONText {
    /// Appends a JSON string with quotes.
    ///
    /// Bytes that are not UTF-8 stay as they are; `/` is not escaped.
    static func append(_ bytes: ArraySlice<UInt8>, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            for index in bytes.indices where bytes[index].needsEscape {
                json.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                appendEscape(bytes[index], to: &json)
                start = index + 1
            }
            json.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        }
        json.append(UInt8(ascii: "\""))
    }

    private static func appendEscape(_ byte: UInt8, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: json.append(byte)
        case 0x08: json.append(UInt8(ascii: "b"))
        case 0x0C: json.append(UInt8(ascii: "f"))
        case 0x0A: json.append(UInt8(ascii: "n"))
        case 0x0D: json.append(UInt8(ascii: "r"))
        case 0x09: json.append(UInt8(ascii: "t"))
        default:
            let digits = Array("0123456789abcdef".utf8)
            json.append(contentsOf: "u00".utf8)
            json.append(digits[Int(byte >> 4)])
            json.append(digits[Int(byte & 15)])
        }
    }

    /// Whether a text is a number in the grammar of RFC 8259.
    static func isNumber(_ text: String) -> Bool {
        var rest = Substring(text)
        if rest.first == "-" { rest = rest.dropFirst() }
        let whole = takeDigits(&rest)
        guard whole > 0, whole == 1 || !text.drop(while: { $0 == "-" }).hasPrefix("0") else { return false }
        if rest.first == "." {
            rest = rest.dropFirst()
            guard takeDigits(&rest) > 0 else { return false }
        }
        if rest.first == "e" || rest.first == "E" {
            rest = rest.dropFirst()
            if rest.first == "+" || rest.first == "-" { rest = rest.dropFirst() }
            guard takeDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func takeDigits(_ rest: inout Substring) -> Int {
        let count = rest.utf8.prefix { (0x30...0x39).contains($0) }.count
        rest = Substring(rest.utf8.dropFirst(count))
        return count
    }
}

extension UInt8 {
    /// Whether a JSON string can't contain the byte as it is.
    fileprivate var needsEscape: Bool { self < 0x20 || self == 0x22 || self == 0x5C }
}
