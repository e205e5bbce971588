import SkerryEngine
package import SkerryValues

/// The last messages of a device as they came, for a recording.
package struct MessageTape: Sendable {
    /// A piece of storage with some messages, oldest first.
    struct Chunk: Sendable {
        struct Entry: Sendable {
            var at: Timestamp
            var payloadStart: Int
            var end: Int
            var isRetained: Bool
            var quality: QualityOfService
        }

        /// The place in the order of all chunks.
        let number: UInt64
        var bytes: [UInt8] = []
        var entries: [Entry] = []

        /// About the memory that it takes, with what its arrays hold in reserve, as of the last change.
        private(set) var size = Self.overhead

        private static let overhead = 128

        init(number: UInt64) { self.number = number }

        mutating func append(_ message: MessageBatch.Message, at now: Timestamp) {
            assert((entries.last?.end ?? 0) == bytes.count, "bytes of no message lie before this one")
            bytes.append(contentsOf: message.topic)
            let payloadStart = bytes.count
            bytes.append(contentsOf: message.payload)
            entries.append(
                Entry(
                    at: now,
                    payloadStart: payloadStart,
                    end: bytes.count,
                    isRetained: message.isRetained,
                    quality: message.quality
                )
            )
            measure()
        }

        /// Gives back what the arrays hold in reserve: nothing more comes.
        mutating func close() {
            bytes = bytes.copied
            entries = entries.copied
            measure()
            assert((entries.last?.end ?? 0) == bytes.count, "bytes are lost as a chunk is closed")
        }

        private mutating func measure() {
            size = Self.overhead + bytes.capacity + entries.capacity * MemoryLayout<Entry>.stride
        }
    }

    /// A message that was kept.
    package struct Message: Sendable {
        /// The moment of its arrival.
        package var at: Timestamp
        /// The topic in UTF-8.
        package var topic: ArraySlice<UInt8>
        /// The payload as it came.
        package var payload: ArraySlice<UInt8>
        /// True for a message that the broker had kept.
        package var isRetained: Bool
        /// The quality of service of the delivery.
        package var quality: QualityOfService
    }

    let device: DeviceKey
    var chunks: [Chunk] = []
    var size = 0

    /// Calls a body with each message, oldest first.
    package func forEach(_ body: (Message) -> Void) {
        for chunk in chunks {
            var start = 0
            for entry in chunk.entries {
                body(
                    Message(
                        at: entry.at,
                        topic: chunk.bytes[start..<entry.payloadStart],
                        payload: chunk.bytes[entry.payloadStart..<entry.end],
                        isRetained: entry.isRetained,
                        quality: entry.quality
                    )
                )
                start = entry.end
            }
        }
    }

    /// True if it has no message.
    package var isEmpty: Bool { chunks.allSatisfy { $0.entries.isEmpty } }

    /// Drops its oldest chunk.
    mutating func dropFirst() {
        size -= chunks.removeFirst().size
        assert(size >= 0, "the memory of a tape is miscounted")
    }
}

/// The messages of the last hours by device, as they came, within limits of memory; the oldest go first.
///
/// A message costs a copy of its bytes; nothing is read from it.
struct MessageTapes: Sendable {
    /// The limits of the memory.
    struct Limits: Sendable {
        /// The bytes of one device.
        var device = 2 << 20
        /// The bytes of all devices.
        var all = 32 << 20
        /// The bytes of a chunk; the chunk is dropped as a whole.
        var chunk = 16 << 10
    }

    /// About the memory that all messages take.
    private(set) var size = 0

    private let length: Interval
    /// The longest time between the first and the last message of a chunk.
    private let span: Interval
    private let limits: Limits
    private var tapes: [MessageTape] = []
    private var numbers: [DeviceKey: Int] = [:]
    /// The numbers of tapes without messages, for the next devices.
    private var free: [Int] = []
    /// The tapes by the places of the devices in the engine; -1 where there is none.
    private var places: [Int] = []
    /// The chunks in the order in which they began, from ``oldest`` on, by the numbers of their tapes.
    private var order: [Int] = []
    private var oldest = 0
    /// The number of the chunk at the beginning of ``order``.
    private var firstNumber: UInt64 = 0

    /// Keeps messages for a time; nil for no time.
    init?(length: Interval, limits: Limits = Limits()) {
        guard length > .zero else { return nil }
        self.length = length
        self.limits = limits
        span = Interval(microseconds: length.microseconds / 8)
    }

    /// Keeps a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - now: The moment of its arrival.
    ///   - place: The place of its device in the engine, by which the tape is found without a hash.
    ///   - kind: The kind of the device.
    ///   - device: The name of the device.
    mutating func append(
        _ message: MessageBatch.Message,
        at now: Timestamp,
        place: Int,
        kind: String,
        device: String
    ) {
        let number = tape(at: place, kind: kind, device: device)
        let length = message.topic.count + message.payload.count
        if !hasRoom(number, for: length, at: now) { begin(number) }
        let place = tapes[number].chunks.count - 1
        let before = tapes[number].chunks[place].size
        tapes[number].chunks[place].append(message, at: now)
        let growth = tapes[number].chunks[place].size - before
        tapes[number].size += growth
        size += growth
        assert(tapes[number].size <= size, "a tape takes more than all of them")
        if tapes[number].size > limits.device, tapes[number].chunks.count > 1 { dropFirst(of: number) }
        dropOldest(at: now)
    }

    /// The messages that are kept of a device; nil when there are none.
    func tape(of device: DeviceKey, at now: Timestamp) -> MessageTape? {
        guard let number = numbers[device] else { return nil }
        var tape = tapes[number]
        while let last = tape.chunks.first?.entries.last, last.at < now - length { tape.dropFirst() }
        return tape.isEmpty ? nil : tape
    }

