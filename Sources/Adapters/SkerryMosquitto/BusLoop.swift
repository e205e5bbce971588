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
    private var keepAlive: KeepAlive
    /// Packets that may wait to be written, about.
    var queuedCount = 0
    /// True if the last batch was full, so that more is waiting for certain.
    var hasMore = false

    init(_ handler: Handler, _ client: MosquittoClient, _ options: MosquittoOptions, _ signal: WakeSignal) {
        self.handler = handler
        self.client = client
        self.options = options
        self.signal = signal
        keepAlive = KeepAlive(options.keepAlive, at: .zero)
        retries = RetrySchedule(first: options.firstRetry, longest: options.longestRetry)
    }

    /// Runs until ``WakeSignal/stop()``.
    func run() {
        while true {
            let limit = wakeHandler()
            if signal.isStopping { advanceStopping() }
            // Before it sleeps, or what the last batch has to acknowledge would wait.
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
        // Waking may have changed the definitions, and with them the filters.
        if case .connected = phase { subscribeToChanges() }
        // Asked again, because waking has changed it.
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
            // Reading may have ended the greeting.
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
            keepConnection(at: now)
        case .ended: return
        }
    }

    /// Looks whether the broker still answers; due about once a second.
    private func keepConnection(at now: Interval) {
        switch keepAlive.step(at: now) {
        case .wait: return
        case .sign: _ = client.unsubscribe(from: ["skerry-is-alive"])
        case .look:
            let wasSending = client.wantsToWrite
            endIfFailed(client.keepAlive())
            if !wasSending, client.wantsToWrite { keepAlive.pinged(at: now) }
        }
    }

    private func connect() {
        assert(!isOnline, "a connection is made while there is one")
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
        // A broker that ends each connection at once must not be asked again without longer and longer
        // pauses.
        if case .connected(let since) = phase, timeSinceBoot() - since > Self.steadyAfter { retries.reset() }
        let pause = retries.pause(using: &random)
        phase = .apart(retryAt: timeSinceBoot() + pause)
        hasMore = false
        askedFilters = [:]
        plan = nil
        // Of these, with QoS 0, nobody will ever say whether they arrived.
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
            // `poll` passes over a file with a negative number.
            files[1] = pollfd(fd: -1, events: Int16(POLLIN), revents: 0)
            if isOnline {
                files[1].fd = client.socket
                if client.wantsToWrite { files[1].events |= Int16(POLLOUT) }
            }
            guard poll(files.baseAddress, 2, timeout(limit)) > 0 else { return false }
            if files[0].revents != 0 { signal.drain() }
            // Errors of the socket, too, are learned by reading.
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
        case .greeting(let since): due = min(due, since + options.greetingLimit)
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

// Reading and writing while there is a connection.

extension BusLoop {
    /// Reads a batch and hands it over; nothing leaves before ``send()``.
    func read() {
        let code = fill()
        let inbox = client.inbox
        if let greeting = inbox.greeting {
            inbox.greeting = nil
            greet(greeting)
        }
        // Before the batch, so that its commit stores what is settled, too.
        settle()
        let outcome = deliverBatch()
        if outcome == .ended {
            client.drop()
            phase = .ended
            return
        }
        report()
        if let reason = inbox.disconnectCode {
            end(code, reason)
        } else if code != MOSQ_ERR_SUCCESS.rawValue {
            end(code, nil)
        } else if outcome == .notCommitted {
            client.drop()
            giveUp(
                BusFault(.notCommitted, "a batch could not be stored: it is fetched again from the broker")
            )
        }
    }

    /// Reads packets into the inbox until there are no more or the batch is full.
    private func fill() -> Int32 {
        // Some packets, such as the answer to a ping, cause no callback. A TLS layer may still hold others after
        // them, which poll would not report.
        var silentReadsLeft = 8
        let inbox = client.inbox
        let first = inbox.callbackCount
        defer {
            if silentReadsLeft < 8 || inbox.callbackCount != first {
                keepAlive.heard(mayBeAnswer: silentReadsLeft < 8, at: timeSinceBoot())
            }
        }
        hasMore = false
        while inbox.batch.count + inbox.batch.oversizedCount < options.batchLimit,
            inbox.batch.byteCount < options.batchByteLimit
        {
            let before = inbox.callbackCount
            let (code, isDry) = client.readPacket()
            if code != MOSQ_ERR_SUCCESS.rawValue || isDry || inbox.disconnectCode != nil { return code }
            if inbox.callbackCount == before {
                silentReadsLeft -= 1
                if silentReadsLeft == 0 { return code }
            }
        }
        // The batch is full. What is left may be within TLS, where `poll` does not see it.
        hasMore = true
        return MOSQ_ERR_SUCCESS.rawValue
    }

    private func deliverBatch() -> BatchOutcome {
        let inbox = client.inbox
        // Also if all were oversized: the handler counts them.
        guard !inbox.batch.isEmpty || inbox.batch.oversizedCount > 0 else { return .committed }
        queuedCount += inbox.batch.count
        let outcome = handler.handle(inbox.batch)
        inbox.batch.removeAll()
        return outcome
    }

    /// Fills the window and writes all that waits, acknowledgements first.
    func send() {
        var isProgressing = true
        while isProgressing {
            guard !endIfFailed(fillWindowAndWrite()) else { return }
            // Writing settles what has QoS 0, which makes room for more.
            let wasFull = window.count >= options.publicationWindow
            isProgressing = settle() && wasFull
        }
    }

    /// Packets from which on it pays to write them corked, which takes two system calls more.
    private static var corkedFrom: Int { 5 }

    private func fillWindowAndWrite() -> Int32 {
        switch phase {
        case .apart, .connecting, .ended: return MOSQ_ERR_SUCCESS.rawValue
        case .greeting: break
        case .connected: fillWindow()
        }
        defer { queuedCount = 0 }
        guard client.wantsToWrite else { return MOSQ_ERR_SUCCESS.rawValue }
        return client.write(isCorked: queuedCount >= Self.corkedFrom)
    }

    private func fillWindow() {
        // Nothing may follow DISCONNECT.
        if case .leaving = stopping { return }
        while window.count < options.publicationWindow, let publication = handler.nextPublication() {
            publish(publication)
        }
    }

    func publish(_ publication: Publication) {
        let (code, packet) = client.publish(publication)
        queuedCount += 1
        switch mosq_err_t(code) {
        case MOSQ_ERR_SUCCESS:
            window.add(packet, publication, isConfirmed: publication.quality != .atMostOnce)
        case MOSQ_ERR_NO_CONN where publication.quality != .atMostOnce:
            // The library has queued it all the same and sends it after the next connect.
            window.add(packet, publication, isConfirmed: true)
        case MOSQ_ERR_NO_CONN:
            // It is lost, as a message of QoS 0 may be, and nobody sends it again.
            handler.settled(publication.id, .acknowledged)
        default:
            handler.settled(publication.id, .refused(reason: "\(publication.topic): \(libraryText(code))"))
        }
    }

    /// Reports settled publications to the handler.
    ///
    /// - Returns: true if there were any.
    @discardableResult
    private func settle() -> Bool {
        let inbox = client.inbox
        guard !inbox.acknowledgements.isEmpty else { return false }
        for answer in inbox.acknowledgements {
            guard let (id, topic) = window.remove(answer.packet) else { continue }
            // In MQTT 5, reasons from here on are failures; with 3.1.1 there are none.
            let isTaken = answer.code < 0x80
            handler.settled(
                id,
                isTaken ? .acknowledged : .refused(reason: "\(topic): \(reasonText(answer.code))")
            )
        }
        inbox.acknowledgements.removeAll(keepingCapacity: true)
        return true
    }

    /// Ends the connection if a call of the library failed.
    @discardableResult
    func endIfFailed(_ code: Int32) -> Bool {
        let reason = client.inbox.disconnectCode
        guard code != MOSQ_ERR_SUCCESS.rawValue || reason != nil else { return false }
        end(code, reason)
        return true
    }

    /// Ends a lost connection, and finds the words for it.
    private func end(_ code: Int32, _ reason: Int32?) {
        client.inbox.disconnectCode = nil
        switch (phase, stopping) {
        case (.connected, .leaving) where code == MOSQ_ERR_SUCCESS.rawValue:
            phase = .ended
        case (.apart, _):
            // The refusal in the greeting has been reported already.
            break
        case (.greeting, _) where options.tls != nil:
            giveUp(.security(options, logged: client.inbox.loggedError))
        case (.greeting, _):
            giveUp(.unanswered(options, code: code))
        default:
            giveUp(.lost(options, code: code, reason: reason))
        }
    }
}

// MARK: Greeting and subscribing

extension BusLoop {
    private static var filtersPerPacket: Int { 100 }

    private func greet(_ greeting: Inbox.Greeting) {
        guard greeting.code == 0 else {
            giveUp(.greeting(options, greeting))
            return
        }
        client.stopListening()
        let now = timeSinceBoot()
        phase = .connected(since: now)
        keepAlive = KeepAlive(options.keepAlive, at: now)
        handler.connected(
            BusSession(isResumed: greeting.isResumed, repeatsRetained: options.version == .v311)
        )
        subscribeToChanges()
    }

    /// Subscribes to the filters that are new in the plan.
    func subscribeToChanges() {
        var new = handler.subscriptionPlan()
        // Without No Local, its own publications would come back.
        if options.version == .v311 { new.watched = [] }
        guard new != plan else { return }
        let last = plan ?? SubscriptionPlan(filters: [])
        plan = new
        // An existing subscription keeps its No Local (mosquitto 2.0.11), so it is left before it changes.
        leave(last.own.filter { new.watched.contains($0) } + last.watched.filter { new.own.contains($0) })
        let asksAgain = new.wantsRetained && !last.wantsRetained
        let former = Set(asksAgain ? [] : last.filters)
        let choice: RetainedChoice = new.wantsRetained ? .all : .ofNewFilters
        var refused = ask(for: new.filters.filter { !former.contains($0) }, choice)
        refused += ask(for: new.own.filter { !last.own.contains($0) }, .own)
        refused += ask(for: new.watched.filter { !last.watched.contains($0) }, .ofOthers)
        let wanted = Set(new.filters + new.own + new.watched)
        let known = last.filters + last.own + last.watched
        leave(new.obsolete + known.filter { !wanted.contains($0) && !new.obsolete.contains($0) })
        if !refused.isEmpty { handler.subscribed(refused) }
    }

    /// Unsubscribes from filters.
    private func leave(_ filters: [String]) {
        // For one that is invalid, the library would refuse all of a packet.
        let leaving = filters.filter { mosquitto_sub_topic_check($0) == MOSQ_ERR_SUCCESS.rawValue }
        for start in stride(from: 0, to: leaving.count, by: Self.filtersPerPacket) {
            let end = min(start + Self.filtersPerPacket, leaving.count)
            _ = client.unsubscribe(from: Array(leaving[start..<end]))
        }
    }

    /// Asks for filters.
    ///
    /// - Returns: those that can't be asked for.
    private func ask(for filters: [String], _ choice: RetainedChoice) -> [SubscriptionOutcome] {
        var refused: [SubscriptionOutcome] = []
        var valid: [String] = []
        for filter in filters {
            if mosquitto_sub_topic_check(filter) == MOSQ_ERR_SUCCESS.rawValue {
                valid.append(filter)
            } else {
                refused.append(.init(filter: filter, granted: nil, reason: "not a valid topic filter"))
            }
        }
        for start in stride(from: 0, to: valid.count, by: Self.filtersPerPacket) {
            let part = Array(valid[start..<min(start + Self.filtersPerPacket, valid.count)])
            let (code, packet) = client.subscribe(to: part, choice)
            if code == MOSQ_ERR_SUCCESS.rawValue {
                askedFilters[packet] = part
            } else {
                refused += part.map { .init(filter: $0, granted: nil, reason: libraryText(code)) }
            }
        }
        return refused
    }

    /// Reports the broker's answers to the handler.
    private func report() {
        let inbox = client.inbox
        guard !inbox.grants.isEmpty else { return }
        for grant in inbox.grants {
            guard let filters = askedFilters.removeValue(forKey: grant.packet) else { continue }
            let outcomes = zip(filters, grant.codes).map { filter, code in
                let granted = code < 0x80 ? QualityOfService(rawValue: UInt8(truncatingIfNeeded: code)) : nil
                return SubscriptionOutcome(
                    filter: filter,
                    granted: granted,
                    reason: granted == nil ? reasonText(code) : ""
                )
            }
            handler.subscribed(outcomes)
        }
        inbox.grants.removeAll()
    }
}

extension BusLoop {
    /// Continues the stopping: remaining publications, then the farewell, then DISCONNECT.
    func advanceStopping() {
        guard case .connected = phase else {
            phase = .ended
            return
        }
        let now = timeSinceBoot()
        switch stopping {
        case .no:
            stopping = .draining(deadline: now + options.stopLimit)
            advanceStopping()
        case .draining(let deadline):
            // The window fills in `send()`; an empty one after that means that nothing is left.
            send()
            guard case .connected = phase else { return advanceStopping() }
            guard window.isEmpty || now >= deadline else { return }
            stopping = .leaving(deadline: max(deadline, now + options.stopLimit))
            if let farewell = handler.farewell() { publish(farewell) }
            advanceStopping()
        case .leaving(let deadline):
            guard window.isEmpty || now >= deadline else { return }
            client.disconnect()
            send()
            phase = .ended
        }
    }
}
