/// The way in for messages of the broker: leaves out repetitions, and what comes behind the mark of a partition.
struct Inbound {
    let topics: BridgeTopics
    /// The messages handled last, to recognise repetitions.
    var handled: HandledMessages
    /// The mark at which this partition ends, once it has met it; nothing behind it is handled.
    private(set) var cut: Int64?

    /// Bytes of a topic that a note shows; a topic may have 65,535.
    static var notedTopicLimit: Int { 200 }

    /// Begins with the messages that the last process handled.
    init(_ options: BridgeOptions, sink: MQTTSink, handled: [HandledMessage]) {
        topics = BridgeTopics(options, sink: sink)
        self.handled = HandledMessages(handled)
    }

    /// Looks for the mark at which this number of partitions ends; changes ``cut``.
    ///
    /// - Returns: True if the message is the mark: nothing behind it is handled.
    mutating func meetCut(_ message: MessageBatch.Message) -> Bool {
        guard let found = topics.cut(message) else { return false }
        assert(cut == nil, "a partition handles nothing behind its mark")
        cut = found.id
        return true
    }
}
