import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryGateway

/// The messages that `record.hours` keeps, and the memory that they take.
@Suite("Kept messages")
struct MessageTapesTests {
    @Test("what arrays hold in reserve counts, and full pieces hold nothing in reserve")
    func capacity() throws {
        let limits = MessageTapes.Limits(device: 256 << 10, all: 512 << 10, chunk: 4 << 10)
        var tapes = try #require(MessageTapes(length: .hours(1), limits: limits))
        var random = SimulatedRandom(seed: 7)
        let now = Timestamp(seconds: 1_772_355_600)
        for number in 0..<60_000 {
            var batch = MessageBatch()
            let payload = [UInt8](repeating: 0x30, count: Int.random(in: 1...60, using: &random))
            let device = Int.random(in: 0..<5, using: &random)
            batch.append(topic: "lamp/\(device)/state".utf8, payload: payload)
            tapes.append(
                batch[0],
                at: now + .milliseconds(Int64(number)),
                place: device,
                kind: "lamp",
                device: "\(device)"
            )
        }
        var held = 0
        for device in 0..<5 {
            let key = DeviceKey(kind: "lamp", name: "\(device)")
            let tape = try #require(tapes.tape(of: key, at: now + .minutes(1)))
            for (place, chunk) in tape.chunks.enumerated() {
                let size =
                    chunk.bytes.capacity + chunk.entries.capacity
                    * MemoryLayout<MessageTape.Chunk.Entry>.stride
                held += size
                if place == tape.chunks.count - 1 { continue }
                let length =
                    chunk.bytes.count + chunk.entries.count * MemoryLayout<MessageTape.Chunk.Entry>.stride
                #expect(size <= length + length / 20 + 64)
            }
        }
        #expect(held <= tapes.size && tapes.size <= limits.all + limits.chunk)
        #expect(held > limits.all / 2, "the room is used")
    }
}
