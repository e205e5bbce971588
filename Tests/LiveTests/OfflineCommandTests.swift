import Foundation
import Testing

/// Commands that need neither a broker nor a bridge, as processes.
@Suite("Commands without a broker", .serialized)
final class OfflineCommandTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("skerry-offline-\(ProcessInfo.processInfo.globallyUniqueString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Writes a file, and returns its path.
    private func file(_ name: String, _ text: String) throws -> String {
        let place = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: place)
        return place.path
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    static let lamp =
        TestCommandTests.machine + "activity: { starts: lit, ends: dark, content: { status: state } }\n"

    @Test(
        "a word that is no command is told, with the one that is likely meant",
        arguments: [
            (["start"], "start", "did you mean 'skerry run'?"),
            (["Run"], "Run", "did you mean 'skerry run'?"),
            (["deviecs", "--json"], "deviecs", "did you mean 'skerry devices'?"),
            (["SUBSCRIBE", "a/#"], "SUBSCRIBE", "did you mean 'skerry record'?"),
            (["help", "why"], "why", "did you mean 'skerry explain'?"),
            (["lint"], "lint", "did you mean 'skerry check'?"),
            (["error", "SK0101"], "error", "did you mean 'skerry explain-code'?"),
            (["codegen"], "codegen", "did you mean 'skerry generate swift'?"),
            (["login"], "login", "did you mean 'skerry pair'?"),
            (["log"], "log", "did you mean 'skerry history'?"),
            (["xyzzy"], "xyzzy", "'skerry help' lists all commands"),
            (["help", "xyzzy"], "xyzzy", "'skerry help' lists all commands"),
        ]
    )
    func unknownCommand(arguments: [String], word: String, remedy: String) throws {
        let ended = try Program.run(arguments)
        #expect(ended.status == 64)
        #expect(ended.errors == "skerry: there is no command '\(word)'; \(remedy)\n")
        #expect(ended.output.isEmpty)
    }

    @Test(
        "a code is explained however it is written, and one that is not there keeps none of the others back"
    )
    func explainedCodes() throws {
        let one = try Program.run(["explain-code", "SK0101"])
        #expect(one.status == 0)
        #expect(one.output.hasPrefix("SK0101  a topic that can't be used (error)\n"))
        for form in ["101", "0101", "sk0101"] {
            #expect(try Program.run(["explain-code", form]).output == one.output)
        }
        let two = try Program.run(["explain-code", "102"]).output
        #expect(try Program.run(["explain-code", "101", "102"]).output == one.output + "\n" + two)
        let wrong = try Program.run(["explain-code", "101x", "101"])
        #expect(wrong.status == 1)
        #expect(wrong.output == one.output)
        #expect(wrong.errors.hasPrefix("skerry: there is no code '101x'; there are:\n  SK0101  a topic that"))
        #expect(try Program.run(["explain-code"]).status == 64)
        let all = try Program.run(["explain-code", "--all"]).output
        #expect(all.contains(one.output) && all.contains(two))
    }

    @Test(
        "compiled definitions publish what their texts do, and compile to themselves",
        arguments: ["laundry", "lawn"]
    )
    func compiled(recording: String) throws {
        var options: [String] = []
        for definition in Files.definitions {
            let name = path(URL(fileURLWithPath: definition).lastPathComponent + ".skd")
            let ended = try Program.run(["compile", definition, "-o", name])
            #expect(ended.status == 0 && ended.output.isEmpty && ended.errors.isEmpty, "\(ended.errors)")
            #expect(try Program.run(["compile", name, "-o", path("again.skd")]).status == 0)
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: name))
                    == Data(contentsOf: folder.appendingPathComponent("again.skd"))
            )
            options += ["--definitions", name]
        }
        let expected = try Program.run(["replay", Files.golden(recording)] + Files.options)
        #expect(expected.output.split(separator: "\n").count > 5)
        let ended = try Program.run(["replay", Files.golden(recording)] + options)
        #expect(ended.status == 0)
        #expect(ended.output == expected.output)
    }

    @Test(
        "what needs the text of a compiled definition says so, and a damaged one is a problem with its code"
    )
    func compiledText() throws {
        let (text, compiled) = (try file("lamp.yaml", Self.lamp), path("lamp.skd"))
        #expect(try Program.run(["compile", text, "-o", compiled]).status == 0)
        #expect(try Program.run(["check", compiled]).output == "1 definition: no problems\n")
        for command in ["graph", "describe", "test"] {
            let ended = try Program.run([command, compiled])
            #expect(ended.status == 1)
            #expect(
                ended.errors
                    == "skerry: \(compiled) is compiled, and this needs its text: name the YAML file\n"
            )
            #expect(ended.output.isEmpty)
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: compiled))
        var changed = bytes
        changed[bytes.count / 2] ^= 1
        for damaged in [bytes.dropLast(), bytes.prefix(20), changed[...], bytes + [0]] {
            try damaged.write(to: folder.appendingPathComponent("damaged.skd"))
            let ended = try Program.run(["check", path("damaged.skd")])
            #expect(ended.status == 1)
            let first = ":1:1: error: the compiled definition is damaged or cut short [SK0012]\n"
            #expect(
                (ended.output + ended.errors).contains(path("damaged.skd") + first),
                "\(damaged.count) bytes"
            )
        }
        for (source, out, reason) in [
            (path("none.yaml"), compiled, "\(path("none.yaml")): No such file or directory"),
            (text, path("none/lamp.skd"), "\(path("none/lamp.skd")): No such file or directory"),
        ] {
            let ended = try Program.run(["compile", source, "-o", out])
            #expect(ended.status == 1)
            #expect(ended.errors == "skerry: \(reason)\n")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: compiled)) == bytes)
    }

    /// A line of a recording.
    private static func line(_ second: Int, _ topic: String, _ payload: String) -> String {
        let payload = payload.replacing("\"", with: "\\\"")
        return
            #"{"tst":"2026-03-01T06:00:0\#(second).000000Z+0000","topic":"\#(topic)","qos":0,"retain":0,"payload":"\#(payload)"}"#
            + "\n"
    }

    @Test(
        "what a device sends in place of a time is found all the same",
        arguments: ["remaining", "end", "start", "elapsed"],
        ["1e300", "-1e300", "9223372036854775807", "1.7976931348623157e308", "0"]
    )
    func strangeTimes(member: String, number: String) throws {
        let definition = try file(
            "thing.yaml",
            """
            skerry: 1
            kind: thing
            sources: [{ topic: "thing/{device}", signals: { x: payload.x, time: payload.time } }]
            recognise: [{ topic: "thing/{device}", when: has(payload.x) }]
            machine: { states: { off: { always: { guard: has(x), target: lit } }, lit: {} } }
            activity: { starts: lit, ends: off, content: { x: x, time: time } }
            """
        )
        let payload = #"{"x": 1, "time": {"\#(member)": \#(number)}}"#
        let recording = try file("thing.txt", "1772360000 thing/one \(payload)\n")
        let found = try Program.run(["discover", "--recording", recording, "--definitions", definition])
        #expect(found.status == 0 && found.output.contains("thing/one"), "\(found)")
    }

    @Test(
        "a replay publishes on no topic that a bridge would not",
        arguments: ["", "a/#", "+", "$SYS", "skerry/", "a/b", "ü"]
    )
    func prefix(prefix: String) throws {
        let recording = try file("day.txt", "1772360000 plug/one 20\n")
        let ended = try Program.run(["replay", "--prefix=\(prefix)", recording])
        let isRefused = !["a/b", "ü"].contains(prefix)
        #expect(ended.errors.contains("--prefix") == isRefused, "\(ended)")
        #expect(ended.status == (isRefused ? 64 : 0), "\(ended)")
    }

    @Test(
        "a command to copy has what comes from the network as one word of the shell",
        arguments: [
            "it's", "a b", "$(echo hi)", "`echo hi`", "a;b", #"x"y"#, "-x", "ü", "a\\b", "!!", "~", "plain",
        ]
    )
    func commandToCopy(name: String) throws {
        let topic = name.replacing(#"\"#, with: #"\\"#).replacing("\"", with: #"\""#)
        let lines = ["one", "two"].map {
            #"{"tst":"2026-03-01T12:00:00Z","topic":"\#(topic)/\#($0)/power","payload":"20"}"# + "\n"
        }
        let recording = try file("day of \(name).txt", lines.joined())
        // By one definition, which is read at once; no other knows these messages either.
        let found = try Program.run([
            "discover", "--recording", recording, "--definitions", "devices/sprinkler.yaml",
        ])
        let command = try #require(found.output.firstMatch(of: /skerry new KIND (.*)\n/), "\(found)").1
        let shell = Process()
        let output = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "printf '%s\\n' \(command)"]
        shell.standardOutput = output
        try shell.run()
        let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        shell.waitUntilExit()
        #expect(words.hasPrefix("--from\n\(recording)\n--topic\n\(name)/"), "\(command)")
        #expect(words.split(separator: "\n").count == 4, "\(command)")
    }

    @Test("a scrubbed recording has the same pseudonym for the same name, in topics and payloads")
    func scrubbed() throws {
        let recording = try file(
            "day.jsonl",
            Self.line(0, "home/ada/plug", #"{"friendly_name":"Ada","power":12.5}"#)
                + Self.line(1, "home/cellar/ada", "Ada is here") + Self.line(2, "home/attic", "12")
        )
        let ended = try Program.run(["scrub", recording, "--word", "cellar"])
        #expect(ended.status == 0)
        for word in ["ada", "Ada", "cellar"] { #expect(!ended.output.contains(word), "\(ended.output)") }
        let topics = ended.output.matches(of: /"topic":"home\/([^"]+)"/).map { String($0.output.1) }
        let name = try #require(topics.first).replacing("/plug", with: "")
        try #require(topics.count == 3 && topics[1].hasSuffix("/\(name)"), "\(topics)")
        #expect(topics[1] != "\(name)/\(name)" && topics[2] == "attic")
        #expect(ended.output.contains(#"\"friendly_name\":\"\#(name)\",\"power\":12.5}"#))
        #expect(ended.output.contains(#""payload":"\#(name) is here""#))
        #expect(
            ended.errors.hasPrefix(
                "3 messages: replaced 2 names, 0 serial numbers, 0 addresses, 0 coordinates\n"
            )
        )
        // What comes out is a recording.
        let again = try file("again.jsonl", ended.output)
        #expect(try Program.run(["scrub", again]).errors.hasPrefix("3 messages: "))
    }

    @Test(
        "what is no recording is not scrubbed",
        arguments: [
            ("hello\n", "is not a recording: none of its 1 lines is a message; line 1:"),
            ("", "is empty: record messages with 'skerry record'"), ("\n\n", "has only empty lines:"),
            (
                line(0, "a", "1") + "x\ny\n", "is hardly a recording: 2 of 3 lines can't be used; line 2:"
            ),
        ]
    )
    func notScrubbed(text: String, complaint: String) throws {
        let recording = try file("day.jsonl", text)
        let ended = try Program.run(["scrub", recording])
        #expect(ended.status == 1)
        #expect(ended.errors.hasPrefix("skerry: \(recording) \(complaint)"), "\(ended.errors)")
        #expect(ended.output.isEmpty)
    }

    @Test(
        "servers of NATS get a mapping for each topic that names a device, and the rest goes to all partitions"
    )
    func mappings() throws {
        let shelf = """
            skerry: 1
            kind: shelf
            sources:
              - { topic: "shelf/{device}/{part}", signals: { a: payload.a } }
              - { topic: "$SYS/{device}", signals: { b: payload.b } }
              - { topic: "my house/{device}", signals: { c: payload.c } }
              - { topic: "v1.0/{device}", signals: { d: payload.d } }
              - { topic: "/{device}", signals: { e: payload.e } }
              - { topic: "all/+/{device}/+", signals: { f: payload.f } }
              - { topic: "deep/{device}/#", signals: { g: payload.g } }
              - { topic: "long/{device...}", signals: { h: payload.h } }
            machine:
              initial: idle
              states:
                idle: { always: { guard: has(a) || has(b) || has(c) || has(d), target: busy } }
                busy: { always: { guard: has(e) || has(f) || has(g) || has(h), target: idle } }

            """
        let settings = try file(
            "skerry.yaml",
            """
            definitions: [\(try file("lamp.yaml", Self.lamp)), \(try file("shelf.yaml", shelf))]
            partitions: 3
            partition-prefix: house/p

            """
        )
        let ended = try Program.run(["cluster", "--nats", "-c", settings])
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(
            ended.output == """
                mappings = {
                  "/.*": "house.p.{{partition(3,1)}}./.{{wildcard(1)}}"
                  "all.*.*.*": "house.p.{{partition(3,2)}}.all.{{wildcard(1)}}.{{wildcard(2)}}.{{wildcard(3)}}"
                  "deep.*.>": "house.p.{{partition(3,1)}}.deep.{{wildcard(1)}}.>"
                  "lamp.*": "house.p.{{partition(3,1)}}.lamp.{{wildcard(1)}}"
                  "long.*": "house.p.{{partition(3,1)}}.long.{{wildcard(1)}}"
                  "shelf.*.*": "house.p.{{partition(3,1)}}.shelf.{{wildcard(1)}}.{{wildcard(2)}}"
                }
                # to all partitions: $SYS.*
                # to all partitions: my house.*
                # to all partitions: v1.0.*

                """
        )
    }

    @Test("without partitions there are no mappings, and without a shared database no leases")
    func noCluster() throws {
        let mappings = try Program.run(["cluster", "--nats"])
        #expect(mappings.status == 64)
        let missing =
            "name the number of partitions and the beginning of their topics (partitions, partition-prefix)"
        #expect(mappings.errors == "skerry: \(missing)\n")
        let leases = try Program.run(["cluster"])
        #expect(leases.status == 64)
        #expect(leases.errors == "skerry: store.path is no database of PostgreSQL, so no gateways share it\n")
    }
}
