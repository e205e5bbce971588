import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues
import Testing

@Suite("Changes that settle")
struct SettlingTests {
    static let washer = """
        sources:
          - topic: thing/{device}
            signals: { mode: payload.mode, power: payload.power, left: minutes(payload.left) }
            event: default(payload.event, "")
        timers: { cycle: { remaining: left, while: 'inState("wash") || inState("spin")' } }
        machine:
          initial: idle
          states:
            idle: { always: { guard: mode == "wash", target: wash } }
            wash: { always: [{ guard: mode == "spin", target: spin }, { guard: mode == "done", target: done }] }
            spin: { always: { guard: mode == "done", target: done } }
            done: { always: { guard: mode == "wash", target: wash } }
        activity:
          starts: [wash, spin]
          ends: done
          content: { state: state, power: { value: power, tolerance: 50 }, cycle: timer.cycle }
          alerts: [{ event: help, title: Help }]
          settle: 2s
          stale: 10m
        """

    private func running() throws -> Scene {
        var scene = try Scene(Self.washer)
        scene.send(#"{"mode": "wash", "power": 100}"#)
        return scene
    }

    @Test
    func `the first change begins the wait, later ones do not lengthen it, and one update has them all`()
        throws
    {
        var scene = try running()
        scene.wait(.seconds(10))
        scene.send(#"{"power": 200}"#)
        scene.wait(.milliseconds(1500))
        scene.send(#"{"mode": "spin"}"#)
        scene.wait(.milliseconds(300))
        scene.send(#"{"power": 210, "left": 5}"#)
        scene.wait(.seconds(60))
        #expect(scene.story == ["0 1 started wash", "12 wash > spin", "12 2 changed spin"])
        // The change of state makes the power exact, although it drifted within its tolerance since.
        #expect(scene.content == #"{"state":"spin","power":210,"cycle":{"start":1000012,"end":1000312}}"#)
        #expect(scene.updates[1].at == Scene.start + .seconds(12))
    }

    @Test func `changes that are undone, or that nobody would see, give no update`() throws {
        var scene = try running()
        scene.send(#"{"power": 300}"#)
        scene.send(#"{"power": 100}"#)
        scene.wait(.seconds(5))
        scene.send(#"{"power": 140}"#)
        #expect(scene.engine.nextDeadline == Scene.start + .minutes(10))
        scene.wait(.seconds(5))
        #expect(scene.updates.count == 1)
    }

    @Test func `content that fails is counted once, whether or not anybody would see a change`() throws {
        let text = Self.washer.replacing(
            "{ value: power, tolerance: 50 }",
            with: #"'int("x" + string(power))'"#
        )
        var scene = try Scene(text)
        scene.send(#"{"mode": "wash", "power": 100}"#)
        let before = scene.failedReadings
        scene.send(#"{"power": 200}"#)
        #expect(scene.failedReadings == before + 1)
        #expect(scene.updates.count == 1)
    }

    @Test(
        "an end, an alert and the first message after silence go at once, with what waited",
        arguments: [
            (#"{"mode": "done"}"#, "2 ended done"), (#"{"event": "help"}"#, "2 changed wash ! Help"),
        ]
    )
    func atOnce(message: String, story: String) throws {
        var scene = try running()
        scene.send(#"{"power": 300}"#)
        scene.send(message)
        #expect(scene.story.last == "0 " + story)
        #expect(scene.content.contains(#""power":300"#))
        scene.wait(.seconds(10))
        #expect(scene.updates.count == 2)
    }

    @Test func `the first message after silence goes at once`() throws {
        var scene = try running()
        scene.wait(.minutes(10))
        scene.send(#"{"power": 300}"#)
        #expect(scene.story == ["0 1 started wash", "600 2 stale wash", "600 3 fresh wash"])
        #expect(scene.content.contains(#""power":300"#))
    }

    @Test(
        "a restart keeps what waits: it is published at its time, or at the start if that has passed",
        arguments: [(1, 2), (2, 2), (60, 2)] as [(Int64, Int64)]
    )
    func restart(downtime: Int64, published: Int64) throws {
        var scene = try running()
        scene.send(#"{"power": 300, "mode": "spin"}"#)
        #expect(scene.updates.count == 1)
        #expect(scene.engine.brokenInvariant() == nil)
        let images = scene.engine.takeImages(all: true)
        let layout = try #require(scene.engine.imageLayouts().first)
        let next = Engine(
            definitions: [scene.definition],
            epoch: 7,
            resumingAt: scene.engine.sequence
        )
        let end = scene.now + .seconds(downtime)
        var restoration = EngineRestoration(of: next, after: Downtime(start: scene.now, end: end))
        for image in images {
            guard case .restored = restoration.restore(image, layout: layout, effects: &scene.effects) else {
                Issue.record("\(image.name) is not restored")
                continue
            }
        }
        let finished = restoration.finish()
        scene.engine = finished.engine
        scene.effects += finished.effects
        scene.now = end
        scene.wait(.seconds(10))
        #expect(scene.updates.map { $0.at } == [Scene.start, Scene.start + .seconds(published)])
        #expect(scene.content.hasPrefix(#"{"state":"spin","power":300"#))
        #expect(scene.updates.last?.rev == 2)
    }

    @Test func `a clock that is set moves the wait`() throws {
        var scene = try running()
        scene.send(#"{"power": 300}"#)
        scene.now = scene.now + .hours(1)
        scene.effects += scene.engine.clockSet(by: .hours(1), at: scene.now)
        let before = scene.updates.count
        scene.wait(.milliseconds(1999))
        #expect(scene.updates.count == before)
        scene.wait(.milliseconds(1))
        #expect(scene.content.contains(#""power":300"#))
    }
}
