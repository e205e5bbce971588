/// Bytes as text of 64 letters (RFC 4648).
public enum Base64 {
    /// The letters, and whether the last group is padded.
    public enum Alphabet: Sendable {
        /// With `+`, `/` and padding (section 4).
        case standard
        /// With `-`, `_` and no padding, for names and addresses (section 5).
        case url

        fileprivate var letters: StaticString {
            switch self {
            case .standard: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            case .url: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            }
        }
    }

    /// The text for bytes.
    public static func text(of bytes: [UInt8], _ alphabet: Alphabet = .standard) -> String {
        String(decoding: letters(of: bytes, alphabet), as: UTF8.self)
    }

    /// The bytes of a text of the standard alphabet, with or without its padding; nil for other texts.
    public static func bytes(of text: String) -> [UInt8]? {
        var letters = Array(text.utf8)
        if letters.count.isMultiple(of: 4) {
            for _ in 0..<2 where letters.last == UInt8(ascii: "=") { letters.removeLast() }
        }
        // Six bits alone make no byte.
        guard letters.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for letter in letters {
            guard let value = value(of: letter) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }

    /// The text for bytes, as bytes of ASCII.
    static func letters(of bytes: [UInt8], _ alphabet: Alphabet = .standard) -> [UInt8] {
        let letters = alphabet.letters
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= 8 * UInt32(3 - group.count)
            for position in 0...group.count {
                text.append(letters.utf8Start[Int(bits >> (18 - 6 * UInt32(position)) & 63)])
            }
            if alphabet == .standard {
                for _ in group.count..<3 { text.append(UInt8(ascii: "=")) }
            }
        }
        return text
    }

    private static func value(of letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
