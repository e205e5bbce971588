import SkerryDevice
import SkerryFiles
import Testing

/// Definitions that extend others.
@Suite("Extending definitions")
struct ExtendingTests {
    /// The definitions that come with Skerry, as the program of a source tree finds them.
    private static let shipped = ShippedDefinitions.folder

    static let plug = """
        skerry: 1
        kind: plug
        name: Plug
        settings: { threshold: { default: 10, min: 1 }, rest: 2m }
        sources:
          - { topic: "plug/{device}", signals: { power: payload.power } }
        machine:
          initial: idle
          states:
            idle: { always: { guard: power > settings.threshold, target: running } }
            running:
              title: Running
              always: { guard: power <= settings.threshold, for: settings.rest, target: idle }
        activity:
          starts: running
          ends: idle
          content: { status: state.title }
          stale: 15m
        tests:
          - name: it has nothing to show
            steps: [{ send: { plug/a: { power: 1 } } }, { expect: { state: idle } }]

        """

    /// The result of files by their paths, which may extend each other.
    private func compile(_ files: [(path: String, text: String)]) -> CompiledFiles {
        let bases = DefinitionBases(
            files.map { DefinitionBase(path: $0.path, text: $0.text) },
            readsFiles: false
        )
        return CompiledFiles(
            files.map { DefinitionFile(path: $0.path, bytes: Array($0.text.utf8), extending: bases) }
        )
    }

