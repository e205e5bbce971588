/// One thing that happens to the engine.
public enum Input: Sendable {
    /// A message came.
    case message(Message)
    /// Somebody tells a device an event, such as a command.
    case event(kind: String, device: String, name: String)
    /// Nothing but time passed.
    case timePassed
}

/// A message as the broker delivers it; its bytes share the storage of what they were read from.
@frozen
public struct Message: Sendable {
    /// The topic, UTF-8.
    public var topic: ArraySlice<UInt8>
    /// The payload as it came.
    public var payload: ArraySlice<UInt8>
    /// Whether the broker had kept it from before: then it is a state, and no event that happened now.
    public var isRetained: Bool

    /// Makes a message.
    @inlinable
    public init(topic: ArraySlice<UInt8>, payload: ArraySlice<UInt8>, isRetained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }
}
