import SkerryValues

extension Compiler {
    mutating func call(
        _ id: SyntaxNode.ID,
        _ name: String,
        _ target: SyntaxNode.ID?,
        _ arguments: [SyntaxNode.ID],
        _ nameRange: SourceRange
    ) -> Part {
        guard let target else {
            if let host = scope.calls.first(where: { haveSameBytes($0.name, name) }) {
                return hostCall(id, host, arguments)
            }
            if haveSameBytes(name, "default"), arguments.count != 2 {
                return fail(
                    .wrongArgument,
                    "default() takes a value and its replacement if it is absent",
                    at: tree[id].range,
                    hint: "write default(value, other)"
                )
            }
            if haveSameBytes(name, "default") {
                return firstPresent(arguments[0], else: arguments[1])
            }
            return standardCall(id, name, isMethod: false, arguments, nameRange)
        }
        if let prefix = qualifiedName(target) {
            let qualified = prefix + "." + name
            if qualified == "math.greatest" || qualified == "math.least" {
                return extremum(id, qualified, arguments)
            }
            if Overload.all.contains(where: { !$0.isMethod && haveSameBytes($0.name, qualified) }) {
                return standardCall(id, qualified, isMethod: false, arguments, nameRange)
            }
        }
        return standardCall(id, name, isMethod: true, [target] + arguments, nameRange)
    }

    /// Compiles `default(value, other)`.
    ///
    /// `default(default(a, b), c)` is the same as `default(a, default(b, c))` and becomes that, so that a value which is asked
    /// for first is the first operand.
    private mutating func firstPresent(_ value: SyntaxNode.ID, else other: SyntaxNode.ID) -> Part {
        var (first, others) = (value, [other])
        while case .call(let name, .none, let arguments, _) = tree[first].kind,
            haveSameBytes(name, "default"), arguments.count == 2
        {
            first = arguments[0]
            others.append(arguments[1])
        }
        var parts = [visit(first)]
        for other in others.reversed() { parts.append(visit(other)) }
        var result = parts.removeLast()
        for part in parts.reversed() {
            let type = joinedType(of: part, result)
            result = emit(.fallback, a: part.node, b: result.node, type: type)
        }
        return result
    }

    private mutating func standardCall(
        _ id: SyntaxNode.ID,
        _ name: String,
        isMethod: Bool,
        _ arguments: [SyntaxNode.ID],
        _ nameRange: SourceRange
    ) -> Part {
        let overloads = Overload.all.filter { $0.isMethod == isMethod && haveSameBytes($0.name, name) }
        guard let function = overloads.first?.function else {
            return unknown(name, isMethod: isMethod, nameRange)
        }
        var parts: [Part] = []
        for argument in arguments {
            let shape = function == .type ? shape(argument) : nil
            parts.append(shape ?? visit(argument))
        }
        let fitting = overloads.filter { overload in
            overload.parameters.count == parts.count
                && overload.parameters.indices.allSatisfy { parts[$0].type.fits(overload.parameters[$0]) }
        }
        guard let first = fitting.first else {
            return mismatch(id, name, isMethod: isMethod, overloads, parts)
        }
        var type = first.result
        for overload in fitting.dropFirst() where overload.result != type { type = .dyn }
        if case .optional(let wrapped) = parts.first?.type, function == .orValue {
            expectAlike(
                wrapped,
                parts[1].type,
                at: arguments[1],
                "the value of the optional and the other differ"
            )
        } else if function == .or {
            expectAlike(parts[0].type, parts[1].type, at: arguments[1], "the two optionals differ")
        }
        if function == .matches, let part = constantPattern(id, parts, arguments[1]) { return part }
        noteZone(function, arguments)
        noteClauses(function, arguments, parts)
        if function.isRounding, isWholeConstant(parts[0]) {
            return fail(
                .wrongType,
                name + "() takes a decimal number",
                at: tree[arguments[0]].range,
                hint: "write it with a decimal point"
            )
        }
        return invoke(function, parts, type: refined(type, function, parts), at: id)
    }

