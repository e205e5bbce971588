/// A set of timers of one definition, by their numbers; only the first 64 can be in it.
struct TimerMarks: Hashable, Sendable {
    private var bits: UInt64 = 0

    func contains(_ timer: Int) -> Bool { timer < 64 && bits & (1 << UInt64(timer)) != 0 }

    mutating func insert(_ timer: Int) {
        if timer < 64 { bits |= 1 << UInt64(timer) }
    }

    mutating func remove(_ timer: Int) {
        if timer < 64 { bits &= ~(1 << UInt64(timer)) }
    }
}
