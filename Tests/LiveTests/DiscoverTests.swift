import Foundation
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
        let program = try Program(["discover", "--seconds", "1"] + address + arguments)
        return (try program.end(), program.outputText, program.errorText)
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

    @Test func `without a definition it is told what is there and what to do`() throws {
        let program = try Program(["run", "--definitions", folder.path] + address)
        #expect(try program.end() == 1)
        #expect(
            program.errorText.hasPrefix("skerry: there is no definition (*.yaml, *.skd) in \(folder.path)\n")
        )
        #expect(program.errorText.contains("sprinkler/lawn"))
        #expect(program.errorText.contains("definitions: auto"))
    }

    @Test func `a broker that is not there, and a recording that is none, have their exit statuses`() throws {
        #expect(try Program(["discover", "-h", "127.0.0.1", "-p", "1"]).end() == 69)
        #expect(try Program(["discover", "--recording", "Package.swift"]).end() == 1)
        #expect(try Program(["discover", "--seconds", "0"]).end() == 64)
    }
}
