import SkerryDevice
public import SkerryMachine
public import SkerryValues

extension Engine {
    /// Moves all deadlines, because the wall clock was set.
    ///
    /// When the clock stepped, every moment moves by the same length, and all waits keep the time they have left. When
    /// a clock that was wrong is found, only moments since the ``origin`` move, because no time has passed for them;
    /// restored moments stay, and deadlines among them that are due now are handled, each at its own time. The last
    /// message of each device always moves, because the gateway did not listen in between.
    ///
    /// - Parameters:
    ///   - length: The length by which the clock was set; negative when it was set back.
    ///   - origin: The moment before which nothing moves; see ``origin``.
    ///   - time: The time by the clock now.
    /// - Returns: The effects of the deadlines that came due, and an update for each activity whose times changed.
    public mutating func clockSet(
        by length: Interval,
        since origin: TimeOrigin = .beginning,
        at time: Timestamp
    ) -> [Effect] {
        let shift = ClockShift(by: length, since: origin)
        var effects: [Effect] = []
        // First what was overdue by the old clock: it must not wait for the length of the step once more.
        wakeDue(by: time - length, &effects)
        // The one place where time may fall. Before a forward step is handled it stays, so that deadlines of the time
        // that passed uncounted come in their order.
        now = min(now, time)
        for index in devices.indices {
            devices[index].device.move(by: shift, in: definition(of: index))
            devices[index].device.reviseTimesOfDay(in: definition(of: index), at: time, &workspace)
            // `now` in expressions and the published times differ, although no signal has changed.
            devices[index].looksAnew = true
            fileDeadline(of: index)
        }
        // Only moments that did not move can be due now: restored ones, and times of day.
        wakeDue(by: time, &effects)
        now = time
        // After the deadlines, so that an update shows where they led, and not a state that has passed.
        lookAnew(&effects)
        wakeDue(by: now, &effects)
        return effects
    }
}
