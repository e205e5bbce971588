package import SkerryValues

/// The state of the provider token, and the advice that follows from it: use the present one, make another, or wait.
///
/// Apple accepts a token for an hour, and another one only after twenty minutes, counted for the whole team. This is
/// pure: time comes in, both that of the wall clock, which tokens contain and which may be set, and the time since
/// the start, which never jumps.
package struct ProviderTokenRecord: Hashable, Sendable {
    /// A token as it was made.
    package struct Token: Hashable, Sendable {
        /// The text after `bearer`.
        package var text: String
        /// Its `iat`, Unix seconds.
        package var issuedAt: Int64

        /// Makes a record of a token.
        package init(text: String, issuedAt: Int64) {
            self.text = text
            self.issuedAt = issuedAt
        }
    }

    /// The advice for the next request.
    package enum Advice: Hashable, Sendable {
        /// Send it with this token.
        case use(String)
        /// Make a token with this `iat`, record it by ``made(_:sinceStart:)``, and ask again.
        case make(issuedAt: Int64)
        /// Send nothing for this time, for this reason.
        case wait(Interval, reason: String)
    }

    /// The age after which another token is made.
    package static let renewedAfter = Interval.minutes(50)
    /// The least time between two tokens.
    package static let shortestLife = Interval.minutes(20)
    /// The validity of a token.
    private static let longestLife = Interval.minutes(60)
    /// The interval at which to check whether the clock is known.
    private static let clockPause = Interval.seconds(10)

    /// The present token, whatever it is worth.
    package private(set) var token: Token?
    /// The time since the start at which the present token was made; nil if an earlier process made it.
    private var madeAt: Interval?
    /// Why Apple does not take the present token.
    private var refusal: String?
    /// Until when nothing is sent, by the time since the start.
    private var quietUntil: Interval?
    /// The number of requests that got the present token.
    private var taken = 0
    /// The number of those that certainly did not reach Apple.
    private var unsent = 0
    /// True if Apple has never seen the present token, so that another one is the first for it.
    private var isUnseen: Bool { taken > 0 && taken == unsent }

    /// Begins with the token that an earlier process left, if there is one.
    package init(_ token: Token? = nil) {
        self.token = token
    }

    /// Returns the advice for a request now.
    ///
    /// - Parameters:
    ///   - now: The wall clock.
    ///   - sinceStart: The time since the start of the process, independent of steps of the wall clock.
    ///   - clockIsKnown: Whether the wall clock is believed.
    /// - Returns: the advice.
    package func advice(at now: Timestamp, sinceStart: Interval, clockIsKnown: Bool) -> Advice {
        guard clockIsKnown else {
            return .wait(Self.clockPause, reason: "the clock is not known to be right")
        }
        if let quietUntil, sinceStart < quietUntil {
            return .wait(
                quietUntil - sinceStart,
                reason: "Apple accepts no other provider token for 20 minutes"
            )
        }
        guard let token else { return .make(issuedAt: now.flooredSeconds) }
        let age = now - Timestamp(seconds: token.issuedAt)
        if refusal == nil, (.zero..<Self.renewedAfter).contains(age) { return .use(token.text) }
        // The clock may have been set since, so a time since the start counts more. A token
        // from the future was made under a wrong clock, long ago for all that is known.
        let lived = madeAt.map { sinceStart - $0 } ?? (age < .zero ? Self.shortestLife : age)
        if lived >= Self.shortestLife || isUnseen { return .make(issuedAt: now.flooredSeconds) }
        // The clock was set: the token's own time of issue may still be good enough.
        if refusal == nil, (.zero..<Self.longestLife).contains(age) { return .use(token.text) }
        return .wait(
            Self.shortestLife - lived,
            reason: refusal.map {
                "Apple refuses the provider token (\($0)), and it is too early for another one"
            }
                ?? "the clock was set, and it is too early for another provider token"
        )
    }

    package mutating func made(_ token: Token, sinceStart: Interval) {
        self.token = token
        madeAt = sinceStart
        refusal = nil
        taken = 0
        unsent = 0
    }

    /// Notes that a request goes with the present token.
    package mutating func took() { taken += 1 }

    /// Notes that a request certainly did not reach Apple, as when TLS failed because the clock was wrong.
    package mutating func didNotLeave(_ text: String) {
        // A token of an earlier process went with requests that are not known here.
        if text == token?.text, madeAt != nil { unsent += 1 }
    }

    /// Notes that Apple did not take a token, with its reason.
    ///
    /// An answer to an earlier token than the present one changes nothing. Reasons that another token would not help,
    /// such as a key for the other environment, leave the present one as it is.
    package mutating func refused(_ text: String, reason: String, sinceStart: Interval) {
        guard text == token?.text else { return }
        switch reason {
        case "TooManyProviderTokenUpdates": quietUntil = sinceStart + Self.shortestLife
        case "ExpiredProviderToken", "InvalidProviderToken": refusal = reason
        default: break
        }
    }
}
