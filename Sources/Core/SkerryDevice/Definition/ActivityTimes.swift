public import SkerryValues

/// The lengths of time of an activity that a definition has as they are written.
public struct ActivityTimes: Sendable {
    /// The time from the dismissal of a run to the moment at which the device is forgotten; nil for never.
    public var forget: Interval?
    /// The time for which changes are collected into one update; nil for none.
    public var settle: Interval?
    /// The time for which a number within its tolerance may differ from what people see; nil for the usual one.
    public var exactAfter: Interval?

    /// The time after which numbers are exact, unless a definition says otherwise.
    static let usualExactAfter = Interval.minutes(15)
}

extension ActivityTimes: CompiledPart {
    static func coded<Coder: CompiledCoder>(_ part: Self?, by coder: inout Coder) throws(ImageFault) -> Self {
        ActivityTimes(
            forget: try coder.optional(part?.forget),
            settle: try coder.optional(part?.settle),
            exactAfter: try coder.part(part.map { $0.exactAfter ?? usualExactAfter })
        )
    }
}
