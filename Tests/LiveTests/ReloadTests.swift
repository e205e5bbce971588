import Foundation
import SkerryDashboard
import SkerryTesting
import Testing

/// Definitions that change under a running `skerry run`.
@Suite(
    "Reloading as a process",
    .serialized,
    .enabled(if: Broker.isAvailable, "needs a mosquitto binary")
)
final class ReloadTests {
    static func lamp(kind: String = "lamp", lit: String = "lit", level: String = "level") -> String {
        """
        skerry: 1
        kind: \(kind)
        sources:
          - { topic: "\(kind)/{device}", signals: { on: payload.on, level: payload.level } }
          - { topic: "\(kind)/{device}/LWT", payload: text, available: payload == "online" }
        machine:
          states:
            dark: { always: { guard: on, target: \(lit) } }
            \(lit): { always: { guard: "!on", target: dark } }
        activity:
          starts: \(lit)
          ends: dark
          content: { level: \(level) }
          dismiss: immediate

        """
    }

    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-reload-\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var store: String { folder.appendingPathComponent("store/skerry.db").path }

    private func write(_ text: String, to name: String = "lamp.yaml") throws {
        try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }

    /// A bridge that has subscribed and shows a lamp.
    private func start(_ broker: Broker, _ reader: BrokerClient, from name: String? = nil) throws -> Program {
        let definitions = name.map { folder.appendingPathComponent($0) } ?? folder
        try Self.lamp().write(
            to: definitions.appendingPathComponent("lamp.yaml"),
            atomically: true,
            encoding: .utf8
        )
        try reader.publish("skerry/lamp/hall/event", "hello", isRetained: true)
        try reader.subscribe("skerry/#", keepsRetainFlag: true)
        let program = try Program([
            "run", "-h", "127.0.0.1", "-p", "\(broker.port)", "--definitions", definitions.path, "--store",
            store,
            "--log-format", "text",
        ])
        try program.wait(for: "the subscription") { $0.errorText.contains("a retained command") }
        try reader.publish("lamp/hall/LWT", "online")
        try reader.publish("lamp/hall", #"{"on":true,"level":1}"#)
        try reader.wait(for: "an activity") { $0.contains { $0.text.contains(#""content":{"level":1}"#) } }
        return program
    }

    private func check() throws -> (status: Int32, output: String) {
        let program = try Program(["check", folder.path, "--against", store])
        let status = try program.end()
        return (status, program.outputText)
    }

    @Test(
        "an edited file is read at once; a broken one changes nothing and is reported; so is a removed state"
    )
    func edited() throws {
        let broker = try Broker()
        let reader = try BrokerClient(port: broker.port)
        let program = try start(broker, reader)

        try write(Self.lamp(level: "level + 1"))
        try reader.wait(for: "the new content") {
            $0.contains { $0.text.contains(#""content":{"level":2}"#) }
        }
        try program.wait(for: "the change") {
            $0.errorText.contains("definitions: changed: lamp; 1 device goes on")
        }

        try write(Self.lamp(level: "levle"))
        try program.wait(for: "the refusal") { $0.errorText.contains("the former ones stay in force") }
        #expect(program.errorText.contains("lamp.yaml:13:21: error: "), "\(program.errorText)")
        #expect(try check().status == 1)
        try reader.publish("lamp/hall", #"{"on":true,"level":5}"#)
        try reader.wait(for: "the former definition") {
            $0.contains { $0.text.contains(#""content":{"level":6}"#) }
        }

        try write(Self.lamp(level: "level + 1"))
        try program.wait(for: "the mended file") { $0.errorText.contains("definitions: nothing has changed") }
        let fine = try check()
        #expect(fine.status == 0)
        #expect(fine.output.hasSuffix("lamp: 1 of 1 device would go on in their states\n"))

        try write(Self.lamp(lit: "bright"))
        try program.wait(for: "the move") {
            $0.errorText.contains("lamp/hall: lit no longer exists, starts in the initial state")
        }
        try reader.wait(for: "the new state") { $0.contains { $0.text.contains(#""state":"bright""#) } }
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")

        try write(Self.lamp(lit: "glowing"))
        let lost = try check()
        #expect(lost.status == 1)
        #expect(lost.output.contains("  lamp/hall: bright no longer exists, starts in the initial state\n"))
    }

    @Test("SIGHUP tells what of the settings is in force, and what waits for the next start")
    func settings() throws {
        let broker = try Broker()
        try write(Self.lamp())
        let config = folder.appendingPathComponent("skerry.yaml").path
        func settings(_ more: String) throws {
            let text = "mqtt: { host: 127.0.0.1, port: \(broker.port) }\nstore: { path: none }\n"
            try Data("\(text)definitions: \(folder.path)/lamp.yaml\n\(more)".utf8)
                .write(to: URL(fileURLWithPath: config))
        }
        let http = "http: { address: none, edit: true }\n"
        try settings(http)
        let program = try Program(["run", "--config", config, "--log-format", "json"])
        try program.wait(for: "the connection") { $0.errorText.contains(#""id":"connected""#) }
        try settings("\(http)place: { zone: UTC }\naudience: { lamp/hall: [Ada] }\n")
        program.signal(SIGHUP)
        try program.wait(for: "the audience") { $0.errorText.contains(#""id":"audience-changed""#) }
        try settings("\(http)names: { lamp/hall: Hall }\n")
        program.signal(SIGHUP)
        try program.wait(for: "the name") {
            $0.errorText.contains("definitions: other names, settings or place: lamp; 0 devices go on")
        }
        // The command line has the form of the log.
        try settings("http: { address: none }\nalerts: { freshness: 10 }\nlog: { format: text }\n")
        program.signal(SIGHUP)
        try program.wait(for: "those that wait") {
            $0.errorText.contains(#"count from the next start: alerts.freshness, http.edit""#)
        }
        try settings(http)
        let doubtful = Self.lamp().replacingOccurrences(of: "signals: {", with: "signals: { b: payload.b,")
        try write(doubtful)
        try program.wait(for: "a doubt") { $0.errorText.contains("nothing reads the signal 'b'") }
        let doubt = try #require(program.errorText.split(separator: "\n").last { $0.contains("signal 'b'") })
        #expect(doubt.contains(#""id":"definition-doubted""#))
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
    }

    @Test("SIGHUP moves the days of the page to another place")
    func days() throws {
        let broker = try Broker()
        try write(Self.lamp())
        let config = folder.appendingPathComponent("skerry.yaml").path
        let address = HTTPAddress(host: "127.0.0.1", port: try Broker.findFreePort())
        func settings(_ zone: String) throws {
            let text = "definitions: \(folder.path)/lamp.yaml\nplace: { zone: \(zone) }\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: config))
        }
        try settings("UTC")
        let program = try Program(
            ["run", "--config", config, "--log-format", "text", "-h", "127.0.0.1", "-p", "\(broker.port)"],
            environment: [
                "SKERRY_STORE_PATH": store, "SKERRY_HTTP_ADDRESS": "\(address)",
                "SKERRY_HTTP_ADMIN_TOKEN_FILE": folder.appendingPathComponent("admin-token").path,
            ]
        )
        try program.waitForPage()
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/#", keepsRetainFlag: true)
        try reader.publish("lamp/hall", #"{"on":true,"level":1}"#, isRetained: true)
        try reader.wait(for: "an activity") { $0.contains { $0.topic == "skerry/lamp/hall/activity" } }
        func beginning() throws -> Int {
            let answer = try DashboardClient(address: address, token: nil).ask("GET", "/v1/status")
            let status = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
            let days = try #require(status?["days"] as? [[String: Any]])
            return try #require(days.first?["from"] as? Int) % 86_400
        }
        #expect(try beginning() == 0)
        try settings("Etc/GMT-3")
        program.signal(SIGHUP)
        try program.wait(for: "SIGHUP") { $0.errorText.contains("definitions: ") }
        #expect(try beginning() == 75_600)
        #expect(!program.errorText.contains("who sees which devices"), "nobody has quiet hours")
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
    }

    @Test("a file that may be read at last is read at once", .enabled(if: geteuid() == 0, "changes users"))
    func permission() throws {
        let broker = try Broker()
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        try write(Self.lamp())
        let program = try Program(
            [
                "run", "-h", "127.0.0.1", "-p", "\(broker.port)", "--definitions", folder.path, "--store",
                "none", "--log-format", "text",
            ],
            launcher: ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups"]
        )
        try program.wait(for: "the connection") { $0.errorText.contains("connected") }
        let bulb = folder.appendingPathComponent("bulb.yaml")
        let isMade = files.createFile(
            atPath: bulb.path,
            contents: Data(Self.lamp(kind: "bulb").utf8),
            attributes: [.posixPermissions: 0o600]
        )
        #expect(isMade)
        try program.wait(for: "the refusal") { $0.errorText.contains("bulb.yaml: Permission denied") }
        try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: bulb.path)
        try program.wait(for: "the new kind") { $0.errorText.contains("definitions: new: bulb") }
        #expect(!program.errorText.contains("who sees which devices"))
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
    }

    @Test("a removed file ends its activities; a new one is subscribed to; SIGHUP reads all")
    func removed() throws {
        let broker = try Broker()
        let reader = try BrokerClient(port: broker.port)
        let program = try start(broker, reader)
        program.signal(SIGHUP)
        try program.wait(for: "SIGHUP") { $0.errorText.contains("definitions: nothing has changed") }

        try write(Self.lamp(kind: "bulb"), to: "bulb.yaml")
        try program.wait(for: "the new kind") {
            $0.errorText.contains("definitions: new: bulb; 1 device goes on")
        }
        try FileManager.default.removeItem(at: folder.appendingPathComponent("lamp.yaml"))
        try program.wait(for: "the end") {
            $0.errorText.contains("definitions: gone: lamp; 0 devices go on, 1 device ends")
        }
        try reader.wait(for: "empty topics") { messages in
            ["activity", "availability"].allSatisfy { topic in
                messages.last { $0.topic == "skerry/lamp/hall/\(topic)" }?.text.isEmpty == true
            }
        }
        #expect(reader.messages.contains { $0.text.contains(#""phase":"ended""#) })
        let info = try #require(reader.messages.last { $0.topic == "skerry/bridge/info" })
        #expect(info.text.contains("bulb") && !info.text.contains("lamp"))
        try reader.publish("bulb/hall", #"{"on":true,"level":1}"#)
        try reader.wait(for: "a bulb") { $0.contains { $0.topic == "skerry/bulb/hall/activity" } }

        try FileManager.default.removeItem(at: folder.appendingPathComponent("bulb.yaml"))
        try program.wait(for: "no definition") {
            $0.errorText.contains("there is no definition (*.yaml, *.skd) in")
        }
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
    }

    @Test("a definitions folder that is replaced is watched, even after it was missing for a while")
    func replacedFolder() throws {
        let broker = try Broker()
        let reader = try BrokerClient(port: broker.port)
        let files = FileManager.default
        let (devices, old) = (folder.appendingPathComponent("devices"), folder.appendingPathComponent("old"))
        try files.createDirectory(at: devices, withIntermediateDirectories: true)
        let program = try start(broker, reader, from: "devices")
        func expectLevel(_ level: Int) throws {
            try reader.wait(for: "level \(level)") {
                $0.contains { $0.text.contains("\"content\":{\"level\":\(level)}") }
            }
        }

        try files.createDirectory(at: folder.appendingPathComponent("new"), withIntermediateDirectories: true)
        try write(Self.lamp(level: "level + 1"), to: "new/lamp.yaml")
        try files.moveItem(at: devices, to: old)
        try program.wait(for: "no folder") { $0.errorText.contains("the former ones stay in force") }
        try files.moveItem(at: folder.appendingPathComponent("new"), to: devices)
        try expectLevel(2)
        try write(Self.lamp(level: "level + 2"), to: "devices/lamp.yaml")
        try expectLevel(3)

        try files.removeItem(at: devices)
        try files.createDirectory(at: devices, withIntermediateDirectories: true)
        try write(Self.lamp(level: "level + 3"), to: "devices/lamp.yaml")
        try expectLevel(4)
        try files.removeItem(at: devices)
        try write(Self.lamp(level: "level + 4"), to: "old/lamp.yaml")
        try files.createSymbolicLink(at: devices, withDestinationURL: old)
        try expectLevel(5)
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
    }

    @Test(
        "changes are noticed in spite of a loop of symbolic links, and of a pipe, which is only reported"
    )
    func loopsAndPipes() throws {
        let broker = try Broker()
        let reader = try BrokerClient(port: broker.port)
        let files = FileManager.default
        try files.createDirectory(
            at: folder.appendingPathComponent("devices"),
            withIntermediateDirectories: true
        )
        let program = try start(broker, reader, from: "devices")
        let (loop, pipe) = (
            folder.appendingPathComponent("devices/loop"), folder.appendingPathComponent("devices/pipe.yaml")
        )
        try files.createSymbolicLink(at: loop, withDestinationURL: folder.appendingPathComponent("devices"))
        try write(Self.lamp(level: "level + 1"), to: "devices/lamp.yaml")
        try reader.wait(for: "level 2") { $0.contains { $0.text.contains(#""content":{"level":2}"#) } }
        try files.removeItem(at: loop)

        #expect(mkfifo(pipe.path, 0o600) == 0)
        try program.wait(for: "the pipe") {
            $0.errorText.contains("pipe.yaml: it is a pipe, and only files are read here")
        }
        let check = try Program(["check", folder.appendingPathComponent("devices").path])
        #expect(try check.end() == 1)
        #expect(check.errorText.contains("it is a pipe"), "\(check.errorText)")
        try files.removeItem(at: pipe)
        try write(Self.lamp(level: "level + 2"), to: "devices/lamp.yaml")
        try reader.wait(for: "level 3") { $0.contains { $0.text.contains(#""content":{"level":3}"#) } }
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
    }
}
