import SkerryValues
import Testing

@testable import SkerryConformance

/// The part of ECMAScript that machines of the cases use.
@Suite struct ScriptTests {
    private func scope() -> ScriptScope {
        var scope = ScriptScope()
        scope.declare("x", .number(3))
        scope.declare("o", .object([ScriptValue.Member(name: "a", value: .list([.number(1), .text("t")]))]))
        scope.declare(system: "_event", .object([ScriptValue.Member(name: "name", value: .text("e.f"))]))
        return scope
    }

    @Test(
        arguments: [
            ("1 + 2 * 3", .number(7)), ("(1 + 2) * 3", .number(9)), ("7 - 2 - 1", .number(4)),
            (".5 + 1e2", .number(100.5)),
            ("'a' + 1 + 2", .text("a12")), ("1 + 2 + 'a'", .text("3a")), ("'a' + true", .text("atrue")),
            ("x === 3 && o.a[1] === \"t\"", .bool(true)), ("x !== 3 || x == '3'", .bool(true)),
            ("!x", .bool(false)),
            ("1 === '1'", .bool(false)), ("null == undefined", .bool(true)), ("undefined || 4", .number(4)),
            ("o['a'].length", .number(2)), ("o.b", .undefined), ("typeof nobody", .text("undefined")),
            ("typeof o", .text("object")), ("x < 10 ? 'low' : 'high'", .text("low")),
            ("'b' > 'a'", .bool(true)),
            ("Math.pow(x, 2) % 5", .number(4)), ("Math.floor(-1.5)", .number(-2)),
            ("In('s') && !In('t')", .bool(true)),
            ("[1, [2]]", .list([.number(1), .list([.number(2)])])), ("'a' in o", .bool(true)),
            ("'b' in o", .bool(false)),
            ("JSON.stringify({a: [1, 'x', null]})", .text("{\"a\":[1,\"x\",null]}")),
            ("_event.name", .text("e.f")),
            ("[1].concat([2], 3).length", .number(3)), ("0 / 0 === 0 / 0", .bool(false)), ("-x", .number(-3)),
            ("'it\\'s' /* why */ // not", .text("it's")),
        ] as [(String, ScriptValue)]
    )
    func `expressions have the values of ECMAScript`(_ text: String, _ value: ScriptValue) throws {
        #expect(try scope().evaluate(text) { $0 == "s" } == value)
    }

    @Test(
        arguments: [
            "", "1 +", "nobody", "return", "'open", "{p1: 'v1'", "f()", "undefined.a", "x y", "#", "continue",
            "[1 2]",
            String(repeating: "(", count: 5000), String(repeating: "!", count: 5000),
        ]
    )
    func `what can not be evaluated is an error`(_ text: String) {
        #expect(throws: ScriptError.self) { try scope().evaluate(text) { _ in false } }
    }

    @Test func `scripts assign one after the other`() throws {
        var scope = scope()
        try scope.run("var y = x * 2; y += 1\nx++; o.a[0] = y; z = 'new';") { _ in false }
        #expect(try scope.evaluate("[x, y, o.a[0], z]") { _ in false }.text == "4,7,7,new")
    }

    @Test(arguments: [
        "_event = 1", "_event.name = 'x'", "x.y.z = 1", "1 = 2", "function f() {}", "if (x) { x = 1 }",
    ])
    func `scripts that do more are errors`(_ text: String) {
        var scope = scope()
        #expect(throws: ScriptError.self) { try scope.run(text) { _ in false } }
    }
}
