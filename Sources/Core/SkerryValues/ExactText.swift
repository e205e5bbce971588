/// A text that equals another one only byte for byte.
///
/// Strings of Swift are also equal when they write the same characters in other code points, such as é in one or in two
/// (Unicode canonical equivalence, UAX #15). Topics of MQTT are not, and neither are the names of devices in them.
public struct ExactText: Hashable, Sendable {
    /// The text.
    public let text: String

    /// Makes an exact text of a text.
    public init(_ text: String) { self.text = text }

    /// Returns whether both have the same bytes.
    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.hasSameCodePoints(as: right.text)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
