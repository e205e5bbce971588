import SkerryValues

extension Compiler {
    /// Notes a template of `format` that always fails: a clause that there is not, or more clauses than values.
    mutating func noteClauses(_ function: Function, _ arguments: [SyntaxNode.ID], _ parts: [Part]) {
        // Where all values are written out, the failure itself is noted.
        guard scope.refusesFailures, function == .format, arguments.count == 2,
            code.instructions[Int(parts[1].node)].operation != .constant,
            case .literal(.string(let template)) = tree[arguments[0]].kind
        else { return }
        let (clauses, unknown) = formatClauses(of: template)
        if let unknown {
            note(
                .badLiteral,
                "format() has no clause '" + unknown + "'",
                at: tree[arguments[0]].range,
                hint: "write %s, %d or %.1f; there are no widths, and a percent sign is %%"
            )
            return
        }
        guard case .list(let elements) = tree[arguments[1]].kind,
            !elements.contains(where: { $0.isOptional }), clauses.count > elements.count
        else { return }
        note(
            .badLiteral,
            "format() has no value for '" + clauses[elements.count] + "'",
            at: tree[arguments[0]].range,
            hint: "the list needs a value for each clause; a percent sign is %%"
        )
    }
}

/// The clauses of a template of `format` that take a value, up to the first one that `format` does not know.
private func formatClauses(of template: String) -> (known: [String], unknown: String?) {
    var clauses: [String] = []
    var bytes = Array(template.utf8)[...]
    while let percent = bytes.firstIndex(of: UInt8(ascii: "%")) {
        bytes = bytes[(percent + 1)...]
        if bytes.first == UInt8(ascii: "%") {
            bytes.removeFirst()
            continue
        }
        let rest = bytes
        let isKnown = FormatClause(&bytes) != nil
        // To the letter that it would end with, so that `%02d` is told as a whole.
        let letter = rest.firstIndex { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        let end = isKnown ? bytes.startIndex : letter.map { $0 + 1 } ?? rest.endIndex
        let clause = "%" + String(decoding: rest[..<end], as: UTF8.self)
        guard isKnown else { return (clauses, clause) }
        clauses.append(clause)
    }
    return (clauses, nil)
}
