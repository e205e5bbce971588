import ArgumentParser
import SkerryCommand
import SkerryGateway
import SkerryValues
import Synchronization

/// The end of a bridge in good order that no person asked for.
final class EarlyEnd: Sendable {
    /// The broker, whose absence may end the bridge.
    let broker = BrokerWatch()
    private let cause = Mutex<(reason: String, status: ExitCode)?>(nil)
    private let isToBegin = Mutex(false)
    private let stop: @Sendable () -> Void

    /// Makes one that has not come yet; `stop` ends the bridge.
    init(stop: @escaping @Sendable () -> Void) {
        self.stop = stop
    }

    /// Ends the bridge because another computer should have its partition.
    func handOver(to node: String) {
        end("\(node) has fewer partitions, and gets this one", .passing)
    }

    /// Ends the bridge because it has no broker, and another computer that waits has one.
    func handOver(withoutBrokerTo node: String) {
        end(
            "there is no connection to the broker, and \(node), which waits, has one: it gets the lease",
            .passing
        )
    }

    /// True if the bridge has ended to begin anew, and nobody asked meanwhile that it ends.
    var isBeginning: Bool { isToBegin.withLock { $0 } && !Signals.isStopAsked(within: .zero) }

    /// Ends the bridge because it is to begin anew, with other settings.
    func beginAnew() {
        isToBegin.withLock { $0 = true }
        stop()
    }

    /// Ends the bridge if it can't go on after an event.
    func look(at event: BridgeEvent) {
        LeaseGuard.look(at: event)
        broker.take(event)
        if let (reason, status) = event.reasonToEnd { end(reason, status) }
    }

    /// Tells people why the bridge has ended, if it had to.
    ///
    /// - Throws: the exit code.
    func report() throws {
        guard let cause = cause.withLock({ $0 }) else { return }
        Terminal.complain("skerry: \(cause.reason)\n")
        throw cause.status
    }

    private func end(_ reason: String, _ status: ExitCode) {
        cause.withLock { $0 = (reason, status) }
        stop()
    }
}

extension BridgeEvent {
    /// Why the bridge has to end, if it has to, and with which status.
    fileprivate var reasonToEnd: (String, ExitCode)? {
        switch self {
        case .isRefused(let reason): (reason, .unavailable)
        case .storeIsLost(let fault) where fault.sort == .damage:
            ("\(fault.message): the next start sets it aside", .passing)
        case .storeIsLost(let fault): (fault.message, fault.status)
        default: nil
        }
    }
}
