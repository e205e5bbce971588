import SkerryValues

/// Proves that code from outside can be evaluated without a trap: every index leads somewhere, every variable has its
/// slot before it is read, and no instruction is a part of itself.
struct CodeCheck {
    /// The most variables of macros and bindings that are alive at once.
    private static let localLimit = 256
    /// The levels of operands within operands; the compiler's limit on texts, with room for what it adds to them.
    private static let depthLimit = 300

    private let code: Code
    private let references: [Reference]
    /// The slots that have a value where the walk is.
    private var bound: [Bool]
    /// The instructions that may still be visited: the compiler makes a tree, so each is visited once at most.
    private var left: Int

    /// Checks code.
    ///
    /// - Throws: ``ImageFault/malformed`` if evaluating it could trap.
    static func check(_ code: Code, reading references: [Reference]) throws(ImageFault) {
        guard code.locals <= localLimit else { throw .malformed }
        var check = CodeCheck(code: code, references: references)
        for (place, step) in code.instructions.enumerated() { try check.checkConstants(of: step, at: place) }
        try check.visit(code.root, depth: 0)
    }

    private init(code: Code, references: [Reference]) {
        self.code = code
        self.references = references
        bound = [Bool](repeating: false, count: code.locals)
        left = code.instructions.count
    }

    /// Checks what instructions name that are never evaluated, too: those who look at a program read all of them.
    private func checkConstants(of step: Instruction, at place: Int) throws(ImageFault) {
        switch step.operation {
        case .constant: try demand(code.constants.indices.contains(Int(step.a)))
        case .select, .selectOptional, .hasField:
            try demand(code.constants.indices.contains(Int(step.b)))
            try demand(code.instructions.indices.contains(Int(step.a)))
        // Behind its operands, as the compiler has it, or whoever follows them would go round for ever.
        case .fallback: try demand((0..<place).contains(Int(step.a)) && (0..<place).contains(Int(step.b)))
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .contained:
            try demand(code.instructions.indices.contains(Int(step.a)))
            try demand(code.instructions.indices.contains(Int(step.b)))
        default: break
        }
    }

    private mutating func visit(_ index: Int32, depth: Int) throws(ImageFault) {
        left -= 1
        try demand(left >= 0 && depth < Self.depthLimit && code.instructions.indices.contains(Int(index)))
        let step = code.instructions[Int(index)]
        switch step.operation {
        case .constant: break
        case .load, .loadOptional, .loadPresent:
            try demand(references.contains(Reference(kind: step.kind, index: step.index)))
        case .local: try demand(bound.indices.contains(Int(step.a)) && bound[Int(step.a)])
        case .not, .negate, .select, .selectOptional, .hasField, .call1:
            try visit(step.a, depth: depth + 1)
        case .matches:
            try demand(code.patterns.indices.contains(Int(step.b)))
            try visit(step.a, depth: depth + 1)
        case .fallback, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .add, .subtract,
            .multiply, .divide, .remainder, .contained, .element, .elementOptional, .call2:
            try visit(step.a, depth: depth + 1)
            try visit(step.b, depth: depth + 1)
        case .conditional, .call3:
            for operand in [step.a, step.b, step.c] { try visit(operand, depth: depth + 1) }
        case .and, .or, .callMany:
            try visitChildren(of: step, count: Int(step.b), depth, optional: { _ in false })
        case .list: try visitChildren(of: step, count: Int(step.b), depth, optional: { _ in true })
        case .map:
            try visitChildren(of: step, count: Int(step.b) * 2, depth, optional: { $0 % 2 == 1 })
        case .bind:
            try visit(step.b, depth: depth + 1)
            try visit(step.c, binding: [Int(step.a)], depth: depth + 1)
        case .comprehension, .comprehension2:
            try visit(step.a, depth: depth + 1)
            let slot = Int(step.index)
            let slots = step.operation == .comprehension ? [slot] : [slot, slot + 1]
            if step.b >= 0 { try visit(step.b, binding: slots, depth: depth + 1) }
            try visit(step.c, binding: slots, depth: depth + 1)
        }
    }

    /// Visits operands from `children[a]` on; one at a position that may be optional can be complemented.
    private mutating func visitChildren(
        of step: Instruction,
        count: Int,
        _ depth: Int,
        optional: (Int) -> Bool
    ) throws(ImageFault) {
        let start = Int(step.a)
        try demand(start >= 0 && count >= 0 && start <= code.children.count - count)
        for position in 0..<count {
            let child = code.children[start + position]
            try visit(child < 0 && optional(position) ? ~child : child, depth: depth + 1)
        }
    }

    private mutating func visit(_ index: Int32, binding slots: [Int], depth: Int) throws(ImageFault) {
        let before = bound
        for slot in slots {
            try demand(bound.indices.contains(slot))
            bound[slot] = true
        }
        try visit(index, depth: depth)
        bound = before
    }

    private func demand(_ condition: Bool) throws(ImageFault) {
        guard condition else { throw .malformed }
    }
}
