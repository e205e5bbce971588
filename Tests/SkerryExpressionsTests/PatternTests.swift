import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryExpressions

/// Regular expressions: their syntax, their meaning, their limits.
struct PatternTests {
    @Test(arguments: [
        ("abc", "xabcx", true), ("^abc$", "abc", true), ("^abc$", "abcd", false), ("a.c", "abc", true),
        ("a.c", "a\nc", false), ("(?s)a.c", "a\nc", true), ("a|b|", "", true), ("^(a|b)+$", "abba", true),
        ("^(?:ab){2}$", "abab", true), ("^(?:ab){2}$", "ababab", false), ("^a{2,3}$", "aaaa", false),
        ("^a{2,}$", "aaaa", true),
        ("^a{0}$", "", true), ("a{,2}", "a{,2}", true), ("a{x}", "a{x}", true), ("^[a-c]+$", "abc", true),
        ("^[^a-c]+$", "xyz", true), ("^[]a]+$", "]a", true), ("^[a-]+$", "a-", true),
        ("[\\d.]+", "3.5", true),
        ("^\\d+\\s\\w+$", "12 ab_9", true), ("^\\D\\S\\W$", "ab!", true), ("\\bfoo\\b", "a foo b", true),
        ("\\bfoo\\b", "afoo", false), ("\\Boo", "foo", true), ("(?i)STRASSE", "strasse", true),
        ("(?i)ÄÖ", "äö", true),
        ("(?i)[a-z]+$", "ABC", true), ("(?i:a)b", "Ab", true), ("(?i:a)b", "AB", false),
        ("(?m)^b$", "a\nb\nc", true),
        ("^b$", "a\nb\nc", false), ("\\Ab", "a\nb", false), ("a\\z", "ba", true),
        ("\\Qa.b\\E+", "a.bb", true),
        ("\\x41\\x{1F600}", "A😀", true), ("\\101", "A", true), ("\\.", ".", true), ("^\\pL+$", "äßж", true),
        ("^\\p{Lu}\\P{Lu}$", "Ab", true), ("[[:alpha:]]", "1a", true), ("[[:^alpha:]]", "ab", false),
        ("^[[:digit:][:space:]]+$", "1 2", true), ("^.$", "é", true), ("^.$", "e\u{301}", false),
        ("(?P<n>a)(?<m>b)", "ab", true),
        ("a*?b", "aab", true), ("(a*)*", "b", true), ("(a|a)*b", "aaab", true), ("^(a?){3}$", "aa", true),
        ("()", "", true),
        ("^(?i)a|b$", "xB", true), ("x*", "", true), ("$^", "", true), ("a\\\\b", "a\\b", true),
        ("[\\]\\\\]", "\\", true),
        // A class is made indifferent to case before it is negated.
        ("(?i)^[[:^upper:]]$", "a", false), ("(?i)^\\P{Lu}$", "a", false), ("(?i)^[^a]$", "A", false),
        ("(?i)^\\W$", "_", false), ("(?i)^\\p{Lu}$", "a", true), ("(?i)^[k]$", "\u{212A}", true),
        ("(?i)k", "\u{212A}", true), ("(?i)\u{17F}", "S", true), ("^[\\W\\d]+$", "1!2", true),
        ("^[^\\D]+$", "12", true), ("^[^\\D\\s]$", " ", false), ("^[\\S\\s]$", "\n", true),
        // A dash anywhere, a bracket without its colon, braces that count nothing.
        ("^[a-c-e]+$", "b-e", true), ("^[a-c-e]+$", "d", false), ("^[+--]+$", ",-", true),
        ("^[[:]+$", "[:", true), ("^[[:a]+$", "a[", true), ("^x{$", "x{", true), ("^x{1$", "x{1", true),
        ("^x{,}$", "x{,}", true), ("^]}$", "]}", true), ("^[^]]$", "]", false),
        // Flags, their end, and groups of them.
        ("(?i-s)a.", "A\n", false), ("(?s-i:a.)b", "a\nb", true), ("((?i)a)b", "AB", false),
        ("(?U)a+b", "aab", true), ("(?)a", "a", true), ("(?i)a(?-i)b", "AB", false), ("a(?i)b|c", "C", true),
        ("(?m)^$", "a\n\nb", true), ("(?m)a$", "a\r", false), ("a$", "a\n", false), ("(?s).$", "\n", true),
        ("\\Aa\\z", "a", true), ("(?m)\\Ab", "a\nb", false), ("^*a", "a", true), ("(?:$)+", "", true),
        ("\\b\\b+x", "x", true), ("\\bé", "é", false),
        // Literals.
        ("\\Qa", "a", true), ("\\Q+\\E*b", "++b", true), ("\\Q\\\\E", "\\", true),
        ("\\07\\a", "\u{7}\u{7}", true),
        ("\\012", "\n", true), ("\\x{7e}\\_\\-", "~_-", true), ("\\f\\v\\t\\r", "\u{C}\u{B}\t\r", true),
        ("^\\p{^L}\\P{^L}\\pN\\PN$", "1a2b", true), ("^\\p{Any}$", "\u{10FFFF}", true),
        ("\\P{Any}", "a", false),
        ("^[\\p{L}\\p{Nd}_]+$", "Größe_٣", true), ("^[^\\pL]$", "ß", false), ("\\s", "\u{B}", false),
        ("[[:space:]]", "\u{B}", true), ("[[:word:]]", "é", false), ("\\w", "é", false), ("\\d", "٣", false),
        // Repetition.
        ("^(?:a??b)+?$", "abb", true), ("^a{2,3}?$", "aaa", true), ("^(a{0,2}){2}$", "aaaaa", false),
        ("^(?:){1000}$", "", true), ("^(|a)*$", "aa", true), ("^(a|b*)*$", "abba", true),
        ("a{0}b", "b", true), ("^(|a)+$", "aa", true), ("^(?:(?:a{2,})+b)+$", "aabaaab", true),
        ("^(?:(?:a{2,})+b)+$", "aabab", false),
        // A loop within loops does not grow with each of them.
        ("^((((((((((((((x+)+)+)+)+)+)+)+)+)+)+)+)+)+)+$", "xxx", true),
    ])
    func `means`(_ pattern: String, _ text: String, _ isFound: Bool) throws {
        var state = EvaluationState(costLimit: 1000)
        let found = try Pattern(pattern).isFound(in: .string(text), &state)
        #expect(found.isIdentical(to: .bool(isFound)))
    }

