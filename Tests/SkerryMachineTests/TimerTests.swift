import SkerryMachine
import SkerryValues
import Testing

@Suite struct TimerTests {
    private let cycle = TimerID(rawValue: 0)

    /// A state for each of the timer's actions, and a count of what elapsed.
    private func world() throws -> Playground {
        var world = try Playground { builder in
            let cycle = builder.addTimer("cycle")
            let other = builder.addTimer("other")
            let here = builder.addState("here")
            builder.addState("there")
            let orders: [(String, Statechart.Action)] = [
                ("start", .start(cycle, duration: .fixed(.seconds(100)))),
                ("computed", .start(cycle, duration: .computed(1))),
                ("up", .start(cycle, duration: nil)),
                ("stop", .stop(cycle)),
                ("pause", .pause(cycle)),
                ("resume", .resume(cycle)),
                ("extend", .extend(cycle, by: .fixed(.seconds(30)))),
                ("shorten", .extend(cycle, by: .fixed(.seconds(-30)))),
                ("second", .start(other, duration: .fixed(.seconds(100)))),
            ]
            for (event, action) in orders {
                builder.addTransition(from: here, on: .event([event]), actions: [action])
            }
            builder.addTransition(from: here, on: .event(["move"]), to: ["there"])
            builder.addTransition(from: .root, on: .event(["cycle.elapsed"]), actions: [.host(1)])
            builder.addTransition(from: .root, on: .event(["other.elapsed"]), actions: [.host(2)])
        }
        world.start()
        return world
    }

