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
    ) -> ActivityDefinition.Alert? {
        var first: Int?
        for number in definition.alerts.indices {
            let isGiven: Bool
            switch definition.alerts[number].occasion {
            case .state(let state): isGiven = entered.contains(state) && machine.isActive(state)
            case .condition(let program, let dependencies, _):
                guard
                    scene.isAnew || step.run.begins || dependencies.mayHaveChanged(by: scene.changed)
                        || (dependencies.machine && (step.machineMoved || step.isElsewhere))
                else { continue }
                // Evaluated even if an earlier alert is given: what holds must be known the next time.
                isGiven = turnsTrue(program, number, &holding)
            case .event(let descriptors):
                isGiven =
                    step.event.map { name in
                        descriptors.contains { EventDescriptor.matches($0, name) }
                    } ?? false
            }
            if isGiven, first == nil { first = number }
        }
        // A retained message tells of the past. The conditions were noted above all the same.
        return step.isReplay ? nil : first.map { definition.alerts[$0] }
    }

    /// True if a condition holds that did not hold before.
    private mutating func turnsTrue(_ condition: Program, _ number: Int, _ holding: inout Marks) -> Bool {
        let holds = scene.truth(condition, machine)
        guard holds != holding.contains(number) else { return false }
        if holds { holding.insert(number) } else { holding.remove(number) }
        scene.mustKeep = true
        return holds
    }

    /// Gives an alert with an update.
    mutating func give(
        _ alert: ActivityDefinition.Alert?,
        with update: inout ActivityUpdate,
        _ step: StepResult
    ) {
        guard let alert else { return }
        if case .event = alert.occasion { scene.event = step.event }
        update.alert = ActivityAlert(
            title: scene.text(alert.title, machine),
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

extension ActivityDefinition.Alert {
    /// True for an alert that may come without any change of state or content.
    var comesAlone: Bool {
        if case .state = occasion { false } else { true }
    }
}

extension ActivityDefinition {
    /// True if an alert waits for an event.
    var hasEventAlerts: Bool {
        alerts.contains { if case .event = $0.occasion { true } else { false } }
    }

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
