import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryTesting
import SkerryValues
import Testing

/// What is due, when, and before what.
@Suite("Time")
struct TimeTests {
    /// Devices that go on by themselves after ten seconds.
    private static func clocks() throws -> Engine {
        Engine([
            try definition(
                """
                skerry: 1
                kind: clock
                sources: [ { topic: "clock/{device}", payload: text, event: payload } ]
                machine:
                  initial: idle
                  states:
                    idle: { on: { go: first, fall: falling } }
                    first: { after: { 10s: second }, on: { go: idle } }
                    second: { after: { 10s: third }, on: { go: idle } }
                    third: { on: { go: idle } }
                    falling:
                      entry: { send: { event: landed, delay: 'duration("0s")' } }
                      on: { landed: ground }
                    ground: { after: { 1ms: idle } }
                """
            )
        ])
    }

    @Test("a new engine has no deadline")
    func nothing() throws {
        var engine = try Self.clocks()
        #expect(engine.nextDeadline == nil)
        #expect(engine.now == .distantPast)
        #expect(engine.handle(.timePassed, at: second(5)).isEmpty)
        #expect(engine.now == second(5))
        #expect(engine.say("clock/a", "idle", at: 6) == ["6 clock/a  > idle"])
        #expect(engine.nextDeadline == nil)
        #expect(engine.counters.messages == 1)
    }

    @Test(
        "deadlines up to an input are handled before it, each at its own moment",
        arguments: [
            (9.999, ["9.999 clock/a first > idle"]),
            (10, ["10 clock/a first > second", "10 clock/a second > idle"]),
            (15, ["10 clock/a first > second", "15 clock/a second > idle"]),
            (20, ["10 clock/a first > second", "20 clock/a second > third", "20 clock/a third > idle"]),
            (
                9e6,
                ["10 clock/a first > second", "20 clock/a second > third", "9000000 clock/a third > idle"]
            ),
        ] as [(Double, [String])]
    )
    func dueFirst(seconds: Double, expected: [String]) throws {
        var engine = try Self.clocks()
        _ = engine.say("clock/a", "-")
        _ = engine.say("clock/a", "go")
        #expect(engine.nextDeadline == second(10))
        var commanded = engine
        #expect(engine.say("clock/a", "go", at: seconds) == expected)
        let command = Step(at: second(seconds), input: .event(kind: "clock", device: "a", name: "go"))
        #expect(commanded.take([command]) == expected, "a command is an input, too")
        #expect(engine.nextDeadline == nil)
    }

    @Test("a deadline that an input makes due at once is handled with it, a later one is not")
    func dueAtOnce() throws {
        var engine = try Self.clocks()
        _ = engine.say("clock/a", "-")
        #expect(engine.say("clock/a", "fall") == ["0 clock/a idle > falling", "0 clock/a falling > ground"])
        let last = second(0) + Interval.milliseconds(1)
        #expect(engine.nextDeadline == last)
        #expect(engine.take([.wait(until: second(0))]) == [])
        #expect(engine.take([.wait(until: last)]) == ["0.001 clock/a ground > idle"])
    }

    @Test("deadlines of many devices come in the order of time, then of arming")
    func order() throws {
        var engine = try Self.clocks()
        for name in ["a", "b", "c", "d"] { _ = engine.say("clock/\(name)", "-") }
        for (name, seconds) in [("d", 1.0), ("b", 2), ("c", 2), ("a", 2)] {
            _ = engine.say("clock/\(name)", "go", at: seconds)
        }
        _ = engine.say("clock/b", "go", at: 2)
        _ = engine.say("clock/b", "go", at: 2)
        let firsts = ["11 clock/d", "12 clock/c", "12 clock/a", "12 clock/b"].map { $0 + " first > second" }
        let seconds = ["21 clock/d", "22 clock/c", "22 clock/a", "22 clock/b"].map { $0 + " second > third" }
        var stopped = engine
        #expect(stopped.take([.wait(until: second(15))]) == firsts)
        #expect(stopped.nextDeadline == second(21))
        #expect(engine.take([.wait(until: second(1000))]) == firsts + seconds)
    }

