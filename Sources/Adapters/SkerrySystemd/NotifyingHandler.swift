package import SkerryGateway
package import SkerryValues

/// A handler between a bus and the actual handler, which passes all calls on and reports the status to the service manager.
///
/// It reports from the thread of the bus, and only after the handler has returned from
/// ``SkerryGateway/BusHandler/wake()``. So if the handler is in an endless loop, or waits for a disk that does not
/// answer, the reports stop, and the watchdog of the service manager ends the process.
///
/// See docs/decisions/0028-process-topics.md.
package final class NotifyingHandler<Handler: BusHandler, Clock: GatewayClock>: BusHandler {
    private let handler: Handler
    private let socket: NotifySocket
    private let clock: Clock
    private let broker: String
    private let complain: @Sendable (NotifyFault) -> Void
    private var isReady = false
    private var hasFailed = false
    /// The moment of the next sign of life; the first one reports that the service is ready.
    private var nextSign: Timestamp

    /// Makes a handler that sends `READY=1` when the bus first wakes it.
    ///
    /// - Parameters:
    ///   - handler: The actual handler.
    ///   - socket: The socket of the service manager.
    ///   - clock: Measures the time between signs of life. It must not be one that can be set, because nothing calls its
    ///     `look()`.
    ///   - broker: The address of the broker, for people.
    ///   - complain: Called once, when the service manager refuses a notice for the first time.
    package init(
        _ handler: Handler,
        socket: NotifySocket,
        clock: Clock,
        broker: String,
        complain: @escaping @Sendable (NotifyFault) -> Void
    ) {
        self.handler = handler
        self.socket = socket
        self.clock = clock
        self.broker = broker
        self.complain = complain
        nextSign = clock.now
    }

    /// The time until the handler is due or the next sign of life is, whichever is first.
    package var sleepLimit: Interval? {
        guard nextSign < .distantFuture else { return handler.sleepLimit }
        let left = clock.timeLeft(until: nextSign)
        return handler.sleepLimit.map { min($0, left) } ?? left
    }

    /// Wakes the handler, and then sends a sign of life.
    package func wake() {
        handler.wake()
        let now = clock.now
        guard nextSign <= now else { return }
        nextSign = socket.watchdog.map { now + Self.pause(for: $0) } ?? .distantFuture
        if isReady {
            tell(.alive)
        } else {
            isReady = true
            tell(.ready)
        }
    }

    /// Passes the word on.
    package func connected(_ session: BusSession) {
        handler.connected(session)
        tell(.status("connected to \(broker)"))
    }

    /// Passes the word on.
    package func disconnected(_ fault: BusFault) {
        handler.disconnected(fault)
        tell(.status("not connected: \(fault.message)"))
    }

    private func tell(_ notice: Notice) {
        do throws(NotifyFault) {
            try socket.tell(notice)
        } catch {
            if !hasFailed { complain(error) }
            hasFailed = true
        }
    }

    /// Half of the watchdog's time, as `sd_watchdog_enabled(3)` advises; nil without a time.
    private static func pause(for watchdog: Interval) -> Interval {
        max(.milliseconds(1), Interval(microseconds: watchdog.microseconds / 2))
    }
}

// Calls that do not concern the service manager.
extension NotifyingHandler {
    package func handle(_ batch: MessageBatch) -> BatchOutcome { handler.handle(batch) }

    /// The handler's next publication.
    package func nextPublication() -> Publication? { handler.nextPublication() }

    package func settled(_ id: UInt64, _ outcome: PublicationOutcome) { handler.settled(id, outcome) }

    package func subscriptionPlan() -> SubscriptionPlan { handler.subscriptionPlan() }

    package func subscribed(_ outcomes: [SubscriptionOutcome]) { handler.subscribed(outcomes) }

    /// Passes the word on.
    package func ended() { handler.ended() }

    /// The last word of the handler.
    package func farewell() -> Publication? { handler.farewell() }
}
