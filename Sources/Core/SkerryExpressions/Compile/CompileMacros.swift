extension Compiler {
    mutating func bind(_ name: String, _ value: SyntaxNode.ID, _ result: SyntaxNode.ID) -> Part {
        let bound = visit(value)
        let slot = open(name, type: bound.type)
        let part = visit(result)
        locals.removeLast()
        return emit(.bind, a: slot, b: bound.node, c: part.node, type: part.type)
    }

    mutating func comprehension(
        _ macro: Comprehension,
        over target: SyntaxNode.ID,
        _ variables: [String],
        _ filter: SyntaxNode.ID?,
        _ body: SyntaxNode.ID
    ) -> Part {
        let range = visit(target)
        let types = variableTypes(macro, range.type, count: variables.count)
        if types == nil {
            note(
                .wrongType,
                range.type.withArticle + " has no elements to go through",
                at: tree[target].range
            )
        }
        var slots: [Int32] = []
        for (position, name) in variables.enumerated() {
            slots.append(open(name, type: types?[position] ?? .dyn))
        }
        let filterPart = filter.map { expect(.bool, visit($0), at: $0, of: "the filter") }
        var part = visit(body)
        switch macro {
        case .all, .exists, .existsOne, .filter:
            part = expect(.bool, part, at: body, of: "the condition")
        case .transformMapEntry: part = expect(.map(.dyn, .dyn), part, at: body, of: "transformMapEntry()")
        case .optionalFlatMap: part = expect(.optional(.dyn), part, at: body, of: "optFlatMap()")
        default: break
        }
        locals.removeLast(variables.count)
        return emit(
            variables.count == 2 ? .comprehension2 : .comprehension,
            kind: macro.rawValue,
            index: UInt16(slots[0]),
            a: range.node,
            b: filterPart?.node ?? -1,
            c: part.node,
            type: result(macro, types, range.type, part.type)
        )
    }

    private mutating func open(_ name: String, type: ExpressionType) -> Int32 {
        let slot = Int32(locals.count)
        locals.append(Local(name: name, slot: slot, type: type))
        code.locals = max(code.locals, locals.count)
        return slot
    }

    private func variableTypes(
        _ macro: Comprehension,
        _ range: ExpressionType,
        count: Int
    ) -> [ExpressionType]? {
        if macro == .optionalMap || macro == .optionalFlatMap {
            return switch range {
            case .optional(let wrapped): [wrapped]
            case .dyn: [.dyn]
            default: nil
            }
        }
        return switch range {
        case .dyn: [.dyn, .dyn]
        case .list(let element): count == 2 ? [.int, element] : [element]
        case .map(let key, let value): [key, value]
        default: nil
        }
    }

    private func result(
        _ macro: Comprehension,
        _ types: [ExpressionType]?,
        _ range: ExpressionType,
        _ body: ExpressionType
    ) -> ExpressionType {
        switch macro {
        case .all, .exists, .existsOne: .bool
        case .filter: .list(types?.first ?? .dyn)
        case .map, .transformList: .list(body)
        case .transformMap:
            if case .map(let key, _) = range {
                .map(key, body)
            } else if case .list = range {
                .map(.int, body)
            } else {
                .map(.dyn, body)
            }
        case .transformMapEntry: body
        case .optionalMap: .optional(body)
        case .optionalFlatMap: body
        }
    }
}