    /// Returns whether a part is a whole number that is written out.
    private func isWholeConstant(_ part: Part) -> Bool {
        let step = code.instructions[Int(part.node)]
        guard step.operation == .constant else { return false }
        switch code.constants[Int(step.a)] {
        case .int, .uint: return true
        default: return false
        }
    }

    /// No overload takes these arguments: a finding, or a call that fails when evaluated.
    private mutating func unknown(_ name: String, isMethod: Bool, _ nameRange: SourceRange) -> Part {
        if isMethod, macroNames.contains(where: { haveSameBytes($0, name) }) {
            return fail(
                .wrongType,
                "'" + name + "' takes a name for each element, and then what is to be done with it",
                at: nameRange,
                hint: "write " + name + "(x, ...), with x for the element"
            )
        }
        let names =
            Overload.all.filter { $0.isMethod == isMethod }.map { $0.name }
            + (isMethod
                ? macroNames
                : scope.calls.map { $0.name } + ["default", "has", "math.greatest", "math.least"])
        return fail(
            .unknownFunction,
            "unknown function '" + name + "'",
            at: nameRange,
            hint: nearestHint(to: name, among: names)
        )
    }

    private mutating func mismatch(
        _ id: SyntaxNode.ID,
        _ name: String,
        isMethod: Bool,
        _ overloads: [Overload],
        _ parts: [Part]
    ) -> Part {
        var types = parts.map { $0.type.description }
        let receiver = isMethod ? types.removeFirst() + "." : ""
        return fail(
            .wrongType,
            "no such function: " + receiver + name + "(" + listed(types) + ")",
            at: tree[id].range,
            hint: "there is " + listed(overloads.prefix(4).map { $0.description })
        )
    }

    private mutating func invoke(
        _ function: Function,
        _ parts: [Part],
        type: ExpressionType,
        at id: SyntaxNode.ID
    ) -> Part {
        let nodes = parts.map { $0.node }
        let kind = function.rawValue
        let part =
            switch nodes.count {
            case 1: emit(.call1, kind: kind, a: nodes[0], type: type)
            case 2: emit(.call2, kind: kind, a: nodes[0], b: nodes[1], type: type)
            case 3: emit(.call3, kind: kind, a: nodes[0], b: nodes[1], c: nodes[2], type: type)
            default: emit(.callMany, kind: kind, a: children(nodes), b: Int32(nodes.count), type: type)
            }
        return folded(part, over: nodes, at: id)
    }

    /// The result's type where it follows the arguments'.
    private func refined(
        _ type: ExpressionType,
        _ function: Function,
        _ parts: [Part]
    ) -> ExpressionType {
        switch function {
        case .optionalOf, .optionalOfNonZero: return .optional(parts[0].type)
        case .value:
            if case .optional(let wrapped) = parts[0].type { return wrapped }
        case .or: return parts[0].type.joined(with: parts[1].type)
        case .orValue:
            if case .optional(let wrapped) = parts[0].type {
                return wrapped == .dyn ? .dyn : wrapped.joined(with: parts[1].type)
            }
        case .first, .last:
            if case .list(let element) = parts[0].type { return .optional(element) }
        case .optionalUnwrap:
            if case .list(.optional(let wrapped)) = parts[0].type { return .list(wrapped) }
        default: break
        }
        return type
    }

