/// The identity of a message within its session: its packet identifier and a hash of its bytes; or that of a message over
/// HTTP, which has a key in place of the identifier.
public struct HandledMessage: Hashable, Sendable {
    /// The packet identifier; 0 for a message over HTTP.
    public var packet: UInt16
    /// A hash of topic and payload, and of the key if there is one, the same on every machine.
    package var hash: UInt32

    /// Makes it of its parts.
    package init(packet: UInt16, hash: UInt32) {
        self.packet = packet
        self.hash = hash
    }

    /// Reads a message; nil for one that is never sent again.
    init?(_ message: MessageBatch.Message) {
        guard message.packet != 0, message.quality != .atMostOnce else { return nil }
        packet = message.packet
        hash = Self.hash(message.topic, message.payload)
    }

    /// Makes the identity of a message over HTTP.
    init(_ message: MessageBatch.Message, key: String) {
        packet = 0
        hash = Self.hash(message.topic, message.payload, after: Self.hash(Array(key.utf8)[...], []))
    }

    /// FNV-1a; 0xFF, which neither a topic nor a key contains, separates the two.
    private static func hash(
        _ first: ArraySlice<UInt8>,
        _ second: ArraySlice<UInt8>,
        after start: UInt32 = 0x811C_9DC5
    ) -> UInt32 {
        var hash = start
        func add(_ byte: UInt8) { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        for byte in first { add(byte) }
        add(0xFF)
        for byte in second { add(byte) }
        return hash
    }
}

extension HandledMessage {
    /// The form in stores, six bytes each: the packet identifier and the hash, low bytes first.
    package static func bytes(_ messages: [HandledMessage]) -> [UInt8] {
        // An array without capacity is the one that all threads share, and its length would be written.
        if messages.isEmpty { return [] }
        return [UInt8](unsafeUninitializedCapacity: 6 * messages.count) { bytes, count in
            let raw = UnsafeMutableRawBufferPointer(bytes)
            for message in messages {
                raw.storeBytes(of: message.packet.littleEndian, toByteOffset: count, as: UInt16.self)
                raw.storeBytes(of: message.hash.littleEndian, toByteOffset: count + 2, as: UInt32.self)
                count += 6
            }
        }
    }

    /// Reads that form.
    package static func list(_ bytes: [UInt8]) -> [HandledMessage] {
        stride(from: 0, to: bytes.count - bytes.count % 6, by: 6).map { start in
            let word = (0..<6).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
            return HandledMessage(
                packet: UInt16(truncatingIfNeeded: word),
                hash: UInt32(truncatingIfNeeded: word >> 16)
            )
        }
    }
}

/// The messages that were handled last, so that one that the broker sends again counts once.
///
/// When a session is resumed, the broker first sends the unacknowledged messages again, with their former packet
/// identifiers (MQTT 5, section 4.4). It is unknown which acknowledgements have arrived. So a message at the
/// beginning that has the identifier and the bytes of one of the last messages is not handled again. Later, the
/// broker gives the identifiers to new messages.
///
/// See docs/decisions/0024-handled-messages.md.
package struct HandledMessages {
    /// The number remembered: as many as may wait for their acknowledgement.
    package static let limit = 512

    /// The messages over HTTP that are remembered.
    static let requestLimit = 128

    /// In the order in which they were handled, some more than the limit.
    private var messages: [HandledMessage]
    /// The messages over HTTP with a key.
    private var requests: [HandledMessage]
    /// The messages that may be repeated, by packet identifier.
    private var awaited: [UInt16: UInt32] = [:]

    /// Begins with the messages that the last process handled.
    init(_ messages: [HandledMessage]) {
        self.messages = messages.filter { $0.packet != 0 }
        requests = messages.filter { $0.packet == 0 }
    }

    /// The last ones, oldest first: those over HTTP, then those of the broker.
    var last: [HandledMessage] { requests + messages.suffix(Self.limit) }

    /// Begins a connection: messages may be repeated if the session is resumed.
    mutating func begin(_ session: BusSession) {
        if !session.isResumed { messages = [] }
        awaited = [:]
        for message in messages.suffix(Self.limit) { awaited[message.packet] = message.hash }
        assert(awaited.isEmpty || session.isResumed, "a new session repeats what another one had")
    }

    /// Ends the repetitions: all further messages are new.
    mutating func end() { awaited = [:] }

    /// Remembers a message that is about to be handled.
    ///
    /// - Returns: false for one that was handled before.
    mutating func add(_ message: MessageBatch.Message) -> Bool {
        guard let handled = HandledMessage(message) else { return true }
        if !awaited.isEmpty, let hash = awaited.removeValue(forKey: handled.packet), hash == handled.hash {
            return false
        }
        // Many at once, so that not every message moves all others.
        if messages.count >= 2 * Self.limit { messages.removeFirst(Self.limit) }
        // Also if the commit fails: the engine has handled it, its
        // changes wait for the next commit, and a repetition is none.
        messages.append(handled)
        return true
    }

    /// Returns whether a message over HTTP was handled before.
    func contain(_ message: MessageBatch.Message, key: String) -> Bool {
        requests.contains(HandledMessage(message, key: key))
    }

    /// Remembers a message over HTTP that was handled.
    mutating func insert(_ message: MessageBatch.Message, key: String) {
        // Several where partitions were brought together.
        requests.removeFirst(max(0, requests.count - Self.requestLimit + 1))
        requests.append(HandledMessage(message, key: key))
        assert(requests.count <= Self.requestLimit, "more requests are remembered than promised")
    }
}
