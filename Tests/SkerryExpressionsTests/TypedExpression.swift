import SkerryTesting

/// Makes random expressions whose every part has a known type, for the names of `Workbench.washer`.
struct TypedExpression {
    enum Kind: CaseIterable {
        case bool, int, uint, double, string, bytes, duration, timestamp, ints, strings, counts, optional
    }

    var numbers: SimulatedRandom
    /// The variables of the macros around the present place.
    private var locals: [(name: String, kind: Kind)] = []

    init(seed: UInt64) { numbers = SimulatedRandom(seed: seed) }

    private static let atoms: [Kind: [String]] = [
        .bool: ["true", "false", "elapsed()", "inState(\"running\")"],
        .int: ["0", "1", "-7", "count", "9223372036854775807"], .uint: ["0u", "3u", "18446744073709551615u"],
        .double: ["0.5", "-2.25", "power", "1e300"], .string: ["''", "'a,b'", "operation", "'é😀'"],
        .bytes: ["b''", "b'\\xff'", "b'abc'"], .duration: ["duration('90s')", "seconds(-1)"],
        .timestamp: ["timestamp(0)", "timestamp('2024-02-29T12:00:00Z')"], .ints: ["[1, 2, 3]", "[0]"],
        .strings: ["['a', 'b']", "['']"], .counts: ["{'a': 1, 'b': 2}", "{'': 0}"],
        .optional: ["optional.of(1)", "[1][?0]", "[1][?5]"],
    ]

    /// What gives a kind: `$` and a letter stand for a part of the kind with that letter, `x` for a variable.
    private static let forms: [Kind: [String]] = [
        .bool: [
            "$b && $b", "$b || $b", "!$b", "$i == $i", "$i < $d", "$u >= $i", "$s != $s", "$s < $s",
            "$y == $y",
            "$t < $t", "$l <= $l", "$I == $I", "$M == $M", "$i in $I", "$s in $S", "$s in $M",
            "$s.contains($s)",
            "$s.startsWith($s)", "$s.endsWith($s)", "$s.matches('^[a-z]+')", "$I.all(x, $bi)",
            "$I.exists(x, $bi)", "$S.exists_one(x, $bs)", "has($M.a)", "$o.hasValue()", "math.isNaN($d)",
            "bool($s)", "$b ? $b : $b", "$o == $o", "type($i) == type($u)",
        ],
        .int: [
            "$i + $i", "$i - $i", "$i * $i", "$i / $i", "$i % $i", "-($i)", "size($s)", "$S.size()",
            "size($M)",
            "int($d)", "int($u)", "int($s)", "int($t)", "$I[$i]", "$M[$s]", "$M.a", "$s.indexOf($s)",
            "$s.lastIndexOf($s, $i)", "$t.getHours()", "$t.getDate('+01:00')", "$l.getSeconds()",
            "math.abs($i)",
            "math.bitShiftLeft($i, $i)", "math.greatest($i, $i)", "$o.orValue($i)", "$o.value()",
            "$b ? $i : $i", "cel.bind(x, $i, $ii)",
        ],
        .uint: [
            "$u + $u", "$u - $u", "$u * $u", "$u / $u", "uint($i)", "uint($d)", "math.bitNot($u)", "uint($s)",
        ],
        .double: [
            "$d + $d", "$d - $d", "$d * $d", "$d / $d", "-($d)", "double($i)", "double($s)", "math.ceil($d)",
            "math.sqrt($i)", "math.sign($d)", "math.least($d, $d)", "$b ? $d : $d",
        ],
        .string: [
            "$s + $s", "string($i)", "string($d)", "string($t)", "string($l)", "string($y)", "string($b)",
            "$s.charAt($i)", "$s.substring($i)", "$s.substring($i, $i)", "$s.replace($s, $s)", "$s.trim()",
            "$s.lowerAscii()", "$s.reverse()", "$S.join($s)", "$S[$i]", "strings.quote($s)",
            "base64.encode($y)",
            "'%s %d %.1f'.format([dyn($s), $i, $d])", "$b ? $s : $s", "cel.bind(x, $s, $ss)",
        ],
        .bytes: ["$y + $y", "bytes($s)", "base64.decode($s)"],
        .duration: ["$l + $l", "$l - $l", "$t - $t", "duration($s)", "minutes($i)", "hours($d)"],
        .timestamp: ["$t + $l", "$t - $l", "$l + $t", "timestamp($i)", "timestamp($s)"],
        .ints: [
            "$I + $I", "[$i, $i]", "$I.filter(x, $bi)", "$I.map(x, $ii)", "$S.map(x, $is)", "[?$o, $i]",
            "$b ? $I : $I",
        ],
        .strings: [
            "$S + $S", "[$s, $s]", "$s.split($s)", "$s.split($s, $i)", "$M.map(x, $ss)", "$S.filter(x, $bs)",
        ],
        .counts: ["{$s: $i}", "{'a': $i, ?$s: $o}", "$M.transformMap(k, x, $ii)", "$b ? $M : $M"],
        .optional: [
            "optional.of($i)", "$I[?$i]", "$M.?a", "$M[?$s]", "$o.or($o)", "$o.optMap(x, $ii)", "$I.first()",
            "$o.optFlatMap(x, $oi)",
        ],
    ]

    private static let letters: [Character: Kind] = [
        "b": .bool, "i": .int, "u": .uint, "d": .double, "s": .string, "y": .bytes, "l": .duration,
        "t": .timestamp, "I": .ints, "S": .strings, "M": .counts, "o": .optional,
    ]

    mutating func next(depth: Int) -> String {
        next(Kind.allCases[numbers.below(Kind.allCases.count)], depth: depth)
    }

    private mutating func next(_ kind: Kind, depth: Int) -> String {
        let forms = Self.forms[kind] ?? []
        guard depth > 0, numbers.chance(5, of: 6) else {
            let names = locals.filter { $0.kind == kind }.map(\.name) + (Self.atoms[kind] ?? [])
            return names[numbers.below(names.count)]
        }
        return "(" + filled(forms[numbers.below(forms.count)], depth: depth - 1) + ")"
    }

    /// A form with parts in it; a second letter is the kind of the variable that the part may name.
    private mutating func filled(_ form: String, depth: Int) -> String {
        var text = ""
        let variable = "v\(locals.count)"
        var rest = form[...]
        while let character = rest.popFirst() {
            if character == "$", let kind = rest.popFirst().flatMap({ Self.letters[$0] }) {
                let bound = rest.first.flatMap { Self.letters[$0] }
                if let bound {
                    rest.removeFirst()
                    locals.append((variable, bound))
                }
                text += "(" + next(kind, depth: depth) + ")"
                if bound != nil { locals.removeLast() }
            } else if character == "x", text.last == "(" || text.hasSuffix("k, "), rest.first == "," {
                text += variable
            } else {
                text.append(character)
            }
        }
        return text
    }
}
