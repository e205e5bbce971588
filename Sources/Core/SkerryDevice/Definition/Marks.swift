/// A set of timers or alerts of one definition, by their numbers; only the first 64 can be in it.
struct Marks: Hashable, Sendable {
    /// One more than the largest number that it can have.
    static let capacity = 64

    private var bits: UInt64 = 0

    func contains(_ number: Int) -> Bool { number < 64 && bits & (1 << UInt64(number)) != 0 }

    mutating func insert(_ number: Int) {
        if number < 64 { bits |= 1 << UInt64(number) }
    }

    mutating func remove(_ number: Int) {
        if number < 64 { bits &= ~(1 << UInt64(number)) }
    }
}
