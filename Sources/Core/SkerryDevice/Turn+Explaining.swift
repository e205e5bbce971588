public import SkerryActivity
public import SkerryExpressions
import SkerryMachine
public import SkerryValues

extension Turn {
    /// Writes the device's values, its waits and the present values of its guards, as members of an object.
    ///
    /// The device does not change. Values longer than 1,000 bytes are cut.
    ///
    /// - Parameter writer: The writer, within the object.
    public func explain(to writer: inout JSONWriter) {
        explainMemory(to: &writer)
        explainStates(to: &writer)
        explainTimers(to: &writer)
        explainWaits(to: &writer)
        explainTransitions(to: &writer)
        explainActivity(to: &writer)
        explainNext(to: &writer)
        if let timeline = timeline(at: scene.now) {
            writer.key("timeline")
            timeline.write(to: &writer)
        }
    }

    private func explainMemory(to writer: inout JSONWriter) {
        let definition = scene.definition
        writeName(to: &writer)
        if let heard = machine.heardAt { writer.member("heard", heard) }
        if let isAvailable = scene.memory.isAvailable { writer.member("available", isAvailable) }
        if let key = scene.memory.runKey { writer.member("run", key) }
        if scene.memory.swallowed > 0 { writer.member("swallowedRuns", UInt64(scene.memory.swallowed)) }
        if let forgetting = scene.memory.forgetting { writer.member("forgotten", forgetting.at) }
        writer.member("failedReadings", UInt64(scene.memory.failedReadings))
        writer.member("refusedValues", UInt64(scene.memory.refusedValues))
        explainChoices(to: &writer)
        let lists = [
            ("signals", definition.signalNames, 0),
            ("variables", definition.variableNames, scene.firstVariable),
        ]
        for (name, members, first) in lists {
            writer.object(name) { writer in
                for (number, member) in members.enumerated() {
                    writer.key(member)
                    writer.shortValue(scene.memory.values[first + number])
                }
            }
        }
        explainTypes(to: &writer)
        explainReports(to: &writer)
    }

    /// Writes which signals and variables are lengths of time or moments, which JSON has as numbers; variables as expressions name them.
    private func explainTypes(to writer: inout JSONWriter) {
        let definition = scene.definition
        var (durations, moments): ([String], [String]) = ([], [])
        let variables = definition.variableNames.map { "context.\($0)" }
        for (name, number) in zip(definition.signalNames, 0...) { sort(name, number) }
        for (name, number) in zip(variables, scene.firstVariable...) { sort(name, number) }
        if !durations.isEmpty { writer.member("durations", durations) }
        if !moments.isEmpty { writer.member("moments", moments) }

        func sort(_ name: String, _ number: Int) {
            switch scene.memory.values[number] {
            case .duration: durations.append(name)
            case .timestamp: moments.append(name)
            default: break
            }
        }
    }

    /// Writes the moments of the last messages with each signal that has a value.
    private func explainReports(to writer: inout JSONWriter) {
        writer.object("reported") { writer in
            for (number, name) in scene.definition.signalNames.enumerated() {
                let moment = scene.memory.reportedAt[number]
                if case .error = scene.memory.values[number] { continue }
                if moment != .distantPast { writer.member(name, moment) }
            }
        }
    }

    /// Writes the settings of a definition that has some.
    private func explainChoices(to writer: inout JSONWriter) {
        let definition = scene.definition
        if definition.settings.isEmpty { return }
        writer.object("settings") { writer in
            for (setting, value) in zip(definition.settings, definition.settingChoices) {
                writer.member(setting.name, value.value)
            }
        }
    }

    private func explainStates(to writer: inout JSONWriter) {
        let definition = scene.definition
        writer.key("states")
        writer.beginArray()
        for state in machine.configuration where state != .root {
            writer.beginObject()
            writer.member("name", definition.chart[state].name)
            if let title = definition.titles[Int(state.rawValue)] {
                let limit = definition.limits.expressionCost
                writer.member("title", title.render(from: scene, machine, costLimit: limit))
            }
            if let since = machine.enteredAt(state) { writer.member("since", since) }
            writer.endObject()
        }
        writer.endArray()
        if machine.isFinished { writer.member("isFinished", true) }
    }

