import SkerryDevice
import Testing

@testable import SkerryEngine

/// Engines that share the devices out among themselves.
@Suite("Partitions")
struct PartitionTests {
    private static let count = 3

    /// One engine for each partition.
    private static func engines(_ definition: Definition) -> [Engine] {
        (0..<count).map { number in
            var limits = EngineLimits()
            limits.partition = Partition(number, of: count)
            return Engine([definition], limits: limits)
        }
    }

    /// The first of the names `d0`, `d1`, … in each partition.
    private static let names = (0..<count).map { number in
        (0...).lazy.map { "d\($0)" }.first { Partition(number, of: count).owns($0) } ?? ""
    }

    @Test(
        "The hash is FNV-1a in 32 bits, and the partition its remainder, as NATS has them",
        arguments: [
            ("", 0x811C_9DC5), ("a", 0xE40C_292C), ("foobar", 0xBF9C_F968), ("küche", 0xE34B_7CA1),
        ] as [(String, UInt32)]
    )
    func hash(name: String, hash: UInt32) {
        #expect(Partition.hash(name) == hash)
        #expect(Partition.number(of: name, among: 7) == Int(hash % 7))
    }

    @Test("Names that are alike are spread evenly")
    func spread() {
        var counts = [Int](repeating: 0, count: 8)
        for number in 0..<8000 { counts[Partition.number(of: "meter-\(number)", among: 8)] += 1 }
        #expect(counts.allSatisfy { (900...1100).contains($0) }, "\(counts)")
    }

    @Test("A device named by the topic is in one partition, and the payload of others is not even read")
    func byTopic() throws {
        var engines = Self.engines(
            try definition(
                """
                skerry: 1
                kind: plug
                sources:
                  - { topic: "x/{device}/power", payload: number, signals: { power: payload } }
                  - { topic: "y/{device}", when: payload.power > 0.0, signals: { power: payload.power } }
                  - { topic: "x/{device}/LWT", devices: known, payload: text, available: payload == "online" }
                machine: { states: { only: {} } }
                """
            )
        )
        for (number, name) in Self.names.enumerated() {
            for engine in engines.indices {
                _ = engines[engine].say("x/\(name)/LWT", "online")
                _ = engines[engine].say("x/\(name)/power", "7")
                _ = engines[engine].say("y/\(name)", "no JSON")
                let own = engine == number
                #expect((engines[engine].device(kind: "plug", named: name) != nil) == own)
                let topic = engines[engine].router.find(Array("x/\(name)/power".utf8)[...])
                #expect(topic.map { engines[engine].router.isElsewhere($0) } == !own)
            }
        }
        for var engine in engines {
            #expect(engine.deviceCount == 1 && engine.kept.all.isEmpty)
            #expect(engine.counters.elsewhere == 6 && engine.counters.refused == 1)
            #expect(engine.counters.ignored == 1 && engine.counters.unrouted == 0)
            _ = engine.say("z", "1")
            #expect(engine.counters.unrouted == 1)
        }
    }

    @Test("Devices named by the payload are shared out element by element")
    func byPayload() throws {
        var engines = Self.engines(
            try definition(
                """
                skerry: 1
                kind: plug
                sources:
                  - { topic: all, each: payload, device: "{item.name}", signals: { power: item.power } }
                  - { topic: will, devices: known, device: "{payload.name}", signals: { will: payload.name } }
                  - { topic: state, devices: all, payload: text, signals: { mode: payload } }
                machine: { states: { only: {} } }
                """
            )
        )
        let list = Self.names.map { #"{"name":"\#($0)","power":1}"# }.joined(separator: ",")
        for (number, name) in Self.names.enumerated() {
            _ = engines[number].say("all", "[\(list)]")
            _ = engines[number].say("state", "ready")
            _ = engines[number].say("will", #"{"name":"\#(Self.names[(number + 1) % Self.count])"}"#)
            #expect(engines[number].deviceCount == 1)
            #expect(engines[number].signal("mode", of: name, kind: "plug") == #""ready""#)
            // Only the last message is no message of any device here.
            #expect(engines[number].counters.elsewhere == 1 && engines[number].counters.ignored == 0)
            #expect(engines[number].kept.all.count == 1, "the one for all devices")
        }
    }

    @Test("Topics of other partitions never take more than half of the cache, nor those of this one")
    func room() throws {
        var limits = limits(topics: 10)
        limits.partition = Partition(0, of: Self.count)
        let plug = try definition(
            """
            skerry: 1
            kind: plug
            sources: [{ topic: "x/{device}", payload: number, signals: { power: payload } }]
            machine: { states: { only: {} } }
            """
        )
        var engine = Engine([plug], limits: limits)
        for round in 0..<2 {
            for number in 0..<60 { _ = engine.say("x/\(Self.names[1])\(number)", "1") }
            _ = engine.say("x/\(Self.names[0])", "1")
            #expect(engine.router.find(Array("x/\(Self.names[0])".utf8)[...]) != nil, "round \(round)")
        }
        #expect(engine.counters.messages == 122 && engine.counters.unrouted == 0)
        #expect(engine.counters.elsewhere > 60)
    }
}
