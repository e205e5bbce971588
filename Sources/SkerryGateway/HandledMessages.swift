/// What tells a message from others of its session: its packet identifier and a hash of what it says.
public struct HandledMessage: Hashable, Sendable {
    /// The packet identifier.
    public var packet: UInt16
    /// A hash of topic and payload, the same on every machine.
    public var hash: UInt32

    /// Makes it of its parts.
    public init(packet: UInt16, hash: UInt32) {
        self.packet = packet
        self.hash = hash
    }

    /// Reads a message; nil for one that is never sent again.
    init?(_ message: MessageBatch.Message) {
        guard message.packet != 0, message.quality != .atMostOnce else { return nil }
        packet = message.packet
        // FNV-1a; 0xFF stands between the two, which no topic contains.
        var hash: UInt32 = 0x811C_9DC5
        func add(_ byte: UInt8) { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        for byte in message.topic { add(byte) }
        add(0xFF)
        for byte in message.payload { add(byte) }
        self.hash = hash
    }
}

/// The messages that were handled last, so that one that the broker sends again counts once.
///
/// When a connection begins and the session goes on, the broker sends again what was not acknowledged, with the packet
/// identifiers that it had, and before everything else (MQTT 5, section 4.4). Which acknowledgements have arrived nobody knows:
/// so what comes first, and was among the last messages with the same identifier and the same bytes, is not handled again. Later
/// the identifiers are given to new messages.
///
/// See docs/decisions/0024-handled-messages.md.
struct HandledMessages {
    /// How many are remembered: as many as may wait for their acknowledgement by default.
    static let limit = 512

    /// In the order in which they were handled, some more than the limit.
    private var messages: [HandledMessage]
    /// What may come again, by packet identifier.
    private var awaited: [UInt16: UInt32] = [:]

    /// Begins with what the last process had handled.
    init(_ messages: [HandledMessage]) {
        self.messages = messages
    }

    /// The last ones, oldest first.
    var last: [HandledMessage] { messages.suffix(Self.limit) }

    /// There is a connection: messages may come again if the session goes on.
    mutating func begin(_ session: BusSession) {
        if !session.isResumed { messages = [] }
        awaited = [:]
        for message in messages.suffix(Self.limit) { awaited[message.packet] = message.hash }
    }

    /// What comes from now on is new.
    mutating func end() { awaited = [:] }

    /// Remembers a message that is about to be handled.
    ///
    /// - Returns: false for one that was handled before.
    mutating func add(_ message: MessageBatch.Message) -> Bool {
        guard let handled = HandledMessage(message) else { return true }
        if !awaited.isEmpty, let hash = awaited.removeValue(forKey: handled.packet), hash == handled.hash {
            return false
        }
        if messages.count >= 2 * Self.limit { messages.removeFirst(Self.limit) }
        messages.append(handled)
        return true
    }
}
