import SkerryValues

extension ForeignReader {
    /// The type of a part; nil when it has a mistake.
    func resultType(of part: Part) -> ExpressionType? { try? resultType(of: part.text) }

    /// The type of a corrected text.
    func resultType(of text: String) throws(ExpressionProblem) -> ExpressionType {
        var paths = PathTable()
        return try Compiler.compile(SyntaxTree.of(Array(text.utf8)), in: scope, paths: &paths).type
    }

    /// Compares a moment with a time of day or a date as people write them: `now > 22:00`, `now > 2026-01-01`; nil, and nothing read,
    /// when neither follows.
    mutating func comparison(of moment: Part, _ sign: String) -> Part? {
        guard token.kind == .number, resultType(of: moment) == .timestamp else { return nil }
        if let (texts, range) = numbers([1...2, 2...2], with: ":") {
            let clock = (texts[0].utf8.count == 1 ? "0" : "") + joined(texts, ":")
            let part = Part(
                moment.within(.member) + ".getClock(place.zone) " + sign + " \"" + clock + "\"",
                .comparison
            )
            note(range, "a time of day is not written like this", "write `" + part.text + "`")
            return part
        }
        guard let (texts, range) = numbers([4...4, 2...2, 2...2], with: "-") else { return nil }
        let midnight = "timestamp(\"" + joined(texts, "-") + " 00:00\", place.zone)"
        note(range, "a date is not written like this", "write `" + midnight + "`")
        return Part(moment.within(.sum) + " " + sign + " " + midnight, .comparison)
    }

    /// Reads numbers of some lengths with a sign between them and no blanks; nil, and nothing read, when others follow.
    private mutating func numbers(
        _ lengths: [ClosedRange<Int>],
        with sign: String
    ) -> (texts: [String], range: SourceRange)? {
        let start = token.range.start
        var (texts, end, next): ([String], Int, Int) = ([], start, 0)
        for length in lengths {
            if !texts.isEmpty {
                guard peek(next).isSign(sign), peek(next).range.start == end else { return nil }
                (end, next) = (peek(next).range.end, next + 1)
            }
            let number = peek(next)
            guard number.kind == .number, number.range.start == end, length.contains(number.text.utf8.count),
                number.text.utf8.allSatisfy(isDigit)
            else { return nil }
            texts.append(number.text)
            (end, next) = (number.range.end, next + 1)
        }
        position += next
        return (texts, SourceRange(start: start, end: end))
    }
}
