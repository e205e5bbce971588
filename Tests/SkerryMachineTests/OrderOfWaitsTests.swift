import SkerryMachine
import SkerryValues
import Testing

@Suite("Waits that end at the same moment")
struct OrderOfWaitsTests {
    /// An outer state with an inner one; both wait in the way of a trigger and end at 60 s.
    private func world(outer: Statechart.Trigger, inner: Statechart.Trigger) throws -> Playground {
        var builder = StatechartBuilder()
        let around = builder.addState("around")
        let within = builder.addState("within", in: around)
        builder.addState("next", in: around)
        builder.addState("away")
        builder.addTransition(from: around, on: outer, if: named(1), to: ["away"], actions: [.host(1)])
        builder.addTransition(from: within, on: inner, if: named(2), to: ["next"], actions: [.host(2)])
        return try Playground(builder)
    }

    private static let minute = Interval.minutes(1)

    @Test(
        "the inner one ends first, whichever began first, and then the outer one is taken",
        arguments: [
            (.sustained(for: minute, dropout: .zero), .sustained(for: minute, dropout: .zero)),
            (.after(.fixed(minute)), .after(.fixed(minute))),
            (.after(.fixed(minute)), .sustained(for: minute, dropout: .zero)),
            (.quiet(minute), .after(.fixed(minute))),
        ] as [(Statechart.Trigger, Statechart.Trigger)]
    )
    func innerFirst(outer: Statechart.Trigger, inner: Statechart.Trigger) throws {
        var world = try world(outer: outer, inner: inner)
        world.host.switches = [1: true, 2: true]
        world.start()
        world.wait(until: 59)
        #expect(world.host.log == [])
        world.wait(until: 60)
        #expect(world.host.log == [2, 1])
        #expect(world.active == ["away"])
    }

    @Test func `an inner one whose condition does not hold leaves the moment to the outer one`() throws {
        var world = try world(outer: .after(.fixed(Self.minute)), inner: .after(.fixed(Self.minute)))
        world.host.switches = [1: true]
        world.start()
        world.wait(until: 60)
        #expect(world.host.log == [1])
    }
}
