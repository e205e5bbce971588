import CZlib

/// Compression as browsers understand it.
enum Gzip {
    /// The first bytes of a gzip stream, which pieces follow.
    static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    /// A whole file as gzip.
    static func file(_ bytes: [UInt8]) -> [UInt8] {
        // The largest window, 15, and 16 more for the head and the checksum of gzip.
        run(bytes, windowBits: 31, level: Z_BEST_COMPRESSION, flush: Z_FINISH)
    }

    /// A piece of a stream that refers to no piece before it, so that all readers of a stream share it.
    static func piece(_ bytes: [UInt8]) -> [UInt8] {
        // Below zero, because the stream has one head, and no piece has one of its own.
        run(bytes, windowBits: -15, level: Z_DEFAULT_COMPRESSION, flush: Z_SYNC_FLUSH)
    }

    private static func run(_ bytes: [UInt8], windowBits: Int32, level: Int32, flush: Int32) -> [UInt8] {
        var stream = z_stream()
        precondition(skerry_deflate_start(&stream, level, windowBits) == Z_OK, "no memory to compress with")
        defer { deflateEnd(&stream) }
        // The mark behind a piece takes five bytes, which the bound leaves out.
        let bound = Int(deflateBound(&stream, UInt(bytes.count))) + 16
        return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            bytes.withUnsafeBufferPointer { input in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(bound)
                _ = deflate(&stream, flush)
                assert(stream.avail_in == 0 && stream.avail_out > 0, "a piece is cut where its storage ends")
                count = bound - Int(stream.avail_out)
            }
        }
    }
}
