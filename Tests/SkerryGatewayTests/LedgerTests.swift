import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues
import Testing

@testable import SkerryGateway

/// The ledger alone: what it gives the store, the broker and the sinks, and when.
@Suite("The ledger")
struct LedgerTests {
    static let start = Pier.start
    let queue = SinkQueue(name: "one", options: BridgeOptions(version: "test"))

    func ledger(
        sinks: [SinkQueue] = [],
        limit: Int = 100,
        checkpoint: Interval? = nil,
        last: UInt64 = 0
    ) -> Ledger {
        var options = BridgeOptions(version: "test")
        options.outboxLimit = limit
        options.checkpointInterval = checkpoint
        let progress = StoreProgress(aliveAt: Self.start, sequence: 0, lastPublication: last)
        return Ledger(progress, epoch: 1, sinks: sinks, options: options, at: Self.start)
    }

    func enqueue(_ topic: String, isRetained: Bool = false, in ledger: inout Ledger) {
        ledger.enqueue(
            Publication(id: ledger.nextID(), topic: topic, payload: [1], isRetained: isRetained)
        )
    }

    /// A commit that the store takes.
    func commit(_ ledger: inout Ledger, at now: Timestamp = start) -> StoreChanges {
        let batch = batch(&ledger, at: now)
        _ = ledger.committed(all: false, begunAt: now, at: now)
        return batch
    }

    func batch(_ ledger: inout Ledger, at now: Timestamp = start) -> StoreChanges {
        ledger.gather([])
        let progress = StoreProgress(aliveAt: now, sequence: 0, lastPublication: ledger.lastID)
        return ledger.batch(progress, layouts: nil)
    }

    func drain(_ ledger: inout Ledger) -> [UInt64] {
        var ids: [UInt64] = []
        while let publication = ledger.next() { ids.append(publication.id) }
        return ids
    }

    @Test("the history loses by its age only after an hour in which the clock went on undisturbed")
    func historyAge() {
        var ledger = ledger()
        func age(after length: Interval) -> Interval? {
            batch(&ledger, at: Self.start + length).historyLimits.age
        }
        let limit = HistoryLimits().age
        #expect(age(after: .minutes(59)) == nil)
        #expect(age(after: .minutes(60)) == limit)
        let step = Interval.hours(24 * 800)
        ledger.move(by: ClockShift(by: step), at: Self.start + step + .hours(2))
        #expect(age(after: step + .minutes(179)) == nil)
        ledger.move(by: ClockShift(by: .zero - step), at: Self.start + .hours(3))
        #expect(age(after: .minutes(239)) == nil)
        #expect(age(after: .minutes(240)) == limit)
    }

    static func update(_ id: String, rev: Int64 = 1, phase: ActivityPhase = .active) -> ActivityUpdate {
        var update = ActivityUpdate(endOfUnknown: id, at: start)
        update.rev = rev
        update.phase = phase
        return update
    }

    @Test("a publication waits for the commit, then for the broker, and is settled by the next commit")
    func life() {
        var ledger = ledger(last: 7)
        enqueue("a", in: &ledger)
        #expect(ledger.needsCommit(at: Self.start))
        #expect(ledger.next() == nil)
        #expect(commit(&ledger).enqueued.map(\.id) == [8])
        #expect(drain(&ledger) == [8])
        #expect(ledger.unsettled == 1)
        #expect(!ledger.needsCommit(at: Self.start))
        ledger.settle(8, at: Self.start)
        #expect(!ledger.needsCommit(at: Self.start))
        #expect(ledger.due == Self.start + .seconds(1))
        #expect(ledger.needsCommit(at: Self.start + .seconds(1)))
        #expect(commit(&ledger).settled == [8])
        #expect(ledger.due == nil)
        #expect(ledger.unsettled == 0)
    }

    @Test("what the store never had is not settled there")
    func announced() {
        var ledger = ledger()
        let id = ledger.nextID()
        #expect(ledger.queue(Publication(id: id, topic: "a", payload: []), at: Self.start) == false)
        #expect(drain(&ledger) == [id])
        ledger.settle(id, at: Self.start)
        #expect(ledger.due == nil)
        #expect(ledger.changes.settled.isEmpty)
    }

    @Test("a retained publication that another one replaces is settled")
    func replaced() {
        var ledger = ledger()
        for _ in 0..<2 { enqueue("a", isRetained: true, in: &ledger) }
        #expect(commit(&ledger).enqueued.map(\.id) == [1, 2])
        #expect(drain(&ledger) == [2])
        #expect(commit(&ledger).settled == [1])
    }

    @Test("a refused batch comes again with what came meanwhile, after a second")
    func refused() {
        var ledger = ledger(checkpoint: .minutes(1))
        enqueue("a", in: &ledger)
        _ = batch(&ledger)
        ledger.refused(all: false, begunAt: Self.start)
        #expect(!ledger.isStoring)
        #expect(ledger.due == Self.start + .seconds(1))
        #expect(ledger.next() == nil)
        enqueue("b", in: &ledger)
        #expect(commit(&ledger).enqueued.map(\.id) == [1, 2])
        #expect(ledger.isStoring)
        #expect(ledger.due == Self.start + .minutes(1))
    }

