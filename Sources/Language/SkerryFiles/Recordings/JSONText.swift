import SkerryValues

/// Pieces of JSON text, written as `mosquitto_sub -F '%j'` writes them.
enum JSONText {
    /// Appends a JSON string with quotes.
    ///
    /// Bytes that are not UTF-8 stay as they are; `/` is not escaped.
    static func append(_ bytes: ArraySlice<UInt8>, to json: inout [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            let capacity = bytes.count * longestEscape + 2
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
                let count = write(bytes, into: buffer)
                json.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }

    /// The text that stands between the quotes of a JSON string, without its escapes; as it is if it can't be read.
    static func plain(_ written: ArraySlice<UInt8>) -> [UInt8] {
        guard written.contains(0x5C) else { return Array(written) }
        let json = [0x22] + written + [0x22]
        guard case .string(let text)? = try? JSONReader.value(of: json.span) else { return Array(written) }
        return Array(text.utf8)
    }

    /// The text with its escapes, as it stands between the quotes of a JSON string.
    static func written(_ plain: [UInt8]) -> [UInt8] {
        var json: [UInt8] = []
        append(plain[...], to: &json)
        return Array(json.dropFirst().dropLast())
    }

    /// The length of `\u001f` in bytes.
    private static let longestEscape = 6

    private static func write(
        _ bytes: UnsafeBufferPointer<UInt8>,
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        buffer[0] = 0x22
        var count = 1
        for byte in bytes {
            if byte >= 0x20, byte != 0x22, byte != 0x5C {
                buffer[count] = byte
                count += 1
            } else {
                buffer[count] = 0x5C
                count += 1 + writeEscape(of: byte, into: buffer, at: count + 1)
            }
        }
        buffer[count] = 0x22
        return count + 1
    }

    private static func writeEscape(
        of byte: UInt8,
        into buffer: UnsafeMutableBufferPointer<UInt8>,
        at position: Int
    ) -> Int {
        let letter: UInt8
        switch byte {
        case 0x22, 0x5C: letter = byte
        case 0x08: letter = UInt8(ascii: "b")
        case 0x0C: letter = UInt8(ascii: "f")
        case 0x0A: letter = UInt8(ascii: "n")
        case 0x0D: letter = UInt8(ascii: "r")
        case 0x09: letter = UInt8(ascii: "t")
        default:
            buffer[position] = UInt8(ascii: "u")
            buffer[position + 1] = UInt8(ascii: "0")
            buffer[position + 2] = UInt8(ascii: "0")
            buffer[position + 3] = UInt8(ascii: "0") + (byte >> 4)
            buffer[position + 4] = byte & 15 < 10 ? 0x30 + (byte & 15) : 0x57 + (byte & 15)
            return 5
        }
        buffer[position] = letter
        return 1
    }

    /// Returns whether a text is a number in the grammar of RFC 8259.
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
