import SkerryExpressions
import SkerryTesting
import SkerryValues
import Testing

/// What expressions give, each compared with a second expression that is easier to be sure of.
struct EvaluationTests {
    @Test(arguments: [
        // Precedence and association.
        ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("10 - 4 - 3", "3"), ("20 / 2 / 5", "2"),
        ("7 % 4 * 2", "6"),
        ("1 + 2 == 3 && 4 < 5 || false", "true"), ("false && false || true", "true"),
        ("true || false && false", "true"), ("!true || true", "true"), ("-2 * -3", "6"), ("- -2", "2"),
        ("false ? 1 : true ? 2 : 3", "2"), ("1 < 2 == true", "true"), ("2 in [1, 2] == true", "true"),
        ("-[1, 2][1]", "-2"), ("!{'a': true}.a", "false"), ("'a' + 'b' in ['ab']", "true"),
        // Numbers.
        ("5 / 2", "2"), ("-5 / 2", "-2"), ("-5 % 3", "-2"), ("5.0 / 2.0", "2.5"), ("3.5 < 4", "true"),
        ("0x1F", "31"), ("1e3", "1000.0"), (".5 + 1.0", "1.5"), ("2u + 3u", "5u"),
        ("dyn(1) == 1.0 && dyn(1u) == 1", "true"),
        ("dyn(1) + 1.5", "2.5"), ("dyn(1.5) * 2", "3.0"), ("dyn(7) / dyn(2.0)", "3.5"), ("dyn(7) / 2", "3"),
        ("default(1, 2)", "1"), ("default(dyn({})['a'], 2)", "2"), ("default(1 / 0, 'x')", "'x'"),
        ("default(null, 2)", "null"), ("default(dyn('a') < 1, false) || true", "true"),
        ("0.0 / 0.0 == 0.0 / 0.0", "false"),
        ("0.0 / 0.0 < 1.0 || 0.0 / 0.0 >= 1.0", "false"), ("int('-12') + int(3.9)", "-9"),
        // Texts are code points.
        ("'\\u00e9' == 'e\\u0301'", "false"), ("size('e\\u0301')", "2"), ("'\\ud83d\\ude00'", "'😀'"),
        ("'\\uD83D\\uDE00\\u0041'", "'😀A'"),
        ("double('Infinity') > 1e308", "true"), ("double('1e-400')", "0.0"), ("'a' < 'B'", "false"),
        ("'z' < '\\u00e9'", "true"), ("'abc'.substring(1)", "'bc'"),
        ("'a,b,,c'.split(',')", "['a', 'b', '', 'c']"),
        ("'abc'.split('')", "['a', 'b', 'c']"), ("'abc'.split('', 2)", "['a', 'bc']"), ("''.split('')", "[]"),
        ("'abc'.replace('', '-')", "'-a-b-c-'"), ("'aaa'.replace('a', 'b', 2)", "'bba'"),
        ("'abcabc'.lastIndexOf('c', 4)", "2"), ("'hello'.charAt(5)", "''"), ("[1, 2].first().value()", "1"),
        ("string(1000000.0)", "'1000000'"), ("string(1e21)", "'1e+21'"), ("string(0.00001)", "'1e-05'"),
        ("string(0.5)", "'0.5'"), ("string(100.25)", "'100.25'"), ("string(-0.0)", "'-0'"),
        ("string(12345678901234567890.0)", "'12345678901234567000'"),
        // Containers.
        ("{'b': 1, 'a': 2} == {'a': 2, 'b': 1}", "true"), ("{1: 'x'}[1.0]", "'x'"),
        ("size({'a': 1}) + size([1, 2])", "3"), ("[1, 2, 3].map(x, x > 1, x * 10)", "[20, 30]"),
        ("[[1], [2, 3]].map(l, l.map(x, x * size(l)))", "[[1], [4, 6]]"),
        ("{'a': 1, 'b': 2}.transformMapEntry(k, v, {v: k})", "{1: 'a', 2: 'b'}"),
        ("cel.bind(x, 20, x + cel.bind(x, 1, x) + x)", "41"), ("has({'a': null}.a) && !has({}.a)", "true"),
        ("has({1: 'a'}.a)", "false"),
        // Optionals.
        ("{'a': {'b': 1}}.?a.b.orValue(2)", "1"), ("{'a': 1}.?b.or(optional.of(3)).value()", "3"),
        ("[?{}.?a, 1]", "[1]"), ("has(optional.of({'a': 1}).a)", "true"),
        ("has(optional.of({'a': 1}).b)", "false"),
        ("has(optional.none().a)", "false"), ("optional.of([1])[0] == optional.of(1)", "true"),
        ("{'x': optional.none()}.?x.hasValue()", "true"),
        // Times.
        ("duration('1h30m') + duration('-90s')", "duration('5310s')"), ("string(duration('1.5s'))", "'1.5s'"),
        ("duration('100ms') < seconds(1)", "true"), ("seconds('90') == minutes(1.5)", "true"),
        ("duration('-9223372036854775808ns') + duration('9223372036854775807ns')", "duration('-1ns')"),
        ("hours(2u) == duration('2h')", "true"), ("seconds(0.25)", "duration('250ms')"),
        ("timestamp('2024-02-29T12:00:00Z') + hours(24)", "timestamp('2024-03-01T12:00:00Z')"),
        ("timestamp('2024-02-29T23:30:00+01:00')", "timestamp('2024-02-29T22:30:00Z')"),
        ("timestamp('2024-12-31T00:00:00Z').getDayOfYear()", "365"),
        ("timestamp('1969-12-31T23:59:59Z').getFullYear('+00:01')", "1970"),
        ("string(timestamp('1969-12-31T23:59:59.75Z'))", "'1969-12-31T23:59:59.75Z'"),
        // Formatting.
        ("'%.2f|%.0f|%.1f'.format([2.675, 2.5, 0.05])", "'2.67|2|0.1'"),
        ("'%e|%.3e'.format([0.0, 123456])", "'0.000000e+00|1.235e+05'"),
        ("'%f'.format([1e20])", "'100000000000000000000.000000'"),
        ("'%.3f'.format([5e-324])", "'0.000'"), ("'%x|%o|%b'.format([-255, 8, true])", "'-ff|10|1'"),
        ("'%s'.format([b'\\xff\\xfea'])", "'\\ufffda'"), ("'%d%%'.format([7.5])", "'7.5%'"),
        ("string(math.sign(-0.0))", "'0'"),
    ])
    func `gives the same as`(_ expression: String, _ simpler: String) {
        let value = Value.constant(expression)
        #expect(value.isIdentical(to: Value.constant(simpler)), "\(expression) gave \(value)")
    }

