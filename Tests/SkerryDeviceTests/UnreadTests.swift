import SkerryDevice
import SkerryEngine
import Testing

@Suite("What devices tell and nobody reads")
struct UnreadTests {
    private static func washer(_ guards: String, source: String = "") -> String {
        """
        sources:
          - topic: thing/{device}
        \(source)
            signals: { status: payload.status, power: double(payload.power), mode: payload.stat }
        machine:
          initial: idle
          states:
            idle: { always: { guard: '\(guards)', target: busy } }
            busy: { always: { guard: 'status in ["End", "Off"]', target: idle } }
        activity: { starts: busy, ends: idle, content: { status: 'status == "Soak" ? "Soaking" : state.title' } }
        """
    }

    private func words(_ scene: Scene) -> [String] { scene.engine.unread.flatMap { $0 }.map(\.text) }

    @Test("A word that no guard compares a signal with is told once for each word, with a count")
    func word() throws {
        var scene = try Scene(Self.washer(#"status == "Run" || power > 5.0"#))
        for status in ["Run", "Complete", "End", "Complete", "Soak", "", "Off"] {
            scene.send(#"{"status": "\#(status)", "power": 1, "stat": 1}"#)
        }
        let unread = scene.engine.unread[0]
        #expect(unread.map(\.text) == [#"status "Complete": no transition knows it"#])
        #expect(unread.first?.count == 2 && unread.first?.device == "a")
        // The device says another word now.
        #expect(scene.engine.unread(kind: "thing", device: "a").isEmpty)
        scene.send(#"{"status": "Complete"}"#)
        #expect(scene.engine.unread(kind: "thing", device: "a").map(\.text) == unread.map(\.text))
    }

    @Test(
        "Where another word makes a difference, too, none is unknown",
        arguments: [
            #"status != "Idle" && status != "End" && status != "Off""#, #"!(status in ["Idle", "End"])"#,
            #"status.startsWith("R")"#,
            #"!(power > 3.0 || status == "x")"#, #"status == "A" ? power > 1.0 : power > 2.0"#,
            #"status == mode"#,
            "status == \"\"", "has(status) && power > 1.0",
        ]
    )
    func open(_ guards: String) throws {
        // The other guard compares with words; what is shown here is that one more reading opens the signal.
        let isCompared = guards == "status == \"\"" || guards.hasPrefix("has")
        var scene = try Scene(Self.washer(guards))
        scene.send(#"{"status": "Complete", "power": 0, "stat": "y"}"#)
        #expect(words(scene).isEmpty != isCompared, "\(words(scene))")
    }

    @Test(
        "A word leads the other way at a guard with an else, and before a transition that is taken in any case",
        arguments: [
            """
            { guard: 'status in ["Run", "End"]', actions: { assign: { n: 1 } }, else: { assign: { n: 2 } } }
            """,
            "{ guard: power > 5.0, actions: { guard: 'status == \"Run\"', actions: [], else: { assign: { n: 2 } } } }",
        ]
    )
    func otherwise(_ actions: String) throws {
        var scene = try Scene(
            """
            sources:
              - { topic: "thing/{device}", signals: { status: payload.status, power: payload.power }, event: '"told"' }
            context: { n: 0 }
            machine:
              initial: idle
              states:
                idle: { on: { told: { actions: \(actions) } } }
            """
        )
        scene.send(#"{"status": "Complete", "power": 1.0}"#)
        #expect(words(scene).isEmpty)
    }

    @Test(
        "Only a transition of the same trigger without a guard makes the other way",
        arguments: [
            ("[{ guard: 'status == \"Run\"', target: busy }, idle]", true),
            ("[{ guard: 'status == \"Run\"', target: busy }, { guard: power > 5.0, target: idle }]", false),
        ]
    )
    func fallback(_ transitions: String, _ isRead: Bool) throws {
        var scene = try Scene(
            """
            sources:
              - { topic: "thing/{device}", signals: { status: payload.status, power: payload.power }, event: '"told"' }
            machine:
              initial: busy
              states: { idle: {}, busy: { on: { told: \(transitions) } } }
            """
        )
        scene.send(#"{"status": "Complete", "power": 1.0}"#)
        #expect(words(scene).isEmpty == isRead, "\(words(scene))")
    }

    @Test("Words are bounded, and long ones are cut")
    func bounds() throws {
        var scene = try Scene(Self.washer(#"status == "Run""#))
        for number in 0..<500 {
            scene.send(
                #"{"status": "\#(String(repeating: "é", count: 100)) \#(number)", "power": 1, "stat": 1}"#
            )
            scene.send(#"{"status": "Word \#(number)"}"#)
        }
        let unread = words(scene)
        #expect(unread.count == 6, "\(unread)")
        #expect(unread.allSatisfy { $0.utf8.count < 120 })
    }

    @Test("A signal that guards need and that never came is told with the fields that came")
    func field() throws {
        var scene = try Scene(Self.washer(#"mode == "wash""#))
        for _ in 0..<2 { scene.send(#"{"state": 1, "phase": {"now": "x", "left": 2}}"#) }
        #expect(words(scene).isEmpty)
        scene.send(#"{"state": 1, "phase": {"now": "y"}}"#)
        let told =
            "never had a value: mode ('payload.stat'); messages have 'state', 'phase.now', 'phase.left'"
        #expect(words(scene).contains(told), "\(words(scene))")
        #expect(scene.engine.unread(kind: "thing", device: "a").map(\.text).contains(told))
        scene.send(#"{"stat": "wash"}"#)
        #expect(!words(scene).contains { $0.contains("mode") })
    }

    @Test("A signal that may be absent is not missed")
    func optional() throws {
        var scene = try Scene(Self.washer(#"default(mode, "") == "wash" || has(mode) && power > 5.0"#))
        for _ in 0..<5 { scene.send(#"{"status": "Off", "power": 1}"#) }
        #expect(words(scene) == [])
    }

    @Test("An expression that fails is told with its reason, without being asked for")
    func expression() throws {
        var scene = try Scene(Self.washer("power > 5.0 && status > 3"))
        for _ in 0..<3 { scene.send(#"{"power": "much", "status": "Run", "stat": 1}"#) }
        #expect(words(scene).contains("'double(payload.power)' failed 3 times: an argument is out of range"))
    }

    @Test("A text that a source does not take for a message of a known device is told")
    func ignored() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                payload: text
                when: payload in ["on", "off"]
                signals: { word: payload }
            machine:
              initial: idle
              states: { idle: { always: { guard: word == "on", target: busy } }, busy: {} }
            """
        )
        scene.send("dimmed")
        #expect(words(scene).isEmpty, "the device is not known yet")
        for payload in ["on", "dimmed", #"{"a": 1}"#, String(repeating: "x", count: 200)] {
            scene.send(payload)
        }
        #expect(words(scene).first == #"thing/a "dimmed": no source takes it"#)
        #expect(words(scene).count == 2)
    }

    // MARK: Numbers with a unit

    private static let plug = """
        sources:
          - topic: thing/{device}
            payload: number
            signals: { power: payload }
        machine:
          initial: idle
          states: { idle: { always: { guard: power > 5.0, target: busy } }, busy: {} }
        """

    @Test(
        "A number before its unit is read",
        arguments: [
            ("12 W", "12"), ("12.5W", "12.5"), (" -3 °C ", "-3"), ("1e2 W", "100"), ("7 eV", "7"),
            ("45%", "45"),
            (#""12 W""#, "12"), (#""12""#, "12"), ("60min", "60"),
        ]
    )
    func unit(_ payload: String, _ number: String) throws {
        var scene = try Scene(Self.plug)
        scene.send(payload)
        #expect(scene.signal("power") == number)
        #expect(words(scene).isEmpty)
    }

    @Test(
        "What is no number is refused, and told",
        arguments: [
            "1 h 30 min", "12:30", "2026-03-01", "1,5 W", "W 12", "", "on", "12 m3", "- 5", "[12]", "1.2.3",
        ]
    )
    func noNumber(_ payload: String) throws {
        var scene = try Scene(Self.plug)
        scene.send("1")
        scene.send(payload)
        #expect(scene.signal("power") == "1")
        #expect(words(scene) == ["thing/+ can't be read, once: the payload is no number"])
    }

    @Test("Conversions to numbers and lengths read a number before its unit, too")
    func conversions() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { power: double(payload.power), whole: int(payload.whole), left: minutes(payload.left) }
            machine:
              initial: idle
              states: { idle: { always: { guard: 'power > 5.0 && whole > 1 && left > minutes(1)', target: busy } }, busy: {} }
            """
        )
        scene.send(#"{"power": "12.5 W", "whole": "12 W", "left": "43 min"}"#)
        #expect(
            scene.signal("power") == "12.5" && scene.signal("whole") == "12"
                && scene.signal("left") == "2580s"
        )
        scene.send(#"{"power": "1 h 30", "whole": "12.5 W", "left": "soon"}"#)
        #expect(words(scene).count == 3)
    }
}
