import SkerryDevice
import SkerryFiles

/// A translation of detector models to definitions, whose machines behave like the detectors, even where those are odd.
///
/// A state's `onInput` becomes a transition without target on all inputs and all timers. Its transitions follow on an
/// event `decide` that this transition raises, because SCXML evaluates guards before actions. With `BATCH`, conditions
/// that earlier actions could change are evaluated first and stored in variables; with `SERIAL`, only the states of
/// timers are. `timeout()` becomes `timer.<name>.elapsed`, and a check that uses up the end stops the timer.
///
/// See docs/decisions/0003-imports.md.
package struct DetectorTranslation {
    /// The default topic filter for inputs of AWS.
    package static let defaultTopic = "iotevents/{input}/{device}"

    /// The signal with the name of the last input; no input can have this name, because of the space.
    private static let lastInput = "last input"

    var imported = ImportedDefinition()
    let model: DetectorModel
    var names = DetectorExpressionWriter.Names()
    /// The names of signals.
    private var signals = DetectorNames(avoiding: DetectorNames.ofLanguage)
    /// The names of variables and timers.
    var variables = DetectorNames(avoiding: ["decide", "input", "to"])
    /// The inputs in the order of their first use in the model.
    private var inputs: [String] = []
    /// The inputs whose data some expression reads.
    private var readInputs: Set<String> = []
    /// The variables with their first values, in the order of declaration.
    var context: [(name: String, first: String)] = []
    /// The timers in the order of their first use in the model.
    var timers: [DetectorTimer] = []
    /// True if a condition asks for the cause of its evaluation.
    var readsTrigger = false

    private init(_ model: DetectorModel) {
        self.model = model
    }

    /// Makes a definition from a file with a detector model.
    ///
    /// - Parameters:
    ///   - text: The text of the file, JSON or YAML.
    ///   - kind: The kind of device; the name of the model or the file when nil.
    ///   - topic: A topic filter with `{device}`, and with `{input}` for the name of the input.
    ///   - file: The name of the file.
    ///   - name: The name of a model, for a template with several.
    /// - Returns: The definition; without a draft when the file has errors.
    package static func definition(
        from text: String,
        kind: String? = nil,
        topic: String = defaultTopic,
        file: String,
        model name: String? = nil
    ) -> ImportedDefinition {
        var result = ImportedDefinition()
        let reading = DetectorModelReader.read(text)
        result.problems = reading.problems
        let models = reading.models.filter { name == nil || $0.name?.text == name }
        if models.count != 1, reading.problems.isEmpty {
            let names = reading.models.compactMap { $0.name?.text }.joined(separator: ", ")
            result.problems.append(
                DefinitionProblem(
                    .badImport,
                    at: Place(line: 1, column: 1),
                    models.isEmpty ? "there is no such model" : "the file has several models",
                    remedy: "name one of them with --model: \(names)"
                )
            )
        }
        guard result.problems.isEmpty, let model = models.first else { return result }
        var translation = DetectorTranslation(model)
        let stem = file.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? file
        translation.translate(
            kind: kind ?? ImportedDefinition.kind(from: model.name?.text ?? stem),
            topic: topic
        )
        return translation.imported
    }

    private mutating func translate(kind: String, topic: String) {
        collectNames()
        let place = model.initial.place
        guard inputs.count == 1 || topic.contains("{input}") else {
            imported.problems.append(
                DefinitionProblem(
                    .badImport,
                    at: Place(line: 1, column: 1),
                    "the model has \(inputs.count) inputs, which one topic can't tell apart",
                    remedy: "put {input} into the topic, as in \(Self.defaultTopic)"
                )
            )
            return
        }
        var machine = StateDraft(name: SourceText("", at: place))
        machine.initial = [model.initial]
        machine.states = model.states.map { state($0) }
        var draft = DefinitionDraft(kind: SourceText(kind, at: place), machine: machine)
        draft.name = model.name.map { SourceText($0.text, at: $0.place) }
        draft.sources = sources(topic: topic, at: place)
        draft.context = context.map { variable in
            NamedText(name: SourceText(variable.name, at: place), text: SourceText(variable.first, at: place))
        }
        draft.timers = timers.map { $0.draft(at: place) }
        imported.draft = draft
        imported.problems.sort { $0.place < $1.place }
        explain()
    }

    // MARK: Names

    private mutating func collectNames() {
        for state in model.states {
            for event in state.onEnter + state.onInput + state.transitions + state.onExit {
                event.condition.map { collectNames(in: $0) }
                for action in event.actions { collectNames(in: action) }
            }
        }
        if inputs.isEmpty { addInput("input") }
        if readsTrigger {
            names.trigger = variables.free("trigger")
            context.append((names.trigger, signals.name(for: Self.lastInput)))
        }
        for index in timers.indices where timers[index].isReset {
            timers[index].length = variables.free(timers[index].name + "_seconds")
            context.append((timers[index].length ?? "", "null"))
        }
    }

    private mutating func collectNames(in expression: DetectorExpression) {
        for part in expression.all {
            switch part {
            case .variable(let name): addVariable(name)
            case .input(let name, _):
                addInput(name)
                readInputs.insert(name)
            case .call(.currentInput, let arguments):
                readsTrigger = true
                if case .text(let name)? = arguments.first { addInput(name) }
            case .call(.triggerType, _): readsTrigger = true
            case .call(.timeout, let arguments):
                if case .text(let name)? = arguments.first { addTimer(name) }
            default: break
            }
        }
    }

    private mutating func collectNames(in action: DetectorAction) {
        switch action.kind {
        case .setVariable(let name, let value):
            collectNames(in: value)
            addVariable(name)
        case .setTimer(let name, let length):
            collectNames(in: length)
            timers[addTimer(name)].lengths.append(length)
        case .resetTimer(let name): timers[addTimer(name)].isReset = true
        case .clearTimer(let name): addTimer(name)
        case .outside: break
        }
    }

    private mutating func addVariable(_ name: String) {
        guard names.variables[name] == nil else { return }
        let own = variables.name(for: name)
        names.variables[name] = own
        context.append((own, "unset"))
    }

    private mutating func addInput(_ name: String) {
        guard names.inputs[name] == nil else { return }
        inputs.append(name)
        names.inputs[name] = signals.name(for: name)
    }

    @discardableResult
    private mutating func addTimer(_ name: String) -> Int {
        if let known = timers.firstIndex(where: { $0.original == name }) { return known }
        let own = variables.free(name)
        names.timers[name] = own
        timers.append(DetectorTimer(original: name, name: own))
        return timers.count - 1
    }

    // MARK: Parts

    private mutating func sources(topic: String, at place: Place) -> [SourceDraft] {
        inputs.map { input in
            let signal = names.inputs[input] ?? input
            var source = SourceDraft(topic: SourceText(topic.replacing("{input}", with: input), at: place))
            let event = readsTrigger ? "input.\(signal)" : "input"
            source.event = SourceText(DetectorExpressionWriter.quoted(event), at: place)
            if readInputs.contains(input) {
                source.signals.append(
                    NamedText(name: SourceText(signal, at: place), text: SourceText("payload", at: place))
                )
            }
            if readsTrigger {
                source.signals.append(
                    NamedText(
                        name: SourceText(signals.name(for: Self.lastInput), at: place),
                        text: SourceText(DetectorExpressionWriter.quoted(event), at: place)
                    )
                )
            }
            return source
        }
    }

    /// Adds the comments at the top of the definition.
    private mutating func explain() {
        let method = model.evaluation == .batch ? "BATCH" : "SERIAL"
        let name = model.name.map { " '\($0.text)'" } ?? ""
        imported.comments.add("Imported from the AWS IoT Events detector model\(name) (\(method)).", at: .top)
        if let summary = model.summary { imported.comments.add(summary.text, at: .top) }
        let device =
            model.key.map { "The key '\($0.text)' is {device} in the topics." }
            ?? "The model has no key: there is one detector, so send everything with one name for {device}."
        imported.comments.add(device, at: .top)
        imported.comments.add("Add 'activity:' to show people what it does.", at: .top)
        for timer in timers where timer.lengths.isEmpty {
            imported.comments.add("The model never sets it.", at: .timer(timer.name))
        }
    }

    /// Reports a part that the language can't express.
    mutating func tell(_ source: SourceText, _ message: String, _ remedy: String? = nil) {
        imported.problems.append(DefinitionProblem(.notTranslated, source, message, remedy: remedy))
    }
}

