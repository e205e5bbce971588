import Testing

/// Machines for statements of the SCXML specification, each of which must end in the state `pass`.
///
/// The numbers are those of the W3C's implementation report; the machines are written from the specification.
struct StandardCase: Sendable, CustomTestStringConvertible {
    var number: String
    /// Attributes of the element `scxml`.
    var attributes = ""
    /// Everything within `scxml` but the final states.
    var body: String

    var testDescription: String { number }

    var text: String {
        """
        <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript" \(attributes)>
        \(body)<final id="pass"/><final id="fail"/></scxml>
        """
    }

    init(_ number: String, _ body: String) { self.init(number, "", body) }

    init(_ number: String, _ attributes: String, _ body: String) {
        self.number = number
        self.attributes = attributes
        self.body = body
    }

    static let otherwise = #"<transition event="*" target="fail"/>"#

    static let data: [StandardCase] = [
        StandardCase(
            "276/277",
            #"<datamodel><data id="v" expr="return"/></datamodel><state id="a"><transition event="error.execution" "#
                + #"cond="typeof v === 'undefined'" target="b"/>\#(otherwise)<onentry><raise event="foo"/></onentry></state>"#
                + #"<state id="b"><onentry><assign location="v" expr="1"/></onentry><transition cond="v == 1" target="pass"/></state>"#
        ),
        StandardCase(
            "279",
            #"<state id="a"><transition cond="v == 1" target="pass"/><transition target="fail"/></state>"#
                + #"<state id="b"><datamodel><data id="v" expr="1"/></datamodel></state>"#
        ),
        StandardCase(
            "280/550",
            #"binding="late""#,
            #"<datamodel><data id="u"/></datamodel><state id="a"><transition cond="typeof v === 'undefined'" target="b"/>"#
                + #"<transition target="fail"/></state><state id="b"><datamodel><data id="v" expr="1"/></datamodel>"#
                + #"<onentry><assign location="u" expr="v"/></onentry><transition cond="u === v &amp;&amp; v === 1" target="pass"/>"#
                + #"<transition target="fail"/></state>"#
        ),
        StandardCase(
            "280 once",
            #"binding="late""#,
            #"<state id="a"><datamodel><data id="v" expr="1"/></datamodel><transition cond="v === 3" target="pass"/>"#
                + #"<transition target="b"/></state><state id="b"><onentry><assign location="v" expr="3"/></onentry>"#
                + #"<transition target="a"/></state>"#
        ),
        StandardCase(
            "294",
            #"<state id="a"><state id="a1"><transition target="a2"/></state><final id="a2"><donedata><param name="v" expr="1"/>"#
                + #"</donedata></final><transition event="done.state.a" cond="_event.data.v == 1" target="b"/>\#(otherwise)</state>"#
                + #"<state id="b"><state id="b1"><transition target="b2"/></state><final id="b2"><donedata><content>foo</content>"#
                + #"</donedata></final><transition event="done.state.b" cond="_event.data == 'foo'" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "298/343/488",
            #"<state id="a"><final id="a1"><donedata><param name="v" expr="return"/></donedata></final>"#
                + #"<transition event="error.execution" target="b"/><transition event="done.state.a" target="fail"/></state>"#
                + #"<state id="b"><transition event="done.state.a" cond="_event.data === undefined" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "298 location",
            #"<state id="a"><final id="a1"><donedata><param name="v" location="nowhere"/></donedata></final>"#
                + #"<transition event="error.execution" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "527",
            #"<state id="a"><final id="a1"><donedata><content expr="'foo'"/></donedata></final>"#
                + #"<transition event="done.state.a" cond="_event.data == 'foo'" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "528",
            #"<state id="a"><final id="a1"><donedata><content expr="return"/></donedata></final>"#
                + #"<transition event="error.execution" target="b"/>\#(otherwise)</state><state id="b">"#
                + #"<transition event="done.state.a" cond="typeof _event.data === 'undefined'" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "529",
            #"<state id="a"><final id="a1"><donedata><content>21</content></donedata></final>"#
                + #"<transition event="done.state.a" cond="_event.data == 21" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "286/311",
            #"<state id="a"><onentry><assign location="" expr="1"/></onentry><transition event="error.execution" target="pass"/>"#
                + #"<transition event=".*" target="fail"/></state>"#
        ),
        StandardCase(
            "551",
            #"<datamodel><data id="v">[1,2,3]</data></datamodel><state id="a"><transition cond="v instanceof Array" target="pass"/>"#
                + #"<transition target="fail"/></state>"#
        ),
        StandardCase(
            "558/562",
            "<datamodel><data id=\"v\">\nthis  is \na string\n</data></datamodel><state id=\"a\">"
                + #"<transition cond="v == 'this is a string'" target="pass"/><transition target="fail"/></state>"#
        ),
        StandardCase(
            "487",
            #"<state id="a"><onentry><send eventexpr="return"/></onentry><transition event="error.execution" target="pass"/>"#
                + #"\#(otherwise)</state>"#
        ),
        StandardCase(
            "525",
            #"<datamodel><data id="l" expr="[1,2,3]"/><data id="n" expr="0"/></datamodel><state id="a"><onentry>"#
                + #"<foreach item="i" array="l"><assign location="l" expr="[].concat(l, [4])"/><assign location="n" expr="n + 1"/>"#
                + #"</foreach></onentry><transition cond="n == 3" target="pass"/><transition target="fail"/></state>"#
        ),
    ]

