import SkerryValues

/// Something in a text that is not of this language, but of one that people know.
struct ForeignPart {
    /// Its place in the text.
    var range: SourceRange
    /// The mistake, in one sentence without a full stop.
    var message: String
    /// A correction, if the whole corrected text is not known.
    var hint: String?
    /// A remark beside the corrected text.
    var note: String?
}

/// Reads expressions in the style of JavaScript, Python, Jinja, Node-RED or JSONata, and translates them to CEL.
///
/// It is only asked when a text is no valid expression, so it accepts too much rather than too little.
struct ForeignReader {
    /// A part of the corrected text.
    struct Part {
        var text: String
        /// The rank of its outermost operator; see `Rank`.
        var rank: Rank
        /// The elements, when it is a list.
        var elements: [Part]?
        /// The name of an argument, as Python has it.
        var label: String?
        /// True if it is an undeclared name.
        var isUnknownName = false
        /// True if it is another language's word for null.
        var isNothing = false
        /// True if it is a pattern between slashes.
        var isPattern = false

        init(_ text: String, _ rank: Rank = .member) {
            self.text = text
            self.rank = rank
        }

        /// The text as an operand of something that binds so strongly.
        func within(_ outer: Rank) -> String {
            rank.rawValue >= outer.rawValue ? text : "(" + text + ")"
        }
    }

    /// The ranks of CEL's operators, the weakest first.
    enum Rank: UInt8 {
        case conditional, or, and, comparison, sum, product, sign, member
    }

    let bytes: [UInt8]
    let scope: Scope
    let tokens: [ForeignToken]
    var position = 0
    var found: [ForeignPart] = []
    /// The variables of macros; once named they count as known.
    var locals: [String] = []
    var depth = 0

    /// Reads a part of a text.
    ///
    /// - Returns: the corrected text, if it is known, and the parts that do not belong to this language, in order.
    static func read(
        _ bytes: [UInt8],
        in range: SourceRange,
        _ scope: Scope
    ) -> (corrected: String?, found: [ForeignPart]) {
        var reader = ForeignReader(bytes, in: range, scope)
        let part = reader.wholeText()
        return (part?.text, reader.found.sorted { $0.range.start < $1.range.start })
    }

    init(_ bytes: [UInt8], in range: SourceRange, _ scope: Scope) {
        self.bytes = bytes
        self.scope = scope
        tokens = ForeignLexer.tokens(bytes, in: range)
    }

    private mutating func wholeText() -> Part? {
        guard let part = expression() else { return nil }
        if take(";") {
            let range = tokens[position - 1].range
            note(range, "an expression ends without a ';'", "leave it out")
        }
        if token.isSign(",") {
            let isDecimal = position > 0 && tokens[position - 1].kind == .number && peek().kind == .number
            note(
                token.range,
                "a ',' stands only between arguments and elements",
                isDecimal
                    ? "write " + tokens[position - 1].text + "." + peek().text
                    : "combine conditions with '&&' or '||'"
            )
        }
        if token.isSign("#") {
            note(token.range, "a '#' begins no comment within an expression", "leave it out")
            return part
        }
        if token.isName("for") {
            note(
                token.range,
                "there is no 'for' in an expression",
                "'for:' is a key of its own beside 'guard:'"
            )
        }
        return token.kind == .end ? part : nil
    }

    // MARK: Tokens

    var token: ForeignToken { tokens[position] }

    func peek(_ distance: Int = 1) -> ForeignToken {
        tokens[min(position + distance, tokens.count - 1)]
    }

    mutating func take(_ sign: String) -> Bool {
        guard token.isSign(sign) else { return false }
        position += 1
        return true
    }

    private mutating func takeName(_ names: [String]) -> ForeignToken? {
        guard token.kind == .name, names.contains(where: { haveSameBytes($0, token.text) }) else {
            return nil
        }
        position += 1
        return tokens[position - 1]
    }

    mutating func note(
        _ range: SourceRange,
        _ message: String,
        _ hint: String? = nil,
        note: String? = nil
    ) {
        found.append(ForeignPart(range: range, message: message, hint: hint, note: note))
    }

    mutating func noteOperator(_ token: ForeignToken, _ hint: String? = nil, note: String? = nil) {
        self.note(token.range, "there is no operator '" + token.text + "'", hint, note: note)
    }

    // MARK: Grammar

