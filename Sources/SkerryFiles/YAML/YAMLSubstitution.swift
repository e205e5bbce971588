/// Characters of a YAML text exchanged for private-use ones before it is parsed, and back afterwards.
///
/// Two things a YAML parser does by itself are done by us this way: aliases, because a parser that expands them
/// can be made to grow without bound, and keys that stand twice, because a parser stops at the first of them.
/// Exchanging one scalar for one scalar keeps all lines and columns as they are.
struct YAMLSubstitution {
    /// The text with exchanged scalars.
    private(set) var scalars: [Unicode.Scalar]
    /// Stands for the `*` of an alias; nil when there is none.
    let aliasMarker: Unicode.Scalar?

    private var originals: [Unicode.Scalar: Unicode.Scalar] = [:]
    private var unused: UnusedScalars

    /// Exchanges the `*` of everything that could be an alias.
    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        unused = UnusedScalars(in: scalars)
        let candidates = scalars.indices.filter { [scalars] index in
            YAMLSubstitution.couldBeAlias(at: index, in: scalars)
        }
        aliasMarker = candidates.isEmpty ? nil : unused.next()
        if let aliasMarker {
            originals[aliasMarker] = "*"
            for index in candidates { scalars[index] = aliasMarker }
        }
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
        result.append(contentsOf: text.unicodeScalars.map { originals[$0] ?? $0 })
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
    private var used: Set<UInt32>
    private var candidate: UInt32 = 0xE000

    init(in scalars: [Unicode.Scalar]) {
        used = Set(scalars.lazy.map(\.value).filter { $0 >= 0xE000 })
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
