import SkerryActivity
import SkerryExpressions
import SkerryMachine
import SkerryValues

/// The effect of a macrostep on the run of a device.
enum RunChange {
    /// No run begins or ends.
    case none
    /// A run begins.
    case starts
    case ends
    /// The run ends, and the next one begins.
    case isReplaced
    /// A run does not begin, because its key was that of the last one.
    case isSwallowed

    /// True if a run begins.
    var begins: Bool { self == .starts || self == .isReplaced }
}

extension Turn {
    /// True while the activity has not ended.
    var isFollowed: Bool { !run.isEmpty && run[0].activity.phase != .ended }

    /// The effect of a macrostep on the run: it starts in a state that stays active, and ends when one of `ends` was
    /// entered, even one that was left again at once.
    ///
    /// A key that the last run did not have begins a run in a state of `starts`. The key of the last run begins the next one
    /// only when such a state is entered again after the end of that run, and none if the definition says `once`.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the macrostep.
    ///   - key: The present key; nil when it is absent, or has not changed.
    /// - Returns: The effect.
    func runChange(after outcome: Outcome, key: String?) -> RunChange {
        guard let definition = scene.definition.activity, !outcome.entered.isEmpty || key != nil else {
            return .none
        }
        let isInStart = machine.configuration.intersects(definition.starts)
        let isSameKey = key.map { scene.memory.runKey?.hasSameCodePoints(as: $0) ?? false }
        if isFollowed {
            // A run that began before its key was known takes the first key that comes, and is not replaced.
            if isInStart, isSameKey == false, scene.memory.runKey != nil { return .isReplaced }
            // 0012: entered, not active: an end state may be left again in the same macrostep.
            return outcome.entered.intersects(definition.ends) && !isInStart ? .ends : .none
        }
        guard isInStart else { return .none }
        if isSameKey == false { return .starts }
        guard outcome.entered.intersects(definition.starts) else { return .none }
        return isSameKey == true && definition.key?.isOnce == true ? .isSwallowed : .starts
    }

    /// Updates the activity after a macrostep; a new revision results only if people would see a difference.
    mutating func render(_ step: StepResult) {
        assert(step.run != .isSwallowed, "a run that does not begin is shown")
        guard let definition = scene.definition.activity else { return }
        if step.run.begins {
            if step.run == .isReplaced { endAsShown(definition) }
            start(definition, step)
            return
        }
        guard isFollowed else { return }
        let wakesUp = run[0].activity.phase == .stale && !step.isReplay && lastNews == scene.now
        var holding = run[0].holding
        let alert = alert(of: definition, after: step, entered: step.entered, &holding)
        run[0].holding = holding
        let dependencies = definition.contentDependencies
        guard
            scene.isAnew || step.isElsewhere || wakesUp || alert != nil
                || dependencies.mayHaveChanged(by: scene.changed)
                || (step.machineMoved && dependencies.machine)
        else { return }
        var rendered: [ContentValue]?
        // Ends, returns and alerts are news that must not wait.
        if step.run != .ends, !wakesUp, alert == nil,
            isHeldBack(definition, exactly: step.isElsewhere, &rendered)
        {
            return
        }
        let isExact = step.isElsewhere || run[0].settling?.isExact == true
        let content = rendered ?? scene.content(definition, machine, exactly: isExact)
        var update: ActivityUpdate?
        if step.run == .ends {
            update = run[0].activity.end(
                state: stateName,
                content: content,
                dismissal: definition.dismissal,
                at: scene.now
            )
            run[0].staleCheck = nil
            run[0].exactAt = nil
            run[0].alertCheck = nil
        } else {
            update = run[0].activity.render(
                state: stateName,
                content: content,
                exactly: isExact,
                isStale: wakesUp ? false : nil,
                isDue: alert != nil,
                at: scene.now
            )
            if wakesUp { armStaleCheck(definition) }
            boundInexactness(definition)
        }
        let waiting = run[0].settling.take()
        if update == nil { waitForThrottled(after: waiting) }
        tellContentFault()
        // Readers hear of an alert only with a revision.
        if update == nil, alert != nil { update = run[0].activity.repeatRevision(at: scene.now) }
        guard var update else { return }
        give(alert, with: &update)
        publish(update, definition)
    }

    /// The names of the innermost active states.
    var stateName: String { scene.stateName(machine.activeAtomicStates(in: scene.definition.chart)) }

    /// Tells of content that was too large.
    mutating func tellContentFault() {
        guard let fault = run[0].activity.takeFault() else { return }
        effects.append(.fault(.contentTooLarge(bytes: fault.bytes, limit: fault.limit)))
    }

