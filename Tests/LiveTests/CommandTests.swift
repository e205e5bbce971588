import Foundation
import SkerryTesting
import Testing

/// The other commands as processes.
@Suite("Commands as processes", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
struct CommandTests {
    /// A figure that a replay prints at its end.
    static func figure(_ name: String, in text: String) -> Int? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
        return line?.split(separator: " ").last.flatMap { Int($0) }
    }

    @Test("a replay reads standard input as it reads a file", arguments: ["laundry", "cellar"])
    func standardInput(name: String) throws {
        let file = Files.golden(name)
        let read = try Program(["replay", file] + Files.options)
        #expect(try read.end() == 0)
        let input = Pipe()
        let piped = try Program(["replay", "-"] + Files.options, input: input)
        try input.fileHandleForWriting.write(contentsOf: Data(contentsOf: URL(fileURLWithPath: file)))
        try input.fileHandleForWriting.close()
        #expect(try piped.end() == 0)
        #expect(piped.outputText == read.outputText)
        #expect(piped.outputText.contains("/activity/diff"))
        #expect(piped.outputText.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"tst\":\"2026-03-01T") })
        let count = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count
        #expect(Self.figure("messages read", in: piped.errorText) == count)
        #expect(Self.figure("messages refused", in: piped.errorText) == 0)
    }

    @Test(
        "what can't be written ends a command with 1",
        arguments: ["--help", "run --help", "--version", "--generate-completion-script bash", "schema"]
    )
    func fullDisk(arguments: String) throws {
        let words = arguments.split(separator: " ").map(String.init)
        let program = try Program(words, launcher: ["/bin/sh", "-c", "exec \"$@\" >/dev/full", "sh"])
        #expect(try program.end() == 1)
        #expect(program.errorText == "skerry: can't write to standard output: No space left on device\n")
    }

    @Test("a recording goes through a pipe into a replay")
    func recordIntoReplay() throws {
        let broker = try Broker()
        let device = try BrokerClient(port: broker.port)
        // Retained, so that it comes when the recorder has subscribed.
        try device.publish("opensprinkler/station/3", #"{"state":1,"duration":600}"#, isRetained: true)
        let pipe = Pipe()
        let recorder = try Program(
            ["record", "-h", "127.0.0.1", "-p", "\(broker.port)", "opensprinkler/#"],
            outputPipe: pipe
        )
        let replay = try Program(["replay", "-"] + Files.options, input: pipe)
        try pipe.fileHandleForWriting.close()
        try replay.wait(for: "the first revision") { $0.outputText.contains(#"\"rev\":1,"#) }
        try device.publish("opensprinkler/station/3", #"{"state":0,"duration":600}"#)
        try device.publish("elsewhere", "1")
        try replay.wait(for: "the second revision") { $0.outputText.contains(#"\"rev\":2,\"prev\":1,"#) }
        recorder.signal(SIGTERM)
        #expect(try recorder.end() == 0)
        #expect(try replay.end() == 0)
        #expect(Self.figure("messages read", in: replay.errorText) == 2)
        #expect(replay.outputText.hasSuffix("\"payload\":null}\n"), "the clock runs on to the dismissal")
    }

    @Test(
        "the demonstration finishes three runs: less than an update for 50 messages, no push refused"
    )
    func demo() throws {
        let program = try Program(["demo", "--once", "--phones", "--speed", "240"])
        #expect(try program.end() == 0)
        let totals = try #require(
            program.outputText.firstMatch(
                of: /(\d+) finished runs, (\d+) messages through a broker on port \d+, (\d+) updates\n/
            ),
            "\(program.outputText)\(program.errorText)"
        )
        #expect(totals.1 == "3")
        let messages = try #require(Int(totals.2))
        #expect(messages > 2000)
        // Fewer where the machine is idle: a second without the processor makes the demonstration four minutes late.
        #expect(try #require(Int(totals.3)) < messages / 50)
        #expect(
            program.outputText.contains(
                /\d+ pushes to 2 phones: 6 starts, \d+ urgent, 0 dropped by a phone\n/
            )
        )
        #expect(program.errorText.isEmpty)
    }

    @Test("wrong settings are refused with their place and the status of wrong usage")
    func wrongSettings() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("skerry-settings-\(ProcessInfo.processInfo.globallyUniqueString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("skerry.yaml")
        try Data("mqtt:\n  port: many\n".utf8).write(to: file)
        let cases = [
            (["run", "--port", "0"], [:], "skerry: --port: 0 is"),
            (["run", "--prefix", "a/#"], [:], "skerry: --prefix: 'a/#' can't begin topics"),
            (["run", "--log-level", "loud"], [:], "skerry: --log-level: 'loud' is none of"),
            (["run"], ["SKERRY_MQTT_PORT": "0"], "skerry: SKERRY_MQTT_PORT: 0 is"),
            (["run", "-c", file.path], [:], "skerry: \(file.path):2:9: mqtt.port: 'many' is not a whole"),
            (["replay", "-", "--until", "tomorrow"], [:], "--until takes a time such as"),
        ]
        for (arguments, environment, text) in cases {
            let program = try Program(arguments, environment: environment)
            #expect(try program.end() == 64, "\(arguments)")
            #expect(program.errorText.contains(text), "\(program.errorText)")
        }
    }

    @Test("a missing recording is named")
    func missingFile() throws {
        let program = try Program(["replay", "/nowhere/day.jsonl"] + Files.options)
        #expect(try program.end() == 1)
        #expect(program.errorText.contains("/nowhere/day.jsonl"))
        #expect(program.outputText.isEmpty)
    }
}
