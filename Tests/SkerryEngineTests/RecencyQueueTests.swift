import SkerryTesting
import Testing

@testable import SkerryEngine

@Suite("The order in which devices were touched")
struct RecencyQueueTests {
    @Test("A random history, compared with an array", arguments: 0..<10 as Range<UInt64>)
    func random(seed: UInt64) {
        var random = SimulatedRandom(seed: seed)
        var queue = RecencyQueue()
        var list: [Int] = []
        for _ in 0..<500 {
            let place = Int.random(in: 0..<12, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                queue.remove(place)
                list.removeAll { $0 == place }
            case 1:
                let other = 12 + place
                queue.remove(other)
                list.removeAll { $0 == other }
                queue.move(place, to: other)
                list = list.map { $0 == place ? other : $0 }
            default:
                queue.touch(place)
                list.removeAll { $0 == place }
                list.append(place)
            }
            var order: [Int] = []
            queue.forEach { order.append($0) }
            #expect(order == list && queue.oldest == list.first)
            #expect((0..<24).allSatisfy { queue.contains($0) == list.contains($0) })
        }
    }
}
