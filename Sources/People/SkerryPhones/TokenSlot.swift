import SkerryValues

/// A token as a phone confirmed it last, or that it took it away.
struct TokenSlot: Sendable {
    /// Hexadecimal digits; nil when there is none any more.
    private(set) var token: String?
    /// Its push service, once that is known.
    private(set) var environment: PushEnvironment?
    /// The push service that refused it while its own was unknown.
    private(set) var refusedIn: PushEnvironment?
    /// The moment at which the phone confirmed it, or took it away.
    private(set) var confirmedAt: Timestamp

    /// True if the service called it expired, and a later confirmation counted for more: that happens once.
    private var isDoubted = false
    /// The moment until which confirmations of a token that expired count for nothing.
    private var expiredUntil: Timestamp?
    /// The last token that was here, as a number; nil before the first.
    private(set) var mark: UInt64?

    /// A slot that anything confirmed takes.
    init() {
        confirmedAt = .distantPast
    }

    /// The result of a report.
    enum News {
        /// It is older than the known state.
        case outdated
        /// The token is known, or there is none.
        case confirmed
        /// It is another token than the last one.
        case another
    }

    /// The environment to try.
    var target: PushEnvironment { environment ?? refusedIn?.other ?? .production }

    /// Takes a report in; an older one than the last changes nothing.
    mutating func merge(
        _ reported: ReportedToken,
        environment: PushEnvironment?,
        confirmedAt: Timestamp
    ) -> News {
        guard confirmedAt >= self.confirmedAt else { return .outdated }
        self.confirmedAt = confirmedAt
        switch reported {
        case .removed:
            token = nil
            return .confirmed
        case .known(let known):
            let isSame = token.map { $0.hasSameCodePoints(as: known) } ?? false
            let isLast = mark == Self.mark(of: known)
            // The app may report a token for a while before it learns that it has expired.
            if isLast, token == nil, let expiredUntil, confirmedAt <= expiredUntil { return .confirmed }
            token = known
            expiredUntil = nil
            mark = Self.mark(of: known)
            // A new token may be of another build of the app, so
            // what was known of the last one does not hold for it.
            self.environment = environment ?? (isSame ? self.environment : nil)
            if !isSame { refusedIn = nil }
            if !isLast { isDoubted = false }
            return isLast ? .confirmed : .another
        }
    }

    /// Drops a token that the service calls expired, unless it is another one, or was confirmed later than it expired.
    ///
    /// It is taken again if the phone confirms it later. Once a later confirmation turned out to be wrong, it is no token for
    /// a day, whatever the phone says.
    ///
    /// - Parameters:
    ///   - gone: The token.
    ///   - since: The moment at which it expired; nil if the service did not tell.
    ///   - now: The time.
    /// - Returns: whether it was dropped.
    mutating func expire(_ gone: String, since: Timestamp?, at now: Timestamp) -> Bool {
        guard has(gone) else { return false }
        // In either case: a later confirmation counts for more than the service's word only once.
        defer { isDoubted = true }
        if !isDoubted, let since, confirmedAt > since { return false }
        let tomorrow = now + .hours(24)
        // The service tells `since`: whatever it says, a token is locked out for a day at most.
        expiredUntil = isDoubted ? tomorrow : min(since ?? now, tomorrow)
        token = nil
        return true
    }

    /// Notes where the token is known.
    mutating func belongs(_ known: String, to environment: PushEnvironment) {
        guard has(known) else { return }
        self.environment = environment
        isDoubted = false
    }

    /// Notes that the token is none in an environment.
    ///
    /// Several pushes may have been on their way there: only a refusal where it is tried now says something new.
    ///
    /// - Returns: whether there is another environment to try.
    mutating func refused(_ refused: String, in environment: PushEnvironment) -> Bool {
        guard has(refused) else { return false }
        if self.environment == nil, refusedIn == nil { refusedIn = environment }
        if target != environment { return true }
        token = nil
        return false
    }

    /// Returns whether it holds just this token.
    func has(_ other: String) -> Bool { token.map { $0.hasSameCodePoints(as: other) } ?? false }

    /// Returns whether another token has come in the place of one that a push was sent to.
    func hasReplaced(_ sent: String) -> Bool { token != nil && !has(sent) }

    /// Gives the token up: it moved to another phone, or is one of another app.
    mutating func giveUp() { token = nil }

    /// A token as a number.
    static func mark(of token: String) -> UInt64 { token.utf8.fingerprint }

    func write(to writer: inout ImageWriter) {
        writer.optional(token) { $0.text($1) }
        writer.optional(environment) { $0.tag($1.rawValue) }
        writer.optional(refusedIn) { $0.tag($1.rawValue) }
        writer.moment(confirmedAt)
        writer.flag(isDoubted)
        writer.optional(mark) { $0.unsigned($1) }
        writer.optional(expiredUntil) { $0.moment($1) }
    }

    init(from reader: inout ImageReader, version: UInt8) throws(ImageFault) {
        token = try reader.optional { reader throws(ImageFault) in try reader.text() }
        environment = try reader.optional { reader throws(ImageFault) in try reader.environment() }
        refusedIn = try reader.optional { reader throws(ImageFault) in try reader.environment() }
        confirmedAt = try reader.moment()
        mark = token.map { Self.mark(of: $0) }
        guard version > 1 else { return }
        isDoubted = try reader.flag()
        mark = try reader.optional { reader throws(ImageFault) in try reader.unsigned() }
        guard version > 4 else { return }
        expiredUntil = try reader.optional { reader throws(ImageFault) in try reader.moment() }
    }
}

extension ImageReader {
    /// Reads which of the two services something belongs to.
    mutating func environment() throws(ImageFault) -> PushEnvironment {
        guard let environment = PushEnvironment(rawValue: try tag()) else { throw .malformed }
        return environment
    }
}
