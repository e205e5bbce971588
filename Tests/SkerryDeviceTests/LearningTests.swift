import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryValues
import Testing

@Suite("Learned ends")
struct LearningTests {
    /// A machine on a plug, with programmes that it tells.
    private static func machine(learn: String) -> String {
        """
        sources:
          - topic: thing/{device}
            signals: { power: payload.power, programme: payload.programme }
        context: { rested: now }
        timers:
          run: { count: up, while: inState("on"), learn: \(learn) }
        machine:
          initial: idle
          states:
            idle: { always: { guard: power > 10, target: "on" } }
            "on":
              always:
                - { guard: power < 0, target: broken }
                - { guard: power < 10, for: 5m, target: over, actions: { assign: { rested: since } } }
            over: { always: { guard: power > 10, target: "on" } }
            broken: { always: { guard: power > 10, target: "on" } }
        activity: { starts: "on", ends: [over, broken], content: { run: timer.run }, dismiss: 0s }
        """
    }

    private static let byCurve = machine(
        learn: #"{ curve: power, when: inState("over"), end: context.rested }"#
    )

    /// Heats for some minutes, turns for the rest of the minutes, and stands still until the run is over.
    private static func run(_ scene: inout Scene, heats: Int64, of minutes: Int64, programme: String = "") {
        begin(&scene, heats: heats, until: minutes, programme: programme)
        scene.send(#"{"power": 1}"#)
        scene.wait(.minutes(5))
    }

    /// Lets a run go on until a minute.
    private static func begin(_ scene: inout Scene, heats: Int64, until end: Int64, programme: String = "") {
        for minute in 0..<end {
            scene.send(#"{"power": \#(minute < heats ? 2000 : 100), "programme": "\#(programme)"}"#)
            scene.wait(.minutes(1))
        }
    }

    /// The end of the timer in seconds since the scene began; nil while it counts up.
    private static func end(_ scene: Scene) -> Int64? {
        let words = scene.timer("run").split(separator: " ")
        return words.dropLast().last == "to" ? words.last.flatMap { Int64($0) } : nil
    }

    @Test("Three runs tell the end of the fourth, the moment at which the device was done")
    func fourth() throws {
        var scene = try Scene(Self.byCurve)
        for length: Int64 in [60, 62, 61] {
            let start = scene.now - Scene.start
            scene.send(#"{"power": 2000}"#)
            #expect(scene.timer("run") == "since \(start.roundedSeconds)")
            Self.run(&scene, heats: 10, of: length)
        }
        let start = (scene.now - Scene.start).roundedSeconds
        Self.begin(&scene, heats: 10, until: 20)
        #expect(scene.timer("run") == "\(start) to \(start + 61 * 60)")
        #expect(scene.content.contains(#""tolerance":366"#), "a tenth, until errors of ends are known")
        #expect(scene.updates.filter { $0.rev > 1 && $0.kind != .ended }.isEmpty, "no correction")
    }

    @Test("Runs with another curve do not tell the end, those with the same one do")
    func curves() throws {
        var scene = try Scene(Self.byCurve)
        for _ in 0..<3 { Self.run(&scene, heats: 5, of: 40) }
        for _ in 0..<3 { Self.run(&scene, heats: 30, of: 90) }
        for (heats, minutes) in [(5, 40), (30, 90)] as [(Int64, Int64)] {
            let start = (scene.now - Scene.start).roundedSeconds
            Self.begin(&scene, heats: heats, until: minutes / 2)
            #expect(scene.timer("run") == "\(start) to \(start + minutes * 60)")
            Self.begin(&scene, heats: 0, until: minutes - minutes / 2)
            Self.run(&scene, heats: 0, of: 0)
        }
    }

    @Test("Only runs of the same programme are compared")
    func programmes() throws {
        var scene = try Scene(Self.machine(learn: "{ by: programme }"))
        for _ in 0..<3 {
            Self.run(&scene, heats: 0, of: 40, programme: "quick")
            Self.run(&scene, heats: 0, of: 90, programme: "cotton")
        }
        for (programme, minutes) in [("quick", 45), ("cotton", 95)] as [(String, Int64)] {
            let start = (scene.now - Scene.start).roundedSeconds
            Self.begin(&scene, heats: 0, until: 3, programme: programme)
            #expect(scene.timer("run") == "\(start) to \(start + minutes * 60)")
            Self.run(&scene, heats: 0, of: minutes - 8, programme: programme)
        }
        Self.begin(&scene, heats: 0, until: 3, programme: "wool")
        #expect(scene.timer("run").hasPrefix("since"))
    }

    @Test("Runs that were cut off do not count, and one far off the others changes nothing")
    func broken() throws {
        var scene = try Scene(Self.byCurve)
        for _ in 0..<3 {
            Self.begin(&scene, heats: 10, until: 20)
            scene.send(#"{"power": -1}"#)
        }
        Self.begin(&scene, heats: 10, until: 20)
        #expect(scene.timer("run").hasPrefix("since"), "three broken runs are none")
        Self.run(&scene, heats: 0, of: 40)
        for length: Int64 in [60, 61, 180, 60] { Self.run(&scene, heats: 10, of: length) }
        let start = (scene.now - Scene.start).roundedSeconds
        Self.begin(&scene, heats: 10, until: 40)
        #expect(scene.timer("run") == "\(start) to \(start + 3600)")
    }

    @Test("A run that heats for longer than those before it ends so much later")
    func slower() throws {
        var scene = try Scene(Self.byCurve)
        for _ in 0..<4 { Self.run(&scene, heats: 10, of: 60) }
        let start = (scene.now - Scene.start).roundedSeconds
        Self.begin(&scene, heats: 18, until: 40)
        let end = try #require(Self.end(scene))
        #expect((end - start - 68 * 60).magnitude <= 90, "\(end - start) seconds")
    }

    @Test("Three long runs tell the end of a fourth, however many short ones there are")
    func groups() throws {
        var scene = try Scene(Self.byCurve)
        for number in 0..<15 {
            if number % 5 == 4 {
                Self.run(&scene, heats: 30, of: 120)
            } else {
                Self.run(&scene, heats: 10, of: 40)
            }
        }
        let start = (scene.now - Scene.start).roundedSeconds
        Self.begin(&scene, heats: 30, until: 60)
        #expect(scene.timer("run") == "\(start) to \(start + 120 * 60)")
    }

    @Test("After one double run no machine that has stopped is said to go on", arguments: 1...4)
    func double(place: Int) throws {
        var scene = try Scene(Self.byCurve)
        for number in 0..<6 {
            Self.begin(&scene, heats: 10, until: 60)
            guard number == place else {
                Self.run(&scene, heats: 0, of: 0)
                continue
            }
            scene.send(#"{"power": 1}"#)
            scene.wait(.minutes(4))
            Self.run(&scene, heats: 10, of: 60)
        }
        for _ in 0..<4 {
            let start = (scene.now - Scene.start).roundedSeconds
            for minute in 0..<64 as Range<Int64> {
                scene.send(#"{"power": \(minute < 10 ? 2000 : minute < 60 ? 100 : 1)}"#)
                scene.wait(.minutes(1))
                if let end = Self.end(scene) { #expect(end - start <= 64 * 60, "in minute \(minute)") }
            }
            scene.wait(.minutes(2))
            #expect(scene.timer("run") == "stopped")
        }
    }

    @Test("Runs of a rare programme are remembered, however often another one runs")
    func rare() throws {
        var scene = try Scene(Self.machine(learn: "{ by: programme }"))
        for _ in 0..<3 { Self.run(&scene, heats: 0, of: 90, programme: "cotton") }
        for _ in 0..<40 { Self.run(&scene, heats: 0, of: 40, programme: "quick") }
        let start = (scene.now - Scene.start).roundedSeconds
        Self.begin(&scene, heats: 0, until: 3, programme: "cotton")
        #expect(scene.timer("run") == "\(start) to \(start + 95 * 60)")
    }

    @Test("Where no three runs agree, the middle one of the three nearest tells the end")
    func nearest() throws {
        var scene = try Scene(Self.byCurve)
        Self.run(&scene, heats: 5, of: 40)
        Self.run(&scene, heats: 30, of: 120)
        Self.run(&scene, heats: 10, of: 80)
        let start = (scene.now - Scene.start).roundedSeconds
        Self.begin(&scene, heats: 10, until: 30)
        let end = try #require(Self.end(scene))
        #expect((end - start - 80 * 60).magnitude <= 90, "\(end - start) seconds")
    }

    @Test("An odd run decides nothing alone, although the present one is just like it")
    func odd() throws {
        var scene = try Scene(Self.byCurve)
        Self.run(&scene, heats: 10, of: 60)
        Self.run(&scene, heats: 40, of: 240)
        Self.run(&scene, heats: 10, of: 62)
        let start = (scene.now - Scene.start).roundedSeconds
        Self.begin(&scene, heats: 40, until: 50)
        let end = try #require(Self.end(scene))
        #expect(end - start < 150 * 60, "\(end - start) seconds")
    }

    @Test("Runs that take any time tell no end")
    func arbitrary() throws {
        var scene = try Scene(Self.byCurve)
        for length: Int64 in [10, 55, 25, 90, 15, 40, 70, 30] { Self.run(&scene, heats: 0, of: length) }
        Self.begin(&scene, heats: 0, until: 20)
        #expect(scene.timer("run").hasPrefix("since"))
    }

    @Test("What was learned survives a restart within a run, and images without it stay as they were")
    func restart() throws {
        var plain = try Scene(Self.byCurve)
        plain.send(#"{"power": 1}"#)
        #expect(plain.engine.takeImages(all: true)[0].bytes.first == 2)
        var scene = try Scene(Self.byCurve)
        for _ in 0..<30 { Self.run(&scene, heats: 10, of: 60) }
        Self.begin(&scene, heats: 10, until: 20)
        var other = scene
        var engine = scene.engine
        let image = try #require(engine.takeImages(all: true).last)
        #expect(image.bytes.first == 8)
        #expect(image.bytes.count < 4096, "\(image.bytes.count) bytes")
        try scene.restart()
        Self.run(&scene, heats: 0, of: 50)
        Self.run(&other, heats: 0, of: 50)
        #expect(scene.timer("run") == other.timer("run"))
        #expect(scene.content == other.content)
        let images = [scene, other].map { scene in
            var engine = scene.engine
            return engine.takeImages(all: true).last?.bytes
        }
        #expect(images[0] == images[1])
    }

    @Test("Its explanation tells how many of the past runs the end comes from")
    func explained() throws {
        var scene = try Scene(Self.machine(learn: "{ curve: power, by: programme }"))
        for _ in 0..<4 { Self.run(&scene, heats: 10, of: 60, programme: "cotton") }
        Self.begin(&scene, heats: 10, until: 30, programme: "cotton")
        var writer = JSONWriter()
        writer.beginObject()
        #expect(scene.engine.explain(kind: "thing", device: "a", at: scene.now, to: &writer))
        writer.endObject()
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(
            text.contains(#""learned":{"runs":4,"by":"cotton","like":4,"of":4,"tolerance":390}"#),
            "\(text)"
        )
    }

    @Test(
        "Mistakes are told with what to do",
        arguments: [
            (
                "{ duration: minutes(5), while: inState(\"on\"), learn: { curve: power } }",
                "needs 'count', 'while'"
            ),
            ("{ count: up, learn: { curve: power } }", "needs 'count', 'while'"),
            ("{ count: up, while: inState(\"on\"), learn: { curve: state } }", "must be a number"),
            ("{ count: up, while: inState(\"on\"), learn: { by: 5 } }", "names the programme"),
            ("{ count: up, while: inState(\"on\"), learn: { end: 5 } }", "a moment"),
            ("{ count: up, while: inState(\"on\"), learn: { curv: power } }", "did you mean 'curve'?"),
        ]
    )
    func mistakes(timer: String, advice: String) {
        let text = "skerry: 1\nkind: thing\n" + Self.byCurve.replacing(/\{ count: up.*/, with: timer)
        let compiled = CompiledFiles([DefinitionFile(path: "thing.yaml", bytes: Array(text.utf8))])
        #expect(compiled.report(DiagnosticPrinter()).contains(advice))
    }
}
