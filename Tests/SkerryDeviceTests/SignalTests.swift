import SkerryDevice
import SkerryEngine
import SkerryValues
import Testing

@Suite("Signals")
struct SignalTests {
    static let thing = """
        sources:
          - topic: thing/{device}
            signals: { power: payload.power, mode: payload.mode.name, ratio: payload.part / payload.whole }
        machine:
          initial: off
          states:
            off: { always: { guard: power > 5 && mode != "eco", target: on } }
            on: { always: { guard: ratio > 10, target: off } }
        """

    @Test("A message without a field leaves the signal as it was")
    func sticky() throws {
        var scene = try Scene(Self.thing)
        scene.send(#"{"power": 3}"#)
        #expect(scene.signal("power") == "3")
        #expect(scene.signal("mode") == "unset")
        scene.send(#"{"mode": {"name": "eco"}}"#)
        #expect(scene.signal("power") == "3")
        #expect(scene.signal("mode") == #""eco""#)
        scene.send(#"{"mode": {}, "power": null}"#)
        #expect(scene.signal("mode") == #""eco""#)
        #expect(scene.signal("power") == "null")
        #expect(scene.failedReadings == 0)
    }

    @Test("An explanation names the lengths of time and the moments")
    func explainedTimes() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { left: "default(minutes(payload.left), left)", plain: payload.left, lit: timestamp(payload.lit) }
            context: { rest: 'duration("90s")', began: 'timestamp(0)', count: 3 }
            machine: { initial: off, states: { off: {} } }
            """
        )
        func explained() -> String {
            var writer = JSONWriter()
            writer.beginObject()
            #expect(scene.engine.explain(kind: "thing", device: "a", at: scene.now, to: &writer))
            writer.endObject()
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        scene.send(#"{"plain": 1}"#)
        #expect(explained().contains(#""durations":["context.rest"],"moments":["context.began"]"#))
        scene.send(#"{"left": 24, "lit": "2026-03-01T08:00:00Z"}"#)
        let named = #""durations":["left","context.rest"],"moments":["lit","context.began"]"#
        #expect(explained().contains(named))
    }

    @Test("An expression with an error keeps the value and is counted")
    func errorKeepsValue() throws {
        var scene = try Scene(Self.thing)
        scene.send(#"{"part": 6, "whole": 2}"#)
        #expect(scene.signal("ratio") == "3")
        scene.send(#"{"part": 6, "whole": 0}"#)
        #expect(scene.signal("ratio") == "3")
        #expect(scene.failedReadings == 1)
        scene.send(#"{"part": "six", "whole": 2}"#)
        #expect(scene.signal("ratio") == "3")
        #expect(scene.failedReadings == 2)
    }

    @Test("A guard with an error is false, and counted unless something was merely absent")
    func guardWithError() throws {
        var scene = try Scene(Self.thing)
        scene.send(#"{"power": 9}"#)
        #expect(scene.state == "off", "the mode is unset")
        #expect(scene.failedReadings == 0)
        scene.send(#"{"power": "nine"}"#)
        #expect(scene.state == "off")
        #expect(scene.failedReadings > 0)
        scene.send(#"{"power": 9, "mode": {"name": "turbo"}}"#)
        #expect(scene.state == "on")
    }

    @Test("changed() is true for the message that changed the signal, and for no other")
    func changed() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { level: payload.level, other: payload.other }
            machine:
              context: { turns: 0 }
              initial: on
              states:
                on: { always: { guard: changed(level) && other > 0, target: seen } }
                seen: { on: { back: on } }
            """.replacing("  context: { turns: 0 }\n", with: "")
        )
        scene.send(#"{"level": 1, "other": 1}"#)
        #expect(scene.state == "seen")
        scene.tell("back")
        #expect(scene.state == "on")
        scene.send(#"{"level": 1, "other": 2}"#)
        #expect(scene.state == "on")
        scene.send(#"{"level": 2}"#)
        #expect(scene.state == "seen")
    }

    @Test(
        "A payload that can't be read is refused with its reason, and nothing of it is used",
        arguments: [
            ("json", "{\"power\": 9", "refused: not valid JSON"),
            ("json", "", "refused: not valid JSON"),
            ("json", "{\"power\": 1e999}", "refused: not valid JSON"),
            ("json", "\u{FF}", "refused: not valid JSON"),
            ("number", "W 12", "refused: no number"),
            ("number", "", "refused: no number"),
            ("number", "true", "refused: no number"),
            ("bool", "maybe", "refused: neither true nor false"),
        ]
    )
    func refused(format: String, payload: String, reason: String) throws {
        let isJSON = format == "json"
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                payload: \(format)
                signals: { value: \(isJSON ? "payload.power" : "payload") }
            machine:
              states: { on: { always: { guard: value == value && false, target: on } } }
            """
        )
        scene.send(isJSON ? #"{"power": 1}"# : "1")
        let before = scene.signal("value")
        #expect(before != "unset")
        scene.send(payload)
        #expect(scene.story.count == 1)
        #expect(scene.story.last?.dropFirst(2).hasPrefix(reason) == true, "\(scene.story)")
        #expect(scene.signal("value") == before)
        #expect(scene.engine.counters.refused == 1)
        #expect(scene.engine.counters.messages == 2)
    }

    @Test("Bytes that are not UTF-8 are not text, and too many bytes are not read")
    func refusedBytes() throws {
        var limits = DeviceLimits()
        limits.json.bytes = 8
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                payload: text
                signals: { word: payload }
            machine:
              states: { on: { always: { guard: word == "never", target: off } }, off: {} }
            """,
            limits: limits
        )
        scene.send("12345678")
        #expect(scene.signal("word") == #""12345678""#)
        scene.send("123456789")
        scene.send([0x61, 0xC3])
        #expect(
            scene.story == ["0 refused: longer than limits.payload allows", "0 refused: not UTF-8 text"]
        )
        #expect(scene.signal("word") == #""12345678""#)
    }

    @Test(
        "Words that mean true and false",
        arguments: [
            ("ON", "true"), ("off", "false"), ("1", "true"), ("0", "false"), ("Online", "true"),
            ("no", "false"),
        ]
    )
    func truth(word: String, meaning: String) throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                payload: bool
                signals: { value: payload }
            machine:
              states: { on: { always: { guard: value && false, target: on } } }
            """
        )
        scene.send(word)
        #expect(scene.signal("value") == meaning)
    }

    @Test("Topics are read by captures, and signals of several sources meet in one device")
    func captures() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { power: payload.power }
              - topic: "{room}/thing/{device}/#"
                payload: text
                signals: { place: topic.room, word: payload }
            machine:
              states: { on: { always: { guard: power > 3 && place == "cellar" && word == "go", target: far } }, far: {} }
            """
        )
        scene.send(#"{"power": 4}"#)
        scene.send("go", to: "attic/thing/a/x/y")
        #expect(scene.state == "on")
        scene.send("go", to: "cellar/thing/a")
        #expect(scene.state == "far")
        #expect(scene.engine.deviceCount == 1)
    }
}
