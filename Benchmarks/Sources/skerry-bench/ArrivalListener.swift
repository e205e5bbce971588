import SkerryGateway
import SkerryTesting
import Synchronization

/// A reader at the broker, on a thread of its own, that notes when each message arrives.
final class ArrivalListener: Sendable {
    /// A message, and the ``wallTime()`` of its arrival.
    struct Arrival: Sendable {
        var message: BrokerClient.Message
        var moment: UInt64
    }

    private struct State {
        var arrivals: [Arrival] = []
        var isReady = false
        var end: Result<Void, BenchFailure>?
    }

    private let state = Mutex(State())

    /// Subscribes, and listens until `count` messages have arrived.
    init(port: Int, filter: String, count: Int) throws(BenchFailure) {
        let isStarted = runOnThread(named: "listener") { [self] in
            do throws(BrokerClient.Failure) {
                let client = try BrokerClient(port: port)
                try client.subscribe(filter)
                state.withLock { $0.isReady = true }
                for index in 0..<count {
                    try client.wait(forCount: index + 1)
                    let arrival = Arrival(message: client.messages[index], moment: wallTime())
                    state.withLock { $0.arrivals.append(arrival) }
                }
                state.withLock { $0.end = .success(()) }
            } catch {
                state.withLock { $0.end = .failure(BenchFailure(error.description)) }
            }
        }
        guard isStarted, waitUntil(seconds: 10, { state.withLock { $0.isReady || $0.end != nil } }) else {
            throw BenchFailure("no connection to the broker of \(filter)")
        }
    }

    /// The messages in the order of their arrival, once all have arrived.
    func end() throws(BenchFailure) -> [Arrival] {
        _ = waitUntil(seconds: 60) { state.withLock { $0.end != nil } }
        let (arrivals, end) = state.withLock { ($0.arrivals, $0.end) }
        guard let end else { throw BenchFailure("only \(arrivals.count) messages arrived") }
        try end.get()
        return arrivals
    }
}
