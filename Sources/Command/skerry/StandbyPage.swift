import Logging
import SkerryDashboard
import SkerryGateway
import Synchronization

/// The page of a gateway that waits for the lease of a shared store: those who watch over it get numbers, and that it is not
/// ready.
///
/// It is at the address of the page, and goes before the page comes.
final class StandbyPage: Sendable {
    private let http: SettingsHTTP
    private let server = Mutex<Task<Void, Never>?>(nil)
    private let listening = Mutex(false)

    init(_ http: SettingsHTTP) { self.http = http }

    /// True while it has the address.
    var hasAddress: Bool { listening.withLock { $0 } }

    /// Begins, unless it has begun; where its address is taken, the gateway finds that out when it asks what it lacks.
    func begin() {
        let hasBegun = server.withLock { $0 != nil }
        guard !hasBegun, let options = try? http.readingOptions() else { return }
        let silent = Logger(label: "skerry") { _ in SwiftLogNoOpLogHandler() }
        guard let admin = try? PhoneServices.secret(http, silent) else { return }
        let measures = Measures()
        let page = DashboardServer(
            options: options,
            standby: { measures.write(to: &$0, isActive: false) },
            admin: admin,
            onListening: { [self] _ in listening.withLock { $0 = true } }
        )
        let task = Task { [self] in
            try? await page.run()
            listening.withLock { $0 = false }
        }
        server.withLock { $0 = task }
    }

    /// Ends, and returns once the address is free.
    func end() async {
        let task = server.withLock { server in
            defer { server = nil }
            return server
        }
        task?.cancel()
        await task?.value
    }
}
