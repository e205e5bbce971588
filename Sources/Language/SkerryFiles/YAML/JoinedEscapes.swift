/// A JSON text whose pairs of escapes for one scalar, such as `\ud83d\ude00` for 😀, are joined: YAML does not have pairs.
struct JoinedEscapes {
    /// The text with `\U0001f600` in the place of each pair, which is two scalars shorter.
    let text: String
    /// The positions of the joined escapes in the new text.
    private let joints: [Int]

    /// Joins the pairs of a text, given with its scalars; a text that does not begin like JSON stays as it is.
    init(_ text: String, _ scalars: [Unicode.Scalar]) {
        var joints: [Int] = []
        guard text.utf8.contains(UInt8(ascii: "\\")), text.first(where: { !$0.isWhitespace }) == "{" else {
            self.text = text
            self.joints = joints
            return
        }
        var result: [Unicode.Scalar] = []
        var index = 0
        var isQuoted = false
        while index < scalars.count {
            if scalars[index] == "\"" { isQuoted.toggle() }
            if isQuoted, let scalar = Self.pair(at: index, in: scalars) {
                joints.append(result.count)
                let digits = String(scalar.value, radix: 16)
                let zeros = repeatElement("0" as Unicode.Scalar, count: 8 - digits.utf8.count)
                result += ["\\", "U"] + zeros + digits.unicodeScalars
                index += 12
            } else {
                let length = isQuoted && scalars[index] == "\\" ? 2 : 1
                result += scalars[index..<min(index + length, scalars.count)]
                index += length
            }
        }
        self.text = String(result[...])
        self.joints = joints
    }

    /// The position in the given text of a position in the new one.
    func original(_ index: Int) -> Int {
        index + 2 * joints.partitionPoint { $0 < index }
    }

    /// The scalar of a pair of escapes at a position.
    private static func pair(at index: Int, in scalars: [Unicode.Scalar]) -> Unicode.Scalar? {
        guard let high = escape(at: index, in: scalars), 0xD800..<0xDC00 ~= high,
            let low = escape(at: index + 6, in: scalars), 0xDC00..<0xE000 ~= low
        else { return nil }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + low - 0xDC00)
    }

    /// The number of an escape `\uXXXX` at a position; nil when there is none.
    private static func escape(at index: Int, in scalars: [Unicode.Scalar]) -> UInt32? {
        guard index + 6 <= scalars.count, scalars[index] == "\\", scalars[index + 1] == "u",
            scalars[index + 2..<index + 6].allSatisfy(\.properties.isASCIIHexDigit)
        else { return nil }
        return UInt32(String(scalars[index + 2..<index + 6]), radix: 16)
    }
}
