import Foundation
import SkerryTesting
import Testing

/// What commands say when they are used wrongly, and with which status they end.
@Suite("Messages of commands", .serialized)
final class MessageTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-words-\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, _ name: String) throws -> String {
        let file = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// One definition: all of devices/ take seconds to compile in a debug build.
    private let definition = "devices/energy-level.yaml"

    static let line = #"{"tst":"2026-03-01T08:00:00Z","topic":"lamp/hall","qos":0,"retain":0,"payload":"1"}"#

    static let recordings: [(text: String, status: Int32, words: String)] = [
        ("", 1, "is empty: record messages with 'skerry record'"),
        ("\n\n", 1, "has only empty lines: mosquitto_sub -F '%J' prints one"),
        ("[\(line)]\n", 1, "jq -c '.[]' FILE makes a line of each element"),
        ("[\n  {\n    \"tst\": 1 }\n]\n", 1, "jq -c '.[]' FILE makes a line of each element"),
        ("{\n  \"tst\": 1,\n  \"topic\": \"a\"\n}\n", 1, "jq -c . FILE makes one line of each object"),
        ("skerry: 1\nkind: lamp\n", 1, "is not a recording: none of its 2 lines is a message; line 1:"),
        ("\(line)\nhello\nhello\n", 1, "is hardly a recording: 2 of 3 lines can't be used; line 2:"),
        ("\u{1F}\n", 1, "is not a recording"),
        ("\(line)\nhello\n", 0, ":2: refused:"),
        ("\(line)\n", 0, "messages read           1"),
        ("\(line)\n", 0, "no message is of a device of these definitions: 'skerry discover"),
    ]

    @Test("a file that is not a recording ends a replay with 1 and a remedy", arguments: recordings)
    func noRecording(text: String, status: Int32, words: String) throws {
        let file = try write(text, "day.jsonl")
        let replay = try Program.run(["replay", file, "-d", definition])
        #expect(replay.status == status, "\(replay)")
        #expect(replay.errors.contains(words), "\(replay.errors)")
    }

    @Test("a folder and compressed files in place of a recording are reported as such")
    func otherFiles() throws {
        let replay = try Program.run(["replay", folder.path, "-d", definition])
        #expect(replay.status == 1 && replay.errors.contains("is a folder: name the recordings in it"))
        for (start, words) in [
            ([0x1F, 0x8B, 8, 0], "gzip: zcat FILE | skerry replay -"),
            ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard: zstdcat FILE"), (Array("BZh9".utf8), "bzip2: bzcat FILE"),
        ] as [([UInt8], String)] {
            let file = folder.appendingPathComponent("day.gz")
            try Data(start + [10]).write(to: file)
            let packed = try Program.run(["replay", file.path, "-d", definition])
            #expect(packed.status == 1 && packed.errors.contains("is compressed by \(words)"), "\(packed)")
            let proposal = try Program.run(["new", "lamp", "--from", file.path])
            #expect(proposal.status == 1 && proposal.errors.contains("is compressed by"), "\(proposal)")
        }
        let kind = try Program.run(["new", folder.appendingPathComponent("day.gz").path])
        #expect(kind.status == 64 && kind.errors.contains("is a file: name the kind first"), "\(kind)")
        let array = try Program.run(["new", "lamp", "--from", try write("[]\n", "array.json")])
        #expect(array.status == 1 && array.errors.contains("jq -c '.[]' FILE"), "\(array)")
    }

    @Test(
        "what is no topic filter is not recorded in vain",
        arguments: ["a/#/b", "a+", "{a}/{a}", "$share/x/a"]
    )
    func noFilter(filter: String) throws {
        let recording = try Program.run(["record", filter])
        #expect(recording.status == 64 && recording.errors.contains("is no topic filter"), "\(recording)")
    }

    @Test(
        "an unknown command is answered with the one that was probably meant",
        arguments: [
            ("lint", "did you mean 'skerry check'?"), ("validate", "'skerry check'"),
            ("start", "'skerry run'"),
            ("serve", "'skerry run'"), ("subscribe", "'skerry record'"), ("why", "'skerry explain'"),
            ("follow", "'skerry watch'"),
            ("replya", "'skerry replay'"), ("Check", "'skerry check'"),
            ("frobnicate", "'skerry help' lists all commands"),
        ]
    )
    func unknownCommand(word: String, words: String) throws {
        for arguments in [[word, "devices"], ["help", word]] {
            let told = try Program.run(arguments)
            #expect(told.status == 64)
            #expect(told.errors.hasPrefix("skerry: there is no command '\(word)'; "), "\(told)")
            #expect(told.errors.contains(words), "\(told)")
        }
    }

