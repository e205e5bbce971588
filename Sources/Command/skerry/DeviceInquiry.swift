import SkerryGateway
import SkerryMachine
import SkerryMosquitto
import SkerryValues

/// Asks a bridge, over the broker, which devices have a name, and then about the one there is.
final class DeviceInquiry: BusHandler {
    /// The question to the bridge.
    enum Purpose: Equatable, Sendable {
        /// All devices, or those of the name.
        case list
        /// Why the device is where it is.
        case explain
        /// To forget the device.
        case forget
        /// To send an event to the device.
        case send(event: String)

        /// The name in the MQTT client id.
        var name: String {
            switch self {
            case .list: "devices"
            case .explain: "explain"
            case .forget: "forget"
            case .send: "send"
            }
        }
    }

    /// The result of an inquiry.
    enum Finding: Sendable {
        /// The bridge's answer about the device: its bytes, and its members.
        case explained([UInt8], ValueMap)
        /// The bridge has forgotten the device of this name.
        case forgotten(String)
        /// The event was sent to the device of this name.
        case sent(String)
        /// The device has no such event, but these.
        case noEvent(device: String, events: [String])
        /// The bridge's list of devices; the question named none.
        case devices(ValueMap)
        /// Several devices have this name; their names with kinds.
        case several([String])
        /// No device has this name; `near` is the closest match.
        case unknown(near: String?)
        /// No bridge answered, with the reason.
        case noBridge(String)
        /// SIGINT or SIGTERM ended the inquiry.
        case interrupted
    }

    private let device: String
    private let purpose: Purpose
    /// The common beginning of the topics of devices.
    private let prefix: String
    /// The common beginning of the topics of the bridge itself.
    private let bridge: String
    /// The broker's host and port, for people.
    private let broker: String
    private let limit: ContinuousClock.Instant
    private var deadline: ContinuousClock.Instant
    private let patience: Duration
    private let finish: (Finding) -> Void
    /// The mark by which answers to this process are recognised.
    private let transaction = String(UInt64.random(in: .min ... .max), radix: 36)
    /// The device that there is, `kind/name`.
    private var chosen: String?
    /// The topic of the answer about the device, once it is known.
    private var awaited: String?
    private var questions: [Publication] = []
    /// The id of the event, once it is sent.
    private var eventID: UInt64?
    /// The events that may be sent, by kinds; empty as long as nothing tells them.
    private var events: [String: [String]] = [:]
    private var bridgeState: String?
    /// True once the broker has answered.
    private var isConnected = false
    private var isOver = false
    /// The finding unless another bridge with the prefix has a better one.
    private var fallback: Finding?

    /// Makes an inquiry about a device; an empty name asks for all devices.
    ///
    /// - Parameters:
    ///   - device: `kind/name`, or the name alone.
    ///   - purpose: The question about it.
    ///   - settings: The settings of the bridge.
    ///   - patience: The time to wait for an answer.
    ///   - finish: Called once, with the result.
    /// - Throws: an exit code if it depends on the partition which bridge has the device, and nothing names one.
    init(
        about device: String,
        _ purpose: Purpose,
        _ settings: Settings,
        patience: Duration,
        finish: @escaping (Finding) -> Void
    ) throws {
        self.device = device
        self.purpose = purpose
        prefix = settings.prefix
        bridge = try settings.bridge(of: device)
        broker = settings.mqtt.address
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

    func connected(_ session: BusSession) { isConnected = true }

    func subscriptionPlan() -> SubscriptionPlan {
        var filters = ["\(bridge)/state", "\(bridge)/response/devices"]
        switch purpose {
        case .list: break
        case .explain:
            // People may call the device otherwise than its topics do.
            filters.append("\(prefix)/+/+/explain")
        case .forget: filters.append("\(bridge)/response/remove")
        case .send: filters.append("\(bridge)/definitions")
        }
        return SubscriptionPlan(filters: filters)
    }

    func subscribed(_ outcomes: [SubscriptionOutcome]) {
        for outcome in outcomes where outcome.granted == nil {
            end(.noBridge("the broker refused the subscription to \(outcome.filter): \(outcome.reason)"))
            return
        }
        request("devices", device)
    }

    private func ask(_ topic: String, _ payload: [UInt8]) {
        questions.append(Publication(id: UInt64(questions.count + 1), topic: topic, payload: payload))
    }

    /// Publishes a request about a device.
    private func request(_ name: String, _ device: String) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("device", device)
        writer.member("transaction", transaction)
        writer.endObject()
        ask("\(bridge)/request/\(name)", writer.bytes)
    }

    func handle(_ batch: MessageBatch) -> BatchOutcome {
        for position in 0..<batch.count {
            let message = batch[position]
            take(String(decoding: message.topic, as: UTF8.self), Array(message.payload))
        }
        return .committed
    }

