public import SkerryValues

/// The delivery guarantees of MQTT.
public enum QualityOfService: UInt8, Sendable {
    /// QoS 0: sent once, forgotten.
    case atMostOnce = 0
    /// QoS 1: repeated until acknowledged.
    case atLeastOnce = 1
    /// QoS 2. Seen on nothing that a bus subscribes to, because it subscribes with QoS 1.
    case exactlyOnce = 2
}

/// A message to send.
public struct Publication: Sendable, Equatable {
    /// The handler's own name for it, given back by ``BusHandler/settled(_:_:)``; the bus reads no meaning into it.
    public var id: UInt64
    /// The topic, without wildcards.
    public var topic: String
    /// The payload; empty and retained deletes the retained message of the topic.
    public var payload: [UInt8]
    /// The quality of service.
    public var quality: QualityOfService
    /// True if the broker keeps it for later subscribers.
    public var isRetained: Bool
    /// The MQTT 5 content type, a MIME type.
    package var contentType: String?
    /// The time that the broker may hold it for a reader that is offline; whole seconds, rounded up.
    package var expiry: Interval?

    /// Makes a publication.
    public init(
        id: UInt64 = 0,
        topic: String,
        payload: [UInt8],
        quality: QualityOfService = .atLeastOnce,
        isRetained: Bool = false,
        contentType: String? = nil,
        expiry: Interval? = nil
    ) {
        self.id = id
        self.topic = topic
        self.payload = payload
        self.quality = quality
        self.isRetained = isRetained
        self.contentType = contentType
        self.expiry = expiry
    }
}
