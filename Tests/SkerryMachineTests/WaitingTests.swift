import SkerryMachine
import SkerryValues
import Testing

@Suite struct AfterTests {
    private func light() throws -> Playground {
        try Playground { builder in
            let red = builder.addState("red")
            let green = builder.addState("green")
            let yellow = builder.addState("yellow")
            builder.addTransition(from: red, on: .after(.fixed(.seconds(1))), to: ["green"])
            builder.addTransition(from: green, on: .after(.fixed(.seconds(1))), to: ["yellow"])
            builder.addTransition(from: yellow, on: .after(.fixed(.seconds(1))), to: ["red"])
            builder.addTransition(from: green, on: .event(["hold"]), to: ["green"])
        }
    }

    @Test func `a long sleep steps deadline by deadline`() throws {
        var world = try light()
        world.start()
        world.wait(until: 3)
        #expect(world.active == ["red"])
        #expect(world.fired == [1, 2, 3])
        #expect(world.machine.enteredAt(StateID(rawValue: 1)) == moment(3))
    }

    @Test func `each call of fire handles one deadline at its own time`() throws {
        var world = try light()
        world.start()
        let outcome = world.machine.fire(
            upTo: moment(100),
            host: &world.host
        )
        #expect(outcome?.changed == true)
        #expect(world.active == ["green"])
        #expect(world.machine.enteredAt(StateID(rawValue: 2)) == moment(1))
        #expect(world.machine.nextDeadline?.at == moment(2))
        let nothing = world.machine.fire(
            upTo: moment(1.5),
            host: &world.host
        )
        #expect(nothing == nil)
    }

    @Test func `leaving the state gives the wait up, entering it anew starts it anew`() throws {
        var world = try light()
        world.start()
        world.wait(until: 1.5)
        world.send("hold")
        world.wait(until: 2.4)
        #expect(world.active == ["green"])
        world.wait(until: 2.5)
        #expect(world.active == ["yellow"])
        #expect(world.fired == [1, 2.5])
    }

    @Test func `a condition that is false when due loses the transition`() throws {
        var world = try Playground { builder in
            let one = builder.addState("one")
            builder.addState("two")
            builder.addTransition(from: one, on: .after(.fixed(.seconds(5))), if: named(1), to: ["two"])
        }
        world.start()
        world.wait(until: 5)
        #expect(world.active == ["one"])
        world.turn(1, true)
        world.wait(until: 50)
        #expect(world.active == ["one"])
        #expect(world.machine.nextDeadline == nil)
    }

    @Test func `a computed length is found on entry; without one nothing is armed`() throws {
        let build: (inout StatechartBuilder) -> Void = { builder in
            let one = builder.addState("one")
            builder.addState("two")
            builder.addTransition(from: one, on: .after(.computed(9)), to: ["two"])
        }
        var world = try Playground(build)
        world.host.lengths[9] = .seconds(7)
        world.start()
        world.host.lengths[9] = .seconds(1)
        world.wait(until: 6.9)
        #expect(world.active == ["one"])
        world.wait(until: 7)
        #expect(world.active == ["two"])

        var without = try Playground(build)
        without.start()
        #expect(without.machine.nextDeadline == nil)

        var negative = try Playground(build)
        negative.host.lengths[9] = .seconds(-7)
        negative.start()
        #expect(negative.active == ["two"])
        #expect(negative.fired == [0])
    }

    @Test func `equal deadlines are handled in order of arming`() throws {
        var world = try Playground(
            {
                var builder = StatechartBuilder(isParallel: true)
                for (number, name) in ["a", "b", "c"].enumerated() {
                    let state = builder.addState(name)
                    builder.addTransition(
                        from: state,
                        on: .after(.fixed(.seconds(2))),
                        actions: [.host(UInt16(number))]
                    )
                }
                return builder
            }()
        )
        world.start()
        world.wait(until: 2)
        #expect(world.host.log == [0, 1, 2])
        #expect(world.fired == [2, 2, 2])
    }
}

@Suite struct SustainedTests {
    @Test func `a condition that needs reports is taken when they have come, or when they should have`()
        throws
    {
        for (length, taken) in [(Interval?.none, 60.0), (.seconds(10), 60), (.seconds(40), 80)] {
            var world = try Playground { builder in
                let on = builder.addState("on")
                builder.addState("off")
                let held = Statechart.Trigger.sustained(for: .seconds(60), dropout: .zero, reports: 3)
                builder.addTransition(from: on, on: held, if: named(1), to: ["off"])
            }
            world.host.switches = [1: true]
            world.host.reportLength = length
            world.start()
            world.wait(until: taken - 1)
            #expect(world.active == ["on"])
            world.wait(until: taken)
            #expect(world.active == ["off"])
            #expect(world.last.since == moment(0))
        }
    }