    /// Publishes a revision with the present link and relevance; an end has the moment of its dismissal.
    mutating func publish(_ update: consuming ActivityUpdate, _ definition: ActivityDefinition) {
        assert(
            (update.phase == .ended) == (update.dismissAt != nil),
            "a run that has ended is never dismissed, or one that goes on is"
        )
        assert(update.rev == run[0].activity.rev, "a revision is published that is not the last one")
        scene.complete(&update, of: &run[0].activity, definition, machine)
        update.heardAt = run[0].heardAt(machine)
        if let dismissAt = update.dismissAt {
            run[0].dismissal = scene.clock.arm(at: dismissAt)
        }
        assert(isFollowed == (run[0].dismissal == nil), "a run that goes on is dismissed")
        assert(isFollowed || run[0].settling == nil && run[0].staleCheck == nil, "an ended run still waits")
        effects.append(.update(update))
    }

    /// Ends a run that the next one replaces, with the content that it showed: the values of this message belong to the
    /// next.
    private mutating func endAsShown(_ definition: ActivityDefinition) {
        assert(isFollowed, "a run is replaced that has ended")
        guard var update = run[0].activity.endAsIs(at: scene.now) else { return }
        assert(!isFollowed, "a run goes on that is replaced")
        update.dismissAt = scene.now + definition.dismissal.delay
        effects.append(.update(update))
    }

    private mutating func start(_ definition: ActivityDefinition, _ step: StepResult) {
        assert(!isFollowed, "a run begins before the last one has ended")
        var attributes = ValueMap()
        var bytes = 0
        for attribute in definition.attributes {
            switch scene.evaluate(attribute.value, machine) {
            case .error: break
            case let value:
                // One by one: the others still fit a push when one is too long.
                let (total, limit) = (bytes + value.jsonLength, definition.plan.contentLimit)
                if total > limit {
                    scene.refuse(named: attribute.name, .attributes(limit: limit))
                } else {
                    attributes.set(attribute.name, to: value)
                    bytes = total
                }
            }
        }
        let now = scene.now
        let former = lastRun
        // 0012: unique without a list of earlier runs, also when the clock was set back.
        lastRun = max(now.flooredSeconds, max(lastRun, scene.newestLostRun) &+ 1)
        assert(lastRun > former, "a run has the number of an earlier one")
        var (activity, update) = Activity.start(
            definition.plan,
            device: scene.memory.name,
            run: lastRun,
            epoch: scene.epoch,
            state: stateName,
            attributes: attributes,
            content: scene.content(definition, machine, exactly: true),
            at: now,
            startedAt: scene.since
        )
        if let fault = activity.takeFault() {
            effects.append(.fault(.contentTooLarge(bytes: fault.bytes, limit: fault.limit)))
        }
        // A run that begins by its key alone counts as one that entered the states where the machine rests.
        let entered = step.entered.intersects(definition.starts) ? step.entered : machine.configuration
        var holding = Marks()
        let alert = alert(of: definition, after: step, entered: entered, &holding)
        give(alert, with: &update)
        scene.complete(&update, of: &activity, definition, machine)
        // The forecast of the last run is still with the readers, and is replaced or withdrawn at the end of this turn.
        let newsAt = definition.staleSilence == nil ? nil : max(now, machine.listensSince)
        run = [
            FollowedRun(
                activity: activity,
                newsAt: newsAt,
                foretold: run.first?.foretold,
                holding: holding
            )
        ]
        assert(isFollowed, "a run is over as it begins")
        assert(update.rev == 1, "the first revision of a run has the number of a later one")
        armStaleCheck(definition)
        if definition.hasMovingAlerts { armAlertCheck(definition, step) }
        scene.memory.forgetting = nil
        effects.append(.update(update))
    }

    /// Sees to it that a number that differs by less than its tolerance is told in time, also if nothing more is heard.
    mutating func boundInexactness(_ definition: ActivityDefinition) {
        assert(isFollowed, "numbers become exact after the end of their run")
        guard run[0].activity.isInexact, run[0].exactAt == nil else { return }
        let exactAfter = definition.times.exactAfter ?? ActivityTimes.usualExactAfter
        run[0].exactAt = scene.clock.arm(at: scene.now + exactAfter)
        scene.mustKeep = true
    }

    /// The time for which a countdown stays at zero, because most devices say soon what comes then.
    private static let patienceAtZero = Interval.minutes(1)

