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
        wakeDue(by: time - length, &effects)
        now = min(now, time)
        for index in devices.indices {
            devices[index].device.move(by: shift, in: definition(of: index))
            devices[index].device.reviseTimesOfDay(in: definition(of: index), at: time, &workspace)
            devices[index].looksAnew = true
            fileDeadline(of: index)
        }
        wakeDue(by: time, &effects)
        now = time
        lookAnew(&effects)
        wakeDue(by: now, &effects)
        return effects
    }
}
