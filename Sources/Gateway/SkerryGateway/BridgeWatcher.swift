package import SkerryPhones

/// Those who watch a bridge: they get its events, and may want timelines.
///
/// All are called on the thread of the bus.
public struct BridgeWatcher: Sendable {
    /// Called for each event.
    public var tell: @Sendable (BridgeEvent) -> Void = { _ in }
    /// Asked whether anybody wants timelines.
    package var wantsTimelines: @Sendable () -> Bool = { false }
    /// Asked what was decided last about a device on phones, oldest first.
    package var decisions: @Sendable (_ kind: String, _ device: String) -> [PhoneDecision] = { _, _ in [] }
    /// True if timelines were wanted at the last look.
    private(set) var getsTimelines = false

    /// Looks whether timelines are wanted; changes ``getsTimelines``.
    ///
    /// - Returns: True if they were not wanted before: the timelines of all devices are to be told.
    mutating func look() -> Bool {
        let wants = wantsTimelines()
        defer { getsTimelines = wants }
        return wants && !getsTimelines
    }
}
