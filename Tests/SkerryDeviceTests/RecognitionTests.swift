import SkerryDevice
import SkerryFiles
import SkerryValues
import Testing

@Suite("Recognition")
struct RecognitionTests {
    private static let frame = """
        skerry: 1
        kind: thing
        sources:
          - topic: thing/{device}
        machine: { states: { idle: {} } }

        """

    /// The devices that a message tells of, by the entries of `recognise:`, as `device`, `device (name)` or `device?`.
    private func found(by entries: String, in topic: String, _ payload: String) throws -> [String] {
        let definition = try Scene.definition(Self.frame + "recognise:\n" + entries)
        let (topic, payload) = (Array(topic.utf8), Array(payload.utf8))
        return definition.recognition.flatMap { $0.sightings(in: topic[...], payload[...]) }.map { sighting in
            let name = sighting.name.map { " (\($0))" } ?? ""
            return sighting.device + name + (sighting.certainty == .certain ? "" : "?")
        }
    }

    @Test func `a message fits by its topic and its condition`() throws {
        let entry =
            "  - { topic: 'device/{device}/report', when: 'payload.print.state in [\"RUN\", \"IDLE\"]' }"
        #expect(try found(by: entry, in: "device/A1/report", #"{"print":{"state":"RUN"}}"#) == ["A1"])
        #expect(try found(by: entry, in: "device/A1/report", #"{"print":{"state":"odd"}}"#) == [])
        #expect(try found(by: entry, in: "device/A1/report", #"{"print":{}}"#) == [])
        #expect(try found(by: entry, in: "device/A1/report", #"{"print":null}"#) == [])
        #expect(try found(by: entry, in: "device/A1/report", "no JSON") == [])
        #expect(try found(by: entry, in: "device/A1/report", "") == [])
        #expect(try found(by: entry, in: "device/A1", #"{"print":{"state":"RUN"}}"#) == [])
    }

    @Test(arguments: [
        ("number", "12.5", true), ("number", "12.5 W", true), ("number", "W 12.5", false),
        ("text", "x", true), ("text", "", false),
        ("bool", "on", true), ("bool", "perhaps", false), ("json", "[]", true), ("json", "]", false),
    ])
    func `a payload that can't be read tells nothing`(format: String, payload: String, fits: Bool) throws {
        let entry = "  - { topic: 'plug/{device}/power', payload: \(format), sure: likely }"
        #expect(try found(by: entry, in: "plug/cellar/power", payload) == (fits ? ["cellar?"] : []))
    }

    @Test func `one announcement tells of many devices by their names`() throws {
        let entry = """
              - topic: zigbee2mqtt/bridge/devices
                each: payload
                when: item.definition.model == "SWV"
                device: "{item.friendly_name}"
                name: item.friendly_name
            """
        let devices = """
            [{"type":"Coordinator","definition":null},
             {"friendly_name":"garden/roses","definition":{"model":"SWV"}},
             {"friendly_name":"lamp","definition":{"model":"LED1"}},
             {"friendly_name":"","definition":{"model":"SWV"}},
             {"definition":{"model":"SWV"}}]
            """
        #expect(
            try found(by: entry, in: "zigbee2mqtt/bridge/devices", devices) == ["garden-roses (garden/roses)"]
        )
        #expect(try found(by: entry, in: "zigbee2mqtt/bridge/devices", #"{"friendly_name":"x"}"#) == [])
    }

    @Test func `conditions read the levels of the topic`() throws {
        let entry = """
              - { topic: '{room}/{device}/power', payload: number, when: 'topic.device.matches("wash")', sure: likely }
            """
        #expect(try found(by: entry, in: "cellar/washer", "4") == [])
        #expect(try found(by: entry, in: "cellar/washer/power", "4") == ["washer?"])
        #expect(try found(by: entry, in: "cellar/kettle/power", "4") == [])
    }

    @Test(arguments: [
        ("{ topic: 'a/b' }", "no level of the topic names the device"),
        ("{ topic: 'a/{device}', device: '{payload.id}' }", "the topic names the device already"),
        ("{ topic: '{device}' }", "every message would tell of such a device"),
        ("{ topic: 'a/{device}', when: power > 3 }", "unknown name"),
        ("{ topic: 'a/{device}', when: payload.name + 'x' }", "must be true or false"),
        ("{ topic: 'a/{device}', payload: text, each: payload }", "must be a list"),
        ("{ topic: 'a/{device}', sure: perhaps }", "'sure'"),
        ("{ topic: 'a/{device}', signals: {} }", "signals"),
        ("{ when: 'true' }", "topic"),
    ])
    func `an entry that can't work is an error`(entry: String, message: String) {
        let text = Self.frame + "recognise:\n  - \(entry)\n"
        let files = CompiledFiles([DefinitionFile(path: "thing.yaml", bytes: Array(text.utf8))])
        #expect(files.hasErrors)
        #expect(files.problems.contains { $0.message.contains(message) }, "\(files.problems.map(\.message))")
    }
}
