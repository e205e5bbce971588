import SkerrySinks
import SkerryValues
import Synchronization

/// The access tokens of a service account: one is in use, and the next is asked for before that one expires.
final class AccessTokens: Sendable {
    /// A token for a request, or why there is none.
    enum Next: Hashable, Sendable {
        case token(String)
        case fault(SinkAnswer)
    }

    private struct State {
        var token: String?
        /// The moment from which the token is not used any more, in Unix seconds.
        var renewAt: Int64 = 0
        /// True if the service refused a token, and has taken no other since.
        var wasRefused = false
    }

    private let account: ServiceAccount
    private let client: WebClient
    private let state = Mutex(State())

    /// The seconds before its end at which a token is replaced, so that none expires on its way.
    private static let margin: Int64 = 300

    init(_ account: ServiceAccount, client: WebClient) {
        self.account = account
        self.client = client
    }

    /// Returns the token for a request, after asking for another one if it is time.
    ///
    /// - Parameter seconds: The time in Unix seconds.
    /// - Returns: the token, or the result of the request that needed it.
    func next(at seconds: Int64) async -> Next {
        let token = state.withLock { seconds < $0.renewAt ? $0.token : nil }
        if let token { return .token(token) }
        let response: WebResponse
        do throws(WebFault) {
            response = try await client.perform(account.tokenRequest(at: seconds))
        } catch {
            return .fault(.noAnswer(reason: "no access token: \(error.message)"))
        }
        let limits = JSONLimits(bytes: WebClient.bodyLimit, depth: 8)
        guard response.status == 200,
            case .map(let members)? = try? JSONReader.value(of: response.body.span, limits: limits),
            case .string(let text)? = members["access_token"], case .int(let life)? = members["expires_in"],
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return .fault(Self.refusal(response)) }
        let bounded = min(max(life, 0), 86_400)
        state.withLock {
            $0.token = text
            // Half of its life, if that is too short for the margin.
            $0.renewAt = seconds + max(bounded - Self.margin, bounded / 2)
        }
        return .token(text)
    }

    /// Notes the answer to a request with a token.
    ///
    /// - Returns: whether another token may help, because the service did not refuse the one before this, too.
    func answered(_ token: String, isRefusal: Bool) -> Bool {
        state.withLock { state in
            guard isRefusal else {
                state.wasRefused = false
                return false
            }
            // The refused one was replaced meanwhile, and the present one has not been refused.
            guard token == state.token else { return true }
            defer { state.wasRefused = true }
            state.token = nil
            return !state.wasRefused
        }
    }

    private static func refusal(_ response: WebResponse) -> SinkAnswer {
        let reason = SinkAnswer.reason(response.status, response.body)
        switch response.status {
        case 408, 429, 500...:
            return .busy(reason: "no access token: \(reason)", retryAfter: response.retryPause)
        default:
            let advice = "is the service account still there, and the clock right?"
            return .denied(reason: "no access token: \(reason): \(advice)")
        }
    }
}
