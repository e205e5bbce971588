import SkerryValues

/// A token as a phone confirmed it last, or that it took it away.
struct TokenSlot: Sendable {
    /// Hexadecimal digits; nil when there is none any more.
    private(set) var token: String?
    /// Where it belongs, once that is known.
    private(set) var environment: PushEnvironment?
    /// Where it was refused while that was not known.
    private(set) var refusedIn: PushEnvironment?
    /// When the phone confirmed it, or when it was over.
    private(set) var confirmedAt: Timestamp

    /// A slot that anything confirmed takes.
    init() {
        confirmedAt = .distantPast
    }

    /// The environment to try.
    var target: PushEnvironment { environment ?? refusedIn?.other ?? .production }

    /// Takes a report in; an older one than the last changes nothing.
    ///
    /// - Returns: whether it counted.
    mutating func merge(
        _ reported: ReportedToken,
        environment: PushEnvironment?,
        confirmedAt: Timestamp
    ) -> Bool {
        guard confirmedAt >= self.confirmedAt else { return false }
        self.confirmedAt = confirmedAt
        switch reported {
        case .removed: token = nil
        case .known(let known):
            let isSame = token.map { $0.hasSameCodePoints(as: known) } ?? false
            token = known
            self.environment = environment ?? (isSame ? self.environment : nil)
            if !isSame { refusedIn = nil }
        }
        return true
    }

    /// Drops the token unless it is another one, or was confirmed after the moment at which it was over.
    ///
    /// - Returns: whether it was dropped.
    mutating func drop(_ gone: String, since: Timestamp? = nil) -> Bool {
        guard has(gone) else { return false }
        if let since {
            guard confirmedAt <= since else { return false }
            confirmedAt = since
        }
        token = nil
        return true
    }

    /// Notes where the token is known.
    mutating func belongs(_ known: String, to environment: PushEnvironment) {
        if has(known) { self.environment = environment }
    }

    /// Notes that the token is none in an environment.
    ///
    /// - Returns: whether there is another environment to try.
    mutating func refused(_ refused: String, in environment: PushEnvironment) -> Bool {
        guard has(refused) else { return false }
        if self.environment == nil, refusedIn == nil {
            refusedIn = environment
            return true
        }
        token = nil
        return false
    }

    /// Whether it holds just this token.
    func has(_ other: String) -> Bool { token.map { $0.hasSameCodePoints(as: other) } ?? false }

    /// Gives the token up, for it moved to another phone.
    mutating func giveUp() { token = nil }

    func write(to writer: inout ImageWriter) {
        writer.optional(token) { $0.text($1) }
        writer.optional(environment) { $0.tag($1.rawValue) }
        writer.optional(refusedIn) { $0.tag($1.rawValue) }
        writer.moment(confirmedAt)
    }

    init(from reader: inout ImageReader) throws(ImageFault) {
        token = try reader.optional { reader throws(ImageFault) in try reader.text() }
        environment = try reader.optional { reader throws(ImageFault) in try reader.environment() }
        refusedIn = try reader.optional { reader throws(ImageFault) in try reader.environment() }
        confirmedAt = try reader.moment()
    }
}

extension ImageReader {
    /// Reads which of the two services something belongs to.
    mutating func environment() throws(ImageFault) -> PushEnvironment {
        guard let environment = PushEnvironment(rawValue: try tag()) else { throw .malformed }
        return environment
    }
}
