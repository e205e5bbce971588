/// The compiler or the linter of a definition, which collects problems.
protocol ProblemReporter {
    var problems: [DefinitionProblem] { get set }
}

extension ProblemReporter {
    mutating func report(
        _ code: ProblemCode,
        _ source: SourceText,
        _ message: String,
        remedy: String? = nil
    ) {
        problems.append(DefinitionProblem(code, source, message, remedy: remedy))
    }

    /// Reports a problem of a part of a text; the range counts UTF-8 bytes.
    mutating func report(
        _ code: ProblemCode,
        _ source: SourceText,
        _ range: Range<Int>,
        _ message: String,
        remedy: String?
    ) {
        let covered = source.text.utf8.dropFirst(range.lowerBound).prefix(range.count)
        problems.append(
            DefinitionProblem(
                code,
                at: source.place(atUTF8Offset: range.lowerBound),
                length: max(1, String(decoding: covered, as: UTF8.self).count),
                message,
                remedy: remedy
            )
        )
    }
}