    static let system: [StandardCase] = [
        StandardCase(
            "319",
            #"<state id="a"><onentry><if cond="typeof _event !== 'undefined'"><raise event="bound"/><else/><raise event="unbound"/>"#
                + #"</if></onentry><transition event="unbound" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "321",
            #"<datamodel><data id="v" expr="_sessionid"/></datamodel><state id="a">"#
                + #"<transition cond="typeof v !== 'undefined'" target="pass"/><transition target="fail"/></state>"#
        ),
        StandardCase(
            "322/329",
            #"<datamodel><data id="v" expr="_sessionid"/></datamodel><state id="a"><onentry>"#
                + #"<assign location="_sessionid" expr="'other'"/></onentry><transition event="error.execution" "#
                + #"cond="v === _sessionid" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "323",
            #"name="machine""#,
            #"<datamodel><data id="v" expr="_name"/></datamodel><state id="a"><transition cond="v === 'machine'" target="pass"/>"#
                + #"<transition target="fail"/></state>"#
        ),
        StandardCase(
            "324",
            #"name="machine""#,
            #"<state id="a"><onentry><assign location="_name" expr="'other'"/></onentry>"#
                + #"<transition cond="_name === 'machine'" target="pass"/><transition target="fail"/></state>"#
        ),
        StandardCase(
            "325/326",
            #"<datamodel><data id="v" expr="_ioprocessors"/></datamodel><state id="a"><onentry>"#
                + #"<assign location="_ioprocessors" expr="'other'"/></onentry><transition event="error.execution" "#
                + #"cond="typeof v === 'object' &amp;&amp; _ioprocessors['http://www.w3.org/TR/scxml/#SCXMLEventProcessor'].location == v['http://www.w3.org/TR/scxml/#SCXMLEventProcessor'].location" "#
                + #"target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "330",
            #"<state id="a"><onentry><raise event="foo"/></onentry><transition event="foo" cond="'name' in _event &amp;&amp; 'type' in "#
                + #"_event &amp;&amp; 'sendid' in _event &amp;&amp; 'origin' in _event &amp;&amp; 'invokeid' in _event &amp;&amp; 'data' in _event" "#
                + #"target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "332",
            #"<datamodel><data id="v"/></datamodel><state id="a"><onentry><send target="!invalid" event="foo" idlocation="v"/>"#
                + #"</onentry><transition event="error" cond="_event.sendid === v" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "333/335/337/339",
            #"<state id="a"><onentry><raise event="foo"/></onentry><transition event="foo" cond="!_event.sendid &amp;&amp; !_event.origin "#
                + #"&amp;&amp; !_event.origintype &amp;&amp; !_event.invokeid" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "336",
            #"<state id="a"><onentry><send event="foo"/></onentry><transition event="foo" target="b"><send event="bar" "#
                + #"targetexpr="_event.origin" typeexpr="_event.origintype"/></transition>\#(otherwise)</state><state id="b">"#
                + #"<onentry><send event="baz"/></onentry><transition event="bar" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "342",
            #"<datamodel><data id="v" expr="'foo'"/></datamodel><state id="a"><onentry><send eventexpr="v"/></onentry>"#
                + #"<transition event="foo" cond="_event.name == v" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "346",
            #"<state id="a"><onentry><assign location="_event" expr="2"/><raise event="a"/></onentry>"#
                + #"<transition event="error.execution" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "346 x",
            #"<state id="a"><onentry><assign location="_x" expr="2"/><raise event="a"/></onentry>"#
                + #"<transition event="error.execution" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "350",
            ##"<datamodel><data id="v" expr="'#_scxml_' + _sessionid"/></datamodel><state id="a"><onentry>"##
                + ##"<send event="foo" targetexpr="v" type="http://www.w3.org/TR/scxml/#SCXMLEventProcessor"/></onentry>"##
                + #"<transition event="foo" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "351/352",
            #"<state id="a"><onentry><send id="s" event="foo"/></onentry><transition event="foo" cond="_event.sendid === 's' &amp;&amp; "#
                + #"_event.origintype == 'http://www.w3.org/TR/scxml/#SCXMLEventProcessor'" target="b"/>\#(otherwise)</state>"#
                + #"<state id="b"><onentry><send event="bar"/></onentry><transition event="bar" cond="!_event.sendid" target="pass"/>"#
                + #"\#(otherwise)</state>"#
        ),
        StandardCase(
            "354",
            #"<datamodel><data id="v" expr="1"/></datamodel><state id="a"><onentry><send event="foo" namelist="v">"#
                + #"<param name="p" expr="2"/></send></onentry><transition event="foo" cond="_event.data.v == 1 &amp;&amp; "#
                + #"_event.data.p == 2" target="b"/>\#(otherwise)</state><state id="b"><onentry><send event="bar"><content>foo</content>"#
                + #"</send></onentry><transition event="bar" cond="_event.data == 'foo'" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "500/501",
            #"<state id="a"><onentry><send event="foo" "#
                + #"targetexpr="_ioprocessors['http://www.w3.org/TR/scxml/#SCXMLEventProcessor'].location"/></onentry>"#
                + #"<transition event="foo" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "569",
            #"<state id="a"><transition cond="_ioprocessors['scxml'].location !== undefined" target="pass"/>"#
                + #"<transition target="fail"/></state>"#
        ),
        StandardCase(
            "496/521",
            ##"<state id="a"><onentry><send event="foo" target="#_scxml_nobody"/></onentry>"##
                + #"<transition event="error.communication" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "578",
            #"<state id="a"><onentry><send event="foo"><content>{ "v": 1 }</content></send></onentry>"#
                + #"<transition event="foo" cond="_event.data.v == 1" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "560",
            #"<state id="a"><onentry><send event="foo"><param name="v" expr="1"/></send></onentry>"#
                + #"<transition event="foo" cond="_event.data.v == 1" target="pass"/>\#(otherwise)</state>"#
        ),
    ]

