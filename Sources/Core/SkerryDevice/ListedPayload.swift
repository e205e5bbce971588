import SkerryValues

/// Readers of payloads that list texts or bytes without being JSON.
enum ListedPayload {
    private static let quote = UInt8(ascii: "\"")

    /// The texts of pairs `name=value` by their names; nil when there is no pair.
    ///
    /// What stands between pairs is the first of these that the payload has: line breaks, `;`, `&`, blanks.
    static func pairs(_ bytes: ArraySlice<UInt8>) -> Value? {
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        let text = trimmed(bytes)
        let candidates = [UInt8(ascii: "\n"), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: " ")]
        let separator = candidates.first { text.contains($0) } ?? UInt8(ascii: "\n")
        var members: [ValueMap.Entry] = []
        for part in text.split(separator: separator) {
            guard let sign = part.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = trimmed(part[..<sign])
            if name.isEmpty { continue }
            let value = trimmed(part[(sign + 1)...])
            members.append(ValueMap.Entry(key: .string(string(name)), value: .string(string(value))))
        }
        return members.isEmpty ? nil : .map(ValueMap(members: members))
    }

    /// The texts of one line; nil when it is empty, has several lines or an open quote.
    ///
    /// Semicolons separate them if the line has any outside of quotes, otherwise commas.
    static func csv(_ bytes: ArraySlice<UInt8>) -> Value? {
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        let line = trimmed(bytes)
        guard !line.isEmpty else { return nil }
        let separator = hasOutsideQuotes(UInt8(ascii: ";"), line) ? UInt8(ascii: ";") : UInt8(ascii: ",")
        var texts: [Value] = []
        var rest = line
        while true {
            guard let field = takeField(&rest, separator) else { return nil }
            texts.append(.string(string(field)))
            guard rest.popFirst() != nil else { return .list(texts) }
        }
    }

    /// The bytes that are written as two digits each, with or without blanks or `:` between them.
    static func hex(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var numbers: [UInt8] = []
        var rest = trimmed(bytes)
        guard !rest.isEmpty else { return nil }
        while let first = rest.popFirst() {
            if !numbers.isEmpty, first == UInt8(ascii: " ") || first == UInt8(ascii: ":") {
                guard !rest.isEmpty else { return nil }
                continue
            }
            guard let high = digit(first), let low = rest.popFirst().flatMap({ digit($0) }) else {
                return nil
            }
            numbers.append(UInt8(high * 16 + low))
        }
        return numbers
    }

    /// Takes one field, up to its separator, which stays; nil when a quote is not closed or a line ends.
    private static func takeField(_ rest: inout ArraySlice<UInt8>, _ separator: UInt8) -> [UInt8]? {
        while let blank = rest.first, isBlank(blank), blank != separator { rest.removeFirst() }
        guard rest.first == quote else {
            let end = rest.firstIndex(of: separator) ?? rest.endIndex
            let field = rest[..<end]
            rest = rest[end...]
            return field.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
                ? nil : Array(trimmed(field))
        }
        rest.removeFirst()
        var field: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte != quote {
                field.append(byte)
            } else if rest.first == quote {
                rest.removeFirst()
                field.append(quote)
            } else {
                let end = rest.firstIndex(of: separator) ?? rest.endIndex
                guard trimmed(rest[..<end]).isEmpty else { return nil }
                rest = rest[end...]
                return field
            }
        }
        return nil
    }

    private static func hasOutsideQuotes(_ wanted: UInt8, _ line: ArraySlice<UInt8>) -> Bool {
        var isQuoted = false
        for byte in line {
            if byte == quote { isQuoted.toggle() }
            if byte == wanted, !isQuoted { return true }
        }
        return false
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\n")
    }

    /// The bytes without blanks and line breaks at both ends.
    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes
        while let first = rest.first, isBlank(first) { rest.removeFirst() }
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }

    private static func string(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