    /// Sees to it that a countdown that is over is not shown for long.
    mutating func boundTimeAtZero() {
        guard isFollowed, let definition = scene.definition.activity else { return }
        for (index, field) in definition.content.enumerated() {
            guard case .timer(let id) = field.source, machine.timer(id).isOver(at: scene.now),
                // Readers keep the end of a countdown that stands still.
                !machine.isTimerHeld(id), let end = run[0].activity.shownEnd(ofField: index)
            else { continue }
            // Rounded, or held back, the end that readers have may be a later one.
            let due = max(end, scene.now) + Self.patienceAtZero
            if let known = run[0].exactAt, known.at <= due { continue }
            run[0].exactAt = scene.clock.arm(at: due)
            scene.mustKeep = true
        }
    }

    /// Publishes the numbers that have differed from what people see for too long, and takes away countdowns that are over.
    mutating func publishExactly() {
        assert(run[0].exactAt?.at == scene.now, "numbers become exact at another time than their own")
        run[0].exactAt = nil
        guard let definition = scene.definition.activity, isFollowed else { return }
        let content = scene.content(definition, machine, exactly: true, keepsHeld: true)
        let update = run[0].activity.render(state: stateName, content: content, exactly: true, at: scene.now)
        tellContentFault()
        if let update { publish(update, definition) }
    }

    /// Marks the activity as stale if the device was silent for long enough, otherwise arms the next check.
    mutating func checkSilence() {
        if run.isEmpty { return }
        assert(run[0].staleCheck?.at == scene.now, "silence is looked for at another time than its own")
        run[0].staleCheck = nil
        guard let definition = scene.definition.activity, let limit = definition.stale, isFollowed else {
            return
        }
        // A device that was not heard during this run has been silent since the check was armed.
        let silentAt = lastNews + limit
        if silentAt > scene.now {
            run[0].staleCheck = scene.clock.arm(at: silentAt)
        } else if var update = staleUpdate(definition) {
            scene.complete(&update, of: &run[0].activity, definition, machine)
            update.heardAt = run[0].heardAt(machine)
            effects.append(.update(update))
        }
    }

    /// The update that marks the activity as stale, with what has waited; nil if it is stale already.
    private mutating func staleUpdate(_ definition: ActivityDefinition) -> ActivityUpdate? {
        assert(isFollowed, "a run falls silent after its end")
        guard let waiting = run[0].settling else { return run[0].activity.markStale(at: scene.now) }
        run[0].settling = nil
        let update = run[0].activity.render(
            state: stateName,
            content: scene.content(definition, machine, exactly: waiting.isExact),
            exactly: waiting.isExact,
            isStale: true,
            isDue: true,
            at: scene.now
        )
        tellContentFault()
        return update
    }

    /// Dismisses the ended activity.
    mutating func dismiss() {
        assert(!isFollowed, "a run is dismissed before its end")
        guard let ended = run.first else { return }
        assert(ended.dismissal?.at == scene.now, "a run is dismissed at another time than its own")
        run = []
        if ended.foretold != nil { effects.append(.foretold(nil)) }
        effects.append(.dismissed(id: ended.activity.id))
        prepareToForget()
    }

    /// Arms the moment at which the device is forgotten, because its run was dismissed.
    mutating func prepareToForget() {
        assert(run.isEmpty, "a device is to be forgotten while people see its run")
        assert(scene.memory.forgetting == nil, "a device is to be forgotten twice")
        guard let delay = scene.definition.activity?.times.forget else { return }
        scene.memory.forgetting = scene.clock.arm(at: scene.now + delay)
    }

    /// Asks the engine to remove the device.
    mutating func forget() {
        assert(scene.memory.forgetting?.at == scene.now, "a device is forgotten at another time than its own")
        scene.memory.forgetting = nil
        // An edit may have taken `forget` away, or a run may have begun at the same moment.
        guard scene.definition.activity?.times.forget != nil, run.isEmpty else { return }
        effects.append(.forgotten(toldAvailability: scene.memory.isAvailable != nil))
    }

    private mutating func armStaleCheck(_ definition: ActivityDefinition) {
        assert(isFollowed, "a run falls silent after its end")
        guard let limit = definition.stale else { return }
        run[0].staleCheck = scene.clock.arm(at: max(lastNews, scene.now) + limit)
    }

    /// The moment of the last message that counts against the silence of the activity.
    var lastNews: Timestamp { run.first?.newsAt ?? machine.lastHeard }
}

