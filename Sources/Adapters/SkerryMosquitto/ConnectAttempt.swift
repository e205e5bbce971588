import SkerryGateway
import Synchronization

/// One attempt to connect, on a thread of its own, because name lookup and connecting block.
///
/// `@unchecked Sendable`: `client` and `outcome` belong to the thread of the attempt until it stores `done`, and
/// to the loop after it has loaded it (release and acquire). An attempt that the loop has abandoned keeps the client alive
/// until it returns, and then lets it go.
final class ConnectAttempt: @unchecked Sendable {
    private let client: MosquittoClient
    private let isDone = Atomic<Bool>(false)
    private var outcome: (code: Int32, system: Int32) = (0, 0)

    /// Starts; `signal` is raised at the end.
    ///
    /// - Returns: nil if there is no thread to be had.
    init?(_ client: MosquittoClient, _ signal: WakeSignal) {
        self.client = client
        let isStarted = runOnThread(named: "skerry-connect") { [self] in
            outcome = self.client.connect()
            isDone.store(true, ordering: .releasing)
            signal.ring()
        }
        guard isStarted else { return nil }
    }

    /// The library's code and the system's, once it has ended.
    var result: (code: Int32, system: Int32)? { isDone.load(ordering: .acquiring) ? outcome : nil }
}
