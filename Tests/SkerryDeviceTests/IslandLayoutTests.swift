import Foundation
import SkerryDevice
import SkerryFiles
import SkerryValues
import Testing

/// The JSON of islands, which the page draws from.
@Suite struct IslandLayoutTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    @Test("The JSON of each definition of devices/ and of a plain one, as it is written")
    func json() throws {
        let devices = Self.folder.appendingPathComponent("../../devices")
        var lines = try CompiledFiles([devices.path]).files.map { try Self.line(#require($0.definition)) }
        lines.append(try Self.line(Scene.definition(Self.plain)))
        let found = "{\n\(lines.joined(separator: ",\n"))\n}\n"
        let golden = Self.folder.appendingPathComponent("Goldens/IslandLayouts.json")
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" {
            try found.write(to: golden, atomically: true, encoding: .utf8)
            Issue.record("recorded IslandLayouts.json")
            return
        }
        #expect(try found == String(contentsOf: golden, encoding: .utf8))
    }

    @Test("A definition without an activity has no layout")
    func noActivity() throws {
        let definition = try Scene.definition(
            """
            sources: [{ topic: "thing/{device}", signals: { x: payload.x } }]
            machine:
              initial: low
              states:
                low: { always: { guard: x > 1, target: high } }
                high: { always: { guard: x < 1, target: low } }
            """
        )
        #expect(definition.island == nil)
    }

    private static func line(_ definition: Definition) throws -> String {
        var writer = JSONWriter()
        try #require(definition.island).write(to: &writer)
        return "\"\(definition.kind)\":\(String(decoding: writer.bytes, as: UTF8.self))"
    }

    private static let plain = """
        skerry: 1
        kind: plain
        sources: [{ topic: "plain/{device}", signals: { mode: payload.mode, x: payload.x } }]
        timers: { cycle: { duration: 'duration("5m")', while: inState("on") } }
        machine:
          initial: "off"
          states:
            "off": { always: { guard: mode == "on", target: "on" } }
            "on": { title: "On", always: { guard: mode == "off", target: "off" } }
        activity:
          starts: "on"
          ends: "off"
          content: { level: x, status: state.title, cycle: timer.cycle }
        """
}
