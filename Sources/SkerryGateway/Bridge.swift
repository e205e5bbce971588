public import Logging
public import SkerryActivity
public import SkerryDevice
import SkerryEngine
public import SkerryValues

/// The loop of the gateway, which lives on the thread of the bus: messages in, engine, commit, publications out.
///
/// It decides nothing about devices. Everything it does is a reaction to a call of the bus, so a test or a
/// simulation can call it as the bus does.
public final class Bridge<Storage: Store, Clock: GatewayClock>: BusHandler {
    var engine: Engine
    var store: Storage
    var clock: Clock
    let options: BridgeOptions
    let sink: MQTTSink
    /// What further sinks take their updates from.
    let sinks: [SinkQueue]
    /// What the topics of commands begin with.
    private let commandStart: [UInt8]
    let mailbox: DefinitionMailbox
    let logger: Logger
    let decisions: @Sendable (_ kind: String, _ device: String) -> [PhoneDecision]
    let watch: @Sendable (BridgeEvent) -> Void

    var outbox: Outbox
    /// What the next commit makes durable.
    var changes: StoreChanges
    /// Where the deliveries of an activity stand in the changes, one after another for each sink.
    var deliveryPlaces: [ExactText: Int] = [:]
    /// How far the recovery has come.
    var recovery = RecoveryMark()
    /// Whether the sinks have to be shown all activities with the next commit.
    var showsActivities = false
    var lastID: UInt64
    /// The publications that the store holds, by their ids.
    var stored: Set<UInt64> = []
    /// Publications that had to go before the store took them.
    var dropped: UInt64 = 0
    /// What the broker should hold, for a broker that forgot it.
    var retained: [ExactText: Publication] = [:]
    var health: BridgeHealth
    var repeated = RepeatedNotes()
    var nextHealth: Timestamp?
    /// When to offer the store again what it refused.
    var nextCommit: Timestamp?
    /// When the store is told of settled publications at the latest.
    var nextSettlement: Timestamp?
    /// When the store is told everything, also what can wait.
    var nextCheckpoint: Timestamp?
    /// When a wall clock is looked at again whose right time may make something due.
    var nextLook: Timestamp?
    var isConnected = false
    /// Filters that definitions had while there was no connection; the session may still have them.
    var abandoned: Set<String> = []
    /// Looks for what the broker retains and nobody knows of.
    var strays: StraySearch
    /// What was taken in last while the store refused.
    private var unkept = UnkeptMessages()
    /// How many questions of this batch are answered yet.
    var questionsLeft = 0

    /// Makes a bridge that is not connected yet, with the devices that the store kept.
    ///
    /// What came due while nothing listened is handled at once, each deadline at its own time.
    ///
    /// - Parameters:
    ///   - definitions: The definitions of the devices.
    ///   - store: What keeps things over a restart.
    ///   - clock: Where the time comes from; its present time makes the epoch of all revisions when the store is new.
    ///   - options: How it behaves.
    ///   - sinks: What further sinks take their updates from, besides the broker; each has a name of its own.
    ///   - mailbox: Where other definitions come from while it runs.
    ///   - logger: Where it tells people what happens.
    ///   - watch: Called for everything that those who watch may like to know, on the thread of the bus.
    ///   - decisions: Asked, on the thread of the bus, what was decided last about a device on phones, oldest first.
    /// - Throws: ``StoreFault`` when the store can't be read.
    public init(
        definitions: [Definition],
        store: Storage,
        clock: Clock,
        options: BridgeOptions,
        sinks: [SinkQueue] = [],
        mailbox: DefinitionMailbox = DefinitionMailbox(),
        logger: Logger,
        watch: @escaping @Sendable (BridgeEvent) -> Void = { _ in },
        decisions: @escaping @Sendable (_ kind: String, _ device: String) -> [PhoneDecision] = { _, _ in [] }
    ) throws(StoreFault) {
        var store = store
        var clock = clock
        let state = try store.load()
        if let past = state.progress?.past { clock.start(after: past) }
        let start = clock.now
        let epoch = state.nextEpoch(at: start, boot: clock.boot)
        let progress =
            state.progress ?? StoreProgress(aliveAt: start, sequence: 0, lastPublication: 0)
        var limits = options.engine
        limits.heardAge = options.checkpointInterval
        strays = StraySearch(isDue: state.isBehind || progress.seeksStrays)
        engine = Engine(
            definitions: definitions,
            epoch: epoch,
            limits: limits,
            resumingAt: progress.sequence,
            newestLostRun: progress.newestLostRun
        )
        self.store = store
        self.clock = clock
        self.options = options
        self.sinks = sinks
        self.mailbox = mailbox
        self.logger = logger
        self.decisions = decisions
        self.watch = watch
        sink = MQTTSink(prefix: options.prefix)
        commandStart = Array("\(options.prefix)/".utf8)
        outbox = Outbox(limit: options.outboxLimit)
        health = BridgeHealth(startedAt: start)
        changes = StoreChanges(epoch: epoch, progress: progress)
        lastID = progress.lastPublication
        nextCheckpoint = options.checkpointInterval.map { start + $0 }
        tellClock()
        nextLook = lookTime
        recover(state, at: start)
    }

