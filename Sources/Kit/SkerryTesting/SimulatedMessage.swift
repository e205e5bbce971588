public import SkerryValues

/// A message that a simulated device publishes.
public struct SimulatedMessage: Hashable, Sendable {
    /// The moment of publication, in virtual time.
    public var at: Timestamp
    /// The topic, UTF-8.
    public var topic: [UInt8]
    /// The payload.
    public var payload: [UInt8]
    /// True if the device asks the broker to keep it for those who subscribe later.
    package var isRetained: Bool

    package init(at: Timestamp, topic: [UInt8], payload: [UInt8], isRetained: Bool = false) {
        self.at = at
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }
}

/// One simulated device of any kind: the messages it publishes, in order of time.
///
/// A device is a plain value. What it does follows from its seed and its start alone; it knows no clock, and
/// the player decides how fast. It ends after as many runs as it was made for.
public enum SimulatedDevice: IteratorProtocol, Sendable {
    /// A washing machine, for `devices/washer.yaml`.
    case washer(SimulatedWasher)
    /// A 3D printer, for `devices/printer-bambu.yaml`.
    case printer(SimulatedPrinter)
    /// An irrigation valve, for `devices/sprinkler.yaml`.
    case valve(SimulatedValve)

    /// The next message; nil when all runs are over.
    public mutating func next() -> SimulatedMessage? {
        switch self {
        case .washer(var washer):
            defer { self = .washer(washer) }
            return washer.next()
        case .printer(var printer):
            defer { self = .printer(printer) }
            return printer.next()
        case .valve(var valve):
            defer { self = .valve(valve) }
            return valve.next()
        }
    }
}
