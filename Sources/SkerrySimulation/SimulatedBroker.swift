import SkerryGateway
import SkerryTesting
import SkerryValues

/// A message that waits for the bridge.
struct Delivery {
    var id: Int
    var topic: [UInt8]
    var payload: [UInt8]
    var isRetained = false
    /// Nothing of its topic is delivered before this moment.
    var notBefore: Timestamp
}

/// A broker as MQTT 5 has it for QoS 1: a session that keeps what was not acknowledged, and retained messages.
struct SimulatedBroker {
    /// The retained messages, by topic.
    private(set) var retained: [String: [UInt8]] = [:]
    /// What waits for the bridge, in the order in which it came.
    private(set) var waiting: [Delivery] = []
    /// What the bridge has got and not acknowledged.
    private(set) var unacknowledged: [Delivery] = []
    /// Whether the bridge has not subscribed in this session.
    private var isNew = true
    /// The last levels of the topics of the bridge that come back to it.
    private var returned: Set<String> = []
    private var lastID = 0

    /// Takes a message of a device.
    mutating func accept(_ topic: [UInt8], _ payload: [UInt8], isRetained: Bool, notBefore: Timestamp) {
        lastID += 1
        if isRetained { retained[String(decoding: topic, as: UTF8.self)] = payload }
        waiting.append(Delivery(id: lastID, topic: topic, payload: payload, notBefore: notBefore))
    }

    /// Takes a publication of the bridge.
    mutating func accept(_ publication: Publication, at now: Timestamp) {
        if returns(publication.topic) {
            send(publication.topic, publication.payload, isRetained: false, at: now)
        }
        guard publication.isRetained else { return }
        retained[publication.topic] = publication.payload.isEmpty ? nil : publication.payload
    }

    /// When the next message can be delivered.
    var nextDelivery: Timestamp? {
        var heldBack: Set<[UInt8]> = []
        var earliest: Timestamp?
        for delivery in waiting where heldBack.insert(delivery.topic).inserted {
            earliest = min(earliest ?? delivery.notBefore, delivery.notBefore)
        }
        return earliest
    }

    /// Delivers messages that may be delivered by now, those of one topic in their order.
    ///
    /// - Parameters:
    ///   - limit: How many at most.
    ///   - now: The true time.
    ///   - reorders: Asked whether a message lets later ones of other topics go first.
    /// - Returns: the messages.
    mutating func deliver(_ limit: Int, at now: Timestamp, reorders: () -> Bool) -> [Delivery] {
        var batch: [Delivery] = []
        var rest: [Delivery] = []
        var heldBack: Set<[UInt8]> = []
        for delivery in waiting {
            if batch.count < limit, delivery.notBefore <= now, !heldBack.contains(delivery.topic), !reorders()
            {
                batch.append(delivery)
            } else {
                heldBack.insert(delivery.topic)
                rest.append(delivery)
            }
        }
        waiting = rest
        unacknowledged += batch
        return batch
    }

    /// Delivers a message once more, now.
    mutating func repeatOne(using random: inout SimulatedRandom) -> Delivery? {
        unacknowledged.isEmpty ? nil : unacknowledged[random.below(unacknowledged.count)]
    }

    /// The bridge has acknowledged everything that it got.
    mutating func acknowledge() { unacknowledged.removeAll() }

    /// The connection is gone: what was not acknowledged is sent again, before everything else.
    mutating func disconnect() {
        waiting = unacknowledged + waiting
        unacknowledged = []
    }

    /// Forgets the session, and what the bridge had let it retain unless `keepsRetained`.
    mutating func forgetSession(bridgePrefix prefix: String, keepsRetained: Bool) {
        unacknowledged = []
        waiting = []
        isNew = true
        returned = []
        if !keepsRetained { retained = retained.filter { !$0.key.hasPrefix(prefix) } }
    }

    /// Sends what it retains to a bridge that subscribes.
    mutating func subscribe(
        _ plan: SubscriptionPlan,
        after former: SubscriptionPlan?,
        bridgePrefix prefix: String,
        at now: Timestamp
    ) {
        let sendsRetained = isNew || (plan.wantsRetained && former?.wantsRetained != true)
        let sendsOwn = !plan.own.isEmpty && former?.own != plan.own
        isNew = false
        returned = Set(plan.own.map { Self.lastLevel(of: $0) })
        for (topic, payload) in retained.sorted(by: { $0.key < $1.key }) {
            let isOwn = topic.hasPrefix(prefix)
            guard isOwn ? sendsOwn && returns(topic) : sendsRetained else { continue }
            send(topic, payload, isRetained: true, at: now)
        }
    }

    private func returns(_ topic: String) -> Bool { returned.contains(Self.lastLevel(of: topic)) }

    private static func lastLevel(of topic: String) -> String {
        topic.split(separator: "/").last.map { String($0) } ?? ""
    }

    private mutating func send(_ topic: String, _ payload: [UInt8], isRetained: Bool, at now: Timestamp) {
        lastID += 1
        waiting.append(
            Delivery(
                id: lastID,
                topic: Array(topic.utf8),
                payload: payload,
                isRetained: isRetained,
                notBefore: now
            )
        )
    }
}
