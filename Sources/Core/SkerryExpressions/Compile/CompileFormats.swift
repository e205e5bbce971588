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
    while let byte = bytes.popFirst() {
        guard byte == UInt8(ascii: "%") else { continue }
        if bytes.first == UInt8(ascii: "%") {
            bytes.removeFirst()
            continue
        }
        var clause: [UInt8] = [byte]
        var isKnown = true
        if bytes.first == UInt8(ascii: ".") {
            clause.append(bytes.removeFirst())
            var digits: [UInt8] = []
            while let digit = bytes.first, isDigit(digit) {
                digits.append(digit)
                bytes.removeFirst()
            }
            clause += digits
            // Too many digits for an Int are too many as well.
            let precision = Int(String(decoding: digits, as: UTF8.self))
            isKnown = precision.map { $0 <= formatPrecisionLimit } ?? false
        }
        // To the letter that a clause would end with, so that `%02d` is told as a whole.
        var isPlain = true
        while let next = bytes.first, isDigit(next) || Array(" #+-,.".utf8).contains(next) {
            isPlain = false
            clause.append(next)
            bytes.removeFirst()
        }
        guard let letter = bytes.first, letter < 0x80 else {
            return (clauses, String(decoding: clause, as: UTF8.self))
        }
        clause.append(letter)
        bytes.removeFirst()
        let text = String(decoding: clause, as: UTF8.self)
        guard isKnown, isPlain, Array("sdfebxXo".utf8).contains(letter) else {
            return (clauses, text)
        }
        clauses.append(text)
    }
    return (clauses, nil)
}