    @Test(arguments: [
        "(", ")", "a)", "[", "[a", "a**", "*a", "a{2}{3}", "a{3,2}", "a{1001}", "(a{100}){100}", "\\", "\\1",
        "\\k", "(?=a)",
        "(?!a)", "(?<=a)", "(?P<>a)", "(?z)a", "[b-a]", "[[:nope:]]", "\\p{Nope}", "\\xZZ", "\\x{110000}",
        "+", "a|*", "(?",
        "[a-\\d]", "\\8", "a???", "a{2}*", "x{2}{3}", "(?-)", "(?i-)a", "(?--i)", "(?i", "(?P<n>a)(?P<n>b)",
        "(?P=n)",
        "(?<n", "(?<!a)b", "(?>a)", "{1}", "a|{2,}", "({1,2})", "(?#c)", "\\é", "\\Z", "\\E", "\\x", "\\x{}",
        "\\p", "\\pX", "\\p{L",
        "[z-\\x41]",
        "[[:alpha:]-z", "[^", "[]", "(|", "|)", "^**", "(?i)*", "\\Q\\E+", "a{1000}{2}", "((a{10}){10}){11}",
    ])
    func `refuses`(_ pattern: String) {
        #expect(throws: Pattern.Problem.self) { try Pattern(pattern) }
    }

    @Test(arguments: [
        "(a*)*$", "(a|aa)+$", "(a|a?)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*)(.*)(.*)(.*)[^a]$",
        "(a?){50}a{50}b",
    ])
    func `evil patterns take linear time`(_ pattern: String) throws {
        let compiled = try Pattern(pattern)
        let limit: Int32 = 1_000_000
        var small = EvaluationState(costLimit: limit)
        var large = EvaluationState(costLimit: limit)
        _ = compiled.isFound(in: .string(String(repeating: "a", count: 1000) + "!"), &small)
        _ = compiled.isFound(in: .string(String(repeating: "a", count: 4000) + "!"), &large)
        #expect(limit - large.remaining <= 5 * (limit - small.remaining) + 10)
        #expect(large.remaining > 0)
    }

