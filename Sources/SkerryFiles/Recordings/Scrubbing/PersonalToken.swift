/// A part of a text that tells a household or a device apart by its form alone.
struct PersonalToken {
    let range: Range<Int>
    let kind: Pseudonyms.Kind

    /// Finds one that begins at a place of a text, where a word begins.
    ///
    /// It finds addresses of mail, of the Internet (version 4) and of network cards, UUIDs, and serial numbers: eight or more
    /// letters and digits with at least four digits, that are not a time.
    init?(at place: Int, of text: ArraySlice<UInt8>) {
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
        for length in [36, 17] where hexadecimal.count >= length {
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
        let digits = run.count { $0.isASCIIDigit }
        guard run.count >= 8, digits >= 4, digits < run.count, !run.isTime else { return nil }
        (range, kind) = (place..<run.endIndex, .serial)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func trimmingSuffix(while drops: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var end = endIndex
        while end > startIndex, drops(self[end - 1]) { end -= 1 }
        return self[startIndex..<end]
    }

    /// True for the groups of a UUID (36 bytes), or of the address of a network card (17).
    fileprivate func isGrouped(_ length: Int) -> Bool {
        let breaks: Set<Int> = length == 36 ? [8, 13, 18, 23] : [2, 5, 8, 11, 14]
        let separator = self[startIndex + (length == 36 ? 8 : 2)]
        guard separator == UInt8(ascii: "-") || (length == 17 && separator == UInt8(ascii: ":")) else {
            return false
        }
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
