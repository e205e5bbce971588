import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryTesting
import SkerryValues
import Testing

@Suite("Updates that a definition throttles, and estimates that wander")
struct ThrottleTests {
    /// The power is throttled to five minutes, all else to one; the mode, as a text, is never.
    private static let pump = """
        sources:
          - topic: thing/{device}
            signals: { mode: payload.mode, flow: payload.flow, power: payload.power, left: minutes(payload.left) }
            event: default(payload.event, "")
        timers: { cycle: { remaining: left, tolerance: 5%, while: mode == "on" } }
        machine:
          initial: idle
          states:
            idle: { always: { guard: 'default(mode, "") != ""', target: running } }
            running: { always: [{ guard: mode == "over", target: done }, { guard: flow > 90, target: high }] }
            high: { always: { guard: flow < 80, target: running } }
            done: {}
        activity:
          starts: running
          ends: done
          throttle: 1m
          stale: 1h
          alerts: [{ event: help, title: Help }]
          content:
            mode: { value: mode, throttle: 0s }
            flow: flow
            power: { value: power, throttle: 5m }
            cycle: timer.cycle
        """

    private func running() throws -> Scene {
        var scene = try Scene(Self.pump)
        scene.send(#"{"mode": "on", "flow": 0, "power": 10, "left": 100}"#)
        // The first value after a start is told at once.
        scene.send(#"{"flow": 1}"#)
        #expect(scene.updates.count == 2)
        return scene
    }

    @Test(
        "Values that change too soon wait, and one update has the newest",
        arguments: [1, 30, 59] as [Int64]
    )
    func waits(after first: Int64) throws {
        var scene = try running()
        scene.wait(.seconds(first))
        scene.send(#"{"flow": 2}"#)
        scene.send(#"{"flow": 3}"#)
        scene.wait(.seconds(60 - first))
        #expect(scene.story == ["0 1 started running", "0 2 changed running", "60 3 changed running"])
        #expect(scene.content.contains(#""flow":3"#))
    }

    @Test("After a longer rest a value is told at once, and what is undone is not told")
    func rests() throws {
        var scene = try running()
        scene.wait(.seconds(60))
        scene.send(#"{"flow": 2}"#)
        #expect(scene.story.last == "60 3 changed running")
        scene.send(#"{"flow": 3}"#)
        scene.send(#"{"flow": 2}"#)
        scene.wait(.minutes(30))
        #expect(scene.updates.count == 3)
    }

    @Test(
        "What is no mere change of a value does not wait, and takes along what does",
        arguments: [
            #"{"mode": "slow"}"#, #"{"flow": 95}"#, #"{"event": "help"}"#, #"{"mode": "over"}"#,
            #"{"mode": "off"}"#,
        ]
    )
    func atOnce(message: String) throws {
        var scene = try running()
        scene.wait(.seconds(5))
        scene.send(#"{"power": 20}"#)
        #expect(scene.updates.count == 2)
        scene.send(message)
        #expect(scene.updates.count == 3)
        #expect(scene.updates.last?.at == Scene.start + .seconds(5))
        #expect(scene.content.contains(#""power":20"#))
        scene.wait(.minutes(10))
        #expect(scene.updates.count == 3)
    }

    @Test("A field has a throttle of its own")
    func own() throws {
        var scene = try running()
        scene.send(#"{"power": 20}"#)
        scene.wait(.seconds(299))
        #expect(scene.updates.count == 2)
        scene.wait(.seconds(1))
        #expect(scene.story.last == "300 3 changed running")
    }

    @Test("A restart keeps what waits", arguments: [(0, 60), (30, 60), (90, 60)] as [(Int64, Int64)])
    func restart(downtime: Int64, published: Int64) throws {
        var scene = try running()
        scene.send(#"{"flow": 2}"#)
        try scene.restart(after: .seconds(downtime))
        scene.wait(.seconds(60))
        #expect(scene.updates.map { $0.at } == [Scene.start, Scene.start, Scene.start + .seconds(published)])
        #expect(scene.content.contains(#""flow":2"#))
    }

    @Test("A countdown that readers have at zero does not wait for its new end")
    func zero() throws {
        var scene = try Scene(Self.pump.replacing("throttle: 1m", with: "throttle: 10m"))
        scene.send(#"{"mode": "on", "flow": 1, "power": 10, "left": 1}"#)
        scene.send(#"{"flow": 2}"#)
        scene.wait(.seconds(1))
        scene.send(#"{"left": 10}"#)
        #expect(scene.updates.count == 2)
        scene.wait(.seconds(59))
        #expect(scene.updates.count == 3)
        #expect(scene.content.contains(#""end":1000601"#))
    }

    @Test("Silence is told with what waited")
    func silence() throws {
        var scene = try Scene(Self.pump.replacing("throttle: 1m", with: "throttle: 2h"))
        scene.send(#"{"mode": "on", "flow": 1, "power": 10, "left": 100}"#)
        scene.send(#"{"flow": 2}"#)
        scene.send(#"{"flow": 3}"#)
        scene.wait(.hours(1))
        #expect(scene.story.last == "3600 3 stale running")
        #expect(scene.content.contains(#""flow":3"#))
        #expect(scene.engine.nextDeadline.map { $0 > scene.now } ?? true)
    }

    @Test("A wait that goes on is no reason to store the device again")
    func stored() throws {
        var scene = try running()
        scene.send(#"{"flow": 2}"#)
        _ = scene.engine.takeImages(all: false)
        scene.send(#"{"flow": 3}"#)
        #expect(scene.engine.takeImages(all: false).isEmpty)
    }

    @Test("A clock that is set back holds nothing back for as long")
    func clock() throws {
        var scene = try running()
        scene.send(#"{"flow": 2}"#)
        scene.now = scene.now + .hours(-3)
        scene.effects += scene.engine.clockSet(by: .hours(-3), at: scene.now)
        scene.wait(.seconds(60))
        #expect(scene.content.contains(#""flow":2"#))
        scene.send(#"{"flow": 3}"#)
        scene.wait(.seconds(60))
        #expect(scene.content.contains(#""flow":3"#))
    }

    @Test(
        "Whatever comes: no two updates of values alone within the throttle, and in the end the newest values",
        arguments: 0..<60
    )
    func random(seed: UInt64) throws {
        var random = SimulatedRandom(seed: seed)
        var scene = try Scene(Self.pump)
        scene.send(#"{"mode": "on", "flow": 1, "power": 10, "left": 100}"#)
        var flow = 1
        for _ in 0..<80 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: scene.send(#"{"mode": "\#(Bool.random(using: &random) ? "on" : "slow")"}"#)
            case 1: scene.send(#"{"event": "help"}"#)
            case 2: scene.send(#"{"left": \#(Int.random(in: 40...120, using: &random))}"#)
            case 3: try scene.restart(after: .seconds(Int64.random(in: 0...50, using: &random)))
            case 4: scene.send(#"{"power": \#(Int.random(in: 1...9, using: &random))}"#)
            default:
                flow = Int.random(in: 1...99, using: &random)
                scene.send(#"{"flow": \#(flow)}"#)
            }
            for _ in 0..<Int.random(in: 0...8, using: &random) { scene.wait(.seconds(5)) }
        }
        var (last, toldValues) = (scene.updates[0], false)
        for next in scene.updates.dropFirst() {
            let tellsValues = next.tellsValuesAlone(after: last)
            if toldValues, tellsValues { #expect(next.at - last.at >= .minutes(1), "\(seed): \(next.rev)") }
            (last, toldValues) = (next, tellsValues)
        }
        scene.wait(.minutes(10))
        #expect(scene.content.contains(#""flow":\#(flow)"#), "\(seed)")
    }

    @Test(
        "An end moves when the estimate has moved by more than a part of the time that is left, and by ten seconds",
        arguments: [
            // Minutes passed, minutes that the device says are left then, and the end that is shown in seconds.
            (0.0, 104.0, 6000), (0.0, 106.0, 6360), (50.0, 52.4, 6000), (50.0, 53.0, 6180),
            (50.0, 47.6, 6000),
            (99.0, 1.1, 6000), (99.0, 1.2, 6012),
        ]
    )
    func relative(passed: Double, left: Double, end: Int) throws {
        let text = Self.pump.replacing("minutes(payload.left)", with: "seconds(payload.left)")
        var scene = try Scene(text)
        scene.send(#"{"mode": "on", "left": 6000}"#)
        scene.wait(.seconds(Int64(passed * 60)))
        scene.send(#"{"left": \#(Int((left * 60).rounded()))}"#)
        #expect(scene.timer("cycle") == "0 to \(end)")
    }
}

extension ActivityUpdate {
    /// Returns whether only the flow, the power or the end of the countdown is another one.
    fileprivate func tellsValuesAlone(after last: ActivityUpdate) -> Bool {
        guard kind == .changed, !isNewState, alert == nil else { return false }
        let isSameMode = Scene.text(content["mode"] ?? .null) == Scene.text(last.content["mode"] ?? .null)
        return isSameMode && members(of: "cycle") == last.members(of: "cycle")
    }

    private func members(of name: String) -> [String] {
        guard case .map(let map)? = content[name] else { return [] }
        return map.entries.map { Scene.text($0.key) }
    }
}
