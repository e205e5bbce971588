public import SkerryValues

// Waits for a device that says nothing.

extension Machine {
    /// Lets waits for silence stand still, because no message can come since a moment; see ``listen(since:at:)``.
    public mutating func stopListening(since start: Timestamp) {
        assert(!isDeaf, "a machine stops listening that does not listen")
        // No setter of `deafSince`: another module would modify it with `malloc`, which not every board has.
        isDeaf = true
        listensSince = start
    }

    /// Postpones waits for silence by the time in which the bridge did not listen, and lets them go on.
    ///
    /// A wait that began meanwhile moves only by what was left of that time.
    ///
    /// See docs/decisions/0011-silence.md.
    ///
    /// - Parameters:
    ///   - start: The moment since which it did not listen, or ``deafSince`` if that is earlier.
    ///   - now: The moment from which it listens again.
    public mutating func listen(since start: Timestamp = .distantFuture, at now: Timestamp) {
        let start = min(deafSince ?? start, start)
        isDeaf = false
        // While it was deaf, this was the moment since which no message could come.
        listensSince = max(listensSince, now)
        let length = now - min(start, now)
        guard length > .zero else { return }
        if lastHeard != .distantPast, lastHeard < now {
            let own = min(length, now - lastHeard)
            lastHeard = lastHeard + own
            forgiven = forgiven + own
            assert(lastHeard <= now, "more silence is forgiven than there was")
        }
        // One that begins now has missed nothing.
        for index in waits.indices where waits[index].since < now {
            waits[index].forgive(min(length, now - waits[index].since))
            assert(waits[index].since <= now, "a wait for silence begins later than now")
        }
    }

    /// True if a wait for silence stands still, because no message can come.
    func isDeaf(_ wait: Wait) -> Bool { isDeaf && wait.kind.isQuiet }

    /// Lets the silence that goes before all others be the one that ends at the earliest deadline.
    ///
    /// All count from the same message, so they often end together, whatever the order of arming. As with other
    /// transitions, that of an inner state goes first, otherwise the one that is written first.
    ///
    /// - Parameters:
    ///   - first: The wait with the earliest deadline.
    ///   - now: The moment of that deadline.
    ///   - chart: The chart of the machine.
    /// - Returns: The place of the wait, which now has the earliest deadline.
    mutating func firstSilence(_ first: Int, dueAt now: Timestamp, in chart: Statechart) -> Int {
        guard waits[first].kind.isQuiet else { return first }
        var found = first
        for (index, wait) in waits.enumerated() where wait.kind.isQuiet && deadline(of: wait)?.at == now {
            if chart.precedes(wait.transition, waits[found].transition) { found = index }
        }
        if found != first {
            // Or the deadline that is handled would still be due afterwards.
            (waits[found].due.sequence, waits[first].due.sequence) =
                (waits[first].due.sequence, waits[found].due.sequence)
        }
        return found
    }

    /// Notes the arrival of a message for the waits for a silence that not every message breaks.
    ///
    /// - Parameters:
    ///   - now: The time of the message.
    ///   - chart: The chart of the machine.
    ///   - isBroken: Returns true if the message breaks the silence with this number of the host's.
    /// - Returns: True if a wait that was over begins again.
    public mutating func heard(
        at now: Timestamp,
        in chart: Statechart,
        where isBroken: (UInt16) -> Bool
    ) -> Bool {
        var waitsAgain = false
        for index in waits.indices where waits[index].kind == .partialQuiet {
            guard case .quiet(_, let silence?) = chart.transitions[waits[index].transition.index].trigger,
                isBroken(silence)
            else { continue }
            if waits[index].phase == .spent { waitsAgain = true }
            // Also one that is armed: unlike a wait for any message, its end does not follow `lastHeard`.
            waits[index].restart(at: now)
        }
        return waitsAgain
    }

    /// The moment at which the last message came; nil if none has come.
    public var heardAt: Timestamp? { lastHeard == .distantPast ? nil : lastHeard - forgiven }

    /// True if a transition waits for silence.
    public var waitsForSilence: Bool { waits.contains { $0.kind.isQuiet && $0.phase == .armed } }

    /// True if a guard holds and waits for the end of its `for`.
    public var waitsForGuard: Bool {
        waits.contains { $0.kind == .sustained && $0.phase == .armed && !$0.isLapsed }
    }

    /// True if a transition waits for a silence that not every message breaks, or waited for it in vain.
    public var waitsForPartialSilence: Bool { waits.contains { $0.kind == .partialQuiet } }

    /// Gives up all waits for silence, for a copy of a machine that plays through the future.
    ///
    /// See docs/decisions/0026-the-future-is-lived.md.
    public mutating func neverFallSilent() {
        for index in waits.indices where waits[index].kind.isQuiet { waits[index].phase = .spent }
    }
}

extension Statechart {
    /// True if a transition goes before another one: that of an inner state, otherwise the one that is written first.
    fileprivate func precedes(_ one: TransitionID, _ other: TransitionID) -> Bool {
        let (source, otherSource) = (transitions[one.index].source, transitions[other.index].source)
        if states[otherSource.index].descendants.contains(source) { return true }
        if states[source.index].descendants.contains(otherSource) { return false }
        return (source.rawValue, one.rawValue) < (otherSource.rawValue, other.rawValue)
    }
}
