import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryGateway

/// Order, replacement, bound and compaction of the outbox.
@Suite("The outbox")
struct OutboxTests {
    static func diff(_ id: UInt64) -> Publication {
        Publication(id: id, topic: "diff", payload: [UInt8(truncatingIfNeeded: id)])
    }

    static func snapshot(_ id: UInt64, _ topic: String = "snapshot") -> Publication {
        Publication(id: id, topic: topic, payload: [UInt8(truncatingIfNeeded: id)], isRetained: true)
    }

    static func drain(_ outbox: inout Outbox) -> [UInt64] {
        var ids: [UInt64] = []
        while let publication = outbox.next() { ids.append(publication.id) }
        return ids
    }

    @Test("first in, first out")
    func order() {
        var outbox = Outbox(limit: 10)
        for id in 1...5 { #expect(outbox.append(Self.diff(UInt64(id))).isEmpty) }
        #expect(outbox.count == 5)
        #expect(Self.drain(&outbox) == [1, 2, 3, 4, 5])
        #expect(outbox.count == 0)
        #expect(outbox.next() == nil)
    }

    @Test("what is put ahead leaves before the queue, in its own order, the newest of a topic")
    func ahead() {
        var outbox = Outbox(limit: 10)
        _ = outbox.append(Self.snapshot(1))
        #expect(outbox.putAhead(Self.snapshot(2, "info")) == nil)
        #expect(outbox.putAhead(Self.snapshot(3, "state")) == nil)
        #expect(outbox.putAhead(Self.snapshot(4, "info")) == 2)
        #expect(outbox.count == 3)
        #expect(outbox.holds(ExactText("state")))
        #expect(Self.drain(&outbox) == [3, 4, 1])
        #expect(outbox.count == 0)
        #expect(!outbox.holds(ExactText("state")))
    }

    @Test("what must no longer be sent is removed wherever it waits, and tells its ids")
    func removed() {
        var outbox = Outbox(limit: 10)
        _ = outbox.append(Self.snapshot(1))
        _ = outbox.append(Self.diff(2))
        _ = outbox.putAhead(Self.snapshot(3, "info"))
        _ = outbox.putAhead(Self.snapshot(4, "state"))
        #expect(outbox.remove { $0.id == 2 || $0.topic == "info" } == [3, 2])
        #expect(outbox.count == 2)
        #expect(!outbox.holds(ExactText("info")))
        #expect(Self.drain(&outbox) == [4, 1])
        #expect(outbox.count == 0)
    }

    @Test("a waiting retained one is replaced by a newer one of its topic, at the newer one's place")
    func replaced() {
        var outbox = Outbox(limit: 10)
        _ = outbox.append(Self.snapshot(1))
        _ = outbox.append(Self.diff(2))
        _ = outbox.append(Self.snapshot(3, "other"))
        #expect(outbox.append(Self.snapshot(4)) == [1])
        #expect(outbox.count == 3)
        #expect(outbox.dropped == 0)
        #expect(Self.drain(&outbox) == [2, 3, 4])
    }

    @Test("a publication that was taken is not replaced")
    func takenOut() {
        var outbox = Outbox(limit: 10)
        _ = outbox.append(Self.snapshot(1))
        #expect(outbox.next()?.id == 1)
        #expect(outbox.append(Self.snapshot(2)).isEmpty)
        #expect(Self.drain(&outbox) == [2])
    }

    @Test("diffs beyond the limit push the oldest diff out, never a snapshot")
    func bound() {
        var outbox = Outbox(limit: 3)
        _ = outbox.append(Self.snapshot(1))
        for id in 2...4 { _ = outbox.append(Self.diff(UInt64(id))) }
        #expect(outbox.append(Self.diff(5)) == [2])
        #expect(outbox.append(Self.diff(6)) == [3])
        #expect(outbox.dropped == 2)
        #expect(Self.drain(&outbox) == [1, 4, 5, 6])
    }

    @Test("snapshots of more topics than the limit all wait: a broker that forgot them gets every one")
    func manyTopics() {
        var outbox = Outbox(limit: 3)
        for id in 1...500 { #expect(outbox.append(Self.snapshot(UInt64(id), "topic-\(id)")).isEmpty) }
        #expect(outbox.dropped == 0)
        #expect(Self.drain(&outbox) == (1...500).map { UInt64($0) })
    }

    @Test("with a limit of zero no diff waits")
    func noDiffs() {
        var outbox = Outbox(limit: 0)
        #expect(outbox.append(Self.diff(1)) == [1])
        _ = outbox.append(Self.snapshot(2))
        #expect(Self.drain(&outbox) == [2])
    }

    @Test("without a broker it does not grow: replaced and dropped ones leave no places behind")
    func places() {
        var outbox = Outbox(limit: 10)
        for id in 0..<100_000 {
            _ = outbox.append(Self.snapshot(UInt64(2 * id), "topic-\(id % 5)"))
            _ = outbox.append(Self.diff(UInt64(2 * id + 1)))
            #expect(outbox.places <= 66)
        }
        #expect(outbox.count == 15)
        #expect(outbox.dropped == 100_000 - 10)
    }

    /// The same by the plainest means.
    struct Model {
        let limit: Int
        var waiting: [Publication] = []
        var dropped: UInt64 = 0

        mutating func append(_ publication: Publication) -> [UInt64] {
            var obsolete: [UInt64] = []
            if publication.isRetained,
                let old = waiting.firstIndex(where: { $0.isRetained && $0.topic == publication.topic })
            {
                obsolete.append(waiting.remove(at: old).id)
            }
            waiting.append(publication)
            if waiting.count(where: { !$0.isRetained }) > limit,
                let oldest = waiting.firstIndex(where: { !$0.isRetained })
            {
                obsolete.append(waiting.remove(at: oldest).id)
                dropped += 1
            }
            return obsolete
        }
    }

    @Test("it agrees with a plain model", arguments: 0..<60 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SimulatedRandom(seed: seed)
        let limit = Int.random(in: 0...40, using: &random)
        let topics = Int.random(in: 1...60, using: &random)
        let bias = Int.random(in: 3...7, using: &random)
        var outbox = Outbox(limit: limit)
        var model = Model(limit: limit)
        for id in 1...2000 as ClosedRange<UInt64> {
            if Int.random(in: 0..<10, using: &random) < bias {
                let topic = "topic-\(Int.random(in: 0..<topics, using: &random))"
                let publication = Bool.random(using: &random) ? Self.snapshot(id, topic) : Self.diff(id)
                #expect(outbox.append(publication) == model.append(publication))
            } else {
                let expected = model.waiting.isEmpty ? nil : model.waiting.removeFirst()
                #expect(outbox.next() == expected)
            }
            #expect(outbox.count == model.waiting.count)
        }
        #expect(outbox.dropped == model.dropped)
        #expect(Self.drain(&outbox) == model.waiting.map { $0.id })
    }
}