extension Scene {
    /// The values of the content, in its order.
    ///
    /// - Parameters:
    ///   - definition: The definition of the activity.
    ///   - machine: The machine of the device.
    ///   - exactly: True to leave countdowns out that are over; otherwise readers keep their ends.
    ///   - keepsHeld: True if readers keep the ends of countdowns that stand still all the same.
    /// - Returns: A value for each field.
    mutating func content(
        _ definition: ActivityDefinition,
        _ machine: Machine,
        exactly: Bool,
        keepsHeld: Bool = false
    ) -> [ContentValue] {
        var values: [ContentValue] = []
        values.reserveCapacity(definition.content.count)
        for field in definition.content {
            if let condition = field.condition, !truth(condition, machine) {
                values.append(.value(.null))
                continue
            }
            switch field.source {
            case .expression(let value): values.append(.value(evaluate(value, machine)))
            case .timer(let id):
                let isLearned = self.definition.learner?.timer == id
                let estimate = isLearned ? memory.learning.first?.present?.estimate : nil
                let timer = machine.timer(id)
                let value = ContentValue.anchored(timer, tolerance: estimate?.tolerance)
                let isKept = !exactly || keepsHeld && machine.isTimerHeld(id)
                values.append(!timer.isOver(at: now) ? value : isKept ? .kept : .value(.null))
            }
        }
        return values
    }

    /// A value of its declared type; a failed conversion is counted and gives an error.
    fileprivate mutating func evaluate(_ value: ActivityDefinition.Typed, _ machine: Machine) -> Value {
        let result = evaluate(value.program, machine)
        var coerced = value.type?.coerce(result) ?? result
        if let decimals = value.decimals { coerced = coerced.rounded(to: decimals) }
        // It would be written to an image that can't be read back.
        if coerced.isTooDeep { coerced = .error(.invalidArgument) }
        if case .error(let error) = coerced { count(error, of: value.program) }
        // The title is rendered within the value, where its failures would be lost.
        countTitle(readBy: value.program.references, machine)
        return coerced
    }

    /// Gives a revision the present link and relevance.
    fileprivate mutating func complete(
        _ update: inout ActivityUpdate,
        of activity: inout Activity,
        _ definition: ActivityDefinition,
        _ machine: Machine
    ) {
        update.link = link(definition, machine)
        activity.link = update.link
        activity.tell(relevance: relevance(definition, machine), with: &update)
    }

    /// The present relevance, from 0 to 100; nil if it can't change, and the plan's where its expression fails.
    private mutating func relevance(_ definition: ActivityDefinition, _ machine: Machine) -> Double? {
        let weight = definition.weight
        if weight.states.isEmpty, weight.expression == nil { return nil }
        if !weight.states.isEmpty, let own = entry(in: weight.states, machine) { return own }
        guard let program = weight.expression else { return definition.plan.relevance }
        let value = evaluate(program, machine)
        let number: Double? =
            switch value {
            case .int(let number): Double(number)
            case .uint(let number): Double(number)
            case .double(let number) where !number.isNaN: number
            default: nil
            }
        if let number { return min(max(number, 0), 100) }
        if case .error(let error) = value {
            count(error, of: program)
        } else {
            count(.noSuchOverload, of: program)
        }
        return definition.plan.relevance
    }

    /// The present link; nil without one, when a value of it is missing, or when it is too long.
    fileprivate mutating func link(_ definition: ActivityDefinition, _ machine: Machine) -> String? {
        guard let template = definition.link, let text = wholeText(template, machine), !text.utf8.isEmpty,
            text.utf8.count <= ActivityDefinition.linkLimit
        else {
            return nil
        }
        return ActivityLink.opened(text)
    }
}

extension FollowedRun {
    /// The moment of the last message that breaks the silence of a stale activity; nil in other phases.
    func heardAt(_ machine: Machine) -> Timestamp? {
        activity.phase == .stale ? newsAt ?? machine.heardAt : nil
    }
}

extension Value {
    /// The length in JSON, in bytes.
    fileprivate var jsonLength: Int {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes.count
    }
}

extension TimerState {
    /// True for a countdown at zero, which is no clock any more.
    fileprivate func isOver(at now: Timestamp) -> Bool {
        switch self {
        case .running(_, let end): end <= now
        // Whatever the time is: a clock that is set back does not make it run again.
        case .elapsed: true
        case .stopped, .countingUp, .paused, .pausedCount: false
        }
    }
}

extension ContentValue {
    /// The timer as it is published; null, which is left out, when it is stopped or has elapsed.
    ///
    /// - Parameters:
    ///   - timer: The timer.
    ///   - tolerance: The tolerance of its end, when that is an estimate.
    /// - Returns: The published form.
    fileprivate static func anchored(_ timer: TimerState, tolerance: Interval?) -> ContentValue {
        switch timer {
        case .stopped, .elapsed: .value(.null)
        case .running(let start, let end):
            if let tolerance {
                .time(.estimated(start: start, end: end, tolerance: tolerance))
            } else {
                .time(.running(start: start, end: end))
            }
        case .countingUp(let start): .time(.countingUp(start: start))
        case .paused(let remaining, let duration): .time(.paused(remaining: remaining, duration: duration))
        case .pausedCount(let elapsed): .time(.held(elapsed: elapsed))
        }
    }
}

