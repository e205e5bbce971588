/// The scalars that a match of a pattern can begin with, so that a search passes over all others at once.
///
/// It may have scalars with which no match begins, but lacks none with which one does.
struct PatternStart: Sendable {
    /// A bit for each ASCII character, from 0 to 63 and from 64 to 127.
    private var ascii: (UInt64, UInt64) = (0, 0)
    /// True if a match may begin with a scalar that is not ASCII.
    private var hasOthers = false

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return hasOthers }
        let half = scalar.value < 64 ? ascii.0 : ascii.1
        return half >> UInt64(scalar.value & 63) & 1 == 1
    }

    /// Adds the scalars for which `isTaken` is true; those beyond ASCII are not asked for and all count as taken.
    mutating func insert(where isTaken: (Unicode.Scalar) -> Bool) {
        for byte in UInt8(0)..<128 where isTaken(Unicode.Scalar(byte)) { insert(ascii: byte) }
        hasOthers = true
    }

    /// Adds a scalar.
    mutating func insert(_ value: UInt32) {
        guard value < 128 else { return hasOthers = true }
        insert(ascii: UInt8(value))
    }

    /// Adds all scalars that are this one when case does not matter.
    mutating func insert(folded value: UInt32) {
        insert(value)
        if (UInt32(97)...122).contains(value) { insert(value - 32) }
        hasOthers = true
    }

    private mutating func insert(ascii byte: UInt8) {
        if byte < 64 { ascii.0 |= 1 << UInt64(byte) } else { ascii.1 |= 1 << UInt64(byte & 63) }
    }
}