    /// Moves all moments, because the wall clock was set.
    mutating func clockStepped(by length: Interval) {
        for tape in tapes.indices {
            for chunk in tapes[tape].chunks.indices {
                for entry in tapes[tape].chunks[chunk].entries.indices {
                    let at = tapes[tape].chunks[chunk].entries[entry].at
                    tapes[tape].chunks[chunk].entries[entry].at = at + length
                }
            }
        }
    }

    private mutating func tape(at place: Int, kind: String, device: String) -> Int {
        let key = DeviceKey(kind: kind, name: device)
        if place < places.count, places[place] >= 0 {
            let number = places[place]
            // The engine gives places to other devices, and tapes are reused: only the names prove that it is the same one.
            if tapes[number].device == key { return number }
        }
        let number = numbers[key] ?? newTape(of: key)
        while places.count <= place { places.append(-1) }
        places[place] = number
        assert(tapes[number].device == key, "a device has the tape of another")
        return number
    }

    private mutating func newTape(of device: DeviceKey) -> Int {
        let number = free.popLast() ?? tapes.count
        if number == tapes.count {
            tapes.append(MessageTape(device: device))
        } else {
            assert(tapes[number].chunks.isEmpty && tapes[number].size == 0, "a tape in use is given away")
            tapes[number] = MessageTape(device: device)
        }
        numbers[device] = number
        assert(numbers.count + free.count == tapes.count, "a tape is neither in use nor free")
        return number
    }

    /// True if the last chunk of a tape takes a message of this length.
    private func hasRoom(_ tape: Int, for length: Int, at now: Timestamp) -> Bool {
        guard let last = tapes[tape].chunks.last, let first = last.entries.first else { return false }
        return last.bytes.count + length <= limits.chunk && now - first.at < span
    }

    private mutating func begin(_ tape: Int) {
        if let last = tapes[tape].chunks.indices.last {
            let before = tapes[tape].chunks[last].size
            tapes[tape].chunks[last].close()
            let growth = tapes[tape].chunks[last].size - before
            tapes[tape].size += growth
            size += growth
        }
        let chunk = MessageTape.Chunk(number: firstNumber + UInt64(order.count))
        order.append(tape)
        assert(tapes[tape].chunks.last.map { $0.number < chunk.number } ?? true, "a chunk is not the newest")
        tapes[tape].chunks.append(chunk)
        tapes[tape].size += chunk.size
        size += chunk.size
    }

    private mutating func dropFirst(of tape: Int) {
        size -= tapes[tape].chunks[0].size
        tapes[tape].dropFirst()
        assert(tapes[tape].size <= size, "a tape takes more than all of them")
        guard tapes[tape].chunks.isEmpty else { return }
        assert(tapes[tape].size == 0, "the memory of a tape is miscounted")
        assert(numbers[tapes[tape].device] == tape, "a device has the tape of another")
        assert(!free.contains(tape), "a tape is given back twice")
        numbers[tapes[tape].device] = nil
        tapes[tape] = MessageTape(device: DeviceKey(kind: "", name: ""))
        free.append(tape)
        assert(numbers.count + free.count == tapes.count, "a tape is neither in use nor free")
    }

    /// Drops chunks that are too old, and the oldest ones while all take too much.
    private mutating func dropOldest(at now: Timestamp) {
        while oldest < order.count {
            let tape = order[oldest]
            let number = firstNumber + UInt64(oldest)
            assert(tapes[tape].chunks.first.map { $0.number >= number } ?? true, "a chunk outlives its turn")
            // Its tape may have dropped it before.
            if let chunk = tapes[tape].chunks.first, chunk.number == number {
                let isOld = chunk.entries.last.map { $0.at < now - length } ?? false
                guard isOld || size > limits.all else { break }
                dropFirst(of: tape)
            }
            oldest += 1
        }
        // Moving the rest forward is worth it only when most of the list is gone.
        guard oldest > 4096, oldest > order.count / 2 else { return }
        order.removeFirst(oldest)
        firstNumber += UInt64(oldest)
        oldest = 0
    }
}

extension Array {
    /// The same elements in storage of just their size.
    fileprivate var copied: [Element] {
        Array(unsafeUninitializedCapacity: count) { storage, initialized in
            initialized = storage.initialize(fromContentsOf: self)
        }
    }
}

/// The last messages of each device, kept in memory for recordings as long as they are wanted.
struct TapeRecorder {
    /// The time for which messages are kept; zero for none.
    private(set) var length: Interval
    /// The messages; nil when none are kept.
    private var tapes: MessageTapes?

    init(length: Interval) {
        self.length = length
        tapes = MessageTapes(length: length)
        assert(isRecording == (length > .zero), "messages are kept for another time than was asked for")
    }

    /// Keeps messages for another time from now on; those that were kept so far are dropped.
    mutating func keep(for length: Interval) { self = TapeRecorder(length: length) }

    /// True while messages are kept.
    var isRecording: Bool { tapes != nil }

    /// Keeps a message for the devices that it is about.
    mutating func record(_ message: MessageBatch.Message, of engine: Engine, at now: Timestamp) {
        assert(isRecording)
        engine.forEachDevice(of: message.topic) { place, kind, device in
            tapes?.append(message, at: now, place: place, kind: kind, device: device)
        }
    }

    /// The messages of a device; nil if none are kept.
    func tape(of device: DeviceKey, at now: Timestamp) -> MessageTape? { tapes?.tape(of: device, at: now) }

    /// Moves the recorded moments by a step of the wall clock.
    mutating func clockStepped(by length: Interval) { tapes?.clockStepped(by: length) }
}
