import SkerryValues

/// The identity of a bridge, read from `bridge/info`.
struct BridgeSignature: Equatable {
    /// The mark of its store; nil when an earlier version wrote it.
    var owner: String?
    /// Its MQTT client id.
    var client: String?
    /// The machine that it runs on; nil when that is unknown.
    var machine: String?
    /// The epoch of its revisions.
    var epoch: Int64?
    /// The topic prefix under which it announces devices to Home Assistant.
    var announces: String?
    /// The number of partitions of which it has one; nil if it has all devices.
    var partitions: Int64?

    /// Reads a payload; nil if it is not an object.
    init?(_ payload: ArraySlice<UInt8>) {
        guard case .map(let members)? = try? JSONReader.value(of: Array(payload).span) else { return nil }
        if case .string(let text)? = members["owner"] { owner = text }
        if case .string(let text)? = members["client"] { client = text }
        if case .string(let text)? = members["machine"] { machine = text }
        if case .int(let number)? = members["epoch"] { epoch = number }
        if case .string(let text)? = members["homeAssistant"] { announces = text }
        if case .int(let number)? = members["partitions"] { partitions = number }
    }
}

/// The retained messages of another bridge with the same prefix.
struct OtherBridge {
    var isOnline = false
    /// The number of partitions of which it has one; nil if it has all devices.
    var partitions: Int64?
}
