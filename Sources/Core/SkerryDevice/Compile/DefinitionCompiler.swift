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
            checkCost(of: program, paths, source)
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
            noteExpressions(of: template, paths, source)
            return template
        } catch {
            report(error, in: source)
            return nil
        }
    }

    /// Checks the cost of the expressions in a text, and remembers their places.
    mutating func noteExpressions(of template: TextTemplate, _ paths: PathTable, _ source: SourceText) {
        for case .expression(let program, let range) in template.parts {
            checkCost(of: program, paths, source, range)
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
        let remedy = "write seconds(…), minutes(…) or duration(\"15m\")"
        expect(Demand(type: .duration, what: "a length of time", remedy: remedy), program, source)
        refusePayload(program, source, "a length of time") { "as in seconds(\($0)) or minutes(\($0))" }
        return program
    }

    /// The value that an expression must have.
    struct Demand {
        var type: ExpressionType
        /// The value in words.
        var what: String
        var remedy: String

        static func text(_ what: String) -> Demand {
            Demand(type: .string, what: what, remedy: "write string(…)")
        }

        static func condition(as example: String) -> Demand {
            Demand(type: .bool, what: "true or false", remedy: "compare with something, as in \(example)")
        }
    }

    mutating func expect(_ demand: Demand, _ program: Program, _ source: SourceText) {
        guard program.type != demand.type, program.type != .dyn else { return }
        report(
            .wrongType,
            source,
            "this must be \(demand.what), but it is \(program.type.description)",
            remedy: demand.remedy
        )
    }
}

extension DefinitionCompiler {
    mutating func collectStates(_ state: StateDraft) {
        states.append(state)
        for child in state.states { collectStates(child) }
    }

    mutating func collectSignals() {
        for source in draft.sources {
            for signal in source.signals {
                let name = signal.name.text
                if parts.signalNames.contains(where: { $0.hasSameCodePoints(as: name) }) { continue }
                checkName(signal.name, "signal")
                parts.signalNames.append(name)
            }
        }
        if parts.signalNames.count > SignalSet.capacity, let last = draft.sources.last?.signals.last {
            report(.tooMany, last.name, "a definition may have at most \(SignalSet.capacity) signals")
            parts.signalNames.removeLast(parts.signalNames.count - SignalSet.capacity)
        }
    }

    mutating func collectNames() {
        for variable in draft.context {
            checkName(variable.name, "variable")
            parts.variableNames.append(variable.name.text)
        }
        for timer in draft.timers { checkName(timer.name, "timer") }
        for setting in draft.settings { checkName(setting.name, "setting") }
    }

    mutating func warnOfUnreadSignals() {
        for (index, name) in parts.signalNames.enumerated() {
            if readReferences.contains(ReferenceKind.signal.reference(index)) { continue }
            if readReferences.contains(ReferenceKind.changed.reference(index)) { continue }
            if readReferences.contains(ReferenceKind.reported.reference(index)) { continue }
            // How often a device reports is worth knowing, as in `skerry explain`, also where no guard asks for reports.
            if parts.signalForms.contains(where: { $0.signal == index && $0.kind == .pace }) { continue }
            guard name.isIdentifier, let signal = draft.firstDraft(ofSignal: name) else { continue }
            report(
                .signalNeverRead,
                signal.name,
                "nothing reads the signal '\(name)'",
                remedy: "use it in a guard, a timer or the content, or remove it"
            )
        }
    }

    mutating func warnOfUnreadVariables() {
        for (index, variable) in draft.context.enumerated() {
            if readReferences.contains(ReferenceKind.context.reference(index)) { continue }
            report(
                .variableNeverRead,
                variable.name,
                "nothing reads the variable '\(variable.name.text)'",
                remedy: "use context.\(variable.name.text) in a guard, an action or the content, or remove it"
            )
        }
    }

    private mutating func checkName(_ name: SourceText, _ what: String) {
        if !name.text.isIdentifier {
            let plain = String(name.text.map { $0 == "-" || $0 == " " || $0 == "." ? "_" : $0 })
            let rule = "a \(what)'s name has letters, digits and '_', and does not start with a digit"
            report(
                .badName,
                name,
                "'\(name.text)' can't be used in an expression",
                remedy: plain.isIdentifier ? "write `\(plain)`: \(rule)" : rule
            )
            // Expressions may have the name as its author would write it there.
            scope.toleratesUnknownNames = true
        } else if what == "signal", isReservedWord(name.text) {
            report(
                .badName,
                name,
                "'\(name.text)' is a word of CEL, the language of expressions",
                remedy: "choose another name, as in '\(name.text)_'"
            )
        } else if what == "signal", DefinitionDraft.reservedNames.contains(name.text),
            name.text != "settings" || !draft.settings.isEmpty
        {
            report(.badName, name, "'\(name.text)' is a word of the language", remedy: "choose another name")
        }
    }

