import SkerryValues

extension Code {
    /// `+ - * / %` and the unary minus.
    @inline(never)
    func arithmetic(_ step: Instruction, _ state: inout EvaluationState, _ load: Loader) -> Value {
        let left = value(step.a, &state, load)
        if case .error = left { return left }
        if step.operation == .negate { return negated(left) }
        let right = value(step.b, &state, load)
        if case .error = right { return right }
        return combined(left, right, by: step.operation, &state)
    }

    /// The result of an operator, of two values that are no errors.
    @inline(__always)
    func combined(
        _ left: Value,
        _ right: Value,
        by operation: Operation,
        _ state: inout EvaluationState
    ) -> Value {
        switch (left, right) {
        case (.int(let left), .int(let right)): return combine(left, right, operation)
        case (.double(let left), .double(let right)): return combine(left, right, operation)
        case (.uint(let left), .uint(let right)): return combine(left, right, operation)
        // CEL refuses mixed numbers; JSON does not distinguish 20 from 20.0. See docs/decisions/0007-mixed-numbers.md.
        case (.int(let left), .double(let right)): return combine(Double(left), right, operation)
        case (.double(let left), .int(let right)): return combine(left, Double(right), operation)
        default: break
        }
        switch operation {
        case .add: return joined(left, right, &state)
        case .subtract: return timeDifference(left, right)
        default: return .error(.noSuchOverload)
        }
    }

    private func negated(_ value: Value) -> Value {
        switch value {
        case .int(let number): number == .min ? .error(.overflow) : .int(-number)
        case .double(let number): .double(-number)
        default: .error(.noSuchOverload)
        }
    }

    private func combine(_ left: Int64, _ right: Int64, _ operation: Operation) -> Value {
        if right == 0, operation == .divide || operation == .remainder { return .error(.divisionByZero) }
        let (result, overflow) = combined(left, right, operation)
        return overflow ? .error(.overflow) : .int(result)
    }

    private func combine(_ left: UInt64, _ right: UInt64, _ operation: Operation) -> Value {
        if right == 0, operation == .divide || operation == .remainder { return .error(.divisionByZero) }
        let (result, overflow) = combined(left, right, operation)
        return overflow ? .error(.overflow) : .uint(result)
    }

    private func combined<Number: FixedWidthInteger>(
        _ left: Number,
        _ right: Number,
        _ operation: Operation
    ) -> (Number, Bool) {
        switch operation {
        case .add: left.addingReportingOverflow(right)
        case .subtract: left.subtractingReportingOverflow(right)
        case .multiply: left.multipliedReportingOverflow(by: right)
        case .divide: left.dividedReportingOverflow(by: right)
        default: left.remainderReportingOverflow(dividingBy: right)
        }
    }

    private func combine(_ left: Double, _ right: Double, _ operation: Operation) -> Value {
        switch operation {
        case .add: .double(left + right)
        case .subtract: .double(left - right)
        case .multiply: .double(left * right)
        case .divide: .double(left / right)
        default: .error(.noSuchOverload)
        }
    }

    private func joined(_ left: Value, _ right: Value, _ state: inout EvaluationState) -> Value {
        switch (left, right) {
        case (.string(let left), .string(let right)):
            guard state.spend((left.utf8.count + right.utf8.count) / 16) else { return .error(.costExceeded) }
            return .string(left + right)
        case (.bytes(let left), .bytes(let right)):
            guard state.spend((left.count + right.count) / 16) else { return .error(.costExceeded) }
            return .bytes(left + right)
        case (.list(let left), .list(let right)):
            guard state.spend(left.count + right.count) else { return .error(.costExceeded) }
            return .list(left + right)
        case (.timestamp(let moment), .duration(let length)), (.duration(let length), .timestamp(let moment)):
            return moment.advanced(by: length)
        case (.duration(let left), .duration(let right)): return left.adding(right)
        default: return .error(.noSuchOverload)
        }
    }

    private func timeDifference(_ left: Value, _ right: Value) -> Value {
        switch (left, right) {
        case (.timestamp(let end), .timestamp(let start)): end.since(start)
        case (.timestamp(let moment), .duration(let length)): moment.advanced(by: length.negated)
        case (.duration(let left), .duration(let right)): left.adding(right.negated)
        default: .error(.noSuchOverload)
        }
    }
}
