import SkerryActivity
import SkerryDevice
import SkerryValues
import Testing

@Suite("Alerts of states, conditions and events")
struct AlertTests {
    static let drill = """
        sources:
          - topic: thing/{device}
            signals: { mode: payload.mode, battery: payload.battery }
            event: default(payload.button, "")
        timers: { rest: { duration: minutes(5), while: inState("on") } }
        machine:
          initial: "off"
          states:
            "off": { always: { guard: mode == "on", target: "on" } }
            "on": { title: Drilling, always: { guard: mode == "off", target: "off" } }
        activity:
          starts: "on"
          ends: "off"
          content: { status: state.title }
          alerts:
            - { state: "off", title: Done }
            - { when: battery < 20, title: "Only {battery} %", body: Charge it }
            - { event: button rest.elapsed, title: "It says {event}" }
          dismiss: immediate
        """

    private static func alerts(_ messages: [String], restartAfter: Int? = nil) throws -> [String] {
        var scene = try Scene(drill)
        for (number, message) in messages.enumerated() {
            if number == restartAfter { try scene.restart() }
            switch message.split(separator: " ", maxSplits: 1).first {
            case "retained": scene.send(String(message.dropFirst(9)), retained: true)
            case "wait": scene.wait(.minutes(5))
            case "tell": scene.tell(String(message.dropFirst(5)))
            default: scene.send(message)
            }
        }
        return scene.updates.compactMap { $0.alert?.title }
    }

    @Test(
        "Each is given once for each occasion, while a run goes on",
        arguments: [
            ([#"{"battery": 15}"#], []),
            ([#"{"mode": "on", "battery": 90}"#, #"{"battery": 19}"#, #"{"battery": 18}"#], ["Only 19 %"]),
            (
                [#"{"mode": "on", "battery": 19}"#, #"{"battery": 20}"#, #"{"battery": 5}"#],
                ["Only 19 %", "Only 5 %"]
            ),
            (
                [#"{"mode": "on", "battery": 9}"#, #"{"mode": "off"}"#, #"{"mode": "on"}"#],
                ["Only 9 %", "Done", "Only 9 %"]
            ),
            // The first one in the file, where several have an occasion.
            ([#"{"mode": "on"}"#, #"{"mode": "off", "battery": 3}"#], ["Done"]),
            // Retained messages give none, but what they say is no news later.
            ([#"retained {"mode": "on", "battery": 9}"#, #"{"battery": 8}"#], []),
            ([#"{"mode": "on"}"#, #"retained {"battery": 9}"#, #"{"battery": 8}"#], []),
            ([#"{"mode": "on"}"#, #"{"button": "button.double"}"#], ["It says button.double"]),
            ([#"{"mode": "on"}"#, #"{"button": "buttons"}"#], []),
            ([#"{"mode": "off", "button": "button"}"#, #"{"button": "button"}"#], []),
            ([#"{"mode": "on", "button": "button"}"#], ["It says button"]),
            ([#"{"mode": "on"}"#, "tell button"], ["It says button"]),
            ([#"{"mode": "on"}"#, "wait"], ["It says rest.elapsed"]),
        ]
    )
    func given(messages: [String], titles: [String]) throws {
        #expect(try Self.alerts(messages) == titles)
    }

    @Test("One that comes without a change is a revision with an empty patch")
    func unchanged() throws {
        var scene = try Scene(Self.drill)
        scene.send(#"{"mode": "on", "battery": 90}"#)
        scene.send(#"{"battery": 10}"#)
        let update = try #require(scene.updates.last)
        #expect(update.rev == 2 && update.isNewState)
        #expect(Scene.text(.map(try #require(update.patch))) == "{}")
        #expect(Scene.text(.map(update.content)) == #"{"status":"Drilling"}"#)
        #expect(
            String(decoding: try #require(update.alertJSON()), as: UTF8.self)
                == #"{"id":"thing/a/1000000","at":1000000,"title":"Only 10 %","body":"Charge it"}"#
        )
    }

    @Test("A restart tells nothing again, but what turns true anew")
    func restart() throws {
        let messages = [
            #"{"mode": "on", "battery": 9}"#, #"{"battery": 8}"#, #"{"battery": 30}"#, #"{"battery": 7}"#,
        ]
        #expect(try Self.alerts(messages, restartAfter: 1) == ["Only 9 %", "Only 7 %"])
        #expect(try Self.alerts(messages, restartAfter: 2) == ["Only 9 %", "Only 7 %"])
    }

    @Test("An alert has the sound and the urgency that are written")
    func urgency() throws {
        var scene = try Scene(
            Self.drill
                .replacing("title: Done }", with: "title: Done, sound: none, level: passive }")
                .replacing("body: Charge it }", with: "body: Charge it, sound: bell.caf, level: critical }")
        )
        let compiled = try scene.definition.compiled()
        #expect(try Definition.read(compiled: compiled[...]).compiled() == compiled)
        scene.send(#"{"mode": "on", "battery": 9}"#)
        try scene.restart()
        scene.send(#"{"mode": "off"}"#)
        let json = scene.updates.compactMap { $0.alertJSON() }.map { String(decoding: $0, as: UTF8.self) }
        #expect(
            json.map { $0.split(separator: ",", maxSplits: 2).last } == [
                #""title":"Only 9 %","body":"Charge it","sound":"bell.caf","level":"critical"}"#,
                #""title":"Done","body":"","sound":"none","level":"passive"}"#,
            ]
        )
    }
}
