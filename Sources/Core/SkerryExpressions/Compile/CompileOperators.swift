import SkerryValues

extension Compiler {
    /// A side of an operator.
    struct Side {
        var id: SyntaxNode.ID
        var type: ExpressionType
    }

    mutating func conditional(
        _ condition: SyntaxNode.ID,
        _ then: SyntaxNode.ID,
        _ otherwise: SyntaxNode.ID
    ) -> Part {
        let condition = expect(.bool, visit(condition), at: condition, of: "'? :'")
        let first = visit(then)
        let second = visit(otherwise)
        let type = joinedType(of: first, second)
        expectAlike(first.type, second.type, at: otherwise, "the branches of '? :' differ")
        return emit(.conditional, a: condition.node, b: first.node, c: second.node, type: type)
    }

    /// The type of a result that is one of two parts, or has the elements of both.
    ///
    /// The absent value has none of its own, and an empty list is one of whatever the other has.
    func joinedType(of first: Part, _ second: Part) -> ExpressionType {
        if isAbsent(first) { return second.type }
        if isAbsent(second) { return first.type }
        switch (first.type, second.type) {
        case (.list, .list) where isEmpty(first), (.map, .map) where isEmpty(first): return second.type
        case (.list, .list) where isEmpty(second), (.map, .map) where isEmpty(second): return first.type
        default: return first.type.joined(with: second.type)
        }
    }

    /// True for a list or map without entries that is written out, whose elements have no type.
    private func isEmpty(_ part: Part) -> Bool {
        let step = code.instructions[Int(part.node)]
        guard step.operation == .constant else { return false }
        switch (code.constants[Int(step.a)], part.type) {
        case (.list(let elements), .list(.dyn)): return elements.isEmpty
        case (.map(let map), .map(.dyn, .dyn)): return map.entries.isEmpty
        default: return false
        }
    }

    private func isAbsent(_ part: Part) -> Bool {
        let step = code.instructions[Int(part.node)]
        guard let absent = scope.absent?.reference, step.operation == .load else { return false }
        return step.kind == absent.kind && step.index == absent.index
    }

    /// Makes the branches of the whole expression that give its own value say nothing.
    mutating func silenceOwn(_ node: Int32, isBranch: Bool = false) {
        guard let own = scope.own, let absent = scope.absent?.reference else { return }
        let step = code.instructions[Int(node)]
        switch step.operation {
        case .conditional:
            silenceOwn(step.b, isBranch: true)
            silenceOwn(step.c, isBranch: true)
        case .fallback:
            if reads(step.a, own) { silenceKept(node) }
            silenceOwn(step.b, isBranch: true)
        case .call2 where Function(rawValue: step.kind) == .orValue: silenceOwn(step.b, isBranch: true)
        case .bind: silenceOwn(step.c, isBranch: isBranch)
        case .load where isBranch && reads(node, own):
            if !references.contains(absent) { references.append(absent) }
            code.instructions[Int(node)].kind = absent.kind
            code.instructions[Int(node)].index = absent.index
        default: break
        }
    }

    /// Makes `default(own, other)` say nothing while its own value is there, as `has(own) ? unset : other` does.
    private mutating func silenceKept(_ node: Int32) {
        guard let absent = scope.absent?.reference else { return }
        let (value, other) = (code.instructions[Int(node)].a, code.instructions[Int(node)].b)
        if !references.contains(absent) { references.append(absent) }
        let nothing = Int32(code.instructions.count)
        code.instructions.append(Instruction(operation: .load, kind: absent.kind, index: absent.index))
        code.instructions[Int(value)].operation = .loadPresent
        code.instructions[Int(node)] = Instruction(operation: .conditional, a: value, b: nothing, c: other)
    }

    private func reads(_ node: Int32, _ reference: Reference) -> Bool {
        let step = code.instructions[Int(node)]
        return step.operation == .load && step.kind == reference.kind && step.index == reference.index
    }

    /// Reports two values, one of which becomes the result, if their types are incompatible.
    mutating func expectAlike(
        _ first: ExpressionType,
        _ second: ExpressionType,
        at id: SyntaxNode.ID,
        _ message: String
    ) {
        guard !first.fits(second), !(first.isNumber && second.isNumber) else { return }
        note(
            .wrongType,
            message + ": " + first.description + " and " + second.description,
            at: tree[id].range,
            hint: [first, second].contains(.null) && scope.absent != nil
                ? absentHint : "dyn(value) allows any type"
        )
    }