extension Turn {
    /// Determines the effect of a macrostep on the run, and resets signals with it.
    ///
    /// - Parameter outcome: The outcome of the macrostep, to which the steps are added that follow from unset signals.
    /// - Returns: The effect on the run.
    mutating func changeRun(_ outcome: inout Outcome) -> RunChange {
        scene.since = outcome.since ?? scene.now
        let key = presentKey(after: outcome)
        var change = runChange(after: outcome, key: key)
        if change.begins {
            // Guards see the signals unset in the macrostep that begins the run, and may lead out of its first state.
            outcome.add(resetSignals())
            scene.since = outcome.since ?? scene.now
            change = runChange(after: outcome, key: key)
        }
        if change == .isSwallowed {
            effects.append(.fault(.runSwallowed))
            scene.memory.swallowed &+= 1
            change = .none
        }
        take(key: key, run: change)
        return change
    }

    /// The present key of the run; nil when it is absent, or nothing that it reads has changed.
    mutating func presentKey(after outcome: Outcome) -> String? {
        guard let key = scene.definition.activity?.key,
            scene.isAnew || outcome.changed || !outcome.entered.isEmpty
                || key.dependencies.mayHaveChanged(by: scene.changed)
        else { return nil }
        return scene.text(ofKey: key.program, machine)
    }

    /// Remembers the key of a run that begins, or of one that began before its key was known.
    private mutating func take(key: String?, run change: RunChange) {
        let isFirst = isFollowed && change == .none && scene.memory.runKey == nil && key != nil
        guard change.begins || isFirst else { return }
        scene.memory.runKey = key
        scene.mustKeep = true
    }

    /// Resets signals for a run that begins by its key alone.
    ///
    /// - Returns: The steps of the machine that follow from it, in the same macrostep.
    private mutating func resetSignals() -> Outcome {
        guard let activity = scene.definition.activity else { return Outcome() }
        let unset = scene.resetSignals(of: activity)
        if unset.isEmpty { return Outcome() }
        guard scene.definition.machineDependencies.mayHaveChanged(by: unset) else { return Outcome() }
        assert(machine.isStarted, "a run begins before the start of its machine")
        // The guards are evaluated once more, and to none of them a signal has changed by that.
        let (wasAnew, told) = (scene.isAnew, scene.changed)
        (scene.isAnew, scene.changed) = (true, SignalSet())
        defer { (scene.isAnew, scene.changed) = (wasAnew, told) }
        return undoable { machine, scene in machine.settle(host: &scene) }
    }
}

extension Scene {
    /// Resets the signals that begin empty with each run, except those that are of this run.
    ///
    /// - Returns: The signals that have another value than before.
    mutating func resetSignals(of activity: ActivityDefinition) -> SignalSet {
        var unset = SignalSet()
        if activity.reset.isEmpty { return unset }
        for signal in 0..<firstVariable where activity.reset.contains(signal) {
            if let isChanged = restart(signal: signal) {
                if isChanged { unset.insert(signal) }
                continue
            }
            if isOfThisRun(signal) { continue }
            if case .error = memory.values[signal] { continue }
            _ = keep(.error(.unset), at: signal)
            unset.insert(signal)
        }
        if !unset.isEmpty { mustKeep = true }
        return unset
    }

    /// True if a signal was set by the message that starts the run, or while the guard that starts it held for its time.
    private func isOfThisRun(_ signal: Int) -> Bool {
        reported.contains(signal) || (memory.reportedAt[signal] >= since && (!isTold || since < now))
    }

    /// The key of a run as text; nil for an error, null, an empty text, or one that is too long.
    fileprivate mutating func text(ofKey program: Program, _ machine: Machine) -> String? {
        let text: String
        switch evaluate(program, machine) {
        case .string(let value): text = value
        case .int(let number): text = number.description
        case .uint(let number): text = number.description
        case .double(let number):
            guard let whole = Int64(exactly: number) else {
                count(.noSuchOverload, of: program)
                return nil
            }
            text = whole.description
        case .error(let error):
            count(error, of: program)
            return nil
        case .null: return nil
        default:
            count(.noSuchOverload, of: program)
            return nil
        }
        return text.utf8.isEmpty || text.utf8.count > ActivityDefinition.RunKey.limit ? nil : text
    }
}