    @Test("a wrong choice of a kind shows the usage of the command, not of 'skerry'")
    func usage() throws {
        let several = try Program.run(["graph", "devices"])
        #expect(several.status == 64)
        #expect(several.errors.contains("choose one with --kind: "))
        #expect(several.errors.contains("skerry graph <path>"), "\(several)")
        #expect(!several.errors.contains("<subcommand>"))
        let missing = try Program.run(["generate", "swift", "toaster", "-d", "devices", "--out", folder.path])
        #expect(missing.status == 64)
        #expect(missing.errors.contains("there is no kind 'toaster'; there are: "))
        #expect(missing.errors.contains("skerry generate swift <kinds> ..."), "\(missing)")
    }

    @Test("parts that SCXML can't express are reported on standard error and in a comment")
    func scxmlLosses() throws {
        let file = try write(
            Self.lamp.replacing(
                "dark: { always",
                with: "dark: { after: { 1h: lit }, on: { x: { guard: half > 1 } }, always"
            )
            .replacing(
                "after: { 1h: dark }",
                with: "always: { quiet: 10m, target: dark }, title: Lit, entry: { raise: x }"
            ),
            "lamp.yaml"
        )
        let told = try Program.run(["graph", file, "--format", "scxml"])
        #expect(told.status == 0, "\(told)")
        for words in [
            "1 source: left out, with 2 signals that guards read", "2 guards: in CEL:",
            "1 wait for silence ('quiet'): in the namespace of Skerry", "1 title: in the namespace of Skerry",
            "the activity, the island and tests: left out",
        ] {
            #expect(told.errors.contains("\(file): not all of it is SCXML: \(words)"), "\(told.errors)")
            #expect(told.output.contains("  \(words)"), "\(told.output)")
        }
        #expect(!told.errors.contains("timer"))
    }

    @Test("files of settings that are missing or hold something else are named, exit 64")
    func wrongFiles() throws {
        let text = try write("no certificate\n", "ca.pem")
        for (arguments, words) in [
            (["--password-file", "nosuch"], "cannot read nosuch: No such file or directory"),
            (["--password-file", folder.path], "cannot read \(folder.path): Is a directory"),
            (["--ca", "nosuch.pem"], "cannot read nosuch.pem: No such file or directory"),
            (["--ca", text], "there is no certificate in \(text): it must be PEM"),
        ] {
            for command in [["run", "-d", definition], ["record"], ["explain"]] {
                let told = try Program.run(command + ["-h", "127.0.0.1", "-p", "1"] + arguments)
                #expect(told.status == 64, "\(command) \(arguments): \(told)")
                #expect(told.errors.contains(words), "\(told)")
            }
        }
    }

    static let lamp = """
        skerry: 1
        kind: lamp
        sources:
          - topic: lamp/{device}
            signals:
              level: payload
              half: level / (level - level)
        machine:
          states:
            dark: { always: { guard: dyn(level) > "5", target: lit } }
            lit: { after: { 1h: dark } }
        activity:
          starts: lit
          ends: dark
          content: { level: level, half: half }
        tests:
          - name: a lamp
            steps:
              - send: { lamp/hall: 1 }
              - send: { lamp/hall: 2 }

        """

