import Foundation
import SkerryDashboard
import SkerryTesting
import Testing

/// Settings of single devices, and bases of definitions, that change under a running `skerry run`.
@Suite(
    "Settings of devices as a process",
    .serialized,
    .enabled(if: Broker.isAvailable, "needs a mosquitto binary")
)
final class DeviceSettingsTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-settings-\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("devices"),
            withIntermediateDirectories: true
        )
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, to name: String) throws {
        try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }

    private func part(title: String) -> String {
        """
        settings: { threshold: { default: 10, max: 100 } }
        sources: [{ topic: "plug/{device}", signals: { power: payload.power } }]
        machine:
          states:
            idle: { always: { guard: power > settings.threshold, target: running } }
            running: { title: \(title), always: { guard: power <= settings.threshold, target: idle } }
        activity:
          starts: running
          ends: idle
          attributes: { name: device.name }
          content: { status: state.title, limit: settings.threshold }

        """
    }

    private func settings(threshold: String, _ broker: Broker) -> String {
        """
        definitions: \(folder.path)/devices
        mqtt: { host: 127.0.0.1, port: \(broker.port) }
        http: { address: none }
        devices: { plug/cellar: { settings: { threshold: \(threshold) } } }
        names: { plug/cellar: Big washer }

        """
    }

    @Test("SIGHUP reads settings and names again, and a changed base changes what extends it")
    func reload() throws {
        let broker = try Broker()
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/#", keepsRetainFlag: true)
        try write(part(title: "Running"), to: "devices/_plug.yaml")
        try write("skerry: 1\nkind: plug\nextends: _plug.yaml\n", to: "devices/plug.yaml")
        let settings = { (threshold: String) in self.settings(threshold: threshold, broker) }
        try write(settings("50"), to: "skerry.yaml")
        let arguments = [
            "run", "--config", folder.path + "/skerry.yaml", "--store", folder.path + "/skerry.db",
            "--log-format", "text",
        ]
        let program = try Program(arguments)
        try reader.wait(for: "the bridge") {
            $0.contains { $0.topic == "skerry/bridge/state" && $0.text == "online" }
        }
        for device in ["attic", "cellar"] { try reader.publish("plug/\(device)", #"{"power":20}"#) }
        try reader.wait(for: "the plug with the default") { messages in
            messages.contains { $0.topic == "skerry/plug/attic/activity" && $0.text.contains(#""limit":10"#) }
        }
        #expect(!reader.messages.contains { $0.topic == "skerry/plug/cellar/activity" })

        try write(settings("500"), to: "skerry.yaml")
        program.signal(SIGHUP)
        try program.wait(for: "the refusal") { $0.errorText.contains("the former ones stay in force") }
        #expect(
            program.errorText.contains("skerry.yaml:4:50: 'threshold' must be at most 100, and this is 500")
        )

        try write(settings("15"), to: "skerry.yaml")
        program.signal(SIGHUP)
        try reader.wait(for: "the new threshold, and the name") { messages in
            messages.contains {
                $0.topic == "skerry/plug/cellar/activity" && $0.text.contains(#""name":"Big washer""#)
                    && $0.text.contains(#""limit":15"#)
            }
        }

        try write(part(title: "Washing"), to: "devices/_plug.yaml")
        try reader.wait(for: "the new title") { messages in
            ["attic", "cellar"].allSatisfy { device in
                messages.contains {
                    $0.topic == "skerry/plug/\(device)/activity" && $0.text.contains(#""status":"Washing""#)
                }
            }
        }
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")

        try write(settings("25"), to: "skerry.yaml")
        let next = try Program(arguments)
        try reader.wait(for: "the end by the threshold that changed meanwhile") { messages in
            messages.contains {
                $0.topic == "skerry/plug/cellar/activity" && $0.text.contains(#""phase":"ended""#)
            }
        }
        next.signal(SIGTERM)
        #expect(try next.end() == 0, "\(next.errorText)")
    }

    /// Writes a definition whose threshold has a greatest value.
    private func writePlug(greatest: Int) throws {
        let part = part(title: "Running").replacing("max: 100", with: "max: \(greatest)")
        try write("skerry: 1\nkind: plug\n" + part, to: "devices/plug.yaml")
    }

    /// Starts a bridge, the first one or a further one, and waits until its HTTP API and its subscriptions are there.
    private func start(
        _ broker: Broker,
        _ address: HTTPAddress,
        _ reader: BrokerClient,
        after count: Int = 0
    ) throws -> Program {
        try write(
            """
            definitions: \(folder.path)/devices
            mqtt: { host: 127.0.0.1, port: \(broker.port) }
            http: { admin-token-file: \(folder.path)/admin, edit: true }
            devices: { plug/attic: { settings: { threshold: 50 } } }

            """,
            to: "skerry.yaml"
        )
        let program = try Program(
            [
                "run", "--config", folder.path + "/skerry.yaml", "--store", folder.path + "/skerry.db",
                "--log-format", "text",
            ],
            environment: ["SKERRY_HTTP_ADDRESS": "\(address)"]
        )
        try program.waitForPage()
        try reader.wait(for: "the bridge") { messages in
            messages.filter { $0.topic == "skerry/bridge/state" && $0.text == "online" }.count > count
        }
        return program
    }

    private func end(_ program: Program) throws {
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
    }

    @Test func `a threshold and a name chosen while it runs have an effect, and stay after a restart`() throws
    {
        let broker = try Broker()
        let address = HTTPAddress(host: "127.0.0.1", port: try Broker.findFreePort())
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/#", keepsRetainFlag: true)
        try writePlug(greatest: 100)
        let program = try start(broker, address, reader)
        let has = { (phase: String, limit: Int) in
            { (messages: [BrokerClient.Message]) in
                messages.contains { message in
                    message.topic == "skerry/plug/cellar/activity" && message.text.contains(phase)
                        && message.text.contains("\"limit\":\(limit)")
                }
            }
        }
        for device in ["attic", "cellar"] { try reader.publish("plug/\(device)", #"{"power":60}"#) }
        try reader.wait(for: "the plug with the default", until: has("active", 10))

        let token = try String(contentsOfFile: folder.path + "/admin", encoding: .utf8)
        let client = DashboardClient(address: address, token: token.trimmingCharacters(in: .newlines))
        let body = Array(#"{"settings":{"threshold":80}}"#.utf8)
        #expect(try client.ask("PUT", "/v1/devices/plug/cellar/settings", body: body).status == 200)
        try reader.wait(for: "the end by the new threshold", until: has("ended", 80))
        #expect(try client.ask("PUT", "/v1/devices/plug/attic/settings", body: body).status == 409)
        try reader.publish("skerry/bridge/request/rename", #"{"from":"plug/cellar","to":"Big plug"}"#)
        let renamed = #"{"status":"ok","data":{"from":"plug/cellar","to":"Big plug"}}"#
        try reader.wait(for: "the new name") { $0.contains { $0.text == renamed } }
        try end(program)

        let next = try start(broker, address, reader, after: 1)
        try reader.publish("plug/cellar", #"{"power":90}"#)
        try reader.wait(for: "the threshold and the name that stayed") { messages in
            has("active", 80)(messages.filter { $0.text.contains(#""name":"Big plug""#) })
        }

        // A choice that no longer fits prevents neither a reload nor a start.
        try writePlug(greatest: 70)
        let warning = "skerry.db.devices:4:41: 'threshold' must be at most 70, and this is 80"
        try next.wait(for: "the warning") { $0.errorText.contains(warning) }
        try reader.wait(for: "the default", until: has("active", 10))
        try end(next)
        let last = try start(broker, address, reader, after: 2)
        try last.wait(for: "the warning of the start") { $0.errorText.contains(warning) }
        try end(last)
    }
}
