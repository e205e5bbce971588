import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues
import Testing

/// Silence while the bridge has lost its broker.
@Suite("Silence without a broker")
struct DeafnessTests {
    private static func scene() throws -> Scene {
        var scene = try Scene(
            """
            sources:
              - topic: thing/{device}
                signals: { on: payload.on }
            timers: { cycle: { duration: minutes(30), while: inState("busy") } }
            machine:
              initial: idle
              states:
                idle: { always: { guard: on, target: busy } }
                busy: { on: { cycle.elapsed: cooling }, always: { quiet: 40m, target: lost } }
                cooling: { always: { quiet: 10m, target: lost } }
                lost: { always: { guard: "!on", target: idle } }
            activity:
              starts: busy
              ends: [idle, lost]
              stale: 20m
              content: { status: state }
            """
        )
        scene.send(#"{"on": true}"#)
        return scene
    }

    enum Step {
        case wait(Int64)
        case lose, find, restart
    }

    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var steps: [Step]
        /// The state and the phase of the activity.
        var end: String
    }

    static let cases = [
        Case(testDescription: "with a broker it goes stale in time", steps: [.wait(20)], end: "busy stale"),
        Case(
            testDescription: "without one it does not",
            steps: [.wait(19), .lose, .wait(10)],
            end: "busy active"
        ),
        Case(
            testDescription: "afterwards it has the time that was left",
            steps: [.wait(15), .lose, .wait(9), .find, .wait(4)],
            end: "busy active"
        ),
        Case(
            testDescription: "and not more",
            steps: [.wait(15), .lose, .wait(9), .find, .wait(5)],
            end: "busy stale"
        ),
        Case(
            testDescription: "two attempts that fail are one loss",
            steps: [.wait(15), .lose, .wait(4), .lose, .wait(5), .find, .wait(5)],
            end: "busy stale"
        ),
        Case(
            testDescription: "timers go on, and a wait that begins meanwhile counts from the next connection",
            steps: [.lose, .wait(90), .find, .wait(9)],
            end: "cooling active"
        ),
        Case(
            testDescription: "but not longer",
            steps: [.lose, .wait(90), .find, .wait(10)],
            end: "lost ended"
        ),
        Case(
            testDescription: "a restart without a broker forgives both times",
            steps: [.wait(15), .lose, .wait(5), .restart, .wait(4)],
            end: "cooling active"
        ),
        Case(
            testDescription: "and no more",
            steps: [.wait(15), .lose, .wait(5), .restart, .wait(5)],
            end: "cooling stale"
        ),
    ]

    @Test("counts only while a message could come", arguments: cases)
    func silence(_ one: Case) throws {
        var scene = try Self.scene()
        for step in one.steps {
            switch step {
            case .wait(let minutes): scene.wait(.minutes(minutes))
            case .lose: scene.effects += scene.engine.handle(.disconnected, at: scene.now)
            case .find: scene.effects += scene.engine.handle(.connected, at: scene.now)
            case .restart: try scene.restart(after: .minutes(7))
            }
            #expect(scene.engine.brokenInvariant() == nil)
        }
        let phase = scene.engine.device(kind: "thing", named: "a")?.device.activity?.phase
        #expect("\(scene.state) \(phase.map(\.name) ?? "none")" == one.end)
    }

    @Test("an outage is stored once it is long, and then once")
    func stored() throws {
        var scene = try Self.scene()
        _ = scene.engine.takeImages(all: false)
        for (minutes, count) in [(0, 0), (0, 0), (2, 1), (0, 0), (2, 0)] as [(Int64, Int)] {
            scene.wait(.minutes(minutes))
            _ = scene.engine.handle(.disconnected, at: scene.now)
            #expect(scene.engine.takeImages(all: false).count == count)
        }
        _ = scene.engine.handle(.connected, at: scene.now)
        #expect(scene.engine.takeImages(all: false).count == 1, "what was forgiven")
    }
}
