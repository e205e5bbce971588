import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

/// The account of what a bridge owes: changes for the next commit, publications for the broker, deliveries for further sinks, and which of
/// them the store still holds.
///
/// A publication about devices goes through it in three steps. ``enqueue(_:)`` adds it to the changes, ``committed(all:begunAt:at:)``
/// moves it to the outbox once it is stored, and ``settle(_:at:)`` lets the store forget it. The ledger never calls the store:
/// the bridge does, with ``batch(_:layouts:)``.
struct Ledger {
    /// The pause after the store refused a commit.
    static var commitPause: Interval { .seconds(1) }

    /// The number of settled publications that justify a commit of their own.
    private static var settledLimit: Int { 500 }

    /// The longest delay until the store learns that a publication is settled; until then, the next process would send it
    /// again.
    private static var settledPause: Interval { .seconds(1) }

    /// The time that the wall clock has to go on undisturbed before the history loses what is too old by it: a clock
    /// that is years ahead for a minute would empty it.
    private static var clockTrial: Interval { .hours(1) }

    /// The queues of further sinks.
    let sinks: [SinkQueue]
    private let limit: Int
    private let history: HistoryLimits
    private let checkpointInterval: Interval?

    /// The changes for the next commit.
    private(set) var changes: StoreChanges
    private var outbox: Outbox
    /// The index in the changes of an activity's deliveries, which are consecutive, one for each sink.
    private var deliveryPlaces: [ExactText: Int] = [:]
    /// Stored deliveries that have arrived, for the next commit.
    private var arrivedDeliveries: [Delivery] = []
    /// The last id given to a publication or a delivery.
    private(set) var lastID: UInt64
    /// The publications that the store holds, by their ids.
    private var stored: Set<UInt64> = []
    /// Publications and deliveries that had to go before the store took them.
    private var dropped: UInt64 = 0
    /// True if the sinks have to be shown all activities with the next commit.
    private(set) var showsActivities = false

    /// The moment at which refused changes are handed to the store again; nil while it takes them.
    private(set) var retry: Timestamp?
    /// The moment at which settled publications are stored, also if nothing else is.
    private var settlement: Timestamp?
    /// The moment at which everything is stored, including readings that changed nothing else.
    private var checkpoint: Timestamp?
    /// The end of the trial of the wall clock, which begins with the process and with each step.
    private var trialEnd: Timestamp

    /// Begins without anything owed.
    init(
        _ progress: StoreProgress,
        epoch: Int64,
        sinks: [SinkQueue],
        options: BridgeOptions,
        at start: Timestamp
    ) {
        self.sinks = sinks
        limit = options.outboxLimit
        history = options.history
        checkpointInterval = options.checkpointInterval
        outbox = Outbox(limit: limit)
        changes = StoreChanges(epoch: epoch, progress: progress)
        lastID = progress.lastPublication
        checkpoint = checkpointInterval.map { start + $0 }
        trialEnd = start + Self.clockTrial
    }

    // MARK: What it owes

    /// True while the store takes what it is given.
    var isStoring: Bool { retry == nil }

    /// The progress at the last commit.
    var progress: StoreProgress { changes.progress }

    /// The number of publications that wait for the broker.
    var waiting: Int { outbox.count }

    /// The same with those that wait for the store.
    var unsent: Int { outbox.count + changes.enqueued.count }

    /// The number of stored publications that are not settled.
    var unsettled: Int { stored.count }

    /// The number of publications and deliveries that were dropped because too many waited.
    var droppedCount: UInt64 { outbox.dropped + dropped }

    /// The next moment of a commit; nil if nothing waits for one.
    @inline(__always)
    var due: Timestamp? {
        let next = min(retry ?? .distantFuture, settlement ?? .distantFuture, checkpoint ?? .distantFuture)
        return next == .distantFuture ? nil : next
    }

    /// Returns whether everything is to be stored now.
    func isCheckpointDue(at now: Timestamp) -> Bool { checkpoint.map { $0 <= now } ?? false }

    /// Returns whether a retained publication of a topic waits for the broker.
    func holds(_ topic: ExactText) -> Bool { outbox.holds(topic) }

    // MARK: Publications

