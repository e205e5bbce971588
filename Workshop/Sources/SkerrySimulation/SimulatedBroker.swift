import SkerryGateway
import SkerryTesting
import SkerryValues

/// A message on its way to the bridge.
struct Delivery {
    var id: Int
    var topic: [UInt8]
    var payload: [UInt8]
    var isRetained = false
    /// The earliest moment of delivery, also for later messages of its topic.
    var notBefore: Timestamp
    /// True for the bridge's own topics: such a message has QoS 0, and is not reordered.
    var isOwn = false
    /// True if it was delivered on an earlier connection and not acknowledged: it precedes all others.
    var isRepeat = false

    /// The packet identifier; 0 for QoS 0.
    var packet: UInt16 { isOwn ? 0 : UInt16(1 + id % 65_535) }
}

/// A broker with QoS 1 as MQTT 5 defines it: a session that keeps unacknowledged messages, and retained messages.
struct SimulatedBroker {
    /// The retained messages, by topic.
    private(set) var retained: [String: [UInt8]] = [:]
    /// The messages for the bridge, oldest first.
    private(set) var waiting: [Delivery] = []
    /// The messages that were delivered and not acknowledged.
    private(set) var unacknowledged: [Delivery] = []
    /// True until the bridge subscribes in this session.
    private var isNew = true
    /// The last levels of the bridge's own topics that it has subscribed to.
    private var returned: Set<String> = []
    private var lastID = 0
    /// The bridge's retained messages at an earlier moment.
    private var past: [String: [UInt8]] = [:]

    /// Accepts a message from a device.
    mutating func accept(_ topic: [UInt8], _ payload: [UInt8], isRetained: Bool, notBefore: Timestamp) {
        lastID += 1
        if isRetained { retained[String(decoding: topic, as: UTF8.self)] = payload }
        waiting.append(Delivery(id: lastID, topic: topic, payload: payload, notBefore: notBefore))
    }

    /// Accepts a publication from the bridge.
    mutating func accept(_ publication: Publication, at now: Timestamp) {
        if returns(publication.topic) {
            send(publication.topic, publication.payload, isRetained: false, isOwn: true, at: now)
        }
        guard publication.isRetained else { return }
        retained[publication.topic] = publication.payload.isEmpty ? nil : publication.payload
    }

    /// The moment at which the next message can be delivered; nil when none is waiting.
    var nextDelivery: Timestamp? {
        var heldBack: Set<[UInt8]> = []
        var earliest: Timestamp?
        for delivery in waiting where heldBack.insert(delivery.topic).inserted {
            let moment = delivery.isRepeat ? .distantPast : delivery.notBefore
            earliest = min(earliest ?? moment, moment)
        }
        return earliest
    }

    /// True while messages wait that were delivered on an earlier connection.
    var isRepeating: Bool { waiting.contains { $0.isRepeat } }

    /// Delivers the messages that are due, with those of one topic in order.
    ///
    /// - Parameters:
    ///   - limit: The most messages to deliver.
    ///   - now: The true time.
    ///   - reorders: A function that decides whether later messages of other topics may overtake one.
    /// - Returns: The delivered messages.
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

    /// Delivers an unacknowledged message a second time, at once.
    mutating func repeatOne(using random: inout SimulatedRandom) -> Delivery? {
        if unacknowledged.isEmpty { return nil }
        var delivery = unacknowledged[random.below(unacknowledged.count)]
        delivery.isRepeat = false
        return delivery
    }

    /// Removes all delivered messages, because the bridge has acknowledged them.
    mutating func acknowledge() { unacknowledged.removeAll() }

    /// Ends the connection: unacknowledged messages will be sent again before all others.
    mutating func disconnect() {
        for index in unacknowledged.indices { unacknowledged[index].isRepeat = true }
        waiting = unacknowledged + waiting.filter { !$0.isOwn }
        unacknowledged = []
        returned = []
    }

    /// Forgets the session and, unless `keepsRetained`, all retained messages of the bridge, saved ones included.
    mutating func forgetSession(bridgePrefix prefix: String, keepsRetained: Bool) {
        unacknowledged = []
        waiting = []
        isNew = true
        returned = []
        if keepsRetained { return }
        retained = retained.filter { !$0.key.hasPrefix(prefix) }
        past = [:]
    }

    /// Sends retained messages to a bridge that subscribes.
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

    /// Saves the retained messages of the bridge, as a broker does that writes to its disk now and then.
    mutating func save(bridgePrefix prefix: String) { past = retained.filter { $0.key.hasPrefix(prefix) } }

    /// Forgets the saved messages, because they belong to an earlier store.
    mutating func forgetSaved() { past = [:] }

    /// Replaces the retained messages of the bridge by the saved ones.
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
