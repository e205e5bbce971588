import SkerryValues

/// Builds the syntax tree of one expression by recursive descent.
struct Parser {
    private let tokens: [Token]
    private let limits: ExpressionLimits
    private var position = 0
    private var nesting = 0
    private(set) var tree = SyntaxTree()

    /// Reads tokens, the last of which is the end, as one expression.
    static func parse(
        _ tokens: [Token],
        of text: [UInt8],
        limits: ExpressionLimits
    ) throws(ExpressionProblem.Finding) -> SyntaxTree {
        var parser = Parser(tokens: tokens, limits: limits)
        parser.tree.text = text
        parser.tree.root = try parser.expression()
        guard case .end = parser.token.kind else { throw parser.unexpected() }
        return parser.tree
    }

    private init(tokens: [Token], limits: ExpressionLimits) {
        self.tokens = tokens
        self.limits = limits
    }

    // MARK: Tokens

    private var token: Token { tokens[position] }

    private var endOfLast: Int { position > 0 ? tokens[position - 1].range.end : 0 }

    private func isAt(_ symbol: Symbol) -> Bool {
        if case .symbol(symbol) = token.kind { return true }
        return false
    }

    private mutating func take(_ symbol: Symbol) -> Bool {
        guard isAt(symbol) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ symbol: Symbol) throws(ExpressionProblem.Finding) {
        guard take(symbol) else { throw unexpected(expected: "'" + symbol.text + "'") }
    }

    private func unexpected(expected: String? = nil) -> ExpressionProblem.Finding {
        let found =
            switch token.kind {
            case .end: "the end of the expression"
            case .identifier(let name): "'" + name + "'"
            case .quotedField: "a name in back quotes"
            case .integer: "a number"
            case .literal: "a number or a text"
            case .symbol(let symbol): "'" + symbol.text + "'"
            }
        let isQuoted = found.utf8.first == UInt8(ascii: "'")
        let alone = isQuoted ? "unexpected " + found : found + " can't stand here"
        let message = expected.map { "expected " + $0 + ", found " + found } ?? alone
        // `payload.items.0`: a point and digits are a number.
        let isElement =
            if case .literal = token.kind {
                tree.text[token.range.start] == UInt8(ascii: ".")
            } else {
                false
            }
        return ExpressionProblem.Finding(
            .syntax,
            message,
            at: token.range,
            hint: isElement ? "an element of a list is written in brackets, as in `payload.items[0]`" : nil
        )
    }

    // MARK: Nodes

    /// Adds a node whose children are in the tree already.
    mutating func add(
        _ kind: SyntaxNode.Kind,
        from start: Int,
        over children: [SyntaxNode.ID] = []
    ) throws(ExpressionProblem.Finding) -> SyntaxNode.ID {
        let range = SourceRange(start: start, end: max(start, endOfLast))
        var depth = 0
        for child in children { depth = max(depth, tree[child].depth) }
        guard depth < limits.depth else { throw tooDeep(range) }
        guard tree.nodes.count < limits.parts else {
            throw ExpressionProblem.Finding(
                .tooLarge,
                "the expression has more than " + String(limits.parts) + " parts",
                at: range
            )
        }
        tree.nodes.append(SyntaxNode(kind: kind, range: range, depth: depth + 1))
        return SyntaxNode.ID(tree.nodes.count - 1)
    }

    private func tooDeep(_ range: SourceRange) -> ExpressionProblem.Finding {
        ExpressionProblem.Finding(
            .tooLarge,
            "the expression is nested deeper than " + String(limits.depth),
            at: range
        )
    }

    // MARK: Grammar

    private mutating func expression() throws(ExpressionProblem.Finding) -> SyntaxNode.ID {
        guard nesting < limits.depth else { throw tooDeep(token.range) }
        nesting += 1
        defer { nesting -= 1 }
        let start = token.range.start
        let condition = try logical(isAnd: false)
        guard take(.question) else { return condition }
        let then = try logical(isAnd: false)
        try expect(.colon)
        let otherwise = try expression()
        return try add(
            .conditional(condition, then: then, otherwise: otherwise),
            from: start,
            over: [condition, then, otherwise]
        )
    }

