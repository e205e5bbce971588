public import SkerryExpressions
import SkerryMachine
import SkerryValues

extension Definition {
    /// The result of compiling a draft: a definition unless there were errors, and all problems, sorted by place.
    public struct Compilation: Sendable {
        /// The definition; nil when a problem is an error.
        public var definition: Definition?
        /// All errors and warnings.
        public var problems: [DefinitionProblem]
    }

    /// Resolves the names of a draft, parses and checks its expressions and builds its machine.
    ///
    /// - Parameters:
    ///   - draft: The definition as it was written.
    ///   - limits: The bounds that apply to devices of the definition.
    ///   - timeZone: The rules of a named time zone, for expressions; must return the same rules every time.
    /// - Returns: The definition, unless there were errors, with all problems.
    public static func compile(
        _ draft: DefinitionDraft,
        limits: DeviceLimits = DeviceLimits(),
        timeZone: @escaping @Sendable (String) -> TimeZoneRules? = { _ in nil }
    ) -> Compilation {
        var compiler = DefinitionCompiler(draft, limits: limits, timeZone: timeZone)
        let definition = compiler.compile()
        if !draft.isIncomplete, !compiler.hasFailedTexts {
            compiler.warnOfUnreadSignals()
            compiler.warnOfUnreadVariables()
            compiler.warnOfUnreadSettings()
            if let definition, !compiler.hasErrors {
                var linter = DefinitionLinter(compiler, definition)
                compiler.problems += linter.lint()
            }
        }
        compiler.problems.sort { ($0.place, $0.code.rawValue) < ($1.place, $1.code.rawValue) }
        return Compilation(definition: compiler.hasErrors ? nil : definition, problems: compiler.problems)
    }
}

/// The compiler of one draft; it continues after an error, to collect every problem.
struct DefinitionCompiler: ProblemReporter {
    let draft: DefinitionDraft
    var parts = DefinitionParts()
    var problems: [DefinitionProblem] = []
    /// The names that guards, actions, contents and texts may use.
    var scope = Scope()
    /// The states in document order, the root first.
    var states: [StateDraft] = []
    /// The references that the expressions of the definition read.
    var readReferences: Set<Reference> = []
    /// Every expression that was compiled, for the linter.
    var texts: [CompiledText] = []
    /// True if an expression has an error, so that its references are unknown.
    var hasFailedTexts = false
    /// Every text with expressions in braces, for the linter.
    var templates: [(source: SourceText, template: TextTemplate)] = []
    /// The number of the source being compiled; nil outside of sources.
    var payloadSource: Int?
    /// The fields of the content that have an error.
    var failedFields: Set<String> = []
    /// The signals that a source sets without following values over time.
    var plainSignals: Set<Int> = []
    /// The signals with an error in one of their expressions.
    var failedSignals: Set<Int> = []

    init(
        _ draft: DefinitionDraft,
        limits: DeviceLimits,
        timeZone: @escaping @Sendable (String) -> TimeZoneRules?
    ) {
        self.draft = draft
        parts.limits = limits
        parts.fingerprint = draft.fingerprint
        scope.timeZone = timeZone
        scope.refusesFailures = true
        scope.toleratesUnknownNames = !draft.unreadNames.isDisjoint(with: [
            .state, .timer, .variable, .signal, .setting,
        ])
    }

    mutating func compile() -> Definition? {
        parts.kind = draft.kind.text
        parts.name = draft.name?.text ?? draft.kind.text
        if !draft.kind.text.isTopicLevel {
            report(
                .badName,
                draft.kind,
                "a kind is one topic level: no '/', '+', '#' or control characters, and not empty"
            )
        } else if draft.kind.text == "bridge" {
            report(
                .badName,
                draft.kind,
                "the topics of 'bridge' belong to the bridge itself",
                remedy: "choose another kind"
            )
        }
        collectStates(draft.machine)
        collectSignals()
        collectNames()
        declareScope()
        compileSources()
        compileRecognition()
        declareSignals()
        compileContext()
        compileTimers()
        compileTitles()
        parts.statePlaces = states.map { $0.name.place }
        let chart = buildChart()
        compileActivity(chart)
        compileIsland()
        compileMigrations(chart)
        compileSettings()
        guard let chart else { return nil }
        for reference in readReferences {
            switch ReferenceKind(rawValue: reference.kind) {
            case .signal, .changed: parts.readSignals.insert(Int(reference.index))
            default: break
            }
        }
        return Definition(parts, chart: chart)
    }

    /// True if a problem makes the definition unusable.
    var hasErrors: Bool { problems.contains { $0.severity == .error } }

