import SkerryMachine
import SkerryValues
import Testing

private func does(_ number: UInt16) -> [Statechart.Action] { [.host(number)] }

@Suite struct OrderTests {
    @Test func `leaves inner first, acts, enters outer first`() throws {
        var world = try Playground { builder in
            let a = builder.addState("a", entry: [does(1)], exit: [does(2)])
            let a1 = builder.addState("a1", in: a, entry: [does(3)], exit: [does(4)])
            let b = builder.addState("b", initialActions: does(6), entry: [does(5)])
            builder.addState("b1", in: b, entry: [does(7)])
            builder.addState("b2", in: b, entry: [does(8)])
            builder.addTransition(from: a1, on: .event(["go"]), to: ["b"], actions: does(9))
            builder.addTransition(from: a1, on: .event(["deep"]), to: ["b2"], actions: does(9))
        }
        world.start()
        #expect(world.host.log == [1, 3])
        world.host.log = []
        var deep = world
        world.send("go")
        #expect(world.host.log == [4, 2, 9, 5, 6, 7], "with the content of the initial transition")
        deep.send("deep")
        #expect(deep.host.log == [4, 2, 9, 5, 8], "without it, when it is not taken")
        #expect(deep.last.entered.count == 2)
        #expect(deep.last.exited.count == 2)
        #expect(deep.last.transition == TransitionID(rawValue: 1))
    }

    @Test func `a state is active on its own entry and exit`() throws {
        var world = try Playground { builder in
            let a = builder.addState("a", entry: [does(1)], exit: [does(2)])
            builder.addState("b")
            builder.addTransition(from: a, on: .event(["go"]), to: ["b"], actions: does(3))
        }
        world.host.probe = StateID(rawValue: 1)
        world.start()
        world.send("go")
        #expect(world.host.activeAtAction == [true, true, false])
    }

    @Test func `an action that fails ends its block and no other`() throws {
        var world = try Playground { builder in
            builder.addState("a", entry: [[.host(1), .host(2), .host(3)], [.host(4)]])
        }
        world.host.failing = [2]
        world.start()
        #expect(world.host.log == [1, 2, 4])
    }

    @Test func `eventless before raised, raised in order before sent`() throws {
        var world = try Playground { builder in
            let a = builder.addState("a")
            let b = builder.addState(
                "b",
                entry: [[.send(event: "sent", delay: nil, id: nil), .raise("first"), .raise("second")]]
            )
            let c = builder.addState("c")
            for (event, number) in [("sent", 3), ("first", 1), ("second", 2)] {
                builder.addTransition(from: .root, on: .event([event]), actions: does(UInt16(number)))
            }
            builder.addTransition(from: a, on: .event(["go"]), to: ["b"])
            builder.addTransition(from: b, on: .always, to: ["c"], actions: does(0))
            builder.addTransition(from: c, on: .event(["unknown"]), to: ["a"])
        }
        world.start()
        world.send("go")
        #expect(world.host.log == [0, 1, 2, 3])
        #expect(world.active == ["c"])
    }

    @Test func `of the transitions of a state the first that can is taken, of states the inner one`() throws {
        var world = try Playground { builder in
            let outer = builder.addState("outer")
            let inner = builder.addState("inner", in: outer)
            builder.addTransition(from: outer, on: .event(["e"]), actions: does(1))
            builder.addTransition(from: inner, on: .event(["e"]), if: named(1), actions: does(2))
            builder.addTransition(from: inner, on: .event(["e"]), if: named(2), actions: does(3))
            builder.addTransition(from: inner, on: .event(["*"]), if: named(3), actions: does(4))
        }
        world.start()
        world.send("e")
        world.host.switches = [2: true, 3: true]
        world.send("e")
        world.send("other")
        #expect(world.host.log == [1, 3, 4])
    }

    @Test func `an internal transition does not leave its source, an external one does`() throws {
        var world = try Playground { builder in
            let a = builder.addState("a", entry: [does(1)], exit: [does(2)])
            builder.addState("a1", in: a)
            builder.addState("a2", in: a)
            builder.addTransition(from: a, on: .event(["inside"]), to: ["a2"], isInternal: true)
            builder.addTransition(from: a, on: .event(["outside"]), to: ["a1"])
            builder.addTransition(from: a, on: .event(["self"]), to: ["a"], isInternal: true)
            builder.addTransition(from: a, on: .event(["nowhere"]), actions: does(3))
        }
        world.start()
        world.host.log = []
        world.send("inside")
        #expect(world.host.log == [])
        #expect(world.active == ["a2"])
        world.send("outside")
        #expect(world.host.log == [2, 1])
        #expect(world.active == ["a1"])
        world.send("self")
        #expect(world.host.log == [2, 1, 2, 1], "the target is not inside, so it is left after all")
        world.send("nowhere")
        #expect(world.host.log == [2, 1, 2, 1, 3])
        #expect(world.last.changed && world.last.exited.isEmpty)
    }

