import SkerryValues

extension Code {
    /// Everything that reads or makes containers and optionals.
    @inline(never)
    func container(_ step: Instruction, _ state: inout EvaluationState, _ load: Loader) -> Value {
        switch step.operation {
        case .loadOptional: return optional(load(Reference(kind: step.kind, index: step.index)))
        case .loadPresent:
            if case .error = load(Reference(kind: step.kind, index: step.index)) { return .bool(false) }
            return .bool(true)
        case .contained: return contained(step, &state, load)
        case .select, .selectOptional: return field(step, of: value(step.a, &state, load), &state)
        case .hasField:
            let operand = value(step.a, &state, load)
            if case .error = operand { return operand }
            return presence(of: field(step, of: operand, &state))
        case .element: return element(step, &state, load)
        case .elementOptional: return element(step, &state, load)
        case .list: return list(step, &state, load)
        case .map: return map(step, &state, load)
        case .matches:
            let text = value(step.a, &state, load)
            if case .error = text { return text }
            return patterns[Int(step.b)].isFound(in: text, &state)
        case .bind:
            let bound = value(step.b, &state, load)
            reserveLocals(&state)
            state.locals[Int(step.a)] = bound
            return value(step.c, &state, load)
        case .comprehension, .comprehension2: return comprehension(step, &state, load)
        default: return .error(.noSuchOverload)
        }
    }

    /// Makes room for the variables of macros; most expressions have none.
    func reserveLocals(_ state: inout EvaluationState) {
        guard state.locals.count < locals else { return }
        // At the first macro, for all of them: the compiler gives nested ones slots of their own.
        state.locals = [Value](repeating: .null, count: locals)
    }

    /// The result of an optional access: an absent field is none.
    private func optional(_ found: Value) -> Value {
        switch found {
        case .error(.noSuchKey), .error(.indexOutOfBounds), .error(.unset): .optional([])
        case .error: found
        default: .optional([found])
        }
    }

    private func presence(of found: Value) -> Value {
        switch found {
        case .error(.noSuchKey): .bool(false)
        case .error: found
        default: .bool(true)
        }
    }

    private func contained(_ step: Instruction, _ state: inout EvaluationState, _ load: Loader) -> Value {
        let needle = value(step.a, &state, load)
        if case .error = needle { return needle }
        switch value(step.b, &state, load) {
        case .list(let elements):
            for element in elements {
                guard state.spend(1) else { return .error(.costExceeded) }
                if areEqual(element, needle, &state) { return .bool(true) }
            }
            return .bool(false)
        case .map(let map):
            let isKey = map.value(of: needle, &state) != nil
            return state.remaining < 0 ? .error(.costExceeded) : .bool(isKey)
        case .error(let error): return .error(error)
        default: return .error(.noSuchOverload)
        }
    }

    private func field(_ step: Instruction, of operand: Value, _ state: inout EvaluationState) -> Value {
        if case .error = operand { return operand }
        let name = constants[Int(step.b)]
        var operand = operand
        var isOptional = step.operation == .selectOptional
        if case .optional(let wrapped) = operand {
            isOptional = step.operation != .hasField
            guard let inner = wrapped.first else { return isOptional ? .optional([]) : .error(.noSuchKey) }
            operand = inner
        }
        let found = found(name, in: operand, isField: true, &state)
        return isOptional ? optional(found) : found
    }

    private func element(_ step: Instruction, _ state: inout EvaluationState, _ load: Loader) -> Value {
        var operand = value(step.a, &state, load)
        if case .error = operand { return operand }
        let key = value(step.b, &state, load)
        if case .error = key { return key }
        var isOptional = step.operation == .elementOptional
        if case .optional(let wrapped) = operand {
            isOptional = true
            guard let inner = wrapped.first else { return .optional([]) }
            operand = inner
        }
        let found = found(key, in: operand, isField: false, &state)
        return isOptional ? optional(found) : found
    }

    private func found(
        _ key: Value,
        in operand: Value,
        isField: Bool,
        _ state: inout EvaluationState
    ) -> Value {
        switch operand {
        case .map(let map):
            switch key {
            case .bool, .int, .uint, .double, .string: break
            default: return .error(.noSuchOverload)
            }
            if let value = map.value(of: key, &state) { return value }
            return .error(state.remaining < 0 ? .costExceeded : .noSuchKey)
        case .list(let elements) where !isField:
            let position: Int?
            switch key {
            case .int(let number): position = Int(exactly: number)
            case .uint(let number): position = Int(exactly: number)
            case .double(let number): position = Int(exactly: number)
            default: return .error(.noSuchOverload)
            }
            // 1.5 is no index at all, 1e30 is one beyond every list.
            if case .double(let number) = key, position == nil, number != number.rounded() {
                return .error(.invalidArgument)
            }
            guard let position, elements.indices.contains(position) else {
                return .error(.indexOutOfBounds)
            }
            return elements[position]
        case .error: return operand
        default: return .error(.noSuchOverload)
        }
    }

    private func list(_ step: Instruction, _ state: inout EvaluationState, _ load: Loader) -> Value {
        var elements: [Value] = []
        elements.reserveCapacity(Int(step.b))
        for position in step.a..<step.a + step.b {
            let child = children[Int(position)]
            let element = value(child < 0 ? ~child : child, &state, load)
            if case .error = element { return element }
            if child >= 0 {
                elements.append(element)
            } else if case .optional(let wrapped) = element {
                elements += wrapped
            } else {
                return .error(.noSuchOverload)
            }
        }
        return .list(elements)
    }

    private func map(_ step: Instruction, _ state: inout EvaluationState, _ load: Loader) -> Value {
        var map = MapBuilder()
        for pair in 0..<step.b {
            let key = value(children[Int(step.a + pair * 2)], &state, load)
            if case .error = key { return key }
            let child = children[Int(step.a + pair * 2 + 1)]
            let value = value(child < 0 ? ~child : child, &state, load)
            if case .error = value { return value }
            if child >= 0 {
                map.insert(key, value, &state)
            } else if case .optional(let wrapped) = value {
                if let inner = wrapped.first { map.insert(key, inner, &state) }
            } else {
                return .error(.noSuchOverload)
            }
        }
        return map.value
    }
}

/// Collects the entries of a map; a key that is no key, or is there twice, makes it an error.
struct MapBuilder {
    private var entries: [ValueMap.Entry] = []
    private var failure: EvaluationError?

    /// The map, or what went wrong.
    var value: Value { failure.map { .error($0) } ?? .map(ValueMap(uniqueEntries: entries)) }

    mutating func insert(_ key: Value, _ value: Value, _ state: inout EvaluationState) {
        switch key {
        case .bool, .int, .uint, .string: break
        default: return fail(.noSuchOverload)
        }
        // Each key is compared with all before it; the cost grows with them.
        guard state.spend(1 + entries.count / 16) else { return fail(.costExceeded) }
        for entry in entries where areEqual(entry.key, key, &state) { return fail(.invalidArgument) }
        entries.append(ValueMap.Entry(key: key, value: value))
    }

    private mutating func fail(_ error: EvaluationError) {
        if failure == nil { failure = error }
    }
}
