import SkerryDevice
import SkerryFiles

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
