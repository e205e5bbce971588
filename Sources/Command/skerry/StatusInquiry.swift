import SkerryGateway
import SkerryValues

/// Reads what a bridge retains about itself, and asks it for an answer.
final class StatusInquiry: BusHandler {
    /// The findings.
    struct Finding: Sendable {
        var state: String?
        var info = ValueMap()
        var health = ValueMap()
        /// True if the bridge answers.
        var answers = false
        /// True once the broker has answered.
        var isConnected = false
        /// Why the broker could not be asked.
        var fault: String?
    }

    /// The topics that it reads.
    let filters: [String]

    private let bridge: String
    private let transaction = String(UInt64.random(in: .min ... .max), radix: 36)
    private var deadline: ContinuousClock.Instant
    private let finish: (Finding) -> Void
    /// The findings so far.
    private(set) var finding = Finding()
    private var question: Publication?
    private var isOver = false

    init(bridge: String, patience: Duration, finish: @escaping (Finding) -> Void) {
        self.bridge = bridge
        filters = ["state", "info", "health", "response/health"].map { "\(bridge)/\($0)" }
        self.finish = finish
        deadline = .now + patience
    }

    private func end() {
        if isOver { return }
        isOver = true
        finish(finding)
    }

    func connected(_ session: BusSession) { finding.isConnected = true }

    func subscriptionPlan() -> SubscriptionPlan {
        SubscriptionPlan(filters: filters)
    }

    func subscribed(_ outcomes: [SubscriptionOutcome]) {
        if let outcome = outcomes.first(where: { $0.granted == nil }) {
            finding.fault = "the broker refused the subscription to \(outcome.filter): \(outcome.reason)"
            return end()
        }
        let payload = #"{"transaction":"\#(transaction)"}"#
        question = Publication(id: 1, topic: "\(bridge)/request/health", payload: Array(payload.utf8))
    }

    func handle(_ batch: MessageBatch) -> BatchOutcome {
        for position in 0..<batch.count {
            let message = batch[position]
            let payload = Array(message.payload)
            let members = (try? JSONReader.value(of: payload.span))?.members
            switch String(decoding: message.topic, as: UTF8.self) {
            case "\(bridge)/state":
                finding.state = String(decoding: payload, as: UTF8.self)
                if finding.state == "offline" { deadline = min(deadline, .now + .seconds(1)) }
            case "\(bridge)/info": finding.info = members ?? ValueMap()
            case "\(bridge)/health": finding.health = members ?? ValueMap()
            default:
                guard members?["transaction"]?.text == transaction else { continue }
                // Retained messages came before it, and are up to a minute old.
                if let health = members?["data"]?.members { finding.health = health }
                finding.answers = true
                end()
            }
        }
        return .committed
    }

    var sleepLimit: Interval? { deadline.distance }

    func wake() {
        if ContinuousClock.now >= deadline { end() }
    }

    func nextPublication() -> Publication? {
        defer { question = nil }
        return question
    }

    func settled(_ id: UInt64, _ outcome: PublicationOutcome) {
        guard case .refused(let reason) = outcome else { return }
        finding.fault = "the broker refused to publish \(reason)"
        end()
    }

    func disconnected(_ fault: BusFault) {
        finding.fault = fault.message
        end()
    }
}
