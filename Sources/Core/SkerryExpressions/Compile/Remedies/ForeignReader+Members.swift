extension ForeignReader {
    // MARK: Members

    mutating func member() -> Part? {
        guard var result = primary() else { return nil }
        while token.kind == .sign {
            let sign = token
            switch sign.text {
            case ".":
                position += 1
                _ = take("?")
                guard let next = selection(of: result, isOptional: tokens[position - 1].isSign("?")) else {
                    return nil
                }
                result = next
            case "?.":
                position += 1
                note(
                    sign.range,
                    "there is no operator '?.'",
                    "write '.'",
                    note: "reading an absent field gives no value, and a guard without a value does not hold"
                )
                if token.isSign("[") { continue }
                guard let next = selection(of: result, isOptional: false) else { return nil }
                result = next
            case "[":
                position += 1
                guard let element = element(of: result) else { return nil }
                result = element
            case "|":
                guard let filtered = filter(result) else { return result }
                result = filtered
            default: return result
            }
        }
        return result
    }

    /// `target[key]`; a part of a list or text as Python has it, `target[start:end]`, is noted.
    private mutating func element(of target: Part) -> Part? {
        let opening = take("?") ? "[?" : "["
        let key = token.isSign(":") ? nil : expression()
        if token.isSign(":") { note(token.range, "there is no '[start:end]'", hint(for: "slice")) }
        guard let key, take("]") else { return nil }
        return Part(target.within(.member) + opening + key.text + "]")
    }

    private mutating func selection(of target: Part, isOptional: Bool) -> Part? {
        let name = token
        position += 1
        let dot = isOptional ? ".?" : "."
        guard name.kind == .name else {
            let isField = name.kind == .text && name.text.utf8.first == UInt8(ascii: "`")
            return isField ? Part(target.within(.member) + dot + name.text) : nil
        }
        guard take("(") else {
            if !isOptional, isText(target), haveSameBytes(name.text, "length") {
                note(name.range, "a text has no field 'length'", "write size(text)")
                return Part("size(" + target.text + ")")
            }
            return Part(target.within(.member) + dot + name.text)
        }
        let names = macroNames + ["some", "every", "find"]
        if names.contains(where: { haveSameBytes($0, name.text) }), token.kind == .name {
            locals.append(token.text)
        }
        guard let values = arguments(until: ")") else { return nil }
        return call(name, on: target, values)
    }

    /// Returns whether a part is a plain name whose value is a text or a list.
    private func isText(_ part: Part) -> Bool {
        scope.variables.contains { variable in
            guard haveSameBytes(variable.name, part.text) else { return false }
            switch variable.type {
            case .string, .list: return true
            default: return false
            }
        }
    }

    /// `value | name(…)` of Jinja; nil, and nothing read, when the sign is none of that.
    private mutating func filter(_ target: Part) -> Part? {
        let name = peek()
        guard name.kind == .name, !isDeclared(name.text) else { return nil }
        let start = (position, found)
        note(token.range, "there is no operator '|'", "write a function around the value")
        position += 2
        var values: [Part] = []
        if take("(") {
            guard let given = arguments(until: ")") else { return nil }
            values = given
        }
        if haveSameBytes(name.text, "default"), let other = values.first {
            return Part("default(" + target.text + ", " + other.text + ")")
        }
        if let part = call(name, on: target, values) { return part }
        (position, found) = start
        return nil
    }

    /// The arguments of a call or the elements of a list, up to the closing sign.
    mutating func arguments(until close: String) -> [Part]? {
        var values: [Part] = []
        while !take(close) {
            var label: String?
            // A name of the definition, or of a variable before it, is compared; another one labels an argument.
            if token.kind == .name, peek().isSign("="), !isKnown(token.text),
                !values.contains(where: { haveSameBytes($0.text, token.text) })
            {
                label = token.text
                position += 2
            }
            let isOptional = take("?")
            if token.kind == .name, peek().isSign("=>") || peek().isSign("->") {
                values.append(Part(token.text))
                locals.append(token.text)
                note(
                    peek().range,
                    "functions can't be defined in an expression",
                    "write list.exists(x, condition)"
                )
                position += 2
            }
            guard var value = expression() else { return nil }
            if isOptional { value.text = "?" + value.text }
            value.label = label
            values.append(value)
            if token.isName("for") {
                note(token.range, "there is no 'for' in an expression", "write list.exists(x, condition)")
            }
            guard take(",") || token.isSign(close) else { return nil }
        }
        return values
    }

    // MARK: Primaries

    private mutating func primary() -> Part? {
        let first = token
        switch first.kind {
        case .end: return nil
        case .number:
            position += 1
            return number(first)
        case .text:
            position += 1
            return text(first)
        case .name: return named()
        case .sign: break
        }
        position += 1
        switch first.text {
        case "(": return parenthesised(first)
        case "[":
            return arguments(until: "]").map { list($0) }
        case "{": return map()
        case "$", "@", "#": return dollar(first)
        case "/": return pattern(first)
        case ".":
            guard token.kind == .name, let name = named() else { return nil }
            return Part("." + name.text)
        default: return nil
        }
    }

    /// `/done/i`, as a text that `matches` takes.
    private mutating func pattern(_ slash: ForeignToken) -> Part? {
        guard let limit = tokens.last?.range.start else { return nil }
        var close = slash.range.end
        while close < limit, bytes[close] != UInt8(ascii: "/") {
            close += bytes[close] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard close < limit, close > slash.range.end else { return nil }
        let body = bytes[slash.range.end..<close]
        var end = close + 1
        while end < limit, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[end]) { end += 1 }
        while token.kind != .end, token.range.start < end { position += 1 }
        let flags = bytes[close + 1..<end].contains(UInt8(ascii: "i")) ? "(?i)" : ""
        let raw = body.contains(UInt8(ascii: "\\")) ? "r" : ""
        let text = raw + "\"" + flags + String(decoding: body, as: UTF8.self) + "\""
        note(
            SourceRange(start: slash.range.start, end: end),
            "a pattern is not written between slashes",
            "write it as a text, as in text.matches(" + text + ")"
        )
        var part = Part(text)
        part.isPattern = true
        return part
    }

    private mutating func number(_ number: ForeignToken) -> Part {
        guard token.kind == .name,
            token.range.start == number.range.end || (!isKeyword(token) && isAfterwards(peek())),
            !token.isName("in"), !token.isName("is")
        else { return Part(number.text) }
        let unit = token
        position += 1
        let range = SourceRange(start: number.range.start, end: unit.range.end)
        let length: String? =
            switch unit.text {
            case "s", "sec", "secs": "seconds(" + number.text + ")"
            case "m", "min", "mins": "minutes(" + number.text + ")"
            case "h", "hr", "hrs": "hours(" + number.text + ")"
            case "ms": "duration(\"" + number.text + "ms\")"
            case "d": "hours(" + number.text + " * 24)"
            default: nil
            }
        if let length {
            note(range, "a length of time is not written like this", "write " + length)
            return Part(length)
        }
        note(unit.range, "a number has no unit", "leave it out")
        return Part(number.text)
    }

    private mutating func text(_ text: ForeignToken) -> Part? {
        guard text.isForeign else { return Part(text.text) }
        if text.pieces.isEmpty {
            note(text.range, "expressions do not know these quotes", "write \"…\" or '…'")
            return Part(text.text)
        }
        note(text.range, "an expression has no texts with values inside", "put texts together with '+'")
        var parts: [String] = []
        for piece in text.pieces {
            switch piece {
            case .literal(let literal): parts.append("\"" + literal + "\"")
            case .value(let range):
                guard let value = Self.read(bytes, in: range, scope).corrected else { return nil }
                parts.append("string(" + value + ")")
            }
        }
        return parts.count == 1 ? Part(parts[0]) : Part(joined(parts, " + "), .sum)
    }

    /// The contents of parentheses: an expression, a list of Python, or the parameters of a function.
    private mutating func parenthesised(_ open: ForeignToken) -> Part? {
        guard let values = arguments(until: ")") else { return nil }
        if take("=>") {
            note(
                tokens[position - 1].range,
                "functions can't be defined in an expression",
                "write only the condition"
            )
            return expression()
        }
        guard values.count != 1 else {
            let value = values[0]
            return value.rank == .member ? value : Part("(" + value.text + ")")
        }
        note(open.range, "a list is not written in parentheses", "write it in [ ]")
        return list(values)
    }

    private mutating func map() -> Part? {
        var text = ""
        while !take("}") {
            let mark = take("?") ? "?" : ""
            guard let key = expression(), take(":"), let value = expression() else { return nil }
            text += (text.isEmpty ? "" : ", ") + mark + key.text + ": " + value.text
            guard take(",") || token.isSign("}") else { return nil }
        }
        return Part("{" + text + "}")
    }

    /// `$.a.b` of JSONPath, `$json.a` of other tools, `$sum(a)` of JSONata.
    private mutating func dollar(_ sign: ForeignToken) -> Part? {
        if token.kind == .name, peek().isSign("(") { return named() }
        guard token.kind == .name else { return sign.isSign("$") ? message(sign.range, "'$'") : nil }
        let name = token
        position += 1
        if name.isName("json") { return message(sign.range, "'$json'") }
        let isHere = readsPayload
        note(sign.range, "a name has no '" + sign.text + "' before it", "leave it out")
        return Part((isHere && !isKnown(name.text) ? "payload." : "") + name.text)
    }

    // MARK: Names

    /// Returns whether a name, or one that begins with it, is declared.
    func isKnown(_ name: String) -> Bool {
        isDeclared(name) || typeNames.contains { haveSameBytes($0, name) }
    }

    private func isDeclared(_ name: String) -> Bool {
        locals.contains { haveSameBytes($0, name) }
            || scope.names.contains { known in
                haveSameBytes(known, name) || known.utf8.starts(with: (name + ".").utf8)
            }
    }

    private mutating func named() -> Part? {
        let name = token
        position += 1
        if take("(") {
            guard let values = arguments(until: ")") else { return nil }
            return call(name, on: nil, values)
        }
        if isKnown(name.text) { return Part(name.text) }
        switch name.text {
        case "lambda", "function":
            note(name.range, "functions can't be defined in an expression", "write only the condition")
            return nil
        case "new":
            note(
                name.range,
                "nothing is made with 'new' in an expression",
                "write a function such as timestamp(text)"
            )
            return nil
        case "context" where !readsPayload && token.isSign(".") && isKnown(peek().text):
            return message(name.range, "'context'")
        case "true", "false", "null": return Part(name.text)
        case "True", "TRUE", "yes", "Yes": return replaced(name, "true")
        case "False", "FALSE", "no", "No": return replaced(name, "false")
        case "None", "nil", "undefined", "NULL":
            var part = replaced(name, scope.absent?.name ?? "null")
            part.isNothing = true
            return part
        case "value_json", "payload_json", "value", "data", "json", "input":
            return message(name.range, "'" + name.text + "'")
        case "msg", "trigger", "this", "message", "self", "req":
            if token.isSign("."), ["payload", "payload_json", "data"].contains(where: { peek().isName($0) }) {
                position += 2
            }
            return message(name.range, "'" + name.text + "'")
        case "signals", "signal", "payload", "previous":
            return message(name.range, "'" + name.text + "'")
        case "context":
            note(
                name.range,
                "unknown name 'context'",
                "declare variables with their first values under 'context:'"
            )
            return Part(name.text)
        case "Math", "JSON", "Date", "math", "strings", "optional", "base64", "cel", "Number", "Object":
            return qualified(name)
        default: return undeclared(name)
        }
    }

    /// A name that nothing declares: a state, a text without quotes, or a name that is misspelt.
    private mutating func undeclared(_ name: ForeignToken) -> Part? {
        if reservedWords.contains(where: { haveSameBytes($0, name.text) }) { return nil }
        var part = Part(name.text)
        part.isUnknownName = !token.isSign(".") && !token.isSign("[")
        let states = scope.calls.first { haveSameBytes($0.name, "inState") }?.choices ?? []
        let isMember = scope.names.contains { haveSameBytes($0.fieldName, name.text) }
        if part.isUnknownName, let dashed = dashed(name) {
            note(name.range, "unknown name '" + name.text + "'", "write `" + dashed + "`")
        } else if part.isUnknownName, !isMember,
            states.contains(where: { haveSameBytes($0.name, name.text) })
        {
            note(
                name.range,
                "unknown name '" + name.text + "'",
                "ask for a state with inState(\"" + name.text + "\"), and write a text in quotes"
            )
        } else if part.isUnknownName, nearestName(to: name.text, among: scope.names) == nil {
            note(
                name.range,
                "unknown name '" + name.text + "'",
                nil,
                note: tokens.count == 2
                    ? "a text has quotes of its own within those of YAML: '\"" + name.text + "\"'"
                    : "a text is written in quotes, as in \"" + name.text + "\""
            )
        }
        return part
    }

    /// `payload["power-now"]` for `payload.power-now`, whose dash is read as a minus; nil for anything else.
    private func dashed(_ name: ForeignToken) -> String? {
        guard position >= 5, tokens[position - 2].isSign("-"), tokens[position - 3].kind == .name,
            tokens[position - 4].isSign(".")
        else { return nil }
        var start = position - 5
        while start >= 2, tokens[start].kind == .name, tokens[start - 1].isSign(".") { start -= 2 }
        guard tokens[start].isName("payload") || tokens[start].isName("item") else { return nil }
        for place in start..<position - 1 where tokens[place].range.end != tokens[place + 1].range.start {
            return nil
        }
        let owner = bytes[tokens[start].range.start..<tokens[position - 4].range.start]
        return String(decoding: owner, as: UTF8.self) + "[\"" + tokens[position - 3].text + "-" + name.text
            + "\"]"
    }

    private mutating func replaced(_ name: ForeignToken, _ native: String) -> Part {
        note(name.range, "unknown name '" + name.text + "'", "write '" + native + "'")
        return Part(native)
    }

    /// `Math.floor(x)`, and functions of CEL that have a point in their names.
    private mutating func qualified(_ name: ForeignToken) -> Part? {
        guard token.isSign("."), peek().kind == .name, peek(2).isSign("(") else { return Part(name.text) }
        var function = peek()
        function.text = name.text + "." + function.text
        position += 3
        guard let values = arguments(until: ")") else { return nil }
        return call(function, on: nil, values)
    }

    private var readsPayload: Bool { scope.payloads.contains { haveSameBytes($0.name, "payload") } }

    /// The word of other tools for the message: the payload, or in a guard a signal.
    private mutating func message(_ range: SourceRange, _ what: String) -> Part {
        if readsPayload {
            note(range, "unknown name " + what, "the message is 'payload'")
            return Part("payload")
        }
        note(range, "unknown name " + what, "name a signal: only expressions of 'sources' read the message")
        if token.isSign("."), peek().kind == .name, isKnown(peek().text) {
            position += 2
            return Part(tokens[position - 1].text)
        }
        return Part("payload")
    }
}

