import SkerryValues

/// Decides when the library looks whether the broker still answers, and when the bus gives a sign of life itself.
///
/// The library pings, and ends a connection on which no answer comes for as long as the keep-alive. The answer comes
/// behind all that the broker has queued before it, such as a hundred thousand retained messages. So while one is
/// overdue and something else comes, the library is not asked. It then sends nothing either, so the bus does, or the
/// broker would take it for dead.
struct KeepAlive {
    /// Something that is to be done.
    enum Step: Hashable {
        /// The library looks after the connection.
        case look
        /// The bus sends something, to which the broker answers.
        case sign
        /// Nothing.
        case wait
    }

    /// The time before the end of the keep-alive from which on an answer is overdue: the library counts whole seconds.
    private static let margin = Interval.seconds(2)

    private let length: Interval
    private var heardAt: Interval
    private var pingedAt: Interval?
    private var signedAt: Interval?

    /// Begins with a connection.
    init(_ length: Interval, at now: Interval) {
        self.length = length
        heardAt = now
    }

    /// Records that something was read.
    ///
    /// - Parameters:
    ///   - mayBeAnswer: Whether it may have been the answer to a ping.
    ///   - now: The time since boot.
    mutating func heard(mayBeAnswer: Bool, at now: Interval) {
        heardAt = now
        if mayBeAnswer { (pingedAt, signedAt) = (nil, nil) }
    }

    /// Records that the library has queued a ping.
    mutating func pinged(at now: Interval) { pingedAt = now }

    /// Returns what is to be done now; asked about once a second.
    mutating func step(at now: Interval) -> Step {
        guard length > .zero, let pingedAt, now - pingedAt >= length - Self.margin, now - heardAt < length
        else { return .look }
        if let signedAt, now - signedAt < length - Self.margin { return .wait }
        signedAt = now
        return .sign
    }
}
