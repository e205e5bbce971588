import SkerryActivity
import SkerryEngine
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryGateway

/// What further sinks are told, and when.
@Suite("Deliveries to sinks")
struct DeliveryTests {
    let queue = SinkQueue(name: "test", options: BridgeOptions(version: "test"))

    /// What the sink takes: revision, state and alert.
    func told(_ pier: Pier, settles: Bool = true) -> [String] {
        let deliveries = queue.take(at: pier.clock.now)
        if settles { queue.settle(deliveries.map { $0.id }) }
        return deliveries.map { delivery in
            let alert = delivery.update.alert.map { " (\($0.title))" } ?? ""
            return "\(delivery.device) \(delivery.update.rev) \(delivery.update.state)\(alert)"
        }
    }

    @Test("without a further sink nothing is written for one")
    func none() throws {
        let pier = try Pier()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        #expect(pier.ledger.commits.allSatisfy { $0.enqueuedDeliveries.isEmpty })
    }

    @Test("a sink gets one state per batch, after the commit")
    func afterCommit() throws {
        let pier = try Pier(sinks: [queue])
        var waiting: [Int] = []
        pier.ledger.onCommit = { [queue] in waiting.append(queue.count) }
        pier.send([("lamp/desk/state", #"{"on":true}"#), ("lamp/desk/state", #"{"level":3}"#)])
        #expect(waiting == [0])
        #expect(pier.ledger.commits[0].enqueuedDeliveries.map { $0.update.rev } == [2])
        #expect(pier.ledger.commits[0].enqueuedDeliveries[0].update.patch == nil)
        #expect(told(pier) == ["desk 2 lit"])
        pier.send("lamp/desk/state", #"{"level":4}"#)
        #expect(pier.ledger.commits[1].settledDeliveries == [pier.ledger.commits[0].enqueuedDeliveries[0].id])
        #expect(told(pier) == ["desk 3 lit"])
    }

    @Test("while the store refuses, no batch is handled and a sink gets nothing")
    func refused() throws {
        let pier = try Pier(sinks: [queue])
        pier.ledger.isRefusing = true
        pier.send("lamp/desk/state", #"{"on":true}"#)
        pier.send("lamp/desk/state", #"{"level":3}"#)
        #expect(told(pier) == [])
        pier.ledger.isRefusing = false
        pier.clock.move(by: .seconds(5))
        pier.bridge.wake()
        #expect(told(pier) == ["desk 1 lit"])
        pier.send("lamp/desk/state", #"{"level":3}"#)
        #expect(told(pier) == ["desk 2 lit"])
        #expect(pier.ledger.commits.flatMap { $0.enqueuedDeliveries }.count == 2)
    }

    @Test("while the store refuses, the oldest ended activities are dropped; running ones are kept")
    func refusedForLong() throws {
        let other = SinkQueue(name: "other", options: BridgeOptions(version: "test"))
        let pier = try Pier(sinks: [queue, other]) { $0.outboxLimit = 3 }
        pier.ledger.isRefusing = true
        var messages: [(topic: String, payload: String)] = []
        for number in 1...10 {
            messages.append(("lamp/l\(number)/state", #"{"on":true}"#))
            if number % 2 == 0 { messages.append(("lamp/l\(number)/state", #"{"on":false}"#)) }
        }
        pier.send(messages)
        pier.ledger.isRefusing = false
        pier.send("lamp/l1/state", #"{"level":1}"#)
        let expected = [
            "l3 1 lit", "l5 1 lit", "l6 2 dark", "l7 1 lit", "l8 2 dark", "l9 1 lit", "l10 2 dark",
            "l1 2 lit",
        ]
        #expect(told(pier) == expected)
        let devices = other.take(at: pier.clock.now).map { $0.device }
        #expect(devices == ["l3", "l5", "l6", "l7", "l8", "l9", "l10", "l1"])
    }

    @Test("an unsettled alert is passed on to the next state, and stored with it")
    func carried() throws {
        let pier = try Pier(sinks: [queue])
        pier.send("lamp/desk/state", #"{"on":true}"#)
        #expect(told(pier) == ["desk 1 lit"])
        pier.clock.move(by: .hours(1))
        pier.bridge.wake()
        #expect(told(pier, settles: false) == ["desk 2 forgotten (desk is left on)"])
        pier.send("lamp/desk/state", #"{"on":false}"#)
        pier.send("lamp/desk/state", #"{"on":true}"#)
        let last = try #require(pier.ledger.commits.last).enqueuedDeliveries
        #expect(
            last.map { "\($0.update.id) \($0.update.alert?.title ?? "no alert")" } == [
                "lamp/desk/\(pier.clock.now.flooredSeconds) no alert"
            ]
        )
    }

    @Test("after a restart, deliveries of a removed sink are settled, and the other sinks get theirs")
    func restart() throws {
        let first = try Pier(sinks: [queue])
        first.send("lamp/desk/state", #"{"on":true}"#)
        var state = StoredState()
        state.deliveries = first.ledger.commits[0].enqueuedDeliveries
        var other = state.deliveries[0]
        (other.id, other.sink) = (77, "gone")
        state.deliveries.append(other)
        let again = SinkQueue(name: "test", options: BridgeOptions(version: "test"))
        let second = try Pier(state: state, sinks: [again])
        #expect(again.take(at: second.clock.now).map { $0.id } == [state.deliveries[0].id])
        second.send("lamp/hall/state", #"{"on":true}"#)
        #expect(second.ledger.commits[0].settledDeliveries == [77])
        #expect(second.ledger.commits[0].enqueuedDeliveries[0].id > 77)
    }

    @Test("at every start a sink gets the running activities, without alert and without a row")
    func shown() throws {
        let first = try Pier()
        first.send("lamp/desk/state", #"{"on":true}"#)
        var state = StoredState()
        state.progress = first.ledger.commits[0].progress
        state.epoch = first.ledger.commits[0].epoch
        state.layouts = first.ledger.commits[0].layouts
        state.devices = first.ledger.commits[0].images
        let second = try Pier(state: state, sinks: [queue])
        #expect(told(second) == ["desk 1 lit"])
        second.send("lamp/desk/state", #"{"level":1}"#)
        #expect(second.ledger.commits.flatMap { $0.settledDeliveries } == [])
    }

    @Test(
        "an alert from a downtime is given while it is fresh, otherwise counted",
        arguments: [10, 20]
    )
    func lateAlerts(minutes: Int64) throws {
        let first = try Pier()
        first.send("lamp/desk/state", #"{"on":true}"#)
        var state = StoredState()
        state.progress = first.ledger.commits[0].progress
        state.layouts = first.ledger.commits[0].layouts
        state.devices = first.ledger.commits[0].images
        let clock = first.clock.now
        let second = try Pier(at: clock + .minutes(60 + minutes), state: state, sinks: [queue])
        let alert = minutes == 10 ? " (desk is left on)" : ""
        #expect(told(second) == ["desk 2 forgotten\(alert)"])
        second.connect()
        #expect(try second.health().lateAlerts == (minutes == 10 ? 0 : 1))
    }

    @Test("an ended activity is kept in the history, in the same commit")
    func history() throws {
        let pier = try Pier()
        pier.send("lamp/desk/state", #"{"on":true,"level":3}"#)
        pier.clock.move(by: .minutes(7))
        pier.send("lamp/desk/state", #"{"on":false}"#)
        let ended = pier.ledger.commits.flatMap { $0.ended }
        #expect(pier.ledger.commits.last?.ended == ended)
        #expect(ended.map { "\($0.kind) \($0.device) \($0.state) \($0.revisions)" } == ["lamp desk dark 2"])
        let record = try #require(ended.first)
        #expect(record.endedAt - record.startedAt == .minutes(7))
        #expect(String(decoding: record.attributes, as: UTF8.self) == #"{"name":"desk"}"#)
        #expect(String(decoding: record.content, as: UTF8.self).contains(#""level":3"#))
    }
}
