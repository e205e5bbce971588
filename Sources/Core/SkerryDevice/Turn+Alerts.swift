import SkerryActivity
import SkerryExpressions
import SkerryMachine
import SkerryValues

extension Turn {
    /// Finds the alert of a macrostep: the first in the file of those whose occasion has come.
    ///
    /// - Parameters:
    ///   - definition: The activity.
    ///   - step: The macrostep.
    ///   - entered: The states that count as entered.
    ///   - holding: The alerts whose condition held before, and then those whose condition holds now.
    /// - Returns: The alert, not yet rendered; nil for none.
    mutating func alert(
        of definition: ActivityDefinition,
        after step: StepResult,
        entered: StateSet,
        _ holding: inout Marks
    ) -> DueAlert? {
        var first: DueAlert?
        for number in definition.alerts.indices {
            let isGiven: Bool
            var event: String?
            switch definition.alerts[number].occasion {
            case .state(let state): isGiven = entered.contains(state) && machine.isActive(state)
            case .condition(let program, let dependencies, _):
                guard
                    scene.isAnew || step.run.begins || dependencies.mayHaveChanged(by: scene.changed)
                        || (dependencies.machine && (step.machineMoved || step.isElsewhere))
                else { continue }
                let handled = scene.event
                event = dependencies.message ? meantEvent(by: program, of: step) : nil
                scene.event = event ?? handled
                // Evaluated even if an earlier alert is given: what holds must be known the next time.
                isGiven = turnsTrue(program, readsMessage: dependencies.message, number, &holding)
                scene.event = handled
            case .event(let descriptors):
                func isAwaited(_ name: String) -> Bool {
                    descriptors.contains { EventDescriptor.matches($0, name) }
                }
                event = step.event.flatMap { isAwaited($0) ? $0 : nil } ?? step.raised.first(where: isAwaited)
                isGiven = event != nil
            }
            if isGiven, first == nil { first = DueAlert(alert: definition.alerts[number], event: event) }
        }
        if definition.hasMovingAlerts { armAlertCheck(definition, step) }
        // A retained message tells of the past. The conditions were noted above all the same.
        return step.isReplay ? nil : first
    }

    /// The first event of a macrostep with which a condition holds that reads it, which is the scene's then; nil when there is none.
    ///
    /// The event that the machine handled last is only one of several: a transition may have raised another one.
    private mutating func meantEvent(by condition: Program, of step: StepResult) -> String? {
        guard condition.references.contains(ReferenceKind.event.reference()) else { return nil }
        scene.standsStill = true
        defer { scene.standsStill = false }
        return ((step.event.map { [$0] } ?? []) + step.raised).first { name in
            scene.event = name
            // Failures are counted once, where the condition itself is evaluated.
            if case .bool(true) = scene.evaluate(condition, machine) { return true }
            return false
        }
    }

    /// True if a condition holds that did not hold before.
    ///
    /// A condition that reads the message itself, as `changed(v)` does, is false again after the message.
    private mutating func turnsTrue(
        _ condition: Program,
        readsMessage: Bool,
        _ number: Int,
        _ holding: inout Marks
    ) -> Bool {
        scene.standsStill = true
        defer { scene.standsStill = false }
        let holds = scene.truth(condition, machine)
        let goesOn = holds && readsMessage ? scene.holdsAfterMessage(condition, machine) : holds
        let turns = holds && !holding.contains(number)
        guard goesOn != holding.contains(number) else { return turns }
        if goesOn { holding.insert(number) } else { holding.remove(number) }
        scene.mustKeep = true
        return turns
    }

    /// The longest time that a condition may need until it turns, ten years.
    private static let alertHorizon = Interval.hours(24 * 3660)