    private func take(_ topic: String, _ payload: [UInt8]) {
        if topic == "\(bridge)/state" {
            bridgeState = String(decoding: payload, as: UTF8.self)
            // The `offline` may be that of another bridge that ended, until this one corrects it.
            if bridgeState == "offline" { deadline = min(deadline, .now + Self.offlinePatience) }
            return
        }
        guard case .map(let members)? = try? JSONReader.value(of: payload.span) else { return }
        if topic == "\(bridge)/definitions" {
            learnEvents(members)
        } else if topic == awaited {
            answered(payload, members)
        } else if awaited == nil, chosen == nil, topic == "\(bridge)/response/devices",
            case .string(transaction)? = members["transaction"]
        {
            choose(members)
        }
    }

    private func learnEvents(_ members: ValueMap) {
        for definition in members["definitions"]?.elements.compactMap(\.members) ?? [] {
            guard let kind = definition["kind"]?.text else { continue }
            events[kind] = definition["events"]?.elements.compactMap(\.text) ?? []
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
        guard case .string(transaction)? = members["transaction"], let chosen else { return }
        end(members["status"]?.text == "ok" ? .forgotten(chosen) : .unknown(near: nil))
    }

    private func choose(_ members: ValueMap) {
        guard let data = members["data"]?.members else {
            return end(.noBridge("the bridge refused: \(members["error"]?.text ?? "no reason given")"))
        }
        if device.isEmpty { return end(.devices(data)) }
        let names = Self.names(data)
        if names.count > 1 {
            end(.several(names))
        } else if let name = names.first {
            // What another bridge does not know is no answer any more, nor does its short deadline hold.
            fallback = nil
            deadline = limit
            chosen = name
            askFurther(name)
        } else {
            put(.unknown(near: data["near"]?.text))
        }
    }

    /// Asks what is to be known of the device, or sends it its event.
    private func askFurther(_ name: String) {
        switch purpose {
        case .list: break
        case .explain:
            awaited = "\(prefix)/\(name)/explain"
            ask("\(prefix)/\(name)/explain/get", [])
        case .forget:
            awaited = "\(bridge)/response/remove"
            request("remove", name)
        case .send(let event):
            let known = name.split(separator: "/").first.flatMap { events[String($0)] }
            if let known, !known.contains(where: { EventDescriptor.matches($0, event) }) {
                return end(.noEvent(device: name, events: known))
            }
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("event", event)
            writer.endObject()
            ask("\(prefix)/\(name)/event", writer.bytes)
            eventID = questions.last?.id
        }
    }

    /// The names of the devices in a list, with kinds.
    static func names(_ list: ValueMap) -> [String] {
        (list["devices"]?.elements ?? []).compactMap { element in
            guard let kind = element.members?["kind"]?.text, let name = element.members?["device"]?.text
            else {
                return nil
            }
            return "\(kind)/\(name)"
        }
    }

    /// Ends with a finding, unless a better answer comes: there may be two bridges.
    private func put(_ finding: Finding) {
        fallback = finding
        deadline = min(deadline, .now + Self.otherPatience)
    }

    var sleepLimit: Interval? { deadline.distance }

    func wake() {
        guard ContinuousClock.now >= deadline else { return }
        if let fallback { return end(fallback) }
        guard isConnected else { return end(.noBridge(BridgeAbsence.silence(of: broker))) }
        let topic = "\(bridge)/state"
        end(
            .noBridge(
                BridgeAbsence.reason(state: bridgeState, topic: topic, broker: broker, patience: patience)
            )
        )
    }

    /// The last question is the one that was not asked yet.
    private var asked = 0

    func nextPublication() -> Publication? {
        guard asked < questions.count else { return nil }
        asked += 1
        return questions[asked - 1]
    }

    func settled(_ id: UInt64, _ outcome: PublicationOutcome) {
        if case .refused(let reason) = outcome {
            end(.noBridge("the broker refused to publish \(reason)"))
        } else if id == eventID, let chosen {
            end(.sent(chosen))
        }
    }

    func disconnected(_ fault: BusFault) { end(.noBridge(fault.message)) }
}

/// The reasons why no bridge answers.
enum BridgeAbsence {
    /// The words for a broker that took the connection, and then said nothing.
    static func silence(of broker: String) -> String {
        "\(broker) did not answer in MQTT: is that the broker, and does a firewall let you in?"
    }

    /// The reason in words.
    ///
    /// - Parameters:
    ///   - state: The retained state of the bridge; nil if there is none.
    ///   - topic: Its topic.
    ///   - broker: The broker's host and port.
    ///   - patience: The time waited for an answer.
    /// - Returns: the reason.
    static func reason(state: String?, topic: String, broker: String, patience: Duration) -> String {
        switch state {
        case "offline": "no bridge runs: \(topic) at \(broker) says offline, and nobody answers"
        case nil: "no bridge at \(broker): nothing is retained on \(topic); is the prefix right?"
        case .some: "\(topic) says online, but no answer came within \(patience.components.seconds) s"
        }
    }
}

extension ContinuousClock.Instant {
    /// The time until this moment, as a bus waits for it.
    var distance: Interval {
        let (seconds, attoseconds) = (self - .now).components
        return .seconds(seconds) + Interval(microseconds: attoseconds / 1_000_000_000_000 + 1)
    }
}
