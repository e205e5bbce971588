import SkerryValues

extension Compiler {
    // MARK: Names

    mutating func identifier(_ name: String, isRooted: Bool, _ id: SyntaxNode.ID) -> Part {
        if !isRooted, let local = local(name) {
            return emit(.local, a: local.slot, type: local.type)
        }
        if let part = named(id) { return part }
        return fail(
            .unknownName,
            "unknown name '" + name + "'",
            at: tree[id].range,
            hint: nameHint(name),
            .undeclaredReference
        )
    }

    /// The advice for the words that other languages have for no value; nil where there is none.
    var absentHint: String? { scope.absent.map { "no value is written `" + $0.name + "`" } }

    private func nameHint(_ name: String) -> String? {
        let nothing = [
            "none", "None", "NONE", "nil", "undefined", "nothing", "novalue", "unknown", "NaN", "absent",
        ]
        if nothing.contains(where: { haveSameBytes($0, name) }), let absentHint { return absentHint }
        if let member = scope.names.first(where: { haveSameBytes($0.fieldName, name) }) {
            return "did you mean '" + member + "'?"
        }
        return nearestHint(to: name, among: locals.reversed().map { $0.name } + scope.names)
            ?? (scope.names.isEmpty || scope.names.count > 13 ? nil : "known are " + listed(scope.names))
    }

    /// Names for a message, such as `a, b, c`.
    func listed(_ names: [String]) -> String {
        var text = ""
        for (position, name) in names.enumerated() { text += (position > 0 ? ", " : "") + name }
        return text
    }

    func local(_ name: String) -> Local? {
        locals.last { haveSameBytes($0.name, name) }
    }

    /// The meaning of a name, plain or qualified: a variable, a payload or a type.
    private mutating func named(_ id: SyntaxNode.ID, _ operation: Operation = .load) -> Part? {
        guard let name = qualifiedName(id) else { return nil }
        for candidate in candidates(name) {
            if let variable = scope.variables.first(where: { haveSameBytes($0.name, candidate) }) {
                let type = operation == .load ? variable.type : .bool
                return load(variable.reference, operation, type: type)
            }
        }
        if let path = payloadPath(id) { return payload(path, operation, at: id) }
        guard operation == .load else { return nil }
        for candidate in candidates(name) where typeNames.contains(where: { haveSameBytes($0, candidate) }) {
            return constant(.type(candidate))
        }
        return nil
    }

    /// A chain of names as one text; nil when it is something else, or starts with a local name.
    func qualifiedName(_ id: SyntaxNode.ID) -> String? {
        switch tree[id].kind {
        case .identifier(let name, let isRooted):
            if isRooted { return "." + name }
            return local(name) == nil ? name : nil
        case .select(let operand, let field, isOptional: false):
            return qualifiedName(operand).map { $0 + "." + field }
        default: return nil
        }
    }

    /// The full names that a name can mean, the innermost namespace first.
    private func candidates(_ name: String) -> [String] {
        if name.utf8.first == UInt8(ascii: ".") { return [String(name.dropFirst())] }
        var candidates: [String] = []
        var container = scope.container[...]
        while !container.isEmpty {
            candidates.append(String(container) + "." + name)
            container = container.lastIndex(of: ".").map { container[..<$0] } ?? ""
        }
        return candidates + [name]
    }

    // MARK: Fields and elements

    mutating func select(
        _ id: SyntaxNode.ID,
        _ operand: SyntaxNode.ID,
        _ field: String,
        isOptional: Bool
    ) -> Part {
        if let part = isOptional ? payloadPart(id) : named(id) ?? payloadPart(id) { return part }
        if let part = misspelt(id, operand) { return part }
        let part = visit(operand)
        let name = constant(.string(field))
        let type = fieldType(of: part.type, isOptional: isOptional)
        if type == nil {
            note(
                .wrongType,
                part.type.withArticle + " has no fields",
                at: tree[id].range,
                hint: fieldHint(field, of: operand, part.type)
            )
        }
        let hasFields = type != nil
        let selection = emit(
            isOptional ? .selectOptional : .select,
            a: part.node,
            b: code.instructions[Int(name.node)].a,
            type: type ?? .dyn
        )
        if hasFields, part.type != .dyn { noteFailure(of: selection, over: [part.node], at: id) }
        return selection
    }

