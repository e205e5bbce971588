/// A piece of a text that is put together from words and values.
public enum TextPiece: Hashable, Sendable {
    /// Words as they are.
    case words(String)
    /// The text of a value; empty where the value is missing.
    case value(String)

    var text: String {
        switch self {
        case .words(let text), .value(let text): text
        }
    }
}

extension [TextPiece] {
    /// The pieces as one text, in which a missing value takes along the words and the separator that belong to it.
    ///
    /// The rule is that of docs/expressions.md. Generated apps have this very file, and the page the same rule in
    /// `phone-layout.js`.
    public func joined() -> String {
        var text = ""
        var isWhole = true
        for piece in self {
            text += piece.text
            if case .value(let value) = piece, value.utf8.isEmpty { isWhole = false }
        }
        return isWhole ? text : TextJoining(self).text
    }
}

/// A text with a missing value, cut into clauses at its separators.
private struct TextJoining {
    /// Words, or a value; a missing one is empty.
    struct Item {
        var bytes: [UInt8]
        var isValue: Bool
        var isMissing: Bool { isValue && bytes.isEmpty }
    }

    enum Separator: Equatable {
        case plain([UInt8])
        case opening([UInt8])
        case closing([UInt8])

        var bytes: [UInt8] {
            switch self {
            case .plain(let bytes), .opening(let bytes), .closing(let bytes): bytes
            }
        }
    }

    /// The clauses; between two of them is one separator.
    private var clauses: [[Item]] = [[]]
    private var separators: [Separator] = []
    /// The words before the first value.
    private var beginning: [UInt8] = []

    init(_ pieces: [TextPiece]) {
        var words: [UInt8] = []
        var hasValue = false
        for piece in pieces {
            // Directly after a letter, a value is an ending as in `minute{n > 1 ? 's' : ''}`, and part of the word.
            if case .value(let text) = piece, !words.endsInLetter {
                cut(words, isLast: false)
                words = []
                hasValue = true
                clauses[clauses.count - 1].append(Item(bytes: Array(text.utf8), isValue: true))
            } else {
                words += Array(piece.text.utf8)
                if !hasValue { beginning = words }
            }
        }
        cut(words, isLast: true)
    }

    /// The text without what belongs to missing values.
    var text: String {
        var (clauses, separators) = (clauses.map { Self.rest(of: $0) }, separators)
        var index = 0
        while index < clauses.count {
            guard clauses[index] == nil else {
                index += 1
                continue
            }
            let before = index > 0 ? separators[index - 1] : nil
            let after = index < separators.count ? separators[index] : nil
            if case .opening? = before, case .closing? = after {
                // The text before the brackets and the one after them become one clause.
                let around = (clauses[index - 1] ?? []) + (clauses[index + 1] ?? [])
                clauses.replaceSubrange(index - 1...index + 1, with: [around.isEmpty ? nil : around])
                separators.removeSubrange(index - 1...index)
                // Empty, it is missing, too.
                index -= 1
            } else if case .plain? = before {
                clauses.remove(at: index)
                separators.remove(at: index - 1)
            } else if case .plain? = after {
                clauses.remove(at: index)
                separators.remove(at: index)
            } else {
                clauses[index] = []
            }
        }
        var bytes = clauses[0] ?? []
        for (separator, clause) in zip(separators, clauses.dropFirst()) {
            bytes += separator.bytes + (clause ?? [])
        }
        let whole = bytes.trimmed
        return String(decoding: whole.isEmpty ? beginning.withoutPunctuation : whole, as: UTF8.self)
    }

    /// A clause without its missing values and the words that belong to them; nil when it has only missing ones.
    private static func rest(of whole: [Item]) -> [UInt8]? {
        // Directly before another value, as in `{hours}{minutes} min`, a missing one has no words of its own.
        let clause = whole.indices.filter { index in
            !(whole[index].isMissing && index + 1 < whole.count && whole[index + 1].isValue)
        }.map { whole[$0] }
        let values = clause.indices.filter { clause[$0].isValue }
        guard values.contains(where: { clause[$0].isMissing }) else { return clause.flatMap { $0.bytes } }
        let present = values.filter { !clause[$0].isMissing }
        guard let first = present.first, let last = present.last else { return nil }
        let opening = clause[..<first]
        var bytes = opening.contains { $0.isMissing } ? [] : opening.flatMap { $0.bytes }
        for (value, next) in zip(present, present.dropFirst() + [clause.count]) {
            bytes += clause[value].bytes
            let between = clause[(value + 1)..<next]
            let words = between.prefix { !$0.isMissing }.flatMap { $0.bytes }
            guard let gap = between.lastIndex(where: { $0.isMissing }) else {
                bytes += words
                continue
            }
            // As in `{power} kW of {limit}`: the unit belongs to the value before it.
            bytes += words.withoutLastWord
            if value != last { bytes += between[(gap + 1)...].flatMap { $0.bytes } }
        }
        return bytes
    }

