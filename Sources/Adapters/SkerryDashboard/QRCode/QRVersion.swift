/// One size of QR codes at level M, with its values from tables 9 and E.1 of ISO/IEC 18004.
struct QRVersion {
    /// The number of the version, 1 to 10.
    let number: Int
    /// Codewords for correction in each block.
    let corrections: Int
    /// Codewords of data in each block.
    let blocks: [Int]
    /// Rows and columns of the centres of alignment patterns.
    let alignments: [Int]

    /// Modules on each side.
    var size: Int { 17 + 4 * number }

    private var capacity: Int { blocks.reduce(0, +) }

    /// The number of bits of the byte count.
    private var countBits: Int { number < 10 ? 8 : 16 }

    static let all = [
        QRVersion(number: 1, corrections: 10, blocks: [16], alignments: []),
        QRVersion(number: 2, corrections: 16, blocks: [28], alignments: [6, 18]),
        QRVersion(number: 3, corrections: 26, blocks: [44], alignments: [6, 22]),
        QRVersion(number: 4, corrections: 18, blocks: [32, 32], alignments: [6, 26]),
        QRVersion(number: 5, corrections: 24, blocks: [43, 43], alignments: [6, 30]),
        QRVersion(number: 6, corrections: 16, blocks: [27, 27, 27, 27], alignments: [6, 34]),
        QRVersion(number: 7, corrections: 18, blocks: [31, 31, 31, 31], alignments: [6, 22, 38]),
        QRVersion(number: 8, corrections: 22, blocks: [38, 38, 39, 39], alignments: [6, 24, 42]),
        QRVersion(number: 9, corrections: 22, blocks: [36, 36, 36, 37, 37], alignments: [6, 26, 46]),
        QRVersion(number: 10, corrections: 26, blocks: [43, 43, 43, 43, 44], alignments: [6, 28, 50]),
    ]

    static func smallest(for byteCount: Int) -> QRVersion? {
        // Four bits for the mode, which is that of bytes.
        all.first { 4 + $0.countBits + 8 * byteCount <= 8 * $0.capacity }
    }

    /// The codewords of bytes that fit, with those for correction, in the order in which they are drawn.
    func codewords(of bytes: [UInt8]) -> [UInt8] {
        var rest = dataCodewords(of: bytes)[...]
        let data = blocks.map { count in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        assert(rest.isEmpty, "a codeword of the data is in no block")
        let code = ReedSolomonCode(corrections: corrections)
        return Self.interleaved(data) + Self.interleaved(data.map(code.corrections(for:)))
    }

    /// The bytes with their mode and number, filled up to the capacity.
    func dataCodewords(of bytes: [UInt8]) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ number: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(number >> bit & 1 == 1) }
        }
        // The mode of bytes, their number, the bytes, the terminator,
        // and two filling codewords in turn (section 7.4).
        append(0b0100, 4)
        append(bytes.count, countBits)
        for byte in bytes { append(Int(byte), 8) }
        append(0, min(4, 8 * capacity - bits.count))
        append(0, (8 - bits.count % 8) % 8)
        var codewords = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        var filling: UInt8 = 0xEC
        while codewords.count < capacity {
            codewords.append(filling)
            filling ^= 0xEC ^ 0x11
        }
        assert(codewords.count == capacity, "a text is longer than its version takes")
        return codewords
    }

    private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
        (0..<(blocks.map(\.count).max() ?? 0)).flatMap { place in
            blocks.compactMap { place < $0.count ? $0[place] : nil }
        }
    }
}

/// The error correction of QR codes: Reed-Solomon over the field of 256 elements with the polynomial 0x11D.
struct ReedSolomonCode {
    /// The generator polynomial without its leading coefficient, which is 1; the highest power first.
    private let generator: [UInt8]

    /// Makes the code with this number of correction codewords.
    init(corrections: Int) {
        var generator = [UInt8](repeating: 0, count: corrections - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<corrections {
            for place in generator.indices {
                generator[place] = Self.product(generator[place], root)
                if place + 1 < generator.count { generator[place] ^= generator[place + 1] }
            }
            root = Self.product(root, 2)
        }
        self.generator = generator
    }

    /// The remainder of the data as a polynomial, divided by the generator.
    func corrections(for data: [UInt8]) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for place in remainder.indices { remainder[place] ^= Self.product(generator[place], factor) }
        }
        assert(remainder.count == generator.count, "a block has another number of corrections")
        return remainder
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7) * 0x11D
            if right >> bit & 1 == 1 { product ^= Int(left) }
        }
        return UInt8(product)
    }
}