    @Test func `agrees with a matcher that tries everything`() throws {
        var numbers = SimulatedRandom(seed: 3)
        for _ in 0..<1000 {
            let tree = SmallPattern.random(depth: 3, &numbers)
            let text = String(
                (0..<Int.random(in: 0...5, using: &numbers)).map { _ in
                    "abcd".randomElement(using: &numbers) ?? "a"
                }
            )
            let ends = (0...text.count).map { tree.ends(in: Array(text), from: $0) }
            try expect("^(?:" + tree.text + ")$", ends[0].contains(text.count), in: text)
            try expect(tree.text, ends.contains { !$0.isEmpty }, in: text)
            try expect("(?i)" + tree.text, ends.contains { !$0.isEmpty }, in: text.uppercased())
        }
    }

    private func expect(_ pattern: String, _ isFound: Bool, in text: String) throws {
        var state = EvaluationState(costLimit: 1_000_000)
        let found = try Pattern(pattern).isFound(in: .string(text), &state)
        #expect(found.isIdentical(to: .bool(isFound)), "\(pattern) in \(text)")
    }
}

/// A pattern with a matcher that is slow and plain.
private indirect enum SmallPattern {
    case letter(Character)
    case any
    case sequence(SmallPattern, SmallPattern)
    case choice(SmallPattern, SmallPattern)
    case repetition(SmallPattern, Int, Int?)

    static func random(depth: Int, _ numbers: inout SimulatedRandom) -> SmallPattern {
        switch depth > 0 ? Int.random(in: 0..<5, using: &numbers) : 0 {
        case 0: .letter("abc".randomElement(using: &numbers) ?? "a")
        case 1: .any
        case 2: .sequence(random(depth: depth - 1, &numbers), random(depth: depth - 1, &numbers))
        case 3: .choice(random(depth: depth - 1, &numbers), random(depth: depth - 1, &numbers))
        default:
            .repetition(
                random(depth: depth - 1, &numbers),
                Int.random(in: 0...2, using: &numbers),
                [nil, 2, 3].randomElement(using: &numbers) ?? nil
            )
        }
    }

    var text: String {
        switch self {
        case .letter(let letter): String(letter)
        case .any: "."
        case .sequence(let first, let second): first.text + second.text
        case .choice(let first, let second): "(" + first.text + "|" + second.text + ")"
        case .repetition(let part, let minimum, let maximum):
            "(?:" + part.text + "){\(minimum),\(maximum.map { String($0) } ?? "")}"
        }
    }

    /// Where a match that starts at a place can end.
    func ends(in text: [Character], from start: Int) -> Set<Int> {
        switch self {
        case .letter(let letter): start < text.count && text[start] == letter ? [start + 1] : []
        case .any: start < text.count ? [start + 1] : []
        case .sequence(let first, let second):
            first.ends(in: text, from: start).reduce(into: []) {
                $0.formUnion(second.ends(in: text, from: $1))
            }
        case .choice(let first, let second):
            first.ends(in: text, from: start).union(second.ends(in: text, from: start))
        case .repetition(let part, let minimum, let maximum):
            repeated(part, minimum, maximum ?? minimum + text.count + 1, in: text, from: start)
        }
    }

    private func repeated(
        _ part: SmallPattern,
        _ minimum: Int,
        _ maximum: Int,
        in text: [Character],
        from start: Int
    ) -> Set<Int> {
        var ends: Set<Int> = minimum == 0 ? [start] : []
        var places: Set<Int> = [start]
        for count in 1..<max(maximum + 1, 2) where count <= maximum {
            places = places.reduce(into: []) { $0.formUnion(part.ends(in: text, from: $1)) }
            if count >= minimum { ends.formUnion(places) }
        }
        return ends
    }
}
