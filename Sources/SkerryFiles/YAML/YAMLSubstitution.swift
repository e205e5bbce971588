/// Characters of a YAML text exchanged for private-use ones before it is parsed, and back afterwards.
///
/// Two things a YAML parser does by itself are done by us this way: aliases, because a parser that expands them
/// can be made to grow without bound, and keys that stand twice, because a parser stops at the first of them. A third
/// it does not do: JSON writes 😀 as `\ud83d\ude00`. Exchanging one scalar for one scalar, and one escape for one
/// escape, keeps all lines and columns as they are.
struct YAMLSubstitution {
    /// The text with exchanged scalars.
    private(set) var scalars: [Unicode.Scalar]
    /// Stands for the `*` of an alias; nil when there is none.
    let aliasMarker: Unicode.Scalar?

    private var originals: [Unicode.Scalar: Unicode.Scalar] = [:]
    /// Stands where the second half of a pair of escapes was.
    private var filler: Unicode.Scalar?
    private var unused: UnusedScalars

    /// Exchanges the `*` of everything that could be an alias.
    init(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        unused = UnusedScalars(in: text)
        var candidates: [Int] = []
        if text.utf8.contains(UInt8(ascii: "*")) {
            candidates = scalars.indices.filter { YAMLSubstitution.couldBeAlias(at: $0, in: scalars) }
        }
        self.scalars = scalars
        aliasMarker = candidates.isEmpty ? nil : unused.next()
        if let aliasMarker {
            originals[aliasMarker] = "*"
            for index in candidates { self.scalars[index] = aliasMarker }
        }
        if text.first(where: { !$0.isWhitespace }) == "{", text.utf8.contains(UInt8(ascii: "\\")) {
            joinSurrogates()
        }
    }

    /// Exchanges pairs of escapes in the texts of JSON that stand for one scalar.
    private mutating func joinSurrogates() {
        var known: [Unicode.Scalar: Unicode.Scalar] = [:]
        var isQuoted = false
        var index = 0
        while index < scalars.count {
            if scalars[index] == "\"" { isQuoted.toggle() }
            guard isQuoted, scalars[index] == "\\" else {
                index += 1
                continue
            }
            guard let high = escape(at: index), 0xD800..<0xDC00 ~= high, let low = escape(at: index + 6),
                0xDC00..<0xE000 ~= low,
                let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + low - 0xDC00)
            else {
                index += 2
                continue
            }
            if filler == nil { filler = unused.next() }
            let marker = known[scalar] ?? unused.next()
            guard let marker, marker.value <= 0xF8FF, let filler else { return }
            known[scalar] = marker
            originals[marker] = scalar
            exchange(at: index, for: marker)
            exchange(at: index + 6, for: filler)
            index += 12
        }
    }

    /// The number of an escape `\uXXXX`; nil when there is none.
    private func escape(at index: Int) -> UInt32? {
        guard index + 6 <= scalars.count, scalars[index] == "\\", scalars[index + 1] == "u" else {
            return nil
        }
        var number: UInt32 = 0
        for scalar in scalars[index + 2..<index + 6] {
            guard let digit = Character(scalar).hexDigitValue, scalar.isASCII else { return nil }
            number = number << 4 + UInt32(digit)
        }
        return number
    }

    private mutating func exchange(at index: Int, for marker: Unicode.Scalar) {
        scalars.replaceSubrange(index + 2..<index + 6, with: String(marker.value, radix: 16).unicodeScalars)
    }

    /// The text to parse.
    var text: String {
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scalars)
        return String(result)
    }

    /// The text as its author wrote it.
    func restored(_ text: String) -> String {
        guard !originals.isEmpty, text.unicodeScalars.contains(where: { originals[$0] != nil }) else {
            return text
        }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where scalar != filler {
            result.append(originals[scalar] ?? scalar)
        }
        return String(result)
    }

    /// Makes a key unique by exchanging its first scalar.
    ///
    /// - Parameters:
    ///   - key: The text of the key as it was parsed.
    ///   - line: The line of its mark, from 1.
    ///   - column: The column of its mark in scalars, from 1.
    /// - Returns: false when the key does not stand there letter by letter.
    mutating func makeUnique(_ key: String, line: Int, column: Int) -> Bool {
        guard var index = indexOf(line: line, column: column), index < scalars.count else { return false }
        if scalars[index] == "\"" || scalars[index] == "'" { index += 1 }
        let letters = Array(key.unicodeScalars)
        guard let first = letters.first, index + letters.count <= scalars.count,
            scalars[index..<index + letters.count].elementsEqual(letters),
            let replacement = unused.next()
        else { return false }
        originals[replacement] = originals[first] ?? first
        scalars[index] = replacement
        return true
    }

    private func indexOf(line: Int, column: Int) -> Int? {
        var current = 1
        var index = 0
        while current < line {
            guard index < scalars.count else { return nil }
            let scalar = scalars[index]
            index += 1
            guard scalar.endsLine else { continue }
            if scalar == "\r", index < scalars.count, scalars[index] == "\n" { index += 1 }
            current += 1
        }
        return index + column - 1
    }

    private static func couldBeAlias(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        guard scalars[index] == "*", index + 1 < scalars.count, scalars[index + 1].isAnchorLetter else {
            return false
        }
        guard index > 0 else { return true }
        let previous = scalars[index - 1]
        switch previous {
        case " ", "\t", "[", "{", ",", ":", "?", "\u{FEFF}": return true
        default: return previous.endsLine
        }
    }
}

/// The private-use scalars that a text does not contain.
private struct UnusedScalars {
    private var used: Set<UInt32> = []
    private var candidate: UInt32 = 0xE000

    init(in text: String) {
        // In UTF-8 they begin with 0xEE or more.
        guard text.utf8.contains(where: { $0 >= 0xEE }) else { return }
        for scalar in text.unicodeScalars where scalar.value >= 0xE000 { used.insert(scalar.value) }
    }

    /// A scalar that neither the text nor an earlier answer contains; nil when all are taken.
    mutating func next() -> Unicode.Scalar? {
        while candidate <= 0xFFFFD {
            let value = candidate
            candidate = candidate == 0xF8FF ? 0xF0000 : candidate + 1
            if !used.contains(value) { return Unicode.Scalar(value) }
        }
        return nil
    }
}

extension Unicode.Scalar {
    /// Whether names of anchors may contain it.
    fileprivate var isAnchorLetter: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }
}