    /// Takes a batch of messages in and commits what they changed.
    ///
    /// While the store refuses, nothing more is taken in: the broker sends it again.
    public func handle(_ batch: MessageBatch) -> BatchOutcome {
        if nextCommit != nil, !commit() { return .notCommitted }
        questionsLeft = Self.questionLimit
        health.oversized += UInt64(batch.oversizedCount)
        lookAtClock()
        for position in 0..<batch.count {
            let message = batch[position]
            if unkept.remove(message) { continue }
            take(message, at: clock.moment(sinceBoot: message.arrival))
        }
        tellRepeated(at: clock.now)
        if commit() { return .committed }
        unkept.add(batch)
        return .notCommitted
    }

    /// The time until the next deadline, the next health report or the next attempt to commit, whichever is first.
    public var sleepLimit: Interval? {
        var due = nextCheckpoint ?? .distantFuture
        if let deadline = engine.nextDeadline { due = min(due, deadline) }
        if isConnected, let nextHealth { due = min(due, nextHealth) }
        for commit in [nextCommit, nextSettlement] { due = min(due, commit ?? .distantFuture) }
        if let summary = repeated.due { due = min(due, summary) }
        if let end = strays.end { due = min(due, end) }
        if let nextLook { due = min(due, nextLook) }
        return due == .distantFuture ? nil : clock.timeLeft(until: due)
    }

    /// Takes other definitions in and handles what is due.
    public func wake() {
        lookAtClock()
        openMailbox()
        let now = clock.now
        tell(engine.handle(.timePassed, at: now))
        tellRepeated(at: now)
        strays.finish(at: now)
        if isConnected, let nextHealth, nextHealth <= now { reportHealth(at: now) }
        _ = commit(all: nextCheckpoint.map { $0 <= now } ?? false)
    }

    private func take(_ message: MessageBatch.Message, at now: Timestamp) {
        if let question = Question(topic: message.topic, payload: message.payload, start: commandStart) {
            if !message.isRetained { take(question, at: now) }
            return
        }
        if strays.isListening, message.isRetained { takeAwayStray(message, at: now) }
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
    ///
    /// - Parameters:
    ///   - effects: What came of an input.
    ///   - topic: The topic of the message that it was.
    ///   - time: When it was; now, unless the clock was set meanwhile.
    func tell(_ effects: [Effect], of topic: ArraySlice<UInt8> = [], asOf time: Timestamp? = nil) {
        for var effect in effects {
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
            case .update(var update):
                if let alert = update.alert, isLate(alert, of: effect, at: time ?? clock.now) {
                    update.alert = nil
                    effect.what = .update(update)
                }
                deliver(update, of: effect.device, kind: effect.kind)
                if update.phase == .ended, options.history.activities > 0 {
                    changes.ended.append(EndedActivity(update, of: effect.device, kind: effect.kind))
                }
            case .dismissed, .foretold, .availability: break
            }
            for publication in sink.publications(of: effect) { enqueue(publication) }
            watch(.effect(effect))
        }
    }

    /// Notes a problem for the health report and the log; one that devices cause is counted under `kind` when there
    /// are many.
    func note(_ problem: String, kind: String? = nil, at now: Timestamp) {
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

    /// The filters of all definitions, and those of commands and questions.
    public func subscriptionPlan() -> SubscriptionPlan {
        let filters = filters + [sink.commandFilter] + sink.questionFilters
        let obsolete = abandoned.subtracting(filters).sorted()
        // A session may have had the filters of the search when a process ended in the middle of its search.
        return SubscriptionPlan(
            filters: filters,
            own: strays.isListening ? sink.retainedFilters : [],
            obsolete: strays.isListening ? obsolete : obsolete + sink.retainedFilters,
            wantsRetained: strays.isDue
        )
    }

    /// Tells of filters that the broker refused.
    public func subscribed(_ outcomes: [SubscriptionOutcome]) {
        for outcome in outcomes where outcome.granted == nil {
            note("the broker refused the subscription to \(outcome.filter): \(outcome.reason)", at: clock.now)
        }
        let own = sink.retainedFilters
        if outcomes.contains(where: { own.contains($0.filter) }) { strays.goOn(at: clock.now) }
        watch(.subscribed)
    }

    /// Says who is there, and restores what a broker without the session has forgotten.
    public func connected(_ session: BusSession) {
        isConnected = true
        health.connects += 1
        let now = clock.now
        logger.info("connected\(session.isResumed ? ", the session goes on" : "")")
        strays.begin(session)
        if !session.isResumed { unkept = UnkeptMessages() }
        let known = session.isResumed ? [] : retained.values.sorted { $0.id < $1.id }
        announce(sink.state(isOnline: true))
        announce(health.info(of: engine.definitions, version: options.version, topic: sink.infoTopic))
        for publication in known { enqueue(publication) }
        reportHealth(at: now)
        _ = commit()
        watch(.connected)
    }

    /// Says why there is no connection.
    public func disconnected(_ fault: BusFault) {
        isConnected = false
        strays.stop()
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
        announce(
            health.report(
                engine: engine,
                waiting: outbox.count,
                dropped: outbox.dropped + dropped,
                sinks: sinks,
                at: now,
                topic: sink.healthTopic
            )
        )
    }
}
