import Glibc
import SkerryGateway
import SkerryValues

/// What a bus told its handler, for the test's thread to wait for.
final class Ledger: @unchecked Sendable {
    // Everything below is touched only between lock and unlock.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var entries = Entries()

    struct Entries {
        var messages: [Message] = []
        var batchSizes: [Int] = []
        var oversized = 0
        var sessions: [BusSession] = []
        var faults: [BusFault] = []
        var settled: [(id: UInt64, outcome: PublicationOutcome)] = []
        var subscribed: [SubscriptionOutcome] = []
        var wakes = 0
        var turns = 0
        var mostUnderWay = 0
        var isOpenForPublications = true
        var waiting: [Publication] = []
        var plan = SubscriptionPlan(filters: [])
    }

    struct Message: Equatable {
        var topic: String
        var text: String
        var isRetained: Bool
        var quality: QualityOfService
        var arrival: Interval
    }

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(condition)
        mutex.deallocate()
        condition.deallocate()
    }

    @discardableResult
    func edit<Result>(_ body: (inout Entries) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return body(&entries)
    }

    /// Returns once the condition holds; the bound is for a broken bus only.
    @discardableResult
    func wait(for what: String, until isMet: (Entries) -> Bool) throws -> Entries {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += 300
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isMet(entries) {
            guard pthread_cond_timedwait(condition, mutex, &deadline) == 0 else {
                throw WaitedInVain(what: what, entries: entries)
            }
        }
        return entries
    }

    struct WaitedInVain: Error, CustomStringConvertible {
        var what: String
        var entries: Entries
        var description: String {
            "waited in vain for \(what); faults \(entries.faults), \(entries.messages.count) messages, "
                + "\(entries.settled.count) settled, subscribed \(entries.subscribed)"
        }
    }

    var texts: [String] { edit { $0.messages.map(\.text) } }
}

/// A handler that writes everything into a ledger.
final class Probe: BusHandler {
    let ledger: Ledger
    var onBatch: (MessageBatch) -> BatchOutcome = { _ in .committed }
    /// Time between two wakes.
    var period: Duration?
    var lastWords: Publication?
    var greeting: Publication?
    private var dueAt = ContinuousClock.now
    private var underWay = 0

    init(_ ledger: Ledger) { self.ledger = ledger }

    func handle(_ batch: MessageBatch) -> BatchOutcome {
        let outcome = onBatch(batch)
        ledger.edit { entries in
            entries.oversized += batch.oversizedCount
            entries.batchSizes.append(batch.count)
            guard case .committed = outcome else { return }
            for position in 0..<batch.count {
                let message = batch[position]
                entries.messages.append(
                    .init(
                        topic: String(decoding: message.topic, as: UTF8.self),
                        text: String(decoding: message.payload, as: UTF8.self),
                        isRetained: message.isRetained,
                        quality: message.quality,
                        arrival: message.arrival
                    )
                )
            }
        }
        return outcome
    }

    var sleepLimit: Interval? {
        ledger.edit { $0.turns += 1 }
        guard period != nil else { return nil }
        let left = (dueAt - ContinuousClock.now).components
        return Interval(microseconds: left.seconds * 1_000_000 + left.attoseconds / 1_000_000_000_000)
    }

    func wake() {
        if let period { dueAt = ContinuousClock.now + period }
        ledger.edit { $0.wakes += 1 }
    }

    func nextPublication() -> Publication? {
        ledger.edit { entries in
            guard entries.isOpenForPublications, !entries.waiting.isEmpty else { return nil }
            underWay += 1
            entries.mostUnderWay = max(entries.mostUnderWay, underWay)
            return entries.waiting.removeFirst()
        }
    }

    func settled(_ id: UInt64, _ outcome: PublicationOutcome) {
        underWay -= 1
        ledger.edit { $0.settled.append((id, outcome)) }
    }

    func subscriptionPlan() -> SubscriptionPlan { ledger.edit { $0.plan } }

    func subscribed(_ outcomes: [SubscriptionOutcome]) { ledger.edit { $0.subscribed += outcomes } }

    func connected(_ session: BusSession) {
        ledger.edit { entries in
            entries.sessions.append(session)
            if let greeting { entries.waiting.insert(greeting, at: 0) }
        }
    }

    func disconnected(_ fault: BusFault) { ledger.edit { $0.faults.append(fault) } }

    func farewell() -> Publication? { lastWords }
}
