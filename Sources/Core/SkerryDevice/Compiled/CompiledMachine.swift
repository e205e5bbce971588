import SkerryExpressions
import SkerryMachine
import SkerryValues

extension DefinitionParts {
    /// Writes or reads what the machine asks of its host, and the machine; lengths of time that settings give must be where the
    /// settings put them.
    mutating func codeMachine<Coder: CompiledCoder>(
        _ old: DefinitionParts?,
        _ chart: Statechart?,
        by coder: inout Coder
    ) throws(ImageFault) -> Statechart {
        let pairs = old.map { Array(zip($0.guards, $0.guardTexts)) }
        let read = try coder.list(pairs) { coder, pair throws(ImageFault) in
            (try coder.program(pair?.0), try coder.text(pair?.1))
        }
        (guards, guardTexts) = (read.map { $0.0 }, read.map { $0.1 })
        intervals = try coder.list(old?.intervals)
        hostActions = try coder.list(old?.hostActions)
        timesOfDay = try coder.list(old?.timesOfDay)
        silences = try coder.list(old?.silences)
        runsUnavailable = try coder.flag(old?.runsUnavailable)
        var bounds = Statechart.Limits()
        bounds.microsteps = limits.microsteps
        let chart = try coder.chart(
            chart,
            timers: timers.map { $0.name },
            numbers: Statechart.HostNumbers(
                guards: guards.count,
                lengths: intervals.count,
                actions: hostActions.count,
                moments: timesOfDay.count,
                silences: silences.count
            ),
            limits: bounds
        )
        guard chart.states.count == coder.known.states else { throw .malformed }
        lengthUses = try coder.list(old?.lengthUses) { coder, use throws(ImageFault) in
            LengthUse(
                part: try LengthUse.Part.coded(use?.part, of: chart, by: &coder),
                setting: try coder.index(use?.setting, below: coder.known.settings)
            )
        }
        migrations = try coder.list(old?.migrations) { coder, migration throws(ImageFault) in
            Migration(from: try coder.text(migration?.from), to: try coder.part(migration?.to))
        }
        return chart
    }
}

extension TimerDefinition {
    /// Writes or reads a timer without its name.
    static func coded<Coder: CompiledCoder>(
        _ old: TimerDefinition?,
        named name: String,
        by coder: inout Coder
    ) throws(ImageFault) -> TimerDefinition {
        let tolerance: Interval = try coder.part(old?.tolerance)
        let relativeTolerance = try coder.part(old?.relativeTolerance)
        guard (0...0.5).contains(relativeTolerance) else { throw .malformed }
        let onRestart = try coder.choice(old?.onRestart)
        // One byte for both: a timer that pauses is written as it was before there were others.
        let policies = try coder.tag(old.map { $0.onNewEnd.rawValue | ($0.stops ? 2 : 0) })
        guard let onNewEnd = NewEndPolicy(rawValue: policies & 1), policies < 4 else { throw .malformed }
        let kind = try coder.part(old?.kind)
        let runsWhile = try coder.optional(old?.runsWhile)
        return TimerDefinition(
            name: name,
            tolerance: tolerance,
            relativeTolerance: relativeTolerance,
            onRestart: onRestart,
            onNewEnd: onNewEnd,
            kind: kind,
            runsWhile: runsWhile,
            stops: policies & 2 != 0,
            from: try coder.optional(old?.from),
            pausedFrom: try coder.optional(old?.pausedFrom),
            endDependencies: kind.end.map { Dependencies($0) } ?? Dependencies(),
            whileDependencies: runsWhile.map { Dependencies(ofCondition: $0) } ?? Dependencies(),
            learning: try coder.optional(old?.learning)
        )
    }
}

extension TimerDefinition.Kind: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let tag: UInt8 =
            switch part {
            case .remaining: 0
            case .until: 1
            case .duration: 2
            case .countUp, nil: 3
            }
        return switch try coder.tag(tag) {
        case 0: .remaining(try coder.program(part?.end))
        case 1: .until(try coder.program(part?.end))
        case 2: .duration(try coder.program(part?.end))
        case 3: .countUp
        default: throw .malformed
        }
    }
}

extension LearningPlan: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        LearningPlan(
            curve: try coder.optional(part?.curve),
            key: try coder.optional(part?.key),
            counts: try coder.optional(part?.counts),
            end: try coder.optional(part?.end),
            subject: try coder.unsigned(part?.subject)
        )
    }
}

extension HostAction: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let (tag, assignment, publication): (UInt8, Assignment?, PublicationTemplate?) =
            switch part {
            case .assign(let assignment): (0, assignment, nil)
            case .publish(let publication): (1, nil, publication)
            case nil: (0, nil, nil)
            }
        switch try coder.tag(tag) {
        case 0:
            let variable = try coder.index(assignment?.variable, below: coder.known.variables)
            return .assign(Assignment(variable: variable, program: try coder.program(assignment?.program)))
        case 1:
            return .publish(
                PublicationTemplate(
                    topic: try coder.part(publication?.topic),
                    payload: try coder.optional(publication?.payload),
                    isRetained: try coder.flag(publication?.isRetained),
                    quality: UInt8(
                        truncatingIfNeeded: try coder.index(publication.map { Int($0.quality) }, below: 2)
                    )
                )
            )
        default: throw .malformed
        }
    }
}

extension TimeOfDay: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        let (tag, seconds): (UInt8, Int64?) =
            switch part?.anchor {
            case .clock(let seconds): (0, seconds)
            case .sunrise: (1, nil)
            case .sunset: (2, nil)
            case nil: (0, nil)
            }
        let anchor: Anchor =
            switch try coder.tag(tag) {
            case 0: .clock(Int64(try coder.index(seconds.map { Int(max($0, 0)) }, below: 86_400)))
            case 1: .sunrise
            case 2: .sunset
            default: throw .malformed
            }
        let offset = try coder.interval(part?.offset)
        guard offset.magnitude <= TimeOfDay.offsetLimit else { throw .malformed }
        let weekdays = try coder.tag(part?.weekdays)
        return TimeOfDay(anchor, offset: offset, on: weekdays, text: try coder.text(part?.text))
    }
}

extension SignalSilence: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        SignalSilence(signals: try coder.part(part?.signals), asksChange: try coder.flag(part?.asksChange))
    }
}

extension LengthUse.Part {
    fileprivate static func coded<Coder: CompiledCoder>(
        _ old: LengthUse.Part?,
        of chart: Statechart,
        by coder: inout Coder
    ) throws(ImageFault) -> LengthUse.Part {
        let (written, number): (UInt8, Int) =
            switch old {
            case .hold(let number): (0, number)
            case .dropout(let number): (1, number)
            case .quiet(let number): (2, number)
            case .tolerance(let number): (3, number)
            case .stale, nil: (4, 0)
            case .dismissal: (5, 0)
            }
        let tag = try coder.tag(written)
        switch tag {
        case 0...2:
            let number = try coder.index(number, below: chart.transitions.count)
            switch (tag, chart.transitions[number].trigger) {
            case (0, .sustained): return .hold(number)
            case (1, .sustained): return .dropout(number)
            case (2, .quiet): return .quiet(number)
            default: throw .malformed
            }
        case 3: return .tolerance(try coder.index(number, below: coder.known.timers))
        case 4, 5:
            _ = try coder.index(number, below: 1)
            return tag == 4 ? .stale : .dismissal
        default: throw .malformed
        }
    }
}