    /// Reports an unknown name, unless it may be the name of a part that could not be read.
    mutating func reportUnknown(
        _ code: ProblemCode,
        _ what: String,
        _ name: SourceText,
        known: [String],
        of kind: DefinitionDraft.NameKind
    ) {
        guard !draft.unreadNames.contains(kind) else { return }
        let message = "there is no \(what) '\(name.text)'"
        if let near = nearestName(to: name.text, among: known) {
            report(code, name, message, remedy: "did you mean '\(near)'?")
        } else if known.isEmpty {
            report(code, name, message)
        } else {
            report(code, name, message, remedy: "there are: \(known.prefix(12).joined(separator: ", "))")
        }
    }

    /// Compiles an expression of guards, actions and contents.
    mutating func program(_ source: SourceText) -> Program? {
        var paths = PathTable()
        return program(source, in: scope, paths: &paths)
    }

    /// Compiles an expression; its problems are reported at their places in the definition.
    mutating func program(_ source: SourceText, in scope: Scope, paths: inout PathTable) -> Program? {
        do throws(ExpressionProblem) {
            let program = try Program.compile(source.text, in: scope, paths: &paths)
            readReferences.formUnion(program.references)
            texts.append(CompiledText(source: source, program: program, payload: payloadSource))
            checkCost(of: program, source)
            checkStates(comparedBy: program, source)
            parts.expressions.append(WrittenExpression(program: program, text: source))
            return program
        } catch {
            report(error, in: source)
            return nil
        }
    }

    /// Compiles a text with expressions in braces.
    mutating func template(_ source: SourceText, in scope: Scope) -> TextTemplate? {
        var paths = PathTable()
        return template(source, in: scope, paths: &paths)
    }

    /// Compiles a text with expressions in braces that may read a payload.
    mutating func template(_ source: SourceText, in scope: Scope, paths: inout PathTable) -> TextTemplate? {
        do throws(ExpressionProblem) {
            let template = try TextTemplate.compile(source.text, in: scope, paths: &paths)
            readReferences.formUnion(template.references)
            templates.append((source, template))
            noteExpressions(of: template, source)
            return template
        } catch {
            report(error, in: source)
            return nil
        }
    }

    /// Checks the cost of the expressions in a text, and remembers their places.
    mutating func noteExpressions(of template: TextTemplate, _ source: SourceText) {
        for case .expression(let program, let range) in template.parts {
            checkCost(of: program, source, range)
            checkStates(comparedBy: program, source, range)
            let text = source.part(range.lowerBound + 1..<range.upperBound - 1)
            parts.expressions.append(WrittenExpression(program: program, text: text))
        }
    }

    mutating func report(_ problem: ExpressionProblem, in source: SourceText) {
        hasFailedTexts = true
        for finding in problem.findings {
            let code: ProblemCode =
                switch finding.code {
                case .syntax, .badLiteral, .tooLarge, .unsupported: .badExpression
                case .unknownName, .unknownFunction, .unknownChoice: .unknownName
                case .wrongType, .wrongArgument: .wrongType
                }
            let range = finding.offset..<finding.offset + finding.length
            report(code, source, range, finding.message, remedy: finding.hint)
        }
    }

    /// Checks that an expression gives a truth value.
    mutating func condition(_ source: SourceText) -> Program? {
        guard let program = program(source) else { return nil }
        if program.type != .bool, program.type != .dyn {
            report(
                .wrongType,
                source,
                "a condition must be bool, this is \(program.type.description)",
                remedy: comparison(of: source.text, program.type)
            )
        }
        return program
    }

    /// The advice for a value where a condition belongs: a comparison, with the name if it is one.
    private func comparison(of text: String, _ type: ExpressionType) -> String? {
        if text.contains("//") { return "'//' begins a comment, and what follows it is not read" }
        let isName = text.utf8.allSatisfy { PlainName.takes($0) || $0 == UInt8(ascii: ".") }
        let value = isName || text == "elapsed()" ? text : "value"
        return switch type {
        case .int, .uint, .double: "compare it, as in `\(value) > 0`"
        case .string: "compare it, as in `\(value) == \"on\"`"
        case .duration: "compare it, as in `\(value) > minutes(5)`"
        case .timestamp where text == "now":
            "it is always some moment: write a time of day with `at:`, or compare, as in `elapsed() > minutes(5)`"
        case .timestamp: "compare it, as in `now - \(value) > minutes(5)`"
        default: nil
        }
    }

    /// Checks that an expression gives a length of time.
    mutating func length(_ source: SourceText) -> Program? {
        guard let program = program(source) else { return nil }
        expect(
            .duration,
            program,
            source,
            "a length of time",
            "write seconds(…), minutes(…) or duration(\"15m\")"
        )
        refusePayload(program, source, "a length of time") { "as in seconds(\($0)) or minutes(\($0))" }
        return program
    }

    mutating func expect(
        _ type: ExpressionType,
        _ program: Program,
        _ source: SourceText,
        _ what: String,
        _ remedy: String
    ) {
        guard program.type != type, program.type != .dyn else { return }
        report(
            .wrongType,
            source,
            "this must be \(what), but it is \(program.type.description)",
            remedy: remedy
        )
    }
}
