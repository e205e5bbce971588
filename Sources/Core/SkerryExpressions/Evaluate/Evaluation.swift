import SkerryValues

/// A truth value or an error: what logic works with.
enum Truth {
    case no
    case yes
    case error(EvaluationError)

    init(_ flag: Bool) { self = flag ? .yes : .no }

    init(_ value: Value) {
        switch value {
        case .bool(let flag): self = flag ? .yes : .no
        case .error(let error): self = .error(error)
        default: self = .error(.noSuchOverload)
        }
    }

    var value: Value {
        switch self {
        case .no: .bool(false)
        case .yes: .bool(true)
        case .error(let error): .error(error)
        }
    }
}

typealias Loader = (Reference) -> Value

extension Code {
    /// The value of the instruction at an index.
    func value(_ index: Int32, _ state: inout EvaluationState, _ load: Loader) -> Value {
        state.remaining &-= 1
        guard state.remaining >= 0 else { return exceeded(&state) }
        let step = instructions[Int(index)]
        switch step.operation {
        case .constant: return constants[Int(step.a)]
        case .load: return load(Reference(kind: step.kind, index: step.index))
        case .local: return state.locals[Int(step.a)]
        case .add, .subtract, .multiply, .divide, .remainder, .negate:
            return arithmetic(step, &state, load)
        case .and, .or, .not, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            // `truth` takes it again.
            state.remaining &+= 1
            return truth(index, &state, load).value
        case .conditional:
            switch truth(step.a, &state, load) {
            case .yes: return value(step.b, &state, load)
            case .no: return value(step.c, &state, load)
            case .error(let error): return .error(error)
            }
        case .fallback:
            let value = value(step.a, &state, load)
            if case .error = value { return self.value(step.b, &state, load) }
            return value
        case .call1, .call2, .call3, .callMany: return call(step, &state, load)
        default: return container(step, &state, load)
        }
    }

    /// The truth of the instruction at an index, without making a value of it on the way.
    func truth(_ index: Int32, _ state: inout EvaluationState, _ load: Loader) -> Truth {
        let step = instructions[Int(index)]
        switch step.operation {
        case .and, .or, .not, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: break
        default: return Truth(value(index, &state, load))
        }
        state.remaining &-= 1
        guard state.remaining >= 0 else { return Truth(exceeded(&state)) }
        switch step.operation {
        case .and: return combined(step, stopsAt: false, &state, load)
        case .or: return combined(step, stopsAt: true, &state, load)
        case .not:
            switch truth(step.a, &state, load) {
            case .yes: return .no
            case .no: return .yes
            case .error(let error): return .error(error)
            }
        default: return comparison(step, &state, load)
        }
    }

    /// A comparison; most compare something loaded with a constant, which needs no further call.
    @inline(__always)
    private func comparison(
        _ step: Instruction,
        _ state: inout EvaluationState,
        _ load: Loader
    ) -> Truth {
        let first = instructions[Int(step.a)]
        let left: Value
        // What this spends is looked at by the next step, and at the end by `Program.run`.
        if first.operation == .load {
            state.remaining &-= 1
            left = load(Reference(kind: first.kind, index: first.index))
        } else {
            left = value(step.a, &state, load)
        }
        let second = instructions[Int(step.b)]
        guard second.operation == .constant else {
            return compared(left, value(step.b, &state, load), by: step.operation, &state)
        }
        state.remaining &-= 1
        return compared(left, constants[Int(second.a)], by: step.operation, &state)
    }

    /// `&&` and `||`: the deciding value wins over errors, wherever it stands.
    private func combined(
        _ step: Instruction,
        stopsAt decisive: Bool,
        _ state: inout EvaluationState,
        _ load: Loader
    ) -> Truth {
        var failure: EvaluationError?
        for position in step.a..<step.a + step.b {
            switch truth(children[Int(position)], &state, load) {
            case .yes: if decisive { return .yes }
            case .no: if !decisive { return .no }
            // Not returned yet: CEL lets a later operand decide.
            case .error(let error): if failure == nil { failure = error }
            }
        }
        if let failure { return .error(failure) }
        return Truth(!decisive)
    }

    private func exceeded(_ state: inout EvaluationState) -> Value {
        // Not below: every further step subtracts one more, and must not wrap around.
        state.remaining = -1
        return .error(.costExceeded)
    }

    @inline(never)
    private func call(_ step: Instruction, _ state: inout EvaluationState, _ load: Loader) -> Value {
        guard let function = Function(rawValue: step.kind) else { return .error(.noSuchOverload) }
        if step.operation == .callMany {
            var arguments: [Value] = []
            for position in step.a..<step.a + step.b {
                let argument = value(children[Int(position)], &state, load)
                if case .error = argument { return argument }
                arguments.append(argument)
            }
            return function.apply(arguments, &state, self)
        }
        let first = value(step.a, &state, load)
        if case .error = first { return first }
        if step.operation == .call1 { return function.apply(first, &state, self) }
        // The alternative of an optional with a value is never evaluated, so that its errors and cost do not count.
        if function == .or || function == .orValue, case .optional(let wrapped) = first,
            let inner = wrapped.first
        {
            return function == .or ? first : inner
        }
        let second = value(step.b, &state, load)
        if case .error = second { return second }
        if step.operation == .call2 { return function.apply(first, second, &state, self) }
        let third = value(step.c, &state, load)
        if case .error = third { return third }
        return function.apply([first, second, third], &state, self)
    }
}
