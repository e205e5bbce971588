public import SkerryDevice
import Yams

/// Makes the tree of a YAML document, reporting what can't be read.
public enum YAMLComposer {
    /// How many keys that stand twice are looked for in one file.
    private static let duplicateLimit = 32

    /// The root of a document of another system, which may have tags of its own, and what can't be read; JSON is YAML
    /// too.
    public static func foreign(_ text: String) -> (root: YAMLNode?, problems: [DefinitionProblem]) {
        var problems = ProblemList()
        let root = compose(text, keepsTags: true, into: &problems)
        return (root, problems.problems)
    }

    /// The root of the first document of a text; nil when it is no YAML or empty.
    static func compose(
        _ text: String,
        keepsTags: Bool = false,
        into problems: inout ProblemList
    ) -> YAMLNode? {
        let lines = SourceLines(text)
        var substitution = YAMLSubstitution(text)
        for _ in 0...duplicateLimit {
            let failure: YamlError
            do {
                let parser = try Parser(yaml: substitution.text, resolver: .basic, encoding: .utf8)
                guard let root = try parser.nextRoot() else { return nil }
                var tree = YAMLTree(lines: lines, substitution: substitution, problems: problems)
                tree.keepsTags = keepsTags
                let node = withExtendedLifetime(parser) { tree.node(of: root) }
                problems = tree.problems
                guard !tree.isRefused else { return nil }
                reportSecondDocument(of: parser, lines: lines, into: &problems)
                return node
            } catch let error as YamlError {
                failure = error
            } catch {
                problems.report(DefinitionProblem(.notYAML, at: Place(line: 1, column: 1), "this is no YAML"))
                return nil
            }
            guard case .duplicatedKeysInMapping(let keys, let context) = failure else {
                problems.report(syntaxProblem(failure, lines: lines))
                return nil
            }
            let mark = context.mark
            guard let key = keys.first,
                substitution.makeUnique(key, line: mark.line, column: mark.column)
            else {
                let name = substitution.restored(keys.first ?? "")
                let place = lines.place(line: mark.line, scalarColumn: mark.column)
                problems.report(duplicate(SourceText(name, at: place), first: nil))
                return nil
            }
        }
        problems.report(
            DefinitionProblem(.duplicateName, at: Place(line: 1, column: 1), "too many keys stand twice")
        )
        return nil
    }

    /// The problem of a key that stands twice in a mapping.
    static func duplicate(_ key: SourceText, first: Place?) -> DefinitionProblem {
        let known = first.map { ", first on line \($0.line)" } ?? ""
        return DefinitionProblem(
            .duplicateName,
            key,
            "'\(key.text)' stands twice in this mapping\(known)",
            remedy: "remove one of them, or give it another name"
        )
    }

    /// The problem of a text that begins with an exclamation mark.
    static func tag(_ tag: SourceText) -> DefinitionProblem {
        DefinitionProblem(
            .notYAML,
            tag,
            "a '!' at the start of a text makes it a tag of YAML",
            remedy: "put the text in quotes"
        )
    }

    private static func reportSecondDocument(
        of parser: Parser,
        lines: SourceLines,
        into problems: inout ProblemList
    ) {
        do {
            guard let second = try parser.nextRoot() else { return }
            let place = second.mark.map { lines.place(line: $0.line, scalarColumn: $0.column) }
            problems.report(
                DefinitionProblem(
                    .notYAML,
                    at: place ?? Place(line: 1, column: 1),
                    "a second document begins here",
                    remedy: "give every definition a file of its own"
                )
            )
        } catch let error as YamlError {
            problems.report(syntaxProblem(error, lines: lines))
        } catch {
            return
        }
    }
}

extension YAMLComposer {
    /// What a parser's complaint means for the author of a definition.
    private static func syntaxProblem(_ error: YamlError, lines: SourceLines) -> DefinitionProblem {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            return syntaxProblem(problem, context: context, mark: mark, lines: lines)
        case .reader(let problem, let offset, let value, let yaml):
            let place = SourceLines.end(of: String(yaml.prefix(offset ?? 0)))
            let digits = String(max(0, value), radix: 16, uppercase: true)
            let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            let message = value >= 0 ? "the character U+\(code) is not allowed in YAML" : problem
            return DefinitionProblem(.notYAML, at: place, message, remedy: "remove it")
        default:
            return DefinitionProblem(.notYAML, at: Place(line: 1, column: 1), "this is no YAML")
        }
    }

    private static func syntaxProblem(
        _ problem: String,
        context: YamlError.Context?,
        mark: Mark,
        lines: SourceLines
    ) -> DefinitionProblem {
        if let tag = tag(onLine: mark.line, before: mark.column, in: lines) { return self.tag(tag) }
        if problem == "did not find expected key",
            let text = quoted(onLine: mark.line, before: mark.column, in: lines)
        {
            return DefinitionProblem(
                .notYAML,
                text,
                "a value that begins with a quote ends with the next one, and something follows",
                remedy:
                    "put all of it into quotes of the other kind: `\(YAMLScalarText.line(text.text, isFlow: true))`"
            )
        }
        let advice = YAMLAdvice(
            problem: problem,
            context: context?.text ?? "",
            isOnLaterLine: context.map { $0.mark.line < mark.line } ?? false,
            next: lines.rest(ofLine: mark.line, fromScalarColumn: mark.column).first
        )
        let shown = advice.isAboutContext ? context?.mark ?? mark : mark
        var place = lines.place(line: shown.line, scalarColumn: shown.column)
        if place.line >= lines.count, lines.isEmpty(line: place.line),
            let last = (1...lines.count).last(where: { !lines.isEmpty(line: $0) })
        {
            place = lines.place(line: last, scalarColumn: .max / 2)
        }
        return DefinitionProblem(.notYAML, at: place, advice.message, remedy: advice.remedy)
    }

    /// A value that begins with a quote which is closed before a column, with all that follows on its line.
    private static func quoted(onLine line: Int, before column: Int, in lines: SourceLines) -> SourceText? {
        let row = Array(lines.rest(ofLine: line, fromScalarColumn: 1))
        let before = row.prefix(max(0, column - 1))
        guard let close = before.lastIndex(where: { $0 != " " }), row[close] == "\"" || row[close] == "'"
        else {
            return nil
        }
        let start = before.indices.first { index in
            row[index] == row[close] && index > 1 && row[index - 1] == " "
                && ":-".unicodeScalars.contains(row[index - 2])
        }
        guard let start, start < close else { return nil }
        var text = String.UnicodeScalarView(row[start...])
        while text.last == " " || text.last == "\r" { text.removeLast() }
        return SourceText(String(text), at: lines.place(line: line, scalarColumn: start + 1))
    }

    /// An exclamation mark that begins a text on a line, up to a column.
    private static func tag(onLine line: Int, before column: Int, in lines: SourceLines) -> SourceText? {
        let row = Array(lines.rest(ofLine: line, fromScalarColumn: 1).prefix(column))
        for (index, scalar) in row.enumerated() where scalar == "!" {
            let before = row[..<index].last { $0 != " " }
            let next = index + 1 < row.count ? row[index + 1] : " "
            guard let before, row[index - 1] == " ", ":-,[{".unicodeScalars.contains(before), next != "!",
                next != "="
            else { continue }
            return SourceText("!", at: lines.place(line: line, scalarColumn: index + 1))
        }
        return nil
    }
}
