import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryValues
import Testing

/// Topics and payloads of the MQTT sink, byte for byte.
@Suite("The MQTT sink")
struct SinkTests {
    static let plan = ActivityPlan(kind: "lamp", fields: [ActivityPlan.Field(name: "status")])

    /// The two revisions of a small activity.
    static func updates() -> [ActivityUpdate] {
        var (activity, first) = Activity.start(
            plan,
            device: "desk",
            run: 7,
            epoch: 5,
            state: "lit",
            attributes: ValueMap(uniqueEntries: [
                ValueMap.Entry(key: .string("name"), value: .string("Schreibtisch"))
            ]),
            content: [.value(.string("Lit"))],
            at: Timestamp(microseconds: 1_772_355_600_250_000)
        )
        let second = activity.end(
            state: "dark",
            content: [.value(.null)],
            at: Timestamp(seconds: 1_772_355_660)
        )
        return [first] + [second].compactMap { $0 }
    }

    func publications(_ what: DeviceEffect, prefix: String = "skerry") -> [Publication] {
        let effect = Effect(at: Timestamp(seconds: 1), kind: "lamp", device: "desk lamp", what: what)
        return MQTTSink(prefix: prefix).publications(of: effect)
    }

    @Test("the first revision is a snapshot alone, retained")
    func first() throws {
        let sent = publications(.update(Self.updates()[0]))
        #expect(
            sent == [
                Publication(
                    topic: "skerry/lamp/desk lamp/activity",
                    payload: Array(
                        (#"{"id":"lamp/desk/7","rev":1,"epoch":5,"at":1772355600.25,"phase":"active","#
                            + #""state":"lit","attributes":{"name":"Schreibtisch"},"content":{"status":"Lit"}}"#)
                            .utf8
                    ),
                    quality: .atLeastOnce,
                    isRetained: true,
                    contentType: "application/json"
                )
            ],
            "\(sent.map(\.text))"
        )
    }

    @Test("a later one is the snapshot, then the diff, which is not retained")
    func second() throws {
        let sent = publications(.update(Self.updates()[1]), prefix: "a/b")
        #expect(sent.map(\.topic) == ["a/b/lamp/desk lamp/activity", "a/b/lamp/desk lamp/activity/diff"])
        #expect(sent.map(\.isRetained) == [true, false])
        #expect(sent.map(\.quality) == [.atLeastOnce, .atLeastOnce])
        #expect(sent.map(\.contentType) == ["application/json", "application/merge-patch+json"])
        #expect(
            sent.map(\.text) == [
                #"{"id":"lamp/desk/7","rev":2,"epoch":5,"at":1772355660,"phase":"ended","state":"dark","#
                    + #""attributes":{"name":"Schreibtisch"},"content":{}}"#,
                #"{"id":"lamp/desk/7","rev":2,"prev":1,"epoch":5,"at":1772355660,"#
                    + #""patch":{"phase":"ended","state":"dark","content":{"status":null}}}"#,
            ]
        )
    }

    @Test("an alert is a message of its own, which is not retained")
    func alert() throws {
        var update = Self.updates()[1]
        update.alert = ActivityAlert(title: "Dark", body: "")
        let sent = try #require(publications(.update(update), prefix: "a").last)
        #expect(sent.topic == "a/lamp/desk lamp/alert" && !sent.isRetained && sent.quality == .atLeastOnce)
        #expect(sent.text == #"{"id":"lamp/desk/7","at":1772355660,"title":"Dark","body":""}"#)
    }

    @Test("a dismissed activity is an empty retained message")
    func dismissed() {
        #expect(
            publications(.dismissed(id: "lamp/desk/7"))
                == [Publication(topic: "skerry/lamp/desk lamp/activity", payload: [], isRetained: true)]
        )
    }

    @Test("availability is a word, retained", arguments: [true, false])
    func availability(isAvailable: Bool) {
        #expect(
            publications(.availability(isAvailable)) == [
                Publication(
                    topic: "skerry/lamp/desk lamp/availability",
                    payload: Array((isAvailable ? "online" : "offline").utf8),
                    isRetained: true
                )
            ]
        )
    }

    @Test("without diffs a change is a snapshot alone")
    func withoutDiffs() {
        let change = Effect(
            at: Timestamp(seconds: 1),
            kind: "lamp",
            device: "desk",
            what: .update(Self.updates()[1])
        )
        let sent = MQTTSink(publishesDiffs: false).publications(of: change)
        #expect(sent.map(\.topic) == ["skerry/lamp/desk/activity"])
        #expect(sent == MQTTSink().publications(of: change).filter(\.isRetained))
    }

    @Test("moves are not published")
    func silent() {
        #expect(publications(.moved(from: "dark", to: "lit")).isEmpty)
    }

    @Test("the bridge's own topics are under the prefix")
    func topics() {
        let sink = MQTTSink(prefix: "a/b")
        #expect(sink.stateTopic == "a/b/bridge/state")
        #expect(sink.infoTopic == "a/b/bridge/info")
        #expect(sink.healthTopic == "a/b/bridge/health")
        #expect(sink.commandFilter == "a/b/+/+/event")
        #expect(sink.state(isOnline: true).text == "online")
        #expect(sink.state(isOnline: false).text == "offline")
        #expect(MQTTSink().prefix == "skerry")
    }
}
