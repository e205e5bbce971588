import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryTesting
import SkerryValues

// The faults, and their moments.

extension World {
    /// Makes the faults of this step.
    func misfortune() throws(Violation) {
        if isPaused { return }
        try misfortuneOfNodes()
        if fires(.crash, onceIn: 40), gateway != nil {
            counts[.crash] += 1
            try end("at once")
            startAnotherClock(after: kept[kept.count - 1].error)
        }
        if disk.mood == .healthy {
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
            disconnect("the broker starts again")
        }
        if pastRandom.chance(1, of: 30) { broker.save(bridgePrefix: Twin.commandStart) }
        if pastFires(.oldRetained, onceIn: 60), gateway?.isConnected == true, !isEvidence {
            counts[.oldRetained] += 1
            disconnect("the broker has crashed")
            broker.crash(bridgePrefix: Twin.commandStart)
        }
        if fires(.reload, onceIn: 50) { changeDefinitions() }
        misfortuneOfClock()
    }

    /// Changes the definitions: another kettle, a missing kind, or the usual ones.
    private func changeDefinitions() {
        var next = usual
        if let place = next.firstIndex(where: { $0.kind == "kettle" }), random.chance(2, of: 3) {
            next[place] = Kettle.others[random.below(Kettle.others.count)]
        }
        if random.chance(1, of: 3) { next.remove(at: random.below(next.count)) }
        reload(next)
    }

    /// Replaces the definitions in the bridge and in the faultless engine.
    func reload(_ next: [Definition]) {
        note("the definitions are changed")
        forgetTruth()
        definitions = next
        _ = faultless.change(to: next, at: time.truth)
        gateway?.put(next)
    }

    /// True if a fault fires now, which has a chance of one in `times`.
    func fires(_ fault: Fault, onceIn times: Int) -> Bool {
        // Drawn in any case, so that without this fault the rest of the world stays the same.
        let isDrawn = random.chance(1, of: times)
        return isDrawn && allows(fault)
    }

    /// The same for faults that draw from `pastRandom`, and so leave the rest of the world the same.
    func pastFires(_ fault: Fault, onceIn times: Int) -> Bool {
        let isDrawn = pastRandom.chance(1, of: times)
        return isDrawn && allows(fault)
    }

    private func misfortuneOfClock() {
        if let setAt = clockSetAt, setAt <= time.truth {
            clockSetAt = nil
            time.error = clockError
            time.isSynchronized = true
            note("the clock is synchronized")
        }
        guard clockSetAt == nil, gateway != nil else { return }
        let before = sets
        // If the clock may still be found, the time by which it is ahead looks like time that has passed.
        defer { if sets != before, !knowsTime { forgetTruth() } }
        let length = Interval.seconds(Int64(2 + random.below(random.chance(1, of: 2) ? 120 : 7200)))
        if fires(.clockForward, onceIn: 80), isStep(to: time.error + length) {
            counts[.clockForward] += 1
            time.error = time.error + length
            sets += 1
            note("the clock is set forward by \(length.roundedSeconds) s")
        }
        if fires(.clockBack, onceIn: 80), isStep(to: time.error - length) {
            counts[.clockBack] += 1
            time.error = time.error - length
            sets += 1
            note("the clock is set back by \(length.roundedSeconds) s")
        }
    }

    /// True if the bridge will notice the correction of such an error as a step; an error of a second is slewed.
    private func isStep(to error: Interval) -> Bool {
        error == .zero || error.magnitude > .seconds(1) && error.magnitude < .hours(6)
    }

    /// Boots the machine with a clock that may have no battery, or that was set wrongly.
    ///
    /// - Parameter error: The clock error that the stored times have; nil when it is unknown.
    private func startAnotherClock(after error: Interval?) {
        guard clockSetAt == nil else { return }
        if fires(.clockUnset, onceIn: 4) {
            counts[.clockUnset] += 1
            clockError = time.error
            time.error = .zero - .hours(24 * 365 * 56)
            note("the clock is in 1970")
        } else if time.error > .seconds(2), fires(.clockCorrected, onceIn: 2) {
            counts[.clockCorrected] += 1
            clockError = .zero
            time.error = .zero
            note("the clock is right")
        } else if fires(.clockResumed, onceIn: 3) {
            let behind = startsAt - time.truth - .seconds(Int64(random.below(2)))
            // The gateway does not notice a clock that is off by a second.
            guard behind > .seconds(1) else { return }
            counts[.clockResumed] += 1
            clockError = time.error
            time.error = time.error - behind
            note("the clock goes on from the end")
        } else {
            return
        }
        time.boot()
        // If the stored times go by a different clock error, the right end of the tea can't be known.
        if error.map({ ($0 - clockError).magnitude > .seconds(1) }) ?? true { forgetTruth() }
        time.isSynchronized = false
        clockSetAt = startsAt + .seconds(Int64(1 + random.below(1200)))
    }
}