    mutating func logical(isAnd: Bool, _ operands: [SyntaxNode.ID]) -> Part {
        var nodes: [Int32] = []
        for operand in operands {
            nodes.append(expect(.bool, visit(operand), at: operand, of: isAnd ? "'&&'" : "'||'").node)
        }
        return emit(isAnd ? .and : .or, a: children(nodes), b: Int32(nodes.count), type: .bool)
    }

    mutating func negate(_ id: SyntaxNode.ID, _ operand: SyntaxNode.ID) -> Part {
        let part = visit(operand)
        switch part.type {
        case .int, .double, .dyn: break
        default:
            note(
                .wrongType,
                "'-' takes an int or double, this is " + part.type.withArticle,
                at: tree[operand].range
            )
        }
        return folded(emit(.negate, a: part.node, type: part.type), over: [part.node], at: id)
    }

    mutating func binary(
        _ id: SyntaxNode.ID,
        _ symbol: Symbol,
        _ left: SyntaxNode.ID,
        _ right: SyntaxNode.ID
    ) -> Part {
        let known = findings.count
        let first = visit(left)
        let found = known..<findings.count
        let second = visit(right)
        if symbol == .equal || symbol == .notEqual, isAbsent(first) || isAbsent(second) {
            return fail(
                .wrongType,
                "nothing is equal to no value",
                at: tree[id].range,
                hint: absenceHint(symbol, of: isAbsent(first) ? right : left)
            )
        }
        let sides = (Side(id: left, type: first.type), Side(id: right, type: second.type))
        var type =
            resultType(symbol, first.type, second.type)
            ?? resultBesideDouble(symbol, sides.0, sides.1)
        if symbol == .plus, case .list = first.type, case .list = second.type {
            type = joinedType(of: first, second)
        }
        if type == nil {
            // `!a == b` is one mistake.
            if case .not = tree[left].kind, first.type == .bool { findings.removeSubrange(found) }
            let types = first.type.description + " and " + second.type.description
            note(
                .wrongType,
                "'" + symbol.text + "' does not take " + types,
                at: tree[id].range,
                hint: operandHint(symbol, sides.0, sides.1)
            )
        }
        let part = emit(operation(symbol), a: first.node, b: second.node, type: type ?? .dyn)
        guard type != nil else { return part }
        noteZero(symbol, left, right)
        return folded(part, over: [first.node, second.node], at: id)
    }

    private func operation(_ symbol: Symbol) -> Operation {
        switch symbol {
        case .plus: .add
        case .minus: .subtract
        case .star: .multiply
        case .slash: .divide
        case .percent: .remainder
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .equal: .equal
        case .notEqual: .notEqual
        default: .contained
        }
    }

    /// The type of `left symbol right`; nil when there is no such operator.
    private func resultType(
        _ symbol: Symbol,
        _ left: ExpressionType,
        _ right: ExpressionType
    ) -> ExpressionType? {
        switch symbol {
        case .equal, .notEqual: return left.isComparable(to: right) ? .bool : nil
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return isOrdered(left, right) ? .bool : nil
        case .in: return isContained(left, in: right) ? .bool : nil
        default: break
        }
        switch (left, right, symbol) {
        case (.dyn, .dyn, _): return .dyn
        case (.int, .int, _), (.uint, .uint, _): return left
        case (.double, .double, .percent): return nil
        case (.double, .double, _): return left
        case (.string, .string, .plus), (.bytes, .bytes, .plus): return left
        case (.list, .list, .plus): return left.joined(with: right)
        case (.timestamp, .duration, .plus), (.timestamp, .duration, .minus): return .timestamp
        case (.duration, .timestamp, .plus): return .timestamp
        case (.timestamp, .timestamp, .minus), (.duration, .duration, .minus): return .duration
        case (.duration, .duration, .plus): return .duration
        case (.dyn, let known, _), (let known, .dyn, _): return dynamicResult(known, symbol)
        default: return nil
        }
    }

