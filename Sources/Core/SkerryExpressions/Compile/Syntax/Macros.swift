extension Parser {
    /// A call, or what a macro makes of it.
    mutating func call(
        _ name: String,
        on target: SyntaxNode.ID?,
        _ arguments: [SyntaxNode.ID],
        nameRange: SourceRange,
        from start: Int
    ) throws(ExpressionProblem.Finding) -> SyntaxNode.ID {
        if let target {
            if name == "bind", arguments.count == 3, isName(target, "cel") {
                let variable = try variable(arguments[0], of: "cel.bind")
                return try add(
                    .bind(variable, value: arguments[1], result: arguments[2]),
                    from: start,
                    over: [arguments[1], arguments[2]]
                )
            }
            if let shape = ComprehensionShape(name: name, arguments: arguments.count) {
                return try comprehension(shape, name: name, over: target, arguments, from: start)
            }
            return try add(
                .call(name, target: target, arguments: arguments, nameRange: nameRange),
                from: start,
                over: [target] + arguments
            )
        }
        if name == "has", arguments.count == 1 { return try has(arguments[0], from: start) }
        return try add(
            .call(name, target: nil, arguments: arguments, nameRange: nameRange),
            from: start,
            over: arguments
        )
    }

    private mutating func has(
        _ operand: SyntaxNode.ID,
        from start: Int
    ) throws(ExpressionProblem.Finding) -> SyntaxNode.ID {
        switch tree[operand].kind {
        case .select, .identifier: return try add(.has(operand), from: start, over: [operand])
        default:
            throw ExpressionProblem.Finding(
                .wrongArgument,
                "has() asks for a field",
                at: tree[operand].range,
                hint: "write has(value.field)"
            )
        }
    }

    private mutating func comprehension(
        _ shape: ComprehensionShape,
        name: String,
        over target: SyntaxNode.ID,
        _ arguments: [SyntaxNode.ID],
        from start: Int
    ) throws(ExpressionProblem.Finding) -> SyntaxNode.ID {
        var variables: [String] = []
        for index in 0..<shape.variables {
            let variable = try variable(arguments[index], of: name)
            guard !variables.contains(where: { $0 == variable }) else {
                throw ExpressionProblem.Finding(
                    .wrongArgument,
                    "the two variables of " + name + "() have the same name",
                    at: tree[arguments[index]].range
                )
            }
            variables.append(variable)
        }
        let filter = shape.hasFilter ? arguments[shape.variables] : nil
        let body = arguments[arguments.count - 1]
        return try add(
            .comprehension(shape.kind, over: target, variables: variables, filter: filter, body: body),
            from: start,
            over: [target, body] + (filter.map { [$0] } ?? [])
        )
    }

    private func isName(_ id: SyntaxNode.ID, _ name: String) -> Bool {
        if case .identifier(name, isRooted: false) = tree[id].kind { return true }
        return false
    }

    private func variable(
        _ id: SyntaxNode.ID,
        of macro: String
    ) throws(ExpressionProblem.Finding) -> String {
        if case .identifier(let name, isRooted: false) = tree[id].kind { return name }
        throw ExpressionProblem.Finding(
            .wrongArgument,
            "the first argument of " + macro + "() must be a simple name",
            at: tree[id].range
        )
    }
}

/// Which macro a name with a number of arguments is, and what its arguments are.
struct ComprehensionShape {
    var kind: Comprehension
    var variables: Int
    var hasFilter: Bool

    /// Finds the macro; nil when the call is none.
    init?(name: String, arguments: Int) {
        switch (name, arguments) {
        case ("all", 2), ("all", 3): self.init(.all, arguments - 1)
        case ("exists", 2), ("exists", 3): self.init(.exists, arguments - 1)
        case ("exists_one", 2), ("exists_one", 3), ("existsOne", 2), ("existsOne", 3):
            self.init(.existsOne, arguments - 1)
        case ("filter", 2): self.init(.filter, 1)
        case ("map", 2), ("map", 3): self.init(.map, 1, arguments == 3)
        case ("transformList", 3), ("transformList", 4): self.init(.transformList, 2, arguments == 4)
        case ("transformMap", 3), ("transformMap", 4): self.init(.transformMap, 2, arguments == 4)
        case ("transformMapEntry", 3), ("transformMapEntry", 4):
            self.init(.transformMapEntry, 2, arguments == 4)
        case ("optMap", 2): self.init(.optionalMap, 1)
        case ("optFlatMap", 2): self.init(.optionalFlatMap, 1)
        default: return nil
        }
    }

    private init(_ kind: Comprehension, _ variables: Int, _ hasFilter: Bool = false) {
        self.kind = kind
        self.variables = variables
        self.hasFilter = hasFilter
    }
}