    private func explainTimers(to writer: inout JSONWriter) {
        writer.key("timers")
        writer.beginArray()
        for (number, timer) in scene.definition.timers.enumerated() {
            writer.beginObject()
            writer.member("name", timer.name)
            switch machine.timer(TimerID(rawValue: UInt16(number))) {
            case .stopped: writer.member("state", "stopped")
            case .running(let start, let end):
                writer.member("state", "running")
                writer.member("start", start)
                writer.member("end", end)
                writer.member("raises", timer.name + ".elapsed")
                let isHeld = machine.deadline(of: TimerID(rawValue: UInt16(number))) == nil
                if isHeld { writer.member("isHeld", true) }
            case .countingUp(let start):
                writer.member("state", "counting")
                writer.member("start", start)
            case .paused(let remaining, let duration):
                writer.member("state", "paused")
                writer.member("remaining", remaining)
                writer.member("duration", duration)
            case .pausedCount(let elapsed):
                writer.member("state", "paused")
                writer.member("elapsed", elapsed)
            case .elapsed(let start, let end):
                writer.member("state", "elapsed")
                writer.member("start", start)
                writer.member("end", end)
            }
            if scene.definition.learner?.timer.rawValue == UInt16(number) { explainLearning(to: &writer) }
            writer.endObject()
        }
        writer.endArray()
    }

    private func explainWaits(to writer: inout JSONWriter) {
        writer.objects("waits", machine.pendingTransitions) { writer, wait in
            writer.head(of: wait.transition, in: scene.definition)
            writer.member("since", wait.since)
            if let due = wait.due { writer.member("due", due.at) }
            if let lapsedAt = wait.lapsedAt { writer.member("lapsed", lapsedAt) }
            if wait.isHeld { writer.member("isHeld", true) }
        }
        writer.objects("events", machine.pendingEvents) { writer, event in
            writer.member("name", event.name)
            writer.member("due", event.due.at)
        }
    }

    /// Writes the guards of all transitions of active states with their present values, innermost states first.
    private func explainTransitions(to writer: inout JSONWriter) {
        let definition = scene.definition
        writer.array("transitions", machine.configuration.reversed()) { writer, state in
            for id in definition.chart[state].transitions {
                writer.beginObject()
                writer.head(of: id, in: definition)
                if let condition = definition.chart[id].condition {
                    var spent = 0
                    let value = scene.value(of: definition.guards[Int(condition.rawValue)], machine, &spent)
                    writer.key("holds")
                    if case .bool(let holds) = value { writer.bool(holds) } else { writer.bool(false) }
                    if let reason = value.reasonOfGuard { writer.member("why", reason) }
                }
                writer.endObject()
            }
        }
    }

    private func explainActivity(to writer: inout JSONWriter) {
        guard let followed = run.first else { return }
        let activity = followed.activity
        writer.object("activity") { writer in
            writer.member("id", activity.id)
            writer.member("rev", activity.rev)
            writer.member("epoch", activity.epoch)
            writer.member("phase", activity.phase.name)
            writer.member("started", activity.startedAt)
            if let endedAt = activity.endedAt { writer.member("ended", endedAt) }
            if let dismissal = followed.dismissal { writer.member("dismissal", dismissal.at) }
            writer.member("updated", activity.revisedAt)
            if let patch = activity.lastPatch { writer.member("changed", .map(patch)) }
        }
    }

    /// Writes the next deadline and its consequence.
    private func explainNext(to writer: inout JSONWriter) {
        guard let next = next() else { return }
        writer.object("next") { writer in
            writer.member("at", next.due.at)
            switch next.what {
            case .transition(let id): writer.head(of: id, in: scene.definition)
            case .event(let name): writer.member("event", name)
            case .timer(let name): writer.member("timer", name)
            case .update: writer.member("activity", "update")
            case .alert: writer.member("activity", "alert")
            case .stale: writer.member("activity", "stale")
            case .dismissal: writer.member("activity", "gone")
            }
            // What holds already leads on at once, and nobody would see the state between.
            var future = self
            future.effects = []
            future.wake(upTo: next.due.at)
            for case .moved(_, let to, let through) in future.effects where !through.isEmpty {
                writer.member("through", through)
                writer.member("rests", to)
            }
        }
    }

    /// The consequence of a deadline.
    enum Happening {
        case transition(TransitionID)
        case event(String)
        case timer(String)
        case update
        case alert
        case stale
        case dismissal
    }

    func next() -> (due: Deadline, what: Happening)? {
        var first: (due: Deadline, what: Happening)?
        func look(_ due: Deadline?, _ what: Happening) {
            guard let due, first.map({ due < $0.due }) ?? true else { return }
            first = (due, what)
        }
        for wait in machine.pendingTransitions { look(wait.due, .transition(wait.transition)) }
        for event in machine.pendingEvents { look(event.due, .event(event.name)) }
        for (number, timer) in scene.definition.timers.enumerated() {
            look(machine.deadline(of: TimerID(rawValue: UInt16(number))), .timer(timer.name))
        }
        guard let followed = run.first else { return first }
        look(followed.settling?.due, .update)
        look(followed.exactAt, .update)
        look(followed.alertCheck, .alert)
        look(followed.dismissal, .dismissal)
        if !machine.isDeaf, var check = followed.staleCheck,
            let limit = scene.definition.activity?.stale
        {
            check.at = max(check.at, lastNews + limit)
            look(check, .stale)
        }
        return first
    }
}