    mutating func expression() -> Part? {
        guard depth < 40 else { return nil }
        depth += 1
        defer { depth -= 1 }
        if let word = takeName(["if"]) { return statement(word) }
        guard let first = logical(.or) else { return nil }
        if take("?") {
            let sign = tokens[position - 1]
            guard let then = expression() else { return nil }
            if token.kind == .end {
                note(sign.range, "'?' needs a value for both cases", "write condition ? value : other")
            }
            guard take(":"), let otherwise = expression() else { return nil }
            return conditional(first, then, otherwise)
        }
        guard let word = takeName(["if"]) else { return first }
        note(word.range, "there is no 'if' in an expression", "write condition ? value : other")
        guard let condition = logical(.or), takeName(["else"]) != nil, let otherwise = expression() else {
            return nil
        }
        return conditional(condition, first, otherwise)
    }

    /// `if a then b else c` and `if (a) b else c`.
    private mutating func statement(_ word: ForeignToken) -> Part? {
        note(word.range, "there is no 'if' in an expression", "write condition ? value : other")
        if token.isSign("("), let call = conditionalCall() { return call }
        guard let condition = logical(.or) else { return nil }
        _ = takeName(["then"])
        guard let then = logical(.or), takeName(["else"]) != nil, let otherwise = expression() else {
            return nil
        }
        return conditional(condition, then, otherwise)
    }

    /// `if(a, b, c)`; nil, and nothing read, when it is something else.
    private mutating func conditionalCall() -> Part? {
        let start = (position, found)
        position += 1
        if let values = arguments(until: ")"), values.count == 3 {
            return conditional(values[0], values[1], values[2])
        }
        (position, found) = start
        return nil
    }

    func conditional(_ condition: Part, _ then: Part, _ otherwise: Part) -> Part {
        Part(
            condition.within(.or) + " ? " + then.within(.or) + " : " + otherwise.text,
            .conditional
        )
    }

    private mutating func logical(_ rank: Rank) -> Part? {
        guard var result = rank == .or ? logical(.and) : negated() else { return nil }
        let native = rank == .or ? "||" : "&&"
        while let sign = takeLogical(rank) {
            guard let next = rank == .or ? logical(.and) : negated() else { return nil }
            if !haveSameBytes(sign.text, native) { noteOperator(sign, logicalHint(sign, native)) }
            result = Part(result.within(rank) + " " + native + " " + next.within(rank), rank)
        }
        return result
    }

    /// The advice when no corrected text is known: a single sign may have meant bits.
    private func logicalHint(_ sign: ForeignToken, _ native: String) -> String {
        guard sign.kind == .sign else { return "write '" + native + "'" }
        let function = sign.isSign("&") ? "math.bitAnd" : "math.bitOr"
        return "write '" + native + "' between conditions, " + function + "(a, b) for the bits of numbers"
    }

    private mutating func takeLogical(_ rank: Rank) -> ForeignToken? {
        let sign = rank == .or ? "||" : "&&"
        let single = rank == .or ? "|" : "&"
        if take(sign) || take(single) { return tokens[position - 1] }
        return takeName(rank == .or ? ["or", "OR", "Or"] : ["and", "AND", "And"])
    }

    private mutating func negated() -> Part? {
        guard let word = takeName(["not", "NOT", "Not"]) else { return comparison() }
        noteOperator(word, "write '!'")
        guard depth < 40 else { return nil }
        depth += 1
        defer { depth -= 1 }
        return negated().map { Part("!" + $0.within(.member), .sign) }
    }

    // MARK: Comparisons

    private mutating func comparison() -> Part? {
        guard var result = sum() else { return nil }
        var last = result
        var lastOrder: ForeignToken?
        while true {
            let sign = token
            if let tested = test(of: result) {
                guard let part = tested.part else { return nil }
                (result, last, lastOrder) = (part, part, nil)
                continue
            }
            guard let name = comparisonSign() else {
                guard token.kind == .name, !isKeyword(token) else { return result }
                guard let part = infix(result) else { return nil }
                (result, last, lastOrder) = (part, part, nil)
                continue
            }
            if lastOrder == nil, isOrder(name), let part = comparison(of: last, name) {
                (result, last) = (part, part)
                continue
            }
            guard var next = sum() else { return nil }
            quoteUnknown(&result, &next, name)
            let text = last.within(.sum) + " " + name + " " + next.within(.sum)
            if next.isNothing, haveSameBytes(name, "==") || haveSameBytes(name, "!=") {
                // What is absent here is an error, and not null.
                result = Part((haveSameBytes(name, "==") ? "!" : "") + "has(" + last.text + ")", .sign)
            } else if haveSameBytes(name, "matches") {
                result = Part(last.within(.member) + ".matches(" + next.text + ")")
            } else if lastOrder != nil, isOrder(name) {
                note(sign.range, "comparisons do not chain", "write a < b && b < c")
                result = Part(result.within(.and) + " && " + text, .and)
            } else {
                let left = result.rank == .comparison ? result.text : result.within(.sum)
                result = Part(left + " " + name + " " + next.within(.sum), .comparison)
            }
            last = next
            lastOrder = isOrder(name) ? sign : nil
        }
    }

