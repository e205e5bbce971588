public import Logging

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