extension Value {
    /// The reason why a guard with this value does not hold; nil when it is simply false.
    fileprivate var reasonOfGuard: String? {
        switch self {
        case .bool: nil
        case .error(let error): error.words
        default: "neither true nor false"
        }
    }
}

extension JSONWriter {
    /// The longest JSON of a value that is written whole, and the length of a cut one, in bytes.
    private static var valueLimit: (whole: Int, cut: Int) { (1000, 200) }

    fileprivate mutating func member(_ name: String, _ length: Interval) {
        member(name, .duration(CalendarDuration(length)))
    }

    /// Writes a value, or the beginning of its JSON as text when it is long.
    fileprivate mutating func shortValue(_ value: Value) {
        var whole = JSONWriter()
        whole.value(value)
        if whole.bytes.count <= Self.valueLimit.whole {
            self.value(value)
        } else {
            string(String(decoding: whole.bytes.prefix(Self.valueLimit.cut), as: UTF8.self) + "…")
        }
    }

    /// Writes the source, trigger and targets of a transition.
    fileprivate mutating func head(of id: TransitionID, in definition: Definition) {
        let transition = definition.chart[id]
        member("in", definition.chart[transition.source].name)
        switch transition.trigger {
        case .always: break
        case .event(let descriptors): member("on", descriptors.joined(separator: ", "))
        case .after(.fixed(let length)): member("after", length)
        case .after(.computed): member("after", "computed")
        case .sustained(let length, _, let reports):
            member("for", length)
            if reports > 1 { member("reports", Int(reports)) }
        case .quiet(let length, let silence):
            member("quiet", length)
            guard let silence = silence.map({ definition.silences[Int($0)] }) else { break }
            array(silence.asksChange ? "unchanged" : "of", definition.signalNames.indices) { writer, signal in
                if silence.signals.contains(signal) { writer.string(definition.signalNames[signal]) }
            }
        case .recurring(let moment): member("at", definition.parts.timesOfDay[Int(moment)].text)
        case .past(let moment):
            member("past", definition.text(of: definition.intervals[Int(moment)])?.text ?? "")
        }
        if let condition = transition.condition {
            member("guard", definition.guardTexts[Int(condition.rawValue)])
        }
        member("to", transition.targets.map { definition.chart[$0].name }.joined(separator: ", "))
    }
}

extension Turn {
    /// Writes the summary of the device for a list of devices, as members of an object: where it is, when it was heard,
    /// what is next, and its activity.
    ///
    /// Changes nothing.
    ///
    /// - Parameter writer: Stands within the object.
    public func summarize(to writer: inout JSONWriter) {
        let chart = scene.definition.chart
        writeName(to: &writer)
        writer.key("states")
        writer.beginArray()
        for state in machine.configuration where state != .root { writer.string(chart[state].name) }
        writer.endArray()
        let title = scene.load(ReferenceKind.stateTitle.reference(), machine)
        writer.key("title")
        if case .string(let text) = title { writer.string(text) } else { writer.null() }
        let innermost = machine.activeAtomicStates(in: chart)
        writer.member("since", innermost.compactMap { machine.enteredAt($0) }.max())
        writer.member("heard", machine.heardAt)
        writer.member("available", scene.memory.isAvailable)
        writer.key("next")
        if let next = next() {
            writer.beginObject()
            writer.member("at", next.due.at)
            writer.member("what", words(for: next.what))
            writer.endObject()
        } else {
            writer.null()
        }
        writer.key("activity")
        if let activity = run.first?.activity { writer.json(activity.snapshotJSON()) } else { writer.null() }
    }

    /// Writes the name that people gave the device, if there is one.
    func writeName(to writer: inout JSONWriter) {
        guard let name = scene.definition.givenName ?? scene.memory.givenName else { return }
        writer.member("name", name)
    }

    /// The name of something that is due: the state that a transition leads to, an event, a timer, or the activity's
    /// next phase.
    private func words(for happening: Happening) -> String {
        switch happening {
        case .transition(let id):
            let transition = scene.definition.chart[id]
            let targets = transition.targets.isEmpty ? [transition.source] : transition.targets
            return targets.map { scene.definition.chart[$0].name }.joined(separator: ", ")
        case .event(let name), .timer(let name): return name
        case .update: return "update"
        case .alert: return "alert"
        case .stale: return "stale"
        case .dismissal: return "gone"
        }
    }