    /// Arms the moment at which the condition of an alert turns; if nothing has moved it stays as it is.
    mutating func armAlertCheck(_ definition: ActivityDefinition, _ step: StepResult) {
        guard !run.isEmpty else { return }
        let moving = definition.alerts.compactMap { $0.movingCondition }
        let mayMove =
            scene.isAnew || step.run.begins || step.machineMoved || step.isElsewhere
            || run[0].alertCheck == nil || scene.hasOtherReach
            || moving.contains { Dependencies($0).signals.intersects(scene.changed) }
        guard mayMove else { return }
        let limit = scene.definition.limits.expressionCost
        var first: ConditionLook?
        for condition in moving {
            var scene = scene
            scene.standsStill = true
            let look = condition.nextLook(
                after: scene.now,
                until: scene.now + Self.alertHorizon,
                costLimit: limit
            ) {
                reference,
                moment in
                scene.clock.now = moment
                return scene.load(reference, machine)
            }
            if let look { first = first.map { $0.at <= look.at ? $0 : look } ?? look }
        }
        assert(first.map { $0.at > scene.now } ?? true, "an alert is looked at again and again at one moment")
        // What is looked at sooner anyway needs no moment of its own.
        if let first, !first.turns, let check = run[0].alertCheck, check.at <= first.at { return }
        guard first?.at != run[0].alertCheck?.at else { return }
        run[0].alertCheck = first.map { scene.clock.arm(at: $0.at) }
        scene.mustKeep = true
    }

    /// Looks at the conditions of alerts that time may have made true; the machine is not asked.
    mutating func checkAlerts() {
        assert(run[0].alertCheck?.at == scene.now, "an alert is looked for at another time than its own")
        run[0].alertCheck = nil
        finish(Outcome(), from: machine.activeAtomicStates(in: scene.definition.chart))
    }

    mutating func give(_ due: DueAlert?, with update: inout ActivityUpdate) {
        guard let due else { return }
        let alert = due.alert
        if let event = due.event { scene.event = event }
        let title = scene.text(alert.title, machine)
        update.alert = ActivityAlert(
            // Phones show no alert without a title.
            title: title.utf8.isEmpty ? scene.memory.givenName ?? scene.memory.name : title,
            body: alert.body.map { scene.text($0, machine) } ?? "",
            sound: alert.sound,
            level: alert.level
        )
    }

    /// The event that a deadline raises; nil when it is that of a transition, or of the run.
    func event(dueAt due: Deadline) -> String? {
        if let event = machine.pendingEvents.first(where: { $0.due == due }) { return event.name }
        let timers = scene.definition.timers
        let timer = timers.indices.first { machine.deadline(of: TimerID(rawValue: UInt16($0))) == due }
        return timer.map { timers[$0].name + ".elapsed" }
    }
}

/// An alert whose occasion has come.
struct DueAlert {
    var alert: ActivityDefinition.Alert
    /// The event that it waited for, or with which its condition holds; nil for other occasions.
    var event: String?
}

extension Scene {
    /// True if a condition holds when nothing is told any more.
    fileprivate mutating func holdsAfterMessage(_ condition: Program, _ machine: Machine) -> Bool {
        let message = (changed, reported, event)
        (changed, reported, event) = (SignalSet(), SignalSet(), nil)
        defer { (changed, reported, event) = message }
        return truth(condition, machine)
    }
}

extension ActivityDefinition {
    /// The fingerprints of the conditions of some alerts, for an image.
    func fingerprints(of marks: Marks) -> [UInt64] {
        alerts.indices.compactMap { number in
            guard marks.contains(number), case .condition(_, _, let fingerprint) = alerts[number].occasion
            else {
                return nil
            }
            return fingerprint
        }
    }

    /// The alerts whose conditions have some fingerprints.
    func marks(of fingerprints: [UInt64]) -> Marks {
        var marks = Marks()
        for number in alerts.indices {
            guard case .condition(_, _, let fingerprint) = alerts[number].occasion,
                fingerprints.contains(fingerprint)
            else { continue }
            marks.insert(number)
        }
        return marks
    }
}
