import SkerryExpressions
import SkerryTesting
import SkerryValues
import Testing

/// What expressions may name, and what a host sees of it.
struct ScopeTests {
    @Test(arguments: [
        ("power < 5.0 && operation == \"Run\"", "true"), ("power < 5", "true"), ("count * 2", "8"),
        ("timer.cycle == seconds(90)", "true"), ("inState(\"running\") && !inState(\"paused\")", "true"),
        ("changed(operation) && !changed(power)", "true"), ("elapsed()", "true"), ("payload.a.b", "7"),
        ("payload[\"a\"].b", "7"), ("payload.list[1]", "'y'"), ("payload.list[count - 3]", "'y'"),
        ("payload.`odd name`", "true"), ("size(payload.list)", "2"),
        ("payload.list.exists(x, x == 'y')", "true"),
        ("payload == payload", "true"), ("size(payload)", "3"), ("has(payload.a.b)", "true"),
        ("has(payload.a.c)", "false"), ("has(payload.x.y.z)", "false"), ("has(program)", "false"),
        ("has(power)", "true"),
        ("payload.?a.?b.orValue(1)", "7"), ("payload.?a.c.orValue(1)", "1"),
        ("payload.?x.?y.orValue(1)", "1"),
        ("payload[?\"x\"].hasValue()", "false"), ("payload.a.n == null", "true"),
        ("[1].exists(payload, payload == 1)", "true"), ("[1].all(power, power == 1)", "true"),
        ("program == 'x' || true", "true"), ("cel.bind(p, payload.a, p.b + p.b)", "14"),
        ("type(payload.a) == map && type(payload.list) == list && type(payload.a.b) == int", "true"),
        ("type(payload.a) == type(payload)", "true"),
    ])
    func `reads from the host`(_ expression: String, _ expected: String) throws {
        var bench = Workbench.washer()
        let value = try bench.value(expression)
        #expect(value.isIdentical(to: Value.constant(expected)), "\(expression) gave \(value)")
    }

    @Test func `an unset signal is an error`() throws {
        var bench = Workbench.washer()
        guard case .error(.unset) = try bench.value("program + 'x'") else {
            Issue.record("no error")
            return
        }
    }

    @Test func `references come in order, each once, each path one load`() throws {
        var bench = Workbench.washer()
        let program = try bench.compile(
            "payload.a.b > count && payload.a.b < 9 && has(payload.list) && elapsed()"
        )
        #expect(
            program.references == [
                Reference(kind: Workbench.payloadKind, index: 0),
                Reference(kind: Workbench.signalKind, index: 3),
                Reference(kind: Workbench.payloadKind, index: 1),
                Reference(kind: Workbench.callKind, index: 4),
            ]
        )
        #expect(bench.paths.paths == [[.key("a"), .key("b")], [.key("list")]])
        #expect(try bench.compile("payload").references == [Reference(kind: Workbench.payloadKind, index: 2)])
        #expect(bench.paths.paths[2] == [])
        #expect(try bench.compile("payload.list[count].x").references.count == 2)
        #expect(bench.paths.paths.count == 3)
    }

    @Test func `a part of the payload of which only the type is asked is not read as a whole`() throws {
        var bench = Workbench.washer()
        _ = try bench.compile("type(payload.a) == map && payload.a.b == 7 && type(payload) == map")
        #expect(bench.paths.paths == [[.key("a"), .shape], [.key("a"), .key("b")], []])
    }

    @Test func `a text that does not compile leaves the paths alone`() {
        var bench = Workbench.washer()
        #expect(!bench.findings("payload.new.path && unknown").isEmpty)
        #expect(bench.paths.paths.isEmpty)
    }

    @Test func `the longest qualified name wins, the innermost namespace first`() throws {
        var bench = Workbench()
        bench.signal("a", .dyn, .map(ValueMap(uniqueEntries: [])))
        bench.signal("a.b", .int, .int(1))
        bench.signal("a.b.c", .int, .int(2))
        bench.signal("inner.a.b", .int, .int(3))
        #expect(try bench.value("a.b.c").isIdentical(to: .int(2)))
        #expect(try bench.value("a.b").isIdentical(to: .int(1)))
        bench.scope.container = "inner.most"
        #expect(try bench.value("a.b").isIdentical(to: .int(3)))
        #expect(try bench.value(".a.b").isIdentical(to: .int(1)))
        #expect(try bench.value("[5].exists(a, .a.b == 1 && a == 5)").isIdentical(to: .bool(true)))
    }

    @Test func `a variable with fields is no misspelt name of a longer one`() throws {
        var bench = Workbench()
        let raw = ValueMap(uniqueEntries: [ValueMap.Entry(key: .string("power"), value: .int(7))])
        let last = ValueMap(uniqueEntries: [ValueMap.Entry(key: .string("raw"), value: .map(raw))])
        bench.signal("context.last", .dyn, .map(last))
        bench.signal("context.last_raw_power", .int, .int(1))
        #expect(try bench.value("context.last.raw.power").isIdentical(to: .int(7)))
        #expect(bench.findings("context.lost.raw").first?.code == .unknownName)
    }

    @Test func `a typed payload has only what its type has`() throws {
        var bench = Workbench()
        bench.payload(.string("online"), type: .string)
        #expect(try bench.value("payload == \"online\"").isIdentical(to: .bool(true)))
        #expect(bench.findings("payload.field").first?.code == .wrongType)
    }
}
