import SkerryActivity
import SkerryGateway
import SkerryPhones
import SkerryValues
import Testing

/// What further sinks, phones and the history have in the database.
@Suite("The store beside the devices")
struct DeliveryStoreTests {
    /// The deliveries of one run: the first with an alert, then an end.
    static func run(_ number: Int64, from id: UInt64, sink: String = "push") -> [Delivery] {
        let plan = ActivityPlan(kind: "lamp", fields: [.init(name: "level")], relevance: 70)
        var (activity, first) = Activity.start(
            plan,
            device: "ä",
            run: number,
            epoch: 7,
            state: "lit",
            attributes: ValueMap(uniqueEntries: [.init(key: .string("name"), value: .string("ä"))]),
            content: [.value(.double(2.5))],
            at: StoreTests.now
        )
        first.alert = ActivityAlert(title: "Look", body: "now")
        let end = activity.end(
            state: "dark",
            content: [.value(.null)],
            at: StoreTests.now + .minutes(1)
        )
        return ([first] + [end].compactMap { $0 }).enumerated().map { place, update in
            Delivery(id: id + UInt64(place), sink: sink, kind: "lamp", device: "ä", update: update)
        }
    }

    static func line(_ delivery: Delivery) -> String {
        let update = delivery.update
        return
            "\(delivery.id) \(delivery.sink) \(delivery.kind)/\(delivery.device) \(update.id) \(update.rev) \(update.state)"
            + " \(update.alert?.title ?? "-") \(delivery.alertRev) \(delivery.alertedAt.microseconds) \(update.relevance)"
    }

    @Test(
        "the newest delivery of each sink and activity is stored until it is settled",
        arguments: Backing.all
    )
    func deliveries(_ backing: Backing) throws {
        let folder = try Folder(backing)
        let (one, two) = (Self.run(1, from: 10), Self.run(2, from: 20))
        do {
            var store = try folder.open()
            var changes = StoreTests.changes()
            changes.enqueuedDeliveries = [one[0], two[0], Self.run(1, from: 30, sink: "page")[0]]
            try store.commit(changes)
            changes = StoreTests.changes()
            changes.enqueuedDeliveries = [one[1]]
            changes.settledDeliveries = [10, 20]
            try store.commit(changes)
        }
        var store = try folder.open()
        let kept = try store.load().deliveries
        #expect(kept.map(Self.line) == [one[1], Self.run(1, from: 30, sink: "page")[0]].map(Self.line))
        #expect(kept.last?.update.snapshotJSON() == one[0].update.snapshotJSON())
    }

    @Test(
        "phones are stored in the same database, each commit as a whole or not at all",
        arguments: Backing.all
    )
    func phones(_ backing: Backing) throws {
        let folder = try Folder(backing)
        do {
            let store = try folder.open()
            let phones = store.phones
            #expect(try phones.load() == [])
            try phones.commit([PhoneImage(id: "b", bytes: [1]), PhoneImage(id: "a", bytes: [])], removed: [])
            try phones.commit([PhoneImage(id: "b", bytes: [2])], removed: ["a", "b", "none"])
        }
        let store = try folder.open()
        #expect(try store.phones.load() == [PhoneImage(id: "b", bytes: [2])])
    }

    /// Commits runs that ended one after another, a day apart.
    static func commit(
        _ numbers: ClosedRange<Int64>,
        _ limits: HistoryLimits,
        to store: inout KeptStore
    ) throws {
        for number in numbers {
            let now = StoreTests.now + .hours(24 * number)
            var changes = StoreTests.changes(at: now)
            var update = run(number, from: 1)[1].update
            update.at = now
            changes.ended = [EndedActivity(update, of: number % 2 == 0 ? "even" : "odd", kind: "lamp")]
            changes.historyLimits = limits
            try store.commit(changes)
        }
    }

