import Foundation
import SkerryTesting
import SkerryValues
import Testing

/// Commands that ask a running bridge, as processes.
@Suite(
    "The running bridge in the terminal",
    .serialized,
    .enabled(if: Broker.isAvailable, "needs a mosquitto binary")
)
struct WatchTests {
    func run(
        _ broker: Broker,
        _ arguments: String...
    ) throws -> (output: String, errors: String, status: Int32) {
        let program = try Program(
            [arguments[0], "-h", "127.0.0.1", "-p", "\(broker.port)"] + arguments.dropFirst(),
            environment: ["TZ": "UTC"]
        )
        let status = try program.end()
        return (program.outputText, program.errorText, status)
    }

    /// A bridge in which a lamp is lit and another one dark.
    func bridge(_ broker: Broker) throws -> (live: LiveBridge, device: BrokerClient) {
        let live = try LiveBridge(
            [try Files.definition(Self.lamp)],
            broker,
            at: Timestamp(seconds: 1_772_355_600)
        )
        let device = try BrokerClient(port: broker.port)
        try device.publish("lamp/desk", "1")
        try device.publish("lamp/attic", "0")
        try live.tally.wait(for: "both messages") { $0.messages >= 2 }
        try live.settle()
        return (live, device)
    }

    static let lamp = """
        skerry: 1
        kind: lamp
        name: Lamp
        sources:
          - topic: lamp/{device}
            payload: number
            signals: { level: payload }
        machine:
          initial: dark
          states:
            dark: { always: { guard: level > 0.0, target: lit } }
            lit:
              title: Lit
              always: { guard: level == 0.0, target: dark }
              on: { snooze: dimmed }
            dimmed: { title: Dimmed }
        activity:
          starts: lit
          ends: dark
          content: { status: state.title }
        """

