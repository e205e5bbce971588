package import SkerryDevice

/// The explanation of a problem code, with an example.
package struct ProblemExplanation: Sendable {
    package let code: ProblemCode
    /// The problem in a few words.
    package let title: String
    /// The meaning of the problem and why it matters, in lines.
    package let meaning: String
    /// The part of a definition that has the problem.
    package let bad: String
    /// The same part as it is right.
    package let good: String

    init(_ code: ProblemCode, _ title: String, _ meaning: String, bad: String, good: String) {
        self.code = code
        self.title = title
        self.meaning = meaning
        self.bad = bad
        self.good = good
    }

    /// Makes an explanation of an example with `<here>` in place of the one line that is wrong, and is put right.
    init(
        _ code: ProblemCode,
        _ title: String,
        _ meaning: String,
        in example: String,
        bad: String,
        good: String
    ) {
        let (bad, good) = (example.replacing("<here>", with: bad), example.replacing("<here>", with: good))
        self.init(code, title, meaning, bad: bad, good: good)
    }

    /// True if its examples are definitions, and not files of another format.
    package var isOfDefinitions: Bool { code != .notTranslated && code != .badImport && code != .badCompiled }

    /// The explanation for a terminal.
    package var text: String {
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
package enum ProblemCatalogue {
    /// The explanations in the order of their codes.
    package static let entries =
        (files + topics + expressions + machines + activities + unused + shown + waits + settings + silence
        + tests)
        .sorted { $0.code.rawValue < $1.code.rawValue }

    /// The explanation of a code written as `SK0101`, `sk101` or `101`; nil when there is none.
    package static func entry(_ code: String) -> ProblemExplanation? {
        let digits = code.uppercased().hasPrefix("SK") ? code.dropFirst(2) : code[...]
        guard !digits.isEmpty, let number = UInt16(digits) else { return nil }
        return entries.first { $0.code.rawValue == number }
    }

    /// Codes that somebody may have meant: those of the same hundred, else all.
    package static func near(_ code: String) -> [ProblemExplanation] {
        let digits = code.filter { $0.isASCII && $0.isWholeNumber }
        guard let number = UInt16(digits) else { return entries }
        let near = entries.filter { $0.code.rawValue / 100 == number / 100 }
        return near.isEmpty ? entries : near
    }

    /// All explanations as a page in Markdown.
    package static var markdown: String {
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
    package static func completed(_ example: String) -> String {
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

extension ProblemCatalogue {
    /// Problems of the file and its form.
    static let files = [
        ProblemExplanation(
            .notYAML,
            "the file is not YAML",
            """
            A definition is a YAML file in UTF-8 of at most 1 MiB. Nothing after the place that can't be read is checked. A value
            that contains a colon and a space, or begins with a bracket, a brace, `!`, `#` or `%`, needs quotes.
            """,
            in: """
                machine:
                  states:
                    idle:
                      <here>
                """,
            bad: "always: { guard: !phase, target: idle }",
            good: #"on: { again: { guard: "!phase", target: idle } }"#
        ),
        ProblemExplanation(
            .unknownKey,
            "a key that the language does not know",
            "Otherwise, a misspelt key would be ignored silently. The help names the key that was probably meant.",
            bad: """
                sources:
                  - topic: home/{device}/state
                    singals: { phase: payload.phase }
                """,
            good: """
                sources:
                  - topic: home/{device}/state
                    signals: { phase: payload.phase }
                """
        ),
        ProblemExplanation(
            .missingKey,
            "a key is missing",
            "Some keys must be there: a definition needs `kind`, `machine` and `sources`, an activity `starts`.",
            bad: """
                activity:
                  content: { status: state.title }
                """,
            good: """
                activity:
                  starts: running
                  ends: idle
                  content: { status: state.title }
                """
        ),
        ProblemExplanation(
            .wrongShape,
            "a value of the wrong shape",
            "For example a text where a mapping belongs, a list where a single value belongs, or no value at all.",
            bad: """
                timers:
                  cycle: 90m
                """,
            good: """
                timers:
                  cycle: { duration: 'duration("90m")', while: inState("running") }
                """
        ),
        ProblemExplanation(
            .badValue,
            "a value is not among the allowed ones",
            "The help lists what it can be.",
            in: """
                activity:
                  starts: running
                  ends: idle
                  <here>
                """,
            bad: "relevance: 200",
            good: "relevance: 50"
        ),
        ProblemExplanation(
            .badDuration,
            "a length of time that can't be read",
            """
            Keys such as `after`, `for`, `quiet` and `stale` take whole numbers with units: `2d`, `1h30m`, `15m`, `10s`, `500ms`.
            The form `duration("15m")` is for expressions only.
            """,
            in: """
                machine:
                  states:
                    <here>
                    running: { always: { guard: phase == "off", target: idle } }
                """,
            bad: "idle: { after: { 15 minutes: running } }",
            good: "idle: { after: { 15m: running } }"
        ),
        ProblemExplanation(
            .duplicateName,
            "the same name twice",
            """
            States, timers and keys must have different names. Definitions must have different kinds, because topics and
            activities are named after them.
            """,
            in: """
                machine:
                  states:
                    idle: { on: { start: busy } }
                    busy:
                      <here>
                """,
            bad: "states: { idle: {} }",
            good: "states: { resting: {} }"
        ),
        ProblemExplanation(
            .unknownVersion,
            "a version of the language that this Skerry does not know",
            "The key `skerry` gives the version of the language in which a file is written. The only version so far is 1.",
            bad: """
                skerry: 7
                kind: thing
                """,
            good: """
                skerry: 1
                kind: thing
                sources: [{ topic: "home/{device}", signals: { phase: payload.phase } }]
                machine: { states: { idle: { on: { again: { guard: phase == "on", target: idle } } } } }
                """
        ),
        ProblemExplanation(
            .badName,
            "a name that can't be used",
            """
            Signals, variables, timers and fields are named in expressions: a name has letters, digits and `_`, does not begin
            with a digit, and is not a word of the language. A kind is one level of a topic.
            """,
            bad: """
                sources:
                  - topic: home/{device}/state
                    signals: { state: payload.phase }
                """,
            good: """
                sources:
                  - topic: home/{device}/state
                    signals: { phase: payload.phase }
                """
        ),
    ]

    /// Sources, and how much there may be.
    static let topics = [
        ProblemExplanation(
            .badTopic,
            "a topic that can't be used",
            """
            A topic filter follows the rules of MQTT. `{device}` captures the name of the device, unless `device:` of the source
            names it. `+` and `#` take whole levels; `#` and captures of several levels, `{name...}`, only the last one. A level
            has at most one capture. Shared subscriptions can't be used, because they do not keep the order of a device's
            messages. `$skerry/<kind>/{device}` reads the activities of another kind, never in a circle.
            """,
            bad: """
                sources:
                  - topic: home/washer/state
                    signals: { phase: payload.phase }
                """,
            good: """
                sources:
                  - topic: home/{device}/state
                    signals: { phase: payload.phase }
                """
        ),
        ProblemExplanation(
            .badDevice,
            "a source that does not name its devices as it should",
            """
            A source names the device of a message once: with `{device}` in the topic, or with `device:`, which is a text with
            expressions in braces. Every device has a name that is one level of a topic.
            """,
            in: """
                sources:
                  - topic: home/printers
                    <here>
                    signals: { phase: payload.phase }
                """,
            bad: "device: payload.printer",
            good: #"device: "{payload.printer}""#
        ),
        ProblemExplanation(
            .tooMany,
            "more than a definition may have",
            "A definition has at most 256 signals and 255 states. Split a larger device into several definitions.",
            bad: "sources:\n  - topic: home/{device}/state\n    signals:\n"
                + (0...256).map { "      s\($0): payload.s\($0)" }.joined(separator: "\n"),
            good: """
                sources:
                  - topic: home/{device}/state
                    signals: { phase: payload.phase }
                """
        ),
    ]

    static let expressions = [
        ProblemExplanation(
            .badExpression,
            "an expression that can't be read",
            "Expressions are CEL. The mark shows where the text stops being one.",
            bad: """
                timers:
                  cycle: { remaining: "seconds(power", while: inState("running") }
                """,
            good: """
                timers:
                  cycle: { remaining: "seconds(power)", while: inState("running") }
                """
        ),
        ProblemExplanation(
            .unknownName,
            "a name that nothing declares",
            """
            Expressions can read signals, `context.x`, `timer.x`, `device`, `state` and `now`, and call functions. Expressions of
            signals can also read `payload`, and the captures of the topic as `topic.x`.
            """,
            in: """
                activity:
                  starts: running
                  ends: idle
                  <here>
                """,
            bad: "content: { watts: powr }",
            good: "content: { watts: power }"
        ),
        ProblemExplanation(
            .wrongType,
            "types that do not fit",
            """
            Types that are known are checked when a definition is loaded. The type of a JSON value is known only when it arrives:
            if it does not fit, the expression has an error, and a guard with an error does not hold.
            """,
            bad: """
                timers:
                  cycle: { remaining: '"ten minutes"', while: inState("running") }
                """,
            good: """
                timers:
                  cycle: { remaining: 'duration("10m")', while: inState("running") }
                """
        ),
        ProblemExplanation(
            .tooCostly,
            "an expression that can cost more than the limit",
            """
            An expression must not keep a gateway busy. Its cost is estimated when it is loaded, assuming at most 1,000 bytes or
            elements for each value of a payload, and at most 100 elements for a list. A loop over a list is fine, a loop in a
            loop is not. The limit is `limits.expression-cost`, 10,000 by default; an evaluation that meets larger values stops
            there.
            """,
            in: """
                sources:
                  - topic: home/{device}/state
                    signals:
                      phase: payload.phase
                      <here>
                """,
            bad: "twice: payload.items.exists(a, payload.items.exists(b, a.id + 1 == b.id))",
            good: "open: payload.items.filter(a, a.open).map(a, a.name)"
        ),
        ProblemExplanation(
            .badCompiled,
            "a compiled definition that can't be read",
            """
            A file that begins with `SKD` is a definition compiled by `skerry compile`. It was changed or cut short on its way, or a
            Skerry with another version of the format compiled it. Nothing of it is used.
            """,
            bad: """
                scp -l 1 gateway:washer.skd .     and the connection ends
                """,
            good: """
                skerry compile devices/washer.yaml -o washer.skd
                """
        ),
    ]
}

extension ProblemCatalogue {
    /// Problems of settings, and of definitions that extend others.
    static let settings = [
        ProblemExplanation(
            .badBase,
            "a definition to be extended that is not there",
            """
            `extends` names the kind of another definition, which may be one that comes with Skerry, or the path of a file
            from the folder of this one on. It is an error when there is none, when it can't be read, and when definitions
            extend each other in a circle. Nothing else of the definition is checked then.
            """,
            bad: """
                extends: washer-plgu
                """,
            good: """
                settings: { threshold: 10 }
                machine:
                  states:
                    idle: { always: { guard: power > settings.threshold, target: running } }
                    running: { always: { guard: power <= settings.threshold, target: idle } }
                """
        ),
        ProblemExplanation(
            .settingNeverRead,
            "a setting that nothing reads",
            """
            People could choose a value for it, and nothing would change. Expressions and some lengths of time read a setting as
            `settings.<name>`.
            """,
            in: """
                settings: { rest: 5m }
                machine:
                  states:
                    idle: { always: { guard: phase == "on", target: running } }
                    <here>
                """,
            bad: #"running: { always: { guard: phase == "off", for: 2m, target: idle } }"#,
            good: #"running: { always: { guard: phase == "off", for: settings.rest, target: idle } }"#
        ),
    ]
}
