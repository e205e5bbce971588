import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryValues
import Testing

@Suite("Topics that begin otherwise here")
struct MovedTopicTests {
    private static func files(_ moves: [String]) throws -> CompiledFiles {
        let text = """
            skerry: 1
            kind: plug
            sources:
              - { topic: "zigbee2mqtt/{device...}", signals: { on: payload.on } }
              - { topic: "tele/{plug}/STATE", device: "{topic.plug}", signals: { on: payload.on } }
              - { topic: "{device}/status/switch:0", signals: { on: payload.output } }
            recognise: [{ topic: "tele/{device}/STATE" }]
            machine:
              initial: "off"
              states:
                "off": { always: { guard: on, target: "on" } }
                "on":
                  entry: { guard: on, actions: { try: { publish: { topic: "cmnd/{device}/POWER" } } } }
                  always: { guard: "!on", target: "off" }
            """
        let file = DefinitionFile(path: "plug.yaml", bytes: Array(text.utf8))
        let files = CompiledFiles([file], on: try MovedTopics(moves))
        try #require(!files.hasErrors, "\(files.report(DiagnosticPrinter()))")
        return files
    }

    @Test(
        "whole levels, with captures, the longest beginning first",
        arguments: [
            ([], "zigbee2mqtt/# tele/+/STATE +/status/switch:0"),
            (["zigbee2mqtt = ground/z2m"], "ground/z2m/# tele/+/STATE +/status/switch:0"),
            (["zigbee = z"], "zigbee2mqtt/# tele/+/STATE +/status/switch:0"),
            (["tele/{a} = {a}/tele"], "zigbee2mqtt/# +/tele/STATE +/status/switch:0"),
            (["tele = t", "tele/{a}/STATE = s/{a}"], "zigbee2mqtt/# s/+ +/status/switch:0"),
            (["{d}/status = home/{d}/status"], "zigbee2mqtt/# tele/+/STATE home/+/status/switch:0"),
            // What takes all further levels can't be put before others.
            (["zigbee2mqtt/{a} = {a}/z"], "zigbee2mqtt/# tele/+/STATE +/status/switch:0"),
        ]
    )
    func sources(moves: [String], filters: String) throws {
        let definition = try #require(try Self.files(moves).definitions.first)
        #expect(definition.sources.map(\.filter.subscription).joined(separator: " ") == filters)
    }

    @Test("a device is recognised, heard and told on the topics of the house")
    func house() throws {
        let definition = try #require(
            try Self.files(["tele/{x} = {x}/tele", "cmnd/{x} = c/{x}"]).definitions.first
        )
        #expect(definition.recognition.map(\.filter.subscription) == ["+/tele/STATE"])
        var engine = Engine(definitions: [definition], epoch: 1)
        let message = Message(
            topic: ArraySlice("fan/tele/STATE".utf8),
            payload: ArraySlice(#"{"on": true}"#.utf8)
        )
        let effects = engine.handle(.message(message), at: Timestamp(seconds: 0))
        let published = effects.compactMap {
            if case .publication(let message) = $0.what { message.topic } else { nil }
        }
        #expect(published == ["c/fan/POWER"])
    }

    @Test(
        "what is no move is refused, with what to write",
        arguments: [
            "zigbee2mqtt", "a = b = c", "a/ = b", " = b", "a/+ = b", "a/{x} = b", "a = b/{x}",
            "a/{x}/{x} = b/{x}/{x}",
            "a/{} = {}", "a/{x = {x",
        ]
    )
    func wrong(text: String) {
        #expect(throws: MovedTopicFault.self) { try MovedTopics([text]) }
    }

    @Test("a beginning is moved once")
    func twice() {
        #expect(throws: MovedTopicFault.self) { try MovedTopics(["a = b", "a = c"]) }
    }
}
