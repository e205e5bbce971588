extension ScriptParser {
    mutating func statement() throws(ScriptError) -> ScriptStatement {
        try descend()
        defer { ascend() }
        beginStatement()
        if accept(";") { return .block([]) }
        if isNext("{") { return .block(try block()) }
        if accept(word: "function") { return .function(try function(needsName: true)) }
        if accept(word: "if") { return try branch() }
        if accept(word: "for") { return try loop() }
        if accept(word: "while") {
            try expect("(")
            let condition = try expression()
            try expect(")")
            return .loop(while: condition, after: nil, try statement())
        }
        if accept(word: "try") { return try attempt() }
        let result: ScriptStatement
        if isNext(word: "var") {
            result = try variables()
        } else if accept(word: "return") {
            result = .give(mayEndStatement || isNext(";") ? nil : try expression())
        } else if accept(word: "break") {
            result = .leave
        } else if accept(word: "continue") {
            result = .resume
        } else if accept(word: "throw") {
            result = .fail(try expression())
        } else {
            result = .expression(try expression())
        }
        guard accept(";") || mayEndStatement else { throw ScriptError("';' is missing", at: offset) }
        return result
    }

    /// Parses the part after the word `function`.
    mutating func function(needsName: Bool) throws(ScriptError) -> ScriptFunction {
        let name = needsName || !isNext("(") ? try self.name() : ""
        try expect("(")
        var parameters: [String] = []
        while !accept(")") {
            parameters.append(try self.name())
            if !isNext(")") { try expect(",") }
        }
        return ScriptFunction(name: name, parameters: parameters, body: try block())
    }

    private mutating func block() throws(ScriptError) -> [ScriptStatement] {
        try expect("{")
        var statements: [ScriptStatement] = []
        while !accept("}") {
            if isAtEnd { throw ScriptError("'}' is missing", at: offset) }
            statements.append(try statement())
        }
        return statements
    }

    private mutating func variables() throws(ScriptError) -> ScriptStatement {
        _ = accept(word: "var")
        var all: [ScriptStatement] = []
        repeat {
            let name = try self.name()
            all.append(.variable(name, accept("=") ? try expression() : nil))
        } while accept(",")
        return all.count == 1 ? all[0] : .block(all)
    }

    private mutating func branch() throws(ScriptError) -> ScriptStatement {
        try expect("(")
        let condition = try expression()
        try expect(")")
        let first = try statement()
        return .branch(condition, first, accept(word: "else") ? try statement() : nil)
    }

    private mutating func loop() throws(ScriptError) -> ScriptStatement {
        try expect("(")
        var start: ScriptStatement?
        if isNext(word: "var") {
            start = try variables()
            if case .variable(let name, nil)? = start, accept(word: "in") {
                let value = try expression()
                try expect(")")
                return .members(name, of: value, try statement())
            }
        } else if !isNext(";") {
            start = .expression(try expression())
        }
        try expect(";")
        let condition = isNext(";") ? nil : try expression()
        try expect(";")
        let after = isNext(")") ? nil : try expression()
        try expect(")")
        let loop = ScriptStatement.loop(while: condition, after: after, try statement())
        return start.map { .block([$0, loop]) } ?? loop
    }

    private mutating func attempt() throws(ScriptError) -> ScriptStatement {
        let body = ScriptStatement.block(try block())
        var result = body
        if accept(word: "catch") {
            try expect("(")
            let name = try self.name()
            try expect(")")
            result = .attempt(body, caught: name, .block(try block()))
        }
        if accept(word: "finally") { result = .block([result, .block(try block())]) }
        return result
    }
}
