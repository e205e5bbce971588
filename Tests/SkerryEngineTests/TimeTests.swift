import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryTesting
import SkerryValues
import Testing

@Suite("Time and copies")
struct TimeTests {
    static func engine() throws -> Engine {
        Engine(definitions: [try Playground.definition(RandomTraffic.definition)], epoch: 1)
    }

    private static func play(
        _ inputs: ArraySlice<(input: Input, at: Timestamp)>,
        _ engine: inout Engine
    ) -> [String] {
        inputs.flatMap { engine.handle($0.input, at: $0.at) }.map { Playground.words($0) }
    }

    @Test("A long sleep gives what small steps give", arguments: 0..<60 as Range<UInt64>)
    func stepping(seed: UInt64) throws {
        let inputs = RandomTraffic.inputs(seed: seed, count: 400)
        var sleeper = try Self.engine()
        var stepper = sleeper
        var random = SimulatedRandom(seed: seed &+ 1000)
        var expected: [String] = []
        var found: [String] = []
        for (input, time) in inputs {
            expected += sleeper.handle(input, at: time).map { Playground.words($0) }
            while let due = stepper.nextDeadline, due <= time {
                // Sometimes right at the deadline, sometimes a little before it first.
                let early = due - .milliseconds(Int64.random(in: 1...900, using: &random))
                if early > stepper.now {
                    found += stepper.handle(.timePassed, at: early).map { Playground.words($0) }
                }
                found += stepper.handle(.timePassed, at: due).map { Playground.words($0) }
            }
            found += stepper.handle(input, at: time).map { Playground.words($0) }
        }
        #expect(found == expected)
        #expect(sleeper.counters == stepper.counters)
        #expect(sleeper.nextDeadline == stepper.nextDeadline)
        #expect(sleeper.counters.updates > 10, "the traffic does something")
    }

    @Test(
        "The same inputs give the same effects; a copy goes its own way",
        arguments: 0..<20 as Range<UInt64>
    )
    func copies(seed: UInt64) throws {
        let inputs = RandomTraffic.inputs(seed: seed, count: 600)
        var first = try Self.engine()
        var second = try Self.engine()
        #expect(Self.play(inputs[..<300], &first) == Self.play(inputs[..<300], &second))
        var copy = first
        let later = RandomTraffic.inputs(seed: seed &+ 500, count: 300)
        let shift = inputs[299].at - Playground.start
        _ = Self.play(later.map { ($0.input, $0.at + shift) }[...], &copy)
        #expect(copy.counters.messages > first.counters.messages)
        let rest = Self.play(inputs[300...], &first)
        #expect(rest == Self.play(inputs[300...], &second), "what the copy did is not seen")
        #expect(!rest.isEmpty)
    }

    @Test("Effects come in the order of time, each at its own deadline")
    func order() throws {
        var engine = try Self.engine()
        for name in ["a", "b", "c"] {
            _ = engine.handle(
                Playground.message("thing/\(name)/state", #"{"power": 9}"#),
                at: Playground.start
            )
        }
        let effects = engine.handle(.timePassed, at: Playground.start + .hours(10))
        #expect(effects.map(\.at) == effects.map(\.at).sorted())
        let told = effects.map { "\(($0.at - Playground.start).roundedSeconds) \($0.device)" }
        #expect(Array(told.prefix(6)) == ["20 a", "20 a", "20 b", "20 b", "20 c", "20 c"])
        #expect(effects.contains { $0.at == Playground.start + .seconds(120) }, "stale")
        #expect(effects.contains { $0.at == Playground.start + .seconds(200) }, "lost")
        #expect(effects.last?.at == Playground.start + .seconds(240))
        #expect(engine.nextDeadline == nil)
        #expect(!engine.hasPendingActivity)
    }

    @Test("An earlier time counts as the latest one seen")
    func backwards() throws {
        var engine = try Self.engine()
        let late = Playground.start + .seconds(50)
        _ = engine.handle(.timePassed, at: late)
        _ = engine.handle(Playground.message("thing/a/state", #"{"power": 9}"#), at: Playground.start)
        #expect(engine.now == late)
        #expect(engine.nextDeadline == late + .seconds(20))
        #expect(engine.handle(.timePassed, at: late + .seconds(19)).isEmpty)
        #expect(engine.handle(.timePassed, at: Playground.start).isEmpty)
        let effects = engine.handle(.timePassed, at: late + .seconds(20))
        #expect(effects.map(\.at) == [late + .seconds(20), late + .seconds(20)])
    }

    @Test("Times at the ends of the clock do not overflow")
    func extremes() throws {
        for moment in [
            Timestamp.distantPast, Timestamp(microseconds: 0), Timestamp.distantFuture - .seconds(1),
        ] {
            var engine = try Self.engine()
            let payload = #"{"power": 9, "left": 9e18, "mode": 1}"#
            _ = engine.handle(Playground.message("thing/a/state", payload), at: moment)
            _ = engine.handle(.timePassed, at: moment + .hours(1))
            _ = engine.handle(Playground.message("thing/a/state", #"{"left": -9e18}"#), at: .distantFuture)
            #expect(engine.counters.messages == 2)
        }
    }
}
