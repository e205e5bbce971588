import SkerryDevice
import SkerryEngine
import SkerryValues
import Testing

@Suite("Images of devices in each version")
struct ImageVersionTests {
    /// A washer at work whose image needs a version, with keys of its activity and a signal.
    struct Case: Sendable, CustomTestStringConvertible {
        var version: UInt8
        var keys = ""
        /// The second message; the first one has a power of 900 and an hour left.
        var message = #"{"left": 60}"#
        var testDescription: String { "version \(version): \(keys)" }
    }

    static let cases = [
        Case(version: 2),
        Case(version: 3, keys: "run: job", message: #"{"job": 7}"#),
        Case(version: 4, keys: "settle: 10s", message: #"{"power": 500}"#),
        Case(version: 5, keys: "relevance: 'power > 1000 ? 90 : 50'"),
        Case(version: 6, keys: "stale: { of: left, for: 3h }"),
        Case(version: 6, keys: "exactAfter: 2h", message: #"{"power": 880}"#),
        Case(version: 6, keys: "alerts: [{ when: 'timer.cycle < minutes(5)', title: Soon }]"),
        Case(
            version: 6,
            keys: "stale: { of: left, for: 3h }\n  exactAfter: 2h\n  "
                + "alerts: [{ when: 'timer.cycle < minutes(5)', title: Soon }]",
            message: #"{"power": 880}"#
        ),
        Case(version: 7, keys: "throttle: 1h", message: #"{"power": 500}"#),
    ]

    private static func scene(_ keys: String) throws -> Scene {
        try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { power: payload.power, left: minutes(payload.left), job: payload.job }
                available: payload.there
            timers: { cycle: { remaining: left, while: inState("on") } }
            machine:
              initial: "off"
              states:
                "off": { always: { guard: power > 10, target: "on" } }
                "on": { on: { cycle.elapsed: over }, always: { guard: power < 5, target: "off" } }
                over: { always: { guard: power < 5, target: "off" } }
            activity:
              starts: "on"
              ends: "off"
              content: { cycle: timer.cycle, power: { value: power, tolerance: 50 } }
              \(keys)
            """
        )
    }

    @Test("A countdown that stands still a second time has the same time left over a restart")
    func lag() throws {
        var scene = try Self.scene("settle: 1s")
        scene.send(#"{"power": 900, "left": 60}"#)
        for (isThere, minutes) in [(false, 30), (true, 4), (false, 30)] as [(Bool, Int64)] {
            scene.send(#"{"there": \#(isThere)}"#)
            scene.wait(.minutes(minutes))
        }
        var engine = scene.engine
        #expect(engine.takeImages(all: true).first?.bytes.first == 10)
        try scene.restart()
        scene.send(#"{"there": true}"#)
        scene.wait(.minutes(55))
        #expect(scene.state == "on")
        scene.wait(.minutes(1))
        #expect(scene.state == "over")
    }

    @Test("A restart changes nothing of what follows", arguments: cases)
    func restart(_ one: Case) throws {
        var stories: [[String]] = []
        for restarts in [false, true] {
            var scene = try Self.scene(one.keys)
            scene.send(#"{"power": 900, "left": 60}"#)
            scene.send(one.message)
            // Images that were taken are not given out again.
            var engine = scene.engine
            #expect(engine.takeImages(all: true).first?.bytes.first == one.version)
            if restarts { try scene.restart() }
            scene.wait(.minutes(147))
            scene.send(#"{"power": 0}"#)
            stories.append(scene.story)
        }
        #expect(stories[0] == stories[1])
        #expect(!stories[0].isEmpty)
    }
}
