public import SkerryValues

/// Facts about an expression that are known without evaluating it.
extension Program {
    /// The reference that the expression returns unchanged; nil if it computes something.
    public var reference: Reference? {
        loaded(by: code.instructions[Int(code.root)])
    }

    /// The values written in the expression, those in lists one by one.
    public var constants: [Value] {
        var result: [Value] = []
        for step in code.instructions where step.operation == .constant {
            if case .list(let elements) = code.constants[Int(step.a)] {
                result += elements
            } else {
                result.append(code.constants[Int(step.a)])
            }
        }
        return result
    }

    /// All values that the expression can have besides errors; nil if they are not known or more than 64.
    public var possibleValues: [Value]? {
        var result: [Value] = []
        return possibleValues(of: code.root, &result) && result.count <= 64 ? result : nil
    }

    /// The references that must have a value for the expression to have one, as far as they are known.
    public var requiredReferences: [Reference] {
        var result: [Reference] = []
        require(code.root, &result)
        return result
    }

    /// True if a macro goes through a list or a map.
    public var hasLoop: Bool {
        code.instructions.contains { $0.operation == .comprehension || $0.operation == .comprehension2 }
    }

    /// The references one of which the expression returns unchanged; nil if it may compute something.
    public var returnedReferences: [Reference]? {
        let leaves = parts(of: code.root, through: [.conditional, .fallback])
        let result = leaves.compactMap { loaded(by: $0) }
        return result.count == leaves.count ? result : nil
    }

    /// Returns whether a branch of the whole expression returns a reference unchanged, as `unset` in `ok ? left : unset`.
    public func returns(_ reference: Reference) -> Bool {
        parts(of: code.root, through: [.conditional]).contains { loaded(by: $0) == reference }
    }

    /// The texts that the expression may have as its value or as a part of it, and not those that functions are given.
    public var shownTexts: [String] {
        parts(of: code.root, through: [.conditional, .fallback, .add]).compactMap { step in
            guard step.operation == .constant, case .string(let text) = code.constants[Int(step.a)] else {
                return nil
            }
            return text
        }
    }

    /// The parts of which some operations make the whole: both branches of `? :`, both operands of others.
    private func parts(of index: Int32, through operations: [Operation]) -> [Instruction] {
        let step = code.instructions[Int(index)]
        guard operations.contains(step.operation) else { return [step] }
        let (first, second) = step.operation == .conditional ? (step.b, step.c) : (step.a, step.b)
        return parts(of: first, through: operations) + parts(of: second, through: operations)
    }

    private func loaded(by step: Instruction) -> Reference? {
        step.operation == .load ? Reference(kind: step.kind, index: step.index) : nil
    }

    /// True if the expression tests for presence, as `has` and `?` do.
    public var asksPresence: Bool {
        code.instructions.contains { step in
            switch step.operation {
            case .loadPresent, .loadOptional, .hasField, .selectOptional, .elementOptional, .fallback: true
            default: false
            }
        }
    }

    /// True if the expression consists only of truth values and comparisons with constants, so that evaluating it at
    /// the constants, between them and beyond them covers all cases.
    public var isComparison: Bool { isComparison(code.root) }

    /// The references that are compared with constants, for equality, order or membership in a list.
    public var comparisons: [(reference: Reference, constant: Value)] {
        var result: [(reference: Reference, constant: Value)] = []
        for step in code.instructions {
            switch step.operation {
            case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .contained: break
            default: continue
            }
            for (read, written) in [(step.a, step.b), (step.b, step.a)] {
                guard let reference = readReference(read),
                    code.instructions[Int(written)].operation == .constant
                else { continue }
                let constant = code.constants[Int(code.instructions[Int(written)].a)]
                if case .list(let elements) = constant {
                    for element in elements { result.append((reference, element)) }
                } else {
                    result.append((reference, constant))
                }
            }
        }
        return result
    }

    /// The fields that are read of what comes from outside as a whole, such as a signal.
    public var fields: [(reference: Reference, name: String)] {
        var result: [(reference: Reference, name: String)] = []
        for step in code.instructions where step.operation == .select {
            guard let reference = readReference(step.a), case .string(let name) = code.constants[Int(step.b)]
            else { continue }
            result.append((reference, name))
        }
        return result
    }

    /// The reference that an operand reads unchanged, or unless it is absent.
    func readReference(_ index: Int32) -> Reference? {
        let step = code.instructions[Int(index)]
        switch step.operation {
        case .load: return Reference(kind: step.kind, index: step.index)
        case .fallback: return readReference(step.a)
        default: return nil
        }
    }

