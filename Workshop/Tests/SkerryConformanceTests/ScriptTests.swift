import SkerryImport
import SkerryValues
import Testing

@testable import SkerryConformance

/// The part of ECMAScript that machines of the cases use.
@Suite struct ScriptTests {
    private func scope() -> ScriptScope {
        var scope = ScriptScope()
        scope.activeStates = ["s"]
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
            ("'it\\'s' /* why */ // not", .text("it's")), ("'\\u0041'", .text("A")),
            ("++x + x--", .number(8)), ("x = 5", .number(5)), ("[1, 2] instanceof Array", .bool(true)),
            ("typeof In", .text("function")), ("(function(a) { return a + 1 })(2)", .number(3)),
            ("'a,b'.split(',').length", .number(2)), ("Math.PI > 3.14 && Math.max(1, 4) === 4", .bool(true)),
        ] as [(String, ScriptValue)]
    )
    func `expressions have the values of ECMAScript`(_ text: String, _ value: ScriptValue) throws {
        var scope = scope()
        #expect(try scope.evaluate(text) == value)
    }

    @Test(
        arguments: [
            "", "1 +", "nobody", "return", "'open", "{p1: 'v1'", "f()", "undefined.a", "x y", "#", "continue",
            "[1 2]",
            String(repeating: "(", count: 5000), String(repeating: "!", count: 5000),
        ]
    )
    func `a script that can't be evaluated is an error`(_ text: String) {
        var scope = scope()
        #expect(throws: ScriptError.self) { try scope.evaluate(text) }
    }

    @Test(
        arguments: [
            ("var y = x * 2; y += 1\nx++; o.a[0] = y; z = 'new'; r = [x, y, o.a[0], z]", "4,7,7,new"),
            ("function fact(n) { if (n <= 1) return 1; return n * fact(n - 1) }\nr = fact(5)", "120"),
            ("r = 0; for (var i = 0; i < 5; i++) { if (i == 3) continue; r += i }", "7"),
            ("r = ''; for (var k in {a: 1, b: 2}) { r = r + k }", "ab"),
            ("r = 1; while (true) { r *= 2; if (r > 50) break }", "64"),
            ("try { nobody() } catch (e) { r = e.message }", "'nobody' is not declared"),
            ("try { throw 'mine' } catch (e) { r = e.message } finally { r += '!' }", "mine!"),
            ("function f(a) { a = 2; var x = 9; return a + x }\nr = [f(1), x]", "11,3"),
            ("function F(a) { this.b = a }\nvar f = new F(4); f.c = 5; r = [f.b, f.c]", "4,5"),
            ("var p = {n: 2, twice: function () { return this.n * 2 }}; r = p.twice()", "4"),
            ("r = [3]; r.push(4); r.pop(); r = r.concat([5]).join('-')", "3-5"),
        ]
    )
    func `scripts behave as ECMAScript specifies`(_ script: String, _ result: String) throws {
        var scope = scope()
        try scope.run(script)
        #expect(try scope.evaluate("r").text == result)
    }

    @Test(arguments: [
        "_event = 1", "_event.name = 'x'", "x.y.z = 1", "1 = 2", "function f() { f() }\nf()",
        "while (true) {}",
        "if (x) {", "var 1", "x = 1 y = 2", "throw 'on purpose'", "nobody()", "/* open",
    ])
    func `scripts that fail are errors`(_ text: String) {
        var scope = scope()
        #expect(throws: ScriptError.self) { try scope.run(text) }
    }

    @Test func `an error has its place`() {
        var scope = scope()
        let error = #expect(throws: ScriptError.self) { try scope.evaluate("x + nobody") }
        #expect(error?.offset == 4)
    }
}
