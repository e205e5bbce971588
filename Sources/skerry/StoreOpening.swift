import ArgumentParser
import Logging
import SkerryGateway
import SkerrySystemd
import SkerryValues

/// Opens the store of `skerry run`; on a full disk as soon as there is room.
struct StoreOpening {
    private let settings: SettingsStore
    private let path: String?
    private let logger: Logger

    /// The interval at which a full disk is checked.
    private static let pause = Interval.seconds(5)

    init(_ settings: SettingsStore, _ path: String?, _ logger: Logger) {
        self.settings = settings
        self.path = path
        self.logger = logger
    }

    /// Opens it; nil when the process is asked to end while it waits for room.
    ///
    /// - Throws: an exit code when it can't be opened, after saying why.
    func open(by clock: SystemClock) throws -> GatewayStore? {
        var isWaiting = false
        while true {
            do throws(StoreFault) {
                let (store, notice) = try settings.open(path, at: clock.now)
                if let notice { logger.error("\(notice)") }
                if isWaiting { logger.notice("there is room for the store now") }
                return store
            } catch {
                guard error.sort == .full else {
                    Terminal.complain("skerry: \(error.message)\n")
                    throw ExitCode.unavailable
                }
                if !isWaiting {
                    logger.error(
                        "\(error.message); until then no message is taken, and the broker keeps them"
                    )
                }
                isWaiting = true
                if wait(for: error.message) { return nil }
            }
        }
    }

    /// Waits a while, alive in the eyes of the service manager.
    ///
    /// - Returns: whether the process is asked to end.
    private func wait(for reason: String) -> Bool {
        let socket = try? NotifySocket(environment: ProcessEnvironment.variables)
        try? socket?.tell(.ready, .alive, .status("not connected: \(reason)"))
        let half = socket?.watchdog.map { Interval(microseconds: $0.microseconds / 2) }
        return Signals.isStopAsked(within: min(half ?? Self.pause, Self.pause))
    }
}
