import SkerryDevice
public import SkerryMachine
public import SkerryValues

extension Engine {
    /// Moves what waits, because the wall clock was set.
    ///
    /// Everything moves by the same length when the clock stepped, and goes on waiting as long as before. A clock that
    /// was wrong when the engine began and is found shifts what began since the ``origin``, for no time has passed for
    /// it; what was given back stays where it was, and what is due of that is handled, each deadline at its own time.
    /// Silence always moves, because nobody listened.
    ///
    /// - Parameters:
    ///   - length: How far the clock was set; back when negative.
    ///   - origin: What began before it stays where it was; see ``origin``.
    ///   - time: What the clock shows now.
    /// - Returns: what came due, and one update for each activity whose times readers see differently.
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