    @Test func `settling takes one transition after the other, and nothing twice`() throws {
        var world = try Playground { builder in
            let a = builder.addState("a")
            let b = builder.addState("b")
            builder.addState("c")
            builder.addTransition(from: a, on: .always, if: named(1), to: ["b"])
            builder.addTransition(from: b, on: .always, if: named(2), to: ["c"])
        }
        world.start()
        world.turn(2, true)
        #expect(!world.last.changed)
        world.turn(1, true)
        #expect(world.active == ["c"])
        #expect(world.last.entered.count == 2)
        world.settle()
        #expect(!world.last.changed)
    }

    @Test func `conditions that did not change are not looked at while nothing happens`() throws {
        var world = try Playground { builder in
            let a = builder.addState("a")
            builder.addState("b")
            builder.addTransition(from: a, on: .always, if: named(1), to: ["b"])
            builder.addTransition(from: a, on: .event(["again"]), to: ["a"])
        }
        world.start()
        world.host.evaluated = 0
        world.host.unchanged = [1]
        world.settle()
        world.send("nothing")
        #expect(world.host.evaluated == 0)
        world.host.switches[1] = true
        world.send("again")
        #expect(world.active == ["b"])
    }
}

@Suite struct ParallelTests {
    /// p: two regions with a1/a2 and b1/b2.
    private func regions(_ add: (inout StatechartBuilder, [String: StateID]) -> Void) throws -> Playground {
        try Playground { builder in
            var ids: [String: StateID] = [:]
            ids["p"] = builder.addState("p", kind: .parallel, entry: [does(90)], exit: [does(91)])
            for region in ["a", "b"] {
                let parent = builder.addState(region, in: ids["p"]!)
                ids[region] = parent
                for number in ["1", "2"] {
                    ids[region + number] = builder.addState(region + number, in: parent)
                }
            }
            ids["out"] = builder.addState("out")
            add(&builder, ids)
        }
    }

    @Test func `regions act on the same event`() throws {
        var world = try regions { builder, ids in
            builder.addTransition(from: ids["a1"]!, on: .event(["e"]), to: ["a2"], actions: does(1))
            builder.addTransition(from: ids["b1"]!, on: .event(["e"]), to: ["b2"], actions: does(2))
        }
        world.start()
        #expect(world.active == ["a1", "b1"])
        world.send("e")
        #expect(world.active == ["a2", "b2"])
        #expect(world.host.log == [90, 1, 2])
    }

    @Test func `of conflicting regions the first in document order wins`() throws {
        var world = try regions { builder, ids in
            builder.addTransition(from: ids["a1"]!, on: .event(["e"]), to: ["a2"])
            builder.addTransition(from: ids["b1"]!, on: .event(["e"]), to: ["out"])
        }
        world.start()
        world.send("e")
        #expect(world.active == ["a2", "b1"])
    }

    @Test func `a transition further in displaces the one of its ancestor`() throws {
        var world = try regions { builder, ids in
            builder.addTransition(from: ids["p"]!, on: .event(["e"]), to: ["out"])
            builder.addTransition(from: ids["b1"]!, on: .event(["e"]), to: ["b2"])
        }
        world.start()
        world.send("e")
        #expect(world.active == ["a1", "b2"])
    }

    @Test func `a region that restarts takes the others along and leaves the parent alone`() throws {
        var world = try regions { builder, ids in
            builder.addTransition(from: ids["b1"]!, on: .event(["move"]), to: ["b2"])
            builder.addTransition(from: ids["a"]!, on: .event(["restart"]), to: ["a2"])
        }
        world.start()
        world.send("move")
        world.send("restart")
        #expect(world.active == ["a2", "b1"])
        #expect(world.host.log == [90])
    }

    @Test func `several targets enter their regions where they say`() throws {
        var world = try regions { builder, ids in
            builder.addTransition(from: ids["out"]!, on: .event(["in"]), to: ["b2", "a2"])
            builder.addTransition(from: ids["out"]!, on: .event(["half"]), to: ["b2"])
            builder.addTransition(from: ids["p"]!, on: .event(["leave"]), to: ["out"])
        }
        world.start()
        world.send("leave")
        world.send("in")
        #expect(world.active == ["a2", "b2"])
        world.send("leave")
        world.send("half")
        #expect(world.active == ["a1", "b2"])
    }

    @Test func `a root can be parallel, and a transition of it restarts all`() throws {
        var world = try Playground(
            {
                var builder = StatechartBuilder(isParallel: true)
                for region in ["a", "b"] {
                    let parent = builder.addState(region)
                    let first = builder.addState(region + "1", in: parent)
                    builder.addState(region + "2", in: parent)
                    builder.addTransition(from: first, on: .event(["go"]), to: [region + "2"])
                }
                builder.addTransition(from: .root, on: .event(["reset"]), to: ["a2"])
                return builder
            }()
        )
        world.start()
        world.send("go")
        #expect(world.active == ["a2", "b2"])
        world.send("reset")
        #expect(world.active == ["a2", "b1"])
    }
}

