import SkerryValues

/// Names of activities for services that take letters, digits, `_` and `-` only, and 64 of them at most.
enum SinkTag {
    /// The name of an activity: what can be read of its id, and a mark that tells all activities apart.
    ///
    /// A run has a name of its own, because its start is a part of the id.
    static func name(of activity: String) -> String {
        let plain = activity.utf8.prefix(47).map { isPlain($0) ? $0 : UInt8(ascii: "_") }
        return "\(String(decoding: plain, as: UTF8.self))-\(mark(of: activity))"
    }

    /// A mark of a text, 16 digits.
    static func mark(of text: String) -> String {
        let digits = String(text.utf8.fingerprint, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension JSONWriter {
    /// Writes a member that is a text.
    mutating func member(_ name: String, _ text: String) {
        key(name)
        string(text)
    }

    /// Writes a member that is a whole number.
    mutating func member(_ name: String, _ number: Int64) {
        key(name)
        int(number)
    }

    /// Writes a member that is true.
    mutating func mark(_ name: String) {
        key(name)
        bool(true)
    }
}
