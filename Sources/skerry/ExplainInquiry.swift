import SkerryGateway
import SkerryValues

/// Asks a bridge, over the broker, which devices have a name, and then about the one there is.
final class ExplainInquiry: BusHandler {
    /// What came of it.
    enum Finding: Sendable {
        /// The answer about the device, as it came and read.
        case explained([UInt8], ValueMap)
        /// The names of all devices, asked for without a name.
        case devices([String])
        /// There are several devices of this name.
        case several([String])
        /// There is none, perhaps one that is called nearly so.
        case unknown(near: String?)
        /// No bridge answers, with the reason.
        case noBridge(String)
        /// Somebody ended it before.
        case interrupted
    }

    private let device: String
    private let prefix: String
    private let broker: String
    private let limit: ContinuousClock.Instant
    private var deadline: ContinuousClock.Instant
    private let patience: Duration
    private let finish: (Finding) -> Void
    /// The topic on which the device is explained, once it is known.
    private var awaited: String?
    private var questions: [Publication] = []
    private var bridgeState: String?
    private var isOver = false
    /// What is found unless another bridge of the prefix knows better.
    private var fallback: Finding?

    /// Makes an inquiry about a device; an empty name asks for all names.
    ///
    /// - Parameters:
    ///   - device: `kind/name`, or the name alone.
    ///   - prefix: What the topics of the bridge start with.
    ///   - broker: The broker's host and port, for people.
    ///   - patience: How long to wait for an answer.
    ///   - finish: Called once, with what came of it.
    init(
        about device: String,
        prefix: String,
        broker: String,
        patience: Duration,
        finish: @escaping (Finding) -> Void
    ) {
        self.device = device
        self.prefix = prefix
        self.broker = broker
        self.patience = patience
        self.finish = finish
        limit = .now + patience
        deadline = limit
    }

    /// How long another bridge may take to know better.
    private static let otherPatience = Duration.milliseconds(500)

    /// How long an answer is waited for that nobody is said to give.
    private static let offlinePatience = Duration.seconds(1)

    private func end(_ finding: Finding) {
        if isOver { return }
        isOver = true
        finish(finding)
    }

    func subscriptionPlan() -> SubscriptionPlan {
        let path = device.contains("/") ? device : "+/\(device.isEmpty ? "+" : device)"
        return SubscriptionPlan(filters: [
            "\(prefix)/bridge/state", "\(prefix)/bridge/devices", "\(prefix)/\(path)/explain",
        ])
    }

    func subscribed(_ outcomes: [SubscriptionOutcome]) {
        for outcome in outcomes where outcome.granted == nil {
            end(.noBridge("the broker refused the subscription to \(outcome.filter): \(outcome.reason)"))
            return
        }
        ask("\(prefix)/bridge/devices/get", device)
    }

    private func ask(_ topic: String, _ payload: String) {
        questions.append(
            Publication(id: UInt64(questions.count + 1), topic: topic, payload: Array(payload.utf8))
        )
    }

    func handle(_ batch: MessageBatch) -> BatchOutcome {
        for position in 0..<batch.count {
            let message = batch[position]
            take(String(decoding: message.topic, as: UTF8.self), Array(message.payload))
        }
        return .committed
    }

    private func take(_ topic: String, _ payload: [UInt8]) {
        if topic == "\(prefix)/bridge/state" {
            bridgeState = String(decoding: payload, as: UTF8.self)
            // Another bridge that ends says so of the one that goes on, too, until that one puts it right.
            if bridgeState == "offline" { deadline = min(deadline, .now + Self.offlinePatience) }
            return
        }
        guard case .map(let members)? = try? JSONReader.value(of: payload.span) else { return }
        if topic == awaited {
            if members["error"] == nil {
                end(.explained(payload, members))
            } else {
                put(.explained(payload, members))
            }
        } else if awaited == nil, topic == "\(prefix)/bridge/devices",
            case .string(device)? = members["asked"]
        {
            choose(members)
        }
    }

    private func choose(_ members: ValueMap) {
        guard case .list(let values)? = members["devices"] else { return }
        let names = values.compactMap { value -> String? in
            if case .string(let name) = value { name } else { nil }
        }
        if device.isEmpty {
            end(.devices(names))
        } else if names.count > 1 {
            end(.several(names))
        } else if let name = names.first {
            fallback = nil
            deadline = limit
            awaited = "\(prefix)/\(name)/explain"
            ask("\(prefix)/\(name)/explain/get", "")
        } else if case .string(let near)? = members["near"] {
            put(.unknown(near: near))
        } else {
            put(.unknown(near: nil))
        }
    }

    /// Ends with a finding, unless another answer says more: there may be two bridges.
    private func put(_ finding: Finding) {
        fallback = finding
        deadline = min(deadline, .now + Self.otherPatience)
    }

    var sleepLimit: Interval? {
        let left = deadline - .now
        let (seconds, attoseconds) = left.components
        return .seconds(seconds) + Interval(microseconds: attoseconds / 1_000_000_000_000 + 1)
    }

    func wake() {
        guard ContinuousClock.now >= deadline else { return }
        if let fallback { return end(fallback) }
        let seconds = patience.components.seconds
        let topic = "\(prefix)/bridge/state"
        switch bridgeState {
        case "offline":
            end(.noBridge("no bridge runs: \(topic) at \(broker) says offline, and nobody answers"))
        case nil:
            end(.noBridge("no bridge at \(broker): nothing is retained on \(topic); is the prefix right?"))
        case .some: end(.noBridge("\(topic) says online, but no answer came within \(seconds) s"))
        }
    }

    /// The last question is the one that was not asked yet.
    private var asked = 0

    func nextPublication() -> Publication? {
        guard asked < questions.count else { return nil }
        asked += 1
        return questions[asked - 1]
    }

    func settled(_ id: UInt64, _ outcome: PublicationOutcome) {
        if case .refused(let reason) = outcome { end(.noBridge("the broker refused to publish \(reason)")) }
    }

    func connected(_ session: BusSession) {}

    func disconnected(_ fault: BusFault) { end(.noBridge(fault.message)) }

    func farewell() -> Publication? { nil }
}
