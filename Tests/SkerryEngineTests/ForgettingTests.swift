import SkerryDevice
import SkerryValues
import Testing

@testable import SkerryEngine

/// Devices that come once, such as orders.
@Suite("Devices that are forgotten after their run")
struct ForgettingTests {
    private static func order(_ forget: String) throws -> Definition {
        try definition(
            """
            skerry: 1
            kind: order
            sources:
              - { topic: "order/{device}/word", payload: text, signals: { word: payload } }
              - { topic: "order/{device}/LWT", payload: text, available: payload == "online" }
            machine:
              initial: open
              states:
                open: { always: { guard: word == "sent", target: sent } }
                sent: { always: { guard: word == "there", target: there } }
                there: { always: { guard: word == "sent", target: sent } }
            activity: { starts: sent, ends: there, content: { state: state }, dismiss: 1m, forget: \(forget) }
            """
        )
    }

    @Test("A device goes so long after the dismissal of its run, with all that readers hold of it")
    func later() throws {
        var engine = Engine([try Self.order("1h")], limits: limits(devices: 10, newDevices: 10))
        _ = engine.say("order/a/LWT", "online")
        _ = engine.say("order/a/word", "sent")
        _ = engine.say("order/a/word", "there", at: 10)
        _ = engine.handle(.timePassed, at: second(70 + 3599))
        #expect(engine.device(kind: "order", named: "a") != nil)
        let effects = engine.handle(.timePassed, at: second(70 + 3600))
        #expect(effects.map(\.device) == ["a"])
        guard case .forgotten(toldAvailability: true)? = effects.last?.what else {
            Issue.record("\(effects)")
            return
        }
        #expect(engine.deviceCount == 0 && engine.nextDeadline == nil)
        #expect(engine.brokenInvariant() == nil)
    }

    @Test("A run that begins before keeps the device")
    func again() throws {
        var engine = Engine([try Self.order("1h")], limits: limits(devices: 10, newDevices: 10))
        _ = engine.say("order/a/word", "sent")
        _ = engine.say("order/a/word", "there")
        _ = engine.say("order/a/word", "sent", at: 3000)
        _ = engine.handle(.timePassed, at: second(100_000))
        #expect(engine.deviceCount == 1)
    }

    @Test("Thousands of orders, one after the other, leave no device behind")
    func many() throws {
        var engine = Engine([try Self.order("0s")], limits: limits(devices: 50, newDevices: 0))
        var runs: Set<Int64> = []
        for number in 0..<3000 {
            let (name, at) = ("order/\(number)/word", Double(number) * 10)
            _ = engine.say(name, "sent", at: at)
            runs.insert(try #require(engine.device(kind: "order", named: "\(number)")).device.lastRun)
            _ = engine.say(name, "there", at: at + 5)
            if number % 500 == 0 { #expect(engine.brokenInvariant() == nil) }
        }
        #expect(engine.deviceCount <= 7, "only those whose minute is not over")
        #expect(runs.count == 3000)
        _ = engine.handle(.timePassed, at: second(100_000))
        #expect(engine.deviceCount == 0)
        #expect(engine.counters.beyondLimit == 0)
        #expect(engine.brokenInvariant() == nil)
    }

    @Test("A restart keeps the moment, also when it passes meanwhile", arguments: [100.0, 10_000])
    func restart(downtime: Double) throws {
        let definition = try Self.order("1h")
        var engine = Engine([definition], limits: limits(devices: 10, newDevices: 10))
        _ = engine.say("order/a/word", "sent")
        _ = engine.say("order/a/word", "there")
        _ = engine.handle(.timePassed, at: second(60))
        let image = try #require(engine.takeImages(all: true).last)
        let layout = try #require(engine.imageLayouts().first)
        let next = Engine(definitions: [definition], epoch: 1, resumingAt: engine.sequence)
        let now = second(60 + downtime)
        var restoration = EngineRestoration(
            of: next,
            after: Downtime(start: second(60), end: now)
        )
        var effects: [Effect] = []
        guard case .restored = restoration.restore(image, layout: layout, effects: &effects) else {
            Issue.record("the image is not taken")
            return
        }
        (engine, effects) = restoration.finish()
        #expect(engine.deviceCount == (downtime < 3600 ? 1 : 0))
        _ = engine.handle(.timePassed, at: max(now, second(3660)))
        #expect(engine.deviceCount == 0)
    }
}
