import SkerryTesting
import Foundation
import SkerryValues
import Testing

@testable import SkerryExpressions

/// How often to try: more where `SKERRY_FUZZ` gives a factor.
private func iterations(_ count: Int) -> Int {
    count * (ProcessInfo.processInfo.environment["SKERRY_FUZZ"].flatMap { Int($0) } ?? 1)
}

/// Counts what is read from a workbench.
private final class CountingSource: ValueSource {
    let bench: Workbench
    private(set) var loads = 0

    init(bench: Workbench) { self.bench = bench }

    func load(_ reference: Reference, _ context: borrowing PathTable) -> Value {
        loads += 1
        return bench.load(reference, context)
    }
}

/// Whatever is written or sent, the answer is a value or a finding.
struct RobustnessTests {
    @Test(arguments: [
        String(repeating: "(", count: 60_000), String(repeating: "[", count: 60_000),
        String(repeating: "{1:", count: 20_000), String(repeating: "!", count: 60_000) + "true",
        String(repeating: "-", count: 60_000) + "x", String(repeating: "true ? 1 : ", count: 5000) + "1",
        String(repeating: "1 + ", count: 15_000) + "1", "a" + String(repeating: ".a", count: 30_000),
        "a" + String(repeating: "[0]", count: 20_000), "a" + String(repeating: ".f()", count: 15_000),
        String(repeating: "f(", count: 30_000), String(repeating: "x.all(y, ", count: 7000),
        "'a'.matches('" + String(repeating: "(", count: 60_000) + "')",
        "'a'.matches('" + String(repeating: "a{500}", count: 1000) + "')",
        "'a'.matches('((((a{9}){9}){9}){9}){9}')", "'a'.matches('((){1000}){1000}')",
        String(repeating: "cel.bind(a, 1, ", count: 4000),
    ])
    func `deep and large texts are refused`(_ text: String) {
        var paths = PathTable()
        #expect(throws: ExpressionProblem.self) { try Program.compile(text, in: Scope(), paths: &paths) }
    }

    @Test func `the deepest text that is allowed can be evaluated`() throws {
        let depth = ExpressionLimits().depth
        #expect(Value.constant(nested("dyn([", "])[0]", "1", depth / 3 - 1)).isIdentical(to: .int(1)))
        #expect(Value.constant(nested("!dyn(", ")", "true", depth / 2 - 2)).isIdentical(to: .bool(true)))
        #expect(Value.constant(nested("dyn(true) ? 1 : (", ")", "1", depth / 2 - 2)).isIdentical(to: .int(1)))
    }

    private func nested(_ before: String, _ after: String, _ core: String, _ count: Int) -> String {
        String(repeating: before, count: count) + core + String(repeating: after, count: count)
    }

    @Test func `random expressions and their mutations never crash`() throws {
        var random = RandomExpression(seed: 20_261_121)
        var bench = Workbench.washer()
        var compiled = 0
        for _ in 0..<iterations(500) {
            let text = random.next(depth: 4)
            if evaluated(text, &bench) { compiled += 1 }
            for _ in 0..<3 { _ = evaluated(random.mutated(text), &bench) }
        }
        #expect(compiled > 20)
    }

    /// Compiles with and without checks and evaluates; whether the checks were passed.
    private func evaluated(_ text: String, _ bench: inout Workbench) -> Bool {
        bench.scope.defersChecks = true
        _ = try? bench.value(text, costLimit: 2000)
        bench.scope.defersChecks = false
        _ = try? TextTemplate.compile(text, in: bench.scope, paths: &bench.paths)
        return (try? bench.value(text, costLimit: 2000)) != nil
    }

    @Test func `text written from a tree is read as the same tree`() throws {
        var random = RandomExpression(seed: 7)
        for _ in 0..<iterations(700) {
            let text = random.next(depth: 4)
            let printed = SyntaxPrinter.print(try SyntaxTree.of(Array(text.utf8)))
            let again = SyntaxPrinter.print(try SyntaxTree.of(Array(printed.utf8)))
            #expect(printed == again)
            #expect(sameOutcome(text, printed), "\(text) became \(printed)")
        }
    }

