import SkerryValues

/// The key that signs, and the team for which it signs.
public struct ProviderIdentity: Sendable {
    /// The key.
    public var key: ProviderKey
    /// The key's id, ten letters and digits.
    public var keyID: String
    /// The team's id, ten letters and digits.
    public var teamID: String

    /// Puts a key and its names together.
    public init(key: ProviderKey, keyID: String, teamID: String) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
    }

    /// Returns whether it is the same key of the same team, by the names that Apple gave them.
    func isSame(as other: ProviderIdentity) -> Bool { keyID == other.keyID && teamID == other.teamID }
}

/// The provider tokens of a gateway: makes them when it is time, and keeps the present one in a file.
///
/// See docs/decisions/0035-provider-token.md.
struct ProviderTokens {
    /// A token, or how long there is none.
    enum Next: Hashable {
        case token(String)
        case wait(Interval, reason: String)
    }

    private let identity: ProviderIdentity
    private let file: ProviderTokenFile?
    private var record: ProviderTokenRecord
    /// Why the file does not keep the token; nil if it does.
    private(set) var fileFault: String?

    /// Continues with the token of the file, if there is one.
    init(_ identity: ProviderIdentity, path: String?) {
        self.identity = identity
        file = path.map { ProviderTokenFile(path: $0, keyID: identity.keyID, teamID: identity.teamID) }
        record = ProviderTokenRecord(file?.load())
    }

    /// The token for a request now.
    mutating func next(at now: Timestamp, sinceStart: Interval, clockIsKnown: Bool) -> Next {
        switch record.advice(at: now, sinceStart: sinceStart, clockIsKnown: clockIsKnown) {
        case .use(let token): return .token(token)
        case .wait(let pause, let reason): return .wait(pause, reason: reason)
        case .make(let issuedAt):
            let text: String
            do throws(ProviderKey.Fault) {
                text = try identity.key.token(
                    keyID: identity.keyID,
                    teamID: identity.teamID,
                    issuedAt: issuedAt
                )
            } catch {
                return .wait(ProviderTokenRecord.shortestLife, reason: error.message)
            }
            let token = ProviderTokenRecord.Token(text: text, issuedAt: issuedAt)
            record.made(token, sinceStart: sinceStart)
            if let file { fileFault = file.save(token).map { "\(file.path): \($0)" } }
            return .token(text)
        }
    }

    /// Notes that a request goes out with the present token.
    mutating func took() { record.took() }

    /// Notes that a request with a token certainly did not reach Apple.
    mutating func didNotLeave(_ token: String) { record.didNotLeave(token) }

    /// Notes that Apple did not take a token.
    mutating func refused(_ token: String, reason: String, sinceStart: Interval) {
        record.refused(token, reason: reason, sinceStart: sinceStart)
    }
}
