package import SkerryValues

/// Asks a broker, over a session of its own, whose the place of a bridge is, before the bridge takes it: its first connection
/// would end that of another bridge with its client id, and acknowledge what that one needs.
package final class SessionScout: BusHandler {
    /// The place of the bridge at the broker.
    package enum Finding: Sendable, Equatable {
        /// The bridge may take it, as far as is known.
        case isFree
        /// It is another bridge's: the reason for which this one must not start.
        case isTaken(String)
        /// The broker can't be asked.
        case noBroker(BusFault)
    }

    /// The time in which the broker sends what it retains, after its answer to the filters.
    private static let patience = Duration.milliseconds(500)
    /// The time after which nothing more is expected of a broker.
    private static let limit = Duration.seconds(5)

    private let claim: BridgeClaim
    private let finish: @Sendable (Finding) -> Void
    private var state: String?
    private var signature: BridgeSignature?
    private var isConnected = false
    private var isOver = false
    private var end = ContinuousClock.now + limit

    /// Makes a scout.
    ///
    /// - Parameters:
    ///   - options: The options of the bridge.
    ///   - progress: The progress of its store; nil if that is new.
    ///   - finish: Called once. The bus is to be stopped then.
    package init(
        _ options: BridgeOptions,
        progress: StoreProgress?,
        finish: @escaping @Sendable (Finding) -> Void
    ) {
        claim = BridgeClaim(options, progress)
        self.finish = finish
    }

    /// Takes note that there is a broker.
    package func connected(_ session: BusSession) { isConnected = true }

    /// The topics that show whose it is.
    package func subscriptionPlan() -> SubscriptionPlan {
        SubscriptionPlan(filters: [], own: claim.options.sink.bridgeFilters)
    }

    /// Waits a while for what is retained.
    package func subscribed(_ outcomes: [SubscriptionOutcome]) { end = .now + Self.patience }

    /// Takes what is retained.
    package func handle(_ batch: MessageBatch) -> BatchOutcome {
        for position in 0..<batch.count {
            let message = batch[position]
            if message.topic.elementsEqual(claim.options.sink.stateTopic.utf8) {
                state = String(decoding: message.payload, as: UTF8.self)
            } else {
                signature = BridgeSignature(message.payload)
            }
        }
        if state != nil, signature != nil { tell() }
        return .committed
    }

    /// The time until nothing more is expected.
    package var sleepLimit: Interval? {
        let (seconds, attoseconds) = (end - .now).components
        return .seconds(seconds) + Interval(microseconds: attoseconds / 1_000_000_000_000 + 1)
    }

    /// Ends where nothing more comes.
    package func wake() { if .now >= end { tell() } }

    /// Ends without a broker.
    package func disconnected(_ fault: BusFault) { tell(.noBroker(fault)) }

    private func tell() {
        guard isConnected else {
            let seconds = Self.limit.components.seconds
            return tell(.noBroker(BusFault(.unreachable, "the broker did not answer within \(seconds) s")))
        }
        let reason = claim.refusal(signature, isOnline: state == "online")
        tell(reason.map { .isTaken($0) } ?? .isFree)
    }

    private func tell(_ finding: Finding) {
        // Stopping takes a moment, and a time that is past would have the bus wake this again and again.
        end = .now + Self.limit
        if isOver { return }
        isOver = true
        finish(finding)
    }
}
