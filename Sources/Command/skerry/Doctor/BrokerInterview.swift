import SkerryGateway
import SkerryMosquitto
import SkerryValues

/// The answers of a broker, and of the bridge behind it, to the questions of 'skerry doctor'.
struct BrokerAnswers: Sendable {
    /// True if the broker accepted the connection.
    var isConnected = false
    /// Why there is no connection, or no more; nil if there is one.
    var fault: BusFault?
    var refused: [SubscriptionOutcome] = []
    /// The topic of the message to itself.
    var topic = ""
    /// Why the broker refused the message; nil if it did not.
    var refusal: String?
    /// True if the broker acknowledged the message.
    var isPublished = false
    /// True if the message came back.
    var isHeard = false
    /// The answer of the bridge, and what it retains.
    var bridge = StatusInquiry.Finding()
}

/// Connects to the broker as the bridge does, with a session of its own, and asks what 'skerry doctor' wants to know.
///
/// It subscribes to the topics of all definitions, without what is retained there, so that a refusal shows. It publishes one
/// message, below a topic that nobody reads, and waits until that comes back.
final class BrokerInterview: BusHandler {
    /// The time in which the message to itself comes back after the broker acknowledged it.
    private static let echoPatience = Duration.seconds(2)

    private let inquiry: StatusInquiry
    /// True once nothing more is expected of the bridge.
    private let inquiryEnd: Found<Bool>
    private let deviceFilters: [String]
    private let finish: (BrokerAnswers) -> Void
    private var answers = BrokerAnswers()
    private var end: ContinuousClock.Instant
    private var message: Publication?
    private var isOver = false

    /// Makes an interview.
    ///
    /// - Parameters:
    ///   - bridge: The beginning of the topics of the bridge itself.
    ///   - deviceFilters: The filters of all definitions.
    ///   - patience: How long to wait for the answers of a bridge that says it is online.
    ///   - finish: Called once with the answers; the bus is to be stopped then.
    private init(
        bridge: String,
        deviceFilters: [String],
        patience: Duration,
        finish: @escaping (BrokerAnswers) -> Void
    ) {
        let over = Found(false)
        inquiry = StatusInquiry(bridge: bridge, patience: patience) { _ in over.put(true) }
        inquiryEnd = over
        self.deviceFilters = deviceFilters
        self.finish = finish
        end = .now + patience + Self.echoPatience
        answers.topic = "\(bridge)/doctor/\(String(UInt64.random(in: .min ... .max), radix: 36))"
    }

    func connected(_ session: BusSession) { answers.isConnected = true }

    func disconnected(_ fault: BusFault) {
        answers.fault = fault
        tell()
    }

    func subscriptionPlan() -> SubscriptionPlan {
        SubscriptionPlan(filters: inquiry.filters, own: [answers.topic], watched: deviceFilters)
    }

    func subscribed(_ outcomes: [SubscriptionOutcome]) {
        answers.refused += outcomes.filter { $0.granted == nil }
        let ofBridge = outcomes.filter { inquiry.filters.contains($0.filter) }
        if !ofBridge.isEmpty { inquiry.subscribed(ofBridge) }
        if outcomes.contains(where: { $0.filter == answers.topic }) {
            message = Publication(id: 2, topic: answers.topic, payload: Array("hello".utf8))
        }
        endIfDone()
    }

    func handle(_ batch: MessageBatch) -> BatchOutcome {
        for position in 0..<batch.count where batch[position].topic.elementsEqual(answers.topic.utf8) {
            answers.isHeard = true
        }
        _ = inquiry.handle(batch)
        endIfDone()
        return .committed
    }

    var sleepLimit: Interval? {
        guard let limit = inquiry.sleepLimit, !inquiryEnd.finding else { return end.distance }
        return min(limit, end.distance)
    }

    func wake() {
        inquiry.wake()
        if ContinuousClock.now >= end { tell() } else { endIfDone() }
    }

    func nextPublication() -> Publication? {
        if let question = inquiry.nextPublication() { return question }
        defer { message = nil }
        return message
    }

    func settled(_ id: UInt64, _ outcome: PublicationOutcome) {
        guard id == 2 else { return inquiry.settled(id, outcome) }
        switch outcome {
        case .acknowledged: answers.isPublished = true
        case .refused(let reason): answers.refusal = reason
        }
        end = min(end, .now + Self.echoPatience)
        endIfDone()
    }

    /// Ends once nothing more is expected: what is retained comes before the message to itself.
    private func endIfDone() {
        let isAnswered = answers.refusal != nil || answers.isHeard
        let isWithoutBridge = inquiry.finding.state != "online" && answers.isHeard
        if isAnswered, inquiryEnd.finding || isWithoutBridge { tell() }
    }

    private func tell() {
        if isOver { return }
        isOver = true
        answers.bridge = inquiry.finding
        finish(answers)
    }
}

extension BrokerInterview {
    /// Asks the broker of settings.
    ///
    /// - Parameters:
    ///   - settings: How to reach it.
    ///   - bridge: The beginning of the topics of the bridge itself.
    ///   - deviceFilters: The filters of all definitions.
    ///   - patience: How long to wait for answers.
    /// - Returns: the answers; with a fault if a file of a secret can't be read, or the broker does not answer.
    static func answers(
        of settings: Settings,
        bridge: String,
        deviceFilters: [String],
        patience: Duration
    ) async -> BrokerAnswers {
        let answers = Found(BrokerAnswers())
        do throws(BusFault) {
            let bus = try settings.mqtt.readingSecrets().surveyBus
            try bus.start(
                BrokerInterview(bridge: bridge, deviceFilters: deviceFilters, patience: patience) {
                    answers.put($0)
                    bus.stop()
                }
            )
            await bus.finished()
        } catch {
            return BrokerAnswers(fault: error)
        }
        return answers.finding
    }
}
