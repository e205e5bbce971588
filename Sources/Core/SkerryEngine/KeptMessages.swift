import SkerryValues

/// The last messages of sources that make no devices, for devices that come later.
///
/// A broker sends retained messages in any order: `offline` may come before the device is known. Nothing of it is stored:
/// the broker sends its retained messages again at each start.
struct KeptMessages: Sendable {
    /// A message as one source reads it.
    struct Kept: Sendable {
        var definition: UInt16
        var source: UInt16
        /// The device that the message names; nil for all devices of the definition.
        var device: String?
        var topic: [UInt8]
        var payload: [UInt8]
        var captures: [Value]
        var item: Value
        /// The number of messages that were kept before it.
        var arrival: UInt64 = 0
        /// The hash of the device's name and the definition.
        var hash: UInt64 = 0

        /// The bytes that it counts for, about those that it takes.
        var size: Int {
            let values = captures.reduce(item.storage(limit: .max)) { $0 + $1.storage(limit: .max) }
            return MemoryLayout<Kept>.stride + topic.count + payload.count + (device?.utf8.count ?? 0)
                + values
        }

        func isFor(_ device: String?, _ definition: UInt16) -> Bool {
            guard definition == self.definition else { return false }
            guard let device, let own = self.device else { return device == nil && self.device == nil }
            return own.hasSameCodePoints(as: device)
        }
    }

    private let limit: Int
    private let byteHash: ByteHash
    private var messages: [Kept] = []
    private var names = HashIndex()
    private var order = RecencyQueue()
    private var size = 0
    private var arrivals: UInt64 = 0

    init(limit: Int, _ byteHash: ByteHash) {
        self.limit = limit
        self.byteHash = byteHash
    }

    /// Keeps a message in place of the one that the same topic had for the same source and device; beyond the limit, those
    /// that came first are dropped.
    mutating func keep(_ message: Kept) {
        var message = message
        message.hash = hash(message.device, message.definition)
        message.arrival = arrivals
        arrivals += 1
        let same = names.find(message.hash) { place in
            messages[place].isFor(message.device, message.definition)
                && messages[place].source == message.source && messages[place].topic == message.topic
        }
        if let same { remove(same) }
        // Checked before any other goes for it in vain.
        guard message.size <= limit else { return }
        while size + message.size > limit, let oldest = order.oldest { remove(oldest) }
        messages.append(message)
        size += message.size
        names.insert(messages.count - 1) { messages[$0].hash }
        assert(size <= limit && size >= 0, "the kept messages are miscounted")
        assert(names.count == messages.count, "a kept message is not found")
        order.touch(messages.count - 1)
    }

    /// The messages for a new device, in the order in which they came; those that name it are no longer kept.
    mutating func take(for device: String, _ definition: UInt16) -> [Kept] {
        if messages.isEmpty { return [] }
        let own = places(of: device, definition)
        let found = (own + places(of: nil, definition)).map { messages[$0] }
        // A removal moves the last message, which is none of those with smaller places.
        for place in own.sorted(by: >) { remove(place) }
        assert(places(of: device, definition).isEmpty, "a message is kept for a device that has got it")
        return found.sorted { $0.arrival < $1.arrival }
    }

    /// All messages in the order in which they came.
    var all: [Kept] { messages.sorted { $0.arrival < $1.arrival } }

    private func places(of device: String?, _ definition: UInt16) -> [Int] {
        var places: [Int] = []
        _ = names.find(hash(device, definition)) { place in
            if messages[place].isFor(device, definition) { places.append(place) }
            // False for each, so that the search passes all with this hash.
            return false
        }
        return places
    }

    private mutating func remove(_ place: Int) {
        names.remove(place) { messages[$0].hash }
        order.remove(place)
        size -= messages[place].size
        let last = messages.count - 1
        if place < last {
            // The index knows messages by their places, and the last one moves into the gap.
            names.remove(last) { messages[$0].hash }
            order.move(last, to: place)
            messages.swapAt(place, last)
        }
        messages.removeLast()
        if place < last { names.insert(place) { messages[$0].hash } }
        assert(messages.isEmpty == (size == 0), "the kept messages are miscounted")
        assert(names.count == messages.count, "a kept message is not found")
        assert(!order.contains(last), "a place without a message is in order")
    }

    private func hash(_ device: String?, _ definition: UInt16) -> UInt64 {
        // Messages for all devices share the hash of a device without a name; `isFor` tells them apart.
        Engine.Slot.hash(device ?? "", definition, by: byteHash)
    }
}
