import Foundation
import SkerryExpressions
import SkerryTesting
import SkerryValues
import Testing

/// Numbers: how they are calculated with, written and read, at the edges of 64 bits and in between.
struct NumberFunctionTests {
    private var random = SimulatedRandom(seed: 30)

    private static let edges: [Int64] = [
        0, 1, -1, 2, -2, 7, -7, 10, .max, .max - 1, .min, .min + 1, 1 << 32, -(1 << 32), 3_037_000_500,
    ]

    private static let doubles: [Double] = [
        0, -0.0, 1, -1, 0.1, 1 / 3, 2.5, -2.5, 1e21, 1e20, 999_999.5, 1e-5, 1e-4, .leastNonzeroMagnitude,
        2.2250738585072014e-308,
        .greatestFiniteMagnitude, 0x1p53, 0x1p63, 0.5, 1.5, 9.5, 99.995, 1e22, 123_456_789_012_345_683_968,
    ]

    private mutating func double() -> Double {
        while true {
            let number = Double(bitPattern: random.next())
            if number.isFinite { return number }
        }
    }

    private func value(_ expression: String, _ a: Value, _ b: Value = .null) throws -> Value {
        var bench = Workbench()
        bench.signal("a", .dyn, a)
        bench.signal("b", .dyn, b)
        return try bench.value(expression)
    }

    @Test func `whole numbers are exact, or overflow`() throws {
        for a in Self.edges {
            for b in Self.edges {
                let results: [(String, (Int64, Bool))] = [
                    ("a + b", a.addingReportingOverflow(b)), ("a - b", a.subtractingReportingOverflow(b)),
                    ("a * b", a.multipliedReportingOverflow(by: b)),
                ]
                for (expression, (result, isTooLarge)) in results {
                    let value = try value(expression, .int(a), .int(b))
                    if isTooLarge {
                        #expect(value.failure == "overflow", "\(expression) of \(a), \(b)")
                    } else {
                        #expect(value.isIdentical(to: .int(result)), "\(expression) of \(a), \(b)")
                    }
                }
                guard b != 0, a != .min || b != -1 else { continue }
                let whole = try value("(a / b) * b + a % b == a", .int(a), .int(b))
                #expect(whole.isIdentical(to: .bool(true)), "\(a), \(b)")
                // Towards zero: the rest has the sign of the dividend.
                let rest = try value("a % b == 0 || (a % b < 0) == (a < 0)", .int(a), .int(b))
                #expect(rest.isIdentical(to: .bool(true)), "\(a), \(b)")
            }
        }
    }

