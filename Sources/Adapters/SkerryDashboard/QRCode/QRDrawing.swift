/// The modules of a QR code while it is drawn.
struct QRDrawing {
    /// The state of a module.
    enum Module {
        case light
        case dark
    }

    let version: QRVersion
    let size: Int
    var modules: [Module]
    /// True if each module is part of a pattern or of information on the code, which no mask changes.
    private var isFixed: [Bool]

    /// Draws the patterns and the codewords, without a mask.
    init(version: QRVersion, codewords: [UInt8]) {
        self.version = version
        size = version.size
        modules = [Module](repeating: .light, count: size * size)
        isFixed = [Bool](repeating: false, count: size * size)
        drawPatterns()
        draw(codewords)
    }

    subscript(row: Int, column: Int) -> Module {
        get { modules[row * size + column] }
        set { modules[row * size + column] = newValue }
    }

    private mutating func fix(_ row: Int, _ column: Int, isDark: Bool) {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return }
        self[row, column] = isDark ? .dark : .light
        isFixed[row * size + column] = true
    }

    private mutating func drawPatterns() {
        for place in 0..<size {
            fix(6, place, isDark: place % 2 == 0)
            fix(place, 6, isDark: place % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawSquares(row, column, radius: 4) }
        let last = version.alignments.last
        for row in version.alignments {
            for column in version.alignments {
                let isAtFinder = (row == 6 && (column == 6 || column == last)) || (row == last && column == 6)
                if !isAtFinder { drawSquares(row, column, radius: 2) }
            }
        }
        // This keeps the modules free; each mask writes its own number there.
        drawFormat(0)
        drawVersion()
    }

    /// Draws squares inside each other around a centre: a finder pattern with its light frame, or an alignment pattern.
    private mutating func drawSquares(_ row: Int, _ column: Int, radius: Int) {
        for down in -radius...radius {
            for right in -radius...radius {
                let distance = max(abs(down), abs(right))
                let isDark = radius == 4 ? distance != 2 && distance != 4 : distance != 1
                fix(row + down, column + right, isDark: isDark)
            }
        }
    }

    /// Writes the level and the mask beside the finder patterns, twice.
    private mutating func drawFormat(_ mask: Int) {
        let bits = Self.formatBits(mask)
        for bit in 0..<15 {
            let isDark = bits >> bit & 1 == 1
            // From the top down past the timing pattern, and on the other copy from the right to the left.
            switch bit {
            case 0..<6: fix(bit, 8, isDark: isDark)
            case 6, 7: fix(bit + 1, 8, isDark: isDark)
            case 8: fix(8, 7, isDark: isDark)
            default: fix(8, 14 - bit, isDark: isDark)
            }
            if bit < 8 {
                fix(8, size - 1 - bit, isDark: isDark)
            } else {
                fix(size - 15 + bit, 8, isDark: isDark)
            }
        }
        // A module that is dark in every code (section 7.9.1).
        fix(size - 8, 8, isDark: true)
    }

    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        let bits = Self.versionBits(version.number)
        for bit in 0..<18 {
            let isDark = bits >> bit & 1 == 1
            fix(bit / 3, size - 11 + bit % 3, isDark: isDark)
            fix(size - 11 + bit % 3, bit / 3, isDark: isDark)
        }
    }

    /// Level M and a mask with their correction, 15 bits (section 7.9).
    static func formatBits(_ mask: Int) -> Int {
        let remainder = remainder(of: mask << 10, by: 0x537, bits: 10)
        // Level M is 00 in the two bits before those of the mask.
        return (mask << 10 | remainder) ^ 0x5412
    }

    /// The number of a version with its correction, 18 bits (section 7.10).
    static func versionBits(_ number: Int) -> Int {
        number << 12 | remainder(of: number << 12, by: 0x1F25, bits: 12)
    }

    private static func remainder(of dividend: Int, by generator: Int, bits: Int) -> Int {
        var rest = dividend
        while rest >> bits != 0 {
            let shift = (Int.bitWidth - rest.leadingZeroBitCount) - (bits + 1)
            rest ^= generator << shift
        }
        return rest
    }

    /// Fills the free modules, two columns at a time from the right, alternately up and down (section 7.7.3).
    private mutating func draw(_ codewords: [UInt8]) {
        var bit = 0
        var isUpward = true
        for right in stride(from: size - 1, to: 0, by: -2) {
            // The column of the timing pattern is passed over.
            let right = right <= 6 ? right - 1 : right
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for column in [right, right - 1] where !isFixed[row * size + column] {
                    guard bit < 8 * codewords.count else { return }
                    let isDark = codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
                    self[row, column] = isDark ? .dark : .light
                    bit += 1
                }
            }
            isUpward.toggle()
        }
        assert(bit == 8 * codewords.count, "a codeword has no place in the code")
    }

    /// The drawing with a mask over it.
    func masked(with mask: QRMask) -> QRDrawing {
        var masked = self
        for row in 0..<size {
            for column in 0..<size
            where !isFixed[row * size + column] && mask.inverts(row: row, column: column) {
                masked[row, column] = self[row, column] == .dark ? .light : .dark
            }
        }
        masked.drawFormat(mask.rawValue)
        return masked
    }
}
