import SkerryDevice
import SkerryImport
import Testing

/// Files of SCXML, right and wrong ones.
@Suite struct SCXMLReaderTests {
    private func read(_ body: String) -> SCXMLReader.Reading {
        SCXMLReader.read("<scxml xmlns=\"http://www.w3.org/2005/07/scxml\">\n\(body)\n</scxml>")
    }

    @Test(
        arguments: [
            ("", "1:1"), ("plain words", "1:1"), ("<state id='a'/>", "1:2"), ("<html><scxml/></html>", "1:2"),
            ("<scxml xmlns='urn:other'/>", "1:2"), ("<scxml><state></scxml>", "1:"), ("<scxml>", "1:"),
            ("<scxml>\n  <state id=a/>\n</scxml>", "2:"), ("<scxml/><scxml/>", "1:"),
            ("<scxml>&nobody;</scxml>", "1:"),
            ("<x:scxml/>", "1:"),
            ("<!-- before -->\n <!DOCTYPE scxml SYSTEM \"http://localhost/x\"><scxml/>", "2:2"),
            ("<!DOCTYPE s [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><scxml name=\"&b;\"/>", "1:1"),
            ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><scxml/>", "1:31"),
            ("<scxml>" + String(repeating: "<state>", count: 300), "1:"),
            ("<scxml>" + String(repeating: "<final/>", count: 30_000) + "</scxml>", "1:"),
            (String(repeating: " ", count: 1 << 21), "1:1"),
        ]
    )
    func `a document that is not SCXML is refused with its place`(_ text: String, _ place: String) {
        let reading = SCXMLReader.read(text)
        #expect(reading.document == nil)
        #expect(reading.problems.count == 1)
        let found = reading.problems.first
        let at = "\(found?.place.line ?? 0):\(found?.place.column ?? 0)"
        #expect(at.hasPrefix(place))
        #expect(found?.code == .badImport)
    }

    @Test func `every text has its place`() throws {
        let reading = read(
            """
              <!-- a comment with <state> in it -->
              <state id="a"
                     initial="b">
                <transition event="one two.*" cond="x &lt; 3 &amp;&amp;
                    y" target="b" type="internal"/>
                <state id="b"><onentry><script><![CDATA[
                  x = 1 & 2;
                ]]></script></onentry></state>
              </state>
            """
        )
        let state = try #require(reading.document?.root.states.first)
        #expect(state.place == Place(line: 3, column: 4))
        #expect(state.initial.first?.place == Place(line: 4, column: 19))
        let transition = try #require(state.transitions.first)
        #expect(transition.events.map { $0.text } == ["one", "two.*"])
        #expect(transition.events.last?.place == Place(line: 5, column: 28))
        #expect(transition.isInternal)
        let condition = try #require(transition.condition)
        #expect(condition.text == "x < 3 &&         y")
        #expect(condition.place(atUTF8Offset: 4) == Place(line: 5, column: 48))
        #expect(condition.place(atUTF8Offset: 17) == Place(line: 6, column: 9))
        guard case .script(.content(let script)) = state.states[0].entry[0][0].kind else {
            Issue.record("no script")
            return
        }
        #expect(script.text == "x = 1 & 2;")
        #expect(script.place == Place(line: 8, column: 7))
    }

    @Test func `elements are read by their namespace, with and without prefix`() throws {
        let text = """
            <s:scxml xmlns:s="http://www.w3.org/2005/07/scxml" xmlns="urn:own"><s:state id="a"/><state id="b"/></s:scxml>
            """
        let document = try #require(SCXMLReader.read(text).document)
        #expect(document.root.states.map { $0.id?.text } == ["a"])
        #expect(try #require(SCXMLReader.read("<scxml><final/></scxml>").document).root.states.count == 1)
    }

    @Test func `a missing part of an element is reported`() {
        let reading = read(
            "<state id='a'><onentry><raise/><assign expr='1'/></onentry></state><datamodel><data/></datamodel>"
        )
        #expect(
            reading.problems.map { $0.message } == [
                "'raise' has no 'event'", "'assign' has no 'location'",
                "this data has no 'id' and is left out",
            ]
        )
    }

    @Test func `states without an id, or with that of another, get one`() throws {
        let document = try #require(
            read("<state/><state id='state1'/><state id='a'><final/></state><state id='a'/>").document
        )
        let resolved = document.resolved()
        #expect(resolved.root.states.map { $0.id?.text } == ["state2", "state1", "a", "a-2"])
        #expect(resolved.root.states[2].states[0].id?.text == "final1")
        #expect(resolved.renamed.map { $0.name } == ["a-2"])
    }

    @Test(
        arguments: [
            ("1s", 1_000_000), ("1.5s", 1_500_000), (".5s", 500_000), ("200ms", 200_000), ("200", 200_000),
            ("2m", 120_000_000),
            ("1h", 3_600_000_000), ("", nil), ("s", nil), ("1 s", nil), ("1x", nil), ("-1s", nil),
            ("1e3s", nil), ("99999999999s", nil),
        ] as [(String, Int64?)]
    )
    func `delays are those of CSS`(_ text: String, _ microseconds: Int64?) {
        #expect(SCXMLSend.microseconds(text) == microseconds)
    }
}