    /// Orders at seconds, then the state of the timer at a second, and when it elapsed.
    struct Story: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var orders: [(at: Double, order: String)]
        var state: TimerState
        var at: Double = 1000
        var elapsed: [Double] = []
    }

    static func running(_ start: Double, _ end: Double) -> TimerState {
        .running(start: moment(start), end: moment(end))
    }

    static let stories = [
        Story(
            testDescription: "runs",
            orders: [(10, "start")],
            state: running(10, 110),
            at: 109
        ),
        Story(
            testDescription: "elapses and stays visible",
            orders: [(10, "start")],
            state: .elapsed(start: moment(10), end: moment(110)),
            elapsed: [110]
        ),
        Story(testDescription: "stops", orders: [(10, "start"), (50, "stop")], state: .stopped),
        Story(
            testDescription: "starts anew while it runs",
            orders: [(10, "start"), (50, "start")],
            state: .elapsed(start: moment(50), end: moment(150)),
            elapsed: [150]
        ),
        Story(testDescription: "counts up", orders: [(10, "up")], state: .countingUp(start: moment(10))),
        Story(
            testDescription: "stands still in a pause",
            orders: [(10, "start"), (50, "pause"), (60, "pause")],
            state: .paused(remaining: .seconds(60), duration: .seconds(100))
        ),
        Story(
            testDescription: "start and end move by the length of the pause",
            orders: [(10, "start"), (50, "pause"), (80, "resume")],
            state: running(40, 140),
            at: 139
        ),
        Story(
            testDescription: "elapses after a pause",
            orders: [(10, "start"), (50, "pause"), (80, "resume")],
            state: .elapsed(start: moment(40), end: moment(140)),
            elapsed: [140]
        ),
        Story(
            testDescription: "a count-up pauses",
            orders: [(10, "up"), (50, "pause")],
            state: .pausedCount(elapsed: .seconds(40))
        ),
        Story(
            testDescription: "a count-up goes on",
            orders: [(10, "up"), (50, "pause"), (70, "resume")],
            state: .countingUp(start: moment(30))
        ),
        Story(
            testDescription: "extended: the start stays",
            orders: [(10, "start"), (50, "extend")],
            state: .elapsed(start: moment(10), end: moment(140)),
            elapsed: [140]
        ),
        Story(
            testDescription: "extended in a pause",
            orders: [(10, "start"), (50, "pause"), (60, "extend")],
            state: .paused(remaining: .seconds(90), duration: .seconds(130))
        ),
        Story(
            testDescription: "shortened: not before now",
            orders: [(10, "start"), (100, "shorten")],
            state: .elapsed(start: moment(10), end: moment(100)),
            elapsed: [100]
        ),
        Story(
            testDescription: "shortened in a pause: not below nothing",
            orders: [(10, "start"), (100, "pause"), (100, "shorten")],
            state: .paused(remaining: .zero, duration: .seconds(90))
        ),
        Story(
            testDescription: "survives a change of state",
            orders: [(10, "start"), (50, "move")],
            state: .elapsed(start: moment(10), end: moment(110)),
            elapsed: [110]
        ),
        Story(testDescription: "no duration, no start", orders: [(10, "computed")], state: .stopped),
        Story(
            testDescription: "what is not there can not be worked",
            orders: [(10, "pause"), (11, "resume"), (12, "extend"), (13, "stop")],
            state: .stopped
        ),
        Story(
            testDescription: "after its end it can not be extended, but started",
            orders: [(10, "start"), (120, "extend"), (121, "pause"), (130, "start")],
            state: .elapsed(start: moment(130), end: moment(230)),
            elapsed: [110, 230]
        ),
    ]

    @Test(arguments: stories)
    func story(_ story: Story) throws {
        var world = try world()
        for (at, order) in story.orders {
            world.wait(until: at)
            world.send(order)
        }
        world.wait(until: story.at)
        #expect(world.machine.timer(cycle) == story.state)
        #expect(world.fired == story.elapsed)
        #expect(world.host.log == story.elapsed.map { _ in 1 })
    }

    @Test func `equal ends come in order of arming, also when one was moved there`() throws {
        var world = try world()
        world.send("start")
        world.send("second")
        world.wait(until: 10)
        world.send("shorten")
        world.send("extend")
        world.wait(until: 100)
        #expect(world.host.log == [1, 2], "the moved one was armed first")
    }

    @Test func `the device layer drives a countdown by its end`() throws {
        var world = try world()
        world.send("start")
        world.wait(until: 10)
        let moved = world.machine.adjustTimer(
            cycle,
            end: moment(300),
            on: &world.host.clock
        )
        #expect(moved)
        #expect(world.machine.timer(cycle) == Self.running(0, 300))
        let before = world.host.clock.sequence
        world.machine.adjustTimer(cycle, end: moment(300), on: &world.host.clock)
        #expect(world.host.clock.sequence == before + 1, "the same end is armed anew")
        #expect(world.machine.timer(cycle) == Self.running(0, 300))
        world.machine.adjustTimer(cycle, end: moment(5), on: &world.host.clock)
        #expect(world.machine.nextDeadline?.at == moment(10), "a past end is due now")
        world.wait(until: 10)
        #expect(world.machine.timer(cycle) == .elapsed(start: moment(0), end: moment(5)))
        let late = world.machine.adjustTimer(
            cycle,
            end: moment(500),
            on: &world.host.clock
        )
        #expect(!late)
    }

    @Test func `a paused countdown takes a new end as what remains`() throws {
        var world = try world()
        world.send("start")
        world.wait(until: 40)
        world.send("pause")
        world.wait(until: 50)
        world.machine.adjustTimer(cycle, end: moment(80), on: &world.host.clock)
        #expect(world.machine.timer(cycle) == .paused(remaining: .seconds(30), duration: .seconds(70)))
    }

    @Test func `a countdown can have begun before now`() throws {
        var world = try world()
        world.wait(until: 50)
        world.machine.startTimer(
            cycle,
            from: moment(20),
            until: moment(90),
            on: &world.host.clock
        )
        #expect(world.machine.timer(cycle) == Self.running(20, 90))
        world.wait(until: 90)
        #expect(world.host.log == [1])
    }

    @Test func `ends at the edge of time do not trap`() throws {
        var world = try world()
        world.now = .distantFuture
        for length in [Int64.max, .min, -1, 0] {
            let length = Interval(microseconds: length)
            world.machine.startTimer(cycle, duration: length, on: &world.host.clock)
            world.machine.extendTimer(cycle, by: length, on: &world.host.clock)
            var past = MachineClock(now: .distantPast)
            world.machine.pauseTimer(cycle, at: past.now)
            world.machine.extendTimer(cycle, by: length, on: &past)
            world.machine.resumeTimer(cycle, on: &past)
        }
        #expect(world.machine.nextDeadline != nil)
    }
}
