import SkerryExpressions
import SkerryValues
import Testing

/// What is known of an expression without evaluating it.
struct ProgramShapeTests {
    /// The names of the signals in a workbench, by the numbers of their references.
    private static let names = ["power", "operation", "program", "count", "timer.cycle"]

    private func program(_ text: String) throws -> Program {
        var bench = Workbench.washer()
        return try bench.compile(text)
    }

    private func name(_ reference: Reference) -> String {
        reference.kind == Workbench.signalKind ? Self.names[Int(reference.index)] : "other"
    }

    @Test(
        arguments: [
            ("power", "power"), ("(power)", "power"), ("timer.cycle", "timer.cycle"), ("-power", nil),
            ("power + 1.0", nil),
            ("default(power, 1.0)", nil), ("power > 1.0 ? power : power", nil), ("1", nil),
            ("has(power)", nil),
        ] as [(String, String?)]
    )
    func `an expression that only hands a value on`(_ text: String, _ expected: String?) throws {
        #expect(try program(text).reference.map(name) == expected)
    }

    @Test(arguments: [
        ("1", []), ("power", ["power"]), ("power + double(count)", ["power", "count"]),
        ("power > power", ["power"]),
        ("power > 1.0 && count > 1", []), ("power > 1.0 || count > 1", []), ("!(power > 3.0)", ["power"]),
        ("power > 1.0 ? count : 2", ["power"]), ("has(program)", []), ("default(program, operation)", []),
        ("program.left", ["program"]), ("program.?left", []), ("has(program.left)", ["program"]),
        ("program[count]", ["program", "count"]), ("[power]", []), ("{'a': power}", []),
        ("size(operation)", ["operation"]),
        ("operation in ['a', program]", ["operation"]), ("operation.matches('^a')", ["operation"]),
        ("operation.replace('a', string(count))", ["operation", "count"]),
        ("[1].exists(x, x > count)", []), ("program.exists(x, x > count)", ["program"]),
        ("cel.bind(x, power, x + x)", []), ("cel.bind(x, power, x + double(count))", ["count"]),
        ("optional.of(power).orValue(2.0)", ["power"]), ("program.orValue(count)", ["program"]),
    ])
    func `what must have a value for the expression to have one`(_ text: String, _ expected: [String]) throws
    {
        #expect(try program(text).requiredReferences.map(name) == expected)
    }

    /// Without any of the references that it says are required, an expression has an error.
    @Test func `a required value that is absent is an error of the whole`() throws {
        var random = RandomExpression(seed: 41)
        var compiled = 0
        for _ in 0..<2000 {
            let text = random.next(depth: 3)
            guard let program = try? program(text) else { continue }
            for reference in program.requiredReferences where reference.kind == Workbench.signalKind {
                compiled += 1
                var bench = Workbench.washer()
                let again = try bench.compile(text)
                let value = again.evaluate(
                    from: Without(bench: bench, absent: reference),
                    bench.paths,
                    costLimit: 5000
                )
                #expect(value.failure != nil, "\(text) without \(name(reference)) gave \(value)")
            }
        }
        #expect(compiled > 20)
    }

    /// A workbench in which one signal is unset.
    private struct Without: ValueSource {
        let bench: Workbench
        let absent: Reference

        func load(_ reference: Reference, _ context: borrowing PathTable) -> Value {
            reference == absent ? .error(.unset) : bench.load(reference, context)
        }
    }

    @Test(
        arguments: [
            ("'a'", ["a"]), ("power > 3.0 ? 'hot' : 'cold'", ["hot", "cold"]),
            ("power > 9.0 ? 'a' : power > 3.0 ? 'b' : 'a'", ["a", "b", "a"]),
            ("power > 3.0", ["true", "false"]),
            ("count in [1, 2]", ["true", "false"]), ("!has(program)", ["true", "false"]),
            ("operation.matches('a')", ["true", "false"]), ("power > 3.0 ? 'hot' : operation", nil),
            ("operation", nil),
            ("operation + 'a'", nil), ("default(program, 'a')", nil), ("count", nil),
            ("power > 1.0 ? 1 : 2", ["1", "2"]),
        ] as [(String, [String]?)]
    )
    func `all values that an expression can have`(_ text: String, _ expected: [String]?) throws {
        #expect(try program(text).possibleValues?.map { $0.text ?? "?" } == expected)
    }

    @Test func `more than 64 possible values are as none`() throws {
        #expect(try program(Self.choice(of: 0..<64)).possibleValues?.count == 64)
        #expect(try program(Self.choice(of: 0..<65)).possibleValues == nil)
    }

