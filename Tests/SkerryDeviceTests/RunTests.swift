import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues
import Testing

@Suite("Runs and their updates")
struct RunTests {
    static let washer = """
        sources:
          - topic: thing/{device}
            signals: { mode: payload.mode, load: payload.load, wifi: payload.wifi }
        machine:
          initial: idle
          states:
            idle: { always: { guard: mode == "run", target: running } }
            running:
              title: Running
              always: [{ guard: mode == "door", target: open }, { guard: mode == "idle", target: done }]
            open: { title: "Door of {device}", always: { guard: mode == "run", target: running } }
            done: { always: { guard: mode == "run", target: running } }
        activity:
          starts: running
          ends: [done]
          attributes: { name: device.name, began: mode }
          content:
            status: state.title
            load: { value: load, tolerance: 2 }
          alerts:
            running: { title: Off it goes }
            done: { title: "{device} is done", body: "{load} kg" }
          stale: 15m
          dismiss: 10m
        """

    @Test("A run ends even if its end state is left again at once")
    func passingThroughAnEnd() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { mode: payload.mode }
            machine:
              initial: idle
              states:
                idle: { always: { guard: mode == "run", target: running } }
                running: { always: { guard: mode == "off", target: lost } }
                lost: { always: { guard: mode == "off", target: idle } }
            activity: { starts: running, ends: lost, dismiss: immediate }
            """
        )
        scene.send(#"{"mode": "run"}"#)
        #expect(scene.isFollowed)
        scene.send(#"{"mode": "off"}"#)
        #expect(!scene.isFollowed)
        #expect(scene.updates.last?.phase == .ended)
    }

    @Test("Updates contain what phones need besides the content")
    func phones() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { mode: payload.mode, room: payload.room, load: payload.load }
            machine:
              initial: idle
              states:
                idle: { always: { guard: mode == "run", target: running } }
                running: { always: { guard: mode == "idle", target: done } }
                done: {}
            activity:
              starts: running
              ends: [done]
              content: { load: load }
              alerts: { done: { title: Done } }
              relevance: 80
              stale: 10m
              link: "skerry://{room}/{device}"
            """
        )
        scene.send(#"{"mode": "run", "room": "cellar"}"#)
        scene.wait(.seconds(10))
        scene.send(#"{"load": 3}"#)
        scene.wait(.minutes(20))
        scene.send(#"{"mode": "idle"}"#)
        let updates = scene.updates
        #expect(updates.map(\.kind) == [.started, .changed, .stale, .ended])
        #expect(updates.map(\.isNewState) == [true, false, true, true])
        #expect(updates.allSatisfy { $0.link == "skerry://cellar/a" && $0.relevance == 80 })
        #expect(updates.allSatisfy { $0.startedAt == Scene.start })
        let staleAfter = updates.map { $0.staleness.date.map { ($0 - Scene.start).roundedSeconds } }
        #expect(staleAfter == [1200, 1210, nil, nil])
        let heardAfter = updates.map { $0.heardAt.map { ($0 - Scene.start).roundedSeconds } }
        #expect(heardAfter == [nil, nil, 10, nil])
        var unheard = updates[2]
        unheard.heardAt = nil
        let states = [updates[2], unheard].map { LiveActivityContract.contentState(of: $0) }
        #expect(String(decoding: states[0], as: UTF8.self).contains(#"},"heard":1000010,"#))
        #expect(!String(decoding: states[1], as: UTF8.self).contains("heard"))
        #expect(LiveActivityContract.look(of: updates[2]) == LiveActivityContract.look(of: unheard))
    }

    @Test("A fault leaves the values over time as they were, also those that begin again with a run")
    func faultAtTheStart() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { mode: payload.mode, stuck: payload.stuck, turns: payload.turns, all: { counter: turns } }
            machine:
              initial: idle
              states:
                idle: { always: { guard: mode == "run", target: running } }
                running: { always: [{ guard: mode == "off", target: idle }, { guard: stuck, target: other }] }
                other: { always: { guard: stuck, target: running } }
            activity: { starts: running, ends: idle, reset: all, content: { all: all } }
            """
        )
        scene.send(#"{"turns": 0}"#)
        scene.send(#"{"turns": 100}"#)
        #expect(scene.signal("all") == "100")
        scene.send(#"{"mode": "run", "stuck": true}"#)
        #expect(scene.state == "idle" && !scene.isFollowed)
        #expect(scene.story.contains { $0.contains("fault") })
        scene.send(#"{"mode": "off", "stuck": false, "turns": 101}"#)
        #expect(scene.signal("all") == "101")
    }

    @Test("What was due in a downtime is handled at its own time, and silence begins with the start")
    func downtime() throws {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { mode: payload.mode, ready: timestamp(int(payload.ready)), load: payload.load }
            machine:
              initial: idle
              states:
                idle: { always: { guard: mode == "run", for: 3m, target: running } }
                running:
                  always:
                    - { quiet: { of: load, for: 8m }, target: lost }
                    - { past: ready, target: warm }
                warm: { after: { 2m: cold } }
                cold: { always: { quiet: { of: load, for: 5m }, target: lost } }
                lost: {}
            activity: { starts: running, ends: lost, content: { status: state }, stale: { of: load, for: 4m } }
            """
        )
        scene.send(#"{"mode": "run", "ready": 1000300}"#)
        try scene.restart(after: .minutes(20))
        scene.wait(.zero)
        #expect(
            scene.story == [
                "180 idle > running", "180 1 started running", "300 running > warm", "300 2 changed warm",
                "420 warm > cold", "420 3 changed cold",
            ]
        )
        scene.wait(.minutes(6))
        #expect(
            scene.story.dropFirst(6) == ["1440 4 stale cold", "1500 cold > lost", "1500 5 ended lost"]
        )
    }

    @Test("Time in which nobody listened is no silence, and no message either")
    func heardOverRestarts() throws {
        var scene = try Scene(
            """
            sources: [{ topic: "thing/{device}", signals: { mode: payload.mode } }]
            machine:
              initial: idle
              states:
                idle: { always: { guard: mode == "run", target: running } }
                running: { always: { guard: mode == "idle", target: idle } }
            activity: { starts: running, ends: idle, content: { mode: mode }, stale: 10m }
            """
        )
        scene.send(#"{"mode": "run"}"#)
        scene.wait(.minutes(2))
        try scene.restart(after: .minutes(60))
        scene.wait(.minutes(2))
        try scene.restart(after: .minutes(5))
        scene.wait(.minutes(5))
        #expect(scene.updates.last?.phase == .active)
        scene.wait(.minutes(1))
        #expect(scene.updates.last?.phase == .stale)
        #expect(scene.updates.last?.heardAt == Scene.start)
        scene.send(#"{"mode": "run"}"#)
        try scene.restart(after: .minutes(5))
        scene.wait(.minutes(10))
        #expect(scene.updates.last?.heardAt == Scene.start + .minutes(75))
    }

    @Test("A link without one of its values is none, and one that may change is content of pushes")
    func links() throws {
        func updates(_ link: String) throws -> [ActivityUpdate] {
            var scene = try Scene(
                """
                sources:
                  - topic: thing/{device}
                    signals: { mode: payload.mode, phone: payload.phone, load: payload.load }
                machine:
                  initial: idle
                  states:
                    idle: { always: { guard: mode == "run", target: running } }
                    running: { always: { guard: mode == "idle", target: idle } }
                activity: { starts: running, ends: idle, content: { load: load }, link: "\(link)" }
                """
            )
            scene.send("{\"mode\": \"run\"}")
            for (load, phone) in [(1, ""), (2, "+4930"), (3, nil), (4, "+4931")] {
                scene.wait(.seconds(10))
                let value = phone.map { "\"\($0)\"" } ?? "null"
                scene.send("{\"load\": \(load), \"phone\": \(value)}")
            }
            return scene.updates
        }
        let calls = try updates("tel:{phone}")
        #expect(calls.map(\.link) == [nil, nil, "tel:+4930", nil, "tel:+4931"])
        #expect(calls.allSatisfy { $0.isLinkContent })
        let pages = try updates("https://example.org/{device}")
        #expect(pages.allSatisfy { $0.link == "https://example.org/a" && !$0.isLinkContent })
        let spaced = try updates("https://example.org/ü 1")
        #expect(spaced.allSatisfy { $0.link == "https://example.org/%C3%BC%201" })
    }

    @Test("A run starts, changes, ends and is dismissed; an invisible change gives no update")
    func run() throws {
        var scene = try Scene(Self.washer)
        scene.send(#"{"mode": "idle", "load": 5}"#)
        scene.send(#"{"mode": "run"}"#)
        scene.wait(.seconds(10))
        for wifi in 0..<20 { scene.send(#"{"mode": "run", "wifi": \#(wifi)}"#) }
        scene.send(#"{"load": 7}"#)
        #expect(scene.updates.count == 1, "within its tolerance")
        #expect(scene.content == #"{"status":"Running","load":5}"#)
        scene.send(#"{"mode": "door"}"#)
        #expect(scene.content == #"{"status":"Door of a","load":7}"#, "a change of state is exact")
        scene.send(#"{"load": 9.5}"#)
        scene.send(#"{"mode": "run"}"#)
        scene.wait(.seconds(10))
        scene.send(#"{"mode": "idle"}"#)
        #expect(scene.isFollowed)
        scene.wait(.minutes(10))
        #expect(!scene.isFollowed)
        #expect(
            scene.story == [
                "0 idle > running", "0 1 started running ! Off it goes",
                "10 running > open", "10 2 changed open", "10 3 changed open",
                "10 open > running", "10 4 changed running ! Off it goes",
                "20 running > done", "20 5 ended done ! a is done", "620 dismissed",
            ]
        )
        #expect(scene.updates.last?.alert?.body == "9.5 kg")
        #expect(scene.updates.allSatisfy { $0.id == "thing/a/1000000" && $0.epoch == 7 })
        #expect(Scene.text(.map(scene.updates[3].attributes)) == #"{"name":"a","began":"run"}"#)
        #expect(scene.updates[4].dismissAt == Scene.start + .seconds(620))
    }

    @Test("A run that starts before the last one is dismissed takes its place")
    func restart() throws {
        var scene = try Scene(Self.washer)
        scene.send(#"{"mode": "run"}"#)
        scene.send(#"{"mode": "idle"}"#)
        scene.send(#"{"mode": "run"}"#)
        #expect(scene.updates.map { $0.id } == ["thing/a/1000000", "thing/a/1000000", "thing/a/1000001"])
        #expect(scene.updates.map { $0.rev } == [1, 2, 1])
        scene.wait(.minutes(14))
        #expect(scene.isFollowed)
        #expect(!scene.story.contains { $0.hasSuffix("dismissed") })
    }

    @Test("A repeated retained message gives no update, and none gives an alert")
    func replay() throws {
        var scene = try Scene(Self.washer)
        scene.send(#"{"mode": "run"}"#, retained: true)
        scene.send(#"{"mode": "idle"}"#, retained: true)
        #expect(
            scene.story == [
                "0 1 started running", "0 running > done", "0 2 ended done",
            ]
        )
    }

    @Test("Silence makes an activity stale, the next message active; a retained one does not end silence")
    func stale() throws {
        var scene = try Scene(Self.washer)
        scene.send(#"{"mode": "run"}"#)
        scene.wait(.minutes(10))
        scene.send("{}")
        scene.wait(.seconds(899))
        #expect(scene.updates.count == 1)
        scene.wait(.seconds(1))
        #expect(scene.updates.last?.phase == .stale)
        scene.wait(.minutes(5))
        scene.send(#"{"wifi": 3}"#, retained: true)
        #expect(scene.updates.count == 2)
        scene.send(#"{"wifi": 4}"#)
        #expect(scene.updates.last?.phase == .active)
        #expect(scene.updates.last?.kind == .fresh)
        scene.wait(.minutes(15))
        #expect(scene.updates.last?.phase == .stale)
        scene.send(#"{"mode": "idle"}"#)
        #expect(scene.updates.last?.phase == .ended)
        scene.wait(.hours(1))
        #expect(
            scene.story.map { String($0.split(separator: " ", maxSplits: 1)[1]) } == [
                "1 started running ! Off it goes", "2 stale running", "3 fresh running", "4 stale running",
                "running > done", "5 ended done ! a is done", "dismissed",
            ]
        )
        #expect(scene.updates.count == 5)
    }

    @Test("Content beyond the limit is a fault, reported once; the content before it stays")
    func tooLarge() throws {
        var scene = try Scene(Self.washer)
        scene.send(#"{"mode": "run", "load": "feather"}"#)
        let long = String(repeating: "x", count: 5000)
        scene.send(#"{"load": "\#(long)"}"#)
        scene.send(#"{"load": "\#(long)y"}"#)
        #expect(scene.story.count == 2)
        #expect(scene.story.last == "0 fault: the content has 5030 bytes, the limit is 4096")
        #expect(scene.content == #"{"status":"Running","load":"feather"}"#)
        scene.send(#"{"load": "stone"}"#)
        #expect(scene.content == #"{"status":"Running","load":"stone"}"#)
    }

    @Test("An activity that is dismissed at once disappears with its end")
    func immediate() throws {
        var scene = try Scene(Self.washer.replacing("dismiss: 10m", with: "dismiss: immediate"))
        scene.send(#"{"mode": "run"}"#)
        scene.send(#"{"mode": "idle"}"#)
        #expect(scene.story.last == "0 dismissed")
        #expect(!scene.isFollowed)
        #expect(!scene.engine.hasPendingActivity)
    }
}
