public import SkerryPush
public import SkerryValues
import Synchronization

/// Apple's push service as its clients see it: checks requests by the rules of a judge, keeps broadcast channels and
/// hands pushes over to phones.
///
/// As a ``PushTransport`` it takes requests within the process, without a connection.
public final class SimulatedPushService: PushTransport {
    private struct State {
        /// The channels, each with the bundle id of its app.
        var channels: [(app: String, id: String)] = []
        var channelCount = 0
        var gone: [String: Timestamp] = [:]
        /// The moments at which provider tokens were issued, by the id of the team.
        var issues: [String: [Int64]] = [:]
    }

    private let judges: [PushJudge]
    private let now: @Sendable () -> Timestamp
    private let deliver: @Sendable (ReceivedPush) -> PushRefusal?
    private let state = Mutex(State())

    /// Makes a service for an app and its key, or for several.
    ///
    /// - Parameters:
    ///   - judge: The rules.
    ///   - others: The rules for further apps, which hold for requests with their topics and paths.
    ///   - now: The time by which provider tokens are judged.
    ///   - deliver: Called for every push that passed all checks; may refuse it.
    public init(
        _ judge: PushJudge,
        others: [PushJudge] = [],
        now: @escaping @Sendable () -> Timestamp,
        deliver: @escaping @Sendable (ReceivedPush) -> PushRefusal?
    ) {
        judges = [judge] + others
        self.now = now
        self.deliver = deliver
    }

    /// The ids of the broadcast channels that are there.
    public var channels: [String] { state.withLock { $0.channels.map(\.id) } }

    /// Refuses pushes to a device token from now on: it has been invalid since a moment (410).
    public func end(_ token: String, at moment: Timestamp) { state.withLock { $0.gone[token] = moment } }

    /// The answer to a request.
    public func response(to push: ReceivedPush) -> APNSResponse {
        do throws(PushRefusal) {
            return try judged(push)
        } catch {
            return error.response(to: push)
        }
    }

    /// The answer to a request; there always is one.
    public func perform(_ request: APNSRequest) async throws(WebFault) -> APNSResponse {
        response(to: ReceivedPush(request))
    }

    /// Returns at once: nothing is ever under way.
    public func stop() async {}

    private func judged(_ push: ReceivedPush) throws(PushRefusal) -> APNSResponse {
        let judge = judges.first { $0.isAbout(push) } ?? judges[0]
        let request = try judge.request(push)
        try checkIssue(try judge.issue(of: push, at: now()), of: judge.teamID)
        switch request {
        case .device(let token):
            try judge.checkHeaders(push, request)
            try judge.checkBody(push, request)
            try judge.checkToken(token)
            if let moment = state.withLock({ $0.gone[token] }) {
                throw PushRefusal(410, "Unregistered", since: moment)
            }
            return try accepted(push)
        case .broadcast:
            try judge.checkHeaders(push, request)
            try judge.checkBody(push, request)
            _ = try channel(of: push, judge.bundleID)
            return try accepted(push)
        case .channels: return try manage(push, judge.bundleID)
        case .allChannels:
            let list = channels(of: judge.bundleID).map { "\"\($0)\"" }.joined(separator: ",")
            return APNSResponse(status: 200, body: Array("{\"channels\":[\(list)]}".utf8))
        }
    }

    private func accepted(_ push: ReceivedPush) throws(PushRefusal) -> APNSResponse {
        if let refusal = deliver(push) { throw refusal }
        return APNSResponse(
            status: 200,
            apnsID: push.headers["apns-id"] ?? "00000000-0000-0000-0000-000000000000"
        )
    }

    /// Refuses a provider token that was issued sooner than twenty minutes after the last one.
    private func checkIssue(_ issue: Int64, of team: String) throws(PushRefusal) {
        let isTaken = state.withLock { state in
            let issues = state.issues[team, default: []]
            if issues.contains(issue) { return true }
            if let last = issues.max(), abs(issue - last) < 20 * 60 { return false }
            state.issues[team] = issues + [issue]
            return true
        }
        guard isTaken else { throw PushRefusal(429, "TooManyProviderTokenUpdates") }
    }

    private func channels(of app: String) -> [String] {
        state.withLock { $0.channels.filter { $0.app == app }.map(\.id) }
    }

    private func channel(of push: ReceivedPush, _ app: String) throws(PushRefusal) -> String {
        guard let id = push.headers["apns-channel-id"] else { throw PushRefusal(400, "MissingChannelId") }
        guard channels(of: app).contains(id) else { throw PushRefusal(400, "ChannelNotRegistered") }
        return id
    }

    private func manage(_ push: ReceivedPush, _ app: String) throws(PushRefusal) -> APNSResponse {
        switch push.method {
        case "POST":
            guard case .map(let body)? = try? JSONReader.value(of: push.body.span),
                case .string("LiveActivity")? = body["push-type"], case .int? = body["message-storage-policy"]
            else { throw PushRefusal(400, "BadRequestPayload") }
            let id = state.withLock { state in
                state.channelCount += 1
                let id = "c2tlcnJ5LWNoYW5uZWw\(state.channelCount % 10)=="
                state.channels.append((app, id))
                return id
            }
            return APNSResponse(status: 201, channelID: id)
        case "GET":
            _ = try channel(of: push, app)
            let body = "{\"message-storage-policy\":1,\"push-type\":\"LiveActivity\"}"
            return APNSResponse(status: 200, body: Array(body.utf8))
        default:
            let id = try channel(of: push, app)
            state.withLock { $0.channels.removeAll { $0.id == id } }
            return APNSResponse(status: 204)
        }
    }
}
