#if Dashboard
import NIOCore
import Synchronization

/// How many connections each address has open.
final class ConnectionCounts: Sendable {
    private let limit: Int
    /// Reverse proxies, which speak for many.
    private let proxies: Set<String>
    private let counts = Mutex<[String: Int]>([:])

    /// Makes counts of nothing.
    init(limit: Int, proxies: Set<String>) {
        self.limit = limit
        self.proxies = proxies
    }

    /// Counts a connection; false when its address has as many as it may.
    func open(_ address: String) -> Bool {
        counts.withLock { counts in
            guard counts[address, default: 0] < limit || proxies.contains(address) else { return false }
            counts[address, default: 0] += 1
            return true
        }
    }

    /// A connection that was counted is closed.
    func close(_ address: String) {
        counts.withLock { counts in
            let rest = counts[address, default: 0] - 1
            counts[address] = rest > 0 ? rest : nil
        }
    }
}

/// Closes a connection of an address that has too many, and one whose next request does not come in time.
///
/// It stands behind the decoder of HTTP, so what it reads is at least the whole head of a request: bytes that trickle
/// in do not count.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny
    typealias OutboundIn = NIOAny
    typealias OutboundOut = NIOAny

    private let counts: ConnectionCounts
    private let patience: TimeAmount
    /// The address that was counted.
    private var address: String?
    private var deadline: Scheduled<Void>?

    init(_ counts: ConnectionCounts, patience: TimeAmount) {
        self.counts = counts
        self.patience = patience
    }

    func channelActive(context: ChannelHandlerContext) {
        let peer = IPAddress.canonical(context.channel.remoteAddress?.ipAddress ?? "") ?? "unknown"
        if counts.open(peer) {
            address = peer
            wait(context)
            context.fireChannelActive()
        } else {
            context.fireChannelActive()
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        release()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { release() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        deadline?.cancel()
        deadline = nil
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        wait(context)
        context.write(data, promise: promise)
    }

    /// Waits for the next head from now on.
    private func wait(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }

    private func release() {
        deadline?.cancel()
        deadline = nil
        guard let address else { return }
        self.address = nil
        counts.close(address)
    }
}
#endif
