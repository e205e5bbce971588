import SkerryFiles
import SkerryGateway
import SkerryHouse
import SkerryMosquitto
import SkerryValues

/// Hands every message of a broker to a search for devices, for some seconds.
final class Discoverer: BusHandler {
    /// The end of listening.
    enum Outcome: Sendable {
        /// The search with all messages, and the moment of its end.
        case heard(DeviceSearch, Timestamp)
        /// The broker can't be listened to, with the reason.
        case unreachable(String)
    }

    /// The time for the connection.
    private static let patience = Interval.seconds(10)

    private var search: DeviceSearch
    private let length: Interval
    private let clock: SystemClock
    private let stop: @Sendable () -> Void
    private let then: @Sendable (Outcome) -> Void
    private var end: Timestamp
    private var isListening = false
    private var fault: String?
    private var progress = DiscoveryProgress()

    /// Makes a listener.
    ///
    /// - Parameters:
    ///   - search: The search that gets the messages.
    ///   - seconds: How long it listens, from the subscription on.
    ///   - clock: The time.
    ///   - stop: Ends the connection.
    ///   - then: Called once, at the end.
    init(
        _ search: DeviceSearch,
        seconds: Int,
        clock: SystemClock,
        stop: @escaping @Sendable () -> Void,
        then: @escaping @Sendable (Outcome) -> Void
    ) {
        self.search = search
        length = .seconds(Int64(seconds))
        self.clock = clock
        self.stop = stop
        self.then = then
        end = clock.now + Self.patience
    }

    var sleepLimit: Interval? { min(clock.timeLeft(until: end), .milliseconds(500)) }

    func wake() {
        let left = clock.timeLeft(until: end)
        if isListening { progress.show(search, left: max(0, left.roundedSeconds)) }
        guard left <= .zero else { return }
        if !isListening { fault = fault ?? "it does not answer" }
        // The bus runs a little longer, and would not sleep with a moment that has passed.
        end = clock.now + Self.patience
        stop()
    }

    func handle(_ batch: MessageBatch) -> BatchOutcome {
        for position in 0..<batch.count {
            let message = batch[position]
            search.add(RecordedMessage(message, at: clock.moment(sinceBoot: message.arrival)))
        }
        return .committed
    }

    func subscriptionPlan() -> SubscriptionPlan {
        // As own topics, because these are asked for with QoS 0 and with what the broker retains.
        SubscriptionPlan(filters: [], own: ["#"] + search.brokerFilters, wantsRetained: true)
    }

    func subscribed(_ outcomes: [SubscriptionOutcome]) {
        if let refusal = outcomes.first(where: { $0.filter == "#" && $0.granted == nil }) {
            fault = "it refuses the subscription to '#': \(refusal.reason)"
            stop()
        } else if !isListening {
            isListening = true
            end = clock.now + length
        }
    }

    func disconnected(_ fault: BusFault) {
        if isListening { return }
        self.fault = fault.message
        stop()
    }

    func ended() {
        progress.finish()
        if isListening || fault == nil {
            then(.heard(search, clock.now))
        } else {
            then(.unreachable(fault ?? ""))
        }
    }
}

extension Discoverer {
    /// Listens to a broker for some seconds.
    ///
    /// - Parameters:
    ///   - settings: How to reach the broker.
    ///   - search: The search that gets the messages.
    ///   - seconds: How long it listens.
    /// - Returns: the search with all messages, or why there are none.
    /// - Throws: an exit code when a secret can't be read, after saying so.
    static func listen(_ settings: Settings, _ search: DeviceSearch, seconds: Int) async throws -> Outcome {
        var settings = settings
        try settings.readSecrets()
        let bus = settings.mqtt.forSearch.surveyBus
        let result = Found(Outcome.unreachable("it was not asked"))
        try await bus.run {
            Discoverer(search, seconds: seconds, clock: SystemClock()) {
                bus.stop()
            } then: {
                result.put($0)
            }
        }
        return result.finding
    }
}
