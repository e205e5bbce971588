import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues
import Testing

@Suite("Silences that not every message breaks")
struct SignalSilenceTests {
    private static func printer(quiet: String, stale: String = "{ of: left, for: 10m }") -> String {
        """
        sources:
          - topic: thing/{device}
            signals: { mode: payload.mode, left: minutes(payload.left), percent: payload.percent, heat: payload.heat }
        machine:
          initial: idle
          states:
            idle: { always: { guard: mode == "on", target: printing } }
            printing: { always: { quiet: \(quiet), target: lost } }
            lost: { always: { guard: changed(left) || changed(percent), target: printing } }
        activity:
          starts: printing
          content: { percent: percent }
          stale: \(stale)
        """
    }

    /// What the device tells every ten minutes, from the tenth to the fiftieth on.
    enum Telling: String, CaseIterable {
        case nothing, heat, sameLeft, otherLeft, samePercent, otherPercent, retained

        func send(_ minute: Int64, to scene: inout Scene) {
            switch self {
            case .nothing: break
            case .heat: scene.send("{\"heat\": \(minute)}")
            case .sameLeft: scene.send(#"{"left": 0}"#)
            case .otherLeft: scene.send("{\"left\": \(minute)}")
            case .samePercent: scene.send(#"{"percent": 99}"#)
            case .otherPercent: scene.send("{\"percent\": \(minute)}")
            case .retained: scene.send("{\"left\": \(minute)}", retained: true)
            }
        }
    }

    @Test(
        "What breaks a silence of half an hour",
        arguments: [
            ("30m", [.heat, .sameLeft, .otherLeft, .samePercent, .otherPercent]),
            ("{ of: [left, percent], for: 30m }", [.sameLeft, .otherLeft, .samePercent, .otherPercent]),
            ("{ of: left, for: 30m }", [.sameLeft, .otherLeft]),
            ("{ unchanged: [left, percent], for: 30m }", [.otherLeft, .otherPercent]),
            ("{ unchanged: percent, for: 30m }", [.otherPercent]),
        ] as [(String, [Telling])]
    )
    func broken(quiet: String, by breakers: [Telling]) throws {
        for telling in Telling.allCases {
            var scene = try Scene(Self.printer(quiet: quiet))
            scene.send(#"{"mode": "on", "left": 0, "percent": 99}"#)
            for minute in stride(from: Int64(10), through: 50, by: 10) {
                scene.wait(.minutes(10))
                telling.send(minute, to: &scene)
            }
            let isBroken = breakers.contains(telling)
            let moves = scene.story.filter { $0.contains("> lost") }.map { $0.split(separator: " ")[0] }
            #expect(moves.first == (isBroken ? nil : "1800"), "\(telling)")
            scene.wait(.minutes(30))
            // Fifty minutes and half an hour after the last breach.
            #expect(scene.state == "lost", "\(telling)")
        }
    }

    @Test("The silence begins with the state, and again when the state is entered again")
    func entry() throws {
        var scene = try Scene(Self.printer(quiet: "{ of: left, for: 30m }"))
        scene.send(#"{"left": 5}"#)
        scene.wait(.minutes(29))
        scene.send(#"{"mode": "on"}"#)
        scene.wait(.minutes(29))
        #expect(scene.state == "printing")
        scene.wait(.minutes(1))
        #expect(scene.state == "lost")
        scene.send(#"{"percent": 5}"#)
        #expect(scene.state == "printing")
        scene.wait(.minutes(30))
        #expect(scene.state == "lost")
    }

    @Test("A silence whose guard did not hold begins again with the signal, and not with another")
    func spent() throws {
        let quiet = "{ of: left, for: 30m }, guard: percent > 50"
        var scene = try Scene(Self.printer(quiet: quiet))
        scene.send(#"{"mode": "on", "left": 5, "percent": 10}"#)
        scene.wait(.minutes(30))
        scene.send(#"{"percent": 60}"#)
        scene.wait(.minutes(60))
        #expect(scene.state == "printing")
        scene.send(#"{"left": 4}"#)
        scene.wait(.minutes(30))
        #expect(scene.state == "lost")
    }

    @Test("An activity is stale by the silence of a signal, and fresh with its next report")
    func stale() throws {
        var scene = try Scene(Self.printer(quiet: "3h"))
        scene.send(#"{"mode": "on", "left": 9, "percent": 1}"#)
        scene.wait(.minutes(5))
        scene.send(#"{"left": 9}"#)
        for minute in 1...12 {
            scene.wait(.minutes(1))
            scene.send("{\"percent\": \(minute + 1)}")
        }
        let stale = try #require(scene.updates.first { $0.kind == .stale })
        #expect(stale.at == Scene.start + .minutes(15) && stale.heardAt == Scene.start + .minutes(5))
        #expect(scene.updates.last?.phase == .stale)
        scene.send(#"{"left": 9}"#)
        #expect(scene.updates.last?.kind == .fresh && scene.updates.last?.heardAt == nil)
        scene.wait(.minutes(10))
        #expect(scene.updates.last?.kind == .stale)
    }

    @Test("A restart forgives its length, and the silence goes on")
    func restart() throws {
        let text = Self.printer(quiet: "{ unchanged: left, for: 30m }")
        var scene = try Scene(text)
        scene.send(#"{"mode": "on", "left": 9}"#)
        scene.wait(.minutes(8))
        scene.send(#"{"heat": 9}"#)
        try scene.restart(after: .hours(5))
        scene.wait(.minutes(1))
        #expect(scene.updates.last?.phase == .active)
        scene.wait(.minutes(1))
        #expect(scene.updates.last?.kind == .stale)
        scene.send(#"{"heat": 7}"#)
        scene.wait(.minutes(19))
        #expect(scene.state == "printing")
        scene.wait(.minutes(1))
        #expect(scene.state == "lost")
        #expect(scene.engine.brokenInvariant() == nil)
    }

    @Test("Signals that nothing else reads are read, and unknown ones are refused")
    func checked() throws {
        let lost = try Scene(Self.printer(quiet: "{ of: [left, percent], for: 30m }")).definition
        #expect(try Definition.read(compiled: lost.compiled()[...]).compiled() == lost.compiled())
    }
}