    /// What a definition that extends the plug reads like; nil when it has errors.
    private func washer(_ lines: String) throws -> String {
        let compiled = compile([
            ("plug.yaml", Self.plug), ("washer.yaml", "skerry: 1\nkind: washer\nextends: plug\n" + lines),
        ])
        #expect(!compiled.hasErrors, "\(compiled.report(DiagnosticPrinter()))")
        return DefinitionWriter.text(of: try #require(compiled.files[1].source.reading.draft))
    }

    @Test(
        "A state that the base has elsewhere is not added a second time, and the remedy says where it is",
        arguments: [
            ("states: { hot: { title: Boils } }", "within 'running'"),
            ("states: { running: { states: { idle: { title: Off } } } }", "directly in the machine"),
        ]
    )
    func elsewhere(machine: String, way: String) throws {
        let base = Self.plug.replacing(
            "title: Running",
            with: "title: Running\n      states: { warm: { after: { 1m: hot } }, hot: {} }"
        )
        let kettle = "skerry: 1\nkind: kettle\nextends: plug\nmachine: { \(machine) }\n"
        let compiled = compile([("plug.yaml", base), ("kettle.yaml", kettle)])
        let problem = try #require(compiled.files[1].problems.first { $0.code == .duplicateName })
        #expect(problem.remedy == "the definition that this one extends has it \(way): write it there, too")
    }

    /// The plug as somebody would write it who extends nothing, with some text replaced.
    private func written(_ changes: [(String, String)]) throws -> String {
        var text = Self.plug.replacing("kind: plug", with: "kind: washer")
        for (old, new) in changes {
            #expect(text.contains(old), "\(old)")
            text = text.replacing(old, with: new)
        }
        let draft = DefinitionReader.read(text: text).draft
        return DefinitionWriter.text(of: try #require(draft))
    }

    @Test(
        "mappings are merged, lists and texts are replaced, null removes",
        arguments: [
            ("", []),
            ("name: Washer\n", [("name: Plug", "name: Washer")]),
            (
                "machine: { states: { running: { title: Washing } } }\n",
                [("title: Running", "title: Washing")]
            ),
            (
                "sources: [{ topic: 'w/{device}', signals: { power: payload.w } }]\n",
                [("plug/{device}", "w/{device}"), ("payload.power", "payload.w")]
            ),
            ("activity: { stale: ~ }\n", [("  stale: 15m\n", "")]),
            ("settings: { threshold: 50 }\n", [("default: 10", "default: 50")]),
            ("settings: { threshold: { max: 90 } }\n", [("min: 1 }", "min: 1, max: 90 }")]),
            (
                "activity: { content: { power: power } }\n",
                [("status: state.title", "status: state.title, power: power")]
            ),
            (
                "machine: { states: { running: { always: { for: ~ } } } }\nsettings: { rest: null }\n",
                [(", for: settings.rest", ""), (", rest: 2m", "")]
            ),
        ] as [(String, [(String, String)])]
    )
    func merging(lines: String, changes: [(String, String)]) throws {
        #expect(try washer(lines) == written(changes))
    }

    @Test func `tests and kinds are not inherited, and a device changes with its base`() throws {
        let washer = "skerry: 1\nkind: washer\nextends: plug\n"
        let compiled = compile([("plug.yaml", Self.plug), ("washer.yaml", washer)])
        #expect(compiled.definitions.map(\.kind) == ["plug", "washer"])
        #expect(compiled.files.map { $0.source.reading.tests.count } == [1, 0])
        let edited = compile([
            ("plug.yaml", Self.plug.replacing("15m", with: "20m")), ("washer.yaml", washer),
        ])
        #expect(edited.definitions[1].fingerprint != compiled.definitions[1].fingerprint)
        #expect(!edited.files[1].source.isSame(as: compiled.files[1].source))
        let own = compile([("plug.yaml", Self.plug)])
        #expect(own.definitions[0].fingerprint == compiled.definitions[0].fingerprint)
    }

    @Test(
        "a base that is not there, or leads in a circle",
        arguments: [
            ("extends: plgu", "there is no definition of the kind 'plgu' to extend; did you mean 'plug'?"),
            (
                "extends: ../plug.yaml",
                "there is no file '../plug.yaml' to extend; name a file ending in .yaml, from the folder of this one on"
            ),
            ("extends: washer", "these definitions extend each other in a circle; remove one 'extends'"),
            ("extends: circle", "these definitions extend each other in a circle; remove one 'extends'"),
            (
                "extends: [plug]",
                "'extends' must name one definition, not a list; write the kind of a definition, or the path of a file"
            ),
        ]
    )
    func wrong(line: String, told: String) {
        let compiled = compile([
            ("devices/plug.yaml", Self.plug), ("devices/washer.yaml", "skerry: 1\nkind: washer\n\(line)\n"),
            ("devices/circle.yaml", "skerry: 1\nkind: circle\nextends: washer.yaml\n"),
        ])
        let problems = compiled.files[1].problems
        #expect(problems.map { "\($0.message); \($0.remedy ?? "")" } == [told])
        #expect(problems.allSatisfy { $0.code == .badBase })
        #expect(compiled.definitions.map(\.kind) == ["plug"])
    }

    @Test func `problems stand in the file of their text, and each is told once`() {
        let washer = """
            skerry: 1
            kind: washer
            extends: _part.yaml
            machine: { states: { idle: { title: "{nobody}" } } }

            """
        let part = Self.plug.replacing("kind: plug\n", with: "")
            .replacing("power > settings.threshold", with: "pwer > settings.threshold")
        let bases = DefinitionBases(
            [DefinitionBase(path: "devices/_part.yaml", text: part)],
            readsFiles: false
        )
        let files = CompiledFiles(
            [("washer", washer), ("dryer", washer.replacing("kind: washer", with: "kind: dryer"))].map {
                name,
                text in
                DefinitionFile(path: "devices/\(name).yaml", bytes: Array(text.utf8), extending: bases)
            }
        )
        let report = files.report(DiagnosticPrinter())
        #expect(report.contains("devices/washer.yaml:4:39: error: unknown name 'nobody'"), "\(report)")
        #expect(report.contains("devices/dryer.yaml:4:39: error: unknown name 'nobody'"), "\(report)")
        #expect(
            report.components(of: "devices/_part.yaml:9:30: error: unknown name 'pwer'") == 1,
            "\(report)"
        )
        #expect(report.contains("idle: { always: { guard: pwer > settings.threshold"), "\(report)")
        #expect(files.definitions.isEmpty)
        let seen = files.files[0].problems.filter { $0.place.file > 0 }.map {
            files.files[0].source.seenHere($0)
        }
        #expect(seen.map(\.place) == [Place(line: 3, column: 10)])
        #expect(seen.first?.message == "devices/_part.yaml:9:30: unknown name 'pwer'")
    }

    /// It needs Home Assistant to run, so nothing else would notice that it is refused.
    @Test func `the definition of the tests with Home Assistant follows the one that it extends`() throws {
        let path = try #require(Self.shipped) + "/../Tests/HomeAssistant/laundry.yaml"
        let laundry = try #require(try CompiledFiles([path]).files.first)
        #expect(laundry.definition?.kind == "laundry", "\(laundry.problems)")
    }

    private static let part = """
        skerry: 1
        sources:
          - { topic: "tele/{plug}/SENSOR", when: has(payload.watts), signals: { power: payload.watts } }
          - { topic: "{plug}/status", signals: { power: payload.power } }
        recognise:
          - { topic: "{plug}/status", sure: likely }

        """

    @Test func `an element of sources or of recognise stands for those of another file`() throws {
        let kettle = Self.plug.replacing("kind: plug", with: "kind: kettle").replacing(
            "  - { topic: \"plug/{device}\", signals: { power: payload.power } }\n",
            with:
                "  - { topic: \"plug/{device}\", signals: { power: payload.power } }\n  - SOURCES\nrecognise: [RECOGNISE]\n"
        )
        let files = [
            (
                "devices/kettle.yaml",
                kettle.replacing("SOURCES", with: "{ extends: _part.yaml, device: '{topic.plug}' }")
                    .replacing("RECOGNISE", with: "{ extends: _part.yaml, device: '{topic.plug}', sure: ~ }")
            ), ("devices/_part.yaml", Self.part),
        ]
        let compiled = compile(files)
        #expect(compiled.files[0].definition != nil, "\(compiled.report(DiagnosticPrinter()))")
        let written = kettle.replacing(
            "SOURCES",
            with: """
                { topic: "tele/{plug}/SENSOR", device: '{topic.plug}', when: has(payload.watts), signals: { power: payload.watts } }
                  - { topic: "{plug}/status", device: '{topic.plug}', signals: { power: payload.power } }
                """
        ).replacing("RECOGNISE", with: "{ topic: '{plug}/status', device: '{topic.plug}' }")
        let draft = try #require(compiled.files[0].source.reading.draft)
        #expect(
            DefinitionWriter.text(of: draft)
                == DefinitionWriter.text(of: try #require(DefinitionReader.read(text: written).draft))
        )
        #expect(compiled.files[0].source.bases.map(\.path) == ["devices/_part.yaml", "devices/_part.yaml"])
    }

    @Test(
        "an element that names nothing, a file without the list, and parts in a circle",
        arguments: [
            ("_parts.yaml", "there is no file '_parts.yaml' to extend"),
            ("plug", "'plug' has no list 'recognise'"),
            ("a.yaml", "these definitions extend each other in a circle"),
            ("_circle.yaml", "these definitions extend each other in a circle"),
            ("_many.yaml", "more than 32 definitions extend each other"),
        ]
    )
    func wrongElements(name: String, told: String) {
        let many = (1...40).map { _ in "{ extends: _part.yaml }" }.joined(separator: ", ")
        let compiled = compile([
            (
                "a.yaml",
                "skerry: 1\nkind: a\nrecognise: [{ extends: \(name) }]\nmachine: { states: { idle: {} } }\n"
            ),
            ("plug.yaml", Self.plug), ("_part.yaml", Self.part),
            ("_circle.yaml", "skerry: 1\nrecognise: [{ extends: _back.yaml }]\n"),
            ("_back.yaml", "skerry: 1\nsources: [{ extends: _circle.yaml }]\n"),
            ("_many.yaml", "skerry: 1\nrecognise: [\(many)]\n"),
        ])
        #expect(compiled.files[0].problems.map(\.message) == [told])
        #expect(compiled.files[0].problems.allSatisfy { $0.code == .badBase })
    }

    @Test(
        "what comes with Skerry is extended by its kind, or by the name of its file, from any folder",
        arguments: [
            ("kind: mine\nextends: kettle-plug", "kettle-plug.yaml"),
            ("kind: kettle-plug\nextends: kettle-plug", "kettle-plug.yaml"),
            ("kind: mine\nextends: kettle-plug.yaml", "kettle-plug.yaml"),
            (
                "kind: mine\nextends: plug\nsources: [{ extends: _plug.yaml, device: '{item.plug}' }]",
                "_plug.yaml"
            ),
        ]
    )
    func shipped(lines: String, file: String) throws {
        let folder = try #require(Self.shipped)
        let text = "skerry: 1\n\(lines)\n"
        let bases = DefinitionBases(
            [("mine/own.yaml", text), ("mine/plug.yaml", Self.plug)].map {
                DefinitionBase(path: $0, text: $1)
            },
            readsFiles: false,
            shipped: folder
        )
        let own = DefinitionFile(path: "mine/own.yaml", bytes: Array(text.utf8), extending: bases)
        let compiled = CompiledFiles([own])
        #expect(compiled.definitions.count == 1, "\(compiled.report(DiagnosticPrinter()))")
        #expect(own.bases.contains { $0.path == "\(folder)/\(file)" })
    }

    @Test func `what is beside a definition counts before what comes with Skerry`() throws {
        let folder = try #require(Self.shipped)
        let text = "skerry: 1\nkind: mine\nextends: kettle-plug\n"
        func problems(_ others: [DefinitionBase], _ text: String) -> [DefinitionProblem] {
            let bases = DefinitionBases(others, readsFiles: false, shipped: folder)
            let file = DefinitionFile(path: "mine.yaml", bytes: Array(text.utf8), extending: bases)
            return CompiledFiles([file]).problems
        }
        let broken = DefinitionBase(path: "own.yaml", text: "kind: kettle-plug\nmachine: 1\n")
        #expect(problems([], text).isEmpty)
        #expect(!problems([broken], text).isEmpty)
        let meant = problems([], text.replacing("kettle-plug", with: "ketle-plug"))
        #expect(meant.map(\.remedy) == ["did you mean 'kettle-plug'?"])
        #expect(problems([], text.replacing("kettle-plug", with: "sub/_plug.yaml")).map(\.code) == [.badBase])
    }

    @Test func `a chain has an end`() {
        var files = [("0.yaml", Self.plug)]
        for number in 1...9 {
            files.append(("\(number).yaml", "skerry: 1\nkind: k\(number)\nextends: \(number - 1).yaml\n"))
        }
        let compiled = compile(files)
        #expect(compiled.files[8].definition != nil)
        #expect(compiled.files[9].problems.map(\.message) == ["more than 8 definitions extend each other"])
    }
}

extension String {
    /// How often a text stands in this one.
    fileprivate func components(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