extension DetectorTranslation {
    /// The lengths of timers that AWS allows, in seconds.
    private static let timerRange: ClosedRange<Int64> = 1...31_622_400

    /// Translates the actions of an event; if one of them fails, the others are still performed.
    mutating func actions(of event: DetectorEvent, at spot: DefinitionComments.Spot) -> [ActionDraft] {
        var result: [ActionDraft] = []
        var mayFail = false
        for action in event.actions {
            switch action.kind {
            case .setVariable(let name, let value):
                var writer = DetectorExpressionWriter(names)
                let part = writer.value(value)
                mayFail = mayFail || !part.isTotal
                result += set(names.variables[name] ?? name, to: part, writer.checks, action.source)
            case .setTimer(let name, let length): result += start(name, length, action.source)
            case .resetTimer(let name): result += restart(name, action.source)
            case .clearTimer(let name):
                guard let timer = timers.first(where: { $0.original == name }) else { continue }
                result.append(.stop(SourceText(timer.name, at: action.source.place)))
                if let length = timer.length { result.append(assign(length, "null", action.source)) }
            case .outside(let words):
                imported.comments.add("'\(event.name.text)' \(words).", at: spot)
                tell(action.source, "'\(action.source.text)' has no words in the language: it \(words)")
            }
        }
        return mayFail ? [.attempt(result)] : result
    }

