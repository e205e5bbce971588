/// A fast hash of bytes for lookups; with the same seed, equal bytes have equal hashes.
///
/// The hash never orders anything. It multiplies and folds eight bytes at a time, as wyhash does.
struct ByteHash: Sendable {
    /// A number that senders of topics do not know, so that they can't choose many with the same hash.
    let seed: UInt64

    func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBytes { hash($0) }
    }

    func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state = (seed ^ 0x9E37_79B9_7F4A_7C15) &+ UInt64(bytes.count)
        var position = 0
        while position + 8 <= bytes.count {
            state = Self.mix(state ^ bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            position += 8
        }
        if position > 0 {
            if position == bytes.count { return state }
            // The last eight bytes, which may include some that were hashed already.
            return Self.mix(state ^ bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
        }
        var tail: UInt64 = 0
        while position < bytes.count {
            tail = tail << 8 | UInt64(bytes[position])
            position += 1
        }
        return Self.mix(state ^ tail)
    }

    /// True if the other bytes contain the same bytes at an offset; the caller checks that they are long enough.
    static func areEqual(
        _ bytes: UnsafeRawBufferPointer,
        _ others: UnsafeRawBufferPointer,
        at offset: Int
    ) -> Bool {
        assert(offset + bytes.count <= others.count, "bytes are compared beyond the end")
        var position = 0
        while position + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let other = others.loadUnaligned(fromByteOffset: offset + position, as: UInt64.self)
            if word != other { return false }
            position += 8
        }
        while position < bytes.count {
            if bytes[position] != others[offset + position] { return false }
            position += 1
        }
        return true
    }

    private static func mix(_ word: UInt64) -> UInt64 {
        let (high, low) = word.multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
        return high ^ low ^ 0x8EBC_6AF0_9C88_C6E3
    }
}
