import SkerryValues

/// Messages of a recording, one after the other, in memory that they share.
public struct RecordedMessages: Sendable, RandomAccessCollection {
    struct Entry: Sendable {
        var at: Timestamp
        var topic: Range<Int>
        var payload: Range<Int>
        var qos: UInt8
        var isRetained: Bool
        var identifier: UInt16
    }

    var arena: [UInt8] = []
    var entries: [Entry] = []

    /// Makes an empty list.
    public init() {}

    /// The index of the first message: 0.
    public var startIndex: Int { 0 }
    /// The number of messages.
    public var endIndex: Int { entries.count }

    /// The message at a position.
    public subscript(position: Int) -> RecordedMessage {
        let entry = entries[position]
        return RecordedMessage(
            at: entry.at,
            topic: arena[entry.topic],
            payload: arena[entry.payload],
            qos: entry.qos,
            isRetained: entry.isRetained,
            identifier: entry.identifier
        )
    }

    /// Makes room for the messages in this number of bytes of lines.
    mutating func reset(capacity: Int) {
        entries.removeAll(keepingCapacity: true)
        if arena.count < capacity { arena = [UInt8](repeating: 0, count: capacity) }
    }
}