    @Test(arguments: [
        ("1 / 0", EvaluationError.divisionByZero), ("1 % 0", .divisionByZero),
        ("9223372036854775807 + 1", .overflow),
        ("-(-9223372036854775808)", .overflow), ("0u - 1u", .overflow), ("uint(-1)", .overflow),
        ("int(1e19)", .overflow),
        ("[1][1]", .indexOutOfBounds), ("[1][-1]", .indexOutOfBounds), ("{'a': 1}.b", .noSuchKey),
        ("{'a': 1}['b']", .noSuchKey), ("dyn(1) + 'a'", .noSuchOverload),
        ("dyn(1.5) % 2", .noSuchOverload), ("default(1 / 0, dyn(1) + 'a')", .noSuchOverload),
        ("dyn('a') && true", .noSuchOverload),
        ("dyn(1).a", .noSuchOverload), ("int('x')", .invalidArgument), ("duration('1x')", .invalidArgument),
        ("timestamp('2023-02-29T00:00:00Z')", .invalidArgument), ("'abc'.substring(2, 1)", .invalidArgument),
        ("timestamp('9999-12-31T23:59:59Z') + hours(1)", .overflow),
        ("{1: 1, 1.0 == 1.0 ? 1 : 2: 2}", .invalidArgument),
        ("optional.none().value()", .invalidArgument), ("'a'.matches(dyn('('))", .invalidArgument),
        ("timestamp(0).getHours('Nowhere/Place')", .invalidArgument),
        ("'%d'.format(['x'])", .invalidArgument),
        ("'%s %s'.format([1])", .invalidArgument), ("seconds(1e300)", .overflow),
        ("seconds('soon')", .invalidArgument), ("uint('-0')", .invalidArgument),
        ("double('1e400')", .overflow),
        // An operand with an error has no fields that could be absent.
        ("has({}.a.b)", .noSuchKey), ("{}.a.?b", .noSuchKey), ("{}.a[?'b']", .noSuchKey),
    ])
    func `fails with`(_ expression: String, _ error: EvaluationError) {
        let value = Value.constant(expression)
        guard case .error(error) = value else {
            Issue.record("\(expression) gave \(value)")
            return
        }
    }

