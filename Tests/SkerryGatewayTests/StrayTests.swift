import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

/// What the broker retains of devices and no device of the bridge has told.
@Suite("Strays")
struct StrayTests {
    static let filters = ["activity", "availability", "timeline"].map { "skerry/+/+/\($0)" }

    /// Tells the bridge what the broker answers to its plan.
    func subscribe(_ pier: Pier) {
        let plan = pier.bridge.subscriptionPlan()
        pier.bridge.subscribed(
            (plan.filters + plan.own).map { SubscriptionOutcome(filter: $0, granted: .atLeastOnce) }
        )
    }

    /// The snapshots that are sent.
    func shown(_ pier: Pier) throws -> [String] {
        try pier.drain().filter { $0.isRetained && $0.topic.hasSuffix("/activity") }.map { try $0.summary }
    }

    /// The topics that are emptied.
    func emptied(_ pier: Pier) -> [String] {
        pier.drainAll().filter { $0.isRetained && $0.payload.isEmpty }.map { $0.topic }
    }

    @Test("a bridge with a new store asks for all that is retained, takes strays away, and then leaves")
    func newStore() throws {
        let pier = try Pier()
        pier.connect(isResumed: true)
        let plan = pier.bridge.subscriptionPlan()
        #expect(plan.own == Self.filters)
        #expect(plan.obsolete == [])
        #expect(plan.wantsRetained)
        subscribe(pier)
        pier.send("lamp/desk/state", #"{"on":true}"#, isRetained: true)
        #expect(try shown(pier) == ["skerry/lamp/desk/activity 1"])
        let old = #"{"id":"lamp/desk/1"}"#
        pier.send(
            [
                ("skerry/lamp/desk/activity", old), ("skerry/lamp/attic/activity", old),
                ("skerry/stove/a/activity", old), ("skerry/lamp/attic/activity/diff", old),
                ("skerry/lamp/cellar/activity", ""),
            ],
            isRetained: true
        )
        #expect(try shown(pier) == ["skerry/lamp/attic/activity off", "skerry/stove/a/activity off"])
        pier.clock.move(by: .seconds(9))
        pier.bridge.wake()
        #expect(pier.bridge.subscriptionPlan() == plan)
        pier.clock.move(by: .seconds(1))
        #expect(pier.bridge.sleepLimit == .zero)
        pier.bridge.wake()
        #expect(pier.bridge.subscriptionPlan().own == [])
        #expect(pier.bridge.subscriptionPlan().obsolete == Self.filters)
        #expect(!pier.bridge.subscriptionPlan().wantsRetained)
    }

    @Test("once the search is done only a new session begins another; one that was cut short goes on")
    func again() throws {
        let pier = try Pier()
        for (isResumed, isCutShort, seeks) in [
            (true, true, true), (true, false, true), (true, false, false), (false, true, true),
            (true, false, true), (true, false, false),
        ] {
            pier.connect(isResumed: isResumed)
            #expect(pier.bridge.subscriptionPlan().own == (seeks ? Self.filters : []))
            subscribe(pier)
            if !isCutShort { pier.clock.move(by: .seconds(10)) }
            pier.bridge.wake()
            pier.send("lamp/desk/state", #"{"on":\#(pier.clock.now.flooredSeconds % 20 < 10)}"#)
            #expect(pier.ledger.commits.last?.progress.seeksStrays == isCutShort)
            pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
        }
    }

    @Test("an availability or a timeline that nobody told goes, too, those that somebody told stay")
    func otherTopics() throws {
        let pier = try Pier()
        pier.connect()
        subscribe(pier)
        pier.send("lamp/desk/state", #"{"on":true}"#, isRetained: true)
        pier.send("lamp/desk/LWT", "online", isRetained: true)
        pier.drainAll()
        for device in ["desk", "attic"] {
            pier.send("skerry/lamp/\(device)/availability", "offline", isRetained: true)
            pier.send("skerry/lamp/\(device)/timeline", "{}", isRetained: true)
            pier.send("skerry/lamp/\(device)/explain", "{}", isRetained: true)
        }
        #expect(emptied(pier) == ["skerry/lamp/attic/availability", "skerry/lamp/attic/timeline"])
    }

    @Test("a clock that is set, or found to be behind, does not end the search")
    func clock() throws {
        for change in [StepClock.step, StepClock.find] {
            let pier = try Pier()
            pier.connect()
            subscribe(pier)
            change(pier.clock)(.hours(2))
            pier.bridge.wake()
            #expect(pier.bridge.subscriptionPlan().own == Self.filters)
            pier.clock.move(by: .seconds(10))
            pier.bridge.wake()
            #expect(pier.bridge.subscriptionPlan().own == [])
        }
    }

    @Test("a message that is not retained is no stray")
    func live() throws {
        let pier = try Pier()
        pier.connect()
        subscribe(pier)
        pier.send("skerry/lamp/attic/activity", #"{"id":"lamp/attic/1"}"#)
        #expect(try shown(pier) == [])
    }
}
