import SkerryActivity
import SkerryValues
import Synchronization
import Testing

@testable import SkerryGateway

/// What waits for a sink: the newest of each activity, in order, bounded.
@Suite("The queue of a sink")
struct SinkQueueTests {
    static let now = Timestamp(seconds: 1_772_355_600)

    static func queue(limit: Int = 10) -> SinkQueue {
        var options = BridgeOptions(version: "test")
        options.outboxLimit = limit
        options.alertFreshness = .minutes(5)
        return SinkQueue(name: "test", options: options)
    }

    /// The deliveries of a small activity, the second one an end; ids count on from the first.
    static func run(_ number: Int64, from id: UInt64 = 1, alert: String? = nil) -> [Delivery] {
        let plan = ActivityPlan(kind: "lamp", fields: [])
        var (activity, first) = Activity.start(
            plan,
            device: "desk",
            run: number,
            epoch: 5,
            state: "lit",
            attributes: ValueMap(),
            content: [],
            at: now
        )
        if let alert { first.alert = ActivityAlert(title: alert, body: "") }
        let end = activity.end(state: "dark", content: [], at: now + .minutes(1))
        return ([first] + [end].compactMap { $0 }).enumerated().map { place, update in
            Delivery(id: id + UInt64(place), sink: "test", kind: "lamp", device: "desk", update: update)
        }
    }

    /// Run and revision of each.
    static func names(_ deliveries: [Delivery]) -> [String] {
        deliveries.map { "\($0.update.id.split(separator: "/").last ?? "")-\($0.update.rev)" }
    }

    @Test("the newest delivery of each activity waits, at its own place")
    func replaced() {
        let queue = Self.queue()
        let (one, two) = (Self.run(1), Self.run(2, from: 11))
        queue.put([one[0]])
        queue.put([two[0], one[1]])
        #expect(queue.count == 2)
        #expect(Self.names(queue.take(at: Self.now)) == ["2-1", "1-2"])
        #expect(queue.take(at: Self.now).isEmpty)
        #expect(queue.count == 2, "with the sink, not settled")
    }

    @Test("an activity that is with the sink waits until it is settled")
    func held() {
        let queue = Self.queue()
        let run = Self.run(1)
        queue.put([run[0]])
        #expect(Self.names(queue.take(at: Self.now)) == ["1-1"])
        queue.put([run[1]])
        #expect(queue.take(at: Self.now).isEmpty)
        queue.settle([1, 99])
        #expect(queue.takeSettled() == [1])
        #expect(Self.names(queue.take(at: Self.now)) == ["1-2"])
        queue.settle([2])
        queue.settle([2])
        #expect(queue.takeSettled() == [2])
        #expect(queue.count == 0)
    }

    @Test("a delivery that the sink holds back is settled when a newer one waits, and only then")
    func replacedWhileHeld() {
        let queue = Self.queue()
        let (one, two) = (Self.run(1), Self.run(2, from: 11))
        queue.put([one[0], two[0]])
        #expect(queue.take(at: Self.now).count == 2)
        queue.put([one[1]])
        queue.settleReplaced([1, 11, 99])
        #expect(queue.takeSettled() == [1])
        #expect(Self.names(queue.take(at: Self.now)) == ["1-2"])
        #expect(queue.count == 2)
    }

    @Test("what replaces the start of a run before the sink has settled it is a start, too")
    func unsettledStart() {
        let run = Self.run(1)
        var next = run[0]
        next.update.kind = .changed
        next.update.rev = 2
        next.update.epoch += 1
        next.takeOver(run[0])
        #expect(next.update.kind == .started)
        var end = run[1]
        end.takeOver(next)
        #expect(end.update.kind == .ended)
    }

    @Test("a delivery that is put back waits before all others, unless a newer one has come")
    func putBack() {
        let queue = Self.queue()
        let runs = (1...3).map { Self.run($0, from: UInt64($0 * 10)) }
        queue.put([runs[0][0], runs[1][0]])
        #expect(queue.take(at: Self.now).count == 2)
        queue.put([runs[2][0], runs[0][1]])
        queue.putBack([20, 10])
        #expect(queue.count == 3)
        #expect(Self.names(queue.take(at: Self.now)) == ["2-1", "3-1", "1-2"])
        #expect(queue.takeSettled().isEmpty)
    }