    /// Declares the names that every expression may use, except signals, whose types are not known yet.
    mutating func declareScope() {
        scope.declare("device", type: .string, as: ReferenceKind.deviceID.reference())
        scope.declare("device.id", type: .string, as: ReferenceKind.deviceID.reference())
        scope.declare("device.name", type: .string, as: ReferenceKind.deviceName.reference())
        scope.declare("device.kind", type: .string, as: ReferenceKind.deviceKind.reference())
        scope.declare("device.available", type: .bool, as: ReferenceKind.deviceAvailable.reference())
        scope.declare("state", type: .string, as: ReferenceKind.stateName.reference())
        scope.declare("now", type: .timestamp, as: ReferenceKind.now.reference())
        scope.declare("since", type: .timestamp, as: ReferenceKind.since.reference())
        scope.declare("place.zone", type: .string, as: ReferenceKind.zone.reference())
        scope.declare("event", type: .string, as: ReferenceKind.event.reference())
        for (index, timer) in draft.timers.enumerated() {
            scope.declare(
                "timer.\(timer.name.text)",
                type: .duration,
                as: ReferenceKind.timer.reference(index)
            )
            scope.declare(
                "timer.\(timer.name.text).elapsed",
                type: .bool,
                as: ReferenceKind.timerElapsed.reference(index)
            )
            scope.declare(
                "timer.\(timer.name.text).end",
                type: .timestamp,
                as: ReferenceKind.timerEnd.reference(index)
            )
        }
        for (index, name) in parts.variableNames.enumerated() {
            scope.declare("context.\(name)", type: .dyn, as: ReferenceKind.context.reference(index))
        }
        for (index, setting) in draft.settings.enumerated() {
            scope.declare(
                "settings.\(setting.name.text)",
                type: setting.standard.type,
                as: ReferenceKind.setting.reference(index)
            )
        }
        // A signal may have had this name before it was a word of the language.
        if !parts.signalNames.contains(where: { $0.hasSameCodePoints(as: "unset") }) {
            scope.declareAbsent("unset", as: ReferenceKind.unset.reference())
        }
        scope.declareCall(
            "elapsed",
            parameter: .none,
            choices: [CallChoice("", as: ReferenceKind.elapsed.reference(), type: .duration)]
        )
        var stateChoices: [CallChoice] = []
        for (index, state) in states.enumerated() where index > 0 {
            stateChoices.append(
                CallChoice(state.name.text, as: ReferenceKind.inState.reference(index), type: .bool)
            )
        }
        scope.declareCall("inState", parameter: .text, choices: stateChoices)
        declareNews()
    }

    /// Declares the words that ask whether a message told a signal, or changed it.
    private mutating func declareNews() {
        for (name, kind) in [("changed", ReferenceKind.changed), ("reported", .reported)] {
            let choices = parts.signalNames.enumerated().map { index, signal in
                CallChoice(signal, as: kind.reference(index), type: .bool)
            }
            scope.declareCall(name, parameter: .name, choices: choices)
        }
    }
}

// Mistakes in expressions that are certain although the types are not known.

extension DefinitionCompiler {
    /// Refuses a value of a payload as it is where a time belongs: payloads have numbers and texts.
    mutating func refusePayload(
        _ program: Program,
        _ source: SourceText,
        _ what: String,
        remedy: (_ value: String) -> String
    ) {
        guard program.type == .dyn, isOfPayload(program, within: []) else { return }
        let signal = program.reference.flatMap { reference in
            reference.kind == ReferenceKind.signal.rawValue
                ? draft.firstDraft(ofSignal: parts.signalNames[Int(reference.index)]) : nil
        }
        let value = signal?.text.text ?? source.text
        let isPath = value.utf8.starts(with: "payload.".utf8)
        report(
            .wrongType,
            source,
            "this is a number or a text as the payload has it, and no \(what.dropFirst(2))",
            remedy: (signal.map { "convert it where '\($0.name.text)' is set, " } ?? "convert it, ")
                + remedy(isPath ? value : "payload.left")
        )
    }

