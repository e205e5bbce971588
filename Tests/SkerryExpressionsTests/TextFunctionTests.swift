import SkerryExpressions
import SkerryTesting
import SkerryValues
import Testing

/// The functions of texts, on random texts and compared with plain loops over code points.
struct TextFunctionTests {
    /// White space and what only looks like it, letters of several lengths in UTF-8, and what quotes escape.
    private static let scalars: [Unicode.Scalar] = [
        "a", "b", "a", "b", "A", "Z", "[", "`", "{", "z", "0", " ", "\t", "\n", "\r", "\"", "\\", "'",
        "\u{7}",
        "\u{8}", "\u{B}", "\u{C}", "\u{0}", "\u{7F}", "\u{85}", "\u{A0}", "é", "\u{301}", "\u{2003}",
        "\u{200B}", "\u{2028}", "\u{3000}", "\u{FEFF}", "€", "😀", "\u{10FFFF}",
    ]

    private var random = SimulatedRandom(seed: 20_261_130)

    /// A text of few different letters, so that parts of it come again.
    private mutating func text(_ longest: Int, of count: Int = 36) -> String {
        var view = String.UnicodeScalarView()
        for _ in 0..<random.below(longest + 1) { view.append(Self.scalars[random.below(count)]) }
        return String(view)
    }

    /// The value of an expression that reads `t`, `p`, `q` and `n`.
    private func value(
        _ expression: String,
        _ t: String,
        _ p: String = "",
        _ q: String = "",
        _ n: Int = 0
    )
        throws -> Value
    {
        var bench = Workbench()
        bench.signal("t", .string, .string(t))
        bench.signal("p", .string, .string(p))
        bench.signal("q", .string, .string(q))
        bench.signal("n", .int, .int(Int64(n)))
        return try bench.value(expression)
    }

    private func expect(
        _ value: Value,
        _ expected: Value,
        _ comment: @autoclosure () -> String,
        _ place: SourceLocation = #_sourceLocation
    ) {
        let isSame: Bool
        if case .error(let one) = value, case .error(let other) = expected {
            isSame = one == other
        } else {
            isSame = value.isIdentical(to: expected)
        }
        #expect(isSame, "\(comment()) gave \(value), not \(expected)", sourceLocation: place)
    }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// The places at which a part stands in a whole.
    private static func places(of part: String, in whole: String) -> [Int] {
        let (part, whole) = (Array(part.unicodeScalars), Array(whole.unicodeScalars))
        guard part.count <= whole.count else { return [] }
        return (0...whole.count - part.count).filter { Array(whole[$0..<$0 + part.count]) == part }
    }

    @Test func `a search finds the first and the last place, from each position on`() throws {
        var tests = self
        for _ in 0..<300 {
            let (t, p) = (tests.text(7, of: 4), tests.text(2, of: 2))
            let count = t.unicodeScalars.count
            let places = Self.places(of: p, in: t)
            let what = "'\(p)' in '\(t)'"
            expect(try value("t.indexOf(p)", t, p), .int(Int64(places.first ?? -1)), what)
            expect(try value("t.lastIndexOf(p)", t, p), .int(Int64(places.last ?? -1)), what)
            expect(try value("t.contains(p)", t, p), .bool(!places.isEmpty), what)
            expect(try value("t.startsWith(p)", t, p), .bool(places.contains(0)), what)
            let end = count - p.unicodeScalars.count
            expect(try value("t.endsWith(p)", t, p), .bool(places.contains(end)), what)
            for n in 0...count {
                let (first, last) = (places.first { $0 >= n } ?? -1, places.last { $0 <= n } ?? -1)
                expect(try value("t.indexOf(p, n)", t, p, "", n), .int(Int64(first)), "\(what) from \(n)")
                expect(try value("t.lastIndexOf(p, n)", t, p, "", n), .int(Int64(last)), "\(what) to \(n)")
            }
            for n in [-1, count + 1, .min, .max] {
                for function in ["indexOf", "lastIndexOf"] {
                    let found = try value("t.\(function)(p, n)", t, p, "", n)
                    expect(found, .error(.invalidArgument), "\(what) at \(n)")
                }
            }
        }
    }

