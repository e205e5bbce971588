/// A value of the JSON-only profile of CEL: what payloads, signals, contents and expressions are made of.
///
/// Strings compare by code points, as CEL and JSON do, never by canonical equivalence: compare their `utf8`.
/// An error is a value too: CEL's logic absorbs it, everything else passes it on.
///
/// See docs/decisions/0001-values-below-everything.md.
public enum Value: Sendable {
    /// The null of CEL and JSON.
    case null
    /// A truth value.
    case bool(Bool)
    /// A 64-bit signed integer; a JSON number without fraction and exponent that fits.
    case int(Int64)
    /// A 64-bit unsigned integer.
    case uint(UInt64)
    /// An IEEE 754 double; every other JSON number.
    case double(Double)
    /// Text.
    case string(String)
    /// Bytes.
    case bytes([UInt8])
    /// A list.
    case list([Value])
    /// A map.
    case map(ValueMap)
    /// A moment with nanoseconds, as CEL has it.
    case timestamp(CalendarTimestamp)
    /// A length of time with nanoseconds, as CEL has it.
    case duration(CalendarDuration)
    /// A type, by its CEL name such as `int` or `google.protobuf.Timestamp`.
    case type(String)
    /// An optional value of CEL's optional types; an empty list is `optional.none()`, one element its value.
    case optional([Value])
    /// Why there is no value.
    case error(EvaluationError)
}

/// Why an expression has no value.
public enum EvaluationError: UInt8, Error, Hashable, Sendable, CaseIterable {
    /// A map has no such key, or a payload no such field.
    case noSuchKey
    /// A signal or variable that nothing has set yet.
    case unset
    /// No overload of the operator or function takes these types.
    case noSuchOverload
    /// Division or remainder by zero.
    case divisionByZero
    /// The result does not fit its type.
    case overflow
    /// An argument is out of the function's range, or a text could not be converted.
    case invalidArgument
    /// A list has no such index.
    case indexOutOfBounds
    /// A name means nothing.
    case undeclaredReference
    /// The evaluation cost more than its limit.
    case costExceeded
    /// A value that its signal does not take for possible.
    case impossible
}

/// A moment of CEL: whole seconds since the Unix epoch and nanoseconds from 0 to 999,999,999.
public struct CalendarTimestamp: Hashable, Sendable {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public var seconds: Int64
    /// Nanoseconds after `seconds`, 0 to 999,999,999.
    public var nanoseconds: Int32

    /// Makes a moment from its parts; `nanoseconds` must lie between 0 and 999,999,999.
    public init(seconds: Int64, nanoseconds: Int32) {
        precondition((0..<1_000_000_000).contains(nanoseconds), "nanoseconds out of range")
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The same moment, from the engine's microseconds.
    public init(_ moment: Timestamp) {
        seconds = moment.flooredSeconds
        let remainder = Int32(moment.microseconds % 1_000_000)
        // `%` has the sign of the moment, but the seconds were rounded down.
        nanoseconds = (remainder < 0 ? remainder + 1_000_000 : remainder) * 1000
    }

    /// The same moment in the engine's microseconds, rounded down, saturating at the ends of the range.
    public var moment: Timestamp {
        Timestamp(seconds: seconds) + Interval(microseconds: Int64(nanoseconds / 1000))
    }
}

/// A length of time of CEL: seconds and nanoseconds, both of the same sign.
public struct CalendarDuration: Hashable, Sendable {
    /// Whole seconds, rounded towards zero.
    public var seconds: Int64
    /// Nanoseconds after `seconds`, -999,999,999 to 999,999,999, of the same sign.
    public var nanoseconds: Int32

    /// Makes a length from its parts, which must have the same sign.
    public init(seconds: Int64, nanoseconds: Int32) {
        precondition(nanoseconds.magnitude < 1_000_000_000, "nanoseconds out of range")
        precondition(seconds == 0 || nanoseconds == 0 || (seconds < 0) == (nanoseconds < 0), "mixed signs")
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The same length, from the engine's microseconds.
    public init(_ interval: Interval) {
        let (quotient, remainder) = interval.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        seconds = quotient
        nanoseconds = Int32(remainder) * 1000
    }

    /// The same length in the engine's microseconds, rounded towards zero, saturating at the ends.
    public var interval: Interval {
        Interval(seconds: seconds) + Interval(microseconds: Int64(nanoseconds / 1000))
    }
}

extension Value {
    /// The longest text, in bytes, that needs no storage of its own.
    private static let inlineText = 15
    /// The storage of each text, list or map besides its contents.
    private static let header = 32
    /// The storage of a value within its container.
    private static let stride = 24

    /// About how many bytes its texts, lists and maps take; 0 for numbers, truth values, times and short texts.
    ///
    /// The figure is the same on every machine.
    ///
    /// - Parameter limit: Counting stops somewhere beyond this number.
    /// - Returns: the number of bytes.
    public func storage(limit: Int) -> Int {
        var size = 0
        addStorage(to: &size, limit)
        return size
    }

    private func addStorage(to size: inout Int, _ limit: Int) {
        switch self {
        case .null, .bool, .int, .uint, .double, .timestamp, .duration, .error: return
        case .string(let text), .type(let text):
            if text.utf8.count > Self.inlineText { size += Self.header + text.utf8.count }
        case .bytes(let bytes):
            if !bytes.isEmpty { size += Self.header + bytes.count }
        case .list(let elements), .optional(let elements):
            if elements.isEmpty { return }
            size += Self.header + Self.stride * elements.count
            for element in elements {
                if size > limit { return }
                element.addStorage(to: &size, limit)
            }
        case .map(let map):
            if map.entries.isEmpty { return }
            size += Self.header + 2 * Self.stride * map.entries.count
            for entry in map.entries {
                if size > limit { return }
                entry.key.addStorage(to: &size, limit)
                entry.value.addStorage(to: &size, limit)
            }
        }
    }
}

extension Value {
    /// The most lists and maps that a value of a device may have inside each other: as many as JSON may have.
    public static let depthLimit = JSONLimits.deepest

    /// True if lists and maps lie deeper inside each other than ``depthLimit``.
    ///
    /// Such a value must not be kept: an image with it is refused when it is read back.
    public var isTooDeep: Bool { isNested(beyond: Self.depthLimit) }

    private func isNested(beyond limit: Int) -> Bool {
        switch self {
        case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type, .error: false
        case .list(let elements), .optional(let elements):
            limit == 0 || elements.contains { $0.isNested(beyond: limit - 1) }
        case .map(let map): limit == 0 || map.entries.contains { $0.value.isNested(beyond: limit - 1) }
        }
    }
}