    /// True if an expression can only give what a payload has, unchanged.
    private func isOfPayload(_ program: Program, within outer: [Int]) -> Bool {
        guard let returned = program.returnedReferences else { return false }
        var isOfPayload = false
        for reference in returned {
            switch ReferenceKind(rawValue: reference.kind) {
            case .unset: break
            case .payload, .item: isOfPayload = true
            case .signal:
                let index = Int(reference.index)
                if outer.contains(index) { continue }
                let assignments = parts.sources.flatMap { $0.signals }.filter { $0.signal == index }
                guard !assignments.isEmpty, !failedSignals.contains(index),
                    assignments.allSatisfy({
                        $0.form == nil && self.isOfPayload($0.program, within: outer + [index])
                    })
                else { return false }
                isOfPayload = true
            default: return false
            }
        }
        return isOfPayload
    }

    /// Refuses a comparison of `state` with what is not the name of an innermost state.
    mutating func checkStates(comparedBy program: Program, _ source: SourceText, _ range: Range<Int>? = nil) {
        guard !draft.isIncomplete, !draft.unreadNames.contains(.state) else { return }
        for (reference, constant) in program.comparisons {
            guard reference.kind == ReferenceKind.stateName.rawValue, case .string(let text) = constant else {
                continue
            }
            for name in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
                let state = states.dropFirst().first { $0.name.text.hasSameCodePoints(as: name) }
                let isInnermost = state.map { $0.states.isEmpty && !$0.isHistory } ?? false
                // Before the machine has started there is none.
                if isInnermost || text.isEmpty { continue }
                let known = states.dropFirst().filter { $0.states.isEmpty && !$0.isHistory }.map {
                    $0.name.text
                }
                report(
                    .unknownState,
                    source,
                    range ?? 0..<source.text.utf8.count,
                    state == nil
                        ? "there is no state '\(name)'"
                        : "'state' is the innermost state, and '\(name)' has states within it",
                    remedy: state == nil
                        ? nearestName(to: name, among: known).map { "did you mean '\($0)'?" }
                        : "write `inState(\"\(name)\")`"
                )
                return
            }
        }
    }
}

extension StateDraft {
    fileprivate var isHistory: Bool { if case .history = kind { true } else { false } }
}

/// The largest input that cost estimates assume; larger input meets the limit at run time.
///
/// A payload may have 256 KiB. If estimates assumed one list of that size, hardly any loop would be allowed.
enum AssumedSize {
    /// The bytes of texts plus the number of elements in one value, nested ones included.
    static let bulk = 1000
    /// The number of elements of one list or map.
    static let elements = 100
    /// The bytes of a name, such as the name of a device.
    static let name = 100
}

extension DefinitionCompiler {
    /// Refuses an expression that can cost more than the limit when devices send values of the assumed size.
    mutating func checkCost(
        of program: Program,
        _ paths: PathTable,
        _ source: SourceText,
        _ range: Range<Int>? = nil
    ) {
        let limit = Int64(parts.limits.expressionCost)
        let cost = program.estimatedCost(elements: AssumedSize.elements) { assumedBulk(of: $0, paths) }
        guard cost > limit else { return }
        report(
            .tooCostly,
            source,
            range ?? 0..<source.text.utf8.count,
            "evaluating this can cost \(cost), and the limit is \(limit)",
            remedy: (program.hasLoop
                ? "do less with each element, without a loop in a loop"
                : "work on shorter texts and lists, as with substring()")
                + ", or raise 'limits.expression-cost'"
        )
    }

    private func assumedBulk(of reference: Reference, _ paths: PathTable) -> Int {
        switch ReferenceKind(rawValue: reference.kind) {
        case .signal:
            let index = Int(reference.index)
            guard index < parts.signalTypes.count else { return AssumedSize.bulk }
            switch parts.signalTypes[index] {
            case .bool, .int, .uint, .double, .null, .timestamp, .duration: return 0
            default: return AssumedSize.bulk
            }
        case .changed, .reported, .timer, .timerElapsed, .timerEnd, .inState, .elapsed, .now, .since,
            .deviceAvailable, .unset:
            return 0
        case .deviceName, .deviceID, .deviceKind, .stateName, .event, .capture, .setting, .zone:
            return AssumedSize.name
        case .payload: return assumedBulk(of: paths.paths[Int(reference.index)])
        case .context, .item, .stateTitle, .field, nil: return AssumedSize.bulk
        }
    }

    /// A field of a payload of bytes is never larger than its type.
    private func assumedBulk(of path: [PathStep]) -> Int {
        guard let source = payloadSource.map({ draft.sources[$0] }) else { return AssumedSize.bulk }
        if [.number, .bool].contains(source.payload) { return 0 }
        guard case .key(let name)? = path.first,
            let field = source.fields.first(where: { $0.name.hasSameCodePoints(as: name) })
        else { return AssumedSize.bulk }
        switch field.kind {
        case .whole, .floating: return 0
        case .text(let bytes), .bytes(let bytes): return bytes
        }
    }
}
