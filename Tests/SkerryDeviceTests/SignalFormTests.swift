import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryValues
import Testing

@Suite("Signals over time")
struct SignalFormTests {
    /// A definition with one signal over time, `x`, of the values `v` of the messages.
    private static func meter(_ form: String) -> String {
        """
        sources: [{ topic: "thing/{device}", signals: { mode: payload.mode, v: payload.v, x: \(form) } }]
        machine:
          initial: rest
          states:
            rest: { always: { guard: mode == "on", target: work } }
            work: { always: { guard: mode == "off", target: rest } }
        activity: { starts: work, ends: rest, reset: [x], content: { x: x } }
        """
    }

    /// A value after so many seconds, and the signal then.
    struct Step: Sendable {
        var after: Int64
        var value: String
        var signal: String

        init(_ after: Int64, _ value: String, _ signal: String) {
            (self.after, self.value, self.signal) = (after, value, signal)
        }
    }

    @Test(
        "A figure follows from the values and their moments",
        arguments: [
            (
                "{ integral: v }",
                [Step(0, "1000", "0"), Step(360, "500", "100"), Step(720, "0", "200"), Step(60, "9", "200")]
            ),
            (
                "{ integral: v, per: 1m, gap: 2m }",
                [Step(0, "6", "0"), Step(60, "6", "6"), Step(3600, "0", "18")]
            ),
            (
                "{ rate: v }",
                [Step(0, "10", "unset"), Step(1800, "12", "4"), Step(0, "50", "4"), Step(3600, "49", "-1")]
            ),
            (
                "{ rate: v, over: 10m, per: 1m }",
                [Step(0, "10", "unset"), Step(60, "20", "10"), Step(540, "20", "1"), Step(3600, "80", "1")]
            ),
            (
                "{ mean: v, over: 3 }",
                [Step(0, "1", "1"), Step(1, "3", "2"), Step(1, "8", "4"), Step(1, "7", "6")]
            ),
            (
                "{ mean: v, over: 1m }",
                [Step(0, "1", "1"), Step(30, "3", "2"), Step(30, "7", "5"), Step(60, "1", "1")]
            ),
            (
                "{ median: v, over: 3 }",
                [Step(0, "5", "5"), Step(1, "900", "452.5"), Step(1, "7", "7"), Step(1, "8", "8")]
            ),
            ("{ min: v }", [Step(0, "5", "5"), Step(1, "7", "5"), Step(1, "-2", "-2")]),
            ("{ max: v }", [Step(0, "-5", "-5"), Step(1, "-7", "-5"), Step(1, "2.5", "2.5")]),
            (
                "{ counter: v }",
                [Step(0, "90", "0"), Step(1, "95", "5"), Step(1, "3", "8"), Step(1, "4", "9")]
            ),
            ("{ counter: v, wraps: 100 }", [Step(0, "90", "0"), Step(1, "95", "5"), Step(1, "3", "13")]),
            (
                "{ on: v > 10, off: v < 5 }",
                [
                    Step(0, "7", "false"), Step(1, "11", "true"), Step(1, "7", "true"), Step(1, "4", "false"),
                    Step(1, "7", "false"),
                ]
            ),
            (
                // What comes again and again, whatever was lost; two messages within two seconds are one report.
                "{ pace: v }",
                [
                    Step(0, "1", "unset"), Step(60, "1", "unset"), Step(61, "1", "unset"),
                    Step(1, "1", "unset"),
                    Step(119, "1", "unset"), Step(60, "1", "60"),
                ]
            ),
            (
                // Changes alone have no pace.
                "{ pace: v }",
                [
                    Step(0, "1", "unset"), Step(300, "1", "unset"), Step(90, "1", "unset"),
                    Step(200, "1", "unset"),
                    Step(320, "1", "unset"),
                ]
            ),
            (
                // Nor has what is repeated each quarter of an hour.
                "{ pace: v }",
                [
                    Step(0, "1", "unset"), Step(900, "1", "unset"), Step(900, "1", "unset"),
                    Step(900, "1", "unset"),
                ]
            ),
            (
                // A device that can be fast may be slow while nothing changes.
                "{ pace: v }",
                [
                    Step(0, "1", "unset"), Step(10, "1", "unset"), Step(10, "1", "unset"),
                    Step(10, "1", "10"),
                    Step(300, "1", "10"), Step(300, "1", "10"), Step(5, "1", "10"), Step(5, "1", "5"),
                ]
            ),
        ]
    )
    func figure(form: String, steps: [Step]) throws {
        var scene = try Scene(Self.meter(form))
        for (number, step) in steps.enumerated() {
            scene.wait(.seconds(step.after))
            scene.send(#"{"v": \#(step.value)}"#)
            #expect(scene.signal("x") == step.signal, "step \(number) of \(form)")
        }
        #expect(scene.failedReadings == 0)
    }

    @Test("A pace that is not known yet is known at the same report after a restart as without one")
    func paceOverRestart() throws {
        var scene = try Scene(Self.meter("{ pace: v }"))
        for _ in 0..<3 {
            scene.send(#"{"v": 1}"#)
            scene.wait(.seconds(60))
        }
        #expect(scene.signal("x") == "unset")
        try scene.restart()
        scene.send(#"{"v": 1}"#)
        #expect(scene.signal("x") == "60")
        scene.send(#"{"mode": "on"}"#)
        #expect(scene.signal("x") == "60", "a run that begins forgets no pace")
    }

    @Test(
        "A message without the value adds nothing; a text is a failed reading; a retained value has no moment"
    )
    func absent() throws {
        var scene = try Scene(Self.meter("{ mean: v, over: 4 }"))
        scene.send(#"{"v": 2}"#)
        scene.send(#"{"mode": "off"}"#)
        scene.send(#"{"v": 90}"#, retained: true)
        scene.send(#"{"v": 4}"#)
        #expect(scene.signal("x") == "3")
        #expect(scene.failedReadings == 0)
        scene.send(#"{"v": "four"}"#)
        #expect(scene.signal("x") == "3")
        #expect(scene.failedReadings == 1)
    }

    @Test("Ten thousand values in a length of time make 64 buckets, and their mean is that of all")
    func bounded() throws {
        var scene = try Scene(Self.meter("{ mean: v, over: 64s }"))
        for number in 0..<10_000 {
            scene.now = Scene.start + .milliseconds(Int64(number) * 6)
            scene.send(#"{"v": \#(number % 100)}"#)
        }
        #expect(scene.signal("x") == "49.5")
        let bytes = try #require(scene.engine.takeImages(all: true).last).bytes
        #expect(bytes.count < 64 * 24)
    }

    @Test(
        "Values whose sum is beyond every number keep their mean, and the device survives a restart",
        arguments: ["{ mean: v, over: 5m }", "{ median: v, over: 5m }"]
    )
    func huge(form: String) throws {
        var scene = try Scene(Self.meter(form))
        for _ in 0..<3 { scene.send(#"{"v": 1e308}"#) }
        #expect(scene.signal("x") == "1e+308")
        #expect(try scene.restarted().signal("x") == "1e+308")
    }

    @Test("A door that bangs is told once it has been open for two seconds, without another message")
    func settles() throws {
        var scene = try Scene(Self.meter("{ on: v, for: 2s }").replacing("mode == \"on\"", with: "x"))
        scene.send(#"{"v": false}"#)
        scene.send(#"{"v": true}"#)
        scene.wait(.seconds(1))
        scene.send(#"{"v": false}"#)
        scene.send(#"{"v": true}"#)
        scene.wait(.milliseconds(1999))
        #expect(scene.signal("x") == "false")
        #expect(scene.state == "rest")
        scene.wait(.milliseconds(1))
        #expect(scene.signal("x") == "true")
        #expect(scene.state == "work")
        #expect(scene.engine.nextDeadline == nil)
    }

    @Test(
        "A run begins each figure again with the value in force",
        arguments: [
            ("{ integral: v }", ["0", "100"]), ("{ max: v }", ["40", "40"]), ("{ min: v }", ["40", "20"]),
            ("{ counter: v }", ["0", "20"]), ("{ mean: v, over: 9 }", ["40", "30"]),
            ("{ rate: v }", ["unset", "-8"]),
        ]
    )
    func run(form: String, expected: [String]) throws {
        var scene = try Scene(Self.meter(form))
        scene.send(#"{"v": 1000}"#)
        scene.wait(.seconds(60))
        scene.send(#"{"v": 1}"#)
        scene.wait(.seconds(60))
        scene.send(#"{"v": 40, "mode": "on"}"#)
        #expect(scene.signal("x") == expected[0])
        scene.wait(.hours(2) + .minutes(30))
        scene.send(#"{"v": 20}"#)
        #expect(scene.signal("x") == (form.hasPrefix("{ integral") ? "10" : expected[1]))
    }

    // MARK: Restarts

    private static let forms = [
        "{ integral: v }", "{ rate: v, over: 5m }", "{ mean: v, over: 4 }", "{ median: v, over: 3m }",
        "{ min: v }",
        "{ max: v }", "{ counter: v, wraps: 99 }", "{ on: v > 50, off: v < 20 }", "{ on: v > 50, for: 90s }",
    ]

    @Test("A restart after each message changes no figure and no deadline", arguments: forms)
    func restart(form: String) throws {
        var scene = try Scene(Self.meter(form))
        var other = scene
        for number in 0..<40 {
            let value = (number * 37) % 101
            for index in 0..<2 {
                var one = index == 0 ? scene : other
                one.wait(.seconds(45))
                one.send(#"{"v": \#(Double(value) / 3), "mode": "\#(number == 20 ? "on" : "off")"}"#)
                if index == 0 { scene = one } else { other = one }
            }
            other = try other.restarted()
            #expect(other.signal("x") == scene.signal("x"), "message \(number)")
            #expect(other.engine.nextDeadline == scene.engine.nextDeadline)
            #expect(other.engine.brokenInvariant() == nil)
        }
    }

    @Test(
        "A device without history is stored as before, and one with a history in the next version of the image"
    )
    func version() throws {
        var plain = try Scene(SignalTests.thing)
        plain.send(#"{"power": 3}"#)
        #expect(plain.engine.takeImages(all: true).last?.bytes.first == 2)
        var scene = try Scene(Self.meter("{ max: v }"))
        scene.send(#"{"mode": "off"}"#)
        #expect(scene.engine.takeImages(all: true).last?.bytes.first == 2)
        scene.send(#"{"v": 3}"#)
        #expect(scene.engine.takeImages(all: true).last?.bytes.first == 4)
    }

    @Test("A figure that becomes another one forgets the values, one that stays keeps them")
    func edited() throws {
        var scene = try Scene(Self.meter("{ max: v }"))
        scene.send(#"{"v": 70}"#)
        var same = try scene.restarted(as: Self.meter("{ max: v * 1 }"))
        same.send(#"{"v": 5}"#)
        #expect(same.signal("x") == "70")
        var other = try scene.restarted(as: Self.meter("{ min: v }"))
        other.send(#"{"v": 90}"#)
        #expect(other.signal("x") == "90")
    }

    @Test("When the clock is set, the time between two values stays", arguments: [-86_400, 86_400])
    func clock(step: Int64) throws {
        var scene = try Scene(Self.meter("{ integral: v, per: 1m }"))
        scene.send(#"{"v": 10}"#)
        scene.wait(.seconds(30))
        scene.now = scene.now + .seconds(step)
        scene.effects += scene.engine.clockSet(by: .seconds(step), at: scene.now)
        scene.wait(.seconds(30))
        scene.send(#"{"v": 0}"#)
        #expect(scene.signal("x") == "10")
    }

    // MARK: Mistakes

    @Test(
        "A mistake is told with what to do",
        arguments: [
            ("{ mean: v }", "the mean 'x' does not say of which values"),
            ("{ mean: v, over: 65 }", "'over' can't be 65 values"),
            ("{ mean: v, over: 0s }", "'over' must be longer than nothing"),
            ("{ max: v, min: v }", "a signal has 'max' or 'min', not both"),
            ("{ over: 3 }", "the signal 'x' does not say what it is made of"),
            ("{ max: v, gap: 1m }", "'gap' does not belong to 'max'"),
            ("{ max: 'string(v)' }", "'max' takes a number, this is string"),
            ("{ on: v > 1, off: '7' }", "a condition must be bool, this is int"),
            ("{ max: 7 }", "no message of this source gives this another value"),
        ]
    )
    func mistake(form: String, message: String) throws {
        let text = "skerry: 1\nkind: thing\n" + Self.meter(form)
        let compiled = CompiledFiles([DefinitionFile(path: "thing.yaml", bytes: Array(text.utf8))])
        #expect(compiled.problems.map(\.message).contains(message), "\(compiled.report(DiagnosticPrinter()))")
        #expect(compiled.hasErrors)
    }

    @Test("Two sources may set one figure, but only in one way")
    func twoSources() throws {
        let text = """
            sources:
              - { topic: "thing/{device}", signals: { x: { max: payload.a } } }
              - { topic: "other/{device}", signals: { x: FORM } }
            machine: { initial: a, states: { a: { title: "{x}" } } }
            """
        var scene = try Scene(text.replacing("FORM", with: "{ max: payload.b }"))
        scene.send(#"{"a": 3}"#)
        scene.send(#"{"b": 5}"#, to: "other/a")
        scene.send(#"{"a": 4}"#)
        #expect(scene.signal("x") == "5")
        for form in ["{ min: payload.b }", "payload.b"] {
            let other = "skerry: 1\nkind: thing\n" + text.replacing("FORM", with: form)
            let compiled = CompiledFiles([DefinitionFile(path: "thing.yaml", bytes: Array(other.utf8))])
            #expect(compiled.problems.map(\.message) == ["'x' is made in another way in another source"])
        }
    }
}

extension Scene {
    /// The scene after its process ended in order and another one began, with another definition if there is one.
    fileprivate func restarted(as text: String? = nil) throws -> Scene {
        var before = self
        var after = try text.map { try Scene($0) } ?? self
        let image = try #require(before.engine.takeImages(all: true).last ?? before.wholeImage())
        let layout = try #require(before.engine.imageLayouts().first)
        let next = Engine(definitions: [after.definition], epoch: 7, resumingAt: before.engine.sequence)
        var restoration = EngineRestoration(of: next, after: Downtime(start: now, end: now))
        var effects: [Effect] = []
        guard case .restored = restoration.restore(image, layout: layout, effects: &effects) else {
            throw RestartFailure.refused
        }
        (after.engine, effects) = restoration.finish()
        after.now = now
        return after
    }

    private mutating func wholeImage() -> DeviceImage? {
        _ = engine.handle(.timePassed, at: now)
        return engine.takeImages(all: true).last
    }

    private enum RestartFailure: Error {
        case refused
    }
}
