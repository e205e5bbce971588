public import SkerryActivity
public import SkerryValues
import SkerryMachine

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