    @Test("time that runs backwards counts as the latest")
    func backwards() throws {
        var engine = try Self.clocks()
        _ = engine.say("clock/a", "-", at: 100)
        #expect(engine.say("clock/a", "go", at: 3) == ["100 clock/a idle > first"])
        #expect(engine.now == second(100))
        #expect(engine.nextDeadline == second(110))
        #expect(engine.take([.wait(until: second(50)), .wait(until: .distantPast)]) == [])
        #expect(engine.take([.wait(until: second(110))]) == ["110 clock/a first > second"])
        let command = Step(at: second(0), input: .event(kind: "clock", device: "a", name: "go"))
        #expect(engine.take([command]) == ["110 clock/a second > idle"])
    }

    /// A machine that never comes to rest would be woken for as long as there is time; these come to rest.
    @Test(
        "the first and the last moment of time do no harm",
        arguments: [
            Timestamp.distantPast, .init(microseconds: 0), .distantFuture - .hours(1), .distantFuture,
        ]
    )
    func ends(start: Timestamp) throws {
        var engine = Engine(try Traffic.definitions.map(definition))
        let payload = #"{"power":400,"left":9e18,"mode":1}"#
        _ = engine.take([.say("home/hall/a/state", payload, at: start)])
        _ = engine.take([.wait(until: start + .seconds(30))])
        _ = engine.take([.say("home/hall/a/state", #"{"left":-9e18,"mode":2}"#, at: start + .seconds(31))])
        _ = engine.take([.wait(until: .distantFuture), .say("home/hall/a/state", payload, at: start)])
        #expect(engine.now == .distantFuture)
        #expect(engine.counters.messages == 3)
        #expect(engine.counters.updates > 0)
    }

    @Test("one long sleep has the same effects as many small steps", arguments: 0..<40 as Range<UInt64>)
    func longSleep(seed: UInt64) throws {
        let definitions = try Traffic.definitions.map(definition)
        var sleeper = Engine(definitions)
        var stepper = Engine(definitions)
        var random = SimulatedRandom(seed: seed &+ 1000)
        for step in Traffic.steps(seed: seed, count: 120) + [.wait(until: .distantFuture)] {
            var lines: [String] = []
            while let due = stepper.nextDeadline, due <= step.at {
                let early = due - .milliseconds(Int64.random(in: 1...900, using: &random))
                if early > stepper.now { lines += stepper.take([.wait(until: early)]) }
                try #require(stepper.nextDeadline == due, "nothing was due")
                lines += stepper.take([.wait(until: due)])
            }
            lines += stepper.take([step])
            try #require(sleeper.take([step]) == lines)
        }
        #expect(sleeper.counters == stepper.counters)
        #expect(sleeper.counters.updates > 10, "the traffic does something")
        #expect(sleeper.nextDeadline == nil)
        #expect(!sleeper.hasPendingActivity)
    }

    @Test("the same with the definitions of the project", arguments: 0..<2 as Range<UInt64>)
    func devices(seed: UInt64) throws {
        let definitions = try Self.project()
        var sleeper = Engine(definitions)
        var stepper = Engine(definitions)
        var random = SimulatedRandom(seed: seed)
        var slept: [String] = []
        var stepped: [String] = []
        let household = SimulatedHousehold(seed: seed, start: second(0), devices: 6)
        for message in household where Int.random(in: 0..<8, using: &random) == 0 {
            let step = Step(
                at: message.at,
                input: .message(Message(topic: message.topic[...], payload: message.payload[...]))
            )
            slept += sleeper.take([step])
            while stepper.now + .seconds(40) < step.at, stepper.now >= second(0) {
                stepped += stepper.take([.wait(until: stepper.now + .seconds(40))])
            }
            stepped += stepper.take([step])
        }
        #expect(slept == stepped)
        #expect(sleeper.counters.updates > 10)
        #expect(sleeper.take([.wait(until: second(1e6))]) == stepper.take([.wait(until: second(1e6))]))
    }

    /// The definitions in `devices/`.
    static func project() throws -> [Definition] {
        let here = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        let folder = here.dropLast(3).joined(separator: "/") + "/devices"
        let definitions = try CompiledFiles([folder]).definitions
        try #require(definitions.count >= 5)
        return definitions
    }
}
