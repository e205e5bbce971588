/// The way in for messages of the broker: leaves out repetitions, and what comes behind the mark of a partition.
struct Inbound {
    /// The topics of the bridge.
    let topics: BridgeTopics
    /// The messages handled last, to recognise repetitions.
    var handled: HandledMessages
    /// The mark at which this partition ends, once it has met it; nothing behind it is handled.
    private(set) var cut: Int64?

    /// The topics of live messages that came while the broker may still send what it retained before them.
    private var overtaken: Set<[UInt8]> = []
    /// The number of these messages.
    private var liveCount = 0

    /// The least number of messages that brokers queue for a session, mosquitto's default: a queue that long may lack the
    /// newest ones, so that what is retained may be newer.
    private static var shortestQueue: Int { 1000 }

    /// Bytes of a topic that a note shows; a topic may have 65,535.
    static var notedTopicLimit: Int { 200 }

    /// Begins with the messages that the last process handled.
    init(_ options: BridgeOptions, sink: MQTTSink, handled: [HandledMessage]) {
        topics = BridgeTopics(options, sink: sink)
        self.handled = HandledMessages(handled)
    }

    /// Begins with a new connection, to which the broker sends its queue and what it retains.
    mutating func begin(_ session: BusSession) {
        handled.begin(session)
        (overtaken, liveCount) = ([], 0)
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

    /// Remembers the topic of a live message: what the broker retains there is older, unless its queue was full.
    mutating func noteLive(_ message: MessageBatch.Message) {
        guard !message.isRetained, liveCount < Self.shortestQueue else { return }
        liveCount += 1
        overtaken.insert(Array(message.topic))
        if liveCount == Self.shortestQueue { overtaken = [] }
    }

    /// Returns whether a live message on the topic of this retained one came first, from the queue of the session.
    func isOvertaken(_ message: MessageBatch.Message) -> Bool {
        message.isRetained && !overtaken.isEmpty && overtaken.contains(Array(message.topic))
    }

    /// Forgets the topics: what the broker retains has been sent.
    mutating func retainedHasCome() { overtaken = [] }
}
