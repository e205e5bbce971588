public import SkerryValues

// Waits for a device that says nothing.

extension Machine {
    /// Postpones waits for silence by a length of time in which the bridge did not listen.
    ///
    /// See docs/decisions/0011-silence.md.
    public mutating func forgiveSilence(_ length: Interval) {
        guard length > .zero else { return }
        if lastHeard != .distantPast { lastHeard = lastHeard + length }
        for index in waits.indices { waits[index].forgive(length) }
    }

    /// True if a transition waits for silence.
    public var waitsForSilence: Bool { waits.contains { $0.kind == .quiet && $0.phase == .armed } }

    /// Gives up all waits for silence, for a copy of a machine that plays through the future.
    ///
    /// See docs/decisions/0026-the-future-is-lived.md.
    public mutating func neverFallSilent() {
        for index in waits.indices where waits[index].kind == .quiet { waits[index].phase = .spent }
    }
}
