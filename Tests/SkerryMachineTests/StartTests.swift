import SkerryMachine
import SkerryValues
import Testing

/// Machines that begin in the middle, and what they reach.
@Suite("Starts in other states, and reached states")
struct StartTests {
    /// A parallel machine: `motor` with `off`, `on` and `fast` in `on`; `light` with `dark` and `lit`.
    static func chart(_ builder: inout StatechartBuilder) {
        builder = StatechartBuilder(isParallel: true)
        let motor = builder.addState("motor", entry: [[.host(1)]])
        builder.addState("off", in: motor)
        let on = builder.addState("on", in: motor, entry: [[.host(2)]])
        let slow = builder.addState("slow", in: on)
        let fast = builder.addState("fast", in: on)
        builder.addTransition(from: slow, on: .event(["faster"]), to: ["fast"])
        builder.addTransition(from: fast, on: .after(.fixed(.seconds(5))), to: ["off"])
        let light = builder.addState("light")
        let dark = builder.addState("dark", in: light)
        builder.addState("lit", in: light)
        builder.addTransition(from: dark, on: .event(["light"]), to: ["lit"])
    }

    private func start(in names: [String]) throws -> Playground {
        var world = try Playground(Self.chart)
        let targets = names.compactMap { world.chart.state(named: $0) }
        world.last = world.machine.start(
            in: targets,
            host: &world.host
        )
        return world
    }

    @Test(
        "targets are entered with their parents and default children, with entry actions and waits",
        arguments: [
            ([], ["off", "dark"], [1], nil), (["on"], ["slow", "dark"], [1, 2], nil),
            (["fast"], ["fast", "dark"], [1, 2], 5.0), (["lit"], ["off", "lit"], [1], nil),
            (["fast", "lit"], ["fast", "lit"], [1, 2], 5.0), (["motor"], ["off", "dark"], [1], nil),
        ] as [([String], [String], [UInt16], Double?)]
    )
    func targets(names: [String], active: [String], actions: [UInt16], due: Double?) throws {
        let world = try start(in: names)
        #expect(world.active == active)
        #expect(world.host.log == actions)
        #expect(world.machine.nextDeadline?.at == due.map { Timestamp(microseconds: Int64($0 * 1_000_000)) })
    }

    @Test("states that can be active together are in different regions")
    func compatible() throws {
        let chart = try Playground(Self.chart).chart
        func areCompatible(_ one: String, _ other: String) throws -> Bool {
            chart.areCompatible(
                try #require(chart.state(named: one)),
                try #require(chart.state(named: other))
            )
        }
        #expect(try areCompatible("fast", "lit"))
        #expect(try areCompatible("light", "off"))
        for (one, other) in [
            ("fast", "off"), ("on", "fast"), ("fast", "on"), ("lit", "lit"), ("dark", "lit"),
        ] {
            #expect(try !areCompatible(one, other), "\(one) and \(other)")
        }
    }

    @Test("a host is called after each microstep, and can record what was reached")
    func reach() throws {
        var world = try Playground(Self.chart)
        world.host.reach = MachineReach(of: world.chart)
        world.start()
        let names = { (world: Playground) in
            world.host.reach.map { reach in reach.states.map { world.chart[$0].name } } ?? []
        }
        #expect(names(world) == ["", "motor", "off", "light", "dark"])
        world.send("light")
        world.send("light")
        #expect(names(world) == ["", "motor", "off", "light", "dark", "lit"])
        var reach = try #require(world.host.reach)
        #expect(reach.transitions == [false, false, true])
        var other = MachineReach(of: world.chart)
        var off = StateSet()
        off.insert(StateID(rawValue: 3))
        other.add([TransitionID(rawValue: 0)], off)
        reach.formUnion(other)
        #expect(reach.transitions == [true, false, true])
        #expect(reach.states.count == 7)
    }
}