    /// Gives the next id to a publication or a delivery.
    mutating func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Adds a publication about devices: sent once it is stored, and again after a restart if necessary.
    mutating func enqueue(_ publication: Publication) {
        assert(publication.id == lastID, "publications are enqueued in the order of their ids")
        changes.enqueued.append(publication)
    }

    /// Adds a publication to the outbox, and settles those that it replaces.
    ///
    /// - Returns: True if the oldest one that is not retained was dropped because too many wait.
    mutating func queue(_ publication: Publication, at now: @autoclosure () -> Timestamp) -> Bool {
        assert(publication.id <= lastID, "ids are given here")
        let earlier = outbox.dropped
        for id in outbox.append(publication) { settle(id, at: now()) }
        return outbox.dropped > earlier
    }

    /// Adds a retained publication before everything that waits, and settles the one that it replaces.
    mutating func queueAhead(_ publication: Publication, at now: Timestamp) {
        assert(publication.isRetained, "what goes ahead is a state")
        if let obsolete = outbox.putAhead(publication) { settle(obsolete, at: now) }
    }

    /// Takes the next publication for the broker out of the outbox.
    mutating func next() -> Publication? { outbox.next() }

    /// Lets the store forget a publication with its next commit, if it holds it; changes the moment of that commit.
    mutating func settle(_ id: UInt64, at now: @autoclosure () -> Timestamp) {
        // What the store never had, it need not forget.
        guard stored.remove(id) != nil else { return }
        assert(id <= lastID, "a publication has an id that is still to come")
        changes.settled.append(id)
        if settlement == nil { settlement = now() + Self.settledPause }
        assert(due != nil, "what is settled is never stored")
    }

    /// Begins another epoch: publications of the former one that still wait are given up.
    mutating func begin(epoch: Int64, isOfEpoch: (Publication) -> Bool, at now: Timestamp) {
        assert(epoch > changes.epoch, "epochs grow")
        changes.epoch = epoch
        for id in outbox.remove(where: isOfEpoch) { settle(id, at: now) }
        changes.enqueued.removeAll(where: isOfEpoch)
    }

    // MARK: Devices and runs

    /// Removes a device from the store with the next commit.
    mutating func forget(_ device: DeviceKey) {
        // A commit adds images after it removes devices, so one that waits would bring the device back.
        changes.images.removeAll { DeviceKey(kind: $0.kind, name: $0.name) == device }
        changes.removed.append(DeviceImage(kind: device.kind, name: device.name, layout: 0, bytes: []))
    }

    /// Adds an activity that has ended to the history.
    mutating func add(_ activity: EndedActivity) { changes.ended.append(activity) }

    /// Adds a stage of a run that has begun to the history.
    mutating func add(_ stage: RunStage) { changes.stages.append(stage) }

    // MARK: Deliveries

    /// Adds an update for each further sink: handed over once it is stored, and again after a restart if need be.
    mutating func deliver(_ update: ActivityUpdate, of device: String, kind: String) {
        if sinks.isEmpty { return }
        let place = deliveryPlaces[ExactText(update.id)]
        if place == nil { deliveryPlaces[ExactText(update.id)] = changes.enqueuedDeliveries.count }
        for (number, sink) in sinks.enumerated() {
            var delivery = Delivery(id: nextID(), sink: sink.name, kind: kind, device: device, update: update)
            if let place {
                assert(changes.enqueuedDeliveries[place + number].sink == sink.name, "sinks are out of order")
                delivery.takeOver(changes.enqueuedDeliveries[place + number])
                changes.enqueuedDeliveries[place + number] = delivery
            } else {
                if let earlier = sink.unsettled(of: update.id) { delivery.takeOver(earlier) }
                changes.enqueuedDeliveries.append(delivery)
            }
        }
        assert(
            changes.enqueuedDeliveries.count.isMultiple(of: sinks.count),
            "each activity has one for each sink"
        )
        assert(
            deliveryPlaces.count * sinks.count == changes.enqueuedDeliveries.count,
            "an activity has deliveries in two places"
        )
    }

    /// Hands deliveries over that the store has taken.
    private mutating func handOver(_ deliveries: [Delivery]) {
        if deliveries.isEmpty { return }
        assert(deliveries.count.isMultiple(of: sinks.count), "each activity has one for each sink")
        deliveryPlaces.removeAll(keepingCapacity: true)
        for (number, sink) in sinks.enumerated() {
            // Safe because each activity has one delivery for each sink, in the order of the sinks, see `deliver`.
            sink.put(stride(from: number, to: deliveries.count, by: sinks.count).map { deliveries[$0] })
        }
    }