    @Test func `texts of up to 64 KiB read no more than their cost allows`() throws {
        var random = RandomExpression(seed: 65_536)
        var bench = Workbench.washer()
        bench.scope.defersChecks = true
        var compiled = 0
        for round in 0..<iterations(24) {
            var text = random.next(depth: 4)
            while text.utf8.count < 60_000 >> (round % 8) {
                text +=
                    [" + ", " || ", " == ", " ? 1 : ", ", "][random.numbers.below(5)] + random.next(depth: 4)
            }
            if round % 3 == 0 { text = "[" + text + "]" }
            guard let program = try? bench.compile(text) else { continue }
            compiled += 1
            let source = CountingSource(bench: bench)
            _ = program.evaluate(from: source, bench.paths, costLimit: 500)
            #expect(source.loads <= 500)
        }
        #expect(compiled > 3)
    }

    private func sameOutcome(_ text: String, _ printed: String) -> Bool {
        var bench = Workbench.washer()
        bench.scope.defersChecks = true
        guard let first = try? bench.value(text), let second = try? bench.value(printed) else { return false }
        if case .error = first, case .error = second { return true }
        return first.isIdentical(to: second)
    }

    @Test func `values have the types that the checker knows`() throws {
        var random = RandomExpression(seed: 99)
        var bench = Workbench.washer()
        var checked = 0
        for _ in 0..<iterations(3000) {
            let text = random.next(depth: 3)
            guard let program = try? bench.compile(text) else { continue }
            let value = program.evaluate(from: bench, bench.paths, costLimit: 10_000)
            if case .error = value { continue }
            checked += 1
            #expect(
                value.literalType.fits(program.type),
                "\(text) is no \(program.type.description): \(value)"
            )
        }
        #expect(checked > 100)
    }
}

/// What the checker lets through.
struct SoundnessTests {
    @Test func `an expression of known types passes the checks and never fails by a type`() throws {
        var random = TypedExpression(seed: 2027)
        var bench = Workbench.washer()
        var values = 0
        for _ in 0..<iterations(4000) {
            let text = random.next(depth: 4)
            let program = try bench.compile(text)
            switch program.evaluate(from: bench, bench.paths, costLimit: 20_000) {
            case .error(.noSuchOverload), .error(.undeclaredReference):
                Issue.record("\(text) fails by a type")
            case .error: break
            case let value:
                values += 1
                #expect(value.literalType.fits(program.type), "\(text) is no \(program.type.description)")
            }
        }
        #expect(values > 1000)
    }

    @Test func `a fully typed expression never meets a wrong type`() throws {
        var random = RandomExpression(seed: 5150)
        var bench = Workbench.washer()
        var typed = 0
        for _ in 0..<iterations(6000) {
            let text = random.next(depth: 3)
            guard let program = try? bench.compile(text), program.isFullyTyped else { continue }
            typed += 1
            if case .error(.noSuchOverload) = program.evaluate(from: bench, bench.paths, costLimit: 10_000) {
                Issue.record("\(text) fails by a type")
            }
        }
        #expect(typed > 200)
    }

    @Test(arguments: [
        ("[] + [1]", "list(int)"), ("[1] + []", "list(int)"), ("[] + []", "list(dyn)"),
        ("[1] + ['a']", "list(dyn)"), ("count > 3 ? [] : ['a']", "list(string)"),
        ("count > 3 ? {'a': 1} : {}", "map(string, int)"), ("default([], [1.5])", "list(double)"),
    ])
    func `an empty list or map has the type of the other one`(_ expression: String, _ type: String) throws {
        var bench = Workbench.washer()
        #expect(try bench.compile(expression).type.description == type)
        #expect(throws: ExpressionProblem.self) { try bench.compile("(\(expression)) + 1") }
    }

    @Test(arguments: [
        ("power < 5.0 && operation == 'Run'", true), ("[1, 2].map(x, x * 2)", true),
        ("payload.a == 1", false),
        ("[1, 'a'] == [2, 'b']", false), ("[] == [1]", false), ("dyn(1) == 1", false),
        ("optional.of(1).value()", true),
    ])
    func `knows whether all types are known`(_ expression: String, _ isFullyTyped: Bool) throws {
        var bench = Workbench.washer()
        #expect(try bench.compile(expression).isFullyTyped == isFullyTyped)
    }
}

/// What an evaluation may cost.
struct CostTests {
    @Test(
        arguments: [
            ("true", 1), ("1 + count", 3), ("power < 5.0", 3), ("power < 5.0 && operation == \"Run\"", 7),
            ("count == 4 || power < 1.0", 4), ("[1, 2, 3]", 1), ("payload.list.exists(x, x == 'y')", 10),
        ] as [(String, Int32)]
    )
    func `is counted in parts and elements`(_ expression: String, _ cost: Int32) throws {
        var bench = Workbench.washer()
        let program = try bench.compile(expression)
        if case .error = program.evaluate(from: bench, bench.paths, costLimit: cost) {
            Issue.record("costs more than \(cost)")
        }
        guard case .error(.costExceeded) = program.evaluate(from: bench, bench.paths, costLimit: cost - 1)
        else {
            Issue.record("costs less than \(cost)")
            return
        }
    }

