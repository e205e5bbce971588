/// The parts of a payload: the keys, texts and numbers of JSON and what is between them, or one text that is all of it.
///
/// Together the parts are the payload, byte by byte. Texts of JSON come as they are written, with their escapes.
struct PayloadParts: Sequence, IteratorProtocol {
    enum Part: Equatable {
        /// Braces, commas, spaces, literals.
        case other(ArraySlice<UInt8>)
        /// The name of a member.
        case key(ArraySlice<UInt8>)
        /// A text, with the name of the member that it is the value of, in small letters.
        case text(ArraySlice<UInt8>, of: String?)
        /// A number, with the name of the member that it is the value of, in small letters.
        case number(ArraySlice<UInt8>, of: String?)
    }

    private let payload: ArraySlice<UInt8>
    private var place: Int
    private let isJSON: Bool
    /// The member whose value comes; nil in the lists of lists.
    private var key: String?
    private var isInText = false
    private var isAtClosingQuote = false

    init(_ payload: ArraySlice<UInt8>) {
        self.payload = payload
        place = payload.startIndex
        let first = payload.first { !" \t\r\n".utf8.contains($0) }
        isJSON = first.map { "{[\"".utf8.contains($0) } ?? false
    }

    mutating func next() -> Part? {
        guard place < payload.endIndex else { return nil }
        let start = place
        guard isJSON else {
            place = payload.endIndex
            return .text(payload, of: nil)
        }
        if isInText {
            isInText = false
            isAtClosingQuote = true
            place = endOfText(from: start)
            let text = payload[start..<place]
            guard isFollowedByColon else { return .text(text, of: key) }
            key = String(decoding: text, as: UTF8.self).lowercased()
            return .key(text)
        }
        if payload[start] == UInt8(ascii: "-") || payload[start].isASCIIDigit {
            place =
                payload[start...].firstIndex { !$0.isOfWord && !"+-.".utf8.contains($0) } ?? payload.endIndex
            return .number(payload[start..<place], of: key)
        }
        if isAtClosingQuote { place += 1 }
        isAtClosingQuote = false
        while place < payload.endIndex {
            let byte = payload[place]
            if byte == UInt8(ascii: "\"") {
                // The quote belongs to what is between the texts; an empty text has no part.
                place += 1
                isInText = place < payload.endIndex && payload[place] != UInt8(ascii: "\"")
                if !isInText, place < payload.endIndex { place += 1 }
                break
            }
            if place > start, byte == UInt8(ascii: "-") || byte.isASCIIDigit { break }
            if byte == UInt8(ascii: "}") { key = nil }
            place += 1
        }
        return .other(payload[start..<place])
    }

    /// The place of the quote that ends the text.
    private func endOfText(from start: Int) -> Int {
        var end = start
        while end < payload.endIndex, payload[end] != UInt8(ascii: "\"") {
            end += payload[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return Swift.min(end, payload.endIndex)
    }

    private var isFollowedByColon: Bool {
        guard place < payload.endIndex else { return false }
        return payload[(place + 1)...].first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: ":")
    }
}
