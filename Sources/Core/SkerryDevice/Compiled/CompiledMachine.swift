import SkerryExpressions
import SkerryMachine
import SkerryValues

extension DefinitionParts {
    /// Writes what the machine asks of its host, and the machine.
    func writeMachine(_ chart: Statechart, to writer: inout CompiledWriter) {
        writer.image.count(guards.count)
        for (program, text) in zip(guards, guardTexts) {
            writer.program(program)
            writer.image.text(text)
        }
        writer.list(intervals) { $0.program($1) }
        writer.list(hostActions) { $0.action($1) }
        writer.list(timesOfDay) { $0.timeOfDay($1) }
        writer.list(silences) { $0.silence($1) }
        writer.image.flag(runsUnavailable)
        chart.write(to: &writer.image)
        writer.list(lengthUses) { writer, use in
            writer.use(use.part)
            writer.image.count(use.setting)
        }
        writer.list(migrations) { writer, migration in
            writer.image.text(migration.from)
            writer.image.unsigned(UInt64(migration.to.rawValue))
        }
    }

    /// Reads the machine; lengths of time that settings give must be where the settings put them.
    mutating func readMachine(
        from reader: inout CompiledReader,
        timers: [String]
    ) throws(ImageFault) -> Statechart {
        for _ in 0..<(try reader.image.count()) {
            guards.append(try reader.program())
            guardTexts.append(try reader.image.text())
        }
        intervals = try reader.list { reader throws(ImageFault) in try reader.program() }
        hostActions = try reader.list { reader throws(ImageFault) in try reader.action() }
        timesOfDay = try reader.list { reader throws(ImageFault) in try reader.timeOfDay() }
        silences = try reader.list { reader throws(ImageFault) in try reader.silence() }
        runsUnavailable = try reader.image.flag()
        var bounds = Statechart.Limits()
        bounds.microsteps = limits.microsteps
        let chart = try Statechart.read(
            from: &reader.image,
            timers: timers,
            numbers: Statechart.HostNumbers(
                guards: guards.count,
                lengths: intervals.count,
                actions: hostActions.count,
                moments: timesOfDay.count,
                silences: silences.count
            ),
            limits: bounds
        )
        guard chart.states.count == reader.stateCount else { throw .malformed }
        lengthUses = try reader.list { reader throws(ImageFault) in
            LengthUse(
                part: try reader.usePart(of: chart),
                setting: try reader.index(below: reader.settingCount)
            )
        }
        migrations = try reader.list { reader throws(ImageFault) in
            Migration(from: try reader.image.text(), to: try reader.state())
        }
        return chart
    }
}

extension CompiledWriter {
    mutating func timer(_ timer: TimerDefinition) {
        image.interval(timer.tolerance)
        image.double(timer.relativeTolerance)
        image.tag(timer.onRestart.rawValue)
        image.tag(timer.onNewEnd.rawValue)
        switch timer.kind {
        case .remaining(let program): end(0, program)
        case .until(let program): end(1, program)
        case .duration(let program): end(2, program)
        case .countUp: image.tag(3)
        }
        optionalProgram(timer.runsWhile)
        optionalProgram(timer.from)
        optionalProgram(timer.pausedFrom)
        optional(timer.learning) { writer, plan in
            for program in [plan.curve, plan.key, plan.counts, plan.end] { writer.optionalProgram(program) }
            writer.image.unsigned(plan.subject)
        }
    }

    private mutating func end(_ tag: UInt8, _ program: Program) {
        image.tag(tag)
        self.program(program)
    }

    fileprivate mutating func action(_ action: HostAction) {
        switch action {
        case .assign(let assignment):
            image.tag(0)
            image.count(assignment.variable)
            program(assignment.program)
        case .publish(let publication):
            image.tag(1)
            template(publication.topic)
            optionalTemplate(publication.payload)
            image.flag(publication.isRetained)
            image.count(Int(publication.quality))
        }
    }

    fileprivate mutating func timeOfDay(_ time: TimeOfDay) {
        switch time.anchor {
        case .clock(let seconds):
            image.tag(0)
            image.unsigned(UInt64(clamping: seconds))
        case .sunrise: image.tag(1)
        case .sunset: image.tag(2)
        }
        image.interval(time.offset)
        image.tag(time.weekdays)
        image.text(time.text)
    }

