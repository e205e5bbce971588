import SkerryValues

extension Function {
    /// `contains`, `startsWith` and `endsWith`.
    func search(_ part: String, in text: String, _ state: inout EvaluationState) -> Value {
        switch self {
        case .startsWith: return .bool(text.utf8.starts(with: part.utf8))
        case .endsWith: return .bool(text.utf8.reversed().starts(with: part.utf8.reversed()))
        default: break
        }
        guard state.spend(text.utf8.count / 16 * (1 + part.utf8.count / 16)) else {
            return .error(.costExceeded)
        }
        return .bool(firstIndex(of: Array(part.utf8), in: Array(text.utf8), from: 0) != nil)
    }

    /// A function of one text.
    func text(_ argument: Value) -> Value {
        guard case .string(let text) = argument else { return .error(.noSuchOverload) }
        switch self {
        case .lowerAscii: return .string(mapped(text) { (0x41...0x5A).contains($0) ? $0 + 32 : $0 })
        case .upperAscii: return .string(mapped(text) { (0x61...0x7A).contains($0) ? $0 - 32 : $0 })
        case .trim: return .string(trimmed(text))
        case .quote: return .string(quoted(text))
        case .reverse:
            var reversed = String.UnicodeScalarView()
            for scalar in text.unicodeScalars.reversed() { reversed.append(scalar) }
            return .string(String(reversed))
        default: return .error(.noSuchOverload)
        }
    }

    /// A function of a text and further arguments.
    func text(_ arguments: [Value], _ state: inout EvaluationState) -> Value {
        guard case .string(let text) = arguments.first else { return .error(.noSuchOverload) }
        let rest = Array(arguments.dropFirst())
        switch self {
        case .charAt, .substring: return part(of: Array(text.unicodeScalars), rest)
        case .indexOf, .lastIndexOf: return position(in: Array(text.unicodeScalars), rest, &state)
        case .replace: return replaced(text, rest, &state)
        case .split: return divided(text, rest, &state)
        default: return .error(.noSuchOverload)
        }
    }

    /// `charAt` and `substring`, counted in code points.
    private func part(of scalars: [Unicode.Scalar], _ arguments: [Value]) -> Value {
        guard case .int(let start) = arguments.first else { return .error(.noSuchOverload) }
        var end =
            self == .charAt
            ? min(start.addingReportingOverflow(1).partialValue, Int64(scalars.count))
            : Int64(scalars.count)
        if arguments.count == 2 {
            guard case .int(let given) = arguments[1] else { return .error(.noSuchOverload) }
            end = given
        }
        guard start >= 0, start <= Int64(scalars.count), end >= start, end <= Int64(scalars.count) else {
            return .error(.invalidArgument)
        }
        return .string(string(of: scalars[Int(start)..<Int(end)]))
    }

    /// `indexOf` and `lastIndexOf`, counted in code points.
    private func position(
        in scalars: [Unicode.Scalar],
        _ arguments: [Value],
        _ state: inout EvaluationState
    ) -> Value {
        guard case .string(let part) = arguments.first else { return .error(.noSuchOverload) }
        let needle = Array(part.unicodeScalars)
        guard state.spend(scalars.count / 16 * (1 + needle.count / 16)) else { return .error(.costExceeded) }
        var start = self == .indexOf ? 0 : scalars.count
        if arguments.count == 2 {
            guard case .int(let given) = arguments[1] else { return .error(.noSuchOverload) }
            guard given >= 0, given <= Int64(scalars.count) else { return .error(.invalidArgument) }
            start = Int(given)
        }
        let found =
            self == .indexOf
            ? firstIndex(of: needle, in: scalars, from: start)
            : lastIndex(of: needle, in: scalars, from: start)
        return .int(Int64(found ?? -1))
    }

    private func replaced(_ text: String, _ arguments: [Value], _ state: inout EvaluationState) -> Value {
        guard arguments.count >= 2, case .string(let old) = arguments[0],
            case .string(let new) = arguments[1]
        else { return .error(.noSuchOverload) }
        var limit = Int.max
        if arguments.count == 3 {
            guard case .int(let given) = arguments[2] else { return .error(.noSuchOverload) }
            limit = given < 0 ? .max : Int(clamping: given)
        }
        guard let pieces = pieces(of: text, between: old, limit: limit, &state) else {
            return .error(.costExceeded)
        }
        guard state.spend(pieces.count * (1 + new.utf8.count / 16)) else { return .error(.costExceeded) }
        return .string(concatenated(pieces, by: new))
    }

