public import Logging
public import SkerryDevice
import SkerryEngine
public import SkerryValues
import SkerryActivity

/// The loop of the gateway, which lives on the thread of the bus: messages in, engine, commit, publications out.
///
/// It decides nothing about devices. Everything it does is a reaction to a call of the bus, so a test or a
/// simulation can call it as the bus does.
public final class Bridge<Storage: Store, Clock: GatewayClock>: BusHandler {
    private var engine: Engine
    private var store: Storage
    private let clock: Clock
    private let options: BridgeOptions
    private let sink: MQTTSink
    /// What the topics of commands begin with.
    private let commandStart: [UInt8]
    private let logger: Logger
    private let watch: @Sendable (BridgeEvent) -> Void

    private var outbox: Outbox
    private var changes = StoreChanges()
    private var lastID: UInt64
    /// Publications that had to go before the store took them.
    private var dropped: UInt64 = 0
    /// What the broker should hold, for a broker that forgot it.
    private var retained: [String: Publication] = [:]
    private var health: BridgeHealth
    private var repeated = RepeatedNotes()
    private var nextHealth: Timestamp?
    /// When to offer the store again what it refused.
    private var nextCommit: Timestamp?
    private var isConnected = false

    /// Makes a bridge that is not connected yet.
    ///
    /// - Parameters:
    ///   - definitions: The definitions of the devices.
    ///   - store: What keeps things over a restart.
    ///   - clock: Where the time comes from; its present time is the epoch of all revisions.
    ///   - options: How it behaves.
    ///   - logger: Where it tells people what happens.
    ///   - watch: Called for everything that those who watch may like to know, on the thread of the bus.
    public init(
        definitions: [Definition],
        store: Storage,
        clock: Clock,
        options: BridgeOptions,
        logger: Logger,
        watch: @escaping @Sendable (BridgeEvent) -> Void = { _ in }
    ) {
        let start = clock.now
        engine = Engine(definitions: definitions, epoch: start.flooredSeconds, limits: options.engine)
        self.store = store
        self.clock = clock
        self.options = options
        self.logger = logger
        self.watch = watch
        sink = MQTTSink(prefix: options.prefix)
        commandStart = Array("\(options.prefix)/".utf8)
        outbox = Outbox(limit: options.outboxLimit)
        health = BridgeHealth(startedAt: start)
        let pending = store.pendingPublications()
        lastID = pending.last?.id ?? 0
        for publication in pending { changes.settled += outbox.append(publication) }
    }

    /// Takes a batch of messages in and commits what they changed.
    public func handle(_ batch: MessageBatch) -> BatchOutcome {
        health.oversized += UInt64(batch.oversizedCount)
        for position in 0..<batch.count {
            let message = batch[position]
            take(message, at: clock.moment(sinceBoot: message.arrival))
        }
        tellRepeated(at: clock.now)
        return commit() ? .committed : .notCommitted
    }

    /// The time until the next deadline, the next health report or the next attempt to commit, whichever is first.
    public var sleepLimit: Interval? {
        var due = Timestamp.distantFuture
        if let deadline = engine.nextDeadline { due = min(due, deadline) }
        if isConnected, let nextHealth { due = min(due, nextHealth) }
        if let nextCommit { due = min(due, nextCommit) }
        if let summary = repeated.due { due = min(due, summary) }
        return due == .distantFuture ? nil : clock.timeLeft(until: due)
    }

    /// Handles what is due.
    public func wake() {
        let now = clock.now
        tell(engine.handle(.timePassed, at: now))
        tellRepeated(at: now)
        if isConnected, let nextHealth, nextHealth <= now { reportHealth(at: now) }
        _ = commit()
    }

    private func take(_ message: MessageBatch.Message, at now: Timestamp) {
        do throws(Command.Refusal) {
            if let command = try Command(
                topic: message.topic,
                payload: message.payload,
                start: commandStart
            ) {
                take(command, isRetained: message.isRetained, at: now)
                return
            }
        } catch {
            let topic = String(decoding: message.topic, as: UTF8.self)
            note("\(topic): \(error.message)", kind: "commands: \(error.message)", at: now)
            return
        }
        let input = Message(topic: message.topic, payload: message.payload, isRetained: message.isRetained)
        let effects = engine.handle(.message(input), at: now)
        if !effects.isEmpty { tell(effects, of: message.topic) }
    }

    private func take(_ command: Command, isRetained: Bool, at now: Timestamp) {
        if isRetained {
            note(
                "\(command.kind)/\(command.device): a retained command is no event that happens now",
                kind: "retained commands",
                at: now
            )
        } else if engine.device(kind: command.kind, named: command.device) == nil {
            note(
                "\(command.kind)/\(command.device): a command for a device that nothing was heard of",
                kind: "commands for devices that nothing was heard of",
                at: now
            )
        } else {
            let input = Input.event(kind: command.kind, device: command.device, name: command.event)
            tell(engine.handle(input, at: now))
        }
    }

