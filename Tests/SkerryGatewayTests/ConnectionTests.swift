import Logging
import SkerryGateway
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

/// What a bridge says when it is connected, and what it restores.
@Suite("Connections of the bridge")
struct ConnectionTests {
    /// One followed activity at revision 3, one dismissed, one device that told that it is there.
    func busyPier() throws -> Pier {
        let pier = try Pier()
        pier.connect()
        pier.send("lamp/attic/state", #"{"on":true}"#)
        pier.drain()
        pier.send("lamp/attic/state", #"{"on":false}"#)
        pier.drain()
        pier.clock.move(by: .minutes(10))
        pier.bridge.wake()
        for level in 1...3 { pier.send("lamp/desk/state", #"{"on":true,"level":\#(level)}"#) }
        pier.send("lamp/desk/LWT", "online")
        pier.drain()
        return pier
    }

    @Test("the first publications are info, state and health")
    func greeting() throws {
        let sent = try Pier().connect()
        #expect(sent.map(\.topic) == ["skerry/bridge/info", "skerry/bridge/state", "skerry/bridge/health"])
        #expect(sent.dropFirst().first?.text == "online")
        #expect(sent.allSatisfy { $0.isRetained })
        #expect(sent.map(\.quality) == [.atLeastOnce, .atLeastOnce, .atMostOnce])
        #expect(sent.map(\.contentType) == ["application/json", nil, "application/json"])
    }

    @Test("a broker that lost the session gets each snapshot once, as it was")
    func forgetful() throws {
        let pier = try busyPier()
        let stored = pier.ledger.commits.flatMap(\.enqueued)
        let latest = try #require(stored.last { $0.topic == "skerry/lamp/desk/activity" })
        pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
        for _ in 1...2 {
            let sent = pier.connect(isResumed: false)
            #expect(
                sent.map(\.topic).sorted() == [
                    "skerry/bridge/health", "skerry/bridge/info", "skerry/bridge/state",
                    "skerry/lamp/desk/activity", "skerry/lamp/desk/availability",
                ]
            )
            let restored = try #require(sent.first { $0.topic == latest.topic })
            #expect(restored.payload == latest.payload, "the same revision, byte for byte")
            #expect(restored.id > latest.id)
            #expect(try restored.summary == "skerry/lamp/desk/activity 3")
        }
    }

    @Test("a broker that is away for long has a line in the log at once, and then one a minute")
    func awayForLong() throws {
        let lines = LogLines()
        let pier = try Pier(logger: Logger(label: "test") { _ in lines })
        for second in 1...150 {
            pier.clock.move(by: .seconds(1))
            pier.bridge.wake()
            if second % 5 == 0 { pier.bridge.disconnected(BusFault(.unreachable, "nobody listens")) }
        }
        #expect(
            lines.texts == [
                "nobody listens", "11 more in the last minute: nobody listens",
                "12 more in the last minute: nobody listens",
            ]
        )
        #expect(pier.connect().contains { $0.text.contains("\"problems\":30") })
    }

    @Test("what the broker retains is read at each start, and not with each connection")
    func startReadsRetained() throws {
        let pier = try Pier()
        for _ in 1...2 {
            pier.bridge.connected(BusSession(isResumed: true))
            #expect(
                pier.bridge.subscriptionPlan().wantsRetained,
                "also after a connection that was lost too early"
            )
            pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
        }
        pier.connect(isResumed: true)
        pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
        pier.bridge.connected(BusSession(isResumed: true))
        #expect(!pier.bridge.subscriptionPlan().wantsRetained)
    }

    @Test("a broker that kept its retained messages gets only these three")
    func resumed() throws {
        let pier = try busyPier()
        let stored = pier.ledger.commits.flatMap(\.enqueued).filter { $0.isRetained }
        let retained = Dictionary(stored.map { ($0.topic, $0.text) }) { _, last in last }
        pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
        for isResumed in [true, false] {
            let sent = pier.connect(isResumed: isResumed, retained: retained.filter { !$0.value.isEmpty })
            #expect(sent.map(\.topic).allSatisfy { $0.hasPrefix("skerry/bridge/") })
        }
    }

    @Test("changes without a broker are published once, diffs in order, with or without the session")
    func meanwhile() throws {
        for isResumed in [true, false] {
            let pier = try busyPier()
            pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
            for level in 4...6 { pier.send("lamp/desk/state", #"{"level":\#(level)}"#) }
            let sent = pier.connect(isResumed: isResumed)
            let diffs = try sent.filter { $0.topic.hasSuffix("/diff") }.map { try $0.summary }
            #expect(diffs == (4...6).map { "skerry/lamp/desk/activity/diff \($0)" })
            let snapshots = try sent.filter { $0.topic == "skerry/lamp/desk/activity" }.map { try $0.summary }
            #expect(snapshots == ["skerry/lamp/desk/activity 6"])
            pier.send("lamp/desk/state", #"{"level":7}"#)
            #expect(
                try pier.drain().map { try $0.summary }
                    == ["skerry/lamp/desk/activity 7", "skerry/lamp/desk/activity/diff 7"]
            )
        }
    }

    @Test("info has version, start and definitions with their topics")
    func info() throws {
        let info = try #require(Pier().connect().first { $0.topic == "skerry/bridge/info" })
        #expect(
            info.text
                == #"{"version":"1.2.3","started":1772355600,"owner":"pier","client":"skerry","epoch":1772355600,"definitions":[{"kind":"lamp","name":"lamp","#
                + #""topics":["lamp/+/state","lamp/+/LWT"]}]}"#
        )
    }

    @Test("health counts messages, updates and problems")
    func health() throws {
        let pier = try Pier()
        pier.connect()
        pier.bridge.disconnected(BusFault(.unreachable, "nobody listens"))
        pier.connect()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        pier.send("lamp/desk/state", "{not json")
        pier.send("elsewhere", "1")
        var batch = MessageBatch()
        batch.oversizedCount = 2
        #expect(pier.bridge.handle(batch) == .committed)
        pier.drain()
        pier.clock.move(by: .seconds(1))
        pier.bridge.wake()
        #expect(pier.bridge.sleepLimit == .seconds(59))
        pier.clock.move(by: .seconds(59))
        pier.bridge.wake()
        let report = try #require(pier.drain().last)
        let number = try #require(pier.ledger.commits.last?.progress.told)
        #expect(
            report.text.hasPrefix(
                #"{"uptime":60,"devices":1,"replaced":0,"values":{"bytes":0,"refused":0},"#
                    + #""messages":{"in":3,"unrouted":1,"ignored":0,"refused":1,"beyondLimit":0,"oversized":2},"updates":1,"waiting":1,"dropped":0,"lateAlerts":0,"connects":2,"problems":3,"failedReadings":0,"#
                    + #""number":\#(number),"clock":"known","actions":{"published":0,"refused":0},"lastError":{"at":1772355600,"message":"2 messages are longer than limits.payload and left out; "#
            ),
            "\(report.text)"
        )
        #expect(pier.bridge.sleepLimit == .minutes(1), "the next report")
    }

    @Test("a filter that the broker refuses is a problem")
    func refusedFilter() throws {
        let pier = try Pier()
        pier.connect()
        pier.bridge.subscribed([
            SubscriptionOutcome(filter: "lamp/+/state", granted: .atLeastOnce),
            SubscriptionOutcome(filter: "lamp/+/LWT", granted: nil, reason: "Not authorized"),
        ])
        let health = try pier.health()
        #expect(health.problems == 1)
        #expect(
            health.lastError?.message == "the broker refused the subscription to lamp/+/LWT: Not authorized"
        )
    }

    @Test(
        "filters that a definition had without a connection are left once, not with each connection from then on"
    )
    func abandonedFilters() throws {
        let mailbox = DefinitionMailbox()
        let pier = try Pier(mailbox: mailbox)
        pier.connect()
        pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
        mailbox.put([])
        pier.bridge.wake()
        pier.bridge.connected(BusSession(isResumed: true))
        #expect(pier.bridge.subscriptionPlan().obsolete == ["lamp/+/LWT", "lamp/+/state"])
        pier.connect(isResumed: true)
        #expect(pier.bridge.subscriptionPlan().obsolete == [])
    }
}

/// The lines that a bridge logs as warnings.
private final class LogLines: LogHandler, Sendable {
    private let kept = Mutex<[String]>([])

    var texts: [String] { kept.withLock { $0 } }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .warning }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) { kept.withLock { $0.append("\(event.message)") } }
}
