import SkerryPushTesting
import Synchronization

/// The record of what reached the stand-in, and the replies that a test has prepared.
final class PushDesk: Sendable {
    private struct State {
        var received: [ReceivedPush] = []
        var replies: [PushReply] = []
        var connections = 0
        var pings = 0
        var waiting: [(isOver: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
            []
    }

    private let service: SimulatedPushService
    private let state = Mutex(State())

    init(_ service: SimulatedPushService) {
        self.service = service
    }

    var received: [ReceivedPush] { state.withLock { $0.received } }
    var connectionCount: Int { state.withLock { $0.connections } }
    var pingCount: Int { state.withLock { $0.pings } }

    func answer(_ replies: [PushReply]) { state.withLock { $0.replies += replies } }

    func connected() { state.withLock { $0.connections += 1 } }

    func pinged() {
        state.withLock { $0.pings += 1 }
        settle()
    }

    func received(_ count: Int) async { await wait { $0.received.count >= count } }

    func pinged(_ count: Int) async { await wait { $0.pings >= count } }

    /// Records a request and returns the reply: the next prepared one, else that of the service.
    func take(_ push: ReceivedPush) -> PushReply {
        let reply = nextReply() ?? .answer(service.response(to: push))
        state.withLock { $0.received.append(push) }
        settle()
        return reply
    }

    private func nextReply() -> PushReply? {
        state.withLock { $0.replies.isEmpty ? nil : $0.replies.removeFirst() }
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
