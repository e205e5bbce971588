import Foundation
import SkerryExpressions

/// Reads the system's time zones from TZif files (RFC 8536).
enum SystemTimeZones {
    static let folder = "/usr/share/zoneinfo/"

    /// The rules of a zone by its name in the IANA database; nil when there is no such file.
    static func rules(_ name: String) -> TimeZoneRules? {
        let isPlain = name.utf8.allSatisfy {
            ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x2B && $0 <= 0x39 && $0 != 0x2E) || $0 == 0x5F
        }
        guard isPlain, let data = FileManager.default.contents(atPath: folder + name) else { return nil }
        return rules([UInt8](data))
    }

    static func rules(_ file: [UInt8]) -> TimeZoneRules? {
        guard file.count > 44, file.starts(with: "TZif".utf8), file[4] >= UInt8(ascii: "2") else {
            return nil
        }
        func number(_ position: Int, bytes: Int) -> Int64 {
            let value = file[position..<position + bytes].reduce(Int64(0)) { $0 << 8 | Int64($1) }
            return bytes == 4 ? Int64(Int32(truncatingIfNeeded: value)) : value
        }
        func counts(_ start: Int) -> [Int] { (0..<6).map { Int(number(start + 20 + $0 * 4, bytes: 4)) } }
        let first = counts(0)
        let header = 44 + first[3] * 5 + first[4] * 6 + first[5] + first[2] * 8 + first[1] + first[0]
        let second = counts(header)
        let (transitionCount, typeCount) = (second[3], second[4])
        let times = header + 44
        let kinds = times + transitionCount * 8
        let types = kinds + transitionCount
        let offsets = (0..<typeCount).map { Int32(number(types + $0 * 6, bytes: 4)) }
        let transitions = (0..<transitionCount).map {
            TimeZoneRules.Transition(
                start: number(times + $0 * 8, bytes: 8),
                offset: offsets[Int(file[kinds + $0])]
            )
        }
        let end = types + typeCount * 6 + second[5] + second[2] * 12 + second[1] + second[0]
        let footer = String(decoding: file[min(end, file.count)...], as: UTF8.self)
        var rules = TimeZoneRules(firstOffset: offsets.first ?? 0, transitions: transitions)
        var reader = PosixZoneReader(footer.trimmingCharacters(in: .newlines))
        reader.read(into: &rules)
        return rules
    }
}

/// Reads a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`.
private struct PosixZoneReader {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    mutating func read(into rules: inout TimeZoneRules) {
        skipName()
        guard let standard = clock() else { return }
        rules.standardOffset = -standard
        guard !rest.isEmpty else { return }
        skipName()
        let summer = rest.hasPrefix(",") ? 3600 - standard : -(clock() ?? standard - 3600)
        guard let start = moment(), let end = moment() else { return }
        rules.daylightSaving = TimeZoneRules.DaylightSaving(offset: summer, start: start, end: end)
    }

    private mutating func skipName() {
        if rest.first == "<" {
            rest = rest.drop { $0 != ">" }.dropFirst()
        } else {
            rest = rest.drop { $0.isLetter }
        }
    }

    private mutating func number() -> Int32? {
        let digits = rest.prefix { $0.isNumber }
        rest = rest.dropFirst(digits.count)
        return Int32(digits)
    }

    private mutating func clock() -> Int32? {
        let sign: Int32 = rest.first == "-" ? -1 : 1
        if rest.first == "-" || rest.first == "+" { rest = rest.dropFirst() }
        guard var seconds = number().map({ $0 * 3600 }) else { return nil }
        for unit: Int32 in [60, 1] where rest.first == ":" {
            rest = rest.dropFirst()
            seconds += (number() ?? 0) * unit
        }
        return sign * seconds
    }

    private mutating func moment() -> TimeZoneRules.YearlyMoment? {
        guard rest.hasPrefix(",M") else { return nil }
        rest = rest.dropFirst(2)
        var numbers: [Int32] = []
        repeat {
            if rest.first == "." { rest = rest.dropFirst() }
            guard let number = number() else { return nil }
            numbers.append(number)
        } while rest.first == "."
        guard numbers.count == 3 else { return nil }
        var seconds: Int32 = 7200
        if rest.first == "/" {
            rest = rest.dropFirst()
            seconds = clock() ?? 7200
        }
        return TimeZoneRules.YearlyMoment(
            month: Int(numbers[0]),
            week: Int(numbers[1]),
            weekday: Int(numbers[2]),
            seconds: Int64(seconds)
        )
    }
}
