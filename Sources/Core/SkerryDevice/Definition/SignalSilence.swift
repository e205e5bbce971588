/// A silence that not every message of a device breaks.
struct SignalSilence: Hashable, Sendable {
    /// The signals that break it.
    var signals: SignalSet
    /// True if only a change of a signal breaks it, and not each report.
    var asksChange: Bool

    /// True if a message breaks it.
    func isBroken(byReport reported: SignalSet, change changed: SignalSet) -> Bool {
        signals.intersects(asksChange ? changed : reported)
    }
}