    private func possibleValues(of index: Int32, _ result: inout [Value]) -> Bool {
        let step = code.instructions[Int(index)]
        switch step.operation {
        case .constant:
            result.append(code.constants[Int(step.a)])
            return true
        case .conditional:
            return possibleValues(of: step.b, &result) && possibleValues(of: step.c, &result)
        case .and, .or, .not, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .contained,
            .hasField, .loadPresent, .matches:
            result += [.bool(true), .bool(false)]
            return true
        default: return false
        }
    }

    private func require(_ index: Int32, _ result: inout [Reference]) {
        let step = code.instructions[Int(index)]
        switch step.operation {
        case .load:
            let reference = Reference(kind: step.kind, index: step.index)
            if !result.contains(reference) { result.append(reference) }
        case .not, .negate, .conditional, .select, .hasField, .matches, .call1, .comprehension,
            .comprehension2:
            require(step.a, &result)
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .add, .subtract, .multiply,
            .divide, .remainder, .contained, .element:
            require(step.a, &result)
            require(step.b, &result)
        case .call2:
            require(step.a, &result)
            let function = Function(rawValue: step.kind)
            if function != .or, function != .orValue { require(step.b, &result) }
        case .call3:
            for part in [step.a, step.b, step.c] { require(part, &result) }
        case .bind: require(step.c, &result)
        case .constant, .loadOptional, .loadPresent, .fallback, .local, .and, .or, .selectOptional,
            .elementOptional, .list, .map, .callMany:
            break
        }
    }

    private func isComparison(_ index: Int32) -> Bool {
        let step = code.instructions[Int(index)]
        switch step.operation {
        case .constant, .load: return true
        case .not: return isComparison(step.a)
        case .conditional: return isComparison(step.a) && isComparison(step.b) && isComparison(step.c)
        case .and, .or:
            return (step.a..<step.a + step.b).allSatisfy { isComparison(code.children[Int($0)]) }
        case .equal, .notEqual, .contained: return isCompared(step, inOrder: false)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return isCompared(step, inOrder: true)
        default: return false
        }
    }

    /// Returns whether one side is read and the other one a constant that has an order, if one is asked for.
    private func isCompared(_ step: Instruction, inOrder: Bool) -> Bool {
        let (left, right) = (code.instructions[Int(step.a)], code.instructions[Int(step.b)])
        let (read, written) = left.operation == .load ? (left, right) : (right, left)
        guard read.operation == .load, written.operation == .constant else { return false }
        switch code.constants[Int(written.a)] {
        case .int, .uint, .double, .duration, .timestamp: return true
        case .bool, .string, .null: return !inOrder
        case .list: return step.operation == .contained
        default: return false
        }
    }
}

extension Program {
    /// The texts that the expression compares a reference with for equality or membership in a list.
    ///
    /// - Returns: The texts, and whether the expression does nothing else with the reference: it does more if it hands the value
    ///   on, or if another text makes a difference, too, as in `!=`, under `!`, and before `?`.
    public func words(comparedWith reference: Reference) -> (words: [String], isAll: Bool) {
        let steps = code.instructions
        var others: Set<Int32> = []
        for step in steps {
            switch step.operation {
            case .not, .conditional: addParts(of: step.a, to: &others)
            default: break
            }
        }
        var words: [String] = []
        var loads = steps.count { step in
            switch step.operation {
            case .load, .loadOptional: Reference(kind: step.kind, index: step.index) == reference
            default: false
            }
        }
        var isAll = true
        for (place, step) in steps.enumerated() {
            switch step.operation {
            case .equal, .notEqual, .contained: break
            default: continue
            }
            let found =
                texts(step.a, step.b, reference)
                ?? (step.operation == .contained ? nil : texts(step.b, step.a, reference))
            guard let found else { continue }
            loads -= 1
            words += found
            if step.operation == .notEqual || others.contains(Int32(place)) { isAll = false }
        }
        return (words, isAll && loads == 0)
    }

    /// Adds an instruction and the operands of `&&`, `||` and `!` in it.
    private func addParts(of index: Int32, to parts: inout Set<Int32>) {
        guard code.instructions.indices.contains(Int(index)), parts.insert(index).inserted else { return }
        let step = code.instructions[Int(index)]
        switch step.operation {
        case .not: addParts(of: step.a, to: &parts)
        case .and, .or:
            for child in code.children.dropFirst(max(0, Int(step.a))).prefix(max(0, Int(step.b))) {
                addParts(of: child, to: &parts)
            }
        default: break
        }
    }

    /// The constant texts of an operand, if the other one reads a reference.
    private func texts(_ read: Int32, _ written: Int32, _ reference: Reference) -> [String]? {
        guard readReference(read) == reference,
            code.instructions[Int(written)].operation == .constant
        else { return nil }
        var values = [code.constants[Int(code.instructions[Int(written)].a)]]
        if case .list(let elements) = values[0] { values = elements }
        var texts: [String] = []
        for value in values {
            guard case .string(let text) = value else { return nil }
            texts.append(text)
        }
        return texts
    }
}
