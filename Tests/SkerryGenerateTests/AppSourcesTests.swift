import Foundation
import SkerryActivity
import SkerryDevice
import SkerryFiles
import SkerryGenerate
import Testing

@Suite("The Swift of an app's side")
struct AppSourcesTests {
    private static let samples = Sample.devices + Sample.odd

    @Test("Every definition is a sample, and sends something")
    func samples() {
        let folder = Sample.repository.appendingPathComponent("devices").path
        #expect(Sample.devices.count == (try? DefinitionFiles.load([folder]))?.count)
        #expect(Sample.odd.count == OddDefinitions.all.count)
        for sample in Self.samples { #expect(!sample.updates.isEmpty, "\(sample.definition.kind)") }
    }

    @Test("The model compiles without Apple's frameworks and gives back each payload as it was")
    func model() throws {
        let workshop = try Workshop()
        var program = ["import Foundation", "let decoder = JSONDecoder()", "let encoder = JSONEncoder()"]
        program += ["encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]"]
        program += [
            "func tell<T: Codable>(_ type: T.Type, _ json: String) throws {",
            "    let value = try decoder.decode(type, from: Data(json.utf8))",
            "    print(String(decoding: try encoder.encode(value), as: UTF8.self))", "}",
        ]
        var files: [String] = []
        var expected: [String] = []
        for sample in Self.samples {
            let sources = try AppSources(sample.definition)
            for file in sources.files where !file.name.hasSuffix("LiveActivity.swift") {
                files.append(try workshop.write(file.text, to: file.name))
            }
            let type = LiveActivityContract.attributesType(ofKind: sample.definition.kind)
            for update in sample.updates.prefix(8) {
                let device = String(update.id.split(separator: "/")[1])
                let attributes = text(
                    LiveActivityContract.attributes(of: update, device: device, instance: 2)
                )
                let state = text(LiveActivityContract.contentState(of: update))
                program.append("try tell(\(type).self, ##\"\(attributes)\"##)")
                program.append("try tell(\(type).ContentState.self, ##\"\(state)\"##)")
                program.append("try tell(\(type).ContentState.self, ##\"\(text(update.snapshotJSON()))\"##)")
                // Snapshots have no link, and do not tell when the device was heard.
                var unlinked = update
                (unlinked.isLinkContent, unlinked.heardAt) = (false, nil)
                expected += [attributes, state, text(LiveActivityContract.contentState(of: unlinked))]
            }
        }
        files.append(try workshop.write(program.joined(separator: "\n"), to: "main.swift"))
        let complaint = try workshop.compile(files + ["-o", "program"])
        #expect(complaint.isEmpty, "\(complaint)")
        let run = try workshop.run(workshop.folder.appendingPathComponent("program").path, [])
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(run.errors.isEmpty)
        #expect(lines.count == expected.count)
        for (found, expected) in zip(lines, expected) { #expect(found == expected) }
    }

    @Test("A value of a wrong type is the only one that is lost")
    func lenient() throws {
        let workshop = try Workshop()
        let washer = try #require(Sample.devices.first { $0.definition.kind == "washer" })
        var files: [String] = []
        for file in try AppSources(washer.definition).files where !file.name.hasSuffix("LiveActivity.swift") {
            files.append(try workshop.write(file.text, to: file.name))
        }
        let program = #"""
            import Foundation
            func decode<T: Decodable>(_ type: T.Type, _ json: String) throws -> T {
                try JSONDecoder().decode(type, from: Data(json.utf8))
            }
            typealias State = WasherAttributes.ContentState
            let odd = try decode(
                State.self,
                #"{"phase":"asleep","state":"spinning","rev":"x","new":1,"content":{"status":7,"cycle":{"start":100,"end":160}}}"#
            )
            print(odd.phase, odd.state, odd.rev, odd.content.status ?? "none")
            let cycle = odd.content.cycle!
            print(cycle.endDate!.timeIntervalSince1970, cycle.interval!.lowerBound.timeIntervalSince1970)
            print(cycle.hasEnded(at: Date(timeIntervalSince1970: 159)), cycle.hasEnded(at: Date(timeIntervalSince1970: 160)))
            let empty = try decode(State.self, "{}")
            print(empty.phase, empty.content.cycle == nil)
            let reversed = try decode(State.self, #"{"content":{"cycle":{"start":200,"end":100}}}"#)
            print(reversed.content.cycle!.interval == nil)
            let paused = try decode(State.self, #"{"content":{"cycle":{"remaining":90,"duration":120}}}"#).content.cycle!
            print(paused.fraction, paused.interval!.upperBound.timeIntervalSince(paused.pauseDate!), paused.widestText)
            """#
        files.append(try workshop.write(program, to: "main.swift"))
        let complaint = try workshop.compile(files + ["-o", "program"])
        #expect(complaint.isEmpty, "\(complaint)")
        let run = try workshop.run(workshop.folder.appendingPathComponent("program").path, [])
        #expect(
            run.output.split(separator: "\n") == [
                "unknown unknown 0 none", "160.0 100.0", "false true", "unknown true", "true",
                "0.25 90.0 00:00",
            ]
        )
    }

    /// Not only types: the checks for data races run on what the compiler makes of them.
    @Test(
        "All that is generated compiles with the signatures of Apple's frameworks",
        arguments: Workshop.Mode.all
    )
    func everything(mode: Workshop.Mode) throws {
        let workshop = try Workshop()
        // What is generated for a kind differs by what is in it, and not by the mode.
        let kinds = mode.version == "6" && mode.isMain ? Self.samples : Sample.odd
        let samples = kinds + Sample.buttons + Sample.links
        let definitions = samples.map(\.definition)
        var files: [String] = []
        for sample in samples {
            for file in try AppSources(sample.definition, revisions: sample.updates).files {
                // As the compiler of Xcode 27 sees it; the programs of other tests are as an earlier one does.
                let text = file.text.replacing("#if compiler(>=6.4)", with: "#if compiler(>=6.0)")
                files.append(try workshop.write(text, to: file.name))
            }
        }
        let reporter = try ReporterSources(definitions).files
        #expect(reporter.contains { $0.name == "SkerryEventIntent.swift" })
        for file in reporter {
            files.append(try workshop.write(file.text, to: file.name))
        }
        // Foundation of Linux calls one property deprecated that Apple's does not.
        let complaint = try workshop.compile(
            [
                "-Wwarning", "DeprecatedDeclaration", "-parse-as-library", "-module-name", "App", "-DDEBUG",
            ]
                + ["-emit-sil", "-o", "app.sil"] + StandIns.forImport() + files,
            mode
        )
        #expect(complaint.isEmpty, "\(complaint)")
    }

    @Test func `where the island can't grow, a clock keeps no room for digits`() throws {
        for sample in Self.samples {
            let files = try AppSources(sample.definition).files
            let views = try #require(files.first { $0.name.hasSuffix("LiveActivity.swift") }).text
            let clocks = views.matches(of: /struct Timer(?:Text|Minutes): View/).count
            #expect(views.matches(of: /FittedClock\(timer: timer\)/).count == clocks)
            #expect(views.contains(#"@Environment(\.isDynamicIslandLimitedInWidth)"#) == (clocks > 0))
        }
    }

    @Test func `a text changes in the way that its definition says`() throws {
        let numbers = try #require(Sample.odd.first { $0.definition.kind == "numbers" }).definition
        let views = try #require(AppSources(numbers).files.first { $0.name == "NumbersLiveActivity.swift" })
            .text
        let ways = [
            ".contentTransition(.numericText(value: context.state.content.level ?? 0))",
            "value: (context.state.content.level ?? 0)\n", ".contentTransition(.identity)",
            ".contentTransition(.opacity)", "PushedText(",
            ".transition(reducesMotion ? .opacity : .push(from: .bottom))",
        ]
        for way in ways { #expect(views.contains(way), "\(way)") }
    }

    @Test("What is generated for devices/ and for buttons is formatted as this repository is")
    func format() throws {
        let workshop = try Workshop()
        let others = Sample.buttons + Sample.links
        // More kinds come with Skerry than one app has.
        let size = AppProject.kindLimit - others.count
        for start in stride(from: 0, to: Sample.devices.count, by: size) {
            let samples = Sample.devices[start...].prefix(size) + others
            let project = try AppProject(
                AppIdentity(name: "Home", bundleID: "org.example.home", team: ""),
                definitions: samples.map(\.definition),
                revisions: Dictionary(
                    uniqueKeysWithValues: samples.map { ($0.definition.kind, $0.updates) }
                )
            )
            for file in project.generated + project.initial where file.name.hasSuffix(".swift") {
                let name = file.name.replacingOccurrences(of: "/", with: "-")
                try workshop.write(file.text, to: "\(start)-\(name)")
            }
        }
        let configuration = Sample.repository.appendingPathComponent(".swift-format").path
        let run = try workshop.run(
            "/usr/bin/env",
            ["swift", "format", "lint", "--strict", "-r", ".", "--configuration", configuration]
        )
        #expect(run.errors.isEmpty, "\(run.errors)")
    }

    @Test("The files of a washing machine, as they are", arguments: 0..<3)
    func golden(number: Int) throws {
        let washer = try #require(Sample.devices.first { $0.definition.kind == "washer" })
        let file = try AppSources(washer.definition, revisions: washer.updates).files[number]
        let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Goldens").appendingPathComponent(file.name)
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" {
            try file.text.write(to: golden, atomically: true, encoding: .utf8)
            Issue.record("recorded \(file.name)")
            return
        }
        #expect(file.text == (try String(contentsOf: golden, encoding: .utf8)))
    }

    @Test("A definition without an activity has nothing to show")
    func noActivity() throws {
        let sample = try #require(
            Sample(
                """
                skerry: 1
                kind: lamp
                sources: [{ topic: "lamp/{device}", signals: { power: payload.power } }]
                machine:
                  initial: "off"
                  states:
                    "off": { always: { guard: power > 1, target: "on" } }
                    "on": { always: { guard: power < 1, target: "off" } }
                """
            )
        )
        #expect(throws: AppSources.Fault.noActivity(kind: "lamp")) { try AppSources(sample.definition) }
    }
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