    private mutating func logical(isAnd: Bool) throws(ExpressionProblem.Finding) -> SyntaxNode.ID {
        let start = token.range.start
        let first = isAnd ? try binary(atLeast: 1) : try logical(isAnd: true)
        guard isAt(isAnd ? .and : .or) else { return first }
        var operands = [first]
        while take(isAnd ? .and : .or) {
            operands.append(isAnd ? try binary(atLeast: 1) : try logical(isAnd: true))
        }
        return try add(.logical(isAnd: isAnd, operands), from: start, over: operands)
    }

    private mutating func binary(atLeast lowest: Int) throws(ExpressionProblem.Finding) -> SyntaxNode.ID {
        let start = token.range.start
        var left = try unary()
        while case .symbol(let symbol) = token.kind, let rank = precedence(symbol), rank >= lowest {
            position += 1
            let right = try binary(atLeast: rank + 1)
            left = try add(.binary(symbol, left, right), from: start, over: [left, right])
        }
        return left
    }

    private func precedence(_ symbol: Symbol) -> Int? {
        switch symbol {
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual, .in: 1
        case .plus, .minus: 2
        case .star, .slash, .percent: 3
        default: nil
        }
    }

    private mutating func unary() throws(ExpressionProblem.Finding) -> SyntaxNode.ID {
        let first = position
        while isAt(.not) || isAt(.minus) { position += 1 }
        var remaining = position - 1
        var operand = try negativeLiteral(after: remaining, notBefore: first)
        if operand == nil { operand = try member() } else { remaining -= 1 }
        guard var result = operand else { throw unexpected() }
        while remaining >= first {
            let isNot = if case .symbol(.not) = tokens[remaining].kind { true } else { false }
            result = try add(
                isNot ? .not(result) : .negate(result),
                from: tokens[remaining].range.start,
                over: [result]
            )
            remaining -= 1
        }
        return result
    }

    /// A number with the minus before it, so that the smallest integer can be written.
    private mutating func negativeLiteral(
        after sign: Int,
        notBefore first: Int
    ) throws(ExpressionProblem.Finding) -> SyntaxNode.ID? {
        guard sign >= first, case .symbol(.minus) = tokens[sign].kind else { return nil }
        let start = tokens[sign].range.start
        let value: Value
        switch token.kind {
        case .integer(let magnitude):
            guard magnitude <= UInt64(Int64.max) + 1 else { throw tooBig() }
            value = .int(Int64(truncatingIfNeeded: 0 &- magnitude))
        case .literal(.double(let magnitude)): value = .double(-magnitude)
        default: return nil
        }
        position += 1
        return try suffixes(of: add(.literal(value), from: start), from: start)
    }

    private func tooBig() -> ExpressionProblem.Finding {
        ExpressionProblem.Finding(
            .badLiteral,
            "the number does not fit a 64-bit integer",
            at: token.range,
            hint: "unsigned numbers end in 'u', doubles have a '.'"
        )
    }

    private mutating func member() throws(ExpressionProblem.Finding) -> SyntaxNode.ID {
        let start = token.range.start
        return try suffixes(of: primary(), from: start)
    }

    private mutating func suffixes(
        of primary: SyntaxNode.ID,
        from start: Int
    ) throws(ExpressionProblem.Finding) -> SyntaxNode.ID {
        var result = primary
        while true {
            if take(.dot) {
                result = try selection(of: result, from: start)
            } else if take(.leftBracket) {
                let isOptional = take(.question)
                let key = try expression()
                try expect(.rightBracket)
                result = try add(
                    .index(result, key: key, isOptional: isOptional),
                    from: start,
                    over: [result, key]
                )
            } else if isAt(.leftBrace), isTypeName(result) {
                throw ExpressionProblem.Finding(
                    .unsupported,
                    "expressions have no message types",
                    at: tree[result].range,
                    hint: "write a map: {\"key\": value}"
                )
            } else {
                return result
            }
        }
    }

    private func isTypeName(_ id: SyntaxNode.ID) -> Bool {
        switch tree[id].kind {
        case .identifier: true
        case .select(let operand, _, isOptional: false): isTypeName(operand)
        default: false
        }
    }

