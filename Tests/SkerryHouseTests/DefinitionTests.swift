import Foundation
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryHouse
import SkerryValues
import Synchronization
import Testing

/// What the desk answers of definitions.
@Suite("Answers about definitions")
struct DefinitionTests {
    @Test("definitions are listed with file, symbol, topics and the number of devices")
    func list() async throws {
        let house = try House()
        house.send("lamp/desk/state", #"{"on":true}"#)
        house.send("lamp/hall/state", #"{"on":true}"#)
        #expect(
            try await house.json(.definitions).text
                == #"{"definitions":[{"kind":"lamp","name":"Desk lamp","file":"lamp.yaml","symbol":"lamp.desk","#
                + #""topics":["lamp/+/state"],"island":true,"devices":2}]}"#
        )
    }

    @Test(
        "a definition has its text, its states in document order, its transitions with lines, and its layout"
    )
    func definition() async throws {
        let told = try await House().json(.definition(kind: "lamp"))
        #expect(told["source"] == JSON(.string(lamp)))
        let states = told["machine"]["states"]
        #expect(
            states.elements.map { $0["name"].text } == [#""dark""#, #""lit""#, #""dimmed""#, #""forgotten""#]
        )
        #expect(
            states[1].text == #"{"name":"lit","title":"Lit","parent":null,"type":"atomic","initial":null}"#
        )
        let transitions = told["machine"]["transitions"]
        #expect(
            transitions[1].text
                == #"{"from":"lit","to":["dark"],"trigger":"always","label":"","guard":"!on","line":14}"#
        )
        #expect(
            transitions[2].text
                == #"{"from":"lit","to":["dimmed"],"trigger":"event","label":"snooze","guard":null,"line":15}"#
        )
        #expect(
            transitions[3].text
                == #"{"from":"lit","to":["forgotten"],"trigger":"after","label":"1h","guard":null,"line":16}"#
        )
        #expect(told["initial"].text == #""dark""# && told["events"].text == #"["snooze"]"#)
        #expect(told["starts"].text == #"["lit"]"# && told["ends"].text == #"["dark","forgotten"]"#)
        #expect(
            told["fields"].text
                == #"[{"name":"status","type":"string"},{"name":"level","type":"double"}]"#
        )
        #expect(told["attributes"].text == #"[{"name":"name","type":"string"}]"#)
        #expect(told["alerts"].text == #"[{"state":"forgotten","title":"Left on","body":null}]"#)
        #expect(told["layout"]["symbol"].text == #""gearshape""#)
        #expect(await (try House()).problem(.definition(kind: "kettle")) == "no-definition")
    }

    @Test("a text is compiled as a file would be, and its errors come as its check has them")
    func compiled() async throws {
        let file = CompiledFiles([DefinitionFile(path: "lamp.yaml", bytes: Array(lamp.utf8))])
        let answer = await (try House()).ask(.compile(source: lamp))
        #expect(answer == .found(try #require(file.definitions.first).compiled()))
        let bad = lamp.replacing("guard: on,", with: "guard: onn,")
            .replacing("dimmed }", with: "dimmer }")
        guard case .problem(let problem) = await (try House()).ask(.compile(source: bad)) else {
            Issue.record("a definition with errors is compiled")
            return
        }
        #expect(problem.code == "definition-has-errors" && problem.sort == .wrong)
        let problems = try JSON(.found(try #require(problem.problems)))
        let checked = try await House().json(.check(source: bad))["problems"]
        #expect(problems == checked && checked.elements.count == 2)
    }

    @Test("compound states name their parent and where they begin")
    func compound() async throws {
        let source = """
            skerry: 1
            kind: washer
            sources: [{ topic: "washer/{device}", signals: { run: payload.run } }]
            machine:
              initial: idle
              states:
                idle: { always: { guard: run, target: washing } }
                washing:
                  always: { guard: "!run", target: idle }
                  states:
                    running: { after: { 5m: finishing } }
                    finishing: {}
            """
        let machine = try await House().json(.check(source: source))["definition"]["machine"]
        #expect(
            machine["states"][1].text
                == #"{"name":"washing","title":null,"parent":null,"type":"compound","initial":"running"}"#
        )
        #expect(
            machine["states"][2].text
                == #"{"name":"running","title":null,"parent":"washing","type":"atomic","initial":null}"#
        )
    }

    @Test("a check tells problems with their places, and the definition of a text without errors")
    func check() async throws {
        let house = try House()
        let bad = lamp.replacing("guard: on,", with: "guard: onn,")
        let told = try await house.json(.check(source: bad))
        #expect(told["ok"].text == "false" && told["definition"].text == "null")
        let problem = told["problems"].elements.first { $0["severity"].text == #""error""# }
        #expect(problem?["code"].text == #""SK0202""#)
        #expect(problem?["line"].text == "11" && problem?["column"].text == "24")
        #expect(problem?["endColumn"].text == "27" && problem?["help"].text.contains("'on'") == true)
        let good = try await house.json(.check(source: lamp))
        #expect(good["ok"].text == "true" && good["definition"]["kind"].text == #""lamp""#)
        #expect(good["definition"]["file"].text == "null")
    }

    @Test("a text that extends a running definition is checked with it, and problems stand where it names it")
    func extending() async throws {
        let house = try House()
        let source = "skerry: 1\nkind: bulb\nextends: lamp\n"
        let good = try await house.json(.check(source: source))
        #expect(good["ok"].text == "true" && good["definition"]["initial"].text == #""dark""#)
        let bad = try await house.json(.check(source: source + "migrate: { old: nowhere }\nsources: ~\n"))
        let lines = bad["problems"].elements.filter { $0["severity"].text == #""error""# }.map {
            $0["line"].text
        }
        #expect(lines.contains("3") && lines.contains("4"), "\(bad.text)")
    }

    @Test("a text that is too large is not checked")
    func tooLarge() async throws {
        let source = lamp + "\n#" + String(repeating: "x", count: 64 * 1024)
        #expect(await (try House()).problem(.check(source: source)) == "definition-too-large")
    }

    @Test
    func `a definition that has more than a reader of compiled ones takes is refused, and nothing ends`()
        async throws
    {
        // 245 signals that read 17 fields each: more paths than a compiled source may have.
        let signals = (0..<245).map { number in
            let fields = "abcdefghijklmnopq".map { "payload.\($0)\(number)" }
            return "    s\(number): \(fields.joined(separator: "||"))\n"
        }
        let source = """
            skerry: 1
            kind: wide
            sources:
              - topic: wide/{device}
                signals:
            \(signals.map { "  " + $0 }.joined())machine: { states: { on: {} } }

            """
        let told = try await (try House()).json(.check(source: source))
        #expect(told["ok"].text == "true", "\(told.text.prefix(500))")
        #expect(await (try House()).problem(.compile(source: source)) == "definition-too-large")
    }

    @Test(arguments: ["inf", "1e400", "nan"])
    func `a number that is none is refused`(number: String) async throws {
        let source = lamp.replacing("tolerance: 5", with: "tolerance: \(number)")
        try #require(source != lamp)
        let told = try await (try House()).json(.check(source: source))
        #expect(told["ok"].text == "false" && told.text.contains("tolerance"), "\(told.text.prefix(400))")
    }

    // MARK: - Saving

    /// A house whose definition is a file in a folder.
    func house(_ folder: Folder, file: String? = nil) throws -> House {
        let path = try file ?? folder.write(lamp, to: "lamp.yaml")
        return try House(CompiledFiles([path]), folder: folder.path)
    }

    @Test("a definition without errors is written to its file, which keeps its permissions")
    func save() async throws {
        let folder = try Folder()
        let house = try house(folder)
        let path = "\(folder.path)/lamp.yaml"
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let source = lamp.replacing("title: Lit", with: "title: Shines")
        let told = try await house.json(.saveDefinition(kind: "lamp", source: source, over: nil))
        #expect(told["ok"].text == "true" && told["definition"]["file"].text.contains("lamp.yaml"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == source)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["lamp.yaml"])
    }

    @Test("a definition with errors, of another kind or of no file is not written")
    func refusals() async throws {
        let folder = try Folder()
        let house = try house(folder)
        let bad = lamp.replacing("guard: on,", with: "guard: onn,")
        #expect(
            await house.problem(.saveDefinition(kind: "lamp", source: bad, over: nil))
                == "definition-has-errors"
        )
        let other = lamp.replacing("kind: lamp", with: "kind: bulb")
        #expect(await house.problem(.saveDefinition(kind: "lamp", source: other, over: nil)) == "other-kind")
        #expect(
            await house.problem(.saveDefinition(kind: "kettle", source: lamp, over: nil)) == "no-definition"
        )
        #expect(try String(contentsOfFile: "\(folder.path)/lamp.yaml", encoding: .utf8) == lamp)
    }

    @Test("a link that leads out of the folders of the definitions is not followed")
    func outside() async throws {
        let (folder, elsewhere) = (try Folder(), try Folder())
        let target = try elsewhere.write(lamp, to: "lamp.yaml")
        let link = "\(folder.path)/lamp.yaml"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let house = try house(folder, file: link)
        let source = lamp + "\n# more"
        #expect(
            await house.problem(.saveDefinition(kind: "lamp", source: source, over: nil))
                == "outside-of-definitions"
        )
        #expect(try String(contentsOfFile: target, encoding: .utf8) == lamp)
    }

    @Test("a definition that has changed since it was read is not overwritten")
    func outdated() async throws {
        let folder = try Folder()
        let house = try house(folder)
        guard case .found(let read) = await house.ask(.definition(kind: "lamp")) else {
            Issue.record("there is no definition")
            return
        }
        let version = HouseAnswer.version(of: read)
        let source = lamp + "\n# by the page"
        let old = HouseQuestion.saveDefinition(kind: "lamp", source: source, over: ["0"])
        #expect(await house.problem(old) == "definition-changed")
        #expect(try String(contentsOfFile: "\(folder.path)/lamp.yaml", encoding: .utf8) == lamp)
        let save = HouseQuestion.saveDefinition(kind: "lamp", source: source, over: ["0", version])
        #expect(try await house.json(save)["ok"].text == "true")
        #expect(try String(contentsOfFile: "\(folder.path)/lamp.yaml", encoding: .utf8) == source)
    }

    @Test("a saved definition is the one in force when the answer comes, and can be saved again at once")
    func savedTwice() async throws {
        let folder = try Folder()
        let path = try folder.write(lamp, to: "lamp.yaml")
        let files = Mutex(try CompiledFiles([path]).files)
        let house = try House(
            CompiledFiles([path]),
            folder: folder.path,
            prepare: { sources in
                sources.files = { files.withLock { $0 } }
                sources.readDefinitions = {
                    let read = try? CompiledFiles([path]).files
                    files.withLock { $0 = read ?? [] }
                }
            }
        )
        for title in ["Shines", "Glows"] {
            let source = lamp.replacing("title: Lit", with: "title: \(title)")
            let save = HouseQuestion.saveDefinition(kind: "lamp", source: source, over: nil)
            #expect(try await house.json(save)["ok"].text == "true")
            let now = try await house.json(.definition(kind: "lamp"))["source"].plain
            #expect(now == source)
        }
    }

    @Test("a file that somebody edits meanwhile is left as it is")
    func edited() async throws {
        let folder = try Folder()
        let house = try house(folder)
        _ = try folder.write(lamp + "\n# by hand", to: "lamp.yaml")
        let source = lamp + "\n# by the page"
        #expect(
            await house.problem(.saveDefinition(kind: "lamp", source: source, over: nil)) == "file-was-edited"
        )
    }
}
