import Logging

/// The ports of a bridge besides those to its broker, its store and its clock.
struct BridgePorts {
    /// The queues of further sinks, each with a name of its own.
    var sinks: [SinkQueue]
    /// The source of changed definitions.
    var definitions: DefinitionMailbox
    /// The questions of other threads.
    var questions: QuestionMailbox
    /// The process around the bridge; without it, requests that need it are refused.
    var surroundings: BridgeSurroundings?
    var logger: Logger
    var watcher: BridgeWatcher
}