    /// The finding for `timer.cycel` or `state.tittle`, where something else is known that begins so.
    private mutating func misspelt(_ id: SyntaxNode.ID, _ operand: SyntaxNode.ID) -> Part? {
        guard !scope.defersChecks, let root = qualifiedName(operand), let name = qualifiedName(id),
            !isWithinVariable(operand)
        else { return nil }
        let variable = scope.variables.first { haveSameBytes($0.name, root) }
        let isUnknown = variable.map { fieldType(of: $0.type, isOptional: false) == nil }
        guard isUnknown ?? (payloadPath(operand) == nil) else { return nil }
        let related = scope.names.filter { $0.utf8.starts(with: (root + ".").utf8) }
        guard variable == nil || !related.isEmpty else { return nil }
        // Of names that begin alike only what follows tells how near they are.
        let field = name.fieldName
        let near =
            related.isEmpty
            ? nearestHint(to: name, among: qualifiedNames)
            : related.first { nearestName(to: field, among: [$0.fieldName]) != nil }
                .map { "did you mean '" + $0 + "'?" }
        guard near != nil || !related.isEmpty else { return nil }
        let ofType = variable.flatMap { fieldHint(field, of: operand, $0.type) }
        let hint = near ?? ofType ?? "known are " + listed(related)
        return fail(
            .unknownName,
            "unknown name '" + name + "'",
            at: tree[id].range,
            hint: hint,
            .undeclaredReference
        )
    }

    /// True if a part of a name stands for a variable that may have fields: the longest name that is known counts.
    private func isWithinVariable(_ id: SyntaxNode.ID) -> Bool {
        var part = id
        while case .select(let operand, _, isOptional: false) = tree[part].kind {
            part = operand
            guard let name = qualifiedName(part),
                let variable = scope.variables.first(where: { haveSameBytes($0.name, name) })
            else { continue }
            return fieldType(of: variable.type, isOptional: false) != nil
        }
        return false
    }

    private var qualifiedNames: [String] { scope.names.filter { $0.utf8.contains(UInt8(ascii: ".")) } }

    private func fieldType(of operand: ExpressionType, isOptional: Bool) -> ExpressionType? {
        switch operand {
        case .dyn: isOptional ? .optional(.dyn) : .dyn
        case .map(let key, let value):
            ExpressionType.string.isComparable(to: key) ? (isOptional ? .optional(value) : value) : nil
        case .optional(let wrapped):
            fieldType(of: wrapped, isOptional: false).map { .optional($0) }
        default: nil
        }
    }

    mutating func index(
        _ id: SyntaxNode.ID,
        _ operand: SyntaxNode.ID,
        _ key: SyntaxNode.ID,
        isOptional: Bool
    ) -> Part {
        if let part = payloadPart(id) { return part }
        let part = visit(operand)
        let keyPart = visit(key)
        let type = elementType(of: part.type, at: keyPart.type, isOptional: isOptional)
        if type == nil {
            note(
                .wrongType,
                part.type.withArticle + " has no element at " + keyPart.type.withArticle,
                at: tree[id].range,
                hint: fieldHint("", of: operand, part.type)
            )
        }
        let element = emit(
            isOptional ? .elementOptional : .element,
            a: part.node,
            b: keyPart.node,
            type: type ?? .dyn
        )
        if type == nil { return element }
        if case .list = tree[operand].kind {
            if !isOptional { noteIndex(key, of: operand) }
        } else if part.type != .dyn {
            noteFailure(of: element, over: [part.node, keyPart.node], at: id)
        }
        return element
    }

    private func elementType(
        of operand: ExpressionType,
        at key: ExpressionType,
        isOptional: Bool
    ) -> ExpressionType? {
        switch operand {
        case .dyn: return isOptional ? .optional(.dyn) : .dyn
        case .list(let element):
            guard key.isNumber || key == .dyn else { return nil }
            return isOptional ? .optional(element) : element
        case .map(let keyType, let value):
            guard key.isComparable(to: keyType) else { return nil }
            return isOptional ? .optional(value) : value
        case .optional(let wrapped):
            return elementType(of: wrapped, at: key, isOptional: false).map { .optional($0) }
        default: return nil
        }
    }