    /// on: watt below 5 for 180 s (dropout 10 s) -> off
    private func washer(dropout: Int64 = 10) throws -> Playground {
        try Playground { builder in
            let on = builder.addState("on")
            let off = builder.addState("off")
            builder.addTransition(
                from: on,
                on: .sustained(for: .seconds(180), dropout: .seconds(dropout)),
                if: named(1),
                to: ["off"],
                actions: [.host(7)]
            )
            builder.addTransition(from: on, on: .event(["again"]), to: ["on"])
            builder.addTransition(from: off, on: .event(["again"]), to: ["on"])
        }
    }

    /// Turns of the condition, and when the transition is taken; `since` when it turned true.
    struct Story: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var dropout: Int64 = 10
        var turns: [(at: Double, to: Bool)]
        var taken: Double?
        var since: Double?
    }

    static let stories = [
        Story(testDescription: "true and stays so", turns: [(20, true)], taken: 200, since: 20),
        Story(testDescription: "never true", turns: [(20, false)]),
        Story(testDescription: "true from the start", turns: [(0, true)], taken: 180, since: 0),
        Story(
            testDescription: "repeated values change nothing",
            turns: [(20, true), (50, true)],
            taken: 200,
            since: 20
        ),
        Story(
            testDescription: "a lapse starts anew without dropout",
            dropout: 0,
            turns: [(20, true), (50, false), (51, true)],
            taken: 231,
            since: 51
        ),
        Story(
            testDescription: "a short lapse is forgiven",
            turns: [(20, true), (50, false), (59, true)],
            taken: 200,
            since: 20
        ),
        Story(
            testDescription: "many short lapses are forgiven",
            turns: [(20, true), (50, false), (59, true), (60, false), (69, true)],
            taken: 200,
            since: 20
        ),
        Story(
            testDescription: "a repeated false does not prolong what is forgiven",
            turns: [(20, true), (50, false), (58, false), (61, true)],
            taken: 241,
            since: 61
        ),
        Story(
            testDescription: "a lapse of exactly the dropout is too long",
            turns: [(20, true), (50, false), (60, true)],
            taken: 240,
            since: 60
        ),
        Story(
            testDescription: "a lapse over the deadline, forgiven: taken when true again",
            turns: [(20, true), (195, false), (203, true)],
            taken: 203,
            since: 20
        ),
        Story(
            testDescription: "a lapse over the deadline, too long: starts anew",
            turns: [(20, true), (195, false), (206, true)],
            taken: 386,
            since: 206
        ),
        Story(testDescription: "a lapse over the deadline without end", turns: [(20, true), (195, false)]),
        Story(
            testDescription: "false just before the deadline, no dropout",
            dropout: 0,
            turns: [(20, true), (199, false)]
        ),
    ]

    @Test(arguments: stories)
    func story(_ story: Story) throws {
        var world = try washer(dropout: story.dropout)
        world.host.switches[1] = story.turns.first?.at == 0
        world.start()
        for turn in story.turns where turn.at > 0 {
            world.wait(until: turn.at)
            world.hear()
            world.turn(1, turn.to)
        }
        if let taken = story.taken {
            world.wait(until: max(taken - 0.001, (world.now - moment(0)).inSeconds))
            #expect(world.active == (taken > (world.now - moment(0)).inSeconds ? ["on"] : ["off"]))
            world.wait(until: taken)
            #expect(world.active == ["off"])
            #expect(world.last.since == story.since.map(moment))
            #expect(world.host.sinceAtAction == [story.since.map(moment)])
            #expect(world.machine.enteredAt(StateID(rawValue: 2)) == moment(taken))
        } else {
            world.wait(until: 10_000)
            #expect(world.active == ["on"])
        }
        #expect(world.machine.nextDeadline == nil)
    }

    @Test func `the wait ends when the state is left and begins when it is entered`() throws {
        var world = try washer()
        world.host.switches[1] = true
        world.start()
        world.wait(until: 100)
        world.send("again")
        world.wait(until: 279)
        #expect(world.active == ["on"])
        world.wait(until: 280)
        #expect(world.active == ["off"])
        #expect(world.last.since == moment(100))
    }

    @Test func `without target it is taken once for each time the condition turns true`() throws {
        var world = try Playground { builder in
            let on = builder.addState("on")
            builder.addTransition(
                from: on,
                on: .sustained(for: .seconds(10), dropout: .seconds(2)),
                if: named(1),
                actions: [.host(1)]
            )
        }
        world.start()
        world.turn(1, true)
        world.wait(until: 100)
        #expect(world.host.log == [1])
        world.turn(1, false)
        world.wait(until: 101)
        world.turn(1, true)
        world.wait(until: 200)
        #expect(world.host.log == [1], "a forgiven lapse is no new beginning")
        world.turn(1, false)
        world.wait(until: 203)
        world.turn(1, true)
        world.wait(until: 213)
        #expect(world.host.log == [1, 1])
        #expect(world.last.since == moment(203))
    }

    @Test func `conditions of which the host says they did not change are not looked at`() throws {
        var world = try washer()
        world.start()
        world.host.evaluated = 0
        world.host.unchanged = [1]
        world.turn(1, true)
        #expect(world.host.evaluated == 0)
        #expect(world.machine.nextDeadline == nil)
        world.host.unchanged = []
        world.settle()
        let evaluated = world.host.evaluated
        #expect(evaluated > 0)
        #expect(world.machine.nextDeadline?.at == moment(180))
        world.host.unchanged = [1]
        world.send("again")
        #expect(world.host.evaluated == evaluated + 1, "after a transition everything may have changed")
    }

    @Test func `conditions are looked at once on the way to a transition`() throws {
        var world = try Playground { builder in
            let here = builder.addState("here")
            builder.addState("there")
            for condition in [named(1), named(2)] {
                builder.addTransition(from: here, on: .always, if: condition, to: ["there"])
            }
        }
        world.start()
        world.host.evaluated = 0
        world.turn(2, true)
        #expect(world.active == ["there"])
        #expect(world.host.evaluated == 2, "the one that fails and the one that holds")
    }

    @Test func `an eventless transition goes before a wait that is over`() throws {
        var world = try Playground { builder in
            let on = builder.addState("on")
            builder.addState("slow")
            builder.addState("fast")
            builder.addTransition(
                from: on,
                on: .sustained(for: .seconds(10), dropout: .seconds(5)),
                if: named(1),
                to: ["slow"]
            )
            builder.addTransition(from: on, on: .always, if: named(2), to: ["fast"])
        }
        world.start()
        world.turn(1, true)
        world.wait(until: 9)
        world.turn(1, false)
        world.wait(until: 11)
        world.host.switches = [1: true, 2: true]
        world.settle()
        #expect(world.active == ["fast"])
    }
}