// Sums, products and signs, with the operators that other languages have beside them.

extension ForeignReader {
    mutating func sum() -> Part? {
        guard var result = product() else { return nil }
        while token.kind == .sign {
            let sign = token
            switch sign.text {
            case "+", "-": position += 1
            case "~", "–", "−":
                position += 1
                noteOperator(sign, sign.isSign("~") ? "write '+'" : "write '-'")
            case "??", "?:":
                position += 1
                guard let next = product() else { return nil }
                noteOperator(sign, "write default(value, other)")
                result = Part("default(" + result.text + ", " + next.text + ")")
                continue
            default: return result
            }
            guard let next = product() else { return nil }
            let native = sign.isSign("~") || sign.isSign("+") ? "+" : "-"
            result = Part(result.within(.sum) + " " + native + " " + next.within(.product), .sum)
        }
        return result
    }

    private mutating func product() -> Part? {
        guard var result = signed() else { return nil }
        while token.kind == .sign || token.isName("mod") || token.isName("div") {
            let sign = token
            var native = sign.text
            switch sign.text {
            case "%" where isAfterwards(peek()):
                position += 1
                note(sign.range, "a number has no '%' after it", "leave it out")
                continue
            case "*", "/", "%": position += 1
            case "×", "·", "÷", "mod", "div":
                position += 1
                native = sign.isName("mod") ? "%" : sign.isSign("÷") || sign.isName("div") ? "/" : "*"
                noteOperator(sign, "write '" + native + "'")
            case "**", "^":
                position += 1
                guard let next = signed() else { return nil }
                noteOperator(sign, "multiply the value by itself")
                guard haveSameBytes(next.text, "2"), result.rank == .member else { return nil }
                result = Part(result.text + " * " + result.text, .product)
                continue
            default: return result
            }
            guard let next = signed() else { return nil }
            result = Part(result.within(.product) + " " + native + " " + next.within(.sign), .product)
        }
        return result
    }

    /// Returns whether a token ends an operand, so that a `%` before it is no operator.
    func isAfterwards(_ token: ForeignToken) -> Bool {
        switch token.kind {
        case .end: return true
        case .name: return ["and", "or", "if", "else"].contains { token.isName($0) }
        case .number, .text: return false
        case .sign:
            switch token.text {
            case "(", "[", "{", "-", "!", "$", ".": return false
            default: return true
            }
        }
    }

    private mutating func signed() -> Part? {
        guard depth < 40 else { return nil }
        depth += 1
        defer { depth -= 1 }
        if take("!") { return signed().map { Part("!" + $0.within(.sign), .sign) } }
        if take("-") { return signed().map { Part("-" + $0.within(.sign), .sign) } }
        if token.isName("typeof"), peek().kind == .name {
            let word = token
            position += 1
            noteOperator(word, "write type(value) == string")
            return member().map { Part("type(" + $0.text + ")") }
        }
        return member()
    }
}
