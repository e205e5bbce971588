import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

/// The loop of the gateway, called as a bus calls it.
@Suite("The bridge")
struct BridgeTests {
    static let topic = "lamp/desk/state"
    static let snapshot = "skerry/lamp/desk/activity"
    static let diff = "skerry/lamp/desk/activity/diff"
    static let leftOn = "skerry/lamp/desk/alert desk is left on"

    func summaries(_ publications: [Publication]) throws -> [String] {
        try publications.map { try $0.summary }
    }

    @Test("a batch is one commit, and nothing can be sent before it")
    func commitBeforePublications() throws {
        let pier = try Pier()
        pier.connect()
        let before = pier.ledger.attempts
        var early: [Publication] = []
        pier.ledger.onCommit = { [bridge = pier.bridge] in
            if let publication = bridge.nextPublication() { early.append(publication) }
        }
        let outcome = pier.send([
            (Self.topic, #"{"on":true,"level":1}"#), (Self.topic, #"{"level":2}"#),
            (Self.topic, #"{"level":2}"#),
        ])
        pier.ledger.onCommit = {}
        #expect(outcome == .committed)
        #expect(pier.ledger.attempts == before + 1)
        #expect(early.isEmpty)
        let stored = try #require(pier.ledger.commits.last).enqueued.filter {
            !$0.isTimeline && !$0.isListing
        }
        #expect(try summaries(stored) == ["\(Self.snapshot) 1", "\(Self.snapshot) 2", "\(Self.diff) 2"])
        // The first snapshot was never sent, so the second replaces it.
        let sent = pier.drain()
        #expect(try summaries(sent) == ["\(Self.snapshot) 2", "\(Self.diff) 2"])
        #expect(sent.map(\.id) == stored.dropFirst().map(\.id))
    }

    @Test("a message that changes nothing writes nothing")
    func silence() throws {
        let pier = try Pier()
        pier.connect()
        pier.send(Self.topic, #"{"on":true}"#)
        pier.drain()
        pier.send(Self.topic, #"{"on":true}"#)  // commits what was settled
        let attempts = pier.ledger.attempts
        #expect(pier.send(Self.topic, #"{"on":true,"noise":4}"#) == .committed)
        #expect(pier.ledger.attempts == attempts)
        #expect(pier.drain().isEmpty)
    }

    @Test("ids rise by one, and settled ones are reported to the store")
    func settled() throws {
        let pier = try Pier()
        pier.connect()
        pier.send(Self.topic, #"{"on":true}"#)
        let sent = pier.drainAll()
        pier.send(Self.topic, #"{"on":false}"#)
        let ids = pier.ledger.commits.flatMap { $0.enqueued.map(\.id) }
        let first = try #require(ids.first)
        #expect(ids == ids.indices.map { first + UInt64($0) })
        #expect(pier.ledger.commits.last?.settled == sent.map(\.id))
    }

    @Test("a refused batch is neither acknowledged nor lost, and is in the next commit once")
    func refusal() throws {
        let pier = try Pier()
        pier.connect()
        pier.ledger.isRefusing = true
        #expect(pier.send(Self.topic, #"{"on":true}"#) == .notCommitted)
        #expect(pier.drain().isEmpty)
        // The broker sends it again, still in vain.
        #expect(pier.send(Self.topic, #"{"on":true}"#) == .notCommitted)
        #expect(pier.drain().isEmpty)
        pier.ledger.isRefusing = false
        #expect(pier.send(Self.topic, #"{"on":true}"#) == .committed)
        #expect(try summaries(pier.drain()) == ["\(Self.snapshot) 1"])
        pier.send(Self.topic, #"{"on":true}"#)
        let stored = pier.ledger.commits.flatMap(\.enqueued).filter { $0.topic == Self.snapshot }
        #expect(try summaries(stored) == ["\(Self.snapshot) 1"])
        #expect(pier.drain().isEmpty)
    }

    @Test("the changes of a timer are offered to the store again a second later, without any message")
    func retriedCommit() throws {
        let pier = try Pier { $0.healthInterval = .hours(24) }
        pier.connect()
        pier.send(Self.topic, #"{"on":true}"#)
        pier.drain()
        pier.clock.move(by: .hours(1))
        pier.ledger.isRefusing = true
        pier.bridge.wake()
        #expect(pier.drain().isEmpty)
        #expect(pier.bridge.sleepLimit == .seconds(1))
        pier.clock.move(by: .seconds(1))
        pier.ledger.isRefusing = false
        pier.bridge.wake()
        let sent = pier.drain().filter { $0.topic != "skerry/bridge/health" }
        #expect(try summaries(sent) == ["\(Self.snapshot) 2", "\(Self.diff) 2", Self.leftOn])
        #expect(pier.bridge.sleepLimit == .seconds(1), "the store is told that it was sent")
        pier.clock.move(by: .seconds(1))
        pier.bridge.wake()
        #expect(pier.bridge.sleepLimit == .seconds(58), "how often it refused is told in a minute")
    }

    @Test("a disk that is full is in the health report within seconds, as long as it is full")
    func fullDisk() throws {
        let pier = try Pier()
        pier.connect()
        pier.send(Self.topic, #"{"on":true}"#)
        #expect(try pier.health().store == nil)
        pier.drainAll()
        pier.clock.move(by: .seconds(5))
        let since = pier.clock.now.flooredSeconds
        pier.ledger.isRefusing = true
        #expect(pier.send(Self.topic, #"{"on":false}"#) == .notCommitted)
        pier.clock.move(by: .seconds(1))
        pier.bridge.wake()
        let reports = pier.drainAll().filter { $0.topic == "skerry/bridge/health" }.map(\.text)
        let member = #""store":{"problem":"full","since":\#(since),"message":"the disk is full: make room"}"#
        #expect(reports.count == 1 && reports.allSatisfy { $0.contains(member) }, "\(reports)")
        pier.clock.move(by: .seconds(3))
        #expect(try pier.health().store?.since == Int(since))
        pier.ledger.isRefusing = false
        pier.bridge.wake()
        pier.clock.move(by: .seconds(1))
        pier.bridge.wake()
        let after = pier.drainAll().filter { $0.topic == "skerry/bridge/health" }.map(\.text)
        #expect(after.last?.contains(#""store""#) == false, "\(after)")
    }

    @Test("a refused message counts once, however often the broker sends it")
    func sentAgain() throws {
        let pier = try Pier()
        pier.connect()
        var batch = MessageBatch()
        for (number, isOn) in [true, false].enumerated() {
            let (topic, payload) = (Self.topic.utf8, #"{"on":\#(isOn)}"#.utf8)
            batch.append(topic: topic, payload: payload, packet: UInt16(7 + number))
        }
        pier.ledger.isRefusing = true
        for _ in 0..<3 {
            #expect(pier.bridge.handle(batch) == .notCommitted)
            pier.bridge.disconnected(BusFault(.notCommitted, "it is fetched again"))
            pier.bridge.connected(BusSession(isResumed: true))
        }
        pier.ledger.isRefusing = false
        #expect(pier.bridge.handle(batch) == .committed)
        #expect(pier.ledger.commits.flatMap(\.ended).count == 1)
        pier.clock.move(by: .seconds(2))
        // The broker gives the numbers to other messages once the first are acknowledged.
        #expect(pier.bridge.handle(batch) == .committed)
        #expect(pier.ledger.commits.flatMap(\.ended).count == 2)
    }

    @Test("two devices whose names look the same are two, also for a broker that forgot them")
    func looksTheSame() throws {
        let pier = try Pier()
        // é as one code point, and as e with an accent.
        let topics = ["skerry/lamp/\u{e9}/activity", "skerry/lamp/e\u{301}/activity"].map { Array($0.utf8) }
        pier.send([("lamp/\u{e9}/state", #"{"on":true}"#), ("lamp/e\u{301}/state", #"{"on":true}"#)])
        func snapshots(_ publications: [Publication]) -> [[UInt8]] {
            publications.map { Array($0.topic.utf8) }.filter { topics.contains($0) }
        }
        #expect(snapshots(pier.connect()) == topics)
        #expect(snapshots(pier.connect(isResumed: false)) == topics)
    }

    @Test("a store that always refuses does not fill the memory")
    func refusingForEver() throws {
        let pier = try Pier { $0.outboxLimit = 100 }
        for number in 0..<300 { pier.send("lamp/l\(number)/state", #"{"on":true}"#) }
        pier.drain()
        let commits = pier.ledger.commits.count
        pier.ledger.isRefusing = true
        pier.clock.move(by: .hours(1))
        for _ in 0..<10 {
            pier.bridge.wake()
            pier.connect()
        }
        pier.ledger.isRefusing = false
        let sent = pier.connect()
        // Each lamp was left on for an hour: its snapshot is retained, only the newest 100 diffs and alerts are left.
        #expect(sent.count { $0.topic.hasSuffix("/activity") } == 300)
        let left = sent.map(\.topic).filter { $0.hasSuffix("/diff") || $0.hasSuffix("/alert") }
        #expect(left.count == 100)
        #expect(left.suffix(2) == ["skerry/lamp/l299/activity/diff", "skerry/lamp/l299/alert"])
        #expect(pier.ledger.commits[commits].enqueued.count { !$0.isRetained } == 100)
        #expect(try pier.health().dropped == 2 * 300 - 100)
    }

    @Test("what the definition does not read is told in the health report")
    func unread() throws {
        let pier = try Pier()
        pier.connect()
        pier.send(Self.topic, #"{"on":false}"#)
        #expect(try pier.health().unread == nil)
        for word in ["perhaps", "later"] { pier.send(Self.topic, #"{"on":"\#(word)"}"#) }
        let unread = try #require(try pier.health().unread)
        #expect(unread.map(\.text) == ["'on' failed 2 times: a value is of another type"])
        #expect(unread.first?.kind == "lamp" && unread.first?.device == "desk" && unread.first?.count == 2)
    }

    @Test("a publication that the broker refuses is reported and not sent again")
    func refusedByBroker() throws {
        let pier = try Pier()
        pier.connect()
        pier.send(Self.topic, #"{"on":false}"#)
        pier.drain()
        pier.send(Self.topic, #"{"on":true}"#)
        let publication = try #require(pier.bridge.nextPublication())
        pier.bridge.settled(publication.id, .refused(reason: "a/b: too large"))
        #expect(pier.drain().isEmpty)
        let health = try pier.health()
        #expect(health.problems == 1)
        #expect(health.lastError?.message == "the broker refused to publish a/b: too large")
        #expect(pier.ledger.commits.contains { $0.settled.contains(publication.id) })
    }

    @Test("publications of an earlier process go before new ones, and ids go on after theirs")
    func earlierProcess() throws {
        let left = [
            Publication(id: 40, topic: "a", payload: [1]), Publication(id: 41, topic: "b", payload: [2]),
        ]
        var state = StoredState()
        state.publications = left
        let pier = try Pier(state: state)
        let sent = pier.connect()
        #expect(sent.prefix(2).map(\.topic) == ["skerry/bridge/info", "skerry/bridge/state"])
        #expect(Array(sent.dropFirst(2).prefix(2)) == left)
        #expect(sent.dropFirst(4).map(\.topic) == ["skerry/bridge/health"])
        #expect(sent.filter { !left.contains($0) }.allSatisfy { $0.id > 41 })
    }

    @Test("time passes without a broker: deadlines are handled and their changes wait")
    func withoutBroker() throws {
        let pier = try Pier()
        #expect(pier.bridge.sleepLimit == nil)
        pier.connect()
        pier.send(Self.topic, #"{"on":true}"#)
        pier.drain()
        pier.bridge.disconnected(BusFault(.connectionLost, "the broker is gone"))
        pier.clock.move(by: .seconds(1))
        pier.bridge.wake()
        #expect(pier.bridge.sleepLimit == .seconds(59), "the number of further attempts is logged")
        pier.clock.move(by: .seconds(59))
        pier.bridge.wake()
        #expect(pier.bridge.sleepLimit == .minutes(59), "no health reports while nobody hears them")
        pier.clock.move(by: .minutes(59))
        #expect(pier.bridge.sleepLimit == .zero)
        pier.bridge.wake()
        #expect(pier.bridge.sleepLimit == .minutes(10))
        #expect(try summaries(pier.drain()) == ["\(Self.snapshot) 2", "\(Self.diff) 2", Self.leftOn])
        pier.clock.move(by: .minutes(10))
        pier.bridge.wake()
        #expect(try summaries(pier.drain()) == ["\(Self.snapshot) off"])
        pier.clock.move(by: .seconds(1))
        pier.bridge.wake()
        #expect(pier.bridge.sleepLimit == nil)
    }

    @Test("the subscriptions are the filters of sources, wills first, and those of commands and questions")
    func plan() throws {
        #expect(
            try Pier(prefix: "home/hub").bridge.subscriptionPlan()
                == SubscriptionPlan(
                    filters: [
                        "lamp/+/LWT", "lamp/+/state", "home/hub/+/+/event", "home/hub/+/+/explain/get",
                        "home/hub/bridge/request/+",
                    ],
                    wantsRetained: true
                )
        )
    }

    @Test("the farewell is 'offline', retained, with an id of its own")
    func farewell() throws {
        let pier = try Pier(prefix: "home/hub")
        let last = try #require(pier.connect().map(\.id).max())
        let farewell = try #require(pier.bridge.farewell())
        #expect(farewell.topic == "home/hub/bridge/state")
        #expect(farewell.text == "offline")
        #expect(farewell.isRetained)
        #expect(farewell.quality == .atLeastOnce)
        #expect(farewell.id > last)
    }
}
