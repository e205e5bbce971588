package import Logging
package import SkerryActivity
package import SkerryPhones
package import SkerrySinks
package import SkerryValues
import Synchronization

/// The desk of one further sink: takes deliveries of the bridge, and decides which requests its service gets.
///
/// A delivery is settled once every recipient has its state, so it comes again after a restart if one has not.
package final class SinkDesk: Sendable {
    /// The next step of a sender.
    package enum Step: Sendable {
        /// Send this request, and report its result. Requests to other recipients may follow before that.
        case request(SinkRequest)
        /// Nothing for this time, unless woken before; nil to wait until woken.
        case wait(Interval?)
    }

    /// The name of the service.
    package let name: String
    private let queue: SinkQueue
    private let failures: FailureLog
    private let logger: Logger
    private let state: Mutex<State>

    fileprivate struct State {
        var scheduler: SinkScheduler
        var clock: DeskClock
        var wake: (@Sendable () -> Void)?
    }

    /// Makes a desk for a service.
    ///
    /// - Parameters:
    ///   - scheduler: Decides what the service gets; it knows no activity yet.
    ///   - queue: The queue of the bridge's deliveries.
    ///   - clock: The clock of the gateway.
    ///   - failures: The list of errors.
    ///   - logger: The log of decisions.
    package init(
        _ scheduler: SinkScheduler,
        queue: SinkQueue,
        clock: some GatewayClock,
        failures: FailureLog,
        logger: Logger
    ) {
        name = scheduler.name
        self.queue = queue
        self.failures = failures
        self.logger = logger
        state = Mutex(State(scheduler: scheduler, clock: DeskClock(clock)))
    }

    /// Calls back, from any thread, when there may be something to send.
    package func onWork(_ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
        queue.onWork(wake)
    }

    /// Replaces the policy that says who sees which activities, and the hours in which nothing sounds.
    package func setAudience(_ audience: AudiencePolicy, quiet: QuietHours) {
        let wake = state.withLock { state in
            state.scheduler.setAudience(audience)
            state.scheduler.quiet = quiet
            return state.wake
        }
        wake?()
    }

    package func next() -> Step {
        let (step, news) = state.withLock { state -> (Step, [PhoneDecision]) in
            let isKnown = state.lookAtClock(queue)
            let now = state.clock.now
            queue.settleReplaced(state.scheduler.replaceable)
            for delivery in queue.take(at: now) { state.scheduler.show(SinkNews(delivery)) }
            let request = state.scheduler.next(at: now, clockIsKnown: isKnown)
            queue.arrive(state.scheduler.takeArrived())
            queue.settle(state.scheduler.takeSettled())
            queue.report(state.scheduler.tally)
            let news = state.scheduler.takeNews()
            if let request { return (.request(request), news) }
            let due = isKnown ? state.scheduler.nextDeadline : nil
            return (.wait(due.map { max(.zero, state.clock.timeLeft(until: $0)) }), news)
        }
        log(news)
        return step
    }

    /// Records the result of a request.
    package func answered(_ request: SinkRequest, _ answer: SinkAnswer) {
        let news = state.withLock { state in
            _ = state.lookAtClock(queue)
            let now = state.clock.now
            let chance = Pause.chance(of: request.body)
            state.scheduler.answered(request, answer, chance: chance, at: now)
            queue.report(state.scheduler.tally)
            return state.scheduler.takeNews()
        }
        log(news)
    }

    /// The last decisions about the activities of a device, oldest first.
    package func decisions(kind: String, device: String) -> [PhoneDecision] {
        state.withLock { $0.scheduler }.decisions(kind: kind, device: device)
    }

    private func log(_ decisions: [PhoneDecision]) {
        failures.note(decisions, of: name)
        for decision in decisions {
            let line = "\(decision.activity), \(decision.phone): \(decision.kind.name): \(decision.text)"
            logger.info(.sinkDecision, "\(line)")
        }
    }
}

extension SinkDesk.State {
    /// Follows the wall clock.
    ///
    /// - Returns: whether the time is known.
    fileprivate mutating func lookAtClock(_ queue: SinkQueue) -> Bool {
        let look = clock.look(queue)
        if let step = look.step { scheduler.clockStepped(by: step) }
        return look.isKnown
    }
}

extension SinkNews {
    /// The state that a delivery carries.
    fileprivate init(_ delivery: Delivery) {
        self.init(
            delivery: delivery.id,
            kind: delivery.kind,
            device: delivery.device,
            update: delivery.update
        )
        alertRev = delivery.alertRev
        alertedAt = delivery.alertedAt
        hasArrived = delivery.hasArrived
    }
}