@Suite struct HistoryTests {
    private func player(deep: Bool) throws -> Playground {
        try Playground { builder in
            let on = builder.addState("on")
            builder.addState(
                "memory",
                in: on,
                kind: .history(deep: deep),
                initial: ["one"],
                initialActions: does(7)
            )
            let one = builder.addState("one", in: on)
            let oneA = builder.addState("oneA", in: one)
            builder.addState("oneB", in: one)
            builder.addState("two", in: on)
            let off = builder.addState("off")
            builder.addTransition(from: on, on: .event(["off"]), to: ["off"])
            builder.addTransition(from: off, on: .event(["on"]), to: ["memory"])
            builder.addTransition(from: oneA, on: .event(["next"]), to: ["oneB"])
            builder.addTransition(from: one, on: .event(["two"]), to: ["two"])
        }
    }

    @Test(arguments: [(false, ["oneA"]), (true, ["oneB"])])
    func `shallow remembers the child, deep what was active in it`(deep: Bool, expected: [String]) throws {
        var world = try player(deep: deep)
        world.start()
        world.send("next")
        world.send("off")
        world.send("on")
        #expect(world.active == expected)
        #expect(world.host.log == [], "the default is not taken")
        world.send("two")
        world.send("off")
        world.send("on")
        #expect(world.active == ["two"])
    }

    @Test func `without memory the default is taken, with its actions`() throws {
        var builder = StatechartBuilder(initial: ["off"])
        let on = builder.addState("on", entry: [does(1)])
        builder.addState(
            "memory",
            in: on,
            kind: .history(deep: false),
            initial: ["b"],
            initialActions: does(2)
        )
        builder.addState("a", in: on)
        builder.addState("b", in: on, entry: [does(3)])
        let off = builder.addState("off")
        builder.addTransition(from: off, on: .event(["on"]), to: ["memory"])
        builder.addTransition(from: on, on: .event(["off"]), to: ["off"])
        var world = try Playground(builder)
        world.start()
        world.send("on")
        #expect(world.active == ["b"])
        #expect(world.host.log == [1, 2, 3], "after the entry of the parent, before that of the child")
        world.send("off")
        world.send("on")
        #expect(world.host.log == [1, 2, 3, 1, 3])
    }

    @Test func `deep history of a parallel state remembers all its regions`() throws {
        var world = try Playground { builder in
            let p = builder.addState("p", kind: .parallel)
            builder.addState("memory", in: p, kind: .history(deep: true), initial: ["a1", "b1"])
            for region in ["a", "b"] {
                let parent = builder.addState(region, in: p)
                let first = builder.addState(region + "1", in: parent)
                builder.addState(region + "2", in: parent)
                builder.addTransition(from: first, on: .event([region]), to: [region + "2"])
            }
            let out = builder.addState("out")
            builder.addTransition(from: p, on: .event(["out"]), to: ["out"])
            builder.addTransition(from: out, on: .event(["back"]), to: ["memory"])
        }
        world.start()
        world.send("b")
        world.send("out")
        world.send("back")
        #expect(world.active == ["a1", "b2"])
    }
}

@Suite struct FinalTests {
    @Test func `a final child says its parent is done, all regions that the parallel is`() throws {
        var world = try Playground { builder in
            let p = builder.addState("p", kind: .parallel)
            for (number, region) in ["a", "b"].enumerated() {
                let parent = builder.addState(region, in: p)
                let first = builder.addState(region + "1", in: parent)
                builder.addState(region + "2", in: parent, kind: .final, entry: [does(UInt16(number))])
                builder.addTransition(from: first, on: .event([region]), to: [region + "2"])
                builder.addTransition(
                    from: p,
                    on: .event(["done.state." + region]),
                    actions: does(UInt16(10 + number))
                )
            }
            builder.addState("out")
            builder.addTransition(from: p, on: .event(["done.state.p"]), to: ["out"])
        }
        world.start()
        world.send("b")
        #expect(world.host.log == [1, 11])
        #expect(world.active == ["a1", "b2"])
        world.send("a")
        #expect(world.host.log == [1, 11, 0, 10])
        #expect(world.active == ["out"])
        #expect(!world.machine.isFinished)
    }

    @Test func `a final child of the root ends the machine`() throws {
        var world = try Playground { builder in
            let timer = builder.addTimer("t")
            let a = builder.addState(
                "a",
                entry: [
                    [
                        .send(event: "late", delay: .fixed(.seconds(5)), id: nil),
                        .start(timer, duration: .fixed(.seconds(5))),
                    ]
                ]
            )
            builder.addState("end", kind: .final, entry: [does(1)], exit: [does(2)])
            builder.addTransition(from: a, on: .event(["go"]), to: ["end"])
            builder.addTransition(from: .root, on: .event(["*"]), actions: does(3))
        }
        world.start()
        world.send("go")
        #expect(world.machine.isFinished)
        #expect(world.active == ["end"])
        #expect(world.host.log == [1, 2])
        #expect(world.machine.nextDeadline == nil)
        world.send("anything")
        world.wait(until: 100)
        world.settle()
        #expect(world.host.log == [1, 2])
        world.start()
        #expect(!world.machine.isFinished)
        #expect(world.active == ["a"])
    }
}

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
        #expect(world.fired.count == 1000)
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