    /// `math.greatest` and `math.least`: one list of numbers, or one or more numbers.
    private mutating func extremum(
        _ id: SyntaxNode.ID,
        _ name: String,
        _ arguments: [SyntaxNode.ID]
    ) -> Part {
        let function: Function = name == "math.least" ? .least : .greatest
        guard !arguments.isEmpty else {
            return fail(.wrongArgument, name + "() takes at least one number", at: tree[id].range)
        }
        var parts: [Part] = []
        var type: ExpressionType?
        for argument in arguments {
            let part = visit(argument)
            var number = part.type
            if arguments.count == 1, case .list(let element) = number { number = element }
            if !number.isNumber, number != .dyn {
                note(
                    .wrongType,
                    name + "() takes numbers, this is " + part.type.withArticle,
                    at: tree[argument].range
                )
            }
            type = type?.joined(with: number) ?? number
            parts.append(part)
        }
        let nodes = parts.map { $0.node }
        let part = emit(
            .callMany,
            kind: function.rawValue,
            a: children(nodes),
            b: Int32(nodes.count),
            type: type ?? .dyn
        )
        return folded(part, over: nodes, at: id)
    }

    /// A pattern that is written out is compiled here, once.
    private mutating func constantPattern(
        _ id: SyntaxNode.ID,
        _ parts: [Part],
        _ argument: SyntaxNode.ID
    ) -> Part? {
        let step = code.instructions[Int(parts[1].node)]
        guard step.operation == .constant, case .string(let text) = code.constants[Int(step.a)] else {
            return nil
        }
        do {
            code.patterns.append(try Pattern(text))
        } catch {
            return fail(
                .badLiteral,
                "the pattern is not valid: " + error.message,
                at: tree[argument].range,
                .invalidArgument
            )
        }
        let part = emit(.matches, a: parts[0].node, b: Int32(code.patterns.count - 1), type: .bool)
        return folded(part, over: [parts[0].node], at: id)
    }

    // MARK: Calls to the host

    private mutating func hostCall(
        _ id: SyntaxNode.ID,
        _ call: Scope.HostCall,
        _ arguments: [SyntaxNode.ID]
    ) -> Part {
        let usage: String
        var given: String?
        switch call.parameter {
        case .none:
            usage = call.name + "() takes no argument"
            if arguments.isEmpty { given = call.choices.first?.name }
        case .text:
            usage = call.name + "() takes one text literal"
            if arguments.count == 1, case .literal(.string(let text)) = tree[arguments[0]].kind {
                given = text
            }
        case .name:
            usage = call.name + "() takes one plain name"
            if arguments.count == 1 { given = qualifiedName(arguments[0]) }
        }
        guard let given else {
            return fail(.wrongArgument, usage, at: tree[id].range, hint: usageHint(call, arguments))
        }
        guard let choice = call.choices.first(where: { haveSameBytes($0.name, given) }) else {
            return fail(
                .unknownChoice,
                call.name + "() knows no '" + given + "'",
                at: tree[arguments.first ?? id].range,
                hint: choiceHint(given, call),
                .undeclaredReference
            )
        }
        return load(choice.reference, type: choice.type)
    }

    /// The call as it would be written, when only the quotes are wrong.
    private func usageHint(_ call: Scope.HostCall, _ arguments: [SyntaxNode.ID]) -> String? {
        var name: String?
        if arguments.count == 1 {
            if case .literal(.string(let text)) = tree[arguments[0]].kind { name = text }
            if case .identifier(let text, isRooted: false) = tree[arguments[0]].kind { name = text }
        }
        guard let name, call.choices.contains(where: { haveSameBytes($0.name, name) }) else {
            return choiceHint("", call)
        }
        let quote = call.parameter == .text ? "\"" : ""
        return "write `" + call.name + "(" + quote + name + quote + ")`"
    }

    private func choiceHint(_ given: String, _ call: Scope.HostCall) -> String? {
        guard call.parameter != .none, !call.choices.isEmpty else { return nil }
        let names = call.choices.map { $0.name }
        return nearestHint(to: given, among: names)
            ?? "known are " + listed(Array(names.prefix(12))) + (names.count > 12 ? " …" : "")
    }
}

/// The macros that are written after a dot.
let macroNames = [
    "all", "exists", "exists_one", "existsOne", "filter", "map", "transformList", "transformMap",
    "transformMapEntry", "optMap", "optFlatMap",
]
