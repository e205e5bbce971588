import SkerryGateway
import Testing

/// The reader of these tests finds what it is there to find.
@Suite("The reader that checks histories")
struct ReaderTests {
    static func snapshot(
        _ rev: Int,
        _ content: String,
        id: String = "a/b/1",
        phase: String = "active"
    ) -> Publication {
        let text =
            #"{"id":"\#(id)","rev":\#(rev),"epoch":1,"at":\#(rev),"phase":"\#(phase)","state":"s","#
            + #""attributes":{},"content":\#(content)}"#
        return Publication(topic: "p/a/b/activity", payload: Array(text.utf8), isRetained: true)
    }

    static func diff(_ rev: Int, _ patch: String, prev: Int? = nil) -> Publication {
        let text =
            #"{"id":"a/b/1","rev":\#(rev),"prev":\#(prev ?? rev - 1),"epoch":1,"at":\#(rev),"patch":\#(patch)}"#
        return Publication(topic: "p/a/b/activity/diff", payload: Array(text.utf8))
    }

    @Test("a correct history has no mistakes")
    func good() throws {
        let gone = Publication(topic: "p/a/b/activity", payload: [], isRetained: true)
        let complaints = try Reader.complaints(about: [
            Self.snapshot(1, #"{"x":1,"t":{"start":1,"end":2}}"#),
            Self.snapshot(2, #"{"x":2,"t":{"start":1,"end":3}}"#),
            Self.diff(2, #"{"content":{"x":2,"t":{"end":3}}}"#),
            Self.snapshot(3, #"{"x":2}"#, phase: "ended"),
            Self.diff(3, #"{"phase":"ended","content":{"t":null}}"#),
            gone, Self.snapshot(1, "{}", id: "a/b/2"),
        ])
        #expect(complaints.isEmpty)
    }

    @Test(
        "each mistake is found",
        arguments: [
            [snapshot(2, "{}")],
            [snapshot(1, "{}"), diff(2, #"{"content":{"x":1}}"#)],
            [snapshot(1, "{}"), snapshot(2, #"{"x":1}"#)],
            [snapshot(1, "{}"), snapshot(3, #"{"x":1}"#), diff(3, #"{"content":{"x":1}}"#, prev: 1)],
            [snapshot(1, "{}"), snapshot(2, #"{"x":1}"#), diff(2, #"{"content":{"x":2}}"#)],
            [snapshot(1, "{}"), snapshot(2, #"{"x":1}"#), diff(2, #"{"content":{"x":1}}"#, prev: 0)],
            [snapshot(1, "{}"), snapshot(2, #"{"x":1}"#), diff(2, #"{"state":"s","content":{"x":1}}"#)],
            [snapshot(1, "{}"), snapshot(2, #"{"x":1}"#), diff(2, #"{"content":{"x":1,"y":null}}"#)],
            [
                snapshot(1, #"{"t":{"start":1,"end":2}}"#), snapshot(2, #"{"t":{"start":1,"end":3}}"#),
                diff(2, #"{"content":{"t":{"start":1,"end":3}}}"#),
            ],
            [snapshot(1, "{}"), snapshot(2, "{}"), diff(2, "{}")],
            [snapshot(1, "{}"), Publication(topic: "p/a/b/activity", payload: [], isRetained: true)],
            [snapshot(1, "{}"), snapshot(1, "{}", id: "a/b/2"), snapshot(1, "{}")],
        ]
    )
    func bad(history: [Publication]) throws {
        #expect(try !Reader.complaints(about: history).isEmpty)
    }

    @Test("merge patches as in the examples of RFC 7396")
    func examples() throws {
        let cases = [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
            ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#), (#"{"a":"foo"}"#, "null", "null"),
        ]
        for (target, patch, result) in cases {
            let patched = try JSON(Array(target.utf8)).patched(with: JSON(Array(patch.utf8)))
            #expect(try patched == JSON(Array(result.utf8)), "\(target) \(patch)")
        }
        #expect(try JSON(Array("true".utf8)) != JSON(Array("1".utf8)))
    }
}
