/// A parser of ECMAScript 5 without regular expressions.
package struct ScriptParser {
    private static let depthLimit = 100
    /// The most operators, members and calls in one statement or expression.
    private static let linkLimit = 500
    private static let ranks: [String: Int] = [
        "||": 1, "&&": 2, "===": 3, "!==": 3, "==": 3, "!=": 3, "<": 4, ">": 4, "<=": 4, ">=": 4, "in": 4,
        "instanceof": 4, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6,
    ]
    static let reserved: Set<String> = [
        "return", "continue", "break", "function", "var", "new", "delete", "if", "else", "for", "while", "do",
        "in", "instanceof", "switch", "case", "default", "throw", "try", "catch", "finally", "class", "const",
        "let", "this", "void", "with", "typeof", "debugger", "enum", "export", "extends", "import", "super",
    ]

    private let tokens: [ScriptLexer.Token]
    private let end: Int
    private var place = 0
    private var depth = 0
    private var links = 0

    init(_ text: String) throws(ScriptError) {
        tokens = try ScriptLexer.tokens(of: text)
        end = text.utf8.count
    }

    /// Parses a text that is one expression, with a semicolon at the end if need be.
    ///
    /// - Throws: The mistake and its place.
    package static func expression(_ text: String) throws(ScriptError) -> ScriptNode {
        var parser = try ScriptParser(text)
        let node = try parser.expression()
        _ = parser.accept(";")
        guard parser.isAtEnd else {
            throw ScriptError("nothing may follow the expression", at: parser.offset)
        }
        return node
    }

    /// Parses the statements of a script.
    ///
    /// - Throws: The mistake and its place.
    package static func script(_ text: String) throws(ScriptError) -> [ScriptStatement] {
        var parser = try ScriptParser(text)
        var statements: [ScriptStatement] = []
        while !parser.isAtEnd { statements.append(try parser.statement()) }
        return statements
    }

    /// True if a text is a name that a variable may have.
    package static func isName(_ text: String) -> Bool {
        guard let tokens = try? ScriptLexer.tokens(of: text), tokens.count == 1 else { return false }
        return tokens[0].kind == .name(text) && !reserved.contains(text)
    }

    var isAtEnd: Bool { place == tokens.count }

    /// The position of the next token.
    var offset: Int { place < tokens.count ? tokens[place].offset : end }

    /// True if a statement may end here without a semicolon.
    var mayEndStatement: Bool { isAtEnd || tokens[place].startsLine || next == .sign("}") }

    private var next: ScriptLexer.Token.Kind? { place < tokens.count ? tokens[place].kind : nil }

    func isNext(_ sign: String) -> Bool { next == .sign(sign) }

    func isNext(word: String) -> Bool { next == .name(word) }

    mutating func accept(_ sign: String) -> Bool {
        guard isNext(sign) else { return false }
        place += 1
        return true
    }

    mutating func accept(word: String) -> Bool {
        guard isNext(word: word) else { return false }
        place += 1
        return true
    }

    mutating func expect(_ sign: String) throws(ScriptError) {
        if !accept(sign) { throw ScriptError("'\(sign)' is missing", at: offset) }
    }

    /// Parses a name that a variable may have.
    mutating func name() throws(ScriptError) -> String {
        guard case .name(let name)? = next, !Self.reserved.contains(name) else {
            throw ScriptError("a name is missing", at: offset)
        }
        place += 1
        return name
    }

    mutating func descend() throws(ScriptError) {
        depth += 1
        guard depth < Self.depthLimit else { throw ScriptError("nested too deep", at: offset) }
    }

    mutating func ascend() { depth -= 1 }

    private mutating func link() throws(ScriptError) {
        links += 1
        guard links < Self.linkLimit else { throw ScriptError("this is too long", at: offset) }
    }

    mutating func beginStatement() { if depth == 1 { links = 0 } }

    mutating func expression() throws(ScriptError) -> ScriptNode {
        try descend()
        defer { ascend() }
        let start = offset
        let left = try binary(0)
        if accept("?") {
            let first = try expression()
            try expect(":")
            return ScriptNode(.conditional(left, first, try expression()), at: start)
        }
        for sign in ["=", "+=", "-=", "*=", "/=", "%="] where isNext(sign) {
            let place = offset
            try checkTarget(left)
            _ = accept(sign)
            let change = sign == "=" ? nil : String(sign.dropLast())
            return ScriptNode(.assignment(left, sign: change, try expression()), at: place)
        }
        return left
    }

    private func checkTarget(_ node: ScriptNode) throws(ScriptError) {
        switch node.kind {
        case .name, .member: return
        default: throw ScriptError("this can not be assigned to", at: node.offset)
        }
    }

    private var operation: String? {
        switch next {
        case .sign(let sign): sign
        case .name("in"): "in"
        case .name("instanceof"): "instanceof"
        default: nil
        }
    }

    private mutating func binary(_ least: Int) throws(ScriptError) -> ScriptNode {
        var left = try unary()
        while let sign = operation, let rank = Self.ranks[sign], rank > least {
            try link()
            let start = offset
            place += 1
            left = ScriptNode(.binary(sign, left, try binary(rank)), at: start)
        }
        return left
    }

    private mutating func unary() throws(ScriptError) -> ScriptNode {
        try descend()
        defer { ascend() }
        let start = offset
        for sign in ["++", "--"] where accept(sign) {
            let operand = try unary()
            try checkTarget(operand)
            return ScriptNode(.step(operand, by: sign == "++" ? 1 : -1, isPrefix: true), at: start)
        }
        for sign in ["!", "-", "+"] where accept(sign) {
            return ScriptNode(.unary(sign, try unary()), at: start)
        }
        for word in ["typeof", "void"] where accept(word: word) {
            return ScriptNode(.unary(word, try unary()), at: start)
        }
        let node = try postfix()
        guard !isAtEnd, !tokens[place].startsLine else { return node }
        for sign in ["++", "--"] where isNext(sign) {
            try checkTarget(node)
            _ = accept(sign)
            return ScriptNode(.step(node, by: sign == "++" ? 1 : -1, isPrefix: false), at: start)
        }
        return node
    }

    /// Parses a value and the members, indices and arguments after it.
    private mutating func postfix() throws(ScriptError) -> ScriptNode {
        let start = offset
        var node: ScriptNode
        if accept(word: "new") {
            node = try primary()
            while let inner = try member(of: node) {
                try link()
                node = inner
            }
            let arguments = accept("(") ? try list(to: ")") : []
            node = ScriptNode(.call(node, arguments, makes: true), at: start)
        } else {
            node = try primary()
        }
        while true {
            try link()
            if let inner = try member(of: node) {
                node = inner
            } else if accept("(") {
                node = ScriptNode(.call(node, try list(to: ")"), makes: false), at: start)
            } else {
                return node
            }
        }
    }

    private mutating func member(of node: ScriptNode) throws(ScriptError) -> ScriptNode? {
        if accept(".") {
            guard case .name(let name) = next else { throw ScriptError("a name is missing", at: offset) }
            let key = ScriptNode(.text(name), at: offset)
            place += 1
            return ScriptNode(.member(node, key), at: node.offset)
        }
        guard accept("[") else { return nil }
        let key = try expression()
        try expect("]")
        return ScriptNode(.member(node, key), at: node.offset)
    }

    private mutating func primary() throws(ScriptError) -> ScriptNode {
        let start = offset
        guard let token = next else { throw ScriptError("the expression ends too early", at: start) }
        place += 1
        switch token {
        case .number(let number): return ScriptNode(.number(number), at: start)
        case .text(let text): return ScriptNode(.text(text), at: start)
        case .name("true"): return ScriptNode(.bool(true), at: start)
        case .name("false"): return ScriptNode(.bool(false), at: start)
        case .name("null"): return ScriptNode(.null, at: start)
        case .name("undefined"): return ScriptNode(.undefined, at: start)
        case .name("function"): return ScriptNode(.function(try function(needsName: false)), at: start)
        case .name(let name):
            guard name == "this" || !Self.reserved.contains(name) else {
                throw ScriptError("'\(name)' can not stand here", at: start)
            }
            return ScriptNode(.name(name), at: start)
        case .sign("("):
            let node = try expression()
            try expect(")")
            return node
        case .sign("["): return ScriptNode(.list(try list(to: "]")), at: start)
        case .sign("{"): return ScriptNode(.object(try members()), at: start)
        case .sign(let sign): throw ScriptError("'\(sign)' can not stand here", at: start)
        }
    }

    private mutating func list(to end: String) throws(ScriptError) -> [ScriptNode] {
        var nodes: [ScriptNode] = []
        while !accept(end) {
            nodes.append(try expression())
            if !isNext(end) { try expect(",") }
        }
        return nodes
    }

    private mutating func members() throws(ScriptError) -> [ScriptMember] {
        var members: [ScriptMember] = []
        while !accept("}") {
            let name: String
            switch next {
            case .name(let found), .text(let found): name = found
            case .number(let number): name = Int64(exactly: number).map { String($0) } ?? String(number)
            default: throw ScriptError("the name of a member is missing", at: offset)
            }
            place += 1
            try expect(":")
            members.append(ScriptMember(name: name, value: try expression()))
            if !isNext("}") { try expect(",") }
        }
        return members
    }
}

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
