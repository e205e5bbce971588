/// A set of at most 256 states, stored inline; iterates in document order.
@frozen
public struct StateSet: Hashable, Sendable, Sequence {
    @usableFromInline var word0: UInt64 = 0
    @usableFromInline var word1: UInt64 = 0
    @usableFromInline var word2: UInt64 = 0
    @usableFromInline var word3: UInt64 = 0

    /// The number of states that a set can hold.
    public static let capacity = 256

    /// Makes the empty set.
    @inlinable
    public init() {}

    /// True if no state is in the set.
    @inlinable public var isEmpty: Bool { word0 | word1 | word2 | word3 == 0 }

    /// The number of states in the set.
    @inlinable public var count: Int {
        word0.nonzeroBitCount + word1.nonzeroBitCount + word2.nonzeroBitCount + word3.nonzeroBitCount
    }

    /// True if the state is in the set.
    @inlinable
    public func contains(_ state: StateID) -> Bool {
        word(state.rawValue &>> 6) & Self.bit(state) != 0
    }

    /// Adds a state.
    ///
    /// - Returns: True if the state was not in the set before.
    @inlinable
    @discardableResult
    public mutating func insert(_ state: StateID) -> Bool {
        let before = word(state.rawValue &>> 6)
        setWord(state.rawValue &>> 6, to: before | Self.bit(state))
        return before & Self.bit(state) == 0
    }

    /// Removes a state; nothing happens when it is not in the set.
    @inlinable
    public mutating func remove(_ state: StateID) {
        setWord(state.rawValue &>> 6, to: word(state.rawValue &>> 6) & ~Self.bit(state))
    }

    /// Adds all states of another set.
    @inlinable
    public mutating func formUnion(_ other: StateSet) {
        word0 |= other.word0
        word1 |= other.word1
        word2 |= other.word2
        word3 |= other.word3
    }

    /// Returns the states that are in both sets.
    @inlinable
    public func intersection(_ other: StateSet) -> StateSet {
        var result = self
        result.word0 &= other.word0
        result.word1 &= other.word1
        result.word2 &= other.word2
        result.word3 &= other.word3
        return result
    }

    /// Returns the states that are in this set and not in the other.
    @inlinable
    public func subtracting(_ other: StateSet) -> StateSet {
        var result = self
        result.word0 &= ~other.word0
        result.word1 &= ~other.word1
        result.word2 &= ~other.word2
        result.word3 &= ~other.word3
        return result
    }

    /// True if a state is in both sets.
    @inlinable
    public func intersects(_ other: StateSet) -> Bool { !intersection(other).isEmpty }

    /// True if every state of this set is in the other.
    @inlinable
    public func isSubset(of other: StateSet) -> Bool { subtracting(other).isEmpty }

    /// The first state in document order, or nil for the empty set.
    @inlinable public var first: StateID? {
        if word0 != 0 { return StateID(index: word0.trailingZeroBitCount) }
        if word1 != 0 { return StateID(index: 64 + word1.trailingZeroBitCount) }
        if word2 != 0 { return StateID(index: 128 + word2.trailingZeroBitCount) }
        if word3 != 0 { return StateID(index: 192 + word3.trailingZeroBitCount) }
        return nil
    }

    /// The last state in document order, or nil for the empty set.
    @inlinable public var last: StateID? {
        if word3 != 0 { return StateID(index: 255 - word3.leadingZeroBitCount) }
        if word2 != 0 { return StateID(index: 191 - word2.leadingZeroBitCount) }
        if word1 != 0 { return StateID(index: 127 - word1.leadingZeroBitCount) }
        if word0 != 0 { return StateID(index: 63 - word0.leadingZeroBitCount) }
        return nil
    }

    /// Returns the number of states of the set that come before this one in document order.
    @inlinable
    public func rank(of state: StateID) -> Int {
        intersection(StateSet(before: state)).count
    }

    /// Makes an iterator over the states in document order.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(rest: self) }

    /// An iterator that removes states from a copy of the set, in document order.
    @frozen
    public struct Iterator: IteratorProtocol {
        @usableFromInline var rest: StateSet

        @inlinable
        init(rest: StateSet) {
            self.rest = rest
        }

        /// Returns the next state in document order, or nil after the last.
        @inlinable
        public mutating func next() -> StateID? {
            guard let state = rest.first else { return nil }
            rest.remove(state)
            return state
        }
    }
}

extension StateSet {
    /// Makes the set of the states from one place in document order up to, but not including, another.
    @inlinable
    init(from start: Int, to end: Int) {
        self.init()
        var place = start
        while place < end {
            insert(StateID(index: place))
            place += 1
        }
    }

    @inlinable
    init(before state: StateID) {
        let below = Self.bit(state) &- 1
        switch state.rawValue &>> 6 {
        case 0: word0 = below
        case 1: (word0, word1) = (.max, below)
        case 2: (word0, word1, word2) = (.max, .max, below)
        default: (word0, word1, word2, word3) = (.max, .max, .max, below)
        }
    }

    @inlinable
    static func bit(_ state: StateID) -> UInt64 { 1 &<< UInt64(state.rawValue & 63) }

    @inlinable
    func word(_ number: UInt16) -> UInt64 {
        switch number {
        case 0: word0
        case 1: word1
        case 2: word2
        default: word3
        }
    }

    @inlinable
    mutating func setWord(_ number: UInt16, to bits: UInt64) {
        switch number {
        case 0: word0 = bits
        case 1: word1 = bits
        case 2: word2 = bits
        default: word3 = bits
        }
    }
}