    /// Returns whether a name joins or ends conditions in some language.
    func isKeyword(_ token: ForeignToken) -> Bool {
        ["and", "AND", "And", "or", "OR", "Or", "not", "if", "else", "for", "then"].contains {
            token.isName($0)
        }
    }

    /// `a contains b`: a function between its two arguments.
    private mutating func infix(_ left: Part) -> Part? {
        let word = token
        let known = found.count
        position += 1
        let part = sum().flatMap { call(word, on: left, [$0]) }
        found.removeSubrange(known...)
        noteOperator(word)
        return part
    }

    private func isOrder(_ sign: String) -> Bool {
        switch sign {
        case "<", "<=", ">", ">=": true
        default: false
        }
    }

    /// Reads a sign that compares, and gives the one of CEL; `matches` for that of patterns.
    private mutating func comparisonSign() -> String? {
        let sign = token
        switch sign.kind {
        case .name:
            if sign.isName("in") {
                position += 1
                return "in"
            }
            guard sign.isName("equals") || sign.isName("eq") || sign.isName("ne") else { return nil }
        case .sign: break
        default: return nil
        }
        let native: String
        switch sign.text {
        case "==", "!=", "<", "<=", ">", ">=": native = sign.text
        case "=", "===", ":=", "equals", "eq": native = "=="
        case "!==", "<>", "≠", "ne": native = "!="
        case "≤": native = "<="
        case "≥", "=>": native = ">="
        case "=~": native = "matches"
        default: return nil
        }
        position += 1
        if !haveSameBytes(native, sign.text) {
            noteOperator(sign, native == "matches" ? "write text.matches(pattern)" : "write '" + native + "'")
        }
        return native
    }

    /// `x not in y`, `x is none` and their like; nil when there is nothing such.
    private mutating func test(of part: Part) -> (part: Part?, Void)? {
        let word = token
        if word.isName("not"), peek().isName("in") {
            position += 2
            note(word.range, "there is no operator 'not in'", "write !(value in list)")
            return (sum().map { Part("!(" + part.within(.sum) + " in " + $0.within(.sum) + ")", .sign) }, ())
        }
        guard word.isName("is") else { return nil }
        position += 1
        let isNegated = takeName(["not"]) != nil
        let what = token.text
        noteOperator(word, "write has(value), or compare with '=='")
        switch what {
        case "defined", "none", "None", "null", "undefined", "nil":
            position += 1
            let isAbsent = what != "defined"
            return (Part((isAbsent != isNegated ? "!" : "") + "has(" + part.text + ")", .sign), ())
        case "string", "bool", "int", "double":
            position += 1
            return (
                Part("type(" + part.text + ") " + (isNegated ? "!=" : "==") + " " + what, .comparison), ()
            )
        default:
            let sign = isNegated ? "!=" : "=="
            guard var next = sum() else { return (nil, ()) }
            var left = part
            quoteUnknown(&left, &next, sign)
            return (Part(left.within(.sum) + " " + sign + " " + next.within(.sum), .comparison), ())
        }
    }

    /// A name that nothing declares, compared with something, is mostly a text without quotes.
    private mutating func quoteUnknown(_ left: inout Part, _ right: inout Part, _ sign: String) {
        switch sign {
        case "==", "!=":
            if right.isUnknownName, !left.isUnknownName { right = Part("\"" + right.text + "\"") }
            if left.isUnknownName, !right.isUnknownName { left = Part("\"" + left.text + "\"") }
        case "in":
            if left.isUnknownName { left = Part("\"" + left.text + "\"") }
            if let elements = right.elements, elements.contains(where: { $0.isUnknownName }) {
                right = list(elements.map { $0.isUnknownName ? Part("\"" + $0.text + "\"") : $0 })
            }
        default: break
        }
    }

    func list(_ elements: [Part]) -> Part {
        var part = Part("[" + joined(elements.map { $0.text }, ", ") + "]")
        part.elements = elements
        return part
    }

    func joined(_ texts: [String], _ between: String) -> String {
        var result = ""
        for (index, text) in texts.enumerated() { result += (index > 0 ? between : "") + text }
        return result
    }
}

