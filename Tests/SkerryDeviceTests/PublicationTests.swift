import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryValues
import Testing

@Suite("Messages that actions publish")
struct PublicationTests {
    static let plug = """
        sources:
          - topic: thing/{device}
            signals: { power: payload.power, room: payload.room, text: payload.text }
            event: default(payload.event, "")
        context: { sent: 0 }
        machine:
          states:
            on:
              always: { guard: power < 5, target: off }
              on:
                say:
                  actions:
                    - publish: { topic: "cmnd/{device}/{room}", payload: "{text}", retain: true, qos: 0 }
                    - assign: { sent: context.sent + 1 }
                spin: round
            off:
              entry: { publish: { topic: "cmnd/{device}/POWER", payload: "OFF at {power} W" } }
              always: { guard: power > 5, target: on }
            round: { entry: [{ publish: { topic: x/y } }, { raise: again }], on: { again: square } }
            square: { entry: { raise: again }, on: { again: { guard: true, target: round } } }
        """

    private static func messages(_ scene: Scene) -> [DevicePublication] {
        scene.effects.compactMap { if case .publication(let message) = $0.what { message } else { nil } }
    }

    private static func faults(_ scene: Scene) -> [String] {
        scene.effects.compactMap { if case .fault(let fault) = $0.what { fault.message } else { nil } }
    }

    @Test func `with the values of the macrostep, after the move`() throws {
        var scene = try Scene(Self.plug)
        scene.send(#"{"power": 900}"#)
        scene.send(#"{"power": 2}"#)
        #expect(scene.story == ["0 on > off", "0 cmnd/a/POWER OFF at 2 W"])
        let message = try #require(Self.messages(scene).first)
        #expect(!message.isRetained && message.quality == 1)
        scene.send(#"{"power": 2}"#, retained: true)
        #expect(Self.messages(scene).count == 1)
    }

    @Test(
        "a value is one level of the topic at most, and none that is missing",
        arguments: [
            (#"{"event": "say", "room": "hall", "text": "a/b"}"#, "cmnd/a/hall", "1"),
            (#"{"event": "say", "room": "../+/#", "text": ""}"#, "cmnd/a/..----", "1"),
            (#"{"event": "say", "room": ""}"#, nil, "0"), (#"{"event": "say"}"#, nil, "0"),
        ] as [(String, String?, String)]
    )
    func topics(message: String, topic: String?, sent: String) throws {
        var scene = try Scene(Self.plug)
        scene.send(#"{"power": 900}"#)
        scene.send(message)
        #expect(Self.messages(scene).map { $0.topic } == (topic.map { [$0] } ?? []))
        #expect(scene.variable("sent") == sent)
        #expect(Self.faults(scene).count == (topic == nil ? 1 : 0))
        #expect(scene.engine.counters.published == (topic == nil ? 0 : 1))
        #expect(scene.engine.counters.unpublished == (topic == nil ? 1 : 0))
    }

    @Test func `large payloads and more than sixty messages a minute are refused, also over a restart`()
        throws
    {
        var scene = try Scene(Self.plug)
        scene.send(#"{"power": 900, "room": "r"}"#)
        let large = String(repeating: "x", count: 4097)
        scene.send("{\"event\": \"say\", \"text\": \"\(large)\"}")
        #expect(Self.faults(scene) == ["nothing is published, because the payload exceeds 4096 bytes"])
        for _ in 0..<50 { scene.send(#"{"event": "say", "text": "x"}"#) }
        let images = scene.engine.takeImages(all: true)
        let layout = try #require(scene.engine.imageLayouts().first)
        let next = Engine(definitions: [scene.definition], epoch: 7, resumingAt: scene.engine.sequence)
        var restoration = EngineRestoration(of: next, after: Downtime(start: scene.now, end: scene.now))
        for image in images { _ = restoration.restore(image, layout: layout, effects: &scene.effects) }
        let finished = restoration.finish()
        scene.engine = finished.engine
        #expect(finished.effects.isEmpty)
        for _ in 0..<20 { scene.send(#"{"event": "say", "text": "x"}"#) }
        #expect(Self.messages(scene).count == 60)
        #expect(scene.engine.counters.unpublished == 10)
        scene.wait(.minutes(1))
        scene.send(#"{"event": "say", "text": "x"}"#)
        #expect(Self.messages(scene).count == 61)
        #expect(scene.engine.brokenInvariant() == nil)
    }

    @Test func `a macrostep that does not end publishes nothing`() throws {
        var scene = try Scene(Self.plug)
        scene.send(#"{"power": 900}"#)
        scene.send(#"{"event": "spin"}"#)
        #expect(scene.state == "on" && Self.messages(scene).isEmpty)
    }

    @Test(
        "topics that the definition may read, and those of the broker, are refused",
        arguments: [
            ("tele/{device}/power", true), ("tele/x/power", true), ("tele/{text}/{text}", true),
            ("tele/{device}/pow{text}", true), ("tele/{device}/set", false), ("tele/{device}", false),
            ("tele/{device}/power/set", false), ("plug-{device}", true), ("{device}-plug", true),
            ("socket-{device}", false), ("plug-", false), ("rest/{device}", true), ("rest/a/b/c", true),
            ("rest", false), ("a/+/b", true), ("a/#", true), ("$SYS/x", true),
        ]
    )
    func refused(topic: String, isRefused: Bool) {
        let text = """
            skerry: 1
            kind: plug
            sources:
              - { topic: "tele/{device}/power", payload: number, signals: { power: payload } }
              - { topic: "plug-{device}", payload: text, signals: { text: payload } }
              - { topic: "rest/{device...}" }
            machine: { states: { a: { entry: { publish: { topic: "\(topic)", payload: "{power}" } } } } }
            """
        let files = CompiledFiles([DefinitionFile(path: "plug.yaml", bytes: Array(text.utf8))])
        let found = files.problems.filter { $0.severity == .error }
        #expect(found.map { $0.code } == (isRefused ? [.badPublication] : []), "\(files.problems)")
    }
}
