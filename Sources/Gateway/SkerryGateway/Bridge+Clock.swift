import Logging
import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

// The wall clock, which people and time servers set.

extension Bridge {
    /// Looks whether the wall clock was set, and puts everything right that depends on it.
    func lookAtClock() {
        let change = clock.look()
        defer { tellClock() }
        alarms[.look] = lookTime
        let shift: ClockShift
        switch change {
        case .steady: return
        case .found(let length):
            journal.logger.notice(
                .clockFound,
                "the clock is now right: \(length.roundedSeconds) s more have passed than were counted"
            )
            // 0021: what was restored has waited through the time
            // that was found; only what began in this process moves.
            shift = ClockShift(by: length, since: engine.origin)
        case .stepped(let length):
            journal.logger.notice(
                .clockSet,
                "the clock was set by \(length.roundedSeconds) s; this moves no timer"
            )
            shift = ClockShift(by: length)
        }
        // What was due before the step is handled first, at its time
        // by the old clock. Afterwards it would have moved, too.
        let time = clock.now
        let formerTime = time - shift.length
        tell(engine.handle(.timePassed, at: formerTime), asOf: formerTime)
        move(by: shift)
        watcher.tell(.clock(clock, movedBy: shift.length))
        tell(engine.clockSet(by: shift.length, since: shift.origin, at: time))
        // Or the next commit would keep the new time beside deadlines of the old one.
        _ = commit(all: true)
    }

    /// The moment of the next look at the wall clock; nil if its right time would make nothing due.
    var lookTime: Timestamp? { clock.mayBeFound ? clock.now + .seconds(10) : nil }

    /// Publishes the state of the clock to the health report and to every sink.
    func tellClock() {
        journal.health.clock = clock.state
        for sink in ledger.sinks { sink.setClock(isKnown: clock.state == .known) }
    }

    /// Moves the bridge's own deadlines and the moments that it has recorded.
    private func move(by shift: ClockShift) {
        alarms.move(by: shift.length)
        readBack.clockMoved(by: shift.length)
        rivalry.clockMoved(by: shift.length)
        journal.clockStepped(by: shift.length)
        tapes?.clockStepped(by: shift.length)
        ledger.move(by: shift)
    }
}
