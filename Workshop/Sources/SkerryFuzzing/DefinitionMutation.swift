public import SkerryTesting

/// A mutator that makes broken and half-broken definitions from good ones: by lines, words and bytes.
public struct DefinitionMutation: Sendable {
    private let files: [[String]]
    /// All texts after a `:` or `-` in the files.
    private let scalars: [String]
    private static let oddities = [
        "null", "~", "true", "-1", "0", "1e999", "99999999999999999999", "0x1F", "''", "\"\"", "[]", "{}",
        "*a", "&a",
        "&a x", "<<: *a", "!!int 3", "|", ">-", "\"\\ud800\"", "\"\\u0000\"", "#", "- ", "? ", "1s",
        "1000000h", "-5s",
        "payload", "payload.a.b[0]", "1 / 0", "'a' + 1", "{", "}", "{{x}}", "{device}", "#/+", "\u{FEFF}",
        "\u{85}",
        "\t", "😀", "e\u{301}", "inState(\"x\")", "elapsed()", "timer.x", "[1, 2, [3]]", "{ a: { b: c } }",
        "---",
        "x.map(y, x.map(z, x))", "'a'.matches('(a{1000}){1000}')",
    ]

    /// Makes a mutator of the texts of good definitions.
    public init(_ texts: [String]) {
        files = texts.map { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
        scalars = files.joined().compactMap { line in
            line.firstIndex(where: { $0 == ":" || $0 == "-" }).map { String(line[line.index(after: $0)...]) }
        }
    }

    /// A file with one to six changes.
    public func next(_ random: inout SimulatedRandom) -> [UInt8] {
        guard !files.isEmpty else { return [] }
        var lines = files[random.below(files.count)]
        for _ in 0...random.below(random.chance(1, of: 2) ? 1 : 6) where !lines.isEmpty {
            change(&lines, &random)
        }
        var bytes = Array(lines.joined(separator: "\n").utf8)
        if random.chance(1, of: 6) { garble(&bytes, &random) }
        return bytes
    }

    private func change(_ lines: inout [String], _ random: inout SimulatedRandom) {
        let place = random.below(lines.count)
        let length = min(1 + random.below(4), lines.count - place)
        switch random.below(12) {
        case 0: lines.removeSubrange(place..<place + length)
        case 1: lines.insert(contentsOf: lines[place..<place + length], at: random.below(lines.count))
        case 2: lines.swapAt(place, random.below(lines.count))
        case 3: shift(&lines, place..<place + length, &random)
        case 4, 5, 6: lines[place] = withOtherScalar(lines[place], &random)
        case 7: splice(&lines, at: place, &random)
        case 8: lines[place] = withOtherKey(lines[place], &random)
        case 9: nest(&lines, at: place, &random)
        case 10: lines[place] += " " + oddity(&random)
        default: alias(&lines, &random)
        }
    }

    private func oddity(_ random: inout SimulatedRandom) -> String {
        Self.oddities[random.below(Self.oddities.count)]
    }

    /// Indents or unindents some lines.
    private func shift(_ lines: inout [String], _ range: Range<Int>, _ random: inout SimulatedRandom) {
        let isOut = random.chance(1, of: 2)
        let width = 1 + random.below(4)
        for index in range {
            lines[index] =
                isOut
                ? String(lines[index].dropFirst(lines[index].prefix(width).prefix { $0 == " " }.count))
                : String(repeating: " ", count: width) + lines[index]
        }
    }

    private func withOtherScalar(_ line: String, _ random: inout SimulatedRandom) -> String {
        guard let colon = line.firstIndex(of: ":") else { return line + oddity(&random) }
        let scalar =
            random.chance(1, of: 2) || scalars.isEmpty
            ? " " + oddity(&random) : scalars[random.below(scalars.count)]
        return line[...colon] + scalar
    }

    private func withOtherKey(_ line: String, _ random: inout SimulatedRandom) -> String {
        guard let colon = line.firstIndex(of: ":") else { return line }
        let blanks = line.prefix { $0 == " " || $0 == "-" }
        let other = files[random.below(files.count)].randomLine(&random).drop { $0 == " " || $0 == "-" }
        let key = other.prefix { $0 != ":" }
        return "\(blanks)\(key)\(line[colon...])"
    }

    /// Inserts lines of another file, either with their own indentation or with that of the place.
    private func splice(_ lines: inout [String], at place: Int, _ random: inout SimulatedRandom) {
        let other = files[random.below(files.count)]
        guard !other.isEmpty else { return }
        let start = random.below(other.count)
        var piece = Array(other[start..<min(start + 1 + random.below(8), other.count)])
        if random.chance(1, of: 2) {
            let wanted = lines[place].prefix { $0 == " " }.count
            let there = piece[0].prefix { $0 == " " }.count
            piece = piece.map { String(repeating: " ", count: wanted) + $0.dropFirst(there) }
        }
        lines.insert(contentsOf: piece, at: place)
    }

    private func nest(_ lines: inout [String], at place: Int, _ random: inout SimulatedRandom) {
        let depth = 1 + random.below(random.chance(1, of: 8) ? 3000 : 60)
        guard let colon = lines[place].firstIndex(of: ":") else { return }
        let (open, close) = [("[", "]"), ("{ a: ", "}"), ("(", ")"), ("!", ""), ("- ", "")][random.below(5)]
        lines[place] =
            lines[place][...colon] + " " + String(repeating: open, count: depth) + "x"
            + String(repeating: close, count: depth)
    }

    /// Adds an anchor to one value and an alias in another place.
    private func alias(_ lines: inout [String], _ random: inout SimulatedRandom) {
        for text in [" &a", " *a"] {
            let place = random.below(lines.count)
            guard let colon = lines[place].firstIndex(of: ":") else { continue }
            let rest = text == " &a" ? lines[place][lines[place].index(after: colon)...] : ""
            lines[place] = lines[place][...colon] + text + rest
        }
    }

    private func garble(_ bytes: inout [UInt8], _ random: inout SimulatedRandom) {
        for _ in 0...random.below(4) where !bytes.isEmpty {
            let place = random.below(bytes.count)
            switch random.below(4) {
            case 0: bytes[place] = UInt8(random.below(256))
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(bytes[random.below(bytes.count)], at: place)
            default: bytes.removeLast(min(random.below(200), bytes.count))
            }
        }
    }
}

extension [String] {
    fileprivate func randomLine(_ random: inout SimulatedRandom) -> String {
        isEmpty ? "" : self[random.below(count)]
    }
}