    mutating func has(_ operand: SyntaxNode.ID) -> Part {
        if let part = named(operand, .loadPresent) { return part }
        if let path = payloadPath(operand) { return payload(path, .loadPresent, at: operand) }
        guard case .select(let target, let field, _) = tree[operand].kind else {
            // A name that stands for nothing is the mistake, and not that it has no field.
            if case .identifier(let name, let isRooted) = tree[operand].kind, isRooted || local(name) == nil {
                return visit(operand)
            }
            return fail(
                .wrongArgument,
                "has() asks for a field",
                at: tree[operand].range,
                hint: "write has(value.field)"
            )
        }
        let part = visit(target)
        // In a map without texts as keys there is no such field.
        let isMap = if case .map = part.type { true } else { false }
        if !isMap, fieldType(of: part.type, isOptional: false) == nil {
            note(
                .wrongType,
                part.type.withArticle + " has no fields",
                at: tree[operand].range
            )
        }
        code.constants.append(.string(field))
        return emit(.hasField, a: part.node, b: Int32(code.constants.count - 1), type: .bool)
    }

    // MARK: Payload

    struct PayloadPath {
        var payload: Scope.Payload
        var steps: [PathStep]
        var isOptional: Bool
        /// True if the type of what is there will do.
        var isShape = false
    }

    /// The payload with the constant steps into it; nil when it is something else.
    private func payloadPath(_ id: SyntaxNode.ID) -> PayloadPath? {
        switch tree[id].kind {
        case .identifier(let name, let isRooted):
            guard isRooted || local(name) == nil,
                let payload = scope.payloads.first(where: { haveSameBytes($0.name, name) })
            else { return nil }
            return PayloadPath(payload: payload, steps: [], isOptional: false)
        case .select(let operand, let field, let isOptional):
            guard var path = payloadPath(operand) else { return nil }
            path.steps.append(.key(field))
            path.isOptional = path.isOptional || isOptional
            return path
        case .index(let operand, let key, let isOptional):
            guard case .literal(let literal) = tree[key].kind, var path = payloadPath(operand) else {
                return nil
            }
            switch literal {
            case .string(let name): path.steps.append(.key(name))
            case .int(let number):
                guard number >= 0, let position = Int(exactly: number) else { return nil }
                path.steps.append(.index(position))
            default: return nil
            }
            path.isOptional = path.isOptional || isOptional
            return path
        default: return nil
        }
    }

    private mutating func payloadPart(_ id: SyntaxNode.ID) -> Part? {
        guard let path = payloadPath(id) else { return nil }
        return payload(path, path.isOptional ? .loadOptional : .load, at: id)
    }

    /// A part of the payload of which only the type is asked; nil if it is something else, or the whole payload.
    mutating func shape(_ id: SyntaxNode.ID) -> Part? {
        guard var path = payloadPath(id), !path.steps.isEmpty, !path.isOptional else { return nil }
        path.isShape = true
        return payload(path, .load, at: id)
    }

    private mutating func payload(
        _ path: PayloadPath,
        _ operation: Operation,
        at id: SyntaxNode.ID
    ) -> Part {
        var type = path.payload.type
        for _ in path.steps {
            switch type {
            case .dyn: break
            case .map(_, let value): type = value
            case .list(let element): type = element
            default:
                return fail(
                    .wrongType,
                    "the payload is " + path.payload.type.withArticle + " without fields",
                    at: tree[id].range,
                    hint: "write `payload` alone, or `payload: json` in the source"
                )
            }
        }
        let steps = path.isShape ? path.steps + [.shape] : path.steps
        guard paths.paths.count < PathTable.capacity || paths.paths.contains(steps) else {
            return fail(.tooLarge, "too many different fields of the payload", at: tree[id].range)
        }
        switch operation {
        case .loadOptional: type = .optional(type)
        case .loadPresent: type = .bool
        default: break
        }
        return load(
            Reference(kind: path.payload.kind, index: paths.intern(steps)),
            operation,
            type: type
        )
    }
}

extension String {
    /// The last part of a qualified name.
    var fieldName: String {
        String(decoding: utf8.split(separator: UInt8(ascii: ".")).last ?? utf8[...], as: UTF8.self)
    }
}