    /// Sets a variable, and stops the timers whose end the new value used up.
    private mutating func set(
        _ name: String,
        to value: DetectorExpressionWriter.Part,
        _ checks: [DetectorExpressionWriter.Check],
        _ source: SourceText
    ) -> [ActionDraft] {
        var checks = checks
        var result: [ActionDraft] = []
        for index in checks.indices
        where checks[index].reach.contains(where: { $0.contains("context.\(name)") }) {
            // The condition reads the variable, which has another value by the time the timer is stopped.
            let keeper = keeper(of: name)
            let reach = checks[index].reach.joined(separator: " && ")
            result.append(assign(keeper, "default(\(reach), false)", source))
            checks[index].reach = ["context.\(keeper)"]
        }
        result.append(assign(name, value.text, source))
        return result + consumption(of: checks, source)
    }

    private mutating func start(
        _ name: String,
        _ length: DetectorExpression,
        _ source: SourceText
    ) -> [ActionDraft] {
        guard let timer = timers.first(where: { $0.original == name }) else { return [] }
        let text = SourceText(timer.name, at: source.place)
        if let seconds = length.wholeSeconds {
            guard checkLength(seconds, source) else { return [] }
            let own = timer.constant == nil ? DetectorTimer.text(ofSeconds: seconds) : nil
            var actions: [ActionDraft] = []
            if let length = timer.length { actions.append(assign(length, "\(seconds)", source)) }
            return actions + [.start(text, duration: own.map { SourceText($0, at: source.place) })]
        }
        let part = written(length)
        let range = Self.timerRange
        let isRight = "\(part.within(4)) >= \(range.lowerBound) && \(part.within(4)) <= \(range.upperBound)"
        var actions: [ActionDraft] = []
        var seconds = "int(\(part.text))"
        if let length = timer.length {
            actions.append(assign(length, seconds, source))
            seconds = "context.\(length)"
        }
        actions.append(.start(text, duration: SourceText("seconds(\(seconds))", at: source.place)))
        return [.guarded(SourceText(isRight, at: source.place), actions, otherwise: [])]
    }

    /// True if AWS allows this length of a timer; reports other lengths.
    private mutating func checkLength(_ seconds: Int64, _ source: SourceText) -> Bool {
        let range = Self.timerRange
        guard range.contains(seconds) else {
            let allowed = "\(range.lowerBound) to \(range.upperBound) seconds"
            tell(source, "AWS sets timers of \(allowed) only, this is \(seconds)")
            return false
        }
        if seconds < 60 {
            tell(source, "\(seconds) seconds are kept as they are; AWS is exact from 60 seconds on only")
        }
        return true
    }

    private mutating func restart(_ name: String, _ source: SourceText) -> [ActionDraft] {
        guard let timer = timers.first(where: { $0.original == name }), let length = timer.length else {
            return []
        }
        let text = SourceText(timer.name, at: source.place)
        let duration = SourceText("seconds(context.\(length))", at: source.place)
        return [
            .guarded(
                SourceText("context.\(length) != null", at: source.place),
                [.start(text, duration: duration)],
                otherwise: []
            )
        ]
    }

    /// Writes a value as CEL, without the side effects of a `timeout()` in it.
    private mutating func written(_ expression: DetectorExpression) -> DetectorExpressionWriter.Part {
        var writer = DetectorExpressionWriter(names)
        return writer.value(expression)
    }

    func assign(_ name: String, _ value: String, _ source: SourceText) -> ActionDraft {
        .assign(SourceText(name, at: source.place), value: SourceText(value, at: source.place))
    }

    /// The actions with a guard, if there is one; none if there are no actions.
    func guarded(_ condition: String?, _ actions: [ActionDraft], _ source: SourceText) -> [ActionDraft] {
        guard let condition, !actions.isEmpty else { return actions }
        return [.guarded(SourceText(condition, at: source.place), actions, otherwise: [])]
    }

    /// Stops the timers whose end was used up by checks; the last check comes first, because it depends on the others.
    ///
    /// The conditions in `gate` must hold for any of these checks to have been evaluated.
    func consumption(
        of checks: [DetectorExpressionWriter.Check],
        when gate: [String] = [],
        _ source: SourceText
    ) -> [ActionDraft] {
        checks.reversed().flatMap { check in
            let condition = (gate + check.reach + [names.isOver(check.timer)]).joined(separator: " && ")
            return guarded(condition, use(check.timer, source), source)
        }
    }

    /// Uses up the end of a timer; a timer that was started again since continues.
    func use(_ timer: String, _ source: SourceText) -> [ActionDraft] {
        let stop = ActionDraft.stop(SourceText(timer, at: source.place))
        guard let end = names.ends[timer] else { return [stop] }
        return guarded("timer.\(timer).elapsed", [stop], source) + [assign(end, "false", source)]
    }
}
