import SkerryDevice

/// Mistakes in a line that libyaml only notices in a later one.
enum MistypedLine {
    private static let keys = Set(LanguagePart.allCases.flatMap { $0.mapping.names })

    /// A character that looks like a space before a complaint, in its line or the one above.
    static func blank(before complaint: YAMLComplaint, in lines: YAMLLines) -> DefinitionProblem? {
        let line = lines.line(of: complaint.index)
        for line in [line, last(before: line, in: lines)].compactMap({ $0 }) {
            let range = lines.range(ofLine: line)
            let isBlank = { (scalar: Unicode.Scalar) in scalar != "\t" && scalar.properties.isWhitespace }
            let start = lines.scalars[range].prefix(while: isBlank)
            guard let index = start.firstIndex(where: { $0 != " " }) else { continue }
            return blank(at: index, in: lines)
        }
        return nil
    }

    /// The problem of a character that looks like a space at the beginning of a line.
    static func blank(at index: Int, in lines: YAMLLines) -> DefinitionProblem {
        problem(
            index,
            "a character that looks like a space indents this line",
            "delete it, and type spaces: texts copied from a web page have such characters",
            in: lines
        )
    }

    /// A quote that is not closed in its line, a key without its colon, or a dash without its space.
    static func above(_ complaint: YAMLComplaint, in lines: YAMLLines) -> DefinitionProblem? {
        if let quote = quote(before: complaint, in: lines) { return quote }
        guard let line = last(before: lines.line(of: complaint.index), in: lines) else { return nil }
        let range = lines.range(ofLine: line)
        let row = lines.scalars[range].drop { $0 == " " }
        if row.first == "-", let next = row.dropFirst().first, next.properties.isAlphabetic {
            let text = String(row.dropFirst())
            return problem(row.startIndex, "a space is missing after the '-'", "write `- \(text)`", in: lines)
        }
        let isAboutColon = complaint.problem.contains("':'") || complaint.problem.hasPrefix("mapping values")
        let next = lines.range(ofLine: lines.line(of: complaint.index))
        guard isAboutColon, lines.indentation(of: next) <= lines.indentation(of: range) else { return nil }
        let element = row.starts(with: "- ".unicodeScalars) ? row.dropFirst(2).drop { $0 == " " } : row
        let key = String(element.prefix(while: \.isPartOfKey))
        let value = element.dropFirst(key.unicodeScalars.count)
        guard keys.contains(key), let sign = value.first, sign == " " || sign == ":",
            !zip(value, value.dropFirst()).contains(where: { $0 == ":" && $1 == " " }), value.last != ":"
        else { return nil }
        let text = String(value.dropFirst().drop { $0 == " " })
        let missing = sign == ":" ? "a space is missing after '\(key):'" : "a ':' is missing after '\(key)'"
        return problem(element.startIndex, missing, "write `\(key): \(text)`", in: lines)
    }

    /// A quote in a line above that is closed only by the one before a complaint, which was to open a text.
    private static func quote(before complaint: YAMLComplaint, in lines: YAMLLines) -> DefinitionProblem? {
        let index = complaint.index
        guard index > 0, index <= lines.scalars.count, ["\"", "'"].contains(lines.scalars[index - 1]) else {
            return nil
        }
        let start = lines.range(ofLine: lines.line(of: index - 1)).lowerBound
        guard let open = lines.scalars[..<(index - 1)].lastIndex(of: lines.scalars[index - 1]), open < start,
            let before = lines.scalars[..<open].last, " [{(".unicodeScalars.contains(before)
        else { return nil }
        return problem(open, "this quote is not closed", "close it on the same line", in: lines)
    }

    private static func problem(
        _ index: Int,
        _ message: String,
        _ remedy: String,
        in lines: YAMLLines
    ) -> DefinitionProblem {
        DefinitionProblem(.notYAML, at: lines.place(of: index), message, remedy: remedy)
    }

    /// The last line before another one that is not empty.
    private static func last(before line: Int, in lines: YAMLLines) -> Int? {
        (1..<max(1, line)).last { lines.scalars[lines.range(ofLine: $0)].contains { $0 != " " } }
    }
}