    private func divided(_ text: String, _ arguments: [Value], _ state: inout EvaluationState) -> Value {
        guard case .string(let separator) = arguments.first else { return .error(.noSuchOverload) }
        var limit = Int.max
        if arguments.count == 2 {
            guard case .int(let given) = arguments[1] else { return .error(.noSuchOverload) }
            if given == 0 { return .list([]) }
            limit = given < 0 ? .max : Int(clamping: given - 1)
        }
        // The cut before the first code point gives an empty piece, which is dropped below.
        if separator.isEmpty, limit < .max { limit += 1 }
        guard var pieces = pieces(of: text, between: separator, limit: limit, &state) else {
            return .error(.costExceeded)
        }
        if separator.isEmpty {
            pieces.removeFirst()
            if pieces.last?.isEmpty ?? false { pieces.removeLast() }
        }
        return .list(pieces.map { .string($0) })
    }

    /// `join` of a list of texts.
    func joined(_ list: Value, by separator: String, _ state: inout EvaluationState) -> Value {
        guard case .list(let elements) = list else { return .error(.noSuchOverload) }
        var pieces: [String] = []
        for element in elements {
            guard case .string(let piece) = element else { return .error(.noSuchOverload) }
            guard state.spend(1 + (piece.utf8.count + separator.utf8.count) / 16) else {
                return .error(.costExceeded)
            }
            pieces.append(piece)
        }
        return .string(concatenated(pieces, by: separator))
    }

    /// A text cut at every occurrence of a separator, `limit` times at most; nil when it costs too much.
    ///
    /// An empty separator cuts before, between and after the code points.
    private func pieces(
        of text: String,
        between separator: String,
        limit: Int,
        _ state: inout EvaluationState
    ) -> [String]? {
        let bytes = Array(text.utf8)
        let needle = Array(separator.utf8)
        guard state.spend(bytes.count / 16 * (1 + needle.count / 16)) else { return nil }
        var pieces: [String] = []
        var start = 0
        var search = 0
        while pieces.count < limit, let found = firstIndex(of: needle, in: bytes, from: search) {
            guard state.spend(1) else { return nil }
            pieces.append(String(decoding: bytes[start..<found], as: UTF8.self))
            start = found + needle.count
            search = start
            if needle.isEmpty {
                guard found < bytes.count else { break }
                search = found + 1
                // Over the rest of the code point: a cut within it would leave no UTF-8.
                while search < bytes.count, bytes[search] & 0xC0 == 0x80 { search += 1 }
            }
        }
        pieces.append(String(decoding: bytes[start...], as: UTF8.self))
        return pieces
    }
}

private func concatenated(_ pieces: [String], by separator: String) -> String {
    var text = ""
    for (position, piece) in pieces.enumerated() {
        if position > 0 { text += separator }
        text += piece
    }
    return text
}

private func string(of scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    for scalar in scalars { view.append(scalar) }
    return String(view)
}

private func mapped(_ text: String, _ change: (UInt8) -> UInt8) -> String {
    String(decoding: text.utf8.map(change), as: UTF8.self)
}

private func trimmed(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var range = scalars[...]
    while let first = range.first, isWhitespace(first) { range.removeFirst() }
    while let last = range.last, isWhitespace(last) { range.removeLast() }
    return string(of: range)
}

/// White_Space of Unicode.
private func isWhitespace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
}

private func quoted(_ text: String) -> String {
    let quoted = text.rewritten { scalar in
        switch scalar {
        case "\u{07}": "\\a"
        case "\u{08}": "\\b"
        case "\u{0C}": "\\f"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\u{0B}": "\\v"
        case "\\", "\"": "\\\(scalar)"
        default: nil
        }
    }
    return "\"" + quoted + "\""
}

/// The first position of a part in a whole, at `start` or later.
private func firstIndex<Element: Equatable>(
    of part: [Element],
    in whole: [Element],
    from start: Int
) -> Int? {
    guard part.count <= whole.count - start else { return nil }
    for index in start...whole.count - part.count where isPart(part, of: whole, at: index) { return index }
    return nil
}

/// The last position of a part in a whole, at `start` or earlier.
private func lastIndex<Element: Equatable>(
    of part: [Element],
    in whole: [Element],
    from start: Int
) -> Int? {
    guard part.count <= whole.count else { return nil }
    for index in (0...min(start, whole.count - part.count)).reversed()
    where isPart(part, of: whole, at: index) {
        return index
    }
    return nil
}

private func isPart<Element: Equatable>(_ part: [Element], of whole: [Element], at index: Int) -> Bool {
    for offset in part.indices where whole[index + offset] != part[offset] { return false }
    return true
}
