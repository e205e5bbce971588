import SkerryDevice
import SkerryEngine
import Testing

/// An engine is a value, and what it does follows from what it is told.
@Suite("Determinism and copies")
struct CopyTests {
    @Test(
        "the same inputs give the same effects; a copy is independent",
        arguments: 0..<10 as Range<UInt64>
    )
    func copies(seed: UInt64) throws {
        let definitions = try Traffic.definitions.map(definition)
        let steps = Traffic.steps(seed: seed, count: 300)
        var first = Engine(definitions)
        var second = Engine(definitions)
        #expect(first.take(Array(steps[..<150])) == second.take(Array(steps[..<150])))
        var copy = first
        let elsewhere = Traffic.steps(seed: seed &+ 500, count: 300).filter { $0.at > first.now }
        let strange = copy.take(elsewhere)
        #expect(copy.counters.messages > first.counters.messages)
        #expect(first.counters == second.counters, "what the copy did is not seen")
        #expect(first.nextDeadline == second.nextDeadline)
        let rest = first.take(Array(steps[150...]))
        #expect(rest == second.take(Array(steps[150...])))
        #expect(rest.count > 10)
        #expect(rest != strange)
    }

    @Test("definitions compiled again give the same effects", arguments: 0..<5 as Range<UInt64>)
    func anew(seed: UInt64) throws {
        let steps = Traffic.steps(seed: seed, count: 200)
        var first = Engine(try Traffic.definitions.map(definition))
        var second = Engine(try Traffic.definitions.map(definition))
        #expect(first.take(steps) == second.take(steps))
    }

    @Test("devices do not disturb each other", arguments: 0..<8 as Range<UInt64>)
    func alone(seed: UInt64) throws {
        let thing = try definition(Traffic.definitions[0])
        let steps = Traffic.steps(seed: seed, count: 300)
        var together = Engine([thing])
        let lines = together.take(steps)
        for name in ["a", "b", "c"] {
            var alone = Engine([thing])
            let own = steps.filter { step in
                switch step.input {
                case .message(let message):
                    String(decoding: message.topic, as: UTF8.self).contains("/\(name)/")
                case .event(_, let device, _): device == name
                case .connected, .disconnected, .timePassed: true
                }
            }
            let expected = lines.filter { $0.contains(" thing/\(name) ") }
            let end = steps[steps.count - 1].at
            #expect(alone.take(own + [.wait(until: end)]) == expected)
            #expect(!expected.isEmpty)
        }
    }

    @Test("the epoch is that of the engine")
    func epoch() throws {
        let definitions = try Traffic.definitions.map(definition)
        var engine = Engine(definitions: definitions, epoch: 1_234)
        let lines = engine.say("home/hall/a/state", #"{"power":400}"#)
        #expect(lines.last?.contains(#""epoch":1234,"#) == true)
    }
}
