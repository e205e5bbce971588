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
