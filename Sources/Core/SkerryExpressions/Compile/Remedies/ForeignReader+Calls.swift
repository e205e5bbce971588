import SkerryValues

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
        var paths = PathTable()
        do throws(ExpressionProblem) {
            _ = try Compiler.compile(SyntaxTree.of(Array(text.utf8)), in: scope, paths: &paths)
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
    private func hint(for name: String) -> String? {
        switch name {
        case "avg", "mean", "reduce": "no function averages a list: write list.sum() / list.size()"
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