    /// Has the sinks shown all activities with the next commit.
    mutating func showActivitiesSoon() { showsActivities = !sinks.isEmpty }

    /// Shows the sinks each running activity as it is: once after the start, when the store has all of it.
    ///
    /// An end that has not arrived everywhere waits in the store.
    mutating func showActivities(of engine: Engine) {
        assert(showsActivities)
        showsActivities = false
        assert(!sinks.isEmpty, "activities are shown to nobody")
        var deliveries: [Delivery] = []
        engine.forEachDevice { kind, device in
            guard let update = device.lastRevision, update.phase != .ended else { return }
            var delivery = Delivery(id: nextID(), sink: "", kind: kind, device: device.name, update: update)
            // They are made of the devices, which the store has: after a restart they are made again.
            delivery.isStored = false
            deliveries.append(delivery)
        }
        for sink in sinks {
            sink.show(
                deliveries.map {
                    var delivery = $0
                    delivery.sink = sink.name
                    return delivery
                }
            )
        }
    }

    // MARK: Restarts and clocks

    /// Takes over what the last process has not settled; deliveries are handed to their sinks.
    ///
    /// - Returns: How often a publication was dropped because too many wait.
    mutating func restore(_ state: StoredState, at now: Timestamp) -> Int {
        var drops = 0
        for publication in state.publications {
            stored.insert(publication.id)
            lastID = max(lastID, publication.id)
            if queue(publication, at: now) { drops += 1 }
        }
        for sink in sinks { sink.put(state.deliveries.filter { $0.sink == sink.name }) }
        for delivery in state.deliveries {
            lastID = max(lastID, delivery.id)
            // A sink that the settings no longer have would keep them for ever.
            if !sinks.contains(where: { $0.name == delivery.sink }) {
                changes.settledDeliveries.append(delivery.id)
            }
        }
        assert(outbox.count <= stored.count, "more waits after a restart than the store had")
        return drops
    }

    /// Moves all moments by a step of the wall clock.
    ///
    /// - Parameters:
    ///   - shift: The step.
    ///   - now: The time after it.
    mutating func move(by shift: ClockShift, at now: Timestamp) {
        trialEnd = now + Self.clockTrial
        retry = retry.map { $0 + shift.length }
        settlement = settlement.map { $0 + shift.length }
        checkpoint = checkpoint.map { $0 + shift.length }
        for place in changes.enqueuedDeliveries.indices { changes.enqueuedDeliveries[place].move(by: shift) }
        for place in arrivedDeliveries.indices { arrivedDeliveries[place].move(by: shift) }
        for sink in sinks { sink.move(by: shift) }
    }

    /// Marks the next commit as the last one of the process.
    mutating func end() { changes.isLast = true }

    // MARK: The commit

    /// Adds the images of devices to the changes, and what has arrived or been settled in the sinks.
    mutating func gather(_ images: [DeviceImage]) {
        changes.images += images
        // What has arrived first: those that are settled as well must not come back.
        for sink in sinks { arrivedDeliveries += sink.takeArrived() }
        for sink in sinks { changes.settledDeliveries += sink.takeSettled() }
    }

    /// Returns whether the changes are to be stored now.
    // Inlined, because a call would copy the ledger out of the bridge, with a retain for each of its arrays, for every batch.
    @inline(__always)
    func needsCommit(at now: Timestamp) -> Bool {
        let settled = changes.settled.count + changes.settledDeliveries.count
        let isSettlementDue = settled > Self.settledLimit || settlement.map { $0 <= now } ?? false
        return changes.isWorthwhile || isSettlementDue || !isStoring
    }

    /// Completes the changes by the progress and the layouts that the images go by.
    ///
    /// - Returns: the batch for the store.
    mutating func batch(_ progress: StoreProgress, layouts: [DefinitionLayout]?) -> StoreChanges {
        assert(progress.lastPublication == lastID, "the next process goes on behind all ids")
        changes.progress = progress
        changes.historyLimits = history
        if progress.aliveAt < trialEnd { changes.historyLimits.age = nil }
        if let layouts { changes.layouts = layouts }
        // A copy: if the store refuses it, the changes are there for the next attempt.
        var batch = changes
        batch.enqueuedDeliveries = arrivedDeliveries + changes.enqueuedDeliveries
        return batch
    }

