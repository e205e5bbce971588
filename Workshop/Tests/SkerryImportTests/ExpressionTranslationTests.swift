import Testing

@testable import SkerryImport

/// ECMAScript and the CEL that is made of it.
@Suite struct ExpressionTranslationTests {
    private func translation(fractions: Bool = false) -> ExpressionTranslation {
        var translation = ExpressionTranslation()
        translation.states = ["red", "it's"]
        translation.usesFractions = fractions
        translation.variables = [
            "n": .init(name: "n", kind: .number), "on": .init(name: "on", kind: .truth),
            "word": .init(name: "word", kind: .text), "$any": .init(name: "_any", kind: .other),
        ]
        return translation
    }

    @Test(
        arguments: [
            ("true", "true"), ("n === 1 && !on", "context.n == 1 && !context.on"),
            ("n !== 1 || n >= 2", "context.n != 1 || context.n >= 2"),
            ("(n == 1 || on) && word", "(context.n == 1 || context.on) && context.word != \"\""),
            ("n", "context.n != 0"), ("$any", "context._any == true"), ("!$any", "!(context._any == true)"),
            ("!!n", "!!(context.n != 0)"), ("undefined", "false"),
            ("In('red')", "inState(\"red\")"), ("!In(\"it's\")", "!inState(\"it's\")"),
            ("_event.name == 'a.b'", "event == \"a.b\""), ("_event.data.to == n", "event_to == context.n"),
            ("_event.data['to-day'].x", "event_to_day_x == true"), ("_event.data", "event_data == true"),
            ("typeof $any !== 'undefined'", "has(context._any)"), ("'undefined' == typeof nobody", "true"),
            ("typeof _event.data.to == 'undefined'", "!has(event_to)"),
            ("$any.a[0].b == null", "default(context._any.a[0].b, null) == null"),
            ("$any['a b'] == undefined", "default(context._any[\"a b\"], null) == null"),
            ("word.length > 3", "size(context.word) > 3"),
            ("(n + 2) * 3 % 4 < -n", "(context.n + 2) * 3 % 4 < -context.n"),
            ("n - (1 - 2) > 0", "context.n - (1 - 2) > 0"),
            ("word + n == 'a1'", "context.word + string(context.n) == \"a1\""),
            ("n > 1 ? on : n < 0", "context.n > 1 ? context.on : context.n < 0"),
            ("(n < 1) == (n < 2)", "(context.n < 1) == (context.n < 2)"),
            ("Math.max(n, 2) == Math.abs(-1)", "math.greatest(context.n, 2) == math.abs(-1)"),
            ("[1, 'a'].length == {a: 1}.a", "size([1, \"a\"]) == {\"a\": 1}.a"),
            ("word == 'q\\'\"\\\\'", "context.word == \"q'\\\"\\\\\""),
            ("Boolean(n) && String(n) == '1'", "context.n != 0 && string(context.n) == \"1\""),
            ("Math.floor(n) == 1", "context.n == 1"),
        ]
    )
    func `conditions`(_ script: String, _ expected: String) throws {
        var translation = translation()
        #expect(try translation.truth(try ScriptParser.expression(script)).text == expected)
    }

    @Test(
        arguments: [
            ("n + 1", "context.n + 1.0"), ("n / 2", "context.n / 2.0"),
            ("$any / 2", "double(context._any) / 2.0"),
            ("$any + 0.5", "double(context._any) + 0.5"), ("word.length", "double(size(context.word))"),
            ("$any[n]", "context._any[int(context.n)]"), ("Math.floor(n)", "math.floor(context.n)"),
        ]
    )
    func `numbers with fractions are so everywhere`(_ script: String, _ expected: String) throws {
        var translation = translation(fractions: true)
        #expect(try translation.value(try ScriptParser.expression(script)).text == expected)
    }

    @Test(
        arguments: [
            ("nobody", 0), ("n + f(1)", 4), ("n = 1", 2), ("n++", 0), ("new Date()", 0), ("In(n)", 3),
            ("In('blue')", 3),
            ("_event.origin", 0), ("_event", 0), ("on && typeof n", 6), ("n in $any", 2),
            ("word.indexOf('x')", 0),
            ("function () {}", 0), ("1e999", 0),
        ]
    )
    func `an expression without a translation is an error at its place`(_ script: String, _ offset: Int) {
        var translation = translation()
        let error = #expect(throws: ScriptError.self) {
            try translation.value(try ScriptParser.expression(script))
        }
        #expect(error?.offset == offset)
    }
}