    @Test(
        "the stages of a run are kept over a restart, in their order, and go with the history",
        arguments: Backing.all
    )
    func stages(_ backing: Backing) throws {
        let folder = try Folder(backing)
        func stage(_ number: Int64, _ state: String, title: String? = nil) -> RunStage {
            RunStage(activity: "lamp/a/\(number)", state: state, title: title, from: StoreTests.now)
        }
        do {
            var store = try folder.open()
            var changes = StoreTests.changes()
            changes.stages = [stage(1, "lit", title: "Lit"), stage(2, "lit")]
            try store.commit(changes)
        }
        var store = try folder.open()
        var changes = StoreTests.changes()
        changes.stages = [stage(1, "dimmed")]
        try store.commit(changes)
        let history = folder.runs(of: store)
        #expect(
            try history.stages(of: ["lamp/a/1", "lamp/a/3"])
                == [
                    ExactText("lamp/a/1"): [stage(1, "lit", title: "Lit"), stage(1, "dimmed")],
                    ExactText("lamp/a/3"): [],
                ]
        )
        try Self.commit(2...2, HistoryLimits(activities: 10, age: .hours(24)), to: &store)
        #expect(try history.stages(of: ["lamp/a/1"]) == [ExactText("lamp/a/1"): []])
    }

    @Test("a run that never ends has a limited number of stages", arguments: Backing.all)
    func endless(_ backing: Backing) throws {
        let folder = try Folder(backing)
        var store = try folder.open()
        for number in 1...31 {
            var changes = StoreTests.changes()
            changes.historyLimits = HistoryLimits(activities: 2, age: .hours(24))
            changes.stages = (0..<10)
                .map {
                    RunStage(activity: "lamp/a/1", state: "\(number).\($0)", title: nil, from: StoreTests.now)
                }
            try store.commit(changes)
        }
        let kept = try folder.runs(of: store).stages(of: ["lamp/a/1"])[ExactText("lamp/a/1")]
        // Forty, and those that came since old ones were removed.
        #expect(kept?.count == 130 && kept?.last?.state == "31.9")
    }

    @Test(
        "the history keeps a limited number for a limited time, and can be read while the store is in use",
        arguments: Backing.all
    )
    func history(_ backing: Backing) throws {
        let folder = try Folder(backing)
        var store = try folder.open()
        func kept(_ device: String? = nil, last: Int = 100) throws -> [String] {
            try folder.history(device: device, last: last).map { $0.id }
        }
        #expect(try kept() == [])
        try Self.commit(1...6, HistoryLimits(activities: 4, age: .hours(2400)), to: &store)
        #expect(try kept() == (3...6).map { "lamp/ä/\($0)" })
        #expect(try kept("even") == ["lamp/ä/4", "lamp/ä/6"])
        #expect(try kept("lamp/odd") == ["lamp/ä/3", "lamp/ä/5"])
        #expect(try kept("lamp") == [])
        #expect(try kept(last: 1) == ["lamp/ä/6"])
        let runs = folder.runs(of: store)
        for (before, earlier) in [("lamp/ä/5", [4, 3]), ("lamp/ä/3", []), ("lamp/ä/1", [])] {
            let ids = earlier.map { "lamp/ä/\($0)" }
            let found = try runs.runs(kind: nil, device: nil, before: before, limit: 9)
            #expect(found.map(\.id) == ids)
            #expect(try folder.history(before: before, last: 9).map(\.id) == ids.reversed())
        }
        #expect(try folder.history(device: "odd", before: "lamp/ä/5", last: 9).map(\.id) == ["lamp/ä/3"])
        try Self.commit(7...7, HistoryLimits(activities: 100, age: nil), to: &store)
        #expect(try kept() == (3...7).map { "lamp/ä/\($0)" })
        try Self.commit(8...8, HistoryLimits(activities: 100, age: .hours(48)), to: &store)
        #expect(try kept() == (6...8).map { "lamp/ä/\($0)" })
        let last = try #require(try folder.history(last: 1).first)
        #expect(last.startedAt == StoreTests.now)
        #expect(last.endedAt == StoreTests.now + .hours(192))
        #expect(last.state == "dark")
        #expect(last.revisions == 2)
        #expect(String(decoding: last.attributes, as: UTF8.self) == #"{"name":"ä"}"#)
    }
}
