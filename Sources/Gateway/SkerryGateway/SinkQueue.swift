import SkerryActivity
import SkerryMachine
import SkerrySinks
public import SkerryValues
import Synchronization

/// The queue of deliveries for one sink: filled by the bridge after the commit, emptied by the sink's own task.
///
/// For each activity at most one delivery waits, the newest, and at most one is with the sink. A sink gets each state
/// at least once, unless a newer one has replaced it: after a crash, settled deliveries may come again, and at every
/// start it gets the present state of each activity. It recognises repeats by ``Delivery/news(after:epoch:)``.
public final class SinkQueue: Sendable {
    /// The name of the sink; the store keeps its deliveries under this name.
    public let name: String

    private let limit: Int
    private let alertFreshness: Interval
    private let content = Mutex(Content())

    private struct Content {
        /// The waiting deliveries, in order.
        var waiting = WaitingDeliveries()
        /// The deliveries that the sink has not settled, by activity.
        var held: [ExactText: Delivery] = [:]
        /// The activities of the deliveries that the sink has.
        var activities: [UInt64: String] = [:]
        /// Stored deliveries that the store may forget.
        var settled: [UInt64] = []
        /// Stored deliveries that have arrived.
        var arrived: [Delivery] = []
        var dropped: UInt64 = 0
        var lateAlerts: UInt64 = 0
        var clockIsKnown = true
        /// The counts of requests, for sinks that report them.
        var tally = SinkScheduler.Tally()
        var wake: (@Sendable () -> Void)?

        /// True if each delivery that the sink has is found by its id and by its activity.
        var isCounted: Bool { activities.count == held.count }

        /// Takes deliveries away from the sink, those that it has.
        mutating func release(_ ids: [UInt64]) -> [Delivery] {
            ids.compactMap { id in
                activities.removeValue(forKey: id).flatMap { held.removeValue(forKey: ExactText($0)) }
            }
        }
    }

    /// Makes an empty queue.
    ///
    /// - Parameters:
    ///   - name: The name of the sink.
    ///   - options: Those of the bridge: how much may wait, and how long an alert is fresh.
    public init(name: String, options: BridgeOptions) {
        self.name = name
        limit = options.outboxLimit
        alertFreshness = options.alertFreshness
    }

    /// Sets a callback for when there is something to take; called on the thread of the bridge or of the caller that settles.
    package func onWork(_ wake: @escaping @Sendable () -> Void) {
        let hasWork = content.withLock { content in
            content.wake = wake
            return content.waiting.count > 0
        }
        // Outside the lock, because who is woken takes.
        if hasWork { wake() }
    }

    /// Takes the waiting deliveries in order, without alerts that are no longer fresh.
    ///
    /// An activity whose last delivery is not settled yet is left out until it is.
    public func take(at now: Timestamp) -> [Delivery] {
        content.withLock { content in
            var taken: [Delivery] = []
            var kept = WaitingDeliveries()
            for var delivery in content.waiting.all {
                if content.held[ExactText(delivery.update.id)] != nil {
                    kept.append(delivery)
                    continue
                }
                if delivery.update.alert != nil, now - delivery.alertedAt > alertFreshness {
                    delivery.update.alert = nil
                    content.lateAlerts += 1
                }
                content.held[ExactText(delivery.update.id)] = delivery
                content.activities[delivery.id] = delivery.update.id
                taken.append(delivery)
            }
            assert(kept.count + taken.count == content.waiting.count, "a delivery is lost on its way")
            content.waiting = kept
            assert(content.isCounted, "the sink has two deliveries of an activity")
            return taken
        }
    }

    /// Settles deliveries: they were delivered, or are not needed.
    public func settle(_ ids: [UInt64]) {
        let wake = content.withLock { content -> (@Sendable () -> Void)? in
            let released = content.release(ids)
            content.settled += released.filter { $0.isStored }.map { $0.id }
            assert(content.isCounted, "a delivery is settled and still with the sink")
            content.arrived.removeAll { ids.contains($0.id) }
            // Only what this lets go on is work: a sink settles in each step, and would take the next one without a pause.
            let isWork = released.contains { content.waiting[$0.update.id] != nil }
            return isWork ? content.wake : nil
        }
        wake?()
    }

