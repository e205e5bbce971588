import SkerryMachine
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
