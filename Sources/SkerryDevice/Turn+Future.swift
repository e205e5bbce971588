public import SkerryActivity
public import SkerryValues
import SkerryMachine

extension Turn {
    /// How far the future is looked into.
    private static let horizon = Interval.hours(12)

    /// How many deadlines of the future are looked at.
    private static let deadlineLimit = 128

    /// What will be seen if the device goes on saying what it says now; nil without an activity.
    ///
    /// A copy of the device is let live through its deadlines, for at most 12 hours and 128 deadlines. It is never
    /// silent, so `quiet` and `stale` do not fire. What depends on the time of day is looked at when something is due.
    ///
    /// - Parameters:
    ///   - now: From when on.
    ///   - limit: The most entries, two or more.
    /// - Returns: what is shown now, and what will be shown when.
    public func timeline(
        at now: Timestamp,
        limit: Int = ActivityTimeline.entryLimit
    ) -> ActivityTimeline? {
        guard let activity = run.first?.activity else { return nil }
        var timeline = ActivityTimeline(of: activity)
        var future = self
        future.scene.reach = nil
        var deadlines = 0
        while true {
            future.machine.neverFallSilent()
            future.run[0].staleCheck = nil
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
                guard update.id.utf8.elementsEqual(timeline.id.utf8) else {
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

    /// Tells readers what will be seen, with each update and when what they were told will not come true.
    ///
    /// The last thing of every turn.
    ///
    /// - Parameter now: The time of the input; a deadline that was handled late lies before it.
    public mutating func foretell(at now: Timestamp) {
        guard scene.mustKeep || !effects.isEmpty, let followed = run.first else { return }
        if !effects.contains(where: { $0.isUpdate }) {
            guard let promise = followed.foretold, scene.mustKeep, breaks(promise, at: now) else { return }
        }
        if let timeline = timeline(at: now), timeline.foretells,
            followed.dismissal.map({ $0.at > now }) ?? true
        {
            run[0].foretold = timeline.entries[1].date
            effects.append(.foretold(timeline))
        } else if followed.foretold != nil {
            run[0].foretold = nil
            effects.append(.foretold(nil))
        }
    }

    /// Whether nothing will be seen by the moment at which readers were told that something will.
    ///
    /// A minute later is as good: what is told then takes the place of what they know.
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
