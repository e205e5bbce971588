/// Reads a regular expression in the syntax of RE2.
struct PatternParser {
    /// The most that a part may be repeated by counting, nested counts multiplied (as RE2 has it).
    static let repetitionLimit = 1000
    /// The deepest nesting of groups.
    static let depthLimit = 200

    struct Flags {
        var ignoresCase = false
        var isMultiline = false
        var dotTakesNewline = false
    }

    let scalars: [Unicode.Scalar]
    var position = 0
    var flags = Flags()
    private(set) var syntax = PatternSyntax()
    /// For each node, how often counted repetitions make its parts appear.
    private var factors: [Int] = []
    private var depth = 0
    private var groupNames: [[UInt8]] = []

    static func parse(_ text: String) throws(Pattern.Problem) -> PatternSyntax {
        var parser = PatternParser(scalars: Array(text.unicodeScalars))
        parser.syntax.root = try parser.choice()
        guard parser.next == nil else { throw Pattern.Problem(message: "a ')' without its '('") }
        return parser.syntax
    }

    private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    mutating func take(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard scalars[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    private mutating func add(_ node: PatternSyntax.Node, over children: [PatternSyntax.ID] = []) -> Int {
        var factor = 1
        for child in children { factor = max(factor, factors[child]) }
        syntax.nodes.append(node)
        factors.append(factor)
        return syntax.nodes.count - 1
    }

    // MARK: Grammar

    private mutating func choice() throws(Pattern.Problem) -> PatternSyntax.ID {
        guard depth < PatternParser.depthLimit else { throw Pattern.Problem(message: "nested too deeply") }
        depth += 1
        defer { depth -= 1 }
        var branches = [try sequence()]
        while take("|" as Unicode.Scalar) { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : add(.choice(branches), over: branches)
    }

    private mutating func sequence() throws(Pattern.Problem) -> PatternSyntax.ID {
        var parts: [PatternSyntax.ID] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            if take("\\Q") {
                parts += quotedParts()
                if let last = parts.popLast() { parts.append(try repeated(last)) }
                continue
            }
            guard let atom = try atom() else { continue }
            parts.append(try repeated(atom))
        }
        if parts.count == 1 { return parts[0] }
        return add(parts.isEmpty ? .empty : .sequence(parts), over: parts)
    }

    /// The scalars between `\Q` and `\E`.
    private mutating func quotedParts() -> [PatternSyntax.ID] {
        var parts: [PatternSyntax.ID] = []
        while let scalar = next, !take("\\E") {
            position += 1
            parts.append(literal(scalar))
        }
        return parts
    }

    private mutating func literal(_ scalar: Unicode.Scalar) -> PatternSyntax.ID {
        guard flags.ignoresCase else { return add(.scalar(scalar.value, ignoresCase: false)) }
        return add(.scalar(caseFolded(scalar).value, ignoresCase: true))
    }

    /// One part; nil for a group of flags, which is no part.
    private mutating func atom() throws(Pattern.Problem) -> PatternSyntax.ID? {
        guard let scalar = next else { return nil }
        position += 1
        switch scalar {
        case "(": return try group()
        case "[":
            let set = try bracketExpression()
            return add(.set(set))
        case ".": return add(.any(withNewline: flags.dotTakesNewline))
        case "^": return add(.assertion(flags.isMultiline ? .lineStart : .textStart))
        case "$": return add(.assertion(flags.isMultiline ? .lineEnd : .textEnd))
        case "*", "+", "?":
            throw Pattern.Problem(message: "nothing to repeat before '" + String(scalar) + "'")
        case "\\": return try escape()
        case "{":
            position -= 1
            if countedRepetition() != nil { throw Pattern.Problem(message: "nothing to repeat before '{'") }
            position += 1
            return literal(scalar)
        default: return literal(scalar)
        }
    }

    private mutating func escape() throws(Pattern.Problem) -> PatternSyntax.ID {
        guard let letter = next else { throw Pattern.Problem(message: "a '\\' at the end") }
        switch letter {
        case "A": position += 1; return add(.assertion(.textStart))
        case "z": position += 1; return add(.assertion(.textEnd))
        case "b": position += 1; return add(.assertion(.wordBoundary))
        case "B": position += 1; return add(.assertion(.noWordBoundary))
        default: break
        }
        var set = ScalarSet()
        set.ignoresCase = flags.ignoresCase
        if try classEscape(into: &set) { return add(.set(set)) }
        return literal(try scalarEscape())
    }

    // MARK: Groups

    private mutating func group() throws(Pattern.Problem) -> PatternSyntax.ID? {
        let outer = flags
        if take("?" as Unicode.Scalar) {
            if take("P<") || take("<" as Unicode.Scalar) {
                try groupName()
            } else if try !groupFlags() {
                return nil
            }
        }
        let inner = try choice()
        guard take(")" as Unicode.Scalar) else { throw Pattern.Problem(message: "a '(' without its ')'") }
        flags = outer
        return inner
    }

    private mutating func groupName() throws(Pattern.Problem) {
        var name: [UInt8] = []
        while let scalar = next, scalar.isASCII {
            let byte = UInt8(scalar.value)
            guard isLetter(byte) || isDigit(byte) else { break }
            name.append(byte)
            position += 1
        }
        guard !name.isEmpty, take(">" as Unicode.Scalar) else {
            throw Pattern.Problem(message: "a group with a bad name, or a look-behind, which there is not")
        }
        guard !groupNames.contains(name) else {
            throw Pattern.Problem(message: "two groups with the same name")
        }
        groupNames.append(name)
    }

    /// Reads flags after `(?`; false when they apply to the rest of the surrounding group.
    private mutating func groupFlags() throws(Pattern.Problem) -> Bool {
        var isSet = true
        var mayEnd = true
        while let letter = next {
            position += 1
            switch letter {
            case ":" where mayEnd: return true
            case ")" where mayEnd: return false
            case "-" where isSet:
                isSet = false
                mayEnd = false
                continue
            case "i": flags.ignoresCase = isSet
            case "m": flags.isMultiline = isSet
            case "s": flags.dotTakesNewline = isSet
            case "U": break
            default: throw Pattern.Problem(message: "no such group: '(?" + String(letter) + "'")
            }
            mayEnd = true
        }
        throw Pattern.Problem(message: "a '(' without its ')'")
    }

    // MARK: Repetition

    private mutating func repeated(_ atom: PatternSyntax.ID) throws(Pattern.Problem) -> PatternSyntax.ID {
        guard let (minimum, maximum) = repetition() else { return atom }
        _ = take("?" as Unicode.Scalar)
        guard minimum <= maximum ?? .max, max(minimum, maximum ?? 0) <= PatternParser.repetitionLimit else {
            throw Pattern.Problem(message: "a repetition out of range")
        }
        let factor = factors[atom] * max(1, max(minimum, maximum ?? 0))
        guard factor <= PatternParser.repetitionLimit else {
            throw Pattern.Problem(message: "repetitions of repetitions beyond 1000")
        }
        let start = position
        guard repetition() == nil else { throw Pattern.Problem(message: "a repetition of a repetition") }
        position = start
        let node = add(.repetition(atom, minimum: minimum, maximum: maximum))
        factors[node] = factor
        return node
    }

    private mutating func repetition() -> (minimum: Int, maximum: Int?)? {
        switch next {
        case "*":
            position += 1
            return (0, nil)
        case "+":
            position += 1
            return (1, nil)
        case "?":
            position += 1
            return (0, 1)
        case "{": return countedRepetition()
        default: return nil
        }
    }

    /// `{n}`, `{n,}` or `{n,m}`; anything else in braces is just text.
    private mutating func countedRepetition() -> (minimum: Int, maximum: Int?)? {
        let start = position
        position += 1
        if let minimum = number() {
            if take("}" as Unicode.Scalar) { return (minimum, minimum) }
            if take("," as Unicode.Scalar) {
                if take("}" as Unicode.Scalar) { return (minimum, nil) }
                if let maximum = number(), take("}" as Unicode.Scalar) { return (minimum, maximum) }
            }
        }
        position = start
        return nil
    }

    private mutating func number() -> Int? {
        var number: Int?
        while let scalar = next, ("0"..."9").contains(scalar) {
            number = min((number ?? 0) * 10 + Int(scalar.value - 48), PatternParser.repetitionLimit + 1)
            position += 1
        }
        return number
    }
}
