/// A question to the bridge over MQTT.
enum Question: Equatable {
    /// An explanation of a device.
    case explain(kind: String, device: String)

    /// Reads a message as a question; nil if its topic is not a question topic.
    ///
    /// - Parameters:
    ///   - topic: The topic of the message.
    ///   - start: The common beginning of the topics: the prefix and a slash.
    init?(topic: ArraySlice<UInt8>, start: [UInt8]) {
        guard topic.last == UInt8(ascii: "t"), topic.starts(with: start) else { return nil }
        let levels = topic.dropFirst(start.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard levels.count == 4, levels[2] == "explain", levels[3] == "get" else { return nil }
        self = .explain(kind: levels[0], device: levels[1])
    }
}