    private mutating func selection(
        of operand: SyntaxNode.ID,
        from start: Int
    ) throws(ExpressionProblem.Finding) -> SyntaxNode.ID {
        let isOptional = take(.question)
        let nameRange = token.range
        switch token.kind {
        case .identifier(let name):
            position += 1
            guard !isOptional, take(.leftParenthesis) else {
                return try add(
                    .select(operand, field: name, isOptional: isOptional),
                    from: start,
                    over: [operand]
                )
            }
            let arguments = try arguments()
            return try call(name, on: operand, arguments, nameRange: nameRange, from: start)
        case .quotedField(let name):
            position += 1
            return try add(
                .select(operand, field: name, isOptional: isOptional),
                from: start,
                over: [operand]
            )
        default:
            var finding = unexpected(expected: "a field or function after '.'")
            if isOptional, case .symbol(.leftBracket) = token.kind { finding.hint = "write a[?b]" }
            throw finding
        }
    }

    private mutating func arguments() throws(ExpressionProblem.Finding) -> [SyntaxNode.ID] {
        var arguments: [SyntaxNode.ID] = []
        if take(.rightParenthesis) { return arguments }
        repeat { arguments.append(try expression()) } while take(.comma)
        try expect(.rightParenthesis)
        return arguments
    }

    private mutating func primary() throws(ExpressionProblem.Finding) -> SyntaxNode.ID {
        let start = token.range.start
        switch token.kind {
        case .literal(let value):
            position += 1
            return try add(.literal(value), from: start)
        case .integer(let magnitude):
            guard let value = Int64(exactly: magnitude) else { throw tooBig() }
            position += 1
            return try add(.literal(.int(value)), from: start)
        case .identifier(let name): return try nameOrCall(name, isRooted: false, from: start)
        case .symbol(.dot):
            position += 1
            guard case .identifier(let name) = token.kind else { throw unexpected(expected: "a name") }
            return try nameOrCall(name, isRooted: true, from: start)
        case .symbol(.leftParenthesis):
            position += 1
            let inner = try expression()
            try expect(.rightParenthesis)
            return inner
        case .symbol(.leftBracket):
            position += 1
            return try list(from: start)
        case .symbol(.leftBrace):
            position += 1
            return try map(from: start)
        default: throw unexpected(expected: "an expression")
        }
    }

    private mutating func nameOrCall(
        _ name: String,
        isRooted: Bool,
        from start: Int
    ) throws(ExpressionProblem.Finding) -> SyntaxNode.ID {
        let nameRange = token.range
        guard !reservedWords.contains(where: { $0 == name }) else {
            throw ExpressionProblem.Finding(
                .syntax,
                "'" + name + "' is a reserved word",
                at: nameRange,
                hint: "give what it names another name"
            )
        }
        position += 1
        guard take(.leftParenthesis) else {
            return try add(.identifier(name, isRooted: isRooted), from: start)
        }
        let arguments = try arguments()
        return try call(name, on: nil, arguments, nameRange: nameRange, from: start)
    }

    private mutating func list(from start: Int) throws(ExpressionProblem.Finding) -> SyntaxNode.ID {
        var elements: [SyntaxNode.Element] = []
        while !isAt(.rightBracket) {
            let isOptional = take(.question)
            elements.append(SyntaxNode.Element(value: try expression(), isOptional: isOptional))
            guard take(.comma) else { break }
        }
        try expect(.rightBracket)
        return try add(.list(elements), from: start, over: elements.map { $0.value })
    }

    private mutating func map(from start: Int) throws(ExpressionProblem.Finding) -> SyntaxNode.ID {
        var entries: [SyntaxNode.Entry] = []
        while !isAt(.rightBrace) {
            let isOptional = take(.question)
            let key = try expression()
            try expect(.colon)
            entries.append(SyntaxNode.Entry(key: key, value: try expression(), isOptional: isOptional))
            guard take(.comma) else { break }
        }
        try expect(.rightBrace)
        return try add(.map(entries), from: start, over: entries.flatMap { [$0.key, $0.value] })
    }
}
