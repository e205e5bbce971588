import SkerryValues

/// Checks a syntax tree and turns it into code, in one walk.
struct Compiler {
    /// The compiled form of a part of the tree.
    struct Part {
        var node: Int32
        var type: ExpressionType
    }

    struct Local {
        var name: String
        var slot: Int32
        var type: ExpressionType
    }

    /// The most mistakes that are looked for in one text; the rest of it is then left unread.
    static let findingLimit = 50

    let tree: SyntaxTree
    let scope: Scope
    var paths: PathTable
    var code: Code
    var references: [Reference] = []
    var locals: [Local] = []
    var findings: [ExpressionProblem.Finding] = []
    private var isFullyTyped = true

    private init(tree: SyntaxTree, scope: Scope, paths: PathTable) {
        self.tree = tree
        self.scope = scope
        self.paths = paths
        code = Code(timeZone: scope.timeZone)
    }

    static func compile(
        _ tree: SyntaxTree,
        in scope: Scope,
        paths: inout PathTable
    ) throws(ExpressionProblem) -> Program {
        var compiler = Compiler(tree: tree, scope: scope, paths: paths)
        let root = compiler.visit(tree.root)
        guard compiler.findings.isEmpty else {
            throw ExpressionProblem(compiler.findings.sorted { $0.offset < $1.offset })
        }
        assert(compiler.locals.isEmpty, "a variable outlives its macro")
        compiler.code.root = root.node
        compiler.silenceOwn(root.node)
        paths = compiler.paths
        return Program(
            type: root.type,
            references: compiler.references,
            isFullyTyped: compiler.isFullyTyped,
            code: compiler.code
        )
    }

    /// Compiles one part of the tree.
    mutating func visit(_ id: SyntaxNode.ID) -> Part {
        guard findings.count < Compiler.findingLimit else { return constant(.error(.undeclaredReference)) }
        let node = tree[id]
        switch node.kind {
        case .literal(let value): return constant(value)
        case .identifier(let name, let isRooted): return identifier(name, isRooted: isRooted, id)
        case .select(let operand, let field, let isOptional):
            return select(id, operand, field, isOptional: isOptional)
        case .index(let operand, let key, let isOptional):
            return index(id, operand, key, isOptional: isOptional)
        case .call(let name, let target, let arguments, let nameRange):
            return call(id, name, target, arguments, nameRange)
        case .list(let elements): return list(id, elements)
        case .map(let entries): return map(id, entries)
        case .conditional(let condition, let then, let otherwise):
            return conditional(condition, then, otherwise)
        case .logical(let isAnd, let operands): return logical(isAnd: isAnd, operands)
        case .not(let operand):
            let part = expect(.bool, visit(operand), at: operand, of: "'!'")
            return emit(.not, a: part.node, type: .bool)
        case .negate(let operand): return negate(id, operand)
        case .binary(let symbol, let left, let right): return binary(id, symbol, left, right)
        case .has(let operand): return has(operand)
        case .bind(let name, let value, let result): return bind(name, value, result)
        case .comprehension(let macro, let target, let variables, let filter, let body):
            return comprehension(macro, over: target, variables, filter, body)
        }
    }

    // MARK: Emitting

    mutating func emit(
        _ operation: Operation,
        kind: UInt8 = 0,
        index: UInt16 = 0,
        a: Int32 = 0,
        b: Int32 = 0,
        c: Int32 = 0,
        type: ExpressionType
    ) -> Part {
        if !type.isKnown { isFullyTyped = false }
        code.instructions.append(
            Instruction(operation: operation, kind: kind, index: index, a: a, b: b, c: c)
        )
        return Part(node: Int32(code.instructions.count - 1), type: type)
    }

    mutating func constant(_ value: Value, type: ExpressionType? = nil) -> Part {
        code.constants.append(value)
        return emit(.constant, a: Int32(code.constants.count - 1), type: type ?? value.literalType)
    }

    /// Puts nodes next to each other and returns where they start.
    mutating func children(_ nodes: [Int32]) -> Int32 {
        // An optional element is complemented, and so below zero.
        assert(
            nodes.allSatisfy { code.instructions.indices.contains(Int($0 < 0 ? ~$0 : $0)) },
            "an operand comes after its operation"
        )
        code.children += nodes
        return Int32(code.children.count - nodes.count)
    }

    mutating func load(
        _ reference: Reference,
        _ operation: Operation = .load,
        type: ExpressionType
    ) -> Part {
        if !references.contains(reference) { references.append(reference) }
        return emit(operation, kind: reference.kind, index: reference.index, type: type)
    }

    /// Evaluates at once what has only constants below it; an error is left for the evaluation, unless it is a mistake.
    mutating func folded(_ part: Part, over nodes: [Int32], at id: SyntaxNode.ID) -> Part {
        for node in nodes where code.instructions[Int(node)].operation != .constant { return part }
        // Bounded, so that a definition can't make its loading endless; what costs more is left for the evaluation.
        var state = EvaluationState(costLimit: 1000)
        let value = code.value(part.node, &state) { _ in .error(.undeclaredReference) }
        if state.remaining < 0 { return part }
        if case .error = value {
            noteFailure(of: part, over: nodes, at: id)
            return part
        }
        return constant(value, type: part.type)
    }

    // MARK: Findings

    /// Notes a mistake, unless mistakes of types and names are left to the evaluation.
    ///
    /// Returns a part that stands for the mistake when evaluated.
    mutating func fail(
        _ code: ExpressionProblem.Code,
        _ message: String,
        at range: SourceRange,
        hint: String? = nil,
        _ error: EvaluationError = .noSuchOverload
    ) -> Part {
        note(code, message, at: range, hint: hint)
        return constant(.error(error))
    }

    mutating func note(
        _ code: ExpressionProblem.Code,
        _ message: String,
        at range: SourceRange,
        hint: String? = nil
    ) {
        guard !scope.defersChecks else { return }
        if scope.toleratesUnknownNames, code == .unknownName || code == .unknownChoice { return }
        findings.append(ExpressionProblem.Finding(code, message, at: range, hint: hint))
    }

    /// Checks that a part has a type that fits.
    mutating func expect(
        _ type: ExpressionType,
        _ part: Part,
        at id: SyntaxNode.ID,
        of user: String
    ) -> Part {
        if !part.type.fits(type) {
            note(
                .wrongType,
                user + " takes " + type.withArticle + ", this is " + part.type.withArticle,
                at: tree[id].range
            )
        }
        return part
    }
}