    /// A text of its definition with the present values of the device.
    public func text(of template: TextTemplate) -> String {
        template.render(from: scene, machine, costLimit: scene.definition.limits.expressionCost)
    }
}

extension Definition {
    /// The title of the first of some innermost states that has one, itself or in a state around it; their names are
    /// joined by commas.
    public func title(ofStates names: String) -> TextTemplate? {
        if let state = chart.state(named: names) { return title(of: state) }
        for name in names.split(separator: ",") {
            if let state = chart.state(named: String(name)), let title = title(of: state) { return title }
        }
        return nil
    }

    private func title(of state: StateID) -> TextTemplate? {
        var state = state
        while true {
            if let title = titles[Int(state.rawValue)] { return title }
            if state == .root { return nil }
            state = chart[state].parent
        }
    }
}

extension Turn {
    /// The length of time that a timeline covers at most.
    private static let horizon = Interval.hours(12)

    /// The most deadlines that a timeline computes.
    private static let deadlineLimit = 128

    /// The timeline of the activity if the device repeats its present values; nil without an activity.
    ///
    /// A copy of the device is run through its deadlines, for at most 12 hours and 128 deadlines. The copy never falls
    /// silent, so `quiet` and `stale` do not fire. Expressions with the time of day are evaluated only at these
    /// deadlines.
    ///
    /// - Parameters:
    ///   - now: The beginning of the timeline.
    ///   - limit: The most entries, at least two.
    /// - Returns: The present content, then the forecasts.
    public func timeline(
        at now: Timestamp,
        limit: Int = ActivityTimeline.entryLimit
    ) -> ActivityTimeline? {
        if run.isEmpty { return nil }
        var timeline = ActivityTimeline(of: run[0].activity)
        var future = self
        future.scene.reach = nil
        var deadlines = 0
        while true {
            // Each time: states that the future enters arm waits for silence again.
            future.machine.neverFallSilent()
            future.run[0].staleCheck = nil
            future.run[0].exactAt = nil
            future.run[0].alertCheck = nil
            guard let due = future.nextDeadline else { return timeline }
            guard timeline.hasRoom(at: due.at, limit: limit) else {
                timeline.policy = .atEnd
                return timeline
            }
            guard due.at <= now + Self.horizon, deadlines < Self.deadlineLimit else {
                timeline.policy = .after(due.at)
                return timeline
            }
            deadlines += 1
            future.effects = []
            future.wake(upTo: due.at)
            for case .update(let update) in future.effects {
                // Another run begins: its timeline is another one.
                guard update.id.hasSameCodePoints(as: timeline.id) else {
                    timeline.policy = .after(due.at)
                    return timeline
                }
                timeline.append(ActivityTimeline.Entry(update))
            }
            if future.run.isEmpty {
                timeline.append(ActivityTimeline.Entry(date: due.at, phase: nil))
                return timeline
            }
        }
    }

    /// Adds the timeline to the effects, with each update and when an earlier forecast turns out wrong.
    ///
    /// This is the last step of every turn.
    ///
    /// - Parameter now: The time of the input; a deadline that was handled late lies before it.
    public mutating func foretell(at now: Timestamp) {
        // A reading that changed nothing else can't have changed what is to come. Where everything is evaluated, moments may
        // have moved with the wall clock.
        let mayDiffer = scene.mustKeep || scene.isAnew
        guard mayDiffer || !effects.isEmpty, !run.isEmpty else { return }
        if !effects.contains(where: { $0.isUpdate }) {
            // 0026: between updates a forecast is only withdrawn, or a value that flutters would send one each time.
            guard let promise = run[0].foretold, mayDiffer, breaks(promise, at: now) else { return }
        }
        if let timeline = timeline(at: now), timeline.foretells,
            run[0].dismissal.map({ $0.at > now }) ?? true
        {
            run[0].foretold = timeline.entries[1].date
            effects.append(.foretold(timeline))
        } else if run[0].foretold != nil {
            run[0].foretold = nil
            effects.append(.foretold(nil))
        }
    }

    /// True if the forecast that readers have will not come true in time.
    ///
    /// A delay of up to a minute is no reason: the update that comes then replaces the forecast.
    private func breaks(_ promise: Timestamp, at now: Timestamp) -> Bool {
        let next = timeline(at: now, limit: 2)?.entries.dropFirst().first
        return next.map { $0.date > promise + ActivityTimeline.shortestStep } ?? true
    }
}

extension ActivityTimeline.Entry {
    fileprivate init(_ update: ActivityUpdate) {
        self.init(date: update.at, phase: update.phase, state: update.state, content: update.content)
    }
}

extension DeviceEffect {
    fileprivate var isUpdate: Bool {
        if case .update = self { true } else { false }
    }
}
