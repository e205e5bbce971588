/// A question to the bridge over MQTT.
enum Question: Equatable {
    /// An explanation of a device.
    case explain(kind: String, device: String)
    /// The devices with a name, `kind/name` or the name alone; empty for all.
    case devices(named: String)
    /// A request to forget a device, by its kind and name.
    case forget(kind: String, device: String)

    /// The longest name in a question, in bytes.
    static let limit = 1024

    /// Reads a message as a question; nil if its topic is not a question topic.
    ///
    /// - Parameters:
    ///   - topic: The topic of the message.
    ///   - payload: Its payload.
    ///   - start: The common beginning of the topics: the prefix and a slash.
    init?(topic: ArraySlice<UInt8>, payload: ArraySlice<UInt8>, start: [UInt8]) {
        guard topic.last == UInt8(ascii: "t"), topic.starts(with: start) else { return nil }
        let levels = topic.dropFirst(start.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if levels.count == 4, levels[2] == "explain", levels[3] == "get" {
            self = .explain(kind: levels[0], device: levels[1])
        } else if levels == ["bridge", "devices", "get"] {
            self = .devices(named: String(decoding: payload.prefix(Self.limit), as: UTF8.self))
        } else if levels == ["bridge", "devices", "forget"] {
            let name = String(decoding: payload.prefix(Self.limit), as: UTF8.self)
            let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            self = .forget(kind: String(parts[0]), device: parts.count == 2 ? String(parts[1]) : "")
        } else {
            return nil
        }
    }
}
