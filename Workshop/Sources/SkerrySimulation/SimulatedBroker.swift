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
    /// Whether it is of the bridge's own topics: with QoS 0, and in the order in which the broker sends.
    var isOwn = false
    /// Whether it was delivered before, on a connection that is gone: it comes before all others.
    var isRepeat = false

    /// Its packet identifier.
    var packet: UInt16 { isOwn ? 0 : UInt16(1 + id % 65_535) }
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
    /// What was retained at an earlier moment.
    private var past: [String: [UInt8]] = [:]

    /// Takes a message of a device.
    mutating func accept(_ topic: [UInt8], _ payload: [UInt8], isRetained: Bool, notBefore: Timestamp) {
        lastID += 1
        if isRetained { retained[String(decoding: topic, as: UTF8.self)] = payload }
        waiting.append(Delivery(id: lastID, topic: topic, payload: payload, notBefore: notBefore))
    }

    /// Takes a publication of the bridge.
    mutating func accept(_ publication: Publication, at now: Timestamp) {
        if returns(publication.topic) {
            send(publication.topic, publication.payload, isRetained: false, isOwn: true, at: now)
        }
        guard publication.isRetained else { return }
        retained[publication.topic] = publication.payload.isEmpty ? nil : publication.payload
    }

    /// When the next message can be delivered.
    var nextDelivery: Timestamp? {
        var heldBack: Set<[UInt8]> = []
        var earliest: Timestamp?
        for delivery in waiting where heldBack.insert(delivery.topic).inserted {
            let moment = delivery.isRepeat ? .distantPast : delivery.notBefore
            earliest = min(earliest ?? moment, moment)
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
            let isInOrder = delivery.isOwn || delivery.isRepeat
            if batch.count < limit, isInOrder || delivery.notBefore <= now,
                !heldBack.contains(delivery.topic), isInOrder || !reorders()
            {
                batch.append(delivery)
            } else {
                heldBack.insert(delivery.topic)
                rest.append(delivery)
            }
        }
        waiting = rest
        unacknowledged += batch.filter { !$0.isOwn }
        return batch
    }

    /// Delivers a message once more, now.
    mutating func repeatOne(using random: inout SimulatedRandom) -> Delivery? {
        if unacknowledged.isEmpty { return nil }
        var delivery = unacknowledged[random.below(unacknowledged.count)]
        delivery.isRepeat = false
        return delivery
    }

    /// The bridge has acknowledged everything that it got.
    mutating func acknowledge() { unacknowledged.removeAll() }

    /// The connection is gone: what was not acknowledged is sent again, before everything else.
    mutating func disconnect() {
        for index in unacknowledged.indices { unacknowledged[index].isRepeat = true }
        waiting = unacknowledged + waiting.filter { !$0.isOwn }
        unacknowledged = []
        returned = []
    }

    /// Forgets the session, and unless `keepsRetained` what the bridge had let it retain, on its disk, too.
    mutating func forgetSession(bridgePrefix prefix: String, keepsRetained: Bool) {
        unacknowledged = []
        waiting = []
        isNew = true
        returned = []
        if keepsRetained { return }
        retained = retained.filter { !$0.key.hasPrefix(prefix) }
        past = [:]
    }

    /// Sends what it retains to a bridge that subscribes.
    mutating func subscribe(
        _ plan: SubscriptionPlan,
        after former: SubscriptionPlan?,
        bridgePrefix prefix: String,
        at now: Timestamp
    ) {
        let hears = !plan.filters.isEmpty
        let hasHeard = former?.filters.isEmpty == false
        let sendsRetained =
            hears && (isNew || plan.wantsRetained && !(hasHeard && former?.wantsRetained == true))
        if hears { isNew = false }
        returned = Set(plan.own.map { Self.lastLevel(of: $0) })
        let asked = returned.subtracting((former?.own ?? []).map { Self.lastLevel(of: $0) })
        for (topic, payload) in retained.sorted(by: { $0.key < $1.key }) {
            let isOwn = topic.hasPrefix(prefix)
            guard isOwn ? asked.contains(Self.lastLevel(of: topic)) : sendsRetained else { continue }
            send(topic, payload, isRetained: true, isOwn: isOwn, at: now)
        }
    }

    /// Remembers what it retains of the bridge, as a broker does that writes it to its disk now and then.
    mutating func save(bridgePrefix prefix: String) { past = retained.filter { $0.key.hasPrefix(prefix) } }

    /// What it has saved is no longer of this bridge.
    mutating func forgetSaved() { past = [:] }

    /// Retains of the bridge what it has saved last.
    mutating func crash(bridgePrefix prefix: String) {
        retained = retained.filter { !$0.key.hasPrefix(prefix) }.merging(past) { _, saved in saved }
    }

    private func returns(_ topic: String) -> Bool { returned.contains(Self.lastLevel(of: topic)) }

    private static func lastLevel(of topic: String) -> String {
        topic.split(separator: "/").last.map { String($0) } ?? ""
    }

    private mutating func send(
        _ topic: String,
        _ payload: [UInt8],
        isRetained: Bool,
        isOwn: Bool,
        at now: Timestamp
    ) {
        if !isOwn { lastID += 1 }
        waiting.append(
            Delivery(
                id: isOwn ? 0 : lastID,
                topic: Array(topic.utf8),
                payload: payload,
                isRetained: isRetained,
                notBefore: now,
                isOwn: isOwn
            )
        )
    }
}
