import SkerryExpressions
import SkerryValues

/// A topic filter with its payload format, and the signals taken from its messages; immutable.
public final class Source: Sendable {
    /// The topic filter, with the names of its captures.
    public let filter: TopicFilter
    /// The format in which payloads are read.
    public let payload: PayloadFormat
    /// The level of the topic that names the device, from 0.
    public let deviceLevel: Int
    /// The levels of all captures, in the order of the filter.
    public let captureLevels: [Int]

    let plan: PayloadPlan
    /// For each path that the expressions read, true if the path is the whole payload.
    let wholePayload: [Bool]
    let signals: [SignalAssignment]
    let available: Program?
    let event: Program?
    /// True if an expression reads a capture other than the device.
    public let readsCaptures: Bool

    init(
        filter: TopicFilter,
        payload: PayloadFormat,
        deviceLevel: Int,
        captureLevels: [Int],
        plan: PayloadPlan,
        wholePayload: [Bool],
        signals: [SignalAssignment],
        available: Program?,
        event: Program?,
        readsCaptures: Bool
    ) {
        self.filter = filter
        self.payload = payload
        self.deviceLevel = deviceLevel
        self.captureLevels = captureLevels
        self.plan = plan
        self.wholePayload = wholePayload
        self.signals = signals
        self.available = available
        self.event = event
        self.readsCaptures = readsCaptures
    }
}

/// A signal and the expression that takes it from a message.
struct SignalAssignment: Sendable {
    var signal: Int
    var program: Program
}
