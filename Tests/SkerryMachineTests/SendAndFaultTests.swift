import SkerryMachine
import SkerryValues
import Testing

private func does(_ number: UInt16) -> [Statechart.Action] { [.host(number)] }

@Suite struct SendTests {
    private func world(_ entry: [Statechart.Action]) throws -> Playground {
        try Playground { builder in
            let a = builder.addState("a", entry: [entry])
            builder.addTransition(from: a, on: .event(["x"]), actions: does(1))
            builder.addTransition(from: a, on: .event(["y"]), actions: does(2))
            builder.addTransition(from: a, on: .event(["cancel"]), actions: [.cancel("id")])
        }
    }

    @Test func `comes when it is due, in order, also after the state was left`() throws {
        var world = try world([
            .send(event: "y", delay: .fixed(.seconds(5)), id: nil),
            .send(event: "x", delay: .fixed(.seconds(2)), id: nil),
            .send(event: "x", delay: .fixed(.seconds(5)), id: nil),
            .send(event: "x", delay: .computed(3), id: nil),
        ])
        world.start()
        world.wait(until: 10)
        #expect(world.host.log == [1, 2, 1])
        #expect(world.fired == [2, 5, 5])
    }

    @Test func `is taken back by its id`() throws {
        var world = try world([
            .send(event: "x", delay: .fixed(.seconds(2)), id: "id"),
            .send(event: "x", delay: .fixed(.seconds(3)), id: "id"),
            .send(event: "y", delay: .fixed(.seconds(2)), id: "other"),
        ])
        world.start()
        world.send("cancel")
        world.wait(until: 10)
        #expect(world.host.log == [2])
    }

    @Test func `not more wait than the limit allows`() throws {
        var world = try world([])
        var builder = StatechartBuilder()
        builder.limits.pendingSends = 3
        let a = builder.addState("a")
        builder.addTransition(
            from: a,
            on: .event(["more"]),
            actions: [.send(event: "x", delay: .fixed(.seconds(9)), id: nil)]
        )
        world = try Playground(builder)
        world.start()
        for _ in 0..<3 {
            world.send("more")
            #expect(world.last.fault == nil)
        }
        world.send("more")
        #expect(world.last.fault == .tooManySends)
        world.wait(until: 9)
        #expect(world.fired.count == 3)
    }
}

@Suite struct FaultTests {
    @Test func `an endless loop leaves the machine as it was before`() throws {
        var world = try Playground { builder in
            let timer = builder.addTimer("t")
            let a = builder.addState("a")
            let b = builder.addState(
                "b",
                entry: [[.start(timer, duration: .fixed(.seconds(1))), .raise("r")]]
            )
            let c = builder.addState("c")
            builder.addTransition(from: a, on: .always, if: named(1), to: ["b"])
            builder.addTransition(from: b, on: .always, to: ["c"])
            builder.addTransition(from: c, on: .always, to: ["b"])
            builder.addTransition(from: a, on: .after(.fixed(.seconds(60))), actions: does(1))
        }
        world.start()
        world.wait(until: 10)
        world.turn(1, true)
        #expect(world.last.fault == .endlessLoop)
        #expect(!world.last.changed)
        #expect(world.last.entered.isEmpty)
        #expect(world.active == ["a"])
        #expect(world.machine.enteredAt(StateID(rawValue: 1)) == moment(0))
        #expect(world.machine.timer(TimerID(rawValue: 0)) == .stopped)
        #expect(world.machine.nextDeadline?.at == moment(60))
        world.turn(1, false)
        #expect(world.last.fault == nil)
        world.wait(until: 60)
        #expect(world.host.log == [1])
    }

    @Test(arguments: [(100, true), (99, false)])
    func `the bound is exact`(limit: Int, passes: Bool) throws {
        var builder = StatechartBuilder()
        builder.limits.microsteps = limit
        let names = (0...100).map { "s\($0)" }
        let states = names.map { builder.addState($0) }
        for number in 1..<100 {
            builder.addTransition(from: states[number], on: .always, to: [names[number + 1]])
        }
        builder.addTransition(from: states[0], on: .event(["go"]), to: ["s1"])
        var world = try Playground(builder)
        world.start()
        world.send("go")
        #expect(world.active == [passes ? "s100" : "s0"])
        #expect(world.last.fault == (passes ? nil : .endlessLoop))
    }

    @Test func `a deadline that leads into an endless loop is not tried again and again`() throws {
        var world = try Playground { builder in
            let a = builder.addState("a")
            let b = builder.addState("b")
            builder.addTransition(from: a, on: .after(.fixed(.seconds(5))), to: ["b"])
            builder.addTransition(
                from: a,
                on: .sustained(for: .seconds(7), dropout: .zero),
                if: named(1),
                to: ["b"]
            )
            builder.addTransition(from: b, on: .always, to: ["b"])
        }
        world.host.switches[1] = true
        world.start()
        world.wait(until: 1000)
        #expect(world.active == ["a"])
        #expect(world.fired == [5, 7])
        #expect(world.last.fault == .endlessLoop)
        #expect(world.machine.nextDeadline == nil)
    }

    @Test func `raising without end is found`() throws {
        var world = try Playground { builder in
            let a = builder.addState("a")
            builder.addTransition(from: a, on: .event(["e"]), actions: [.raise("e"), .raise("e")])
        }
        world.start()
        world.send("e")
        #expect(world.last.fault == .endlessLoop)
    }

    @Test func `deadlines that start each other at one moment are found`() throws {
        var world = try Playground { builder in
            let a = builder.addState("a")
            let b = builder.addState("b")
            builder.addTransition(from: a, on: .after(.fixed(.zero)), to: ["b"])
            builder.addTransition(from: b, on: .after(.fixed(.zero)), to: ["a"])
        }
        world.start()
        #expect(world.last.fault == .endlessLoop)
        #expect(world.fired.count == 100)
        #expect(world.machine.nextDeadline == nil)
    }

    @Test func `a start without end does not start`() throws {
        var world = try Playground { builder in
            let a = builder.addState("a")
            builder.addTransition(from: a, on: .always, to: ["a"])
        }
        world.start()
        #expect(world.last.fault == .endlessLoop)
        #expect(!world.machine.isStarted)
        world.send("e")
        #expect(!world.last.changed)
    }
}