extension ForeignReader {
    /// A call of a function of CEL as it is, one of another language as CEL has it; nil when CEL has none such.
    mutating func call(_ name: ForeignToken, on target: Part?, _ arguments: [Part]) -> Part? {
        if isNative(name.text, isMethod: target != nil) {
            return Part(written(name.text, target, arguments))
        }
        let values = (target.map { [$0] } ?? []) + arguments
        let plain = unqualified(name.text)
        note(name.range, "unknown function '" + name.text + "'", hint(for: plain))
        let place = found.count - 1
        if let part = number(plain, values) ?? text(plain, values) ?? other(plain, values) {
            if let mismatch = mismatch(in: part.text) {
                if mismatch.code == .wrongType {
                    found[place].hint =
                        "its name here is `" + part.text + "`, which does not fit: " + mismatch.message
                }
            } else {
                found[place].hint = "write `" + part.text + "`"
            }
            return part
        }
        // The same function stands before the value, or behind it, in CEL.
        if let first = values.first, target == nil, isNative(name.text, isMethod: true) {
            return Part(written(name.text, first, Array(values.dropFirst())))
        }
        if target != nil, isNative(name.text, isMethod: false) {
            return Part(written(name.text, nil, values))
        }
        if let near = nearFunction(name.text, isMethod: target != nil) {
            return Part(written(near, target, arguments))
        }
        return nil
    }

    /// The first mistake in a corrected text; nil when there is none.
    private func mismatch(in text: String) -> ExpressionProblem.Finding? {
        do throws(ExpressionProblem) {
            _ = try resultType(of: text)
            return nil
        } catch {
            return error.findings.first
        }
    }

    private func written(_ name: String, _ target: Part?, _ arguments: [Part]) -> String {
        let list = "(" + joined(arguments.map { $0.text }, ", ") + ")"
        guard let target else { return name + list }
        return target.within(.member) + "." + name + list
    }

    private func isNative(_ name: String, isMethod: Bool) -> Bool {
        functionNames(isMethod: isMethod).contains { haveSameBytes($0, name) }
    }

    private func nearFunction(_ name: String, isMethod: Bool) -> String? {
        nearestName(to: name, among: functionNames(isMethod: isMethod))
    }

    private func functionNames(isMethod: Bool) -> [String] {
        let names = Overload.all.filter { $0.isMethod == isMethod }.map { $0.name }
        return names
            + (isMethod
                ? macroNames + ["bind"]
                : scope.calls.map { $0.name } + ["default", "has", "math.greatest", "math.least"])
    }

    /// A name without the object of another language that it belongs to.
    private func unqualified(_ name: String) -> String {
        for prefix in ["Math.", "math.", "Number.", "Date.", "Object."]
        where name.utf8.starts(with: prefix.utf8) {
            return String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        }
        return name
    }

    /// The advice if no corrected text can be made.
    func hint(for name: String) -> String? {
        switch name {
        case "avg", "mean", "reduce": "no function averages a list: write list.sum() / list.size()"
        case "slice":
            "of a text write text.substring(start, end); elements of a list are read one by one, as in list[0]"
        case "states", "state_attr", "is_state", "is_state_attr", "has_value", "sensor":
            "values can't be read from Home Assistant: take a signal from a topic, and name it here"
        case "fromJson", "from_json", "JSON.parse", "parseJson", "loads", "json_decode":
            "with `payload: json` the payload is parsed already: write payload.field"
        default: nil
        }
    }

    private func number(_ name: String, _ values: [Part]) -> Part? {
        guard let first = values.first else { return nil }
        switch name {
        case "round" where values.count == 2, "toFixed" where values.count == 2:
            return rounded(first, values[1])
        case "round", "floor", "ceil", "trunc", "isNaN", "isFinite":
            return Part("math." + name + "(double(" + first.text + "))")
        case "abs", "sign", "sqrt": return Part("math." + name + "(" + first.text + ")")
        case "min", "max":
            let native = name == "min" ? "math.least(" : "math.greatest("
            return Part(native + joined(values.map { $0.text }, ", ") + ")")
        case "sum":
            if values.count == 1, first.elements == nil { return Part(written("sum", first, [])) }
            let terms = values.count == 1 ? first.elements ?? [] : values
            guard !terms.isEmpty else { return nil }
            return Part(joined(terms.map { $0.within(.sum) }, " + "), .sum)
        case "pow":
            guard values.count == 2, haveSameBytes(values[1].text, "2"), first.rank == .member else {
                return nil
            }
            return Part(first.text + " * " + first.text, .product)
        case "float", "Number", "parseFloat", "toFloat", "toDouble", "number", "toNumber":
            return converted("double", values)
        case "parseInt", "toInt", "integer", "Integer", "Int": return Part("int(" + first.text + ")")
        case "int", "double", "string", "bool", "uint": return converted(name, values)
        default: return nil
        }
    }

