import SkerryPhones

/// Those who watch a bridge: they get its events, and may want timelines.
///
/// All are called on the thread of the bus.
struct BridgeWatcher: Sendable {
    /// Called for each event.
    let tell: @Sendable (BridgeEvent) -> Void
    /// Asked whether anybody wants timelines.
    let wantsTimelines: @Sendable () -> Bool
    /// Asked what was decided last about a device on phones, oldest first.
    let decisions: @Sendable (_ kind: String, _ device: String) -> [PhoneDecision]
    /// True if timelines were wanted at the last look.
    private(set) var getsTimelines = false

    init(
        tell: @escaping @Sendable (BridgeEvent) -> Void,
        wantsTimelines: @escaping @Sendable () -> Bool,
        decisions: @escaping @Sendable (_ kind: String, _ device: String) -> [PhoneDecision]
    ) {
        self.tell = tell
        self.wantsTimelines = wantsTimelines
        self.decisions = decisions
    }

    /// Looks whether timelines are wanted; changes ``getsTimelines``.
    ///
    /// - Returns: True if they were not wanted before: the timelines of all devices are to be told.
    mutating func look() -> Bool {
        let wants = wantsTimelines()
        defer { getsTimelines = wants }
        return wants && !getsTimelines
    }
}
