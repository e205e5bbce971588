import SkerryValues
import Testing

@Suite("Searching sorted elements")
struct PartitionTests {
    @Test("the first element from which a condition holds, in collections of every small size")
    func partition() {
        for count in 0...9 {
            for border in 0...count {
                #expect((0..<count).partitioningIndex { $0 >= border } == border)
                let slice = Array(0..<count + 5)[3..<3 + count]
                #expect(slice.partitioningIndex { $0 >= 3 + border } == 3 + border, "the indices of a slice")
            }
        }
    }
}
