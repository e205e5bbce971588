import SkerryGateway
import SkerryValues
import Testing

@Suite("Messages of actions, on their way to the broker")
struct ActionPublicationTests {
    private static let definition = """
        skerry: 1
        kind: plug
        sources:
          - topic: plug/{device}/state
            signals: { power: payload.power, room: payload.room }
        machine:
          initial: "off"
          states:
            "off": { always: { guard: power > 5, target: "on" } }
            "on":
              always:
                guard: power < 5
                target: "off"
                actions: { publish: { topic: "{room}/{device}/POWER", payload: "OFF", retain: true } }
        """

    private static func switchedOff(_ pier: Pier, room: String) {
        pier.send("plug/desk/state", #"{"power": 90, "room": "\#(room)"}"#)
        pier.send("plug/desk/state", #"{"power": 1}"#)
    }

    @Test("one that the broker did not acknowledge is sent again by the next process, a settled one is not")
    func restart() throws {
        let pier = try Pier(definition: Self.definition)
        pier.connect()
        Self.switchedOff(pier, room: "hall")
        let stored = pier.ledger.commits.flatMap(\.enqueued).filter { $0.topic == "hall/desk/POWER" }
        let message = try #require(stored.first)
        #expect(stored.count == 1 && message.isRetained && message.text == "OFF")
        var state = StoredState()
        state.epoch = pier.ledger.commits.last?.epoch
        state.progress = pier.ledger.commits.last?.progress
        state.publications = stored
        let next = try Pier(at: Pier.start + .minutes(1), state: state, definition: Self.definition)
        #expect(next.connect().map(\.topic).contains(message.topic))
        next.bridge.ended()
        #expect(next.ledger.commits.flatMap(\.settled).contains(message.id))
    }

    @Test("a lost connection to a broker that forgot everything does not bring a retained one back")
    func forgetful() throws {
        let pier = try Pier(definition: Self.definition)
        pier.connect()
        Self.switchedOff(pier, room: "hall")
        #expect(pier.drain().contains { $0.topic == "hall/desk/POWER" })
        pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
        #expect(!pier.connect().contains { $0.topic == "hall/desk/POWER" })
    }

    @Test("devices are asked for their state at each connection, and nobody else can raise its event")
    func connections() throws {
        let shy = """
            skerry: 1
            kind: shy
            sources: [{ topic: "shy/{device}/state", signals: { on: payload.on } }]
            machine:
              on: { bridge.connected: { actions: { publish: { topic: "shy/{device}/get", payload: all } } } }
              states: { idle: {} }
            """
        let pier = try Pier(definition: shy)
        func questions(_ publications: [Publication]) -> [String] {
            publications.map(\.topic).filter { $0.hasSuffix("/get") }
        }
        #expect(questions(pier.connect()) == [])
        pier.send([("shy/a/state", #"{"on":true}"#), ("shy/b/state", "{}")])
        #expect(questions(pier.drain()) == [])
        pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
        #expect(questions(pier.connect()) == ["shy/a/get", "shy/b/get"])
        pier.send("skerry/shy/a/event", "bridge.connected")
        #expect(questions(pier.drain()) == [])
        #expect(
            try pier.health().lastError?.message
                == "shy/a: a command is refused: nobody may send 'bridge.connected' to a device of the kind 'shy'; it accepts no events"
        )
    }

    @Test("topics of the bridge are refused with a word")
    func ownTopics() throws {
        let pier = try Pier(definition: Self.definition)
        pier.connect()
        Self.switchedOff(pier, room: "skerry")
        #expect(!pier.drain().contains { $0.topic == "skerry/desk/POWER" })
        let fault = try pier.health().lastError?.message
        #expect(fault?.contains("plug/desk: an action may not publish on 'skerry/desk/POWER'") == true)
    }
}
