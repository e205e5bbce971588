public import SkerryDevice

/// The explanation of a problem code, with an example.
public struct ProblemExplanation: Sendable {
    /// The code.
    public let code: ProblemCode
    /// The problem in a few words.
    public let title: String
    /// The meaning of the problem and why it matters, in lines.
    public let meaning: String
    /// The part of a definition that has the problem.
    public let bad: String
    /// The same part as it is right.
    public let good: String

    init(_ code: ProblemCode, _ title: String, _ meaning: String, bad: String, good: String) {
        self.code = code
        self.title = title
        self.meaning = meaning
        self.bad = bad
        self.good = good
    }

    /// True if its examples are definitions, and not files of another format.
    public var isOfDefinitions: Bool { code != .notTranslated && code != .badImport && code != .badCompiled }

    /// The explanation for a terminal.
    public var text: String {
        """
        \(code.name)  \(title) (\(code.severity == .error ? "error" : "warning"))

        \(meaning)

        wrong:

        \(Self.indented(Self.shortened(bad)))

        right:

        \(Self.indented(Self.shortened(good)))

        """
    }

    /// The explanation as a section of a page in Markdown.
    var markdown: String {
        """
        ## \(code.name): \(title)

        *\(code.severity == .error ? "error" : "warning")*

        \(meaning)

        Wrong:

        ```yaml
        \(Self.shortened(bad))
        ```

        Right:

        ```yaml
        \(Self.shortened(good))
        ```

        """
    }

    /// A long example without its middle.
    private static func shortened(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 30 else { return text }
        return (lines.prefix(6) + ["      # …"] + lines.suffix(2)).joined(separator: "\n")
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    " + $0 }
            .joined(separator: "\n")
    }
}

/// Every problem that a definition can have, explained.
public enum ProblemCatalogue {
    /// The explanations in the order of their codes.
    public static let entries =
        (files + topics + expressions + machines + activities + unused + shown + waits + settings + silence
        + tests)
        .sorted { $0.code.rawValue < $1.code.rawValue }

    /// The explanation of a code written as `SK0101`, `sk101` or `101`; nil when there is none.
    public static func entry(_ code: String) -> ProblemExplanation? {
        let digits = code.uppercased().hasPrefix("SK") ? code.dropFirst(2) : code[...]
        guard !digits.isEmpty, let number = UInt16(digits) else { return nil }
        return entries.first { $0.code.rawValue == number }
    }

    /// Codes that somebody may have meant: those of the same hundred, else all.
    public static func near(_ code: String) -> [ProblemExplanation] {
        let digits = code.filter { $0.isASCII && $0.isWholeNumber }
        guard let number = UInt16(digits) else { return entries }
        let near = entries.filter { $0.code.rawValue / 100 == number / 100 }
        return near.isEmpty ? entries : near
    }

    /// All explanations as a page in Markdown.
    public static var markdown: String {
        let list = entries.map { entry in
            "| [\(entry.code.name)](#\(anchor(entry))) | \(entry.title) |\n"
        }
        return """
            # Problems of definitions

            Every problem that `skerry check` reports has a code that stays the same over releases. Codes from SK0500 to
            SK0599 are warnings: the definition works, but probably not as meant. SK0512 is an error where the loop is certain. All
            other codes are errors. On a terminal, `skerry explain-code SK0101` shows the same text. This page is written by
            `skerry explain-code --all --markdown`; change the catalogue in `Sources/Language/SkerryFiles/Diagnostics` instead.

            The examples show only the part of a definition that matters.

            | code | problem |
            |---|---|
            \(list.joined())
            \(entries.map(\.markdown).joined(separator: "\n"))
            """
    }

    /// The name of a section, as the usual renderers of Markdown make it from its title.
    private static func anchor(_ entry: ProblemExplanation) -> String {
        let kept = "\(entry.code.name): \(entry.title)".lowercased().filter {
            $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_"
        }
        return String(kept.map { $0 == " " ? "-" : $0 })
    }

    /// An example with the keys of a definition that it leaves out, so that it can be checked.
    public static func completed(_ example: String) -> String {
        let lines = example.split(separator: "\n")
        if lines.contains(where: { $0.hasPrefix("skerry:") }) { return example + "\n" }
        let missing = frame.filter { part in !lines.contains { $0.hasPrefix(part.key + ":") } }
        return missing.map(\.text).joined() + example + "\n"
    }

    private static let frame: [(key: String, text: String)] = [
        ("skerry", "skerry: 1\n"), ("kind", "kind: thing\n"),
        (
            "sources",
            """
            sources:
              - topic: home/{device}/state
                signals: { phase: payload.phase, power: payload.power }

            """
        ),
        (
            "machine",
            """
            machine:
              initial: idle
              states:
                idle:
                  title: Idle
                  always: { guard: phase == "on", target: running }
                running:
                  title: Running
                  always: { guard: phase == "off", target: idle }

            """
        ),
    ]
}
