/// Files and functions that fit into one look.
enum SizeRules {
    static let linesOfFile = 600
    static let linesOfFunction = 60
    static let linesOfArchitecture = 200

    static func longFiles(in repository: Repository) -> [Finding] {
        (repository.sources + repository.tests).filter { $0.lineCount > linesOfFile }.map {
            Finding(
                path: $0.path,
                line: linesOfFile + 1,
                text: "\($0.lineCount) lines, at most \(linesOfFile)"
            )
        }
    }

    static func longFunctions(in repository: Repository) -> [Finding] {
        (repository.sources + repository.tests).flatMap { file in
            file.tokens.indices.compactMap { index -> Finding? in
                guard let lines = file.lengthOfFunction(at: index), lines > linesOfFunction else {
                    return nil
                }
                let token = file.tokens[index]
                let name = file.name(ofFunctionAt: index)
                return file.finding(token, "\(name) has \(lines) lines, at most \(linesOfFunction)")
            }
        }
    }
}

extension SourceText {
    /// Lines as an editor counts them: a break at the end begins no further one.
    var lineCount: Int { lines.last == "" ? lines.count - 1 : lines.count }

    fileprivate func name(ofFunctionAt index: Int) -> String {
        let token = tokens[index]
        guard token.text == "func" || token.text == "var", index + 1 < tokens.count else { return token.text }
        return tokens[index + 1].line == token.line ? tokens[index + 1].text : "a function"
    }

    /// The lines from the word to the closing brace of its body; nil where no body begins.
    fileprivate func lengthOfFunction(at index: Int) -> Int? {
        let token = tokens[index]
        guard token.before != UInt8(ascii: "."), token.before != UInt8(ascii: "#") else { return nil }
        switch token.text {
        case "func", "init", "deinit", "subscript":
            return startOfBody(from: token.end, endsAtLineBreak: token.text == "deinit").map(
                linesToClosing(from: token)
            )
        case "var":
            return startOfBody(from: token.end, endsAtLineBreak: true).map(linesToClosing(from: token))
        default: return nil
        }
    }

    /// Where the brace opens that begins the body of a declaration.
    ///
    /// Signatures go over several lines; what follows a declaration without a body (in a protocol) begins
    /// with a word at the start of its line, and ends the search.
    private func startOfBody(from start: Int, endsAtLineBreak: Bool) -> Int? {
        var depth = 0
        for index in start..<code.count {
            switch code[index] {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "{") where depth == 0: return index
            case UInt8(ascii: "}") where depth == 0, UInt8(ascii: "=") where depth == 0 && endsAtLineBreak:
                return nil
            case UInt8(ascii: "\n") where depth == 0:
                if endsAtLineBreak || !continues(after: index) { return nil }
            default: break
            }
            if depth < 0 { return nil }
        }
        return nil
    }

    /// Whether the signature goes on after a line break.
    private func continues(after lineBreak: Int) -> Bool {
        let last = code[..<lineBreak].last { $0 != UInt8(ascii: " ") }
        let next = code[(lineBreak + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        return last == UInt8(ascii: ",")
            || ["{", "->", "where ", "throws", "async"].contains { next.starts(with: $0.utf8) }
    }

    private func linesToClosing(from token: Token) -> (Int) -> Int {
        { opening in
            var depth = 0
            var lines = 1
            for index in token.start..<code.count {
                if code[index] == UInt8(ascii: "\n") { lines += 1 }
                guard index >= opening else { continue }
                if code[index] == UInt8(ascii: "{") { depth += 1 }
                if code[index] == UInt8(ascii: "}") {
                    depth -= 1
                    if depth == 0 { return lines }
                }
            }
            return lines
        }
    }
}
