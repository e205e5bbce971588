import ArgumentParser
import Logging
import SkerryCommand
import SkerryGateway
import SkerryPostgres
import SkerryStore
import SkerrySystemd
import SkerryValues

/// Opens the store of `skerry run`: on a full disk as soon as there is room, and one that several gateways share when its lease is
/// free.
struct StoreOpening {
    private let settings: SettingsStore
    /// The file of the store, or the database of several gateways; nil for a store in memory.
    let path: String?
    /// True if the file had lost all its bytes before it was opened.
    let wasEmptied: Bool
    private let logger: Logger
    /// The way into a store that several gateways share; nil for others.
    private let gate: PostgresGate?
    private let readiness: Readiness
    private let page: StandbyPage

    /// Makes an opening; `end` is told later which computer should have the lease in place of this one.
    init(
        _ settings: Settings,
        _ path: String?,
        _ logger: Logger,
        _ end: EarlyEnd
    ) {
        self.settings = settings.store
        self.path = path
        wasEmptied = path.map { StoreFile.isEmptied($0) } ?? false
        self.logger = logger
        page = StandbyPage(settings.http)
        readiness = Readiness(settings, besides: page)
        gate =
            settings.store.isShared
            ? path.map { PostgresGate(LeaseGuard.options(settings, $0, end)) } : nil
    }

    /// Opens it; nil when the process is asked to end while it waits.
    ///
    /// - Throws: an exit code when it can't be opened, after saying why.
    func open(by clock: SystemClock) async throws -> GatewayStore? {
        let store = try await opened(by: clock)
        await page.end()
        return store
    }

    private func opened(by clock: SystemClock) async throws -> GatewayStore? {
        // Now, because the server of a database may take a while to answer.
        if gate != nil, Signals.isStopAsked(within: .zero) { return nil }
        var reason: StoreFault?
        while true {
            do throws(StoreFault) {
                let (store, notice) = try await attempt(at: clock.now)
                if let notice { logger.error(.storeDamaged, "\(notice)") }
                if reason?.sort == .full { logger.notice(.storeHasRoom, "there is room for the store now") }
                return store
            } catch {
                guard [.full, .away, .taken].contains(error.sort) else { throw error.report() }
                // Servers that are away give one reason after another; who has the lease is news each time.
                if reason?.sort != error.sort || error.sort == .taken && reason != error { tell(error) }
                reason = error
                if gate != nil { page.begin() }
                if wait(for: error) {
                    logger.info(.ended, "ended")
                    return nil
                }
            }
        }
    }

    private func attempt(
        at now: Timestamp
    ) async throws(StoreFault) -> (store: GatewayStore, notice: String?) {
        guard let gate else { return try settings.open(path, at: now) }
        // First, because a database that is away is to be told whatever else is missing.
        try gate.reach()
        if let lack = await readiness.lack() {
            try gate.leave()
            throw StoreFault("this gateway could do nothing with the lease of the store: \(lack)", .taken)
        }
        let store = try gate.open()
        logger.notice(.leaseTaken, "the lease of the store is this gateway's now")
        return (.shared(store), nil)
    }

    private func tell(_ fault: StoreFault) {
        if fault.sort == .taken {
            logger.notice(.standby, "\(fault.message)")
        } else {
            logger.error(
                .storeAway,
                "\(fault.message); until then no message is taken, and the broker keeps them"
            )
        }
    }

    /// Waits a while, alive in the eyes of the service manager.
    ///
    /// - Returns: whether the process is asked to end.
    private func wait(for fault: StoreFault) -> Bool {
        let socket = try? NotifySocket(environment: ProcessEnvironment.variables)
        let status = fault.sort == .taken ? fault.message : "not connected: \(fault.message)"
        // Ready, or the service manager ends a start that takes so long.
        try? socket?.tell(.ready, .alive, .status(status))
        let half = socket?.watchdog.map { Interval(microseconds: $0.microseconds / 2) }
        // A full disk is looked at every five seconds; a lease may be free at any moment.
        let pause = Interval.seconds(fault.sort == .full ? 5 : 1)
        return Signals.isStopAsked(within: min(half ?? pause, pause))
    }
}