    /// An expression with so many texts, one for each count.
    private static func choice(of counts: Range<Int>) -> String {
        if counts.count == 1 { return "'\(counts.lowerBound)'" }
        let middle = (counts.lowerBound + counts.upperBound) / 2
        let (low, high) = (choice(of: counts.lowerBound..<middle), choice(of: middle..<counts.upperBound))
        return "(count < \(middle) ? \(low) : \(high))"
    }

    @Test(
        arguments: [
            ("power", ["power"]),
            ("power > 1.0 ? count : default(program, operation)", ["count", "program", "operation"]),
            ("default(program, count)", ["program", "count"]), ("power > 1.0 ? count : 2", nil),
            ("count + 0", nil),
            ("default(program, 1)", nil), ("power > 1.0 ? count : count", ["count", "count"]),
        ] as [(String, [String]?)]
    )
    func `the values one of which an expression hands on`(_ text: String, _ expected: [String]?) throws {
        #expect(try program(text).returnedReferences?.map(name) == expected)
    }

    @Test(arguments: [
        // Expression, whether it has a loop, asks for presence, is a comparison.
        ("power > 3.0", false, false, true), ("3.0 < power", false, false, true),
        ("power", false, false, true),
        ("power > 3.0 && count == 2 || !(operation in ['a', 'b'])", false, false, true),
        ("power > 3.0 ? count == 2 : count == 3", false, false, true), ("true", false, false, true),
        ("operation == 'b'", false, false, true), ("operation < 'b'", false, false, false),
        ("power > double(count)", false, false, false), ("count + 1 > 2", false, false, false),
        ("operation.startsWith('a')", false, false, false), ("power == power", false, false, false),
        ("program == [1]", false, false, false), ("program == null", false, false, true),
        ("timer.cycle < duration('5m')", false, false, true),
        ("has(program)", false, true, false), ("default(count, 1) > 2", false, true, false),
        ("has(payload.a)", false, true, false), ("program.?a.orValue(1) == 1", false, true, false),
        ("[1].exists(x, x == count)", true, false, false),
        ("{'a': 1}.map(k, k) == program", true, false, false),
        ("{'a': 1}.all(k, v, v == count)", true, false, false), ("size(operation) > 2", false, false, false),
    ])
    func `the sort of an expression`(_ text: String, _ loops: Bool, _ asks: Bool, _ compares: Bool) throws {
        let program = try program(text)
        #expect(program.hasLoop == loops, "\(text)")
        #expect(program.asksPresence == asks, "\(text)")
        #expect(program.isComparison == compares, "\(text)")
    }

    @Test(arguments: [
        ("power > 3.0 && 5 < count", ["power 3", "count 5"]),
        ("operation in ['a', 'b']", ["operation a", "operation b"]),
        ("operation == 'a' || operation != 'b'", ["operation a", "operation b"]),
        ("power > double(count)", []),
        ("default(power, 0.0) >= 2.0", ["power 2"]), ("count + 1 == 2", []), ("power == power", []),
    ])
    func `the constants with which something is compared`(_ text: String, _ expected: [String]) throws {
        let found = try program(text).comparisons.map { "\(name($0.reference)) \($0.constant.text ?? "?")" }
        #expect(found.sorted() == expected.sorted())
    }

    @Test(arguments: [
        ("program.left > 1", ["program left"]), ("program.a.b", ["program a"]),
        ("default(program, {}).a", ["program a"]),
        ("payload.a.b", []), ("program['a']", []), ("has(program.left)", []),
    ])
    func `the fields of what comes from outside as a whole`(_ text: String, _ expected: [String]) throws {
        let found = try program(text).fields.map { "\(name($0.reference)) \($0.name)" }
        #expect(found == expected)
    }

    @Test(arguments: [
        ("operation == 'Run'", ["Run"], true), ("'Run' == operation", ["Run"], true),
        ("operation == 'Run' || operation in ['Stop', 'End']", ["Run", "Stop", "End"], true),
        ("operation == 'Run' && power > 3.0", ["Run"], true), ("power > 3.0", [], true),
        ("default(operation, '') == 'Run'", ["Run"], true),
        // Another text makes a difference, too.
        ("operation != 'Run'", ["Run"], false), ("!(operation == 'Run')", ["Run"], false),
        ("!(power > 3.0 && operation == 'Run')", ["Run"], false),
        ("operation == 'Run' ? 1 : 2", ["Run"], false),
        // The value is handed on.
        ("operation", [], false), ("operation == 'Run' && size(operation) > 2", ["Run"], false),
        ("operation == program", [], false), ("operation < 'Run'", [], false),
    ])
    func `the texts with which something is compared`(_ text: String, _ words: [String], _ isAll: Bool) throws
    {
        let operation = Reference(kind: Workbench.signalKind, index: 1)
        let found = try program(text).words(comparedWith: operation)
        #expect(found.words.sorted() == words.sorted(), "\(text)")
        #expect(found.isAll == isAll, "\(text)")
    }
}
