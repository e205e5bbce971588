import Foundation
import SkerryDashboard
import SkerryTesting
import Testing

/// `skerry run` as a service manager sees it.
@Suite("The bridge as a service", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
struct ServiceTests {
    static func program(_ port: Int, _ listener: NotifyListener) throws -> Program {
        try Program(
            ["run", "-h", "127.0.0.1", "-p", "\(port)", "--log-format", "json"] + Files.options,
            environment: ["NOTIFY_SOCKET": listener.name, "WATCHDOG_USEC": "200000"]
        )
    }

    @Test("it is ready before it connects, reports connection and loss, gives signs of life, and stops")
    func life() throws {
        let listener = try NotifyListener(isAbstract: true)
        let broker = try Broker()
        let program = try Self.program(broker.port, listener)
        let start = try listener.wait(for: "the connection") { $0.hasPrefix("STATUS=") }
        #expect(start.first == "READY=1")
        #expect(start.last == "STATUS=connected to 127.0.0.1:\(broker.port)")
        for _ in 0..<3 { try listener.wait(for: "a sign of life") { $0 == "WATCHDOG=1" } }
        broker.kill()
        try listener.wait(for: "the loss") { $0.hasPrefix("STATUS=not connected: ") }
        try listener.wait(for: "a sign of life without a broker") { $0 == "WATCHDOG=1" }
        program.signal(SIGTERM)
        try listener.wait(for: "the end") { $0 == "STOPPING=1" }
        #expect(try program.end() == 0, "\(program.errorText)")
        #expect(!program.errorText.contains("service manager"), "\(program.errorText)")
    }

    @Test("a broker that was chosen on the page is one more beginning of the same process, and no end")
    func chosenBroker() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("skerry-broker-\(UInt64.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let address = HTTPAddress(host: "127.0.0.1", port: try Broker.findFreePort())
        let settings = """
            mqtt: { host: 127.0.0.1, port: 1, username: somebody }
            store: { path: \(folder.path)/skerry.db }
            http: { address: "\(address)", admin-token-file: \(folder.path)/admin }
            """
        let file = folder.appendingPathComponent("skerry.yaml")
        try settings.write(to: file, atomically: true, encoding: .utf8)
        let listener = try NotifyListener(isAbstract: true)
        let broker = try Broker()
        func start(_ environment: [String: String] = [:]) throws -> Program {
            let own = ["NOTIFY_SOCKET": listener.name, "WATCHDOG_USEC": "10000000"]
            let words = ["run", "--config", file.path, "--definitions", "devices/washer.yaml"]
            // The settings of the file, and not those that programs of tests usually have.
            let program = try Program(
                words,
                launcher: ["/usr/bin/env", "-u", "SKERRY_STORE_PATH", "-u", "SKERRY_HTTP_ADDRESS"],
                environment: own.merging(environment) { $1 }
            )
            // It connects to the broker beside that.
            try program.waitForPage()
            return program
        }
        let program = try start()
        try listener.wait(for: "the fault") { $0.hasPrefix("STATUS=not connected: ") }
        let token = try AdminSecret(readFrom: folder.appendingPathComponent("admin").path).text
        let client = DashboardClient(address: address, token: token)
        let body = Array(#"{"host":"127.0.0.1","port":\#(broker.port)}"#.utf8)
        #expect(try client.ask("PUT", "/v1/broker", body: body).status == 200)
        let notices = try listener.wait(for: "the connection") { $0.hasPrefix("STATUS=connected to ") }
        #expect(notices.contains("READY=1") && !notices.contains("STOPPING=1"), "\(notices)")
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
        #expect(program.errorText.contains("chosen on the page"), "\(program.errorText)")

        // It is there at the next start, and what outranks it is not touched.
        let next = try start(["SKERRY_MQTT_USERNAME": "ada"])
        try listener.wait(for: "the connection") { $0.hasPrefix("STATUS=connected to ") }
        let problem = String(decoding: try client.ask("PUT", "/v1/broker", body: body).body, as: UTF8.self)
        #expect(problem.contains("broker-outranked") && problem.contains("SKERRY_MQTT_USERNAME"))
        next.signal(SIGTERM)
        #expect(try next.end() == 0, "\(next.errorText)")

        // Another broker gets neither the user nor the password of this one.
        let elsewhere = try start(["SKERRY_MQTT_PORT": "2"])
        try listener.wait(for: "the fault") { $0.hasPrefix("STATUS=not connected: ") }
        let told = String(decoding: try client.ask("GET", "/v1/broker").body, as: UTF8.self)
        #expect(told.contains(#""port":2"#) && told.contains(#""username":"somebody""#), "\(told)")
        elsewhere.signal(SIGTERM)
        #expect(try elsewhere.end() == 0, "\(elsewhere.errorText)")
        #expect(!elsewhere.errorText.contains("chosen on the page"), "\(elsewhere.errorText)")
    }
}
