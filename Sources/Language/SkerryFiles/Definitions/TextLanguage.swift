/// A language of texts, as BCP 47 writes it: `de`, `de-AT`, `zh-Hant`.
public struct TextLanguage: Sendable, Hashable {
    /// The tag in small letters.
    package let tag: String

    /// A language by its tag: two or three letters, and parts of up to eight letters or digits after hyphens, at most 35
    /// characters; nil for any other text.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard text.utf8.count <= 35, (2...3).contains(parts[0].count), parts[0].allSatisfy(\.isLetter),
            parts.dropFirst().allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy(\.isLetterOrDigit) })
        else { return nil }
        tag = text.lowercased()
    }

    /// The language without its region or script: `de` of `de-AT`.
    private var general: Substring { tag.prefix { $0 != "-" } }

    /// Returns true if people of this language read the other one: it is the same, or the same without a region.
    func accepts(_ other: TextLanguage) -> Bool { other.tag == tag || other.tag == general }

    /// The place of the best of several languages for people of this one: the same, the same without a region, one of
    /// another region; nil if there is none of these.
    func best(among languages: [TextLanguage]) -> Int? {
        languages.firstIndex { $0.tag == tag }
            ?? languages.firstIndex { $0.tag == general }
            ?? languages.firstIndex { $0.general == general }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (0x41...0x5A).contains(self & 0xDF) }
    fileprivate var isLetterOrDigit: Bool { isLetter || (0x30...0x39).contains(self) }
}
