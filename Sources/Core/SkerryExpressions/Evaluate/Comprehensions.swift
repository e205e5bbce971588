import SkerryValues

extension Code {
    /// Runs one of the macros over a list, a map or an optional.
    func comprehension(_ step: Instruction, _ state: inout EvaluationState, _ load: Loader) -> Value {
        let range = value(step.a, &state, load)
        if case .error = range { return range }
        guard let macro = Comprehension(rawValue: step.kind) else { return .error(.noSuchOverload) }
        reserveLocals(&state)
        var loop = Loop(macro: macro, step: step)
        switch range {
        case .list(let elements):
            for index in elements.indices {
                let goesOn = run(&loop, .int(Int64(index)), elements[index], isMap: false, &state, load)
                guard goesOn else { break }
            }
        case .map(let map):
            for entry in map.entries {
                guard run(&loop, entry.key, entry.value, isMap: true, &state, load) else { break }
            }
        case .optional(let wrapped): return optionalMacro(macro, wrapped, step, &state, load)
        default: return .error(.noSuchOverload)
        }
        if macro == .optionalMap || macro == .optionalFlatMap { return .error(.noSuchOverload) }
        // Before the outcome: the loop may have ended early, and `exists` would say false.
        if state.remaining < 0 { return .error(.costExceeded) }
        return loop.outcome
    }

    /// One turn; false ends the loop.
    private func run(
        _ loop: inout Loop,
        _ key: Value,
        _ element: Value,
        isMap: Bool,
        _ state: inout EvaluationState,
        _ load: Loader
    ) -> Bool {
        // Counts even for a body without any step of its own.
        guard state.spend(1) else { return false }
        let slot = Int(loop.step.index)
        if loop.step.operation == .comprehension2 {
            state.locals[slot] = key
            state.locals[slot + 1] = element
        } else {
            state.locals[slot] = isMap ? key : element
        }
        if loop.step.b >= 0 {
            switch truth(loop.step.b, &state, load) {
            case .yes: break
            case .no: return true
            case .error(let error): return loop.fail(error)
            }
        }
        switch loop.macro {
        case .all, .exists, .existsOne, .filter:
            return loop.take(truth(loop.step.c, &state, load), state.locals[slot])
        default: return loop.take(value(loop.step.c, &state, load), key: key, &state)
        }
    }

    private func optionalMacro(
        _ macro: Comprehension,
        _ wrapped: [Value],
        _ step: Instruction,
        _ state: inout EvaluationState,
        _ load: Loader
    ) -> Value {
        guard macro == .optionalMap || macro == .optionalFlatMap else { return .error(.noSuchOverload) }
        guard let inner = wrapped.first else { return .optional([]) }
        state.locals[Int(step.index)] = inner
        let result = value(step.c, &state, load)
        switch (result, macro) {
        case (.error, _), (.optional, .optionalFlatMap): return result
        case (_, .optionalFlatMap): return .error(.noSuchOverload)
        default: return .optional([result])
        }
    }
}

/// The intermediate result of a macro.
private struct Loop {
    let macro: Comprehension
    let step: Instruction
    private var matches = 0
    private var failure: EvaluationError?
    private var isDecided = false
    private var elements: [Value] = []
    private var map = MapBuilder()

    init(macro: Comprehension, step: Instruction) {
        self.macro = macro
        self.step = step
    }

    /// Takes the answer of a predicate; false ends the loop.
    ///
    /// An error of `all` and `exists` waits: a later element may decide.
    mutating func take(_ truth: Truth, _ element: Value) -> Bool {
        switch (truth, macro) {
        case (.error(let error), .all), (.error(let error), .exists):
            if failure == nil { failure = error }
            return true
        case (.error(let error), _): return fail(error)
        case (.yes, .exists), (.no, .all):
            isDecided = true
            return false
        case (.yes, .existsOne): matches += 1
        case (.yes, .filter): elements.append(element)
        default: break
        }
        return true
    }

    /// Takes the value of a transformation; false ends the loop.
    mutating func take(_ value: Value, key: Value, _ state: inout EvaluationState) -> Bool {
        if case .error(let error) = value { return fail(error) }
        switch macro {
        case .transformMap: map.insert(key, value, &state)
        case .transformMapEntry:
            guard case .map(let entries) = value else { return fail(.noSuchOverload) }
            for entry in entries.entries { map.insert(entry.key, entry.value, &state) }
        default: elements.append(value)
        }
        return true
    }

    /// Ends the loop with an error.
    mutating func fail(_ error: EvaluationError) -> Bool {
        failure = error
        return false
    }

    var outcome: Value {
        if macro == .all || macro == .exists, isDecided { return .bool(macro == .exists) }
        if let failure { return .error(failure) }
        switch macro {
        case .all: return .bool(true)
        case .exists: return .bool(false)
        case .existsOne: return .bool(matches == 1)
        case .transformMap, .transformMapEntry: return map.value
        default: return .list(elements)
        }
    }
}

/// The macros that walk a list, a map or an optional.
enum Comprehension: UInt8 {
    case all, exists, existsOne, map, filter, transformList, transformMap, transformMapEntry
    case optionalMap, optionalFlatMap
}