    @Test func `parts of a text are counted in code points, and make it up again`() throws {
        var tests = self
        for _ in 0..<100 {
            let t = tests.text(6)
            let scalars = Array(t.unicodeScalars)
            for n in 0...scalars.count {
                expect(try value("t.substring(0, n) + t.substring(n)", t, "", "", n), .string(t), t)
                let letter = Self.text(scalars[n..<min(n + 1, scalars.count)])
                expect(try value("t.charAt(n)", t, "", "", n), .string(letter), "\(t) at \(n)")
            }
            for n in [-1, scalars.count + 1, .min, .max] {
                for call in ["charAt(n)", "substring(n)", "substring(0, n)", "substring(n, n)"] {
                    expect(try value("t.\(call)", t, "", "", n), .error(.invalidArgument), "\(t) at \(n)")
                }
            }
            expect(try value("t.substring(size(t), size(t))", t), .string(""), t)
        }
    }

    @Test func `pieces of a text hold no separator, and join to the text`() throws {
        var tests = self
        for _ in 0..<300 {
            let t = tests.text(9, of: 5)
            let p = String(tests.random.chance(1, of: 2) ? "a" : "ab")
            expect(try value("t.split(p).join(p)", t, p), .string(t), "\(t) by \(p)")
            expect(try value("t.split(p).exists(x, x.contains(p))", t, p), .bool(false), "\(t) by \(p)")
            expect(try value("t.split(p, -1) == t.split(p)", t, p), .bool(true), "\(t) by \(p)")
            expect(try value("t.split(p, 0)", t, p), .list([]), "\(t) by \(p)")
            for n in 1...4 {
                expect(try value("t.split(p, n).join(p)", t, p, "", n), .string(t), "\(t) in \(n)")
                let counted = try value("size(t.split(p, n)) == math.least(n, size(t.split(p)))", t, p, "", n)
                expect(counted, .bool(true), "\(t) in \(n)")
                // What is cut off is cut off in front.
                let begins = "n < 2 || t.split(p, n)[0] == t.split(p)[0]"
                expect(try value(begins, t, p, "", n), .bool(true), "\(t) in \(n)")
            }
        }
    }

    @Test func `an empty separator parts the code points, and the last piece has the rest`() throws {
        var tests = self
        for _ in 0..<100 {
            let t = tests.text(5)
            let scalars = Array(t.unicodeScalars)
            expect(
                try value("t.split('')", t),
                .list(scalars.map { .string(Self.text([$0])) }),
                t
            )
            for n in 1...6 {
                let single = scalars.prefix(n - 1).map { Value.string(Self.text([$0])) }
                let rest = scalars.dropFirst(n - 1)
                let pieces = single + (rest.isEmpty ? [] : [.string(Self.text(rest))])
                expect(try value("t.split('', n)", t, "", "", n), .list(pieces), "\(t) in \(n)")
            }
        }
    }

    @Test func `replacing is parting by the one and joining by the other`() throws {
        var tests = self
        for _ in 0..<200 {
            let (t, q) = (tests.text(8, of: 5), tests.text(3))
            let p = String(tests.random.chance(1, of: 2) ? "b" : "ba")
            expect(try value("t.replace(p, q) == t.split(p).join(q)", t, p, q), .bool(true), t)
            expect(try value("t.replace(p, q, -1) == t.replace(p, q)", t, p, q), .bool(true), t)
            expect(try value("t.replace(p, p)", t, p), .string(t), t)
            for n in 0...3 {
                let same = "t.replace(p, q, n) == t.split(p, n + 1).join(q)"
                expect(try value(same, t, p, q, n), .bool(true), "\(t), \(n) times")
                // An empty text stands before, between and after the code points.
                let scalars = Array(t.unicodeScalars)
                let places = min(n, scalars.count + 1)
                let begin = scalars.prefix(places).map { q + Self.text([$0]) }.joined()
                let end = places > scalars.count ? q : Self.text(scalars.dropFirst(places))
                let filled = try value("t.replace('', q, n)", t, "", q, n)
                expect(filled, .string(begin + end), "\(t) with \(q), \(n) times")
            }
        }
    }

