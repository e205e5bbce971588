import Foundation
import SkerryTesting
import Testing

/// `skerry history` beside a bridge that runs.
@Suite("The history as a process", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
final class HistoryTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-history-\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var store: String { folder.appendingPathComponent("skerry.db").path }

    @Test("a run that has ended is a line for people, and an object for programs")
    func lines() throws {
        let broker = try Broker()
        try RunTests.plantCommand(broker)
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/#")
        let bridge = try Program(RunTests.arguments(broker) + ["--store", store])
        try bridge.wait(for: "the subscription") { $0.errorText.contains("a retained command") }
        let empty = try Program(["history", "--store", store])
        #expect(try empty.end() == 0)
        #expect(empty.outputText.isEmpty)
        #expect(empty.errorText == "nothing has ended yet\n")
        try reader.publish("opensprinkler/station/3", #"{"state":1,"duration":600}"#)
        try reader.publish("opensprinkler/station/3", #"{"state":0,"duration":600}"#)
        try reader.wait(for: "the end") { $0.contains { $0.text.contains(#""phase":"ended""#) } }

        let table = try Program(["history", "sprinkler/3", "--store", store], environment: ["TZ": "UTC"])
        #expect(try table.end() == 0)
        let lines = table.outputText.split(separator: "\n")
        try #require(lines.count == 2, "\(table.outputText)\(table.errorText)")
        #expect(lines[0].hasPrefix("ended                device       took"))
        let row = lines[1].firstMatch(
            of: /20\d\d-\d\d-\d\d \d\d:\d\d:\d\d  sprinkler\/3  0:0\d:\d\d  \w+ +status: \w/
        )
        #expect(row != nil, "\(lines[1])")
        let json = try Program(["history", "--json", "--store", store])
        #expect(try json.end() == 0)
        let object = try JSONSerialization.jsonObject(with: Data(json.outputText.utf8)) as? [String: Any]
        let keys = [
            "id", "kind", "device", "started", "ended", "state", "revisions", "attributes", "content",
        ]
        #expect(Set(try #require(object).keys) == Set(keys))
        #expect(object?["device"] as? String == "3")
        let id = try #require(object?["id"] as? String)
        let earlier = try Program(["history", "--before", id, "--store", store])
        #expect(try earlier.end() == 0)
        #expect(earlier.errorText == "nothing that ended earlier is kept\n")
        let unknown = try Program(["history", "--before", "sprinkler/3/1", "--store", store])
        #expect(try unknown.end() == 1)
        #expect(
            unknown.errorText == "skerry: \(store) has no activity 'sprinkler/3/1' that has ended\n"
        )
        let other = try Program(["history", "lawn", "--store", store])
        #expect(try other.end() == 1)
        #expect(other.outputText.isEmpty)
        #expect(other.errorText == "skerry: \(store) knows no device 'lawn'; there are: sprinkler/3\n")
        let near = try Program(["history", "sprinklr/3", "--json", "--store", store])
        #expect(try near.end() == 1)
        #expect(near.errorText.contains("did you mean 'sprinkler/3'?"))
        bridge.signal(SIGTERM)
        #expect(try bridge.end() == 0)
    }

    @Test("a missing database is reported")
    func missing() throws {
        let program = try Program(["history", "--store", store])
        #expect(try program.end() == 1)
        #expect(program.errorText.contains("name the database of a bridge"))
    }
}