    @Test(arguments: [
        "true || payload.list.all(x, payload.list.all(y, payload.list.all(z, true)))",
        "payload.list.all(x, payload.list.all(y, payload.list.all(z, true))) || true",
        "payload.list.map(x, payload.list.map(y, payload.list)) == []",
        "cel.bind(a, operation + operation, cel.bind(b, a + a + a + a, cel.bind(c, b + b + b + b, c + c + c + c))) != ''",
        "payload.list.map(x, operation).join('')",
        "operation.replace('R', operation).replace('R', operation)",
        "operation.matches('(R|u|n)*' + '$')", "operation.contains(operation + 'x')",
        "operation == operation + ''",
        "[operation].map(x, x.split(''))", "'%s%s%s%s'.format([payload, payload, payload, payload])",
        "payload == payload", "operation in [operation + '']", "payload.list in [payload.list]",
    ])
    func `large values cost accordingly`(_ expression: String) throws {
        var bench = Workbench()
        bench.signal("operation", .string, .string(String(repeating: "Run", count: 40_000)))
        let list = Value.list((0..<2000).map { .int($0) })
        bench.payload(.map(ValueMap(uniqueEntries: [ValueMap.Entry(key: .string("list"), value: list)])))
        if expression.hasPrefix("true ||") {
            #expect(try bench.value(expression, costLimit: 1000).isIdentical(to: .bool(true)))
            return
        }
        guard case .error(.costExceeded) = try bench.value(expression, costLimit: 1000) else {
            Issue.record("\(expression) costs too little")
            return
        }
    }

    @Test(
        arguments: [
            ("true", 1), ("power < 5.0 && count > 1", 1000), ("payload.list.exists(x, x == 'y')", 10_000),
            ("[1, 2, 3].all(x, x > count)", 100), ("operation.matches('^Ru*n$')", 1000),
            ("operation.replace('ä', 'ae').replace('ö', 'oe').replace('ü', 'ue')", 10_000),
            ("operation.replace(payload.device, '')", 10_000),
        ] as [(String, Int64)]
    )
    func `ordinary expressions are estimated to cost little`(_ expression: String, _ limit: Int64) throws {
        var bench = Workbench.washer()
        let program = try bench.compile(expression)
        #expect(program.estimatedCost() <= limit, "\(program.estimatedCost())")
        #expect(program.estimatedCost() >= 1)
    }

    @Test(arguments: [
        "payload.list.all(x, payload.list.all(y, x == y))",
        "operation.replace('', operation).replace('', operation)",
        "payload.list.map(x, payload.list).map(x, x.map(y, y))",
    ])
    func `loops in loops are estimated to cost much`(_ expression: String) throws {
        var bench = Workbench.washer()
        #expect(try bench.compile(expression).estimatedCost() > 1_000_000)
    }

    @Test(
        arguments: [
            ("payload.list.filter(i, i.on && i.temp > 200).map(i, i.name).join(', ')", true),
            ("payload.rooms.exists(r, r.lamps.exists(l, l.on))", true),
            ("payload.a + payload.b + payload.c + payload.d + payload.e + payload.f", true),
            ("payload.a == payload.b && payload.list.size() > 3", true),
            ("payload.list.all(i, payload.list.all(j, i != j))", false),
            ("payload.list.map(i, payload.list.filter(j, j == i).size())", false),
        ]
    )
    func `one loop over a list of a hundred is within the limit, a loop in it is not`(
        _ expression: String,
        _ isCheap: Bool
    ) throws {
        var bench = Workbench.washer()
        let cost = try bench.compile(expression).estimatedCost(elements: 100)
        #expect((cost <= 10_000) == isCheap, "\(cost)")
    }

    @Test func `an evaluation never costs more than estimated`() throws {
        var random = RandomExpression(seed: 4711)
        var bench = Workbench.washer()
        bench.scope.defersChecks = true
        for _ in 0..<iterations(1000) {
            let text = random.next(depth: 4)
            guard let program = try? bench.compile(text) else { continue }
            let limit = Int32(clamping: program.estimatedCost(bulk: { _ in 40 }))
            if case .error(.costExceeded) = program.evaluate(from: bench, bench.paths, costLimit: limit) {
                Issue.record("\(text) costs more than \(limit)")
            }
        }
    }
}