    /// Takes note that every recipient has these deliveries, which wait for their dismissal: after a restart they are not sent
    /// again.
    package func arrive(_ ids: [UInt64]) {
        if ids.isEmpty { return }
        content.withLock { content in
            for id in ids {
                guard let activity = content.activities[id], var delivery = content.held[ExactText(activity)],
                    !delivery.hasArrived
                else { continue }
                assert(delivery.id == id, "the sink has another delivery of the activity")
                delivery.arrive()
                content.held[ExactText(activity)] = delivery
                if delivery.isStored { content.arrived.append(delivery) }
            }
        }
    }

    /// Returns deliveries that failed: they wait again, unless a newer one has replaced them.
    ///
    /// The sink is not called: it chooses when to try again.
    public func putBack(_ ids: [UInt64]) {
        content.withLock { content in
            // Ids grow with time, so this restores the order in which they waited.
            let released = content.release(ids.sorted())
            assert(content.isCounted, "a delivery comes back and is still with the sink")
            let former = content.waiting.count
            content.waiting.prepend(released)
            assert(
                (former...former + released.count).contains(content.waiting.count),
                "a delivery that waits is lost to one that comes back"
            )
        }
    }

    /// Settles those of these deliveries that a newer one waits to replace; the others stay with the sink.
    package func settleReplaced(_ ids: [UInt64]) {
        let replaced = content.withLock { content in
            ids.filter { id in content.activities[id].map { content.waiting[$0] != nil } ?? false }
        }
        if !replaced.isEmpty { settle(replaced) }
    }

    /// The number of deliveries that wait or are with the sink.
    public var count: Int { content.withLock { $0.waiting.count + $0.held.count } }

    /// True if the gateway knows the time; until then, its times mean nothing to others.
    public var clockIsKnown: Bool { content.withLock { $0.clockIsKnown } }
}

extension SinkQueue {
    /// Moves the alerts that wait, because the wall clock was set.
    func move(by shift: ClockShift) {
        content.withLock { content in
            content.waiting.move(by: shift)
            for activity in content.held.keys { content.held[activity]?.move(by: shift) }
            for place in content.arrived.indices { content.arrived[place].move(by: shift) }
        }
    }

    /// Hands deliveries over that the store has.
    func put(_ deliveries: [Delivery]) {
        let wake = content.withLock { content -> (@Sendable () -> Void)? in
            for delivery in deliveries { content.waiting.append(delivery) }
            while content.waiting.ended > limit, let gone = content.waiting.dropOldestEnded() {
                content.dropped += 1
                // Or the store would keep it for the next process.
                if gone.isStored { content.settled.append(gone.id) }
            }
            assert(content.waiting.ended <= max(limit, 0), "more ended activities wait than the limit allows")
            return content.waiting.count > 0 ? content.wake : nil
        }
        wake?()
    }

    /// Shows activities as they are, for a sink that may not know them; those that wait or are with it are left out.
    func show(_ deliveries: [Delivery]) {
        let unknown = content.withLock { content in
            deliveries.filter {
                content.held[ExactText($0.update.id)] == nil && content.waiting[$0.update.id] == nil
            }
        }
        if !unknown.isEmpty { put(unknown) }
    }

    /// The delivery of an activity that the sink has not settled.
    func unsettled(of activity: String) -> Delivery? {
        content.withLock { $0.waiting[activity] ?? $0.held[ExactText(activity)] }
    }

    /// The stored deliveries that were settled or dropped since this was last asked.
    func takeSettled() -> [UInt64] {
        content.withLock { content in
            defer { content.settled = [] }
            return content.settled
        }
    }

    /// The stored deliveries that have arrived since this was last asked.
    func takeArrived() -> [Delivery] {
        content.withLock { content in
            defer { content.arrived = [] }
            return content.arrived
        }
    }

    /// Sets whether the gateway knows the time.
    func setClock(isKnown: Bool) {
        let wake = content.withLock { content -> (@Sendable () -> Void)? in
            if content.clockIsKnown == isKnown { return nil }
            content.clockIsKnown = isKnown
            return content.wake
        }
        wake?()
    }

    /// Takes in the counts of requests of the sink.
    func report(_ tally: SinkScheduler.Tally) { content.withLock { $0.tally = tally } }

    /// The counts of requests that the sink reported last.
    var tally: SinkScheduler.Tally { content.withLock { $0.tally } }

    /// The number of ended activities dropped because too many waited.
    var dropped: UInt64 { content.withLock { $0.dropped } }

    /// The number of alerts that were too old when the sink took them.
    var lateAlerts: UInt64 { content.withLock { $0.lateAlerts } }
}
