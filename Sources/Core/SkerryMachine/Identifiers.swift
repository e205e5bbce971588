/// A state of a statechart: its place in document order, 0 being the root.
@frozen
public struct StateID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The place in document order.
    public let rawValue: UInt16

    /// Makes the id of the state at a place in document order.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The state that contains all others; active from the start of a machine to its end.
    public static let root = StateID(rawValue: 0)

    /// Orders by document order.
    @inlinable
    public static func < (left: StateID, right: StateID) -> Bool { left.rawValue < right.rawValue }

    @inlinable var index: Int { Int(rawValue) }

    @inlinable
    init(index: Int) {
        self.rawValue = UInt16(truncatingIfNeeded: index)
    }
}

/// A transition of a statechart, numbered in the order in which transitions were added to the builder.
@frozen
public struct TransitionID: RawRepresentable, Hashable, Sendable {
    /// The number of the transition.
    public let rawValue: UInt16

    /// Makes the id of the transition with this number.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    @inlinable var index: Int { Int(rawValue) }

    @inlinable
    init(index: Int) {
        self.rawValue = UInt16(truncatingIfNeeded: index)
    }
}

/// A condition of a transition; the host evaluates it.
@frozen
public struct GuardID: RawRepresentable, Hashable, Sendable {
    /// The host's number for the condition.
    public let rawValue: UInt16

    /// Makes the id of the condition with this number.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}

/// A named timer of a statechart, numbered in the order in which timers were added to the builder.
@frozen
public struct TimerID: RawRepresentable, Hashable, Sendable {
    /// The number of the timer.
    public let rawValue: UInt16

    /// Makes the id of the timer with this number.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    @inlinable var index: Int { Int(rawValue) }
}
