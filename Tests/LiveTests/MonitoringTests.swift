import Foundation
import SkerryDashboard
import SkerryGateway
import SkerryTesting
import Testing

/// What those see who watch over gateways: numbers, alerts and the dashboard.
@Suite("Monitoring", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
struct MonitoringTests {
    private static let folder = Files.package.appendingPathComponent("packaging/monitoring")

    /// Where promtool is; nil where it can't be had.
    private static let promtool: String? = {
        let found = try? run("/bin/bash", ["scripts/debian-tool", "prometheus", "usr/bin/promtool"])
        return found?.status == 0 ? found?.output.split(separator: "\n").last.map(String.init) : nil
    }()

    private static func run(
        _ tool: String,
        _ words: [String],
        input: String = "",
        in folder: URL = Files.package
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = words
        process.currentDirectoryURL = folder
        let (output, given) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = output
        process.standardInput = given
        try process.run()
        try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try given.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    /// The names of metrics in a text; those of a histogram without their endings.
    private static func names(in text: String) -> Set<String> {
        let words = text.matches(of: /\b(?:skerry|process)_[a-z_]+\b/).map { String($0.output) }
        return Set(words.map { $0.replacing(/(?:seconds)_(?:bucket|sum|count)$/, with: "seconds") })
    }

    /// The numbers of a bridge that has had some traffic.
    private static func served() throws -> String {
        let broker = try Broker()
        defer { broker.discard() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-metrics-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let port = try Broker.findFreePort()
        let token = folder.appendingPathComponent("metrics-token")
        try Data("0123456789abcdef0123456789abcdef\n".utf8).write(to: token)
        let bridge = try Program(
            RunTests.arguments(broker),
            environment: [
                "SKERRY_STORE_PATH": folder.appendingPathComponent("skerry.db").path,
                "SKERRY_HTTP_ADDRESS": "127.0.0.1:\(port)", "SKERRY_HTTP_PROXIES": "127.0.0.1",
                "SKERRY_HTTP_ADMIN_TOKEN_FILE": folder.appendingPathComponent("admin-token").path,
                "SKERRY_HTTP_METRICS_TOKEN_FILE": token.path,
                "SKERRY_SINKS_WEBHOOK_URL": "http://127.0.0.1:1",
            ]
        )
        try bridge.waitForPage()
        let device = try BrokerClient(port: broker.port)
        try device.subscribe("skerry/#", keepsRetainFlag: true)
        try device.publish("opensprinkler/station/4", "{garbage", isRetained: true)
        // What comes before the message of which the activity tells has been handled with it.
        try device.publish("opensprinkler/station/3", #"{"state":1,"duration":600}"#, isRetained: true)
        try device.wait(for: "an activity") { $0.contains { $0.topic == "skerry/sprinkler/3/activity" } }
        let client = DashboardClient(
            address: HTTPAddress(host: "127.0.0.1", port: port),
            token: "0123456789abcdef0123456789abcdef"
        )
        let answer = try client.ask("GET", "/metrics")
        #expect(answer.status == 200)
        #expect(try client.ask("GET", "/v1/status").status == 401, "the token opens the numbers alone")
        bridge.signal(SIGTERM)
        #expect(try bridge.end() == 0)
        return String(decoding: answer.body, as: UTF8.self)
    }

    @Test("a bridge serves what is declared, and promtool has nothing against it")
    func metrics() throws {
        let text = try Self.served()
        let heads = text.matches(of: #/(?m)^\# TYPE (\S+) /#).map { String($0.1) }
        #expect(Set(heads).count == heads.count, "each family comes once")
        // Without phones and without a shared store there is nothing to say about them.
        let absent: Set = [
            "skerry_pushes_sent_total", "skerry_pushes_accepted_total", "skerry_pushes_refused_total",
            "skerry_lease_remaining_seconds",
        ]
        #expect(Set(heads) == Set(MetricFamily.all.map(\.name)).subtracting(absent))
        for line in [
            "skerry_active 1", "skerry_devices{kind=\"sprinkler\"} ", "skerry_broker_connected 1",
            "skerry_payloads_refused_total{kind=\"sprinkler\"} 1", "skerry_sinks_waiting{sink=\"webhook\"}",
            "skerry_store_size_bytes{file=\"phones\"}",
        ] { #expect(text.contains("\n\(line)"), "\(line)\n\(text)") }
        guard let promtool = Self.promtool else {
            print("skipped: promtool can't be had, so its rules are not applied")
            return
        }
        let found = try Self.run(promtool, ["check", "metrics"], input: text)
        #expect(found.status == 0 && found.output.isEmpty, "\(found.output)")
    }

    @Test("the alerts are right, and each has a test of its own")
    func rules() throws {
        guard let promtool = Self.promtool else {
            print("skipped: promtool can't be had, so the alerts are not tried")
            return
        }
        let check = try Self.run(promtool, ["check", "rules", "skerry.rules.yaml"], in: Self.folder)
        #expect(check.status == 0, "\(check.output)")
        let test = try Self.run(promtool, ["test", "rules", "skerry.rules.test.yaml"], in: Self.folder)
        #expect(test.status == 0 && test.output.contains("SUCCESS"), "\(test.output)")
        let alerts = try Self.text("skerry.rules.yaml").matches(of: /- alert: (\w+)/).map { String($0.1) }
        let tests = try Self.text("skerry.rules.test.yaml")
        for alert in alerts {
            let fires = try Regex("alertname: \(alert)\\n +exp_alerts:")
            #expect(tests.contains(fires), "\(alert) is never seen to fire")
        }
        let page = try String(
            contentsOf: Files.package.appendingPathComponent("docs/how-to/monitoring.md"),
            encoding: .utf8
        )
        for alert in alerts { #expect(page.contains("`\(alert)`"), "\(alert) is not explained") }
    }

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    @Test("alerts, dashboard and docs name metrics that there are, and the docs all of them")
    func namesAgree() throws {
        let known = Set(MetricFamily.all.map(\.name))
        for file in ["skerry.rules.yaml", "skerry.rules.test.yaml", "skerry.dashboard.json"] {
            let names = Self.names(in: try Self.text(file))
            #expect(!names.isEmpty)
            #expect(names.subtracting(known).isEmpty, "\(file): \(names.subtracting(known))")
        }
        let page = try String(
            contentsOf: Files.package.appendingPathComponent("docs/how-to/monitoring.md"),
            encoding: .utf8
        )
        let rows = page.matches(of: /(?m)^\| `([a-z_]+)`/).map { String($0.1) }
        #expect(Set(rows) == known, "\(Set(rows).symmetricDifference(known))")
        let dashboard = try JSONSerialization.jsonObject(with: Data(Self.text("skerry.dashboard.json").utf8))
        let panels = (dashboard as? [String: Any])?["panels"] as? [[String: Any]] ?? []
        #expect(panels.count > 20)
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
    }

    @Test(
        "a gateway that stands by has its numbers, and is alive but not ready; then it takes over at the same address",
        .enabled(if: PostgresServer.isAvailable, "needs PostgreSQL")
    )
    func standby() throws {
        let broker = try Broker()
        defer { broker.discard() }
        let server = try PostgresServer()
        let database = try server.makeDatabase()
        func gateway(_ port: Int) throws -> Program {
            try Program(
                ["run", "-h", "127.0.0.1", "-p", "\(broker.port)", "-d", "devices/washer-plug.yaml"],
                environment: [
                    "SKERRY_STORE_PATH": database, "SKERRY_STORE_LEASE": "3",
                    "XDG_STATE_HOME": server.directory, "SKERRY_HTTP_ADDRESS": "127.0.0.1:\(port)",
                ]
            )
        }
        let ports = [try Broker.findFreePort(), try Broker.findFreePort()]
        let first = try gateway(ports[0])
        try first.waitForPage()
        let second = try gateway(ports[1])
        try second.wait(for: "its turn") { $0.errorText.contains("standby: ") }
        let client = DashboardClient(address: HTTPAddress(host: "127.0.0.1", port: ports[1]))
        func ask(_ path: String) throws -> DashboardClient.Answer {
            while true {
                do throws(DashboardClient.Fault) {
                    return try client.ask("GET", path)
                } catch {
                    guard error.isRefused, second.isRunning else { throw error }
                    try second.listen(for: 100)
                }
            }
        }
        let metrics = String(decoding: try ask("/metrics").body, as: UTF8.self)
        #expect(metrics.contains("\nskerry_active 0\n"), "\(metrics)")
        #expect(metrics.contains("\nprocess_resident_memory_bytes "))
        #expect(!metrics.contains("skerry_devices"))
        #expect(try ask("/healthz").status == 200)
        let ready = try ask("/readyz")
        #expect(ready.status == 503 && String(decoding: ready.body, as: UTF8.self).contains("stands by"))
        #expect(try ask("/v1/devices").status == 503)
        first.signal(SIGTERM)
        #expect(try first.end() == 0)
        try second.wait(for: "its page") {
            $0.errorText.contains("the page is on http://127.0.0.1:\(ports[1])")
        }
        let active = String(decoding: try ask("/metrics").body, as: UTF8.self)
        #expect(active.contains("\nskerry_active 1\n"))
        #expect(active.contains("\nskerry_lease_remaining_seconds "))
        second.signal(SIGTERM)
        #expect(try second.end() == 0)
    }
}