    @Test("expressions that fail are listed once, with place, count and reason")
    func failures() throws {
        let file = try write(Self.lamp, "lamp.yaml")
        let expected = [
            "\(file):7:13: 'level / (level - level)' failed 2 times: division by zero\n",
            "\(file):10:30: 'dyn(level) > \"5\"' failed 2 times: a value is of another type\n",
        ]
        let test = try Program.run(["test", file])
        #expect(test.status == 0, "\(test)")
        for line in expected { #expect(test.output.contains(line), "\(test.output)") }
        let second = Self.line.replacing(#""payload":"1""#, with: #""payload":"2""#)
        let replay = try Program.run([
            "replay", try write("\(Self.line)\n\(second)\n", "day.jsonl"), "-d", file,
        ])
        #expect(replay.status == 0, "\(replay)")
        for line in expected {
            #expect(replay.errors.components(separatedBy: line).count == 2, "\(replay.errors)")
        }
    }

    @Test("texts of devices never reach a terminal unescaped")
    func hostileText() throws {
        let file = try write(
            Self.lamp.replacing(
                #"dyn(level) > "5""#,
                with: "level != null"
            ),
            "lamp.yaml"
        )
        let hostile = "a\u{9B}31m\u{202E}b\u{2066}\u{E0001}"
        let line = Self.line.replacing("lamp/hall", with: "lamp/\(hostile)")
            .replacing(#""payload":"1""#, with: #""payload":"\"\#(hostile)\"""#)
        let recording = try write("\(line)\n", "day.jsonl")
        let replay = try Program.run(["replay", recording, "-d", file, "--format", "timeline"])
        #expect(replay.status == 0)
        #expect(replay.output.contains(#"lamp/a\u009b31m\u202eb\u2066\udb40\udc01  starts in"#), "\(replay)")
        #expect(replay.output.contains(#"{"level":"a\u009b31m"#), "\(replay)")
        #expect(
            !replay.output.unicodeScalars.contains {
                "\u{9B}\u{202E}\u{2066}\u{E0001}".unicodeScalars.contains($0)
            }
        )
    }
}

/// Settings of a broker that only a running bridge shows.
@Suite("Settings of a bridge", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
final class BridgeSettingsTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("skerry-settings-\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("the first line of the log names settings, definitions, store and broker")
    func firstLine() throws {
        let settings = folder.appendingPathComponent("mine.yaml")
        try Data("health-interval: 30\n".utf8).write(to: settings)
        let store = folder.appendingPathComponent("s.db").path
        let program = try Program(
            [
                "run", "-h", "127.0.0.1", "-p", "1", "-d", "devices", "-c", settings.path, "--log-format",
                "text",
            ]
                + ["--store", store]
        )
        try program.wait(for: "the second line") { $0.errorText.contains("connection refused") }
        let line = program.errorText.split(separator: "\n").first ?? ""
        #expect(line.contains("settings in \(settings.path), "), "\(line)")
        #expect(line.contains(" definitions in devices, store in \(store), broker 127.0.0.1:1"), "\(line)")
        program.signal(SIGTERM)
        #expect(try program.end() == 0)
    }

    @Test("a password of the environment outranks a file that the settings name, and a flag outranks both")
    func rankOfPasswords() throws {
        try Self.make("secret", in: folder)
        var lines = Broker.Settings()
        lines.lines = ["allow_anonymous false", "password_file \(folder.path)/passwords"]
        let broker = try Broker(lines)
        try Data("wrong\n".utf8).write(to: folder.appendingPathComponent("wrong.txt"))
        let settings = folder.appendingPathComponent("skerry.yaml")
        let yaml = "mqtt: { username: skerry, password-file: \(folder.path)/wrong.txt }\n"
        try Data(yaml.utf8).write(to: settings)
        let arguments = RunTests.arguments(broker) + ["-c", settings.path]
        let environment = ["SKERRY_MQTT_PASSWORD": "secret"]
        let right = try Program(arguments, environment: environment)
        try right.wait(for: "the connection") { $0.errorText.contains("\"connected\"") }
        right.signal(SIGTERM)
        #expect(try right.end() == 0)
        let flag = try Program(
            arguments + ["--password-file", "\(folder.path)/wrong.txt"],
            environment: environment
        )
        try flag.wait(for: "the refusal") { $0.errorText.contains("check name and password") }
        flag.signal(SIGTERM)
        #expect(try flag.end() == 0)
    }

    @Test("the broker may not send more before an acknowledgement than the bridge would recognise again")
    func receiveMaximum() throws {
        for (number, isTooLarge) in [("512", false), ("513", true)] {
            let program = try Program(
                ["run", "-p", "1", "-d", "devices/energy-level.yaml", "--store", folder.path],
                environment: ["SKERRY_MQTT_RECEIVE_MAXIMUM": number]
            )
            // The store is a folder, so it ends in any case.
            #expect(try program.end() == (isTooLarge ? 64 : 69))
            #expect(program.errorText.contains("RECEIVE_MAXIMUM: 513") == isTooLarge, "\(program.errorText)")
        }
    }

    @Test("a password comes through a pipe, and SIGTERM ends a bridge that waits for its writer")
    func pipe() throws {
        try Self.make("secret", in: folder)
        var lines = Broker.Settings()
        lines.lines = ["allow_anonymous false", "password_file \(folder.path)/passwords"]
        let broker = try Broker(lines)
        let fifo = "\(folder.path)/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        let arguments = RunTests.arguments(broker) + ["-u", "skerry", "--password-file", fifo]
        let waiting = try Program(arguments)
        try waiting.listen(for: 300)
        waiting.signal(SIGTERM)
        #expect(try waiting.end() == -SIGTERM)

        let program = try Program(arguments)
        // Opening waits for the reader.
        let writer = try #require(FileHandle(forWritingAtPath: fifo))
        try writer.write(contentsOf: Data("secret\n".utf8))
        try writer.close()
        try program.wait(for: "the connection") { $0.errorText.contains("\"connected\"") }
        broker.kill()
        try program.wait(for: "the loss") { $0.errorText.contains("\"level\":\"warning\"") }
        try broker.start()
        try program.wait(for: "the second connection") {
            $0.errorText.components(separatedBy: "\"connected\"").count == 3
        }
        program.signal(SIGTERM)
        #expect(try program.end() == 0)
    }

    /// Makes a file of mosquitto with the password of the user `skerry`.
    private static func make(_ password: String, in folder: URL) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/mosquitto_passwd")
        process.arguments = ["-c", "-b", folder.appendingPathComponent("passwords").path, "skerry", password]
        try process.run()
        process.waitUntilExit()
    }
}
