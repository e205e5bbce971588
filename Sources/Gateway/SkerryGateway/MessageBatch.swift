public import SkerryValues

/// Messages in order of arrival, their bytes in one piece of storage.
///
/// Bytes are copied once, when they arrive; reading a message copies nothing. A batch that is cleared keeps its
/// storage, so in the long run taking messages in allocates nothing.
public struct MessageBatch: Sendable {
    /// One message of a batch.
    @frozen
    public struct Message: Sendable {
        /// The topic in UTF-8.
        public var topic: ArraySlice<UInt8>
        /// The payload as it came.
        public var payload: ArraySlice<UInt8>
        /// True for a message that the broker had kept and sends because of a new subscription: a state, no event.
        ///
        /// A live message has false, also if it was published as retained.
        public var isRetained: Bool
        /// The quality of service of the delivery.
        public var quality: QualityOfService
        /// The packet identifier, which a message that is sent again keeps; 0 when it is not sent again.
        public var packet: UInt16
        /// The time since boot at which it was read: later messages never have earlier times.
        public var arrival: Interval

        /// Makes a message.
        @inlinable
        public init(
            topic: ArraySlice<UInt8>,
            payload: ArraySlice<UInt8>,
            isRetained: Bool,
            quality: QualityOfService,
            packet: UInt16,
            arrival: Interval
        ) {
            self.topic = topic
            self.payload = payload
            self.isRetained = isRetained
            self.quality = quality
            self.packet = packet
            self.arrival = arrival
        }
    }

    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline var start: Int
        @usableFromInline var payloadStart: Int
        @usableFromInline var end: Int
        @usableFromInline var arrival: Interval
        @usableFromInline var isRetained: Bool
        @usableFromInline var quality: QualityOfService
        @usableFromInline var packet: UInt16

        @inlinable
        init(
            start: Int,
            payloadStart: Int,
            end: Int,
            arrival: Interval,
            isRetained: Bool,
            quality: QualityOfService,
            packet: UInt16
        ) {
            self.start = start
            self.payloadStart = payloadStart
            self.end = end
            self.arrival = arrival
            self.isRetained = isRetained
            self.quality = quality
            self.packet = packet
        }
    }

    @usableFromInline var bytes: [UInt8] = []
    @usableFromInline var entries: [Entry] = []

    /// Messages left out because their payload was over the limit; they are acknowledged with the others.
    package var oversizedCount = 0

    /// Makes an empty batch.
    public init() {}

    /// The number of messages.
    @inlinable public var count: Int { entries.count }

    /// True if there are no messages.
    @inlinable public var isEmpty: Bool { entries.isEmpty }

    /// Bytes of all topics and payloads.
    @inlinable package var byteCount: Int { bytes.count }

    /// The message at a position from 0 up to ``count``.
    @inlinable
    public subscript(position: Int) -> Message {
        let entry = entries[position]
        return Message(
            topic: bytes[entry.start..<entry.payloadStart],
            payload: bytes[entry.payloadStart..<entry.end],
            isRetained: entry.isRetained,
            quality: entry.quality,
            packet: entry.packet,
            arrival: entry.arrival
        )
    }

    /// Adds a message at the end; its bytes are copied.
    @inlinable
    public mutating func append(
        topic: some Collection<UInt8>,
        payload: some Collection<UInt8>,
        isRetained: Bool = false,
        quality: QualityOfService = .atLeastOnce,
        packet: UInt16 = 0,
        arrival: Interval = .zero
    ) {
        let start = bytes.count
        bytes.append(contentsOf: topic)
        let payloadStart = bytes.count
        bytes.append(contentsOf: payload)
        entries.append(
            Entry(
                start: start,
                payloadStart: payloadStart,
                end: bytes.count,
                arrival: arrival,
                isRetained: isRetained,
                quality: quality,
                packet: packet
            )
        )
    }

    /// Empties the batch and keeps its storage, up to `capacityLimit` bytes.
    ///
    /// One burst of large payloads must not hold memory permanently.
    public mutating func removeAll(capacityLimit: Int = 1 << 20) {
        bytes.removeAll(keepingCapacity: bytes.capacity <= capacityLimit)
        entries.removeAll(keepingCapacity: true)
        oversizedCount = 0
    }
}