    static let states: [StandardCase] = [
        StandardCase(
            "387 shallow",
            #"initial="h""#,
            #"<state id="a" initial="a1"><history id="h"><transition target="a2x"/></history><state id="a1">"#
                + #"<transition target="fail"/></state><state id="a2" initial="a2y"><state id="a2x"><transition target="pass"/></state>"#
                + #"<state id="a2y"><transition target="fail"/></state></state></state>"#
        ),
        StandardCase(
            "387 deep",
            #"initial="h""#,
            #"<state id="a" initial="a1"><history id="h" type="deep"><transition target="a2x"/></history><state id="a1">"#
                + #"<transition target="fail"/></state><state id="a2" initial="a2y"><state id="a2x"><transition target="pass"/></state>"#
                + #"<state id="a2y"><transition target="fail"/></state></state></state>"#
        ),
        StandardCase(
            "388",
            #"<datamodel><data id="n" expr="0"/></datamodel><state id="a" initial="a1"><onentry><assign location="n" expr="n + 1"/>"#
                + #"</onentry><history id="s" type="shallow"><transition target="a1"/></history><history id="d" type="deep">"#
                + #"<transition target="a1"/></history><state id="a1" initial="a1x"><state id="a1x"><transition target="a1y"/></state>"#
                + #"<state id="a1y"><transition cond="n == 1" target="out"/><transition cond="n == 2" target="pass"/></state></state></state>"#
                + #"<state id="out"><transition target="d"/></state>"#
        ),
        StandardCase(
            "579",
            #"<state id="s" initial="s1"><datamodel><data id="n" expr="0"/></datamodel><history id="h"><transition target="s1">"#
                + #"<raise event="history"/></transition></history><state id="s1"><onentry><raise event="one"/></onentry>"#
                + #"<transition event="history" target="s2"/><transition event="one" cond="n == 0" target="out"/></state>"#
                + #"<state id="s2"><transition target="fail"/></state></state><state id="out"><onentry>"#
                + #"<assign location="n" expr="1"/></onentry><transition target="s3"/></state><state id="s3" initial="h2">"#
                + #"<history id="h2"><transition target="s31"><raise event="first"/></transition></history><state id="s31">"#
                + #"<transition event="first" target="pass"/><transition event="*" target="fail"/></state></state>"#
        ),
        StandardCase(
            "580",
            #"initial="p""#,
            #"<datamodel><data id="n" expr="0"/></datamodel><parallel id="p"><onentry><send event="timeout" delay="2s"/></onentry>"#
                + #"<state id="p0" initial="sh"><history id="sh"><transition target="p0a"/></history><state id="p0a">"#
                + #"<transition target="p0b"/></state><state id="p0b"><transition cond="In('sh')" target="fail"/></state></state>"#
                + #"<state id="p1"><transition cond="n == 0" target="p1"><assign location="n" expr="1"/></transition>"#
                + #"<transition cond="n == 1 &amp;&amp; In('p0b')" target="pass"/></state></parallel>"#
        ),
        StandardCase(
            "412",
            #"<state id="a"><onentry><raise event="one"/></onentry><initial><transition target="a1"><raise event="two"/></transition>"#
                + #"</initial><state id="a1"><onentry><raise event="three"/></onentry><transition event="one" target="a2"/></state>"#
                + #"<state id="a2"><transition event="two" target="a3"/></state><state id="a3"><transition event="three" target="pass"/></state>"#
                + #"\#(otherwise)</state>"#
        ),
        StandardCase(
            "413/576",
            #"initial="a1 b2""#,
            #"<parallel id="p"><state id="pa"><state id="a0"/><state id="a1"/></state><state id="pb" initial="b1"><state id="b1"/>"#
                + #"<state id="b2"><transition cond="In('a1')" target="pass"/></state></state></parallel>"#
        ),
        StandardCase(
            "364",
            #"initial="s""#,
            #"<state id="s" initial="x2 y2"><parallel id="p"><state id="x"><state id="x1"/><state id="x2"/></state><state id="y">"#
                + #"<state id="y1"/><state id="y2"><transition cond="In('x2')" target="pass"/></state></state></parallel></state>"#
        ),
        StandardCase(
            "409/411",
            #"<state id="a"><onexit><if cond="In('a1')"><raise event="in"/><else/><raise event="out"/></if></onexit><state id="a1">"#
                + #"<onentry><if cond="In('a')"><raise event="go"/></if></onentry><transition event="go" target="b"/></state></state>"#
                + #"<state id="b"><transition event="out" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "417/570",
            #"<parallel id="p"><state id="x"><transition event="go" target="xf"/><state id="x1"><onentry><raise event="go"/></onentry>"#
                + #"</state><final id="xf"/></state><state id="y"><final id="yf"/></state><transition event="done.state.p" target="pass"/>"#
                + #"</parallel>"#
        ),
        StandardCase(
            "372/375/378",
            #"<datamodel><data id="n" expr="1"/></datamodel><state id="a"><final id="f"><onentry><assign location="n" expr="2"/></onentry>"#
                + #"<onexit><assign location="n" expr="3"/></onexit></final><transition event="done.state.a" cond="n == 2" target="pass"/>"#
                + #"\#(otherwise)</state>"#
        ),
        StandardCase(
            "309",
            #"<state id="a"><transition cond="return" target="fail"/><transition target="pass"/></state>"#
        ),
        StandardCase(
            "344",
            #"<state id="a"><transition cond="return" target="fail"/><transition target="b"/></state><state id="b">"#
                + #"<transition event="error.execution" target="pass"/>\#(otherwise)</state>"#
        ),
        StandardCase(
            "399",
            #"<state id="a"><onentry><raise event="foo.bar"/></onentry><transition event="foo bar" target="b"/></state><state id="b">"#
                + #"<onentry><raise event="foos"/><raise event="foo.zoo"/></onentry><transition event="foo.*" cond="_event.name != 'foos'" "#
                + #"target="pass"/><transition event="foo" target="fail"/></state>"#
        ),
        StandardCase(
            "503/505",
            #"<datamodel><data id="n" expr="0"/></datamodel><state id="a"><onexit><assign location="n" expr="n + 1"/></onexit>"#
                + #"<onentry><raise event="foo"/><raise event="bar"/></onentry><transition event="foo" type="internal" target="a1"/>"#
                + #"<transition event="bar" cond="n == 0" target="pass"/>\#(otherwise)<state id="a0"/><state id="a1"/></state>"#
        ),
        StandardCase(
            "533",
            #"<datamodel><data id="n" expr="0"/></datamodel><parallel id="p"><onexit><assign location="n" expr="n + 1"/></onexit>"#
                + #"<onentry><raise event="foo"/><raise event="bar"/></onentry><transition event="foo" type="internal" target="p1"/>"#
                + #"<transition event="bar" cond="n == 1" target="pass"/><state id="p1"/><state id="p2"/></parallel>"#
        ),
    ]
}
