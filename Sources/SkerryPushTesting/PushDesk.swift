#if Push
import SkerryValues
import Synchronization

/// What the stand-in knows, and how it comes to its answers.
final class PushDesk: Sendable {
    private struct State {
        var received: [ReceivedPush] = []
        var replies: [PushReply] = []
        var channels: [String] = []
        var channelCount = 0
        var gone: [String: Timestamp] = [:]
        var issues: [Int64] = []
        var connections = 0
        var pings = 0
        var waiting: [(isOver: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
            []
    }

    private let judge: PushJudge
    private let now: @Sendable () -> Timestamp
    private let deliver: @Sendable (ReceivedPush) -> PushReply?
    private let state = Mutex(State())

    init(
        _ judge: PushJudge,
        now: @escaping @Sendable () -> Timestamp,
        deliver: @escaping @Sendable (ReceivedPush) -> PushReply?
    ) {
        self.judge = judge
        self.now = now
        self.deliver = deliver
    }

    var received: [ReceivedPush] { state.withLock { $0.received } }
    var connectionCount: Int { state.withLock { $0.connections } }
    var pingCount: Int { state.withLock { $0.pings } }
    var channels: [String] { state.withLock { $0.channels } }

    func answer(_ replies: [PushReply]) { state.withLock { $0.replies += replies } }

    func end(_ token: String, at moment: Timestamp) { state.withLock { $0.gone[token] = moment } }

    func connected() -> Int {
        state.withLock { state in
            state.connections += 1
            return state.connections
        }
    }

    func pinged() {
        state.withLock { $0.pings += 1 }
        settle()
    }

    func received(_ count: Int) async { await wait { $0.received.count >= count } }

    func pinged(_ count: Int) async { await wait { $0.pings >= count } }

    /// Notes a request and finds the answer.
    func take(_ push: ReceivedPush) -> PushReply {
        let reply: PushReply
        do throws(PushRefusal) {
            if let scripted = nextReply() { reply = scripted } else { reply = try judged(push) }
        } catch {
            reply = error.reply
        }
        state.withLock { $0.received.append(push) }
        settle()
        return reply
    }

    private func nextReply() -> PushReply? {
        state.withLock { $0.replies.isEmpty ? nil : $0.replies.removeFirst() }
    }

    private func judged(_ push: ReceivedPush) throws(PushRefusal) -> PushReply {
        let request = try judge.request(push)
        try checkIssue(try judge.issue(of: push, at: now()))
        switch request {
        case .device(let token):
            try judge.checkHeaders(push, request)
            try judge.checkBody(push, request)
            try judge.checkToken(token)
            if let moment = state.withLock({ $0.gone[token] }) {
                return .reason(410, "Unregistered", since: moment.microseconds / 1000)
            }
            return deliver(push) ?? accepted(push)
        case .broadcast:
            try judge.checkHeaders(push, request)
            try judge.checkBody(push, request)
            _ = try channel(of: push)
            return deliver(push) ?? accepted(push)
        case .channels: return try manage(push)
        case .allChannels:
            let list = channels.map { "\"\($0)\"" }.joined(separator: ",")
            return .raw(200, body: "{\"channels\":[\(list)]}")
        }
    }

    private func accepted(_ push: ReceivedPush) -> PushReply {
        .raw(200, headers: ["apns-id": push.headers["apns-id"] ?? "00000000-0000-0000-0000-000000000000"])
    }

    /// Another token sooner than twenty minutes after the last one is too soon.
    private func checkIssue(_ issue: Int64) throws(PushRefusal) {
        let isTaken = state.withLock { state in
            if state.issues.contains(issue) { return true }
            if let last = state.issues.max(), abs(issue - last) < 20 * 60 { return false }
            state.issues.append(issue)
            return true
        }
        guard isTaken else { throw PushRefusal(429, "TooManyProviderTokenUpdates") }
    }

    private func channel(of push: ReceivedPush) throws(PushRefusal) -> String {
        guard let id = push.headers["apns-channel-id"] else { throw PushRefusal(400, "MissingChannelId") }
        guard channels.contains(id) else { throw PushRefusal(400, "ChannelNotRegistered") }
        return id
    }

    private func manage(_ push: ReceivedPush) throws(PushRefusal) -> PushReply {
        switch push.method {
        case "POST":
            guard case .map(let body)? = try? JSONReader.value(of: push.body.span),
                case .string("LiveActivity")? = body["push-type"], case .int? = body["message-storage-policy"]
            else { throw PushRefusal(400, "BadRequestPayload") }
            let id = state.withLock { state in
                state.channelCount += 1
                let id = "c2tlcnJ5LWNoYW5uZWw\(state.channelCount % 10)=="
                state.channels.append(id)
                return id
            }
            return .raw(201, headers: ["apns-channel-id": id])
        case "GET":
            _ = try channel(of: push)
            return .raw(200, body: "{\"message-storage-policy\":1,\"push-type\":\"LiveActivity\"}")
        default:
            let id = try channel(of: push)
            state.withLock { $0.channels.removeAll { $0 == id } }
            return .raw(204)
        }
    }

    private func wait(until isOver: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiting.append((isOver, continuation)) }
            settle()
        }
    }

    private func settle() {
        let over = state.withLock { state in
            let present = state
            state.waiting.removeAll { $0.isOver(present) }
            return present.waiting.filter { $0.isOver(present) }
        }
        for (_, continuation) in over { continuation.resume() }
    }
}
#endif
