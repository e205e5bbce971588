import SkerryGateway
import SkerryValues
import Synchronization

/// The roles of those who asked a front with cookies, as partition 0 told them.
///
/// They decide only how large a body may be that the front takes in; what is allowed, the partitions decide.
final class FrontRoles: Sendable {
    /// The number of cookies that are kept; a further one takes the place of the oldest.
    static let limit = 256

    private let entries = Mutex<[(digest: [UInt8], role: Role)]>([])

    /// The role of the one who asks; nil if it is not known, or a token tells it.
    func role(of request: Request) -> Role? {
        guard let digest = Self.digest(request) else { return nil }
        return entries.withLock { $0.first { $0.digest == digest }?.role }
    }

    /// Notes the role that the answer to `GET /v1/session` tells.
    func note(_ answer: Response, of request: Request) {
        guard let digest = Self.digest(request), case .map(let session) = answer.value,
            case .string(let word)? = session["role"], let role = Role(rawValue: word)
        else { return }
        entries.withLock { entries in
            entries.removeAll { $0.digest == digest }
            guard role.isProven else { return }
            if entries.count >= Self.limit { entries.removeFirst() }
            entries.append((digest, role))
        }
    }

    /// Forgets the one who signs out, and all when it is another session that ends.
    func forget(_ request: Request) {
        let digest = request.path[1] == "session" ? Self.digest(request) : nil
        entries.withLock { entries in entries.removeAll { digest == nil || $0.digest == digest } }
    }

    private static func digest(_ request: Request) -> [UInt8]? {
        request.bearer == nil ? request.cookie(SessionCookie.name).map(Secret.digest) : nil
    }
}
