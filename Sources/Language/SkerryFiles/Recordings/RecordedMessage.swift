public import SkerryValues

/// A message of a recording.
///
/// Topic and payload are slices of memory that many messages share; copy what must outlive them.
public struct RecordedMessage: Sendable {
    /// The time of arrival.
    public var at: Timestamp
    /// Its topic, as bytes of UTF-8.
    public var topic: ArraySlice<UInt8>
    /// Its payload.
    public var payload: ArraySlice<UInt8>
    /// Its quality of service, 0 to 2.
    public var qos: UInt8
    /// True if it was a retained message.
    public var isRetained: Bool
    /// Its packet identifier; 0 when it had none.
    public var identifier: UInt16

    /// Makes a message.
    public init(
        at: Timestamp,
        topic: ArraySlice<UInt8>,
        payload: ArraySlice<UInt8>,
        qos: UInt8 = 0,
        isRetained: Bool = false,
        identifier: UInt16 = 0
    ) {
        self.at = at
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.isRetained = isRetained
        self.identifier = identifier
    }
}
