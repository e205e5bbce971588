import Foundation
import SkerryEngine
import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

/// What the broker retains below the prefix, compared with what it should.
@Suite("Reading back the retained messages")
struct ReadBackTests {
    static let watched =
        ["bridge/state", "bridge/info"].map { "skerry/\($0)" }
        + ["activity", "availability", "timeline"].map { "skerry/+/+/\($0)" }

    /// The snapshots that are sent.
    func shown(_ sent: [Publication]) throws -> [String] {
        try sent.filter { $0.isRetained && $0.topic.hasSuffix("/activity") }.map { try $0.summary }
    }

    /// The topics that are emptied.
    func emptied(_ sent: [Publication]) -> [String] {
        sent.filter { $0.isRetained && $0.payload.isEmpty }.map { $0.topic }.sorted()
    }

    /// A bridge with a lamp that is lit at revision 2, and what the broker then retains.
    func litPier() throws -> (pier: Pier, retained: [String: String]) {
        let pier = try Pier()
        var sent = pier.connect()
        pier.send("lamp/desk/LWT", "online")
        pier.send("lamp/desk/state", #"{"on":true,"level":1}"#)
        pier.send("lamp/desk/state", #"{"level":2}"#)
        sent += pier.drainAll()
        var retained: [String: String] = [:]
        for publication in sent where publication.isRetained {
            retained[publication.topic] = publication.text
        }
        return (pier, retained)
    }

    /// What the disk holds after all that a bridge has committed, with the images of a process that goes on.
    func state(after pier: Pier) throws -> StoredState {
        pier.bridge.ended()
        var state = StoredState()
        let last = try #require(pier.ledger.commits.last)
        state.epoch = last.epoch
        state.progress = last.progress
        state.layouts = pier.ledger.commits.last { !$0.layouts.isEmpty }?.layouts ?? []
        for image in pier.ledger.commits.flatMap(\.images) {
            state.devices.removeAll { $0.name == image.name }
            state.devices.append(image)
        }
        return state
    }

    // MARK: Steps

    @Test("it finds out who is online, then compares retained messages, then watches for other clients")
    func steps() throws {
        let pier = try Pier()
        let bridge = pier.bridge
        bridge.connected(BusSession(isResumed: true))
        var plan = bridge.subscriptionPlan()
        #expect(plan.filters == [], "who may be refused takes nothing in")
        #expect(plan.own == ["state", "info", "health", "echo"].map { "skerry/bridge/\($0)" })
        #expect(bridge.nextPublication() == nil, "nothing is said before it is known who is there")
        for own in ["skerry/+/+/activity", "skerry/+/+/availability", "skerry/+/+/timeline"] {
            bridge.subscribed(plan.own.map { SubscriptionOutcome(filter: $0, granted: .atMostOnce) })
            let echo = try #require(bridge.nextPublication())
            #expect(echo.topic == "skerry/bridge/echo" && !echo.isRetained && echo.quality == .atMostOnce)
            #expect(bridge.nextPublication() == nil || bridge.subscriptionPlan().own == [])
            var batch = MessageBatch()
            batch.append(topic: echo.topic.utf8, payload: echo.payload, quality: .atMostOnce)
            _ = bridge.handle(batch)
            #expect(bridge.sleepLimit == .zero)
            bridge.wake()
            plan = bridge.subscriptionPlan()
            #expect(plan.filters.first == "lamp/+/LWT")
            if plan.own.isEmpty { break }
            #expect(plan.own.contains(own))
        }
        #expect(plan.own == [])
        #expect(plan.watched == Self.watched)
        #expect(pier.drain().map(\.topic).first == "skerry/bridge/info")
    }

    @Test(
        "if nothing can be read, it goes on after a while with a report, and a new session gets everything"
    )
    func unreadable() throws {
        for isResumed in [true, false] {
            let (pier, _) = try litPier()
            pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
            pier.bridge.connected(BusSession(isResumed: isResumed))
            func subscribe() {
                let plan = pier.bridge.subscriptionPlan()
                pier.bridge.subscribed(plan.own.map { SubscriptionOutcome(filter: $0, granted: .atMostOnce) })
            }
            subscribe()
            _ = pier.drain()
            pier.clock.move(by: .seconds(3))
            pier.bridge.wake()
            subscribe()
            #expect(pier.drain().map(\.text).contains("online"))
            pier.clock.move(by: .seconds(10))
            pier.bridge.wake()
            #expect(try shown(pier.drain()) == (isResumed ? [] : ["skerry/lamp/desk/activity 2"]))
            let health = try pier.health()
            #expect(health.lastError?.message.contains("can't be read back") == true)
        }
    }

    @Test(
        "retained messages that a session brings again are older than its queue: only those of new devices count",
        arguments: [(true, true), (true, false), (false, true)]
    )
    func repeated(isResumed: Bool, repeatsRetained: Bool) throws {
        let (pier, retained) = try litPier()
        pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
        pier.bridge.connected(BusSession(isResumed: isResumed, repeatsRetained: repeatsRetained))
        func changed(by messages: [(topic: String, payload: String)]) -> Set<String> {
            let commits = pier.ledger.commits.count
            pier.send(messages, isRetained: true)
            let enqueued = pier.ledger.commits.dropFirst(commits).flatMap(\.enqueued)
            return Set(enqueued.map(\.topic).filter { $0.hasSuffix("/activity") })
        }
        let (desk, floor) = ("skerry/lamp/desk/activity", "skerry/lamp/floor/activity")
        let news = changed(by: [
            ("lamp/desk/state", #"{"on":false}"#), ("lamp/floor/state", #"{"on":true,"level":1}"#),
        ])
        #expect(news == (isResumed && repeatsRetained ? [floor] : [desk, floor]))
        pier.connect(isResumed: true, retained: retained)
        #expect(
            changed(by: [("lamp/floor/state", #"{"on":false}"#)]) == [floor],
            "after the comparison it is news"
        )
    }

    @Test("a broker that refuses to be read does not keep the bridge waiting")
    func forbidden() throws {
        let pier = try Pier()
        pier.bridge.connected(BusSession(isResumed: false))
        for _ in 0..<2 {
            let own = pier.bridge.subscriptionPlan().own
            pier.bridge.subscribed(
                own.map { SubscriptionOutcome(filter: $0, granted: nil, reason: "Not authorized") }
            )
            pier.bridge.wake()
        }
        #expect(pier.drain().map(\.text).contains("online"))
        #expect(pier.bridge.subscriptionPlan().own == [])
    }

    // MARK: What is not as it should be

    @Test("retained messages that are right cost nothing, older or missing ones are sent again")
    func stale() throws {
        let snapshot = "skerry/lamp/desk/activity"
        for (harm, expected) in [("none", []), ("older", [snapshot]), ("gone", [snapshot])] {
            let (pier, all) = try litPier()
            var retained = all
            let own = try #require(all[snapshot])
            switch harm {
            case "older": retained[snapshot] = own.replacingOccurrences(of: #""rev":2"#, with: #""rev":1"#)
            case "gone": retained[snapshot] = nil
            default: break
            }
            pier.bridge.disconnected(BusFault(.connectionLost, "the broker crashed"))
            let sent = pier.connect(isResumed: true, retained: retained)
            #expect(sent.filter { !$0.topic.contains("/bridge/") }.map(\.topic) == expected, "\(harm)")
            if !expected.isEmpty { #expect(sent.last?.text == own, "the same revision, byte for byte") }
        }
    }

    @Test("a dismissed activity that the broker shows again is removed, by its epoch")
    func dismissed() throws {
        let (pier, retained) = try litPier()
        pier.send("lamp/desk/state", #"{"on":false}"#)
        pier.clock.move(by: .minutes(10))
        pier.bridge.wake()
        pier.drainAll()
        pier.bridge.disconnected(BusFault(.connectionLost, "the broker crashed"))
        let sent = pier.connect(isResumed: true, retained: retained)
        #expect(emptied(sent).contains("skerry/lamp/desk/activity"))
        #expect(!emptied(sent).contains("skerry/lamp/desk/availability"))
    }

    // MARK: Strays

    @Test(
        "messages of unknown devices in another epoch are left, unless the store is new and alone"
    )
    func strays() throws {
        let stray = #"{"id":"lamp/attic/1","rev":1,"epoch":1700000000}"#
        let topics = ["activity", "availability"].map { "skerry/lamp/attic/\($0)" }
        let retained = [topics[0]: stray, topics[1]: "online", "skerry/stove/a/activity": stray]
        let all = topics + ["skerry/stove/a/activity"]
        let info = "skerry/bridge/info"
        let cases: [(info: String?, takesOver: Bool, emptied: [String])] = [
            (nil, false, all),
            (#"{"owner":"x","client":"skerry","epoch":1}"#, false, all),
            (#"{"owner":"x","client":"other","epoch":1}"#, false, []),
            (#"{"owner":"x","client":"other","epoch":1}"#, true, all),
        ]
        for (text, takesOver, expected) in cases {
            let pier = try Pier {
                $0.takesOver = takesOver
                $0.succeeds = true
            }
            var there = retained
            there[info] = text
            there["skerry/bridge/state"] = "offline"
            #expect(emptied(pier.connect(retained: there)) == expected, "\(text ?? "no info")")
            #expect(pier.ledger.commits.last?.progress.seeksStrays == false)
        }
        // Once it has been looked for, it may be anybody's.
        let pier = try Pier()
        pier.connect()
        pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
        #expect(emptied(pier.connect(retained: retained)) == [])
        #expect(try pier.health().lastError?.message.contains("is left alone; there are 3 like it") == true)
    }

    @Test("what a bridge with a lost store had deleted is deleted again when the broker brings it back")
    func straysOfALostStore() throws {
        let stray = #"{"id":"lamp/attic/1","rev":1,"epoch":1700000000}"#
        let cases: [(info: String, emptied: [String])] = [
            (#"{"owner":"x","client":"skerry","epoch":1700000000}"#, ["skerry/lamp/attic/activity"]),
            (#"{"owner":"x","client":"other","epoch":1700000000}"#, []),
        ]
        for (info, expected) in cases {
            let pier = try Pier { $0.succeeds = true }
            pier.connect(retained: ["skerry/bridge/info": info, "skerry/bridge/state": "offline"])
            pier.bridge.disconnected(BusFault(.connectionLost, "the broker crashed"))
            let sent = pier.connect(retained: ["skerry/lamp/attic/activity": stray])
            #expect(emptied(sent) == expected, "\(info)")
        }
    }

    @Test("info and state are published before the queue, even when connections keep breaking")
    func presenceFirst() throws {
        let (pier, retained) = try litPier()
        pier.send("lamp/desk/state", #"{"level":3}"#)
        for _ in 0..<3 {
            pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
            let messages = retained.mapValues { Array($0.utf8) }
            pier.bridge.connect(BusSession(isResumed: true), retained: messages)
        }
        let topics = pier.drainAll().filter(\.isRetained).map(\.topic)
        #expect(topics.prefix(2) == ["skerry/bridge/info", "skerry/bridge/state"])
        #expect(topics.contains("skerry/lamp/desk/activity"))
    }

    // MARK: An older store

    @Test("a store older than the readers' revisions begins a new epoch, before it publishes anything")
    func olderStore() throws {
        let (pier, all) = try litPier()
        let copy = try state(after: pier)
        let snapshot = "skerry/lamp/desk/activity"
        let old = try #require(all[snapshot])
        let cases: [(what: String, change: (inout [String: String]) -> Void, isOlder: Bool)] = [
            ("nothing", { _ in }, false),
            (
                "an older revision",
                { $0[snapshot] = old.replacingOccurrences(of: "rev\":2", with: "rev\":1") }, false
            ),
            (
                "a later revision",
                { $0[snapshot] = old.replacingOccurrences(of: "rev\":2", with: "rev\":9") }, true
            ),
            (
                "another text of the revision",
                { $0[snapshot] = old.replacingOccurrences(of: "Lit", with: "Dim") }, true
            ),
            (
                "a later run", { $0[snapshot] = old.replacingOccurrences(of: "desk/17", with: "desk/18") },
                true
            ),
            (
                "a report of later commits",
                {
                    $0["skerry/bridge/health"] = #"{"number":999}"#
                    $0[snapshot] = nil
                }, true
            ),
            ("an earlier epoch", { $0["skerry/bridge/info"] = #"{"owner":"pier","epoch":1}"# }, false),
            ("a later epoch", { $0["skerry/bridge/info"] = #"{"owner":"pier","epoch":1800000000}"# }, true),
        ]
        for (what, change, isOlder) in cases {
            var retained = all
            change(&retained)
            let later = try Pier(at: Pier.start + .minutes(1), state: copy)
            let sent = later.connect(isResumed: true, retained: retained)
            let shown = sent.filter { $0.topic == snapshot }
            let epoch = try #require(later.ledger.commits.last?.epoch)
            #expect((epoch != copy.epoch) == isOlder, "\(what)")
            if isOlder {
                #expect(
                    shown.count == 1 && shown[0].text.contains("\"epoch\":\(epoch),"),
                    "\(what): \(shown)"
                )
                let former: [Int64] = what == "a later epoch" ? [1_800_000_000] : []
                let known = later.ledger.commits.last?.progress.formerEpochs
                #expect(known == former + [try #require(copy.epoch)], "\(what)")
                #expect(try later.health().lastError?.message.contains("older copy") == true)
            }
            later.bridge.disconnected(BusFault(.connectionLost, "gone"))
            later.connect(isResumed: true, retained: retained)
            #expect(later.ledger.commits.last?.epoch == epoch, "\(what): once is enough")
        }
    }

    @Test("an older store deletes what its later copies left, also in epochs that it does not know")
    func straysOfLaterCopies() throws {
        let (pier, all) = try litPier()
        var retained = all
        retained["skerry/bridge/info"] = #"{"owner":"pier","epoch":1800000000}"#
        retained["skerry/lamp/attic/activity"] = #"{"id":"lamp/attic/1","rev":1,"epoch":1790000000}"#
        let older = try Pier(at: Pier.start + .minutes(1), state: try state(after: pier))
        #expect(emptied(older.connect(isResumed: true, retained: retained)) == ["skerry/lamp/attic/activity"])
    }

    @Test("evidence of an older store outlives a connection that ends before the new epoch is stored")
    func olderStoreAndLostConnection() throws {
        let (pier, all) = try litPier()
        let copy = try state(after: pier)
        var retained = all
        retained["skerry/bridge/health"] = #"{"number":999}"#
        retained["skerry/lamp/desk/activity"] = nil
        let later = try Pier(at: Pier.start + .minutes(1), state: copy)
        later.bridge.connect(
            BusSession(isResumed: true),
            retained: retained.mapValues { Array($0.utf8) },
            steps: 1
        )
        #expect(later.drain().isEmpty, "the report that is evidence stays")
        later.bridge.disconnected(BusFault(.connectionLost, "gone"))
        retained["skerry/bridge/health"] = nil
        later.connect(isResumed: true, retained: retained)
        let epoch = try #require(later.ledger.commits.last?.epoch)
        #expect(epoch != copy.epoch)
    }
}
