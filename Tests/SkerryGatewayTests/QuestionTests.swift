import SkerryActivity
import SkerryPhones
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryGateway

/// What the bridge answers when somebody asks.
@Suite("Questions to the bridge")
struct QuestionTests {
    static let start = Timestamp(seconds: 1_772_355_600)

    /// The answer to a question, as an object.
    func answer(_ pier: Pier, _ topic: String, _ payload: String = "") throws -> ValueMap {
        pier.drain()
        #expect(pier.send(topic + "/get", payload) == .committed)
        let answers = pier.drain()
        #expect(answers.map { $0.topic } == [topic])
        #expect(answers.allSatisfy { !$0.isRetained && $0.contentType == "application/json" })
        return try #require(answers.first).object
    }

    /// A member as JSON.
    func json(_ name: String, of members: ValueMap) -> String {
        var writer = JSONWriter()
        writer.value(members[name] ?? .null)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("a device is explained: signals, states, waits, guards, activity, what comes next")
    func device() throws {
        let pier = try Pier()
        pier.connect()
        pier.send("lamp/desk/state", #"{"on":true,"level":1}"#)
        pier.send("lamp/desk/state", #"{"level":2}"#)
        pier.clock.move(by: .minutes(1))
        let told = try answer(pier, "skerry/lamp/desk/explain")
        let expected = [
            "kind": #""lamp""#, "device": #""desk""#, "at": "1772355660", "heard": "1772355600",
            "available": "null", "failedReadings": "0", "signals": #"{"on":true,"level":2}"#,
            "variables": "{}", "states": #"[{"name":"lit","title":"Lit","since":1772355600}]"#,
            "timers": "[]", "events": "[]",
            "waits": #"[{"in":"lit","after":3600,"to":"forgotten","since":1772355600,"due":1772359200}]"#,
            "transitions": #"[{"in":"lit","guard":"!on","to":"dark","holds":false},"#
                + #"{"in":"lit","on":"snooze","to":"dimmed"},{"in":"lit","after":3600,"to":"forgotten"}]"#,
            "activity": #"{"id":"lamp/desk/1772355600","rev":2,"epoch":1772355600,"phase":"active","#
                + #""started":1772355600,"updated":1772355600,"changed":{"content":{"level":2}}}"#,
            "next": #"{"at":1772359200,"in":"lit","after":3600,"to":"forgotten"}"#, "phones": "[]",
        ]
        for (name, value) in expected.sorted(by: { $0.key < $1.key }) {
            #expect(json(name, of: told) == value, "\(name)")
        }
        #expect(json("timeline", of: told).contains(#""state":"forgotten""#))
        pier.send("lamp/desk/state", #"{"on":false}"#)
        let ended = try answer(pier, "skerry/lamp/desk/explain")
        #expect(json("next", of: ended) == #"{"at":1772356260,"activity":"gone"}"#)
    }

    @Test("a guard that reads an unknown value gives the reason")
    func guardError() throws {
        let pier = try Pier()
        pier.connect()
        pier.send("lamp/desk/LWT", "online")
        let told = try answer(pier, "skerry/lamp/desk/explain")
        #expect(
            json("transitions", of: told)
                == #"[{"in":"dark","guard":"on","to":"lit","holds":false,"why":"a value is not known yet"}]"#
        )
        #expect(json("signals", of: told) == #"{"on":null,"level":null}"#)
        #expect(json("next", of: told) == "null" && json("activity", of: told) == "null")
    }

    @Test("asking changes nothing and stores nothing")
    func noTrace() throws {
        let pier = try Pier()
        pier.connect()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        pier.drain()
        pier.clock.move(by: .seconds(1))
        pier.bridge.wake()
        let attempts = pier.ledger.attempts
        let before = try answer(pier, "skerry/lamp/desk/explain")
        #expect(
            try json("timeline", of: before) == json("timeline", of: answer(pier, "skerry/lamp/desk/explain"))
        )
        #expect(pier.ledger.attempts == attempts)
        #expect(pier.bridge.sleepLimit == .seconds(59), "the health report")
    }

    @Test("decisions for phones are part of the answer")
    func phones() throws {
        let pier = try Pier(decisions: { kind, device in
            [
                PhoneDecision(
                    at: Self.start,
                    phone: "p1",
                    activity: "\(kind)/\(device)/7",
                    kind: .held,
                    text: "15 an hour are spent",
                    until: Self.start + .minutes(9)
                )
            ]
        })
        pier.connect()
        pier.send("lamp/desk/state", #"{"on":true}"#)
        #expect(
            try json("phones", of: answer(pier, "skerry/lamp/desk/explain"))
                == #"[{"at":1772355600,"phone":"p1","activity":"lamp/desk/7","decision":"held","#
                + #""why":"15 an hour are spent","until":1772356140}]"#
        )
    }

    @Test("a phone that is called as the recipient of a sink learns nothing of it")
    func namesakes() {
        let policy = AudiencePolicy(rules: [AudiencePolicy.Rule("*", people: ["Ada"])])
        let phone = Viewer.phone("p1", person: "Ada", policy)
        let decision = { (name: String, id: String?) in
            PhoneDecision(at: Self.start, phone: name, phoneID: id, activity: "a", kind: .held, text: "")
        }
        #expect(phone.learns(of: decision("hook", "p1")), "its own")
        #expect(phone.learns(of: decision("", nil)), "a channel")
        #expect(!phone.learns(of: decision("hook", nil)) && !phone.learns(of: decision("p1", nil)), "sinks")
        #expect(!phone.learns(of: decision("hook", "p2")), "another phone of the same name")
        #expect(Viewer.unrestricted.learns(of: decision("hook", nil)))
    }

    @Test("an unknown device is an error; retained questions are ignored")
    func unknown() throws {
        let pier = try Pier()
        pier.connect()
        let told = try answer(pier, "skerry/lamp/desk/explain")
        #expect(json("error", of: told) == #""nothing was heard of this device""#)
        pier.send("skerry/lamp/desk/explain/get", "", isRetained: true)
        pier.send("skerry/lamp/explain/get", "")
        #expect(pier.drain().isEmpty)
    }
}