    @Test func `white space is that of Unicode, and only its ends are taken off`() throws {
        var tests = self
        for _ in 0..<200 {
            let t = tests.text(6)
            let rest = Array(t.unicodeScalars.drop { $0.properties.isWhitespace }.reversed())
            let trimmed = Self.text(rest.drop { $0.properties.isWhitespace }.reversed())
            expect(try value("t.trim()", t), .string(trimmed), "\(t.unicodeScalars.map(\.value))")
            expect(try value("t.trim().trim() == t.trim()", t), .bool(true), t)
        }
        for number in (0...0x3100).map({ UInt32($0) }) {
            guard let scalar = Unicode.Scalar(number), scalar.properties.isWhitespace else { continue }
            expect(try value("t.trim()", Self.text([scalar])), .string(""), "U+\(number)")
        }
    }

    @Test func `only the letters from A to Z have another case`() throws {
        var tests = self
        for _ in 0..<100 {
            let t = tests.text(8)
            let lower = t.unicodeScalars.map { letter in
                ("A"..."Z").contains(letter) ? Unicode.Scalar(UInt8(letter.value) + 32) : letter
            }
            let upper = t.unicodeScalars.map { letter in
                ("a"..."z").contains(letter) ? Unicode.Scalar(UInt8(letter.value) - 32) : letter
            }
            expect(try value("t.lowerAscii()", t), .string(Self.text(lower)), t)
            expect(try value("t.upperAscii()", t), .string(Self.text(upper)), t)
            expect(try value("t.upperAscii().lowerAscii() == t.lowerAscii()", t), .bool(true), t)
        }
    }

    @Test func `a text in quotes is a literal of itself`() throws {
        var tests = self
        for _ in 0..<300 {
            let t = tests.text(10)
            guard case .string(let quoted) = try value("strings.quote(t)", t) else {
                Issue.record("\(t) has no quotes")
                continue
            }
            expect(Value.constant(quoted), .string(t), quoted)
        }
    }

    @Test func `reversing twice is nothing, and turns the order of parts`() throws {
        var tests = self
        for _ in 0..<100 {
            let (t, p) = (tests.text(6), tests.text(6))
            expect(try value("t.reverse().reverse()", t), .string(t), t)
            let turned = "(t + p).reverse() == p.reverse() + t.reverse()"
            expect(try value(turned, t, p), .bool(true), "\(t), \(p)")
            expect(try value("size(t + p) == size(t) + size(p)", t, p), .bool(true), "\(t), \(p)")
        }
    }

    @Test func `texts are in the order of their code points, and of three one lies between`() throws {
        var tests = self
        for _ in 0..<300 {
            let (t, p) = (tests.text(3), tests.text(3))
            let isBefore = t.unicodeScalars.lexicographicallyPrecedes(p.unicodeScalars)
            expect(try value("t < p", t, p), .bool(isBefore), "\(t), \(p)")
            expect(try value("(t <= p) == !(p < t) && (t >= p) == (p <= t)", t, p), .bool(true), "\(t), \(p)")
            expect(try value("[t < p, t == p, t > p].exists_one(x, x)", t, p), .bool(true), "\(t), \(p)")
        }
    }

    @Test func `bytes of a text are read back as it, and base 64 with or without its padding`() throws {
        var tests = self
        for _ in 0..<100 {
            let t = tests.text(9)
            expect(try value("string(bytes(t))", t), .string(t), t)
            expect(try value("string(base64.decode(base64.encode(bytes(t))))", t), .string(t), t)
            expect(Value.constant("string(bytes(\(Array(t.utf8))))"), .string(t), t)
            let bare = "string(base64.decode(base64.encode(bytes(t)).replace('=', '')))"
            expect(try value(bare, t), .string(t), t)
            expect(try value("size(bytes(t))", t), .int(Int64(t.utf8.count)), t)
        }
        for bytes in ["\\xff", "\\xc3", "\\xed\\xa0\\x80", "\\xf4\\x90\\x80\\x80", "\\xc0\\x80"] {
            expect(Value.constant("string(b'\(bytes)')"), .error(.invalidArgument), bytes)
        }
        for (list, error) in [
            ("[256]", .invalidArgument), ("[-1]", .invalidArgument), ("[0, dyn('a')]", .noSuchOverload),
        ] as [(String, EvaluationError)] {
            expect(Value.constant("bytes(\(list))"), .error(error), list)
        }
    }
}
