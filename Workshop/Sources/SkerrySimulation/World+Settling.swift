import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryValues

// The end of the bad days.

extension World {
    /// Repairs everything, brings the devices to rest, runs each once more, and compares the results.
    func settle() throws(Violation) {
        note("all is repaired")
        reload(usual)
        disk.mood = .healthy
        storeHealsAt = nil
        breaksSending = false
        startsAt = min(startsAt, time.truth + .seconds(1))
        connectsAt = min(connectsAt, time.truth + .seconds(1))
        cluster?.heal(at: time.truth)
        try run(for: .minutes(2))
        if clockSetAt != nil { time.error = clockError }
        clockSetAt = nil
        time.isSynchronized = true
        try run(for: .minutes(12))
        time.correct()
        try run(for: .minutes(12))
        try judgeRetained()
        try bringToRest()
        try run(for: .hours(14))
        try bringToRest()
        try run(for: .hours(2))
        try RestJudge.judge(broker, against: faultless)
        try forgetPastRuns()
        var run: [(minute: Int64, topic: String, payload: String)] = []
        for life in lives { run += life.lastRun }
        var minute: Int64 = 0
        for message in run.enumerated().sorted(by: {
            ($0.element.minute, $0.offset) < ($1.element.minute, $1.offset)
        }) {
            if message.element.minute > minute {
                try self.run(for: .minutes(message.element.minute - minute))
                minute = message.element.minute
                try RestJudge.judge(broker, against: faultless)
            }
            publish(Array(message.element.topic.utf8), Array(message.element.payload.utf8))
        }
        for _ in 0..<6 {
            try self.run(for: .minutes(12))
            try RestJudge.judge(broker, against: faultless)
        }
        try self.run(for: .hours(3))
        try RestJudge.judge(broker, against: faultless)
        try endInOrder()
        try revisionJudge.finish()
        try timerJudge.finish(at: time.truth)
        guard let gateway else { return }
        try sinkJudge.finish(disk.contents.told, gateway.twin.engine)
        if disk.setAside > 0 { throw Violation("recovery", "a device was set aside without a reason") }
    }

    /// Compares the broker with the bridge's own engine, once the broker has everything: later, new revisions would hide
    /// that old ones were left.
    private func judgeRetained() throws(Violation) {
        var rest = 60
        while rest > 0, !disk.contents.state.publications.isEmpty {
            try run(for: .seconds(10))
            rest -= 1
        }
        if let gateway { try RestJudge.judge(broker, against: gateway.twin.engine) }
    }

    /// Ends the process in good order, and checks that nothing is left to send.
    private func endInOrder() throws(Violation) {
        gateway?.bridge.ended()
        guard let left = disk.contents.state.publications.first else { return }
        throw Violation(
            "outbox",
            "\(left.topic) \(RevisionJudge.text(left.payload)) was acknowledged and would be sent again"
        )
    }

    /// Takes the definitions away that learn from past runs, and brings them back.
    ///
    /// Faults change past runs: a message that came late made one longer. So ends that are learned from them may
    /// rightly differ from those of an engine that never met a fault.
    private func forgetPastRuns() throws(Violation) {
        reload(usual.filter { !$0.timers.contains { $0.isLearned } })
        try run(for: .minutes(12))
        try RestJudge.judge(broker, against: faultless)
        reload(usual)
        try run(for: .minutes(12))
        try correctClock()
        try bringToRest()
        try run(for: .minutes(12))
        try RestJudge.judge(broker, against: faultless)
    }

    /// Boots the machine once more if the clock of the bridge is off.
    ///
    /// An error of up to a second is no step, and lasts until the next boot, so moments would differ from those of an
    /// engine that never met a fault. See docs/decisions/0021-clock-steps.md. The devices are brought to rest again,
    /// because a new session gets old retained messages.
    private func correctClock() throws(Violation) {
        guard let gateway, gateway.twin.clock.now != time.truth else { return }
        boot()
        try run(for: .minutes(12))
        try bringToRest()
        try run(for: .hours(14))
    }

    private func bringToRest() throws(Violation) {
        for life in lives {
            for message in life.rest { publish(Array(message.topic.utf8), Array(message.payload.utf8)) }
        }
    }

    /// Advances the time, with all actions that are due meanwhile.
    private func run(for length: Interval) throws(Violation) {
        let end = time.truth + length
        while true {
            let moment = nextMoment
            if moment > end { break }
            let before = time.truth
            try pass(until: moment)
            step += 1
            try act()
            if step > plan.steps + 20_000 {
                throw Violation("rest", "the world does not come to rest after \(before.microseconds)")
            }
        }
        try pass(until: end)
        _ = faultless.handle(.timePassed, at: time.truth)
        try act()
    }
}
