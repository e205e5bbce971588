public import SkerryDevice

/// Reads YAML documents into trees and reports their problems.
public enum YAMLComposer {
    /// The root of a document of another system, which may have tags of its own, and its problems; JSON is YAML, too.
    public static func foreign(_ text: String) -> (root: YAMLNode?, problems: [DefinitionProblem]) {
        var problems = ProblemList()
        let root = compose(text, keepsTags: true, into: &problems)
        return (root, problems.problems)
    }

    /// The root of the first document of a text; nil when it is no YAML or empty.
    static func compose(
        _ text: String,
        file: Int = 0,
        keepsTags: Bool = false,
        into problems: inout ProblemList
    ) -> YAMLNode? {
        // libyaml counts a byte order mark as a column of the first line.
        let hasMark = text.unicodeScalars.first == "\u{FEFF}"
        let text = hasMark ? String(text.unicodeScalars.dropFirst()) : text
        let lines = YAMLLines(text, file: file)
        var tree = YAMLTree(text, lines: lines, keepsTags: keepsTags)
        var root: YAMLNode?
        var last: DefinitionProblem?
        do throws(DefinitionProblem) {
            root = try tree.document()
            try tree.end()
        } catch {
            last = error
        }
        for problem in tree.problems {
            // Keys in a text that is no YAML prove nothing, and the last problem knows its whole line.
            guard let last, root == nil || last.place == problem.place else {
                problems.report(problem)
                continue
            }
            if problem.code == .notYAML, problem.place != last.place { problems.report(problem) }
        }
        if let last { problems.report(last) }
        return root
    }
}