    mutating func silence(_ silence: SignalSilence) {
        signals(silence.signals)
        image.flag(silence.asksChange)
    }

    fileprivate mutating func use(_ part: LengthUse.Part) {
        let (tag, number): (UInt8, Int) =
            switch part {
            case .hold(let number): (0, number)
            case .dropout(let number): (1, number)
            case .quiet(let number): (2, number)
            case .tolerance(let number): (3, number)
            case .stale: (4, 0)
            case .dismissal: (5, 0)
            }
        image.tag(tag)
        image.count(number)
    }
}

extension CompiledReader {
    mutating func timer(named name: String) throws(ImageFault) -> TimerDefinition {
        let (tolerance, relativeTolerance) = (try length(), try finite())
        guard (0...0.5).contains(relativeTolerance) else { throw .malformed }
        let onRestart = try choice(RestartPolicy.self)
        let onNewEnd = try choice(NewEndPolicy.self)
        var dependencies = Dependencies()
        let kind: TimerDefinition.Kind
        switch try image.tag() {
        case 0: kind = .remaining(try end(&dependencies))
        case 1: kind = .until(try end(&dependencies))
        case 2: kind = .duration(try end(&dependencies))
        case 3: kind = .countUp
        default: throw .malformed
        }
        let runsWhile = try optionalProgram()
        return TimerDefinition(
            name: name,
            tolerance: tolerance,
            relativeTolerance: relativeTolerance,
            onRestart: onRestart,
            onNewEnd: onNewEnd,
            kind: kind,
            runsWhile: runsWhile,
            from: try optionalProgram(),
            pausedFrom: try optionalProgram(),
            endDependencies: dependencies,
            whileDependencies: runsWhile.map { Dependencies($0) } ?? Dependencies(),
            learning: try optional { reader throws(ImageFault) in
                LearningPlan(
                    curve: try reader.optionalProgram(),
                    key: try reader.optionalProgram(),
                    counts: try reader.optionalProgram(),
                    end: try reader.optionalProgram(),
                    subject: try reader.image.unsigned()
                )
            }
        )
    }

    private mutating func end(_ dependencies: inout Dependencies) throws(ImageFault) -> Program {
        let program = try program()
        dependencies = Dependencies(program)
        return program
    }

    fileprivate mutating func action() throws(ImageFault) -> HostAction {
        switch try image.tag() {
        case 0: .assign(Assignment(variable: try index(below: variableCount), program: try program()))
        case 1:
            .publish(
                PublicationTemplate(
                    topic: try template(),
                    payload: try optionalTemplate(),
                    isRetained: try image.flag(),
                    quality: UInt8(truncatingIfNeeded: try index(below: 2))
                )
            )
        default: throw .malformed
        }
    }

    fileprivate mutating func timeOfDay() throws(ImageFault) -> TimeOfDay {
        let anchor: TimeOfDay.Anchor
        switch try image.tag() {
        case 0: anchor = .clock(Int64(try index(below: 86_400)))
        case 1: anchor = .sunrise
        case 2: anchor = .sunset
        default: throw .malformed
        }
        let offset = try image.interval()
        guard offset.magnitude <= TimeOfDay.offsetLimit else { throw .malformed }
        return TimeOfDay(anchor, offset: offset, on: try image.tag(), text: try image.text())
    }

    mutating func silence() throws(ImageFault) -> SignalSilence {
        SignalSilence(signals: try signals(), asksChange: try image.flag())
    }

    fileprivate mutating func usePart(of chart: Statechart) throws(ImageFault) -> LengthUse.Part {
        let tag = try image.tag()
        switch tag {
        case 0...2:
            let number = try index(below: chart.transitions.count)
            switch (tag, chart.transitions[number].trigger) {
            case (0, .sustained): return .hold(number)
            case (1, .sustained): return .dropout(number)
            case (2, .quiet): return .quiet(number)
            default: throw .malformed
            }
        case 3: return .tolerance(try index(below: timerCount))
        case 4, 5:
            _ = try index(below: 1)
            return tag == 4 ? .stale : .dismissal
        default: throw .malformed
        }
    }
}