    /// The type of `double(x) / 2`: a whole number that is written out counts as a double beside a double.
    private func resultBesideDouble(_ symbol: Symbol, _ left: Side, _ right: Side) -> ExpressionType? {
        switch symbol {
        case .plus, .minus, .star, .slash: break
        default: return nil
        }
        let number: SyntaxNode.ID
        switch (left.type, right.type) {
        case (.int, .double): number = left.id
        case (.double, .int): number = right.id
        default: return nil
        }
        switch tree[number].kind {
        case .literal: return .double
        case .negate(let operand):
            if case .literal = tree[operand].kind { return .double }
            return nil
        default: return nil
        }
    }

    /// The type when only one side is known.
    private func dynamicResult(_ known: ExpressionType, _ symbol: Symbol) -> ExpressionType? {
        switch (known, symbol) {
        // The other side may be a double, and then the result is one.
        case (.int, .percent), (.uint, .percent): known
        case (.int, _), (.uint, _): .dyn
        case (.double, .percent): nil
        case (.double, _): known
        case (.string, .plus), (.bytes, .plus): known
        case (.list, .plus): .list(.dyn)
        case (.timestamp, .plus), (.duration, .plus), (.timestamp, .minus), (.duration, .minus): .dyn
        default: nil
        }
    }

    private func isOrdered(_ left: ExpressionType, _ right: ExpressionType) -> Bool {
        switch (left, right) {
        case (.dyn, .dyn), (.bool, .bool), (.string, .string), (.bytes, .bytes): true
        case (.timestamp, .timestamp), (.duration, .duration): true
        case (.dyn, let known), (let known, .dyn): known == .dyn || isOrdered(known, known)
        default: left.isNumber && right.isNumber
        }
    }

    private func isContained(_ element: ExpressionType, in container: ExpressionType) -> Bool {
        switch container {
        case .dyn: true
        case .list(let type), .map(let type, _): element.isComparable(to: type)
        default: false
        }
    }

    mutating func list(_ id: SyntaxNode.ID, _ elements: [SyntaxNode.Element]) -> Part {
        var nodes: [Int32] = []
        var type: ExpressionType?
        for element in elements {
            var part = visit(element.value)
            if element.isOptional { part = unwrapped(part, at: element.value) }
            nodes.append(element.isOptional ? ~part.node : part.node)
            type = type?.joined(with: part.type) ?? part.type
        }
        let list = emit(
            .list,
            a: children(nodes),
            b: Int32(nodes.count),
            type: .list(type ?? .dyn)
        )
        return nodes.contains(where: { $0 < 0 }) ? list : folded(list, over: nodes, at: id)
    }

    mutating func map(_ id: SyntaxNode.ID, _ entries: [SyntaxNode.Entry]) -> Part {
        var nodes: [Int32] = []
        var keyType: ExpressionType?
        var valueType: ExpressionType?
        for entry in entries {
            let key = visit(entry.key)
            switch key.type {
            case .bool, .int, .uint, .string, .dyn: break
            default:
                note(
                    .wrongType,
                    key.type.withArticle + " cannot be the key of a map",
                    at: tree[entry.key].range
                )
            }
            var value = visit(entry.value)
            if entry.isOptional { value = unwrapped(value, at: entry.value) }
            nodes += [key.node, entry.isOptional ? ~value.node : value.node]
            keyType = keyType?.joined(with: key.type) ?? key.type
            valueType = valueType?.joined(with: value.type) ?? value.type
        }
        let map = emit(
            .map,
            a: children(nodes),
            b: Int32(entries.count),
            type: .map(keyType ?? .dyn, valueType ?? .dyn)
        )
        return nodes.contains(where: { $0 < 0 }) ? map : folded(map, over: nodes, at: id)
    }

    /// The part of an optional element, with the type of what it holds.
    private mutating func unwrapped(_ part: Part, at id: SyntaxNode.ID) -> Part {
        switch part.type {
        case .optional(let wrapped): return Part(node: part.node, type: wrapped)
        case .dyn: return part
        default:
            note(
                .wrongType,
                "'?' takes an optional, this is " + part.type.withArticle,
                at: tree[id].range
            )
            return part
        }
    }
}
