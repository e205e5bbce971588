import Foundation
import SkerryDashboard
import SkerryTesting
import Testing

/// Devices that are found on a real broker.
@Suite("Discovery as a process", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
final class DiscoverTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-discover-\(UUID())")
    private let broker: Broker
    private let house: BrokerClient

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        broker = try Broker()
        house = try BrokerClient(port: broker.port)
        try house.publish("opensprinkler/station/lawn", #"{"state":1,"duration":600}"#, isRetained: true)
        try house.publish("plug/washingmachine/cellar/power", "3", isRetained: true)
        try house.publish("zigbee2mqtt/lamp", #"{"state":"ON","brightness":12}"#, isRetained: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var address: [String] { ["-h", "127.0.0.1", "-p", "\(broker.port)"] }

    private func discover(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
        try Program.run(["discover", "--seconds", "1"] + address + arguments)
    }

    @Test func `devices are listed with what they would show, and others with what to do`() throws {
        let found = try discover()
        #expect(found.status == 0, "\(found.errors)")
        let lines = found.output.split(separator: "\n")
        #expect(
            lines.contains {
                $0.hasPrefix("sprinkler/lawn") && $0.contains("certain") && $0.contains("Watering")
            }
        )
        #expect(lines.contains { $0.hasPrefix("washer-plug/cellar") && $0.contains("likely") })
        #expect(found.output.contains("skerry record zigbee2mqtt/+ > day.jsonl"))
        #expect(found.output.contains("skerry new KIND --from day.jsonl --topic 'zigbee2mqtt/{device}'"))
        #expect(found.errors.isEmpty)
    }

    @Test func `their definitions are copied, and files that are there are left as they are`() throws {
        let copies = folder.appendingPathComponent("devices")
        try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
        let own = copies.appendingPathComponent("sprinkler.yaml")
        try "kind: mine\n".write(to: own, atomically: true, encoding: .utf8)
        let found = try discover("--write", copies.path)
        #expect(found.status == 0)
        #expect(found.errors.contains("sprinkler.yaml: is there, and left as it is\n"))
        #expect(found.errors.contains("washer-plug.yaml: written\n"))
        #expect(try String(contentsOf: own, encoding: .utf8) == "kind: mine\n")
        let names = try FileManager.default.contentsOfDirectory(atPath: copies.path).sorted()
        // With the part that it extends.
        #expect(names == ["_plug.yaml", "sprinkler.yaml", "washer-plug.yaml"])
    }

    @Test func `a bridge adopts what is certain, and knows it after a restart`() throws {
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/#", keepsRetainFlag: true)
        let store = folder.appendingPathComponent("skerry.db").path
        let arguments =
            ["run", "--definitions", "auto", "--store", store, "--log-format", "text"] + address
        let program = try Program(arguments)
        try program.wait(for: "the adoption") { $0.errorText.contains("definitions: new: sprinkler") }
        try reader.wait(for: "an activity") { $0.contains { $0.topic == "skerry/sprinkler/lawn/activity" } }
        try program.wait(for: "the plug") { $0.errorText.contains("may be washer-plug/cellar") }
        #expect(program.errorText.contains("found sprinkler/lawn by opensprinkler/station/lawn"))
        #expect(!program.errorText.contains("definitions: new: washer"))
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")

        try house.publish("opensprinkler/station/lawn", "", isRetained: true)
        let again = try Program(arguments)
        try again.wait(for: "the start") { $0.errorText.contains("connected") }
        #expect(again.errorText.contains("1 definition in the ones that come with Skerry"))
        again.signal(SIGTERM)
        #expect(try again.end() == 0, "\(again.errorText)")
    }

    @Test
    func `a file with errors in a folder keeps no device from being adopted, and each find is told once`()
        throws
    {
        let own = folder.appendingPathComponent("own")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/#", keepsRetainFlag: true)
        try house.publish("opensprinkler/station/lawn", "", isRetained: true)
        let program = try Program(
            ["run", "--definitions", "auto", "--definitions", own.path, "--log-format", "text"] + address
        )
        try program.wait(for: "the scout") { $0.errorText.contains("may be washer-plug/cellar") }
        try "skerry: 1\nkind: broken\n".write(
            to: own.appendingPathComponent("broken.yaml"),
            atomically: true,
            encoding: .utf8
        )
        program.signal(SIGHUP)
        try program.wait(for: "the refusal") { $0.errorText.contains("the former ones stay in force") }
        for duration in 600..<640 {
            try house.publish("opensprinkler/station/lawn", #"{"state":1,"duration":\#(duration)}"#)
        }
        try program.wait(for: "the adoption") { $0.errorText.contains("definitions: new: sprinkler") }
        // Retained, because the subscription may come later than the word of the new definition.
        try house.publish("opensprinkler/station/lawn", #"{"state":1,"duration":600}"#, isRetained: true)
        try reader.wait(for: "an activity") { $0.contains { $0.topic == "skerry/sprinkler/lawn/activity" } }
        #expect(program.errorText.components(separatedBy: "is adopted").count == 2, "\(program.errorText)")
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
    }

    /// Starts a bridge in the folder of the test, with a page.
    private func run(_ port: Int, _ arguments: String..., broker: Int? = nil) throws -> Program {
        try Program(
            ["run", "-h", "127.0.0.1", "-p", "\(broker ?? self.broker.port)"] + arguments,
            launcher: ["/usr/bin/env", "-C", folder.path],
            environment: [
                "SKERRY_HTTP_ADDRESS": "127.0.0.1:\(port)",
                "SKERRY_HTTP_ADMIN_TOKEN_FILE": folder.appendingPathComponent("admin").path,
            ]
        )
    }

    private func end(_ program: Program) throws {
        program.signal(SIGTERM)
        #expect(try program.end() == 0, "\(program.errorText)")
    }

    @Test func `where nobody names definitions, what is certain is adopted, also beside later definitions`()
        throws
    {
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/#", keepsRetainFlag: true)
        let port = try Broker.findFreePort()
        let program = try run(port, "--store", folder.appendingPathComponent("skerry.db").path)
        try reader.wait(for: "an activity") { $0.contains { $0.topic == "skerry/sprinkler/lawn/activity" } }
        try program.wait(for: "the notice") {
            $0.errorText.contains("there is no definition in devices yet: devices that are")
        }
        #expect(!reader.messages.contains { $0.topic.contains("washer") })
        let own = folder.appendingPathComponent("devices")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Files.package.appendingPathComponent("devices/order-pizza.yaml"),
            to: own.appendingPathComponent("order-pizza.yaml")
        )
        try program.wait(for: "the folder") { $0.errorText.contains("definitions: new: order-pizza") }
        try end(program)

        let again = try run(port, "--store", folder.appendingPathComponent("skerry.db").path)
        try again.wait(for: "the start") { $0.errorText.contains("connected") }
        #expect(again.errorText.contains("2 definitions in devices, the ones that come with Skerry"))
        try end(again)

        // Started where neither definition is known, it would forget the sprinkler.
        try FileManager.default.removeItem(at: own)
        try FileManager.default.removeItem(at: folder.appendingPathComponent("skerry.db.adopted"))
        let lost = try run(port, "--store", folder.appendingPathComponent("skerry.db").path)
        #expect(try lost.end() == 1)
        #expect(lost.errorText.contains("has sprinkler/lawn, which would be forgotten"))
        // Neither does it when its settings name `auto` beside the folder, from which a drive may be missing.
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        try "definitions: [auto, \(own.path)]\n".write(
            to: folder.appendingPathComponent("skerry.yaml"),
            atomically: true,
            encoding: .utf8
        )
        let mounted = try run(port, "--store", folder.appendingPathComponent("skerry.db").path)
        #expect(try mounted.end() == 1, "\(mounted.errorText)")
        #expect(mounted.errorText.contains("has sprinkler/lawn, which would be forgotten"))
        let wanted = try run(port, "--store", folder.appendingPathComponent("skerry.db").path, "-d", "auto")
        try wanted.wait(for: "the start") { $0.errorText.contains("connected") }
        try end(wanted)
    }

    @Test func `a definition whose use can't be kept is not used`() throws {
        let port = try Broker.findFreePort()
        let store = folder.appendingPathComponent("skerry.db").path
        try FileManager.default.createDirectory(atPath: store + ".adopted", withIntermediateDirectories: true)
        let program = try run(port, "--store", store)
        try program.waitForPage()
        try program.wait(for: "the sprinkler") { $0.errorText.contains("definitions: new: sprinkler") }
        let token = try AdminSecret(readFrom: folder.appendingPathComponent("admin").path).text
        let address = HTTPAddress(host: "127.0.0.1", port: port)
        let client = DashboardClient(address: address, token: token)
        let body = Array(#"{"decision":"use"}"#.utf8)
        let answer = try client.ask("PUT", "/v1/found/washer-plug/cellar", body: body)
        #expect(answer.status == 503, "\(String(decoding: answer.body, as: UTF8.self))")
        let definitions = String(decoding: try client.ask("GET", "/v1/definitions").body, as: UTF8.self)
        #expect(definitions.contains("sprinkler") && !definitions.contains("washer-plug"))
        // What could not be read is not written over.
        let attributes = try FileManager.default.attributesOfItem(atPath: store + ".adopted")
        #expect(attributes[.type] as? FileAttributeType == .typeDirectory)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("mend or remove it"))
        try end(program)
    }

    @Test func `a folder that is named and empty is no error, and nothing is adopted`() throws {
        let own = folder.appendingPathComponent("own")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        let program = try run(try Broker.findFreePort(), "--definitions", own.path)
        try program.wait(for: "the connection") { $0.errorText.contains("connected") }
        #expect(program.errorText.contains("there is no definition in \(own.path) yet: no device is shown"))
        program.signal(SIGHUP)
        try FileManager.default.copyItem(
            at: Files.package.appendingPathComponent("devices/sprinkler.yaml"),
            to: own.appendingPathComponent("sprinkler.yaml")
        )
        try program.wait(for: "the definition") { $0.errorText.contains("definitions: new: sprinkler") }
        #expect(!program.errorText.contains("is adopted") && !program.errorText.contains("can't be used"))
        try end(program)
        let missing = try run(try Broker.findFreePort(), "--definitions", own.path + "/typo")
        #expect(try missing.end() == 1)
    }

    @Test func `without a broker and a definition the page is there, and says what the broker says`() throws {
        let port = try Broker.findFreePort()
        let program = try run(port, broker: 1)
        try program.waitForPage()
        try program.wait(for: "the fault") {
            $0.errorText.contains("127.0.0.1:1") && $0.errorText.contains("refused")
        }
        let address = HTTPAddress(host: "127.0.0.1", port: port)
        let token = try AdminSecret(readFrom: folder.appendingPathComponent("admin").path).text
        let answer = try DashboardClient(address: address, token: token).ask("GET", "/v1/status")
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains(#""connected":false"#) && text.contains(#""problem":"#), "\(text)")
        try end(program)
    }

    @Test func `the page describes what could be adopted in the language of the bridge`() throws {
        try "language: de\n".write(
            to: folder.appendingPathComponent("skerry.yaml"),
            atomically: true,
            encoding: .utf8
        )
        let port = try Broker.findFreePort()
        let program = try run(port)
        try program.waitForPage()
        let token = try AdminSecret(readFrom: folder.appendingPathComponent("admin").path).text
        let client = DashboardClient(address: HTTPAddress(host: "127.0.0.1", port: port), token: token)
        let answer = try client.ask("GET", "/v1/found/washer")
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains(#""title":"Die Waschmaschine schweigt""#))
        try end(program)
    }

    @Test func `a broker that is not there, and a recording that is none, have their exit statuses`() throws {
        #expect(try Program(["discover", "-h", "127.0.0.1", "-p", "1"]).end() == 69)
        #expect(try Program(["discover", "--recording", "Package.swift"]).end() == 1)
        #expect(try Program(["discover", "--seconds", "0"]).end() == 64)
    }
}
