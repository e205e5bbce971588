import SkerryTesting
import Testing

@testable import SkerryEngine

/// What topics and devices are found by.
@Suite("Hashes and their index")
struct HashIndexTests {
    private static let byteHash = ByteHash(seed: 1)

    @Test("equal bytes have equal hashes at any address; different words almost never do")
    func equalBytes() {
        var random = SimulatedRandom(seed: 1)
        var seen: [UInt64: [UInt8]] = [:]
        for length in 0..<100 {
            for _ in 0..<50 {
                let bytes = (0..<length).map { _ in UInt8.random(in: 97...100, using: &random) }
                let shift = Int.random(in: 0..<16, using: &random)
                let moved = [UInt8](repeating: 9, count: shift) + bytes + [7, 7]
                let hash = Self.byteHash.hash(bytes[...])
                #expect(Self.byteHash.hash(moved[shift..<shift + length]) == hash)
                #expect(seen.updateValue(bytes, forKey: hash) ?? bytes == bytes)
            }
        }
    }

    @Test("an added, removed or changed byte changes the hash")
    func otherBytes() {
        let bytes = Array("homeconnect/laundry/state".utf8)
        let hash = Self.byteHash.hash(bytes[...])
        for position in bytes.indices {
            var other = bytes
            other[position] ^= 1
            #expect(Self.byteHash.hash(other[...]) != hash)
            #expect(Self.byteHash.hash(bytes[..<position]) != hash)
        }
        #expect(Self.byteHash.hash((bytes + [0])[...]) != hash)
        #expect(Self.byteHash.hash([0]) != Self.byteHash.hash([0, 0]))
    }

    @Test("names with equal hashes differ with another seed")
    func seeds() {
        var random = SimulatedRandom(seed: 3)
        let names = (0..<5000).map { _ in
            (0..<12).map { _ in UInt8.random(in: 97...122, using: &random) }
        }
        func collisions(_ seed: UInt64) -> Set<[UInt8]> {
            let hash = ByteHash(seed: seed)
            return Set(names.filter { hash.hash($0[...]) & 255 == hash.hash(names[0][...]) & 255 })
        }
        let common = collisions(1).intersection(collisions(2))
        #expect(collisions(1).count > 5 && common.count <= 3)
    }

    @Test("bytes are equal at an offset when every one of them is")
    func equality() {
        var random = SimulatedRandom(seed: 2)
        for length in 0...40 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let offset = Int.random(in: 0..<16, using: &random)
            var others = [UInt8](repeating: 9, count: offset) + bytes
            for position in -1..<length {
                if position >= 0 { others[offset + position] ^= 0x80 }
                let areEqual = bytes.withUnsafeBytes { bytes in
                    others.withUnsafeBytes { ByteHash.areEqual(bytes, $0, at: offset) }
                }
                #expect(areEqual == (position < 0), "\(length) bytes, the one at \(position) is another")
                if position >= 0 { others[offset + position] ^= 0x80 }
            }
        }
    }

    @Test(
        "it grows without losing entries, even when hashes are equal",
        arguments: [UInt64.max, 0xFFFF_0000_0000_0000, 7, 0]
    )
    func growth(mask: UInt64) {
        let count = mask == .max ? 10_000 : 300
        var index = HashIndex()
        func hash(_ number: Int) -> UInt64 {
            Self.byteHash.hash([UInt8(number & 255), UInt8(number >> 8)]) & mask
        }
        for number in 0..<count {
            #expect(index.find(hash(number)) { $0 == number } == nil)
            index.insert(number, hashOf: hash)
            #expect(index.count == number + 1)
            #expect(index.find(hash(number / 2)) { $0 == number / 2 } == number / 2)
        }
        for number in 0..<count { #expect(index.find(hash(number)) { $0 == number } == number) }
        #expect(index.find(hash(1)) { _ in false } == nil)
        for number in stride(from: 0, to: count, by: 2) {
            index.remove(number, hashOf: hash)
            index.remove(number, hashOf: hash)
        }
        #expect(index.count == count / 2)
        for number in 0..<count {
            #expect(index.find(hash(number)) { $0 == number } == (number % 2 == 0 ? nil : number))
        }
        index.removeAll()
        #expect(index.count == 0)
        #expect(index.find(hash(1)) { $0 == 1 } == nil)
        index.insert(1, hashOf: hash)
        #expect(index.find(hash(1)) { $0 == 1 } == 1)
    }
}