    /// Adds words to the last clause, and begins another one after each separator in them.
    private mutating func cut(_ words: [UInt8], isLast: Bool) {
        var begin = 0
        var index = 0
        while index < words.count {
            guard let (separator, range) = Self.separator(in: words, at: index, after: begin, isLast: isLast)
            else {
                index += 1
                continue
            }
            add(words[begin..<range.lowerBound])
            separators.append(separator)
            clauses.append([])
            begin = range.upperBound
            index = max(begin, index + 1)
        }
        add(words[begin...])
    }

    private mutating func add(_ words: ArraySlice<UInt8>) {
        if words.isEmpty { return }
        clauses[clauses.count - 1].append(Item(bytes: Array(words), isValue: false))
    }

    /// The separator with its spaces whose sign is at a place, without spaces before `begin`; nil when there is none.
    private static func separator(
        in words: [UInt8],
        at index: Int,
        after begin: Int,
        isLast: Bool
    ) -> (Separator, Range<Int>)? {
        func spaces(after end: Int) -> Int {
            var end = end
            while end < words.count, words[end] == UInt8(ascii: " ") { end += 1 }
            return end
        }
        func spaces(before start: Int) -> Int {
            var start = start
            while start > begin, words[start - 1] == UInt8(ascii: " ") { start -= 1 }
            return start
        }
        switch words[index] {
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"):
            let end = spaces(after: index + 1)
            guard end > index + 1 || (isLast && end == words.count) else { return nil }
            return (.plain(Array(words[index..<end])), index..<end)
        case UInt8(ascii: "\n"): return (.plain([words[index]]), index..<index + 1)
        case UInt8(ascii: "("), UInt8(ascii: "["):
            let start = spaces(before: index)
            return (.opening(Array(words[start...index])), start..<index + 1)
        case UInt8(ascii: ")"), UInt8(ascii: "]"): return (.closing([words[index]]), index..<index + 1)
        default:
            guard
                let sign = ["-", "|", "/", "·", "•", "–", "—"].first(where: {
                    words[index...].starts(with: $0.utf8)
                })
            else { return nil }
            let start = spaces(before: index)
            let end = spaces(after: index + sign.utf8.count)
            guard start < index, end > index + sign.utf8.count else { return nil }
            return (.plain(Array(words[start..<end])), start..<end)
        }
    }
}

extension [UInt8] {
    /// The bytes without spaces at both ends.
    fileprivate var trimmed: [UInt8] {
        let rest = drop { $0 == UInt8(ascii: " ") }
        guard let last = rest.lastIndex(where: { $0 != UInt8(ascii: " ") }) else { return [] }
        return Array(rest[...last])
    }

    /// Words without the last one and the spaces around it.
    fileprivate var withoutLastWord: [UInt8] {
        var rest = self[...]
        while rest.last == UInt8(ascii: " ") { rest.removeLast() }
        while let byte = rest.last, byte != UInt8(ascii: " ") { rest.removeLast() }
        while rest.last == UInt8(ascii: " ") { rest.removeLast() }
        return Array(rest)
    }

    /// Words without the spaces and signs at their end that only lead to what follows.
    fileprivate var withoutPunctuation: [UInt8] {
        let signs = Array(" ,;:-|/([".utf8)
        guard let last = lastIndex(where: { !signs.contains($0) }) else { return [] }
        return Array(self[...last]).trimmed
    }

    /// True if the last character is a letter.
    fileprivate var endsInLetter: Bool {
        guard let last = String(decoding: suffix(4), as: UTF8.self).unicodeScalars.last else { return false }
        switch last.value {
        case 0x41...0x5A, 0x61...0x7A: return true
        // Letters with accents and those of other scripts, without signs such as `°`, `·`, `×` and `–`.
        default: return last.value >= 0xC0 && last.value != 0xD7 && !(0x2000...0x2BFF).contains(last.value)
        }
    }
}
