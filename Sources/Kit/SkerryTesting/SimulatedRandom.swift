/// A small seeded source of randomness, SplitMix64: the same seed gives the same numbers everywhere.
public struct SimulatedRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Makes a source; every seed is a good one.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A whole number in a range.
    ///
    /// The standard library may choose another way of drawing in a later release; this one stays.
    mutating func number(in range: ClosedRange<Int64>) -> Int64 {
        let width = UInt64(bitPattern: range.upperBound &- range.lowerBound) &+ 1
        return range.lowerBound &+ Int64(bitPattern: width == 0 ? next() : next() % width)
    }

    /// A number from 0 up to a bound, which is left out.
    public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// True with probability `part` of `whole`.
    public mutating func chance(_ part: Int, of whole: Int) -> Bool { below(whole) < part }

    /// True with probability 1 of `times`.
    mutating func oneIn(_ times: Int64) -> Bool { number(in: 1...times) == 1 }
}
