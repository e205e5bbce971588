/// A table from hashes to small numbers; the caller holds the keys of the numbers and compares them.
///
/// The table uses open addressing with linear probing, has four bytes for each place, and is at most three quarters
/// full.
struct HashIndex: Sendable {
    private static let free = UInt32.max

    private var places: [UInt32] = []
    private(set) var count = 0

    /// The number with a hash for which `matches` is true; nil when there is none.
    func find(_ hash: UInt64, where matches: (Int) -> Bool) -> Int? {
        guard !places.isEmpty else { return nil }
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        // Ends, because a quarter of the places is always free.
        while true {
            let number = places[place]
            if number == Self.free { return nil }
            if matches(Int(number)) { return Int(number) }
            place = (place + 1) & mask
        }
    }

    /// Stores a number that is not in the table yet; `hashOf` returns the hash of any stored number, for growing.
    mutating func insert(_ number: Int, hashOf: (Int) -> UInt64) {
        if (count + 1) * 4 > places.count * 3 { grow(hashOf) }
        assert(places.count & (places.count - 1) == 0, "the mask misses places")
        assert(count < places.count, "no free place ends a search")
        assert((count + 1) * 4 <= places.count * 3, "the table is fuller than three quarters")
        place(UInt32(number), hashOf(number))
        count += 1
    }

    /// Removes a number, if it is in the table; `hashOf` returns the hash of any stored number.
    mutating func remove(_ number: Int, hashOf: (Int) -> UInt64) {
        if places.isEmpty { return }
        let mask = places.count - 1
        var hole = Int(truncatingIfNeeded: hashOf(number)) & mask
        while places[hole] != UInt32(number) {
            if places[hole] == Self.free { return }
            hole = (hole + 1) & mask
        }
        // Entries behind the hole move up, except where that would put them before the place of their hash.
        var next = (hole + 1) & mask
        while places[next] != Self.free {
            let home = Int(truncatingIfNeeded: hashOf(Int(places[next]))) & mask
            if (next &- home) & mask >= (next &- hole) & mask {
                places[hole] = places[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        places[hole] = Self.free
        assert(count > 0, "more is removed than was inserted")
        count -= 1
    }

    mutating func removeAll() {
        places = []
        count = 0
    }

    private mutating func grow(_ hashOf: (Int) -> UInt64) {
        let old = places
        places = [UInt32](repeating: Self.free, count: max(16, old.count * 2))
        for number in old where number != Self.free {
            place(number, hashOf(Int(number)))
        }
    }

    private mutating func place(_ number: UInt32, _ hash: UInt64) {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place] != Self.free { place = (place + 1) & mask }
        places[place] = number
    }
}