    /// `E` stands for an error, `D` for a value that is not a truth value.
    @Test(arguments: [
        ("E && false", "false"), ("false && E", "false"), ("E && true", "E"), ("true && E", "E"),
        ("E || true", "true"),
        ("true || E", "true"), ("E || false", "E"), ("D && false", "false"), ("D || true", "true"),
        ("D || false", "E"),
        ("E ? 1 : 2", "E"), ("true ? 1 : E", "1"), ("false ? E : 2", "2"), ("!E", "E"), ("E == E", "E"),
        ("[1, 2].all(x, x == 1 ? dyn(E) : false)", "false"), ("[1, 2].all(x, x == 1 ? dyn(E) : true)", "E"),
        ("[1, 2].exists(x, x == 1 ? dyn(E) : true)", "true"),
        ("[1, 2].exists(x, x == 1 ? dyn(E) : false)", "E"),
        ("[1, 2].exists_one(x, x == 1 ? dyn(E) : true)", "E"),
        ("[1, 2].filter(x, x == 1 ? dyn(E) : true)", "E"),
        ("[E, 1]", "E"), ("{'a': E}", "E"), ("cel.bind(x, E, true || x)", "true"), ("cel.bind(x, E, x)", "E"),
        ("E && E && false && E", "false"), ("optional.of(E)", "E"), ("size([E])", "E"),
        ("optional.of(true).orValue(E)", "true"), ("optional.none().orValue(E)", "E"),
        ("optional.of(true).or(optional.of(E)).value()", "true"),
        ("optional.none().or(optional.of(E))", "E"),
    ])
    func `errors are absorbed as specified`(_ pattern: String, _ expected: String) {
        let expression = pattern.split(separator: " ", omittingEmptySubsequences: false).map {
            $0.replacing("E", with: "dyn(1 / 0 > 0)").replacing("D", with: "dyn('text')")
        }.joined(separator: " ")
        let value = Value.constant(expression)
        if expected == "E" {
            if case .error = value { return }
        } else if value.isIdentical(to: Value.constant(expected)) {
            return
        }
        Issue.record("\(expression) gave \(value)")
    }

    @Test(arguments: [
        ("1 + 2u", ""), ("1 + 1", "int"), ("1.5 * 2.0", "double"), ("'a' + 'b'", "string"),
        ("[1, 2]", "list(int)"),
        ("[1, 'a']", "list(dyn)"), ("{'a': 1.5}", "map(string, double)"), ("1 < 2.0", "bool"),
        ("dyn(1) + 1", "dyn"), ("dyn(1) % 2", "int"),
        ("dyn(1)", "dyn"), ("[[1]].map(l, size(l))", "list(int)"), ("optional.of(1)", "optional(int)"),
        ("optional.of(1).orValue(2)", "int"), ("{'a': 1}.?a", "optional(int)"),
        ("timestamp(0) - timestamp(1)", "duration"),
        ("timestamp(0) + seconds(1)", "timestamp"), ("type(1)", "type"), ("null", "null_type"),
        ("b'a'", "bytes"),
        ("true ? 1 : 2", "int"), ("[1].filter(x, x > 0)", "list(int)"),
        ("{'a': 1}.map(k, k)", "list(string)"),
        ("cel.bind(x, 'a', x + x)", "string"), ("math.greatest(1, 2)", "int"),
        ("math.greatest(1, 2.0)", "dyn"),
    ])
    func `the checker deduces`(_ expression: String, _ type: String) {
        var paths = PathTable()
        let program = try? Program.compile(expression, in: Scope(), paths: &paths)
        #expect((program?.type.description ?? "") == type)
    }
}
