import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryMachine

/// The same as the heap, in the simplest way.
private struct SortedModel {
    var deadlines: [UInt32: Deadline] = [:]

    var min: DeadlineHeap.Entry? {
        deadlines.min { $0.value < $1.value }.map { DeadlineHeap.Entry(id: $0.key, deadline: $0.value) }
    }
}

@Suite struct DeadlineHeapTests {
    @Test func `agrees with a sorted model in random histories`() {
        for seed in UInt64(0)..<60 {
            var random = SimulatedRandom(seed: seed)
            var heap = DeadlineHeap()
            var model = SortedModel()
            var sequence: UInt64 = 0
            let ids = UInt32([4, 40, 300][Int(seed % 3)])
            for step in 0..<1500 {
                let id = UInt32.random(in: 0..<ids, using: &random)
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<3:
                    let at = moment(Double(Int.random(in: 0..<50, using: &random)))
                    let deadline = Deadline(at: at, sequence: sequence)
                    sequence += 1
                    heap.set(id, to: deadline)
                    model.deadlines[id] = deadline
                case 3..<6:
                    // Pushed later, with its old place among equals.
                    guard let old = model.deadlines[id] else { continue }
                    let later = Deadline(at: old.at + .seconds(5), sequence: old.sequence)
                    heap.set(id, to: later)
                    model.deadlines[id] = later
                case 6..<8:
                    heap.remove(id)
                    model.deadlines[id] = nil
                default:
                    let expected = model.min
                    #expect(heap.popMin() == expected, "seed \(seed), step \(step)")
                    if let expected { model.deadlines[expected.id] = nil }
                }
                #expect(heap.min == model.min, "seed \(seed), step \(step)")
                #expect(heap.count == model.deadlines.count)
                #expect(heap.deadline(of: id) == model.deadlines[id])
                #expect(heap.brokenInvariant() == nil, "seed \(seed), step \(step)")
            }
        }
    }

    @Test func `equal times come out in order of arming`() {
        var heap = DeadlineHeap()
        for id in UInt32(0)..<20 {
            heap.set(id, to: Deadline(at: moment(1), sequence: UInt64((id * 7) % 20)))
        }
        var order: [UInt64] = []
        while let entry = heap.popMin() { order.append(entry.deadline.sequence) }
        #expect(order == Array(0..<20))
    }

    @Test func `pushing later does not move nodes until they come first`() {
        var heap = DeadlineHeap()
        for id in UInt32(0)..<100 { heap.set(id, to: Deadline(at: moment(Double(id)), sequence: 0)) }
        let before = heap.nodes.map(\.id)
        for id in UInt32(1)..<100 { heap.set(id, to: Deadline(at: moment(Double(300 - id)), sequence: 0)) }
        #expect(heap.nodes.map(\.id) == before)
        #expect(heap.popMin()?.id == 0)
        #expect(heap.min == DeadlineHeap.Entry(id: 99, deadline: Deadline(at: moment(201), sequence: 0)))
        #expect(heap.brokenInvariant() == nil)
    }

    @Test func `memory does not grow with changes`() {
        var heap = DeadlineHeap()
        for round in 0..<1000 {
            for id in UInt32(0)..<10 {
                heap.set(id, to: Deadline(at: moment(Double(round)), sequence: 0))
                if round % 2 == 0 { heap.remove(id) }
            }
        }
        #expect(heap.nodes.count <= 10)
        #expect(heap.slots.count == 10)
    }

    @Test func `taking back what was never set does nothing`() {
        var heap = DeadlineHeap()
        heap.remove(7)
        #expect(heap.isEmpty)
        #expect(heap.min == nil)
        #expect(heap.popMin() == nil)
        #expect(heap.deadline(of: 7) == nil)
    }
}