    /// Turns effects into publications, log lines and events for those who watch.
    private func tell(_ effects: [Effect], of topic: ArraySlice<UInt8> = []) {
        for effect in effects {
            switch effect.what {
            case .refused(let refusal):
                let topic = String(decoding: topic.prefix(Self.notedTopicLimit), as: UTF8.self)
                note(
                    "\(effect.kind)/\(effect.device): \(topic): \(refusal.message)",
                    kind: "\(effect.kind): \(refusal.sort)",
                    at: effect.at
                )
            case .fault(let fault):
                note(
                    "\(effect.kind)/\(effect.device): \(fault.message)",
                    kind: "\(effect.kind): \(fault.sort)",
                    at: effect.at
                )
            case .moved(let from, let to):
                logger.debug(
                    "\(effect.kind)/\(effect.device): \(from.isEmpty ? "starts in" : from + " →") \(to)"
                )
            case .update, .dismissed, .availability: break
            }
            for publication in sink.publications(of: effect) { enqueue(publication) }
            watch(.effect(effect))
        }
    }

    private func enqueue(_ publication: Publication) {
        var publication = publication
        lastID += 1
        publication.id = lastID
        if publication.isRetained {
            retained[publication.topic] = publication.payload.isEmpty ? nil : publication
        }
        changes.enqueued.append(publication)
    }

    /// Commits what has gathered and lets it go to the outbox.
    private func commit() -> Bool {
        if changes.isEmpty { return true }
        do throws(StoreFault) {
            try store.commit(changes)
        } catch {
            let now = clock.now
            note("the store did not take a commit: \(error.message)", at: now)
            nextCommit = now + Self.commitPause
            thinOut()
            return false
        }
        let enqueued = changes.enqueued
        changes = StoreChanges()
        nextCommit = nil
        for publication in enqueued { changes.settled += outbox.append(publication) }
        return true
    }

    /// Keeps of what the store refuses no more than the outbox would.
    private func thinOut() {
        var waiting = Outbox(limit: options.outboxLimit)
        for publication in changes.enqueued { _ = waiting.append(publication) }
        dropped += waiting.dropped
        changes.enqueued.removeAll(keepingCapacity: true)
        while let publication = waiting.next() { changes.enqueued.append(publication) }
    }

    /// Notes a problem for the health report and the log; one that devices cause is counted under `kind` when there
    /// are many.
    private func note(_ problem: String, kind: String? = nil, at now: Timestamp) {
        health.problems += 1
        health.lastProblem = (now, problem)
        if let kind, !repeated.isFirst(kind, at: now) { return }
        logger.warning("\(problem)")
    }

    private func tellRepeated(at now: Timestamp) {
        for line in repeated.summary(at: now) { logger.warning("\(line)") }
    }
}

extension PayloadRefusal {
    /// The message without what differs from payload to payload.
    fileprivate var sort: String {
        if case .json = self { "no valid JSON" } else { message }
    }
}

extension DeviceFault {
    /// The message without what differs from time to time.
    fileprivate var sort: String {
        if case .contentTooLarge = self { "the content is too large" } else { message }
    }
}

extension Bridge {
    /// Bytes of a topic that a note shows; a topic may have 65,535.
    private static var notedTopicLimit: Int { 200 }

    /// How long the store has peace after it refused.
    private static var commitPause: Interval { .seconds(1) }

    /// The next publication for the broker.
    public func nextPublication() -> Publication? { outbox.next() }

    /// Notes that a publication need not be sent any more.
    public func settled(_ id: UInt64, _ outcome: PublicationOutcome) {
        if case .refused(let reason) = outcome { note("the broker refused: \(reason)", at: clock.now) }
        changes.settled.append(id)
    }

    /// The filters of all definitions, and that of commands.
    public func subscriptionPlan() -> SubscriptionPlan {
        var filters: [String] = []
        for definition in engine.definitions {
            for source in definition.sources where !filters.contains(source.filter.subscription) {
                filters.append(source.filter.subscription)
            }
        }
        return SubscriptionPlan(filters: filters + [sink.commandFilter])
    }

    /// Tells of filters that the broker refused.
    public func subscribed(_ outcomes: [SubscriptionOutcome]) {
        for outcome in outcomes where outcome.granted == nil {
            note("the broker refused the subscription to \(outcome.filter): \(outcome.reason)", at: clock.now)
        }
        watch(.subscribed)
    }

    /// Says who is there, and restores what a broker without the session has forgotten.
    public func connected(_ session: BusSession) {
        isConnected = true
        health.connects += 1
        let now = clock.now
        logger.info("connected\(session.isResumed ? ", the session goes on" : "")")
        let known = session.isResumed ? [] : retained.values.sorted { $0.id < $1.id }
        enqueue(sink.state(isOnline: true))
        enqueue(health.info(of: engine.definitions, version: options.version, topic: sink.infoTopic))
        for publication in known where !publication.topic.hasPrefix("\(options.prefix)/bridge/") {
            enqueue(publication)
        }
        reportHealth(at: now)
        _ = commit()
        watch(.connected)
    }

    /// Says why there is no connection.
    public func disconnected(_ fault: BusFault) {
        isConnected = false
        note(fault.message, at: clock.now)
        watch(.disconnected(fault))
    }

    /// The last word: `offline`.
    public func farewell() -> Publication? {
        var publication = sink.state(isOnline: false)
        lastID += 1
        publication.id = lastID
        return publication
    }

    private func reportHealth(at now: Timestamp) {
        nextHealth = now + options.healthInterval
        enqueue(
            health.report(
                engine: engine,
                waiting: outbox.count,
                dropped: outbox.dropped + dropped,
                at: now,
                topic: sink.healthTopic
            )
        )
    }
}
