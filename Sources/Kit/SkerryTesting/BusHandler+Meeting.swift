public import SkerryGateway

extension BusHandler {
    /// Connects it to a broker that answers at once, and lets it read back what that retains of it.
    ///
    /// - Parameters:
    ///   - session: What the broker says of the session.
    ///   - retained: What the broker retains below the prefix, by topic.
    ///   - steps: The number of steps of the read-back that the broker answers.
    public func connect(_ session: BusSession, retained: [String: [UInt8]] = [:], steps: Int = .max) {
        connected(session)
        var asked: [String] = []
        for _ in 0..<steps {
            let plan = subscriptionPlan()
            let new = plan.own.filter { !asked.contains($0) }
            if new.isEmpty { return }
            asked = plan.own
            let filters = plan.filters + plan.own
            subscribed(filters.map { SubscriptionOutcome(filter: $0, granted: .atLeastOnce) })
            var batch = MessageBatch()
            for (topic, payload) in retained.sorted(by: { $0.key < $1.key })
            where new.contains(where: { Self.matches($0, topic) }) {
                batch.append(topic: topic.utf8, payload: payload, isRetained: true, quality: .atMostOnce)
            }
            guard let echo = nextPublication(), plan.own.contains(echo.topic) else { return }
            settled(echo.id, .acknowledged)
            batch.append(topic: echo.topic.utf8, payload: echo.payload, quality: .atMostOnce)
            _ = handle(batch)
            wake()
        }
    }

    private static func matches(_ filter: String, _ topic: String) -> Bool {
        let (filter, topic) = (filter.split(separator: "/"), topic.split(separator: "/"))
        return filter.count == topic.count && zip(filter, topic).allSatisfy { $0 == "+" || $0 == $1 }
    }
}
