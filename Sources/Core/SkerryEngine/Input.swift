/// An input of the engine.
public enum Input: Sendable {
    /// A message from the broker.
    case message(Message)
    /// An event for a device, such as a command.
    case event(kind: String, device: String, name: String)
    /// A connection to the broker is there, for the first time or again: ``Definition/connected`` for each device whose
    /// definition waits for it.
    case connected
    /// The broker is lost, so that no message can come: silence does not count until it is there again.
    case disconnected
    /// No event: deadlines up to the given time are handled.
    case timePassed
}

/// A message as the broker delivers it; its bytes share storage with the packet they were read from.
@frozen
public struct Message: Sendable {
    /// The topic in UTF-8.
    public var topic: ArraySlice<UInt8>
    /// The payload, unchanged.
    public var payload: ArraySlice<UInt8>
    /// True if the broker had retained the message: it sets signals and is not an event.
    public var isRetained: Bool

    /// Makes a message.
    @inlinable
    public init(topic: ArraySlice<UInt8>, payload: ArraySlice<UInt8>, isRetained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }
}