    /// A conversion, which in Jinja may have a default for an absent value.
    private func converted(_ type: String, _ values: [Part]) -> Part {
        let value = type + "(" + values[0].text + ")"
        return Part(values.count > 1 ? "default(" + value + ", " + values[1].text + ")" : value)
    }

    private func rounded(_ value: Part, _ digits: Part) -> Part? {
        let factor: String
        switch digits.text {
        case "0": return Part("math.round(double(" + value.text + "))")
        case "1": factor = "10.0"
        case "2": factor = "100.0"
        case "3": factor = "1000.0"
        default: return nil
        }
        return Part("math.round(double(" + value.text + ") * " + factor + ") / " + factor, .product)
    }

    private func text(_ name: String, _ values: [Part]) -> Part? {
        guard let first = values.first else { return nil }
        let rest = Array(values.dropFirst())
        switch name {
        case "len", "length", "count", "strlen": return Part("size(" + first.text + ")")
        case "str", "String", "toString", "text", "to_string": return Part("string(" + first.text + ")")
        case "toLowerCase", "lower", "toLower", "lowercase", "tolower", "casefold", "lowerCase":
            return Part(written("lowerAscii", first, []))
        case "toUpperCase", "upper", "toUpper", "uppercase", "toupper", "upperCase":
            return Part(written("upperAscii", first, []))
        case "strip", "trimEnd", "trimStart", "lstrip", "rstrip": return Part(written("trim", first, []))
        case "includes", "has":
            guard let value = rest.first else { return nil }
            if first.elements == nil { return Part(written("contains", first, rest)) }
            return Part(value.within(.sum) + " in " + first.text, .comparison)
        case "startswith", "beginsWith": return Part(written("startsWith", first, rest))
        case "endswith": return Part(written("endsWith", first, rest))
        case "test" where first.isPattern && rest.count == 1:
            return Part(written("matches", rest[0], [first]))
        case "regex_match", "regexMatch", "match", "test", "search", "regex_search":
            return Part(written("matches", first, rest))
        case "replaceAll": return Part(written("replace", first, rest))
        case "slice" where resultType(of: first) != .string: return nil
        case "substr", "slice", "substring": return Part(written("substring", first, rest))
        case "concat": return Part(joined(values.map { $0.within(.sum) }, " + "), .sum)
        case "some", "any": return Part(written("exists", first, rest))
        case "every": return Part(written("all", first, rest))
        case "find": return Part(written("filter", first, rest))
        default: return nil
        }
    }

    private func other(_ name: String, _ values: [Part]) -> Part? {
        switch name {
        case "now", "utcnow", "time", "today": return values.isEmpty ? Part("now") : nil
        case "matches" where values.first?.text == "state" && values.count == 2,
            "in_state", "isInState", "isIn", "in":
            return values.last.map { Part("inState(" + $0.text + ")") }
        case "timedelta":
            guard values.count == 1, let value = values.first, let unit = value.label else { return nil }
            guard ["seconds", "minutes", "hours"].contains(where: { haveSameBytes($0, unit) }) else {
                return nil
            }
            return Part(unit + "(" + value.text + ")")
        default: break
        }
        guard let first = values.first else { return nil }
        switch name {
        case "fromJson", "from_json", "JSON.parse", "parseJson", "loads", "json_decode":
            return haveSameBytes(first.text, "payload") ? first : nil
        case "as_timestamp", "as_datetime", "datetime", "strptime", "toDate", "parse":
            return Part("timestamp(" + first.text + ")")
        case "exists", "defined", "isset", "isDefined", "is_defined": return Part("has(" + first.text + ")")
        case "coalesce", "ifnull", "nvl", "orElse", "or_else", "getOrElse", "otherwise":
            guard values.count == 2 else { return nil }
            return Part("default(" + first.text + ", " + values[1].text + ")")
        case "get" where values.count == 2:
            return Part(first.within(.member) + "[" + values[1].text + "]")
        case "get" where values.count == 3:
            return Part(
                "default(" + first.within(.member) + "[" + values[1].text + "], " + values[2].text + ")"
            )
        case "iif", "ternary", "immediate_if":
            return values.count == 3 ? conditional(first, values[1], values[2]) : nil
        default: return nil
        }
    }
}
