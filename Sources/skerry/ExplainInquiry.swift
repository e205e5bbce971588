import Glibc
import SkerryFiles
import SkerryGateway
import SkerryMosquitto
import SkerryValues
import Synchronization

/// Asks a bridge, over the broker, which devices have a name, and then about the one there is.
final class ExplainInquiry: BusHandler {
    /// The question to the bridge.
    enum Purpose: String, Sendable {
        /// Why the device is where it is.
        case explain
        /// To forget the device.
        case forget
    }

    /// The result of an inquiry.
    enum Finding: Sendable {
        /// The answer about the device, as it came and read.
        case explained([UInt8], ValueMap)
        /// The device of this name is forgotten.
        case forgotten(String)
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
    private let purpose: Purpose
    private let prefix: String
    private let broker: String
    private let limit: ContinuousClock.Instant
    private var deadline: ContinuousClock.Instant
    private let patience: Duration
    private let finish: (Finding) -> Void
    /// The device that there is, `kind/name`.
    private var chosen: String?
    /// The topic of the answer about the device, once it is known.
    private var awaited: String?
    private var questions: [Publication] = []
    private var bridgeState: String?
    private var isOver = false
    /// The finding unless another bridge with the prefix has a better one.
    private var fallback: Finding?

    /// Makes an inquiry about a device; an empty name asks for all names.
    ///
    /// - Parameters:
    ///   - device: `kind/name`, or the name alone.
    ///   - purpose: The question about it.
    ///   - prefix: The common beginning of the bridge's topics.
    ///   - broker: The broker's host and port, for people.
    ///   - patience: The time to wait for an answer.
    ///   - finish: Called once, with the result.
    init(
        about device: String,
        _ purpose: Purpose,
        prefix: String,
        broker: String,
        patience: Duration,
        finish: @escaping (Finding) -> Void
    ) {
        self.device = device
        self.purpose = purpose
        self.prefix = prefix
        self.broker = broker
        self.patience = patience
        self.finish = finish
        limit = .now + patience
        deadline = limit
    }

    /// The time that another bridge has for a better answer.
    private static let otherPatience = Duration.milliseconds(500)

    /// The time to wait for an answer if no bridge is online.
    private static let offlinePatience = Duration.seconds(1)

    private func end(_ finding: Finding) {
        if isOver { return }
        isOver = true
        finish(finding)
    }

    func subscriptionPlan() -> SubscriptionPlan {
        let path = device.contains("/") ? device : "+/\(device.isEmpty ? "+" : device)"
        let answer =
            switch purpose {
            case .explain: "\(prefix)/\(path)/explain"
            case .forget: "\(prefix)/bridge/devices/forgotten"
            }
        return SubscriptionPlan(filters: ["\(prefix)/bridge/state", "\(prefix)/bridge/devices", answer])
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
            // The `offline` may be that of another bridge that ended, until this one corrects it.
            if bridgeState == "offline" { deadline = min(deadline, .now + Self.offlinePatience) }
            return
        }
        guard case .map(let members)? = try? JSONReader.value(of: payload.span) else { return }
        if topic == awaited {
            answered(payload, members)
        } else if awaited == nil, topic == "\(prefix)/bridge/devices",
            case .string(device)? = members["asked"]
        {
            choose(members)
        }
    }

    private func answered(_ payload: [UInt8], _ members: ValueMap) {
        guard purpose == .forget else {
            if members["error"] == nil {
                end(.explained(payload, members))
            } else {
                put(.explained(payload, members))
            }
            return
        }
        guard case .string(let name)? = members["asked"], name == chosen else { return }
        if case .bool(true)? = members["forgotten"] {
            end(.forgotten(name))
        } else {
            end(.unknown(near: nil))
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
            chosen = name
            switch purpose {
            case .explain:
                awaited = "\(prefix)/\(name)/explain"
                ask("\(prefix)/\(name)/explain/get", "")
            case .forget:
                awaited = "\(prefix)/bridge/devices/forgotten"
                ask("\(prefix)/bridge/devices/forget", name)
            }
        } else if case .string(let near)? = members["near"] {
            put(.unknown(near: near))
        } else {
            put(.unknown(near: nil))
        }
    }

    /// Ends with a finding, unless a better answer comes: there may be two bridges.
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

extension ExplainInquiry {
    /// Asks the bridge that the settings name.
    ///
    /// - Parameters:
    ///   - device: `kind/name`, or the name alone.
    ///   - purpose: The question about it.
    ///   - broker: The options of the command.
    ///   - prefix: The common beginning of the bridge's topics, if given.
    ///   - wait: The seconds to wait for an answer.
    /// - Returns: the result.
    /// - Throws: a problem of the settings, or of starting the bus.
    static func finding(
        about device: String,
        _ purpose: Purpose,
        at broker: BrokerOptions,
        prefix: String?,
        wait: Int
    ) async throws -> Finding {
        var options = broker
        options.clientID = broker.clientID ?? "skerry-\(purpose.rawValue)-\(getpid())"
        let further = prefix.map { ["prefix": WrittenSetting($0, option: "--prefix")] } ?? [:]
        var settings = try Settings.load(options, further)
        settings.mqtt.sessionExpiry = .zero
        let bus = try settings.bus()
        let answer = FindingBox()
        let host = "\(settings.mqtt.host):\(settings.mqtt.port)"
        try await bus.run { [prefix = settings.prefix] in
            ExplainInquiry(
                about: device,
                purpose,
                prefix: prefix,
                broker: host,
                patience: .seconds(wait)
            ) { finding in
                answer.put(finding)
                bus.stop()
            }
        }
        return answer.finding
    }
}

/// The result found by the thread of the bus.
private final class FindingBox: Sendable {
    private let content = Mutex<ExplainInquiry.Finding>(.interrupted)

    var finding: ExplainInquiry.Finding { content.withLock { $0 } }

    func put(_ finding: ExplainInquiry.Finding) { content.withLock { $0 = finding } }
}
