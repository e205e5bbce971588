import SkerryTesting
/// Makes random expressions that are grammatical, and sometimes well typed.
struct RandomExpression {
    var numbers: SimulatedRandom

    init(seed: UInt64) { numbers = SimulatedRandom(seed: seed) }

    private static let atoms = [
        "1", "0", "-3", "9223372036854775807", "2u", "1.5", "-0.25", "'a'", "\"Run\"", "b'x'", "true",
        "false", "null",
        "power", "operation", "program", "count", "timer.cycle", "payload", "payload.a.b", "payload.list",
        "x",
        "duration('90s')", "timestamp(0)", "[]", "{}", "r'\\d'", "''", "int", "elapsed()",
        "inState(\"running\")",
    ]
    private static let operators = [
        "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "in",
    ]
    private static let calls = [
        "size($)", "string($)", "int($)", "double($)", "$.contains($)", "$.startsWith($)", "$.split($)",
        "$.join($)",
        "$.replace($, $)", "$.substring($, $)", "$.format([$])", "seconds($)", "math.greatest($, $)",
        "math.abs($)",
        "optional.of($)", "$.orValue($)", "has($.a)", "$.a", "$.?a", "$[$]", "$[?$]", "!$", "-$", "$ ? $ : $",
        "$.all(x, $)", "$.exists(x, $)", "$.filter(x, $)", "$.map(x, $)", "$.exists_one(x, $)",
        "$.transformMap(k, x, $)",
        "cel.bind(x, $, $)", "[$, $]", "{$: $}", "type($)", "dyn($)", "$.matches($)", "$.getHours()",
        "duration($)",
        "timestamp($)", "base64.encode($)", "$.trim()", "$.reverse()", "$.indexOf($)", "$.optMap(x, $)",
        "[?$]",
    ]

    mutating func next(depth: Int) -> String {
        guard depth > 0, Int.random(in: 0..<5, using: &numbers) > 0 else {
            return Self.atoms.randomElement(using: &numbers) ?? "1"
        }
        if Int.random(in: 0..<2, using: &numbers) == 0 {
            let symbol = Self.operators.randomElement(using: &numbers) ?? "+"
            return "(" + next(depth: depth - 1) + " " + symbol + " " + next(depth: depth - 1) + ")"
        }
        var text = ""
        for character in Self.calls.randomElement(using: &numbers) ?? "$" {
            if character == "$" {
                text += "(" + next(depth: depth - 1) + ")"
            } else {
                text.append(character)
            }
        }
        return "(" + text + ")"
    }

    /// A text with some bytes dropped, doubled, changed or moved.
    mutating func mutated(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &numbers) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &numbers)
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &numbers)], at: place)
            case 2: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
            default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &numbers))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
