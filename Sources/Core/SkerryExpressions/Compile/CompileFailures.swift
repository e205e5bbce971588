import SkerryValues

extension Compiler {
    /// Notes that a part has an error whatever is read, because everything below it is written out.
    mutating func noteFailure(of part: Part, over nodes: [Int32], at id: SyntaxNode.ID) {
        guard scope.refusesFailures else { return }
        for node in nodes {
            let step = code.instructions[Int(node)]
            guard step.operation == .constant else { return }
            // What stands for another mistake fails, too.
            if case .error = code.constants[Int(step.a)] { return }
        }
        var state = EvaluationState(costLimit: 1000)
        let value = code.value(part.node, &state) { _ in .error(.unset) }
        guard state.remaining >= 0, case .error(let error) = value, error != .noSuchOverload else { return }
        // What is wrapped in dyn() is hidden on purpose.
        guard !hidesType(id) else { return }
        noteFailure(error, at: id)
    }

    private func hidesType(_ id: SyntaxNode.ID) -> Bool {
        switch tree[id].kind {
        case .call(let name, _, let arguments, _):
            return haveSameBytes(name, "dyn") || arguments.contains { hidesType($0) }
        case .binary(_, let left, let right): return hidesType(left) || hidesType(right)
        case .negate(let operand), .not(let operand): return hidesType(operand)
        case .index(let operand, let key, _): return hidesType(operand) || hidesType(key)
        case .select(let operand, _, _): return hidesType(operand)
        default: return false
        }
    }

    private mutating func noteFailure(_ error: EvaluationError, at id: SyntaxNode.ID) {
        switch tree[id].kind {
        case .binary(_, _, let divisor) where error == .divisionByZero: noteDivision(by: divisor)
        case .call(let name, let target, let arguments, _):
            if target == nil, arguments.count == 1,
                case .literal(.string(let text)) = tree[arguments[0]].kind,
                let advice = LiteralAdvice(text, for: name)
            {
                note(.badLiteral, advice.message, at: tree[arguments[0]].range, hint: advice.hint)
            } else {
                note(.badLiteral, "this always fails: " + error.words, at: tree[id].range)
            }
        case .index(let operand, let key, _):
            if case .list(let elements) = tree[operand].kind {
                noteIndex(tree.written(key), of: elements.count, at: tree[key].range)
            } else {
                note(.badLiteral, "this always fails: " + error.words, at: tree[id].range)
            }
        default: note(.badLiteral, "this always fails: " + error.words, at: tree[id].range)
        }
    }

    /// Notes a division by a zero that is written out, whatever is divided.
    mutating func noteZero(_ symbol: Symbol, _ left: SyntaxNode.ID, _ right: SyntaxNode.ID) {
        guard scope.refusesFailures, symbol == .slash || symbol == .percent, !hidesType(left) else { return }
        // Without anything to read on the left, the failure itself is noted.
        if case .literal = tree[left].kind { return }
        switch tree[right].kind {
        case .literal(.int(0)), .literal(.uint(0)): noteDivision(by: right)
        default: break
        }
    }

    private mutating func noteDivision(by divisor: SyntaxNode.ID) {
        note(.badLiteral, "this divides by zero", at: tree[divisor].range)
    }

    /// Notes an index that a list which is written out does not have.
    mutating func noteIndex(_ key: SyntaxNode.ID, of list: SyntaxNode.ID) {
        guard scope.refusesFailures, case .list(let elements) = tree[list].kind,
            case .literal(.int(let index)) = tree[key].kind,
            !elements.contains(where: { $0.isOptional }), index < 0 || index >= elements.count
        else { return }
        noteIndex(String(index), of: elements.count, at: tree[key].range)
    }

    private mutating func noteIndex(_ index: String, of count: Int, at range: SourceRange) {
        let elements = count == 1 ? "one element" : String(count) + " elements"
        note(
            .badLiteral,
            "there is no element " + index + " in a list of " + elements,
            at: range,
            hint: count > 0 ? "the first one is 0, the last one " + String(count - 1) : nil
        )
    }

    /// Reports an unknown time zone, if time zones are known at all.
    mutating func noteZone(_ function: Function, _ arguments: [SyntaxNode.ID]) {
        guard scope.refusesFailures, arguments.count == 2,
            case .literal(.string(let zone)) = tree[arguments[1]].kind,
            scope.timeZone("Europe/London") != nil
        else { return }
        switch function {
        case .getFullYear, .getMonth, .getDayOfYear, .getDayOfMonth, .getDate, .getDayOfWeek, .getHours,
            .getMinutes, .getSeconds, .getMilliseconds, .getClock:
            var state = EvaluationState(costLimit: 1000)
            let moment = Value.timestamp(CalendarTimestamp(seconds: 0, nanoseconds: 0))
            guard case .error = function.apply(moment, .string(zone), &state, code) else { return }
            noteUnknownZone(zone, at: arguments[1])
        case .toTimestamp where fixedOffset(zone) == nil && scope.timeZone(zone) == nil:
            noteUnknownZone(zone, at: arguments[1])
        default: break
        }
    }

    private mutating func noteUnknownZone(_ zone: String, at id: SyntaxNode.ID) {
        note(
            .badLiteral,
            "there is no time zone '" + zone + "'",
            at: tree[id].range,
            hint: "write one such as \"Europe/Berlin\", \"UTC\" or \"+01:00\""
        )
    }
}

extension EvaluationError {
    fileprivate var words: String {
        switch self {
        case .noSuchKey: "there is no such key"
        case .indexOutOfBounds: "there is no such element"
        case .divisionByZero: "a division by zero"
        case .overflow: "the result is too large"
        case .noSuchOverload: "the types do not fit"
        default: "an argument is not allowed"
        }
    }
}
