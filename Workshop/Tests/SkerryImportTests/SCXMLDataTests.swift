import SkerryImport
import Testing

/// What SCXML does with data beyond plain variables, in the engine.
@Suite struct SCXMLDataTests {
    @Test(
        "A machine ends in `pass`, and nothing of it is left out",
        arguments: [
            (
                "name='machine'", "_name and _sessionid",
                """
                <state id='a'><transition cond="_name == 'machine' &amp;&amp; typeof _sessionid !== 'undefined'" target='pass'/>
                </state>
                """
            ),
            (
                "", "parameters of a done event",
                """
                <state id='a'><final id='end'><donedata><param name='v' expr='1'/><param name='w' expr="'x'"/></donedata></final>
                <transition event='done.state.a' cond="_event.data.v == 1 &amp;&amp; _event.data.w == 'x'" target='pass'/>
                <transition event='*' target='fail'/></state>
                """
            ),
            (
                "", "content of a done event",
                """
                <state id='a'><final id='end'><donedata><content>21</content></donedata></final>
                <transition event='done.state.a' cond='_event.data == 21' target='pass'/>
                <transition event='*' target='fail'/></state>
                """
            ),
            (
                "binding='late'", "late binding: no value before the state, and only one first value",
                """
                <datamodel><data id='n' expr='0'/></datamodel>
                <state id='a'><transition cond="typeof v === 'undefined'" target='b'/><transition target='fail'/></state>
                <state id='b'><datamodel><data id='v' expr='1'/></datamodel>
                <onentry><assign location='n' expr='n + 1'/></onentry>
                <transition cond='n == 1 &amp;&amp; v == 1' target='c'/>
                <transition cond='n == 2 &amp;&amp; v == 5' target='pass'/><transition target='fail'/></state>
                <state id='c'><onentry><assign location='v' expr='5'/></onentry><transition target='b'/></state>
                """
            ),
            (
                "initial='h'", "the default of a history below a child",
                """
                <state id='a'><history id='h'><transition target='a2y'/></history><state id='a1'/>
                <state id='a2'><state id='a2x'/><state id='a2y'><transition target='pass'/></state></state></state>
                """
            ),
        ]
    )
    func data(attributes: String, what: String, body: String) throws {
        let imported = SCXMLTranslation.definition(
            from: """
                <scxml datamodel="ecmascript" \(attributes)>\(body)<state id='pass'/><state id='fail'/></scxml>
                """,
            kind: "thing",
            file: "thing.scxml"
        )
        #expect(places(imported) == [], "\(what)")
        #expect(try ImportedMachine(imported).states == ["pass"], "\(what)\n\(imported.yaml ?? "")")
    }
}
