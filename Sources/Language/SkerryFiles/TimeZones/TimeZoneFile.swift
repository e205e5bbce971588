import SkerryExpressions

/// Reads a TZif file (RFC 8536, versions 1 to 4).
///
/// From version 2 on only the second block with its 64-bit times and the footer count.
enum TimeZoneFile {
    private static let headerLength = 44

    /// The counts in the header of a block, in the order of the file.
    private struct Counts {
        var utcIndicators: Int
        var standardIndicators: Int
        var leapSeconds: Int
        var transitions: Int
        var types: Int
        var letters: Int

        func blockLength(timeLength: Int) -> Int {
            transitions * (timeLength + 1) + types * 6 + letters + leapSeconds * (timeLength + 4)
                + standardIndicators + utcIndicators
        }
    }

    /// The rules in a file; nil when it is no TZif file or damaged.
    static func rules(of bytes: [UInt8]) -> TimeZoneRules? {
        guard let first = counts(in: bytes, at: 0) else { return nil }
        if bytes[4] == 0 { return block(first, in: bytes, at: headerLength, timeLength: 4) }
        let second = headerLength + first.blockLength(timeLength: 4)
        guard let counts = counts(in: bytes, at: second),
            var rules = block(counts, in: bytes, at: second + headerLength, timeLength: 8)
        else { return nil }
        let footer = bytes[(second + headerLength + counts.blockLength(timeLength: 8))...]
        guard footer.first == UInt8(ascii: "\n"), footer.count > 1, footer.last == UInt8(ascii: "\n") else {
            return nil
        }
        if footer.count == 2 { return rules }
        guard let rule = TimeZoneRule(footer.dropFirst().dropLast()) else { return nil }
        rules.standardOffset = rule.standardOffset
        rules.daylightSaving = rule.daylightSaving
        return rules
    }

    private static func counts(in bytes: [UInt8], at start: Int) -> Counts? {
        guard start + headerLength <= bytes.count, bytes[start...].starts(with: "TZif".utf8) else {
            return nil
        }
        let numbers = (0..<6).map { number(in: bytes, at: start + 20 + $0 * 4, length: 4) }
        guard numbers.allSatisfy({ (0...Int64(bytes.count)).contains($0) }) else { return nil }
        return Counts(
            utcIndicators: Int(numbers[0]),
            standardIndicators: Int(numbers[1]),
            leapSeconds: Int(numbers[2]),
            transitions: Int(numbers[3]),
            types: Int(numbers[4]),
            letters: Int(numbers[5])
        )
    }

    private static func block(
        _ counts: Counts,
        in bytes: [UInt8],
        at start: Int,
        timeLength: Int
    ) -> TimeZoneRules? {
        guard start + counts.blockLength(timeLength: timeLength) <= bytes.count, counts.types > 0 else {
            return nil
        }
        let kinds = start + counts.transitions * timeLength
        let types = kinds + counts.transitions
        let offsets = (0..<counts.types).map { Int32(number(in: bytes, at: types + $0 * 6, length: 4)) }
        var transitions: [TimeZoneRules.Transition] = []
        for index in 0..<counts.transitions {
            let moment = number(in: bytes, at: start + index * timeLength, length: timeLength)
            let kind = Int(bytes[kinds + index])
            guard kind < offsets.count, transitions.last.map({ $0.start < moment }) ?? true else {
                return nil
            }
            transitions.append(TimeZoneRules.Transition(start: moment, offset: offsets[kind]))
        }
        guard offsets.allSatisfy({ abs(Int64($0)) < TimeZoneRule.offsetLimit }) else { return nil }
        return TimeZoneRules(firstOffset: offsets[0], transitions: transitions)
    }

    /// A signed number, its highest byte first.
    private static func number(in bytes: [UInt8], at position: Int, length: Int) -> Int64 {
        let value = bytes[position..<position + length].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return length == 4 ? Int64(Int32(truncatingIfNeeded: value)) : value
    }
}
