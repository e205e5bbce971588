import Glibc
import SkerryGateway
import SkerryValues

/// What a bus told a bridge, for the test's thread to wait for.
final class Tally: @unchecked Sendable {
    // The counts are touched only between lock and unlock.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var counts = Counts()

    struct Counts {
        /// Messages of devices and people; not what the bridge itself published and reads back.
        var messages = 0
        /// Events for `mark/mark`, a device that there is not: what was published before one has come, however often.
        var marks = 0
        var wakes = 0
        var connects = 0
        var subscriptions = 0
        var faults: [BusFault] = []
        /// The time until something is due in the bridge, when it was asked last.
        var sleepLimit: Interval?
        /// Whether the bus has not asked yet for what came of the last batch.
        var isBusy = false
        /// How often the bridge has compared what the broker keeps; from then on silence counts again.
        var comparisons = 0
        /// Whether the bridge has published that it is online, after it had compared what the broker keeps.
        var isOnline = false
        /// Publications handed to the bus and not settled yet.
        var underWay = 0
    }

    struct WaitedInVain: Error, CustomStringConvertible {
        var what: String
        var counts: Counts
        var description: String { "waited in vain for \(what): \(counts)" }
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

    func edit(_ body: (inout Counts) -> Void) {
        pthread_mutex_lock(mutex)
        body(&counts)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    var now: Counts {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return counts
    }

    /// Returns once the condition holds; the bound is for a broken bridge only.
    func wait(for what: String, until isMet: (Counts) -> Bool) throws {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += 300
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isMet(counts) {
            guard pthread_cond_timedwait(condition, mutex, &deadline) == 0 else {
                throw WaitedInVain(what: what, counts: counts)
            }
        }
    }
}

/// Stands between a bus and a bridge, passes everything on and keeps a tally.
final class Overseer<Handler: BusHandler>: BusHandler {
    private let handler: Handler
    private let tally: Tally
    private let own: [UInt8]

    init(_ handler: Handler, _ tally: Tally, prefix: String) {
        self.handler = handler
        self.tally = tally
        own = Array("\(prefix)/".utf8)
    }

    /// Whether a message has a topic on which the bridge publishes.
    private func isOwn(_ topic: ArraySlice<UInt8>) -> Bool {
        guard topic.starts(with: own) else { return false }
        return !String(decoding: topic, as: UTF8.self).hasSuffix("/event")
            || topic.dropFirst(own.count).starts(with: "bridge/".utf8)
    }

    func handle(_ batch: MessageBatch) -> BatchOutcome {
        let outcome = handler.handle(batch)
        let others = (0..<batch.count).count { !isOwn(batch[$0].topic) }
        let marks = (0..<batch.count).count { batch[$0].topic.elementsEqual(own + "mark/mark/event".utf8) }
        let sleepLimit = handler.sleepLimit
        tally.edit { tally in
            tally.messages += others
            tally.marks += marks
            tally.isBusy = true
            tally.sleepLimit = sleepLimit
        }
        return outcome
    }

    var sleepLimit: Interval? { handler.sleepLimit }

    func wake() {
        handler.wake()
        let sleepLimit = handler.sleepLimit
        tally.edit { tally in
            tally.wakes += 1
            tally.isBusy = true
            tally.sleepLimit = sleepLimit
        }
    }

    func nextPublication() -> Publication? {
        let publication = handler.nextPublication()
        tally.edit { tally in
            guard let publication else { return tally.isBusy = false }
            tally.underWay += 1
            if Array(publication.topic.utf8) == own + "bridge/state".utf8 { tally.isOnline = true }
        }
        return publication
    }

    func settled(_ id: UInt64, _ outcome: PublicationOutcome) {
        handler.settled(id, outcome)
        tally.edit { $0.underWay -= 1 }
    }

    func subscriptionPlan() -> SubscriptionPlan { handler.subscriptionPlan() }

    func subscribed(_ outcomes: [SubscriptionOutcome]) {
        handler.subscribed(outcomes)
        tally.edit { $0.subscriptions += outcomes.count { $0.granted == .atLeastOnce } }
    }

    func connected(_ session: BusSession) {
        handler.connected(session)
        tally.edit { $0.connects += 1 }
    }

    func disconnected(_ fault: BusFault) {
        handler.disconnected(fault)
        tally.edit { $0.faults.append(fault) }
    }

    func farewell() -> Publication? {
        let publication = handler.farewell()
        if publication != nil { tally.edit { $0.underWay += 1 } }
        return publication
    }
}
