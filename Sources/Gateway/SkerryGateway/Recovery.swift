package import SkerryValues

/// The result of a recovery: what a bridge found in its store when it started.
public struct Recovery: Hashable, Sendable, CustomStringConvertible {
    /// The number of devices that go on.
    package var devices: Int
    /// The time from the last commit to the start.
    package var downtime: Interval
    /// The number of effects that were due meanwhile.
    package var late: Int

    /// One line for the log.
    public var description: String {
        "devices restored: \(devices); downtime: \(downtime.roundedSeconds) s; due meanwhile: \(late)"
    }
}
