/// The exact decimal digits of a double: `digits` with the point after the first `pointPosition` of them.
///
/// Every finite double has a finite decimal expansion, of at most some 770 significant digits.
struct DecimalExpansion {
    private(set) var digits: [UInt8]
    private(set) var pointPosition: Int

    /// Expands the magnitude of a finite number.
    init(_ number: Double) {
        assert(number.isFinite, "only finite numbers have digits")
        let magnitude = number.magnitude
        guard magnitude > 0 else {
            digits = []
            pointPosition = 0
            return
        }
        let isNormal = magnitude.exponentBitPattern > 0
        let significand = magnitude.significandBitPattern | (isNormal ? 1 << 52 : 0)
        var exponent = max(Int(magnitude.exponentBitPattern), 1) - 1075
        var whole = LongNumber(significand)
        var point = 0
        // x · 2^-n = x · 5^n / 10^n: multiplying by five moves the point instead of dividing.
        while exponent > 0 {
            let step = min(exponent, 24)
            whole.multiply(by: 1 << UInt32(step))
            exponent -= step
        }
        while exponent < 0 {
            // 5^13 is the largest power of five in 32 bits.
            let step = min(-exponent, 13)
            var power: UInt32 = 1
            for _ in 0..<step { power *= 5 }
            whole.multiply(by: power)
            point += step
            exponent += step
        }
        digits = whole.decimalDigits
        pointPosition = digits.count - point
    }

    /// Rounds to a number of digits after the point, halves to even.
    mutating func round(fractionDigits: Int) { round(count: pointPosition + fractionDigits) }

    /// Rounds to a number of digits in all, halves to even.
    mutating func round(count: Int) {
        guard count < digits.count else { return }
        guard count >= 0 else {
            digits = []
            return
        }
        let rest = digits[count...]
        let isHalf = rest.first == 5 && rest.dropFirst().allSatisfy { $0 == 0 }
        let isOdd = count > 0 && digits[count - 1] & 1 == 1
        let goesUp = isHalf ? isOdd : (rest.first ?? 0) >= 5
        digits.removeSubrange(count...)
        guard goesUp else { return }
        var position = count - 1
        while position >= 0, digits[position] == 9 {
            digits[position] = 0
            position -= 1
        }
        if position >= 0 {
            digits[position] += 1
        } else {
            // All nines: there is one more digit before the point.
            digits.insert(1, at: 0)
            pointPosition += 1
        }
    }

    /// The digit at a position; 0 before the first and behind the last one.
    func digit(_ position: Int) -> UInt8 {
        UInt8(ascii: "0") + (digits.indices.contains(position) ? digits[position] : 0)
    }
}

/// A whole number of any size, in limbs of nine decimal digits, the lowest first.
private struct LongNumber {
    private static let base: UInt64 = 1_000_000_000
    private var limbs: [UInt32]

    init(_ number: UInt64) {
        limbs = []
        var rest = number
        while rest > 0 {
            limbs.append(UInt32(rest % LongNumber.base))
            rest /= LongNumber.base
        }
    }

    mutating func multiply(by factor: UInt32) {
        var carry: UInt64 = 0
        for index in limbs.indices {
            let product = UInt64(limbs[index]) * UInt64(factor) + carry
            limbs[index] = UInt32(product % LongNumber.base)
            carry = product / LongNumber.base
        }
        while carry > 0 {
            limbs.append(UInt32(carry % LongNumber.base))
            carry /= LongNumber.base
        }
    }

    /// The digits, the highest first, without leading zeros.
    var decimalDigits: [UInt8] {
        var digits: [UInt8] = []
        for limb in limbs {
            var rest = limb
            for _ in 0..<9 {
                digits.append(UInt8(rest % 10))
                rest /= 10
            }
        }
        while digits.last == 0 { digits.removeLast() }
        return digits.reversed()
    }
}