    @Test("beyond the limit the oldest ended activity goes; those that go on stay")
    func bounded() {
        let queue = Self.queue(limit: 3)
        queue.put([Self.run(1000, from: 1000)[0]])
        for number in 1...200 as ClosedRange<Int64> {
            queue.put([Self.run(number, from: UInt64(number * 2))[1]])
        }
        #expect(queue.count == 4)
        #expect(queue.dropped == 197)
        #expect(queue.takeSettled().count == 197)
        #expect(Self.names(queue.take(at: Self.now)) == ["1000-1", "198-2", "199-2", "200-2"])
    }

    @Test("an alert that is no longer fresh is removed and counted", arguments: [300, 301])
    func late(seconds: Int64) {
        let queue = Self.queue()
        queue.put([Self.run(1, alert: "look")[0]])
        let taken = queue.take(at: Self.now + .seconds(seconds))
        #expect(taken.map { $0.update.alert?.title } == [seconds == 300 ? "look" : nil])
        #expect(queue.lateAlerts == (seconds == 300 ? 0 : 1))
    }

    @Test("the sink is called when there is something to take, and when the clock is found")
    func wakes() {
        let queue = Self.queue()
        let calls = Mutex(0)
        let run = Self.run(1)
        queue.put([run[0]])
        queue.onWork { calls.withLock { $0 += 1 } }
        #expect(calls.withLock { $0 } == 1, "something waits")
        _ = queue.take(at: Self.now)
        queue.put([run[1]])
        #expect(calls.withLock { $0 } == 2)
        queue.settle([1])
        #expect(calls.withLock { $0 } == 3, "the next one of the activity can be taken")
        _ = queue.take(at: Self.now)
        queue.settle([2])
        #expect(calls.withLock { $0 } == 3, "nothing is left")
        queue.setClock(isKnown: false)
        queue.setClock(isKnown: false)
        #expect(calls.withLock { $0 } == 4)
        #expect(!queue.clockIsKnown)
    }

    @Test("the sink is not called for what it can't take yet: it would ask again without a pause")
    func isNotCalled() {
        let queue = Self.queue()
        let (one, two) = (Self.run(1), Self.run(2, from: 11))
        queue.put([one[0], two[0]])
        _ = queue.take(at: Self.now)
        queue.put([one[1]])
        let calls = Mutex(0)
        queue.onWork { calls.withLock { $0 += 1 } }
        #expect(calls.withLock { $0 } == 1, "something waits")
        queue.settle([])
        queue.settle([11, 99])
        queue.settleReplaced([])
        #expect(calls.withLock { $0 } == 1, "nothing of it lets the first activity go on")
        queue.putBack([1])
        #expect(calls.withLock { $0 } == 1, "who puts back chooses when to try again")
        #expect(Self.names(queue.take(at: Self.now)) == ["1-2"])
    }

    @Test("a delivery that has arrived is stored so and without its alert, once, unless it is settled")
    func arrived() {
        let queue = Self.queue()
        for run: Int64 in 1...2 { queue.put([Self.run(run, from: UInt64(run), alert: "look")[0]]) }
        #expect(queue.take(at: Self.now).map { $0.update.alert?.title } == ["look", "look"])
        queue.arrive([1, 2, 99])
        queue.settle([2])
        let arrived = queue.takeArrived()
        #expect(Self.names(arrived) == ["1-1"])
        #expect(arrived.allSatisfy { $0.update.alert == nil && $0.alertRev < 0 })
        queue.arrive([1])
        #expect(queue.takeArrived().isEmpty)
    }

    @Test("a revision that a sink has is not news, and an alert that it has is left out")
    func news() throws {
        let run = Self.run(1, alert: "look")
        var end = run[1]
        end.takeOver(run[0])
        #expect(end.update.alert?.title == "look")
        #expect(end.alertRev == 1)
        #expect(end.alertedAt == Self.now)
        #expect(end.news(after: 0, epoch: 0)?.alert?.title == "look")
        #expect(end.news(after: 9, epoch: 4)?.alert?.title == "look", "another epoch")
        let news = try #require(end.news(after: 1, epoch: 5))
        #expect(news.rev == 2)
        #expect(news.alert == nil)
        #expect(end.news(after: 2, epoch: 5) == nil)
        end.update.alert = ActivityAlert(title: "newer", body: "")
        end.takeOver(run[0])
        #expect(end.update.alert?.title == "newer")
    }
}
