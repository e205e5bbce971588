import CMosquitto
import Glibc
import SkerryGateway
import SkerryValues

/// The life of the bus's thread: sleep, read a batch, let the handler commit, write.
final class BusLoop<Handler: BusHandler> {
    /// The stage of the connection.
    enum Phase {
        /// No connection; the next attempt comes at `retryAt`.
        case apart(retryAt: Interval)
        /// A thread is connecting; until it is done the client is not ours.
        case connecting(ConnectAttempt)
        /// TCP is connected, the broker has not answered yet.
        case greeting(since: Interval)
        /// In business.
        case connected(since: Interval)
        /// DISCONNECT was sent, or there was nothing to disconnect.
        case ended
    }

    /// The stage of stopping.
    enum Stopping {
        /// Not asked to stop.
        case no
        /// Delivering the remaining publications, until `deadline` at the latest.
        case draining(deadline: Interval)
        /// The farewell is out.
        case leaving(deadline: Interval)
    }

    /// A connection that lasted this long earns quick attempts again after its loss.
    ///
    /// Two clients with one id disconnect each other at once, and must not do so ever faster.
    private static var steadyAfter: Interval { .seconds(5) }

    let handler: Handler
    let client: MosquittoClient
    let options: MosquittoOptions
    let signal: WakeSignal
    var phase = Phase.apart(retryAt: .zero)
    var stopping = Stopping.no
    var retries: RetrySchedule
    var random = SystemRandomNumberGenerator()
    var window = PublicationWindow()
    var plan: SubscriptionPlan?
    var askedFilters: [Int32: [String]] = [:]
    var keepAliveAt = Interval.zero
    /// Packets that may wait to be written, about.
    var queuedCount = 0
    /// True if the last batch was full, so that more is waiting for certain.
    var hasMore = false

    init(_ handler: Handler, _ client: MosquittoClient, _ options: MosquittoOptions, _ signal: WakeSignal) {
        self.handler = handler
        self.client = client
        self.options = options
        self.signal = signal
        retries = RetrySchedule(first: options.firstRetry, longest: options.longestRetry)
    }

    /// Runs until ``WakeSignal/stop()``.
    func run() {
        while true {
            let limit = wakeHandler()
            if signal.isStopping { advanceStopping() }
            send()
            if case .ended = phase {
                handler.ended()
                return
            }
            let isReadable = sleep(limit)
            advance(isReadable)
        }
    }

    /// Wakes the handler if it is time or on request.
    ///
    /// - Returns: the time that the bus may sleep now.
    private func wakeHandler() -> Interval? {
        let isAsked = signal.takeWake()
        let limit = handler.sleepLimit
        guard isAsked || limit.map({ $0 <= .zero }) == true else { return limit }
        handler.wake()
        if case .connected = phase { subscribeToChanges() }
        return handler.sleepLimit
    }

    /// Moves the connection on.
    private func advance(_ isReadable: Bool) {
        let now = timeSinceBoot()
        switch phase {
        case .apart(let retryAt):
            if now >= retryAt { connect() }
        case .connecting(let attempt):
            guard let result = attempt.result else { return }
            if result.code == MOSQ_ERR_SUCCESS.rawValue {
                phase = .greeting(since: now)
                keepAliveAt = now + .seconds(1)
            } else {
                giveUp(
                    .connecting(
                        options,
                        code: result.code,
                        system: result.system,
                        logged: client.inbox.loggedError
                    )
                )
            }
        case .greeting(let since):
            if isReadable { read() }
            guard case .greeting = phase, now - since > options.greetingLimit else { return }
            client.drop()
            giveUp(
                BusFault(
                    .unreachable,
                    "\(options.address) accepted the connection, but does not answer in MQTT"
                )
            )
        case .connected:
            if isReadable { read() }
            guard case .connected = phase, now >= keepAliveAt else { return }
            keepAliveAt = now + .seconds(1)
            endIfFailed(client.keepAlive())
        case .ended: return
        }
    }

    private func connect() {
        do throws(BusFault) {
            try client.identify()
        } catch {
            giveUp(error)
            return
        }
        client.inbox.forgetConnection()
        guard let attempt = ConnectAttempt(client, signal) else {
            giveUp(BusFault(.unreachable, "the system refuses a thread for connecting"))
            return
        }
        phase = .connecting(attempt)
    }

    /// Reports why there is no connection, and plans the next attempt.
    func giveUp(_ fault: BusFault) {
        if case .connected(let since) = phase, timeSinceBoot() - since > Self.steadyAfter { retries.reset() }
        let pause = retries.pause(using: &random)
        phase = .apart(retryAt: timeSinceBoot() + pause)
        hasMore = false
        askedFilters = [:]
        plan = nil
        for id in window.forgetUnconfirmed() { handler.settled(id, .acknowledged) }
        var fault = fault
        fault.retryIn = pause
        handler.disconnected(fault)
    }

    /// Sleeps until something happens or is due.
    ///
    /// - Returns: true if there may be something to read.
    private func sleep(_ limit: Interval?) -> Bool {
        // Nor is the signal's file looked at: its flags, which each turn reads, are enough while there is work.
        if hasMore { return true }
        return withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { files in
            files[0] = pollfd(fd: signal.file, events: Int16(POLLIN), revents: 0)
            files[1] = pollfd(fd: -1, events: Int16(POLLIN), revents: 0)
            if isOnline {
                files[1].fd = client.socket
                if client.wantsToWrite { files[1].events |= Int16(POLLOUT) }
            }
            guard poll(files.baseAddress, 2, timeout(limit)) > 0 else { return false }
            if files[0].revents != 0 { signal.drain() }
            return files[1].revents & ~Int16(POLLOUT) != 0
        }
    }

    private var isOnline: Bool {
        switch phase {
        case .greeting, .connected: true
        case .apart, .connecting, .ended: false
        }
    }

    /// The time to sleep, in milliseconds, rounded up so as not to wake too early.
    private func timeout(_ limit: Interval?) -> Int32 {
        let now = timeSinceBoot()
        var due = limit.map { now + $0 } ?? .forEver
        switch phase {
        case .apart(let retryAt): due = min(due, retryAt)
        case .greeting(let since): due = min(due, keepAliveAt, since + options.greetingLimit)
        case .connected: due = min(due, keepAliveAt)
        case .connecting, .ended: break
        }
        switch stopping {
        case .draining(let deadline), .leaving(let deadline): due = min(due, deadline)
        case .no: break
        }
        if due == .forEver { return -1 }
        let microseconds = max(.zero, due - now).microseconds
        return Int32(clamping: (microseconds / 1000) + (microseconds % 1000 > 0 ? 1 : 0))
    }
}

extension Interval {
    fileprivate static let forEver = Interval(microseconds: .max)
}
