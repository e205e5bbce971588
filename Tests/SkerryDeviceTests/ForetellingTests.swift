import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues
import Testing

/// What a device tells of its future, and when.
@Suite("Forecasts")
struct ForetellingTests {
    static func definition(content: String = "status: state, cycle: timer.cycle") -> String {
        """
        sources: [{ topic: "thing/{device}", signals: { power: payload.power, left: seconds(payload.left) } }]
        timers: { cycle: { remaining: left, while: 'inState("running")' } }
        machine:
          initial: idle
          states:
            idle: { always: { guard: power > 5, target: running } }
            running:
              always:
                - { guard: power < 5, for: 3m, target: done }
                - { quiet: 10m, target: lost }
              on: { cycle.elapsed: finishing }
            finishing: { always: { guard: power < 5, target: done } }
            done: { after: { 15m: idle } }
            lost: {}
        activity:
          starts: running
          ends: [done, lost]
          content: { \(content) }
          stale: 5m
          dismiss: 20m
        """
    }

    /// What is foretold, each with the seconds since the start of the scene.
    static func told(_ scene: Scene) -> [String] {
        scene.effects.compactMap { effect in
            guard case .foretold(let timeline) = effect.what else { return nil }
            let at = (effect.at - Scene.start).roundedSeconds
            guard let timeline else { return "\(at) nothing" }
            let entries = timeline.entries.map { entry in
                let date = "\((entry.date - Scene.start).roundedSeconds)"
                return "\(date) \(entry.phase.map { "\($0.name) \(entry.state)" } ?? "gone")"
            }
            return "\(at) rev \(timeline.rev): \(entries.joined(separator: ", ")), \(timeline.policy)"
        }
    }

    @Test("a run: the countdown's end, then the end of the run, then its dismissal")
    func run() throws {
        var scene = try Scene(Self.definition())
        scene.send(#"{"power":100,"left":600}"#)
        for _ in 0..<5 {
            scene.wait(.minutes(2))
            scene.send(#"{"power":100}"#)
        }
        #expect(scene.state == "finishing")
        scene.send(#"{"power":1}"#)
        scene.wait(.minutes(20))
        #expect(!scene.isFollowed)
        #expect(
            Self.told(scene) == [
                "0 rev 1: 0 active running, 600 active finishing, never",
                "600 nothing",
                "600 rev 3: 600 ended done, 1800 gone, never",
                "1800 nothing",
            ]
        )
    }

    @Test("a changed forecast waits for the next update; one that will not come true is withdrawn at once")
    func takenBack() throws {
        var scene = try Scene(Self.definition())
        scene.send(#"{"power":100}"#)
        scene.send(#"{"power":1}"#)
        #expect(Self.told(scene) == [], "the wait for 3m shows only with the next update")
        scene.wait(.minutes(1))
        scene.send(#"{"left":600}"#)
        scene.wait(.minutes(1))
        scene.send(#"{"power":100}"#)
        scene.wait(.minutes(1))
        scene.send(#"{"power":1}"#)
        #expect(
            Self.told(scene) == [
                "60 rev 2: 60 active running, 180 ended done, 1380 gone, never",
                "120 rev 2: 60 active running, 660 active finishing, never",
            ]
        )
    }

    @Test("a countdown whose end moved by less than a minute is not published again without an update")
    func movedEnd() throws {
        var scene = try Scene(Self.definition(content: "status: state"))
        scene.send(#"{"power":100,"left":600}"#)
        scene.send(#"{"power":100,"left":650}"#)
        scene.send(#"{"power":100,"left":500}"#)
        scene.send(#"{"power":100,"left":661}"#)
        #expect(scene.updates.count == 1)
        #expect(
            Self.told(scene) == [
                "0 rev 1: 0 active running, 600 active finishing, never",
                "0 rev 1: 0 active running, 661 active finishing, never",
            ]
        )
    }

    @Test("silence is not forecast, and a stale activity stays stale")
    func silence() throws {
        var scene = try Scene(Self.definition())
        scene.send(#"{"power":100,"left":6000}"#)
        scene.wait(.minutes(10))
        #expect(scene.state == "lost")
        #expect(
            Self.told(scene) == [
                "0 rev 1: 0 active running, 6000 active finishing, never",
                "300 rev 2: 300 stale running, 6000 stale finishing, never",
                "600 rev 3: 600 ended lost, 1800 gone, never",
            ]
        )
    }

    static let everyTwoMinutes = (1...15).map { "\($0 * 120) active \($0 % 2 == 1 ? "b" : "a")" }
        .joined(separator: ", ")

    @Test(
        "beyond 12 hours, 16 entries or 128 deadlines a timeline ends with the time to continue it",
        arguments: [
            ("13h: b", "0 active a, after 46800"),
            ("11h: b", "0 active a, 39600 active b, after 79200"),
            ("2m: b", "0 active a, \(everyTwoMinutes), atEnd"),
            ("1s: a", "0 active a, after 129"),
        ]
    )
    func bounds(after: String, expected: String) throws {
        var scene = try Scene(
            """
            sources: [{ topic: "thing/{device}", signals: { on: payload } }]
            machine:
              initial: idle
              states:
                idle: { always: { guard: on == 1, target: run } }
                run:
                  initial: a
                  states:
                    a: { after: { \(after) } }
                    b: { after: { \(after.split(separator: ":")[0]): a } }
            activity: { starts: run, ends: idle, content: { status: '"x"' } }
            """
        )
        scene.send("1")
        let timeline = try #require(scene.engine.timeline(kind: "thing", device: "a"))
        var words = timeline.entries.map { entry in
            "\((entry.date - Scene.start).roundedSeconds) \(entry.phase?.name ?? "gone") \(entry.state)"
        }
        switch timeline.policy {
        case .atEnd: words.append("atEnd")
        case .never: words.append("never")
        case .after(let date): words.append("after \((date - Scene.start).roundedSeconds)")
        }
        #expect(words.joined(separator: ", ") == expected)
    }

    @Test("a restart remembers a forecast, and withdraws it when it will not come true")
    func restart() throws {
        var scene = try Scene(Self.definition(content: "status: state"))
        scene.send(#"{"power":100,"left":600}"#)
        let image = try #require(scene.engine.takeImages(all: true).first)
        let layout = try #require(scene.engine.imageLayouts().first)
        let before = Self.told(scene)
        let sequence = scene.engine.sequence
        scene.engine = Engine(definitions: [scene.definition], epoch: 7, resumingAt: sequence)
        let downtime = Downtime(start: scene.now, end: scene.now + .seconds(60))
        var restoration = EngineRestoration(of: scene.engine, after: downtime)
        guard case .restored = restoration.restore(image, layout: layout, effects: &scene.effects) else {
            Issue.record("the image is not taken")
            return
        }
        var held: [String] = []
        restoration.engine.forEachTimeline { kind, device, timeline in
            held.append("\(kind)/\(device) \(String(decoding: timeline.json(), as: UTF8.self))")
        }
        #expect(held.count == 1 && held[0].contains(#""date":1000600,"phase":"active","state":"finishing""#))
        scene.now = downtime.end
        let effects: [Effect]
        (scene.engine, effects) = restoration.finish()
        scene.effects += effects
        #expect(Self.told(scene) == before)
        scene.send(#"{"left":3600}"#)
        #expect(scene.updates.count == 1)
        #expect(Self.told(scene) == before + ["60 rev 1: 0 active running, 3660 active finishing, never"])
    }
}