    /// Records that the store has taken the batch: its publications move to the outbox, its deliveries to the sinks.
    ///
    /// - Parameters:
    ///   - all: Whether it had everything.
    ///   - begin: The time before the commit, from which the next checkpoint counts.
    ///   - now: The time now.
    /// - Returns: How often a publication was dropped because too many wait.
    mutating func committed(all: Bool, begunAt begin: Timestamp, at now: Timestamp) -> Int {
        let (enqueued, deliveries) = (changes.enqueued, changes.enqueuedDeliveries)
        // Before anything is queued: what that settles belongs to the next commit.
        changes = StoreChanges(epoch: changes.epoch, progress: changes.progress)
        arrivedDeliveries = []
        retry = nil
        settlement = nil
        if all { checkpoint = checkpointInterval.map { begin + $0 } }
        var drops = 0
        for publication in enqueued {
            // Before `queue`, which settles the ones that it drops:
            // only those that are in the store count as settled.
            assert(!stored.contains(publication.id), "a publication is stored twice")
            stored.insert(publication.id)
            if queue(publication, at: now) { drops += 1 }
        }
        handOver(deliveries)
        assert(deliveryPlaces.isEmpty, "the place of a delivery outlives it")
        return drops
    }

    /// Records that the store has refused the batch: the changes stay for the next attempt, thinned out to their limits.
    ///
    /// - Parameters:
    ///   - all: Whether it had everything.
    ///   - begin: The time before the commit.
    mutating func refused(all: Bool, begunAt begin: Timestamp) {
        retry = begin + Self.commitPause
        // The next attempt has the settlements, too; a moment that
        // stays in the past would wake the bus without a pause.
        settlement = nil
        if all { checkpoint = checkpoint.map { _ in begin + Self.commitPause } }
        thinOut()
        assert(!isStoring)
    }

    /// Limits the changes that the store refuses to the size of the outbox, and to the last image of each device.
    private mutating func thinOut() {
        // By an outbox, whose rules say which publications replace others and which are dropped.
        var waiting = Outbox(limit: limit)
        for publication in changes.enqueued { _ = waiting.append(publication) }
        dropped += waiting.dropped
        changes.enqueued.removeAll(keepingCapacity: true)
        while let publication = waiting.next() { changes.enqueued.append(publication) }
        var seen: Set<DeviceKey> = []
        let newestFirst = changes.images.reversed().filter {
            seen.insert(DeviceKey(kind: $0.kind, name: $0.name)).inserted
        }
        changes.images = newestFirst.reversed()
        thinOutDeliveries()
        changes.ended = changes.ended.suffix(history.activities)
        changes.stages = changes.stages.suffix(limit)
    }

    /// Drops the oldest ended activities if the store has refused too many; running ones stay.
    private mutating func thinOutDeliveries() {
        let ended = changes.enqueuedDeliveries.count { $0.update.phase == .ended }
        var excess = ended - limit * sinks.count
        guard excess > 0 else { return }
        dropped += UInt64(excess)
        // The deliveries of an activity end together, so the excess is a multiple of the sinks, and whole groups go.
        changes.enqueuedDeliveries.removeAll { delivery in
            guard excess > 0, delivery.update.phase == .ended else { return false }
            excess -= 1
            return true
        }
        assert(changes.enqueuedDeliveries.count.isMultiple(of: sinks.count), "whole groups go")
        deliveryPlaces.removeAll(keepingCapacity: true)
        for place in stride(from: 0, to: changes.enqueuedDeliveries.count, by: sinks.count) {
            deliveryPlaces[ExactText(changes.enqueuedDeliveries[place].update.id)] = place
        }
        assert(
            deliveryPlaces.count * sinks.count == changes.enqueuedDeliveries.count,
            "an activity has deliveries in two places"
        )
    }
}

extension StoreChanges {
    /// True if something is lost when this is not committed now.
    fileprivate var isWorthwhile: Bool {
        !images.isEmpty || !enqueued.isEmpty || !removed.isEmpty || !enqueuedDeliveries.isEmpty
    }
}