    @Test("a refused checkpoint comes again after a second, and the next one a whole interval after it")
    func checkpoint() {
        var ledger = ledger(checkpoint: .minutes(1))
        let due = Self.start + .minutes(1)
        #expect(ledger.isCheckpointDue(at: due))
        _ = batch(&ledger, at: due)
        ledger.refused(all: true, begunAt: due)
        #expect(!ledger.isCheckpointDue(at: due))
        #expect(ledger.isCheckpointDue(at: due + .seconds(1)))
        _ = batch(&ledger, at: due + .seconds(1))
        _ = ledger.committed(all: true, begunAt: due + .seconds(1), at: due + .seconds(2))
        #expect(ledger.due == due + .seconds(61))
    }

    @Test("while the store refuses, what passes is limited, and states are kept")
    func thinning() {
        var ledger = ledger(limit: 2)
        for topic in ["a", "b", "c", "d"] { enqueue(topic, in: &ledger) }
        enqueue("state", isRetained: true, in: &ledger)
        _ = batch(&ledger)
        ledger.refused(all: false, begunAt: Self.start)
        #expect(ledger.droppedCount == 2)
        #expect(commit(&ledger).enqueued.map(\.topic) == ["c", "d", "state"])
    }

    @Test("of a device, a refused batch keeps the last image; a removed device comes back in none")
    func images() {
        func image(_ name: String, _ byte: UInt8) -> DeviceImage {
            DeviceImage(kind: "lamp", name: name, layout: 0, bytes: [byte])
        }
        var ledger = ledger()
        ledger.gather([image("a", 1), image("b", 1), image("a", 2)])
        ledger.refused(all: false, begunAt: Self.start)
        #expect(ledger.changes.images.map(\.bytes) == [[1], [2]])
        ledger.forget(DeviceKey(kind: "lamp", name: "a"))
        #expect(ledger.changes.images.map(\.name) == ["b"])
        #expect(ledger.changes.removed.map(\.name) == ["a"])
    }

    @Test("each sink gets one delivery of an activity, the newest, once it is stored")
    func deliveries() {
        let other = SinkQueue(name: "two", options: BridgeOptions(version: "test"))
        var ledger = ledger(sinks: [queue, other])
        ledger.deliver(Self.update("x"), of: "a", kind: "lamp")
        ledger.deliver(Self.update("y"), of: "b", kind: "lamp")
        ledger.deliver(Self.update("x", rev: 2), of: "a", kind: "lamp")
        let stored = commit(&ledger).enqueuedDeliveries
        #expect(
            stored.map { "\($0.sink) \($0.update.id) \($0.update.rev)" } == [
                "one x 2", "two x 2", "one y 1", "two y 1",
            ]
        )
        for sink in [queue, other] {
            let taken = sink.take(at: Self.start)
            #expect(Set(taken.map { "\($0.update.id) \($0.update.rev)" }) == ["x 2", "y 1"])
            sink.settle(taken.map(\.id))
        }
        #expect(Set(commit(&ledger).settledDeliveries) == Set(stored.map(\.id)))
    }

    @Test("another epoch gives up what waits of the former one")
    func epoch() {
        var ledger = ledger()
        enqueue("a/old", in: &ledger)
        _ = commit(&ledger)
        enqueue("b/old", in: &ledger)
        enqueue("c/new", in: &ledger)
        ledger.begin(epoch: 2, isOfEpoch: { $0.topic.hasSuffix("old") }, at: Self.start)
        #expect(ledger.next() == nil)
        let batch = commit(&ledger)
        #expect(batch.epoch == 2)
        #expect(batch.settled == [1])
        #expect(batch.enqueued.map(\.topic) == ["c/new"])
    }

    @Test("what the last process has not settled goes first, and a sink that is gone is settled")
    func restored() {
        var state = StoredState()
        state.publications = [
            Publication(id: 3, topic: "a", payload: []), Publication(id: 9, topic: "b", payload: []),
        ]
        state.deliveries = ["one", "gone"].enumerated().map { number, sink in
            Delivery(id: UInt64(20 + number), sink: sink, kind: "lamp", device: "a", update: Self.update("x"))
        }
        var ledger = ledger(sinks: [queue], last: 5)
        #expect(ledger.restore(state, at: Self.start) == 0)
        #expect(ledger.lastID == 21)
        #expect(drain(&ledger) == [3, 9])
        #expect(queue.take(at: Self.start).map(\.id) == [20])
        #expect(ledger.changes.settledDeliveries == [21])
    }

    @Test("a step of the wall clock moves what is due")
    func clock() {
        var ledger = ledger(checkpoint: .minutes(1))
        ledger.refused(all: false, begunAt: Self.start)
        ledger.move(by: ClockShift(by: .hours(-5)), at: Self.start - .hours(5))
        #expect(ledger.due == Self.start - .hours(5) + .seconds(1))
        #expect(ledger.isCheckpointDue(at: Self.start - .hours(5) + .minutes(1)))
    }
}
