import SkerryValues

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
