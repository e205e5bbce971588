package import SkerryValues

/// A task at a broker before or after the devices are shared out among another number of partitions, over one connection and
/// in place of a bridge.
package final class SessionErrand: BusHandler {
    /// The kinds of tasks.
    package enum Purpose: Sendable {
        /// Gives a new partition a session in which messages wait from now on.
        case begin(filters: [String])
        /// Publishes a mark as soon as all partitions are online.
        case mark(PartitionCut)
        /// Reads the session of a new partition up to the mark with an id, and leaves there what comes after it.
        case read(upTo: Int64)
        /// Deletes the retained messages of the bridge of a partition.
        case clear(partition: Int)
    }

    /// The time without a message after which a session has no mark.
    private static let patience = Duration.seconds(10)

    private let purpose: Purpose
    private let prefix: String
    private let tell: @Sendable ([Int]) -> Void
    private let finish: @Sendable (Result<[HandledMessage], BusFault>) -> Void
    private var publications: [Publication] = []
    /// Filters or publications that the broker has not answered to.
    private var waiting = 0
    private var online: Set<Int> = []
    private var handled = HandledMessages([])
    private var deadline = ContinuousClock.now + patience

    /// Makes an errand.
    ///
    /// - Parameters:
    ///   - purpose: The task.
    ///   - prefix: The common beginning of all published topics.
    ///   - tell: Called with the partitions that are not online, whenever they are others.
    ///   - finish: Called when it is done, with the messages that the session still has from before the mark; or with a
    ///     fault. The bus is to be stopped then.
    package init(
        _ purpose: Purpose,
        prefix: String,
        tell: @escaping @Sendable ([Int]) -> Void = { _ in },
        finish: @escaping @Sendable (Result<[HandledMessage], BusFault>) -> Void
    ) {
        self.purpose = purpose
        self.prefix = prefix
        self.tell = tell
        self.finish = finish
        guard case .clear(let number) = purpose else { return }
        let sink = MQTTSink(prefix: prefix, partition: number)
        let topics = [
            sink.stateTopic, sink.infoTopic, sink.healthTopic, sink.devicesTopic, sink.definitionsTopic,
        ]
        for (index, topic) in topics.enumerated() {
            let id = UInt64(index + 1)
            publications.append(Publication(id: id, topic: topic, payload: [], isRetained: true))
        }
        waiting = topics.count
    }

    /// The filters of its purpose.
    package func subscriptionPlan() -> SubscriptionPlan {
        switch purpose {
        case .begin(let filters):
            let all = filters + [MQTTSink(prefix: prefix).commandFilter, PartitionCut.topic(prefix)]
            waiting = all.count
            return SubscriptionPlan(filters: all)
        case .mark: return SubscriptionPlan(filters: ["\(prefix)/+/state"])
        case .read, .clear: return SubscriptionPlan(filters: [])
        }
    }

    /// Ends with a filter that the broker refuses, or with the last one if messages need only wait.
    package func subscribed(_ outcomes: [SubscriptionOutcome]) {
        if let refused = outcomes.first(where: { $0.granted == nil }) {
            return fail("the broker refused the subscription to \(refused.filter): \(refused.reason)")
        }
        guard case .begin = purpose else { return tellMissing() }
        waiting -= outcomes.count
        if waiting <= 0 { finish(.success([])) }
    }

    /// Ends where the session of a new partition is not the one that has the mark.
    package func connected(_ session: BusSession) {
        guard case .read = purpose, !session.isResumed else { return }
        fail("the broker no longer has the session of a new partition")
    }

    /// Looks for what it waits for.
    package func handle(_ batch: MessageBatch) -> BatchOutcome {
        deadline = .now + Self.patience
        for position in 0..<batch.count {
            let message = batch[position]
            switch purpose {
            case .begin, .clear: break
            case .mark: hear(message)
            case .read(let id):
                _ = handled.add(message)
                guard PartitionCut(message, prefix: prefix)?.id == id else { continue }
                finish(.success(handled.last))
                return .ended
            }
        }
        return .committed
    }

    private func hear(_ message: MessageBatch.Message) {
        guard case .mark(let cut) = purpose, publications.isEmpty else { return }
        for number in 0..<cut.partitions {
            let topic = MQTTSink(prefix: prefix, partition: number).stateTopic
            guard message.topic.elementsEqual(topic.utf8) else { continue }
            if message.payload.elementsEqual("online".utf8) {
                online.insert(number)
            } else {
                online.remove(number)
            }
        }
        assert(online.count <= cut.partitions, "more partitions are online than there are")
        if online.count == cut.partitions { publications = [cut.publication(prefix)] } else { tellMissing() }
    }

    private func tellMissing() {
        guard case .mark(let cut) = purpose else { return }
        tell((0..<cut.partitions).filter { !online.contains($0) })
    }

    private var asked = 0

    /// The next message to publish.
    package func nextPublication() -> Publication? {
        guard asked < publications.count else { return nil }
        asked += 1
        return publications[asked - 1]
    }

    /// Ends with the last message.
    package func settled(_ id: UInt64, _ outcome: PublicationOutcome) {
        if case .refused(let reason) = outcome { return fail("the broker refused to publish \(reason)") }
        waiting -= 1
        if waiting <= 0 { finish(.success([])) }
    }

    /// The time until a session has no mark.
    package var sleepLimit: Interval? {
        guard case .read = purpose else { return nil }
        let (seconds, attoseconds) = (deadline - .now).components
        return .seconds(seconds) + Interval(microseconds: attoseconds / 1_000_000_000_000 + 1)
    }

    /// Ends where no mark comes.
    package func wake() {
        guard case .read = purpose, .now >= deadline else { return }
        fail("the session of a new partition was made after the others had ended")
    }

    /// Ends without a connection.
    package func disconnected(_ fault: BusFault) { finish(.failure(fault)) }

    private func fail(_ reason: String) { finish(.failure(BusFault(.refused, reason))) }
}