@Suite struct QuietTests {
    private func sensor(target: [String]) throws -> Playground {
        try Playground { builder in
            let here = builder.addState("here")
            let gone = builder.addState("gone")
            builder.addTransition(from: here, on: .quiet(.minutes(10)), to: target, actions: [.host(1)])
            builder.addTransition(from: gone, on: .event(["back"]), to: ["here"])
        }
    }

    @Test func `fires so long after the last message`() throws {
        var world = try sensor(target: ["gone"])
        world.start()
        for second in stride(from: 100.0, through: 1000, by: 100) {
            world.wait(until: second)
            world.hear()
            #expect(world.machine.nextDeadline?.at == moment(second + 600))
        }
        world.wait(until: 1599)
        #expect(world.active == ["here"])
        world.wait(until: 1600)
        #expect(world.active == ["gone"])
        #expect(world.fired == [1600])
    }

    @Test func `counts from entry when no message came since`() throws {
        var world = try sensor(target: ["gone"])
        world.hear()
        world.wait(until: 60)
        world.start()
        #expect(world.machine.nextDeadline?.at == moment(660))
        world.wait(until: 700)
        world.send("back")
        #expect(world.machine.nextDeadline?.at == moment(1300))
    }

    @Test func `without target it fires once for each silence`() throws {
        var world = try sensor(target: [])
        world.start()
        world.wait(until: 5000)
        #expect(world.host.log == [1])
        #expect(world.machine.nextDeadline == nil)
        world.hear()
        #expect(world.machine.nextDeadline?.at == moment(5600))
        world.wait(until: 5300)
        world.hear()
        world.wait(until: 9000)
        #expect(world.host.log == [1, 1])
        #expect(world.fired == [600, 5900])
    }

    @Test func `a late note of an earlier message does not turn time back`() throws {
        var world = try sensor(target: ["gone"])
        world.start()
        world.machine.heard(at: moment(50))
        world.machine.heard(at: moment(20))
        #expect(world.machine.nextDeadline?.at == moment(650))
    }
}
