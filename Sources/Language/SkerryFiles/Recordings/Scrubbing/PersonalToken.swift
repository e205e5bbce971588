/// A part of a text that tells a household or a device apart by its form alone.
struct PersonalToken {
    let range: Range<Int>
    let kind: Pseudonyms.Kind

    /// Finds one that begins at a place of a text, where a word begins.
    ///
    /// It finds addresses of mail, of the Internet and of network cards, UUIDs, and serial numbers: eight or more letters and
    /// digits with at least four digits, that are not a time. In a topic, where no number is measured, figures alone count as
    /// well, and six or more digits of hexadecimal numbers at the end of a level.
    init?(at place: Int, of text: ArraySlice<UInt8>, isTopic: Bool = false) {
        let rest = text[place...]
        let whole = rest.prefix { $0.isOfWord || ":-._@+".utf8.contains($0) }
        let trimmed = whole.trimmingSuffix { !$0.isOfWord }
        if let at = trimmed.firstIndex(of: UInt8(ascii: "@")), at > place, at + 1 < trimmed.endIndex {
            (range, kind) = (place..<trimmed.endIndex, .address)
            return
        }
        let hexadecimal = rest.prefix {
            $0.isHexadecimalDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ":")
        }
        if let end = Self.endOfLongAddress(at: place, of: text) {
            (range, kind) = (place..<end, .address)
            return
        }
        for length in [36, 17, 14] where hexadecimal.count >= length || length == 14 {
            let found = rest.prefix(length)
            guard found.isGrouped(length), found.endIndex == text.endIndex || !text[found.endIndex].isOfWord
            else {
                continue
            }
            (range, kind) = (place..<found.endIndex, length == 36 ? .serial : .address)
            return
        }
        let figures = rest.prefix { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }.trimmingSuffix {
            !$0.isASCIIDigit
        }
        if Array(figures).isInternetAddress,
            figures.endIndex == text.endIndex || !text[figures.endIndex].isOfWord
        {
            (range, kind) = (place..<figures.endIndex, .address)
            return
        }
        let run = rest.prefix { $0.isOfWord }
        guard run.isSerial || isTopic && run.isSerialInTopic(before: text[run.endIndex...].first) else {
            return nil
        }
        (range, kind) = (place..<run.endIndex, .serial)
    }

    /// The end of an address of version 6, such as `2001:db8::5`, or in brackets `[fe80::1]`; nil if there is none.
    private static func endOfLongAddress(at place: Int, of text: ArraySlice<UInt8>) -> Int? {
        let found = text[place...].prefix { $0.isHexadecimalDigit || $0 == UInt8(ascii: ":") }
            .trimmingSuffix { $0 == UInt8(ascii: ":") }
        let groups = found.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard groups.count >= 3, groups.count <= 8, groups.allSatisfy({ $0.count <= 4 }),
            found.endIndex == text.endIndex || !text[found.endIndex].isOfWord
        else { return nil }
        let isShortened = zip(found, found.dropFirst()).contains { $0 == UInt8(ascii: ":") && $1 == $0 }
        let empty = groups.count { $0.isEmpty }
        let beginsWithGap = found.starts(with: "::".utf8)
        guard empty == (beginsWithGap ? 2 : isShortened ? 1 : 0) else { return nil }
        // Without a gap it has eight groups: `01:02:03` is a time.
        let digits = found.count { $0.isHexadecimalDigit }
        return isShortened && digits > 3 || groups.count == 8 ? found.endIndex : nil
    }
}

extension ArraySlice<UInt8> {
    fileprivate func trimmingSuffix(while drops: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var end = endIndex
        while end > startIndex, drops(self[end - 1]) { end -= 1 }
        return self[startIndex..<end]
    }

    /// True for a serial number: eight or more letters and digits, at least four of them digits, that are not a time; or for
    /// the twelve digits of the address of a network card.
    fileprivate var isSerial: Bool {
        let digits = count { $0.isASCIIDigit }
        if count == 12, digits > 0, digits < count, allSatisfy({ $0.isHexadecimalDigit }) { return true }
        return count >= 8 && digits >= 4 && digits < count && !isTime
    }

    /// True for what in a topic is the number of a device.
    fileprivate func isSerialInTopic(before next: UInt8?) -> Bool {
        let isEnd = next == nil || next == UInt8(ascii: "/")
        if allSatisfy({ $0.isASCIIDigit }) { return count >= 6 }
        guard isEnd, allSatisfy({ $0.isHexadecimalDigit }) else { return false }
        return count == 12 || count >= 6 && contains { $0.isASCIIDigit }
    }

    /// True for the groups of a UUID (36 bytes), or of the address of a network card (17, or 14 with points).
    fileprivate func isGrouped(_ length: Int) -> Bool {
        let breaks: Set<Int> =
            switch length {
            case 36: [8, 13, 18, 23]
            case 17: [2, 5, 8, 11, 14]
            default: [4, 9]
            }
        guard count == length else { return false }
        let separator = self[startIndex + (length == 36 ? 8 : length == 17 ? 2 : 4)]
        let separators =
            switch length {
            case 36: "-"
            case 17: "-:"
            default: "."
            }
        guard separators.utf8.contains(separator) else { return false }
        return indices.allSatisfy { place in
            breaks.contains(place - startIndex) ? self[place] == separator : self[place].isHexadecimalDigit
        }
    }

    /// True for times as ISO 8601 writes them without separators, such as `20260301T120000Z`.
    fileprivate var isTime: Bool {
        guard count >= 15, self[startIndex + 8] == UInt8(ascii: "T") else { return false }
        return enumerated().allSatisfy { $0.element.isASCIIDigit || $0.offset == 8 || $0.offset == 15 }
    }
}

extension [UInt8] {
    /// True for an address of version 4 whose first number is 10 or more; smaller ones are versions of software.
    var isInternetAddress: Bool {
        let parts = split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4,
            parts.allSatisfy({ !$0.isEmpty && $0.count <= 3 && ($0.count == 1 || $0.first != 0x30) })
        else { return false }
        let numbers = parts.compactMap { UInt8(String(decoding: $0, as: UTF8.self)) }
        return numbers.count == 4 && numbers[0] >= 10
    }
}
