import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryEngine

/// Engines that are put away and read back in the middle of a history.
@Suite("Restarts")
struct RestartTests {
    /// An engine of the images of another one.
    static func restarted(
        _ engine: inout Engine,
        definitions: [Definition],
        kept: inout [String: DeviceImage],
        after downtime: Downtime
    ) throws -> (engine: Engine, effects: [Effect]) {
        for image in engine.takeImages(all: true) { kept[image.kind + "/" + image.name] = image }
        let layouts = engine.imageLayouts()
        let next = Engine(definitions: definitions, epoch: 1, resumingAt: engine.sequence)
        var restoration = EngineRestoration(of: next, after: downtime)
        var effects: [Effect] = []
        for key in kept.keys.sorted() {
            let image = try #require(kept[key])
            let layout = try #require(layouts.first { $0.id == image.layout })
            let copy = try DefinitionLayout(bytes: layout.bytes)
            let outcome = restoration.restore(image, layout: copy, effects: &effects)
            guard case .restored = outcome else {
                Issue.record("\(key): \(outcome)")
                continue
            }
        }
        var (resumed, late) = restoration.finish()
        // A broker sends these again.
        resumed.kept = engine.kept
        return (resumed, effects + late)
    }

    static func text(_ effects: [Effect]) -> [String] {
        let sink = MQTTSink()
        return effects.flatMap { effect in
            sink.publications(of: effect).map {
                "\(effect.at.microseconds) \($0.topic) \(String(decoding: $0.payload, as: UTF8.self))"
            }
        }
    }

    @Test("500 histories go on as if nothing had happened, wherever they are cut", arguments: 0..<10)
    func unnoticed(part: UInt64) throws {
        let definitions = Files.household + [try Files.definition(RandomTraffic.definition)]
        var updates = 0
        for seed in part * 50..<(part + 1) * 50 {
            var random = SimulatedRandom(seed: seed)
            var steady = Engine(definitions: definitions, epoch: 1)
            var broken = Engine(definitions: definitions, epoch: 1)
            var kept: [String: DeviceImage] = [:]
            for recorded in RandomTraffic(seed: seed) {
                let message = Message(
                    topic: recorded.topic,
                    payload: recorded.payload,
                    isRetained: recorded.isRetained
                )
                let expected = Self.text(steady.handle(.message(message), at: recorded.at))
                var effects = broken.handle(.message(message), at: recorded.at)
                for image in broken.takeImages(all: false) { kept[image.kind + "/" + image.name] = image }
                if Int.random(in: 0..<3, using: &random) == 0 {
                    let downtime = Downtime(start: recorded.at, end: recorded.at)
                    let next = try Self.restarted(
                        &broken,
                        definitions: definitions,
                        kept: &kept,
                        after: downtime
                    )
                    broken = next.engine
                    effects += next.effects
                }
                try #require(Self.text(effects) == expected, "seed \(seed)")
                try #require(broken.nextDeadline == steady.nextDeadline, "seed \(seed)")
                updates += expected.count
            }
            while let due = steady.nextDeadline, steady.hasPendingActivity {
                let expected = Self.text(steady.handle(.timePassed, at: due))
                try #require(Self.text(broken.handle(.timePassed, at: due)) == expected, "seed \(seed)")
            }
        }
        #expect(updates > 25, "the traffic does something")
    }

    @Test("a damaged image of a device is refused")
    func damaged() throws {
        let definitions = Files.household + [try Files.definition(RandomTraffic.definition)]
        for seed in 0..<60 as Range<UInt64> {
            var random = SimulatedRandom(seed: seed)
            var engine = Engine(definitions: definitions, epoch: 1)
            for recorded in RandomTraffic(seed: seed) {
                let message = Message(topic: recorded.topic, payload: recorded.payload)
                _ = engine.handle(.message(message), at: recorded.at)
            }
            let layouts = engine.imageLayouts()
            for var image in engine.takeImages(all: true) {
                let place = Int.random(in: 0..<image.bytes.count, using: &random)
                image.bytes[place] ^= UInt8.random(in: 1...255, using: &random)
                let next = Engine(definitions: definitions, epoch: 1)
                let layout = try #require(layouts.first { $0.id == image.layout })
                var effects: [Effect] = []
                let downtime = Downtime(start: engine.now, end: engine.now)
                var restoration = EngineRestoration(of: next, after: downtime)
                let outcome = restoration.restore(image, layout: layout, effects: &effects)
                guard case .refused = outcome else {
                    Issue.record("seed \(seed), byte \(place): \(outcome)")
                    continue
                }
                #expect(restoration.engine.deviceCount == 0)
            }
        }
    }
}
