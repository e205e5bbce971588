import SkerryEngine
import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

/// A bridge that has the devices of one partition.
@Suite("A bridge of a partition")
struct PartitionTests {
    private static let partition = Partition(Partition.number(of: "desk", among: 4), of: 4)
    /// A lamp that another partition has.
    private static let other = (0...).lazy.map { "lamp\($0)" }.first { !partition.owns($0) } ?? ""

    private static func pier(
        prefix: String = "skerry",
        definition: String = Pier.definition
    ) throws -> Pier {
        try Pier(prefix: prefix, definition: definition) { $0.engine.partition = partition }
    }

    @Test("it has topics of its own, and says which partition it is")
    func topics() throws {
        let pier = try Self.pier()
        pier.bridge.connect(BusSession(isResumed: false), retained: [:])
        let sent = pier.drainAll()
        let start = "skerry/bridge-p\(Self.partition.number)"
        #expect(sent.first { $0.topic == "\(start)/state" }?.text == "online")
        #expect(
            sent.first { $0.topic == "\(start)/info" }?.text
                .contains(#""partition":\#(Self.partition.number),"partitions":4"#) == true
        )
        #expect(!sent.contains { $0.topic.hasPrefix("skerry/bridge/") })
        pier.send("\(start)/request/health", "")
        #expect(pier.drain().map(\.topic) == ["\(start)/response/health"])
        // That of a bridge without partitions, or of another one.
        pier.send("skerry/bridge/request/health", "")
        #expect(pier.drain().isEmpty)
        #expect(pier.bridge.subscriptionPlan().watched == ["\(start)/state", "\(start)/info"])
    }

    @Test(
        "messages, commands and questions about devices of others are taken and not answered, nor are they problems"
    )
    func others() throws {
        let pier = try Self.pier()
        pier.connect()
        let commits = pier.ledger.commits.count
        #expect(pier.send("lamp/\(Self.other)/state", #"{"on":true}"#) == .committed)
        #expect(pier.send("lamp/\(Self.other)/state", "no JSON") == .committed)
        pier.send("skerry/lamp/\(Self.other)/event", "snooze")
        pier.send("skerry/lamp/\(Self.other)/explain/get", "")
        #expect(pier.drain().isEmpty && pier.ledger.commits.count == commits)
        pier.send("lamp/desk/state", #"{"on":true}"#)
        pier.send("skerry/lamp/desk/explain/get", "")
        #expect(pier.drainAll().contains { $0.topic == "skerry/lamp/desk/explain" })
        pier.send("skerry/bridge-p\(Self.partition.number)/request/health", "")
        let health = try #require(pier.drain().first).text
        #expect(health.contains(#""elsewhere":2"#) && health.contains(#""problems":0"#), "\(health)")
    }

    @Test(
        "what the broker gives to this partition counts on the topic on which it was published, and nothing else under those topics"
    )
    func shares() throws {
        let number = Self.partition.number
        let pier = try Pier {
            $0.engine.partition = Self.partition
            $0.partitionPrefix = "p"
        }
        pier.connect()
        let filters = pier.bridge.subscriptionPlan().filters
        #expect(filters.contains("lamp/+/state") && filters.contains("p/\(number)/lamp/+/state"))
        pier.send("p/\((number + 1) % 4)/lamp/desk/state", #"{"on":true}"#)
        #expect(pier.drain().isEmpty)
        pier.send("p/\(number)/lamp/desk/state", #"{"on":true}"#)
        #expect(pier.drain().contains { $0.topic == "skerry/lamp/desk/activity" })
        pier.send("p/\(number)/lamp/\(Self.other)/state", #"{"on":true}"#)
        #expect(pier.drain().isEmpty)
        pier.send("skerry/bridge-p\(number)/request/health", "")
        let health = try #require(pier.drain().first).text
        #expect(health.contains("\"lamp/\(Self.other)/state: the broker gave this partition"), "\(health)")
    }

    @Test("a new store claims what is retained of devices of its own, and nothing of the others")
    func claims() throws {
        let pier = try Self.pier()
        let snapshot = #"{"id":"lamp/x/1","rev":1,"epoch":5}"#
        pier.connect(retained: [
            "skerry/lamp/desk/activity": snapshot, "skerry/lamp/\(Self.other)/activity": snapshot,
            "skerry/lamp/\(Self.other)/availability": "online",
        ])
        let emptied = (pier.ledger.commits.flatMap(\.enqueued)).filter { $0.payload.isEmpty }
        #expect(emptied.map(\.topic) == ["skerry/lamp/desk/activity"])
    }

    @Test(
        "it does not start beside a bridge that is online and has its devices, too: one of all devices, or of other partitions",
        arguments: [
            ("bridge", "online", #"{"owner":"x","client":"y"}"#, true),
            ("bridge", "offline", #"{"owner":"x","client":"y"}"#, false),
            ("bridge-p7", "online", #"{"owner":"x","client":"y","partition":7,"partitions":8}"#, true),
            ("bridge-p9", "online", #"{"owner":"x","client":"y","partition":9,"partitions":4}"#, false),
        ]
    )
    func beside(bridge: String, state: String, info: String, isRefused: Bool) throws {
        let pier = try Self.pier()
        let sent = pier.connect(retained: ["skerry/\(bridge)/state": state, "skerry/\(bridge)/info": info])
        #expect((pier.events.refusal?.contains("(skerry/\(bridge)/state)") ?? false) == isRefused)
        #expect(sent.isEmpty || !isRefused)
    }

    @Test("definitions read the activities of other partitions from the broker")
    func reads() throws {
        let house = (0...).lazy.map { "house\($0)" }.first { Self.partition.owns($0) } ?? ""
        let pier = try Self.pier(
            definition: """
                skerry: 1
                kind: house
                sources:
                  - { topic: "$skerry/lamp/{lamp}", device: \(house), signals: { light: payload.state } }
                machine:
                  initial: dark
                  states: { dark: { always: { guard: light == "lit", target: bright } }, bright: {} }
                """
        )
        pier.connect()
        #expect(pier.bridge.subscriptionPlan().filters.contains("skerry/lamp/+/activity"))
        let snapshot = #"{"id":"lamp/\#(Self.other)/1","rev":1,"epoch":5,"state":"lit"}"#
        pier.send("skerry/lamp/\(Self.other)/activity", snapshot, isRetained: true)
        pier.send("skerry/lamp/\(Self.other)/activity", "", isRetained: false)
        pier.send("skerry/stove/\(Self.other)/activity", snapshot, isRetained: false)
        pier.send("skerry/house/\(house)/explain/get", "")
        let explained = try #require(pier.drainAll().last { $0.topic.hasSuffix("/explain") }).text
        #expect(explained.contains(#""bright""#), "\(explained)")
    }
}
