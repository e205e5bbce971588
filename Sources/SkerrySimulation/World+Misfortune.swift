import SkerryGateway
import SkerryTesting
import SkerryValues

// What goes wrong, and when.

extension World {
    /// Lets things go wrong.
    func misfortune() throws(Violation) {
        if fires(.crash, onceIn: 40), gateway != nil {
            counts[.crash] += 1
            try end("at once")
            unsetClock()
        }
        if disk.mood == .healthy, !isClockUncommitted {
            if fires(.crashBeforeCommit, onceIn: 60) { disk.mood = .endingBefore }
            if fires(.crashAfterCommit, onceIn: 60) { disk.mood = .endingAfter }
        }
        if fires(.refusal, onceIn: 50), disk.mood == .healthy {
            counts[.refusal] += 1
            disk.mood = .refusing
            storeHealsAt = time.truth + .seconds(Int64(1 + random.below(random.chance(1, of: 3) ? 900 : 5)))
        }
        if fires(.lostConnection, onceIn: 30), gateway?.isConnected == true {
            counts[.lostConnection] += 1
            disconnect("it broke")
        }
        if fires(.brokenSending, onceIn: 40) { breaksSending = true }
        if fires(.lostSession, onceIn: 120), gateway?.isConnected == true {
            counts[.lostSession] += 1
            forgetsSession = true
            disconnect("the broker starts anew")
        }
        misfortuneOfClock()
    }

    private func fires(_ fault: Fault, onceIn times: Int) -> Bool {
        // Drawn in any case, so that a plan without a fault is otherwise the same world.
        let isDrawn = random.chance(1, of: times)
        guard isDrawn, allows(fault) else { return false }
        if fault == .crash { return !isClockUncommitted }
        return true
    }

    private func misfortuneOfClock() {
        if let setAt = clockSetAt, setAt <= time.truth {
            clockSetAt = nil
            time.error = clockError
            note("the clock is set right")
        }
        guard clockSetAt == nil, gateway != nil else { return }
        let length = Interval.seconds(Int64(2 + random.below(random.chance(1, of: 2) ? 120 : 7200)))
        if fires(.clockForward, onceIn: 80), time.error + length < .hours(6) {
            counts[.clockForward] += 1
            time.error = time.error + length
            note("the clock is set forward by \(length.roundedSeconds) s")
        }
        // A bridge that starts before it has committed this would take the right time for a wrong one.
        let isSafe = disk.mood == .healthy && !losesCommits && gateway?.twin.clock.state == .known
        if fires(.clockBack, onceIn: 80), isSafe, time.error - length > .zero - .hours(6) {
            counts[.clockBack] += 1
            time.error = time.error - length
            isClockUncommitted = true
            note("the clock is set back by \(length.roundedSeconds) s")
        }
    }

    /// The machine may have no battery for its clock.
    private func unsetClock() {
        guard clockSetAt == nil, fires(.clockUnset, onceIn: 4) else { return }
        counts[.clockUnset] += 1
        clockError = time.error
        clockSetAt = startsAt + .seconds(Int64(1 + random.below(1200)))
        time.error = .zero - .hours(24 * 365 * 56)
        note("the clock is in 1970")
    }
}