    @Test func `a decimal number is written so that it is read as the same, in the fewest digits`() throws {
        var tests = self
        for number in Self.doubles + (0..<2000).map({ _ in tests.double() }) {
            let back = try value("double(string(a))", .double(number))
            #expect(back.isIdentical(to: .double(number)), "\(number)")
            guard case .string(let text) = try value("string(a)", .double(number)) else {
                Issue.record("\(number) has no text")
                continue
            }
            // Swift writes the shortest digits, too, but not in the same form.
            let digits = { (text: String) in
                text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }.reversed()
                    .drop { $0 == "0" }.count
            }
            #expect(digits(text) == digits(number.description), "\(text), \(number)")
            let isPlain = number == 0 || (1e-4..<1e21).contains(number.magnitude)
            #expect(text.contains("e") != isPlain, "\(text)")
        }
    }

    /// The text of the C library, which rounds the exact digits as well.
    private func printed(_ format: String, _ number: Double) -> String {
        var buffer = [CChar](repeating: 0, count: 2000)
        let count = withVaList([number]) { vsnprintf(&buffer, buffer.count, format, $0) }
        return String(decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test func `format rounds as the C library does, with any number of digits`() throws {
        var tests = self
        for number in Self.doubles + (0..<300).map({ _ in tests.double() }) {
            for clause in ["%f", "%e", "%.\(tests.random.below(30))f", "%.\(tests.random.below(30))e"] {
                let value = try value("'\(clause)'.format([a])", .double(number))
                let expected = printed(clause, number)
                #expect(value.isIdentical(to: .string(expected)), "\(clause) of \(number) gave \(value)")
            }
        }
        // Halves, where one digit decides.
        for tenths in 0..<2000 {
            let number = Double(tenths) / 8
            for clause in ["%.0f", "%.1f", "%.2f", "%.0e", "%.1e"] {
                let value = try value("'\(clause)'.format([a])", .double(number))
                #expect(value.isIdentical(to: .string(printed(clause, number))), "\(clause) of \(number)")
            }
        }
    }

    @Test(arguments: [
        ("'%.1000f'.format([1.0]).size()", "1002"), ("'%.1001f'.format([1.0])", "E"),
        ("'%.f'.format([1.0])", "E"),
        ("'%5d'.format([1])", "E"), ("'%'.format([1])", "E"), ("'%.'.format([1])", "E"),
        ("'%d'.format([])", "E"),
        ("'%%'.format([])", "'%'"), ("'%d'.format([1, 2])", "'1'"), ("''.format([1])", "''"),
        ("'%f'.format([0.0 / 0.0])", "'NaN'"), ("'%.2e'.format([-1.0 / 0.0])", "'-Infinity'"),
        ("'%d'.format([true])", "E"), ("'%x'.format([1.0])", "E"), ("'%b'.format([false])", "'0'"),
        ("'%o'.format([-8])", "'-10'"), ("'%X'.format(['ö'])", "'C3B6'"),
        ("'%x'.format([b'\\x00\\xff'])", "'00ff'"),
        ("'%s'.format([null])", "'null'"), ("'%s'.format([optional.none()])", "E"),
        ("'%s'.format([{'b': [1u, 2.0], 'a': {}}])", "'{a: {}, b: [1, 2]}'"),
        ("'%s'.format([{10: 1, 9: 2, true: 3}])", "'{10: 1, 9: 2, true: 3}'"),
        (
            "'%d %s'.format([-9223372036854775808, 18446744073709551615u])",
            "'-9223372036854775808 18446744073709551615'"
        ),
    ])
    func `format takes what its clauses say`(_ expression: String, _ expected: String) {
        let value = Value.constant(expression)
        if expected == "E" {
            #expect(value.failure == "invalidArgument", "\(expression)")
        } else {
            #expect(value.isIdentical(to: Value.constant(expected)), "\(expression) gave \(value)")
        }
    }

    @Test(arguments: [
        ("int(9223372036854774784.0)", "9223372036854774784"), ("int(9223372036854775808.0)", "overflow"),
        ("int(-9223372036854774784.0)", "-9223372036854774784"), ("int(-9223372036854777856.0)", "overflow"),
        ("int(0.0 / 0.0)", "overflow"), ("int(-0.9)", "0"), ("int(9223372036854775808u)", "overflow"),
        ("int('9223372036854775807')", "9223372036854775807"),
        ("int('9223372036854775808')", "invalidArgument"),
        ("int('')", "invalidArgument"), ("int('1.5')", "invalidArgument"),
        ("int(dyn(true))", "noSuchOverload"),
        ("int(dyn(null))", "unset"), ("uint(18446744073709549568.0)", "18446744073709549568u"),
        ("uint(18446744073709551616.0)", "overflow"), ("uint(-0.5)", "overflow"), ("uint(-0.0)", "0u"),
        ("uint('18446744073709551615')", "18446744073709551615u"),
        ("uint('18446744073709551616')", "invalidArgument"),
        ("uint('+1')", "invalidArgument"), ("double('.5')", "0.5"), ("double('-Infinity')", "-1.0 / 0.0"),
        ("double('NaN')", "0.0 / 0.0"), ("double('')", "invalidArgument"), ("double('1e999')", "overflow"),
        ("bool('TRUE')", "true"), ("bool('tRUE')", "invalidArgument"), ("bool('')", "invalidArgument"),
        ("string(dyn([]))", "noSuchOverload"), ("timestamp(-62135596801)", "overflow"),
        ("string(timestamp(-62135596800))", "'0001-01-01T00:00:00Z'"),
        ("string(timestamp(253402300799))", "'9999-12-31T23:59:59Z'"),
        ("timestamp(253402300800)", "overflow"),
    ])
    func `conversions have an edge`(_ expression: String, _ expected: String) {
        let value = Value.constant(expression)
        if let failure = value.failure {
            #expect(failure == expected, "\(expression)")
        } else {
            #expect(value.isIdentical(to: Value.constant(expected)), "\(expression) gave \(value)")
        }
    }

    @Test func `the unit behind a number does not count, whatever the number is`() throws {
        var tests = self
        let units = [
            "W", " W", "kWh", " °C", "%", " %", "e", "E", " min", "\u{B5}g", "  ", " m/s", "Ω", "x", " xa",
        ]
        for unit in units {
            for number in Self.edges {
                let text = Value.string(" \(number)\(unit)")
                #expect(try value("int(a)", text).isIdentical(to: .int(number)), "\(text)")
                guard number >= 0 else {
                    #expect(try value("uint(a)", text).failure == "invalidArgument", "\(text)")
                    continue
                }
                #expect(try value("uint(a)", text).isIdentical(to: .uint(UInt64(number))), "\(text)")
            }
            for number in Self.doubles + (0..<50).map({ _ in tests.double() }) {
                let text = Value.string("\(number)\(unit)")
                #expect(try value("double(a)", text).isIdentical(to: .double(number)), "\(text)")
            }
        }
    }

    @Test(arguments: [
        "1 h 30 min", "12:30", "2026-03-01", "1,5 W", "W 12", "", " ", "-", "+", ".", "-.", "1.", "1.W", "m2",
        "1 m2", "--1", "1_000", "1/2", "1-W", "€ 5", "e5", "0xF", "-0xaB", "0Xc W", "1e400 W", "0x1p4",
    ])
    func `what is no number with a unit is refused`(_ text: String) throws {
        #expect(try value("int(a)", .string(text)).failure == "invalidArgument")
        // Whole numbers only: a decimal number may end in a point.
        if text == "1." { return }
        #expect(try value("double(a)", .string(text)).failure == "invalidArgument")
        #expect(try value("seconds(a)", .string(text)).failure == "invalidArgument")
    }

    @Test(arguments: [
        ("seconds(9223372036)", "duration('9223372036s')"), ("seconds(9223372037)", "overflow"),
        ("seconds(-1.5)", "duration('-1.5s')"), ("seconds(0.0 / 0.0)", "invalidArgument"),
        ("seconds(1.0 / 0.0)", "overflow"), ("hours(2562047)", "duration('2562047h')"),
        ("hours(2562048)", "overflow"),
        ("minutes('1.5 min')", "seconds(90)"), ("minutes('')", "invalidArgument"),
        ("minutes('inf')", "invalidArgument"),
        ("hours(18446744073709551615u)", "overflow"), ("seconds(0.0000000004)", "seconds(0)"),
        ("seconds(dyn(null))", "unset"), ("seconds(dyn(true))", "noSuchOverload"),
    ])
    func `a number of seconds, minutes or hours fits, or overflows`(_ expression: String, _ expected: String)
    {
        let value = Value.constant(expression)
        if let failure = value.failure {
            #expect(failure == expected, "\(expression)")
        } else {
            #expect(value.isIdentical(to: Value.constant(expected)), "\(expression) gave \(value)")
        }
    }

    @Test func `bits are those of the numbers in memory`() throws {
        for a in Self.edges {
            #expect(try value("math.bitNot(a)", .int(a)).isIdentical(to: .int(~a)))
            #expect(
                try value("math.bitNot(a)", .uint(UInt64(bitPattern: a))).isIdentical(
                    to: .uint(UInt64(bitPattern: ~a))
                )
            )
            for b in Self.edges {
                for (name, result) in [("And", a & b), ("Or", a | b), ("Xor", a ^ b)] {
                    #expect(
                        try value("math.bit\(name)(a, b)", .int(a), .int(b)).isIdentical(to: .int(result))
                    )
                    let bits = [a, b].map { Value.uint(UInt64(bitPattern: $0)) }
                    let value = try value("math.bit\(name)(a, b)", bits[0], bits[1])
                    #expect(value.isIdentical(to: .uint(UInt64(bitPattern: result))), "\(name) of \(a), \(b)")
                }
            }
            for shift in [0, 1, 5, 63, 64, 65, .max] as [Int64] {
                // Smart shifts of Swift leave nothing beyond the width; to the right, zeros come in.
                let left = Int64(bitPattern: UInt64(bitPattern: a) << shift)
                let right = Int64(bitPattern: UInt64(bitPattern: a) >> shift)
                for (name, result) in [("Left", left), ("Right", right)] {
                    let value = try value("math.bitShift\(name)(a, b)", .int(a), .int(shift))
                    #expect(value.isIdentical(to: .int(result)), "\(a) shifted by \(shift) gave \(value)")
                }
            }
            for shift in [-1, .min] as [Int64] {
                let value = try value("math.bitShiftRight(a, b)", .int(a), .int(shift))
                #expect(value.failure == "invalidArgument")
            }
        }
        #expect(try value("math.bitAnd(a, b)", .int(1), .uint(1)).failure == "noSuchOverload")
        #expect(try value("math.bitShiftLeft(a, b)", .uint(1), .uint(1)).failure == "noSuchOverload")
    }

    @Test func `the greatest and the least do not depend on the order, and bound all`() throws {
        var tests = self
        for _ in 0..<200 {
            let numbers: [Value] = (0..<(1 + tests.random.below(6))).map { _ in
                switch tests.random.below(3) {
                case 0: .int(Int64(tests.random.below(20)) - 10)
                case 1: .uint(UInt64(tests.random.below(20)))
                default: .double(Double(tests.random.below(40)) / 4 - 5)
                }
            }
            let turned = numbers.shuffled(using: &tests.random)
            for (name, sign) in [("greatest", ">="), ("least", "<=")] {
                let best = "math.\(name)(a)"
                let same = try value("\(best) == math.\(name)(b)", .list(numbers), .list(turned))
                #expect(same.isIdentical(to: .bool(true)), "\(numbers)")
                let bound = try value("a.all(x, \(best) \(sign) x) && \(best) in a", .list(numbers))
                #expect(bound.isIdentical(to: .bool(true)), "\(numbers)")
            }
        }
        for name in ["greatest", "least"] {
            for numbers in [[], [Value.double(.nan), .int(1)], [.int(1), .double(.nan)]] {
                #expect(try value("math.\(name)(a)", .list(numbers)).failure == "invalidArgument")
            }
            #expect(try value("math.\(name)(a)", .list([.int(1), .string("2")])).failure == "noSuchOverload")
        }
    }

    @Test func `a sum does not depend on the order, and knows only numbers or only lengths`() throws {
        var tests = self
        for _ in 0..<100 {
            let numbers: [Value] = (0..<tests.random.below(8)).map { _ in
                tests.random.chance(1, of: 2)
                    ? .int(Int64(tests.random.below(1000)) - 500)
                    : .double(Double(tests.random.below(1000)) / 8)
            }
            let turned = numbers.shuffled(using: &tests.random)
            let same = try value("a.sum() == b.sum()", .list(numbers), .list(turned))
            #expect(same.isIdentical(to: .bool(true)), "\(numbers)")
        }
        let second = Value.duration(CalendarDuration(seconds: 1, nanoseconds: 0))
        for (list, error) in [
            ([.int(1), second], "noSuchOverload"), ([second, .int(1)], "noSuchOverload"),
            ([.string("a")], "noSuchOverload"), ([.int(.max), .int(1)], "overflow"),
            ([.uint(.max), .uint(1)], "overflow"), ([.int(1), .uint(1)], "noSuchOverload"),
        ] as [([Value], String)] {
            #expect(try value("a.sum()", .list(list)).failure == error, "\(list)")
        }
    }

    @Test func `rounding goes to a neighbour, and what is whole stays`() throws {
        var tests = self
        for number in Self.doubles + (0..<500).map({ _ in tests.double() }) {
            for (name, rule) in [
                ("ceil", .up), ("floor", .down), ("trunc", .towardZero), ("round", .toNearestOrAwayFromZero),
            ] as [(String, FloatingPointRoundingRule)] {
                let rounded = try value("math.\(name)(a)", .double(number))
                #expect(rounded.isIdentical(to: .double(number.rounded(rule))), "\(name) of \(number)")
            }
            let parts = try value("math.sign(a) * math.abs(a) == a", .double(number))
            #expect(parts.isIdentical(to: .bool(true)), "\(number)")
        }
        for number in Self.edges {
            for name in ["ceil", "floor", "trunc", "round"] {
                let rounded = try value("math.\(name)(a)", .int(number))
                #expect(rounded.isIdentical(to: .double(Double(number))), "\(name) of \(number)")
            }
            guard number != .min else { continue }
            let parts = try value("math.sign(a) * math.abs(a) == a", .int(number))
            #expect(parts.isIdentical(to: .bool(true)), "\(number)")
        }
        #expect(try value("math.abs(a)", .int(.min)).failure == "overflow")
        #expect(try value("math.sqrt(a)", .int(-1)).isIdentical(to: .double(.nan)))
    }
}
