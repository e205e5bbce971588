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
    private static let held = Statechart.Trigger.sustained(for: minute, dropout: .zero)

    @Test(
        "of conditions that have held, the inner one is taken first, and the outer one in the same macrostep",
        arguments: [(held, held, [2, 1]), (.after(.fixed(minute)), .after(.fixed(minute)), [1])]
            as [(Statechart.Trigger, Statechart.Trigger, [UInt16])]
    )
    func innerFirst(outer: Statechart.Trigger, inner: Statechart.Trigger, actions: [UInt16]) throws {
        var world = try world(outer: outer, inner: inner)
        world.host.switches = [1: true, 2: true]
        world.start()
        world.wait(until: 59)
        #expect(world.host.log == [])
        world.wait(until: 60)
        #expect(world.host.log == actions)
        #expect(world.active == ["away"])
        #expect(world.fired == [60])
    }

    @Test func `a machine that has finished takes no further transition`() throws {
        var builder = StatechartBuilder()
        let work = builder.addState("work")
        builder.addState("over", kind: .final)
        builder.addState("elsewhere")
        builder.addTransition(from: work, on: Self.held, if: named(1), to: ["over"])
        builder.addTransition(from: .root, on: Self.held, if: named(2), to: ["elsewhere"])
        var world = try Playground(builder)
        world.host.switches = [1: true, 2: true]
        world.start()
        world.wait(until: 60)
        #expect(world.machine.isFinished)
        #expect(world.active == ["over"])
    }

    @Test func `each action knows since when its own condition has held`() throws {
        var world = try world(outer: .sustained(for: .seconds(90), dropout: .zero), inner: Self.held)
        world.host.switches = [1: true]
        world.start()
        world.now = moment(30)
        world.turn(2, true)
        world.wait(until: 90)
        #expect(world.host.log == [2, 1])
        #expect(world.host.sinceAtAction == [moment(30), moment(0)])
        #expect(world.last.since == moment(0))
    }

    @Test(
        "an inner one that waits for reports, or for the end of a lapse, leaves the moment to the outer one",
        arguments: [
            Statechart.Trigger.sustained(for: minute, dropout: .zero, reports: 3),
            .sustained(for: minute, dropout: .seconds(30)),
        ]
    )
    func innerLater(inner: Statechart.Trigger) throws {
        var world = try world(outer: Self.held, inner: inner)
        world.host.switches = [1: true, 2: true]
        world.host.reportLength = .seconds(40)
        world.start()
        world.wait(until: 50)
        if case .sustained(_, .seconds(30), _) = inner { world.turn(2, false) }
        world.wait(until: 60)
        #expect(world.host.log == [1])
        #expect(world.active == ["away"])
    }

    @Test func `an inner one that does not hold leaves the moment to the outer one`() throws {
        var world = try world(outer: .after(.fixed(Self.minute)), inner: .after(.fixed(Self.minute)))
        world.host.switches = [1: true]
        world.start()
        world.wait(until: 60)
        #expect(world.host.log == [1])
    }

    @Test(
        "of silences, that of the inner state ends first, and what is still waited for follows at the same moment",
        arguments: [(true, [2, 1], [60, 60]), (false, [1], [60, 60])] as [(Bool, [UInt16], [Double])]
    )
    func innerSilenceFirst(holds: Bool, actions: [UInt16], fired: [Double]) throws {
        var world = try world(outer: .quiet(Self.minute), inner: .quiet(Self.minute))
        world.host.switches = [1: true, 2: holds]
        world.start()
        world.wait(until: 60)
        #expect(world.host.log == actions)
        #expect(world.active == ["away"])
        #expect(world.fired == fired)
    }

    @Test("silences of states beside each other end in the order written, whichever was entered first")
    func silencesBesideEachOther() throws {
        var builder = StatechartBuilder(isParallel: true)
        for number in 1...2 as ClosedRange<UInt16> {
            let region = builder.addState("region\(number)")
            let inner = builder.addState("inner\(number)", in: region)
            builder.addTransition(from: inner, on: .quiet(Self.minute), actions: [.host(number)])
            builder.addTransition(from: inner, on: .event(["again\(number)"]), to: ["inner\(number)"])
        }
        var world = try Playground(builder)
        world.start()
        world.now = moment(10)
        world.send("again1")
        world.now = moment(20)
        world.hear()
        world.wait(until: 80)
        #expect(world.host.log == [1, 2])
        world.now = moment(90)
        world.hear()
        world.wait(until: 150)
        #expect(world.host.log == [1, 2, 1, 2])
    }

    @Test("a silence gives way to what was armed before it, and ends at the same moment")
    func silenceAndAfter() throws {
        var builder = StatechartBuilder()
        let around = builder.addState("around")
        let within = builder.addState("within", in: around)
        builder.addTransition(from: around, on: .after(.fixed(Self.minute)), actions: [.host(1)])
        builder.addTransition(from: around, on: .quiet(Self.minute), actions: [.host(2)])
        builder.addTransition(from: within, on: .quiet(Self.minute), actions: [.host(3)])
        var world = try Playground(builder)
        world.start()
        world.wait(until: 60)
        #expect(world.host.log == [1, 3, 2])
    }
}