    @Test("devices are a table, or JSON")
    func devices() async throws {
        let broker = try Broker()
        let (live, _) = try bridge(broker)
        let table = try run(broker, "devices")
        #expect(table.status == 0, "\(table)")
        let lines = table.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.map(\.first) == ["DEVICE", "lamp/desk", "lamp/attic"])
        #expect(lines[1].contains("Lit") && lines[2].contains("dark"), "\(table.output)")
        #expect(table.output.contains("status Lit"))
        let json = try run(broker, "devices", "--json")
        #expect(json.output.contains(#""count":2"#) && json.status == 0)
        await live.end()
    }

    @Test("status tells how the bridge is doing, and ends with 69 when it does not answer")
    func status() async throws {
        let broker = try Broker()
        let never = try run(broker, "status", "--wait", "1")
        #expect(never.status == 69 && never.errors.contains("nothing is retained"), "\(never)")
        let (live, _) = try bridge(broker)
        let told = try run(broker, "status")
        #expect(told.status == 0, "\(told)")
        #expect(told.output.contains("bridge     online, skerry live, since "), "\(told.output)")
        #expect(told.output.contains("kinds      lamp\n"))
        let json = try run(broker, "status", "--json")
        #expect(json.output.hasPrefix(#"{"state":"online","answers":true,"info":{"version":"live","#))
        await live.end()
        let gone = try run(broker, "status")
        #expect(gone.status == 69 && gone.errors.contains("says offline"), "\(gone)")
    }

    @Test("an event moves the machine; a wrong device or event is told with what there is")
    func send() async throws {
        let broker = try Broker()
        let (live, device) = try bridge(broker)
        try device.subscribe("skerry/lamp/desk/activity")
        let wrong = try run(broker, "send", "desk", "snoze")
        #expect(
            wrong.status == 1 && wrong.errors.contains("takes no such event; it takes 'snooze'"),
            "\(wrong)"
        )
        let unknown = try run(broker, "send", "lamp/dsek", "snooze")
        #expect(unknown.status == 1 && unknown.errors.contains("did you mean 'lamp/desk'?"), "\(unknown)")
        let sent = try run(broker, "send", "desk", "snooze")
        #expect(sent.status == 0 && sent.output == "sent 'snooze' to lamp/desk\n", "\(sent)")
        try device.wait(for: "the update") { $0.contains { $0.text.contains("Dimmed") } }
        await live.end()
    }

    @Test("watch prints a line for each update when nobody looks")
    func watch() async throws {
        let broker = try Broker()
        let (live, device) = try bridge(broker)
        let lines = try Program(["watch", "-h", "127.0.0.1", "-p", "\(broker.port)"])
        let json = try Program(["watch", "desk", "--json", "-h", "127.0.0.1", "-p", "\(broker.port)"])
        try lines.wait(for: "what is retained") {
            $0.outputText.contains(#"lamp/desk  lit  {"status":"Lit"}"#)
        }
        try json.wait(for: "what is retained") { $0.outputText.hasPrefix(#"{"id":"lamp/desk/"#) }
        try device.publish("lamp/attic", "1")
        try lines.wait(for: "an update") { $0.outputText.contains("lamp/attic  lit") }
        try device.publish("skerry/bridge/request/remove", "lamp/desk")
        try lines.wait(for: "the dismissal") { $0.outputText.contains("lamp/desk  dismissed") }
        try json.wait(for: "the dismissal") {
            $0.outputText.contains(#"{"device":"lamp/desk","dismissed":true}"#)
        }
        for program in [lines, json] {
            program.signal(SIGINT)
            #expect(try program.end() == 0)
        }
        #expect(!json.outputText.contains("attic"))
        await live.end()
    }

    @Test("play publishes the messages of tests, and says so")
    func play() throws {
        let broker = try Broker()
        let device = try BrokerClient(port: broker.port)
        try device.subscribe("lamp/#")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-play-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("lamp.yaml").path
        let tests = """

            tests:
              - name: on and off
                steps:
                  - send: { lamp/desk: 1 }
                  - wait: 1h
                  - send: { lamp/desk: 0 }
              - name: dimmed
                steps:
                  - send: { lamp/hall: 5 }
                  - event: snooze

            """
        try Data((Self.lamp + tests).utf8).write(to: URL(fileURLWithPath: file))
        let list = try run(broker, "play", file, "--list")
        #expect(list.output == "on and off (1h)\ndimmed (0s)\n" && list.status == 0, "\(list)")
        let none = try run(broker, "play", file, "--test", "nothing")
        #expect(none.status == 1 && none.errors.contains("there are:\n  on and off\n"), "\(none)")
        let played = try run(broker, "play", file, "--speed", "100000")
        #expect(played.status == 0, "\(played)")
        #expect(
            played.output.contains("# dimmed\n") && played.output.contains("skerry/lamp/hall/event  snooze")
        )
        try device.wait(forCount: 3)
        #expect(
            device.messages.map { "\($0.topic) \($0.text)" } == ["lamp/desk 1", "lamp/desk 0", "lamp/hall 5"]
        )
    }

    @Test("there is a page of the manual for every command, without an error of roff")
    func manual() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-manual-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = try Program(["manual", folder.path])
        #expect(try program.end() == 0)
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(
            pages.contains("skerry.1") && pages.contains("skerry-run.1") && !pages.contains("skerry-manual.1")
        )
        let run = try String(contentsOf: folder.appendingPathComponent("skerry-run.1"), encoding: .utf8)
        #expect(run.contains(".SH OPTIONS\n.TP\n.B \\-h, \\-\\-host <host>\n"))
        for page in pages {
            let text = try String(contentsOf: folder.appendingPathComponent(page), encoding: .utf8)
            let macros = text.split(separator: "\n").filter { $0.hasPrefix(".") }.map { $0.prefix(3) }
            #expect(
                Set(macros).isSubset(of: [".TH", ".SH", ".B ", ".BR", ".TP", ".PP", ".nf", ".fi"]),
                "\(page)"
            )
        }
    }
}
