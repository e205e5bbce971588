import Foundation
import SkerryDevice
import SkerryFiles
import SkerryImport
import Testing

/// Statecharts as definitions.
@Suite struct SCXMLTranslationTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Examples")

    private static func imported(_ name: String) throws -> ImportedDefinition {
        let text = try String(contentsOf: folder.appendingPathComponent(name + ".scxml"), encoding: .utf8)
        return SCXMLTranslation.definition(from: text, kind: nil, file: name + ".scxml")
    }

    private func imported(_ body: String, kind: String? = "thing") -> ImportedDefinition {
        SCXMLTranslation.definition(
            from: "<scxml datamodel=\"ecmascript\">\n\(body)\n</scxml>",
            kind: kind,
            file: "thing.scxml"
        )
    }

    @Test(arguments: ["microwave", "player", "traffic-light"])
    func `an example becomes the definition beside it`(_ name: String) throws {
        let imported = try Self.imported(name)
        let text = try String(
            contentsOf: Self.folder.appendingPathComponent(name + ".scxml"),
            encoding: .utf8
        )
        let actual =
            try #require(imported.yaml)
            + DiagnosticPrinter().text(of: imported.problems, file: name + ".scxml", text: text)
            .split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "## \($0)" }
            .joined(separator: "\n")
        let golden = Self.folder.appendingPathComponent(name + ".yaml")
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" {
            try actual.write(to: golden, atomically: true, encoding: .utf8)
            Issue.record("recorded \(name).yaml")
            return
        }
        #expect(actual == (try String(contentsOf: golden, encoding: .utf8)))
    }

    @Test func `a complete example has no warnings, an incomplete one has`() throws {
        for (name, expected) in [
            // It raises events that nothing waits for.
            ("microwave", [ProblemCode.actionInVain, .actionInVain]), ("traffic-light", []),
            ("player", [ProblemCode.variableNeverRead, .transitionNeverTaken, .unreachableState]),
        ] {
            let yaml = try #require(try Self.imported(name).yaml)
            let files = CompiledFiles([DefinitionFile(path: name, bytes: Array(yaml.utf8))])
            #expect(files.problems.map { $0.code } == expected)
        }
    }

    @Test(arguments: [
        (#"<transition event="e" cond="n % 0 == 1" target="b"/>"#, "this divides by zero"),
        (#"<transition/><transition event="e" target="b"/>"#, "without end"),
        (#"<transition target="b"/>"#, "never ends"),
    ])
    func `parts that always fail or never end are left out and reported`(
        _ transitions: String,
        _ words: String
    )
        throws
    {
        let text = """
            <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="a" datamodel="ecmascript">
              <datamodel><data id="n" expr="1"/></datamodel>
              <state id="a">\(transitions)<onentry><assign location="n" expr="n + 1"/></onentry></state>
              <state id="b"><transition target="a"/></state>
            </scxml>
            """
        let imported = SCXMLTranslation.definition(from: text, kind: nil, file: "x.scxml")
        let yaml = try #require(imported.yaml, "\(imported.problems)")
        #expect(imported.problems.contains { $0.code == .notTranslated && $0.message.contains(words) })
        let files = CompiledFiles([DefinitionFile(path: "x", bytes: Array(yaml.utf8))])
        #expect(!files.hasErrors, "\(files.report(DiagnosticPrinter()))\n\(yaml)")
    }

    @Test func `the traffic light turns and blinks`() throws {
        var light = try ImportedMachine(try Self.imported("traffic-light"))
        #expect(light.states == ["red"])
        light.wait(milliseconds: 30_000)
        #expect(light.states == ["green"])
        light.wait(milliseconds: 25_000 + 3499)
        #expect(light.states == ["yellow"])
        light.wait(milliseconds: 1)
        #expect(light.states == ["red"])
        light.send("fault")
        light.wait(milliseconds: 60_000)
        #expect(light.states == ["blinking"])
        light.send("repaired")
        light.wait(milliseconds: 29_999)
        #expect(light.states == ["red"])
    }

    @Test func `the microwave cooks behind a closed door`() throws {
        var oven = try ImportedMachine(try Self.imported("microwave"))
        #expect(oven.states == ["closed", "off"])
        oven.send("door.open")
        oven.send("turn.on")
        #expect(oven.states == ["idle", "open"])
        oven.send("door.close")
        #expect(oven.states == ["closed", "cooking"])
        for _ in 0..<4 { oven.send("time") }
        #expect(oven.states == ["closed", "cooking"])
        oven.send("time")
        #expect(oven.states == ["closed", "off"])
    }

    @Test func `the player remembers where it was, and reads the data of events`() throws {
        var player = try ImportedMachine(try Self.imported("player"))
        player.send("play")
        player.send("next", data: #"{"number": 2}"#)
        #expect(player.states == ["song"])
        player.send("next", data: #"{"number": 1}"#)
        #expect(player.states == ["pause"])
        player.send("eject.now")
        #expect(player.states == ["stopped"])
        player.send("play")
        #expect(player.states == ["pause"])
    }

    @Test(
        arguments: [
            (
                "<state id='a'><onentry><foreach array='x' item='y'/></onentry></state>",
                ["2:25 'foreach' has no translation"]
            ),
            ("<state id='a'><transition target='b'/></state>", ["2:35 there is no state 'b'"]),
            ("<state id='a'><invoke/></state>", ["2:16 'invoke' is not translated"]),
            (
                "<state id='a'><transition cond='1 + ' target='a' event='e'/></state>",
                ["2:37 the condition `1 +` is not translated: the expression ends too early"]
            ),
            (
                "<state id='a'><transition event='e' cond='&lt;'/></state>",
                ["2:43 the condition `<` is not translated: '<' can not stand here"]
            ),
            (
                "<state id='a'><onentry><send event='e' target='#_parent'/><send eventexpr='x'/></onentry></state>",
                [
                    "2:48 events are sent to the machine itself only",
                    "2:60 the name of an event that is sent must be written, not computed",
                ]
            ),
            (
                "<state id='a'><onexit><script>\n  go();</script></onexit></state>",
                ["3:3 this script is not translated: it does more than to set variables"]
            ),
            (
                "<state id='a'><transition event='e' cond='\"a\" &lt; 1' target='a'/></state>",
                ["2:43 the condition `\"a\" < 1` is not translated: its types do not fit in CEL"]
            ),
            (
                "<state id='a'/><state id='a'><transition target='a'/></state>",
                ["2:27 there are two states 'a', this one is 'a-2'"]
            ),
            (
                "<state id='a'><history id='h'/><state id='b'/></state>",
                ["2:28 this history must say where it leads at first, so it leads to 'b'"]
            ),
            (
                "<datamodel><data id='a' src='x.json'/></datamodel><state id='s'/>",
                ["2:30 the file 'x.json' is not read"]
            ),
            (
                "<datamodel><data id='a' expr='1'/><data id='a'/></datamodel><state id='s'/>",
                ["2:45 'a' is declared already, and keeps its first value"]
            ),
            (
                "<script>var x = 1</script><state id='a'><donedata/></state>",
                ["2:2 a script that runs at the start is not translated"]
            ),
        ] as [(String, [String])]
    )
    func `a part without a translation is reported, and the rest still works`(
        _ body: String,
        _ expected: [String]
    ) throws {
        let imported = imported(body)
        #expect(places(imported) == expected)
        _ = try ImportedMachine(imported)
    }

    @Test func `a guard that is not understood never holds`() throws {
        var machine = try ImportedMachine(
            imported(
                "<state id='a'><transition event='e' cond='nobody()' target='b'/></state><state id='b'/>"
            )
        )
        machine.send("e")
        #expect(machine.states == ["a"])
    }

    @Test func `an if becomes actions with guards`() throws {
        let text = """
            <datamodel><data id='n' expr='0'/></datamodel>
            <state id='a'>
              <transition event='e' target='b'>
                <if cond="n == 0"><raise event='zero'/><elseif cond="n == 1"/><raise event='one'/></if>
                <assign location='n' expr='n + 1'/>
              </transition>
            </state>
            <state id='b'>
              <transition event='zero' target='a'/>
              <transition event='one' target='c'/>
            </state>
            <state id='c'/>
            """
        let imported = imported(text)
        #expect(imported.problems.isEmpty)
        var machine = try ImportedMachine(imported)
        machine.send("e")
        #expect(machine.states == ["a"])
        machine.send("e")
        #expect(machine.states == ["c"])
    }

    @Test func `a delay is 'after' only if no other state reacts to its event`() throws {
        let own = """
            <state id='a'>
              <onentry><send event='late' delay='1s'/></onentry>
              <transition event='late' target='b'/>
            </state>
            <state id='b'/>
            """
        #expect(try #require(imported(own).yaml).contains("after: { 1s: b }"))
        for other in [
            "<state id='c'><transition event='late' target='a'/></state>",
            "<state id='c'><transition event='*' target='a'/></state>",
            "<state id='c'><onentry><raise event='late'/></onentry></state>",
        ] {
            #expect(try #require(imported(own + other).yaml).contains("send:"))
        }
        let left = own.replacing("</onentry>", with: "</onentry><transition event='go' target='b'/>")
        #expect(try #require(imported(left).yaml).contains("send:"))
    }

    @Test func `more states than a machine may have are refused at once`() {
        let states = (0..<300).map { "<state id='s\($0)'/>" }.joined()
        let imported = imported(states)
        #expect(imported.draft == nil)
        #expect(places(imported) == ["1:2 a machine may have at most 255 states, this one has 300"])
    }

    @Test func `kinds come from the file's words`() {
        for (word, kind) in [
            ("Traffic light", "traffic-light"), ("a/b+c#", "a-b-c"), ("", "machine"), ("ÄÖ", "machine"),
        ] {
            #expect(ImportedDefinition.kind(from: word) == kind)
        }
        #expect(imported("<state id='a'/>", kind: nil).draft?.kind.text == "thing")
        let refused = imported("<state id='a'/>", kind: "a/b")
        #expect(refused.draft == nil && refused.problems.first?.code == .badName)
    }
}
