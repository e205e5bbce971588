/// Messages that were handled and whose commit the store refused.
///
/// They are not acknowledged, so the broker sends them again, with the packet identifiers that they had (MQTT 5, section
/// 4.4). What the engine made of them still waits for the store: they must not count twice.
struct UnkeptMessages {
    private var batch = MessageBatch()
    /// Where they stand in the batch, by packet identifier.
    private var places: [UInt16: Int] = [:]

    /// Adds the messages of a batch that the broker will send again.
    mutating func add(_ further: MessageBatch) {
        for position in 0..<further.count where further[position].packet != 0 {
            let message = further[position]
            places[message.packet] = batch.count
            batch.append(topic: message.topic, payload: message.payload)
        }
    }

    /// Removes a message that has come again.
    ///
    /// - Returns: whether it was handled before.
    mutating func remove(_ message: MessageBatch.Message) -> Bool {
        guard let place = places[message.packet] else { return false }
        let known = batch[place]
        guard known.topic == message.topic, known.payload == message.payload else { return false }
        places[message.packet] = nil
        if places.isEmpty { batch.removeAll() }
        return true
    }
}
