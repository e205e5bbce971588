import SkerryValues

/// A text that equals another one only byte for byte.
///
/// Strings of Swift are also equal when they write the same characters in other code points, such as é in one or in two
/// (Unicode canonical equivalence, UAX #15). Topics of MQTT are not, and neither are the names of devices in them.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.hasSameCodePoints(as: right.text)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
