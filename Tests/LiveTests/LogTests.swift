import Foundation
import SkerryTesting
import Testing

/// A bridge whose log goes nowhere.
@Suite("Logs", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
struct LogTests {
    @Test("a log that can't be written, as on a full disk, does not end the bridge")
    func fullDisk() throws {
        let broker = try Broker()
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/#", keepsRetainFlag: true)
        let program = try Program(
            RunTests.arguments(broker),
            errorFile: FileHandle(forWritingAtPath: "/dev/full")
        )
        try reader.wait(for: "online") { RunTests.states($0) == ["online"] }
        // The bridge subscribes after its first words; what is retained waits for it.
        try reader.publish("opensprinkler/station/3", "{garbage", isRetained: true)
        try reader.publish("opensprinkler/station/4", #"{"state":1,"duration":600}"#, isRetained: true)
        try reader.wait(for: "an activity") { $0.contains { $0.topic == "skerry/sprinkler/4/activity" } }
        program.signal(SIGTERM)
        #expect(try program.end() == 0)
    }

    @Test(
        "each line of a JSON log is JSON, also those that say why the bridge ends, and with which status it does"
    )
    func fatal() throws {
        let broker = try Broker()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-log-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String, _ text: String) throws -> String {
            let place = folder.appendingPathComponent(name)
            try Data(text.utf8).write(to: place)
            return place.path
        }
        let wrong = try file("wrong.yaml", "log: { format: json }\nmqtt: { hots: a, port: many }\n")
        let definition = try file("lamp.yaml", "skerry: 1\nkind: lamp\nmachine: { initial: none }\n")
        let json = ["run", "--log-format", "json", "-h", "127.0.0.1", "-p", "\(broker.port)"]
        let taken = ["SKERRY_HTTP_ADDRESS": "127.0.0.1:\(broker.port)", "STATE_DIRECTORY": folder.path]
        let webhook = ["SKERRY_SINKS_WEBHOOK_URL": "http://127.0.0.1:1", "SKERRY_SINKS_WEBHOOK_SECRET": "a"]
        let cases: [(arguments: [String], environment: [String: String], status: Int32, message: String)] = [
            (["run", "-c", wrong], ["SKERRY_LOG_FORMAT": "json"], 64, "unknown key 'hots'"),
            (json + ["--prefix", "a/#"], [:], 64, "can't begin topics"),
            (json + ["-d", definition], [:], 1, "lamp.yaml"),
            (json + ["-d", folder.path + "/none"], [:], 1, "/none"),
            (json + Files.options + ["--store", "/proc/none/s.db"], [:], 75, "/proc/none"),
            (
                json + Files.options, taken, 75,
                ":\(broker.port)"
            ),
            (
                json + Files.options, ["SKERRY_MQTT_HOTS": "a", "SKERRY_MQTT_PASSWORD_FILE": "/none"], 64,
                "/none"
            ),
            (json + Files.options, webhook, 69, "sinks.webhook.secret"),
        ]
        for (arguments, environment, status, message) in cases {
            let program = try Program(arguments, environment: environment)
            #expect(try program.end() == status, "\(arguments): \(program.errorText)")
            let lines = try program.errorText.split(separator: "\n").map {
                try #require(
                    try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String],
                    "\($0)"
                )
            }
            for line in lines {
                #expect(Set(line.keys) == ["time", "level", "logger", "id", "message"])
                #expect(
                    line["time"]?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil,
                    "\(line)"
                )
            }
            #expect(
                lines.contains { $0["level"] == "error" && $0["message"]?.contains(message) == true },
                "\(lines)"
            )
        }
    }
}

/// The demonstration, ended by its reader.
@Suite("The demonstration", .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
struct DemonstrationTests {
    @Test("leaves no broker behind when its output is closed")
    func closedPipe() throws {
        let output = Pipe()
        try output.fileHandleForReading.close()
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("skerry-demo-\(ProcessInfo.processInfo.globallyUniqueString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = try Program(
            ["demo", "--speed", "1000"],
            environment: ["TMPDIR": folder.path],
            outputPipe: output
        )
        #expect(try program.end() == 0, "\(program.errorText)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
}
