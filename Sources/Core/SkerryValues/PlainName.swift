/// Names in the letters that most services take: `a` to `z`, `A` to `Z`, digits, `_` and `-`.
public enum PlainName {
    /// The number of digits of a mark.
    public static let markLength = 16

    /// True for a byte of ASCII that is one of the letters.
    public static func takes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Returns the text in these letters: each other byte becomes `_`, and bytes beyond a limit are cut off.
    public static func plain(_ text: String, limit: Int) -> String {
        let bytes = text.utf8.prefix(limit).map { takes($0) ? $0 : UInt8(ascii: "_") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A mark that tells texts apart whose plain forms are the same: their fingerprint in hexadecimal digits.
    public static func mark(of text: String) -> String {
        String(text.utf8.fingerprint, hexadecimalDigits: markLength)
    }
}
