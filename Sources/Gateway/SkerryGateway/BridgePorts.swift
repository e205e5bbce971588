public import Logging
package import SkerryPhones

/// The ports of a bridge besides those to its broker, its store and its clock.
public struct BridgePorts {
    /// The queues of further sinks besides the broker, each with a name of its own.
    public var sinks: [SinkQueue] = []
    /// The source of changed definitions while the bridge runs.
    public var definitions = DefinitionMailbox()
    /// The questions of other threads.
    package var questions = QuestionMailbox()
    /// The room that people gave a device on the page; asked on the bridge's thread.
    package var room: @Sendable (DeviceKey) -> String? = { _ in nil }
    /// The process around the bridge; without it, requests that need it are refused.
    package var surroundings: BridgeSurroundings?
    /// The log.
    var logger: Logger
    /// Those who watch the bridge.
    public var watcher = BridgeWatcher()

    /// Makes ports with a log, and nobody at the others.
    public init(logger: Logger) { self.logger = logger }
}

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
