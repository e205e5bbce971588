import SkerryMachine
import SkerryValues
import Testing

private func does(_ number: UInt16) -> [Statechart.Action] { [.host(number)] }

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

    @Test("A state that a deep history leads through, and that was not left, does not count as entered")
    func deepHistoryFromWithin() throws {
        var world = try Playground { builder in
            let on = builder.addState("on")
            builder.addState("memory", in: on, kind: .history(deep: true), initial: ["a"])
            let one = builder.addState("one", in: on)
            let a = builder.addState("a", in: one)
            builder.addState("b", in: one)
            let off = builder.addState("off")
            builder.addTransition(from: a, on: .event(["b"]), to: ["b"])
            builder.addTransition(from: on, on: .event(["off"]), to: ["off"])
            builder.addTransition(from: off, on: .event(["a"]), to: ["a"])
            builder.addTransition(from: a, on: .event(["back"]), to: ["memory"])
        }
        world.start()
        for event in ["b", "off", "a", "back"] { world.send(event) }
        #expect(world.active == ["b"])
        #expect(world.last.entered.map { world.chart[$0].name } == ["b"])
        #expect(world.last.exited.map { world.chart[$0].name } == ["a"])
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

    @Test(arguments: [false, true])
    func `the default may lie deeper than a child, of which a shallow history remembers the child`(
        deep: Bool
    ) throws {
        var world = try Playground { builder in
            let off = builder.addState("off")
            let on = builder.addState("on")
            builder.addState("memory", in: on, kind: .history(deep: deep), initial: ["oneB"])
            let one = builder.addState("one", in: on)
            builder.addState("oneA", in: one)
            builder.addState("oneB", in: one)
            builder.addTransition(from: off, on: .event(["on"]), to: ["memory"])
            builder.addTransition(from: on, on: .event(["off"]), to: ["off"])
        }
        world.start()
        world.send("on")
        #expect(world.active == ["oneB"])
        world.send("off")
        world.send("on")
        #expect(world.active == [deep ? "oneB" : "oneA"])
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
