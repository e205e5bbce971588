import Logging
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryPhones
public import SkerryValues

/// The loop of the gateway, which lives on the thread of the bus: messages in, engine, commit, publications out.
///
/// It decides nothing about devices. Everything it does is a reaction to a call of the bus, so a test or a
/// simulation can call it as the bus does. Each of its parts knows one matter and calls none of the others: the loop
/// asks a part what is to be done, and does it.
public final class Bridge<Storage: Store, Clock: GatewayClock>: BusHandler {
    var engine: Engine
    var store: Storage
    var clock: Clock
    let options: BridgeOptions
    let sink: MQTTSink
    /// The log and the health report.
    var journal: Journal
    var watcher: BridgeWatcher
    /// The changes for the store, and what waits for the broker and the sinks.
    var ledger: Ledger
    /// The topics of the bridge, and the messages that it knows already.
    var inbound: Inbound
    var connection = BridgeConnection()
    /// The moments of its own tasks.
    var alarms = BridgeAlarms()
    /// The announcements to Home Assistant; nil when they are turned off.
    let homeAssistant: HomeAssistant?
    let mailbox: DefinitionMailbox
    /// The questions of other threads.
    let inquiries: QuestionMailbox
    /// The process around the bridge, for requests that need it.
    let surroundings: BridgeSurroundings?
    /// Requests to read definitions again that wait for their answer.
    var reloads: [BridgeRequest] = []
    /// The lists that were published last, by topic.
    var lists: [String: [UInt8]] = [:]
    /// The time for which messages are kept.
    var recordLength: Interval
    /// The last messages of each device; nil when none are kept.
    var tapes: MessageTapes?
    /// The messages that the broker should retain, for a broker that lost them.
    var retained: [ExactText: Publication] = [:]
    /// The comparison of the retained messages with the expected ones.
    var readBack: ReadBack
    /// The topic prefix of earlier announcements to Home Assistant, as far as the retained `bridge/info` names it.
    var formerAnnouncements: String? {
        didSet { announcementStarts = Self.starts(of: announcementPrefixes, for: sink) }
    }
    /// The beginnings of the topics of all announcements that may be this bridge's own.
    private(set) var announcementStarts: [[UInt8]] = []
    /// Other clients that write to the bridge's own topics.
    var rivalry = Rivalry()
    /// True if nothing may be published yet, because another bridge may be online.
    var isHeldBack = false
    /// True if it has found that it may be the bridge of its prefix.
    var isAdmitted = false
    /// True if it has found that another bridge has its place, and takes nothing in any more.
    var isRefused = false
    /// True if another client has the session, or may have: the broker said so when the last connection ended, or a bridge with
    /// this client id and another store had announced itself when it began.
    var isThrownOff = false
    /// True if the retained messages have been compared with the store.
    var hasCompared = false
    /// The last publication id before this process, as far as the store knows.
    let foundNumber: UInt64
    /// Its place at the broker.
    let claim: BridgeClaim
    /// The epochs that the revisions of this store had before.
    var formerEpochs: [Int64]
    /// The number of further questions of this batch that will be answered.
    var questionsLeft = 0
    /// Those who sent a message over HTTP, and wait for its commit.
    var unconfirmed: [@Sendable (BridgeReply) -> Void] = []

    /// The mark of the store, by which the bridge recognises its own messages.
    var owner: String { claim.owner }

    /// Makes a bridge without devices, and does nothing yet; ``recover(definitions:store:clock:options:sinks:mailbox:inquiries:surroundings:logger:watch:wantsTimelines:decisions:)``
    /// goes on from here.
    init(
        after state: StoredState,
        definitions: [Definition],
        store: Storage,
        clock: Clock,
        options: BridgeOptions,
        ports: BridgePorts
    ) {
        let start = clock.now
        // See docs/decisions/0013-epochs.md.
        let epoch = state.nextEpoch(at: start, boot: clock.boot)
        let progress = state.progress ?? StoreProgress(aliveAt: start, sequence: 0, lastPublication: 0)
        readBack = ReadBack(isDue: state.isBehind || progress.seeksStrays, at: start)
        foundNumber = progress.told
        claim = BridgeClaim(options, state.progress)
        formerEpochs = state.formerEpochs(before: epoch)
        engine = Engine(
            definitions: definitions,
            epoch: epoch,
            limits: options.engineLimits,
            foretells: options.publishesTimelines,
            resumingAt: progress.sequence,
            newestLostRun: progress.newestLostRun,
            // Names come from the network: with a known seed, thousands could share a place of the table.
            hashSeed: UInt64.random(in: .min ... .max)
        )
        self.store = store
        self.clock = clock
        self.options = options
        sink = options.sink
        journal = Journal(logger: ports.logger, startedAt: start)
        watcher = ports.watcher
        ledger = Ledger(progress, epoch: epoch, sinks: ports.sinks, options: options, at: start)
        inbound = Inbound(options, sink: sink, handled: progress.handled)
        mailbox = ports.definitions
        inquiries = ports.questions
        surroundings = ports.surroundings
        recordLength = options.recordLength
        tapes = MessageTapes(length: options.recordLength)
        homeAssistant = options.announcer(for: sink)
        announcementStarts = Self.starts(of: options.homeAssistant.map { [$0.prefix] } ?? [], for: sink)
        alarms[.look] = lookTime
    }

    /// Handles a batch of messages and commits the changes.
    ///
    /// While the store refuses, no further batch is handled: the broker sends it again.
    public func handle(_ batch: MessageBatch) -> BatchOutcome {
        if !ledger.isStoring, !commit() { return takeOwn(of: batch) }
        if inbound.cut != nil || isRefused { return .ended }
        questionsLeft = Self.questionLimit
        lookAtClock()
        noteOversized(batch.oversizedCount)
        let former = engine.counters
        journal.record(former, at: clock.now)
        for position in 0..<batch.count {
            let message = batch[position]
            guard inbound.handled.add(message) else { continue }
            if meetCut(message) { break }
            // By its arrival, not by now: a slow commit before this batch must not shift the times of its messages.
            takeShared(message, at: clock.moment(sinceBoot: message.arrival))
        }
        noteLimits(since: former, at: clock.now)
        journal.logRepeated(at: clock.now)
        return commit(all: inbound.cut != nil) ? inbound.cut == nil ? .committed : .ended : .notCommitted
    }

    /// Handles the bridge's own topics while the store refuses: otherwise a full disk would keep the bridge from announcing
    /// itself.
    private func takeOwn(of batch: MessageBatch) -> BatchOutcome {
        // Acknowledged here, an oversized message would never be counted.
        var outcome = batch.oversizedCount > 0 ? BatchOutcome.notCommitted : .committed
        for position in 0..<batch.count {
            let message = batch[position]
            if case .own(let topic) = inbound.classify(message.topic, announcements: announcementStarts) {
                take(message, on: topic, at: clock.now)
            } else {
                outcome = .notCommitted
            }
        }
        return outcome
    }

    /// The time until something is due, whether a device's deadline or a task of the bridge; nil if nothing is.
    ///
    /// No time at all while questions wait.
    public var sleepLimit: Interval? {
        if !inquiries.isEmpty { return .zero }
        var next = Timestamp.distantFuture
        func consider(_ moment: Timestamp?) {
            if let moment, moment < next { next = moment }
        }
        consider(engine.nextDeadline)
        consider(ledger.due)
        for alarm in BridgeAlarm.allCases where mayRing(alarm) { consider(alarms[alarm]) }
        consider(readBack.end)
        consider(journal.due)
        if connection.isOpen { consider(rivalry.due) }
        return next == .distantFuture ? nil : clock.timeLeft(until: next)
    }

    /// Takes changed definitions, handles due deadlines and answers questions of other threads.
    public func wake() {
        lookAtClock()
        openMailbox()
        let now = clock.now
        journal.record(engine.counters, at: now)
        tell(engine.handle(.timePassed, at: now))
        lookForReaders()
        answerInquiries(at: now)
        journal.logRepeated(at: now)
        if let end = readBack.end, end <= now { finishStep(at: now) }
        if connection.isOpen { answerOthers(at: now) }
        if mayRing(.health), alarms.isDue(.health, at: now) { reportHealth(at: now) }
        if mayRing(.lists), alarms.isDue(.lists, at: now) { announceLists() }
        if mayRing(.announcements), alarms.isDue(.announcements, at: now) { repeatAnnouncements() }
        if mayRing(.idleDevices), alarms.isDue(.idleDevices, at: now) { announceIdleDevices() }
        confirm(commit(all: ledger.isCheckpointDue(at: now)))
    }

    /// Returns whether a task is done when its moment comes, or waits for more than that.
    private func mayRing(_ alarm: BridgeAlarm) -> Bool {
        if alarm.needsConnection, !connection.isOpen { return false }
        // A report would replace the one at the broker that shows that the store is older, see `meet`.
        return alarm != .health || !readBack.isBehind
    }

    /// The next publication for the broker.
    public func nextPublication() -> Publication? {
        // Also while all else is held back: its return is what ends that.
        if let number = readBack.takeEcho() { return sink.echo("\(owner) \(number)", id: ledger.nextID()) }
        guard !isHeldBack, let publication = ledger.next() else { return nil }
        if publication.isRetained, !readBack.missing.isEmpty {
            // The broker has it right now, and the end of the comparison must not publish it a second time.
            readBack.missing.remove(ExactText(publication.topic))
        }
        return publication
    }

    /// Notes that a publication need not be sent any more.
    public func settled(_ id: UInt64, _ outcome: PublicationOutcome) {
        if case .refused(let reason) = outcome {
            journal.note(
                .publicationRefused,
                "the broker refused to publish \(reason)",
                kind: "publications refused",
                at: clock.now
            )
        }
        ledger.settle(id, at: clock.now)
    }

    /// Makes everything durable, for nothing comes after it.
    public func ended() {
        ledger.end()
        _ = commit(all: true)
        inquiries.close()
    }
}

// MARK: Publishing

extension Bridge {
    /// Sends a publication about devices: once it is stored, and again after a restart if necessary.
    ///
    /// Changes the ledger; a retained one that is the bridge's own is expected at the broker from now on.
    func enqueue(_ publication: consuming Publication, isOwn: Bool = true) {
        publication.id = ledger.nextID()
        if publication.isRetained, isOwn {
            retained[ExactText(publication.topic)] = publication.payload.isEmpty ? nil : copy publication
        }
        ledger.enqueue(publication)
    }

    /// Sends a publication about this process, which means nothing to the next one; changes the ledger.
    func announce(_ publication: consuming Publication) {
        publication.id = ledger.nextID()
        queue(publication)
    }

    /// Queues a publication for the broker, and settles those that it replaces.
    func queue(_ publication: Publication) {
        if ledger.queue(publication, at: clock.now) { noteDropped(1) }
    }

    /// Sends a retained publication about this process before everything that waits; changes the ledger.
    func announceAhead(_ publication: consuming Publication) {
        publication.id = ledger.nextID()
        ledger.queueAhead(publication, at: clock.now)
    }

    /// Reports that publications were dropped because too many wait.
    func noteDropped(_ times: Int) {
        for _ in 0..<times {
            journal.note(
                .publicationsDropped,
                "too many messages wait for the broker: the oldest differences, alerts and events are dropped",
                kind: "differences, alerts and events dropped",
                at: clock.now
            )
        }
    }

    /// Commits the gathered changes and moves their publications to the outbox.
    ///
    /// - Parameter all: Whether everything is stored, including readings that changed nothing else.
    /// - Returns: whether the store accepted it.
    func commit(all: Bool = false) -> Bool {
        ledger.gather(engine.takeImages(all: all))
        guard all || ledger.needsCommit(at: clock.now) else {
            ledger.showActivities(of: engine)
            return true
        }
        let now = clock.now
        let progress = progress(at: now)
        let layouts = ledger.changes.images.isEmpty ? nil : engine.imageLayouts()
        let begin = CommitMeter.time
        do throws(StoreFault) {
            try store.commit(ledger.batch(progress, layouts: layouts))
            journal.health.commits.record(CommitMeter.time - begin, isRefused: false)
        } catch {
            journal.health.commits.record(CommitMeter.time - begin, isRefused: true)
            journal.note(
                .commitRefused,
                "the store refused a commit: \(error.message)",
                kind: "commits refused",
                at: now
            )
            if error.endsProcess { watcher.tell(.storeIsLost(error)) }
            ledger.refused(all: all, begunAt: now)
            if journal.health.committed(error, at: now) { reportHealthSoon(at: now) }
            return false
        }
        let drops = ledger.committed(all: all, begunAt: now, at: clock.now)
        if journal.health.committed(nil, at: now) { reportHealthSoon(at: now) }
        noteDropped(drops)
        ledger.showActivities(of: engine)
        return true
    }

    /// The progress of the bridge, for the store.
    private func progress(at now: Timestamp) -> StoreProgress {
        var progress = StoreProgress(
            aliveAt: now,
            sequence: engine.sequence,
            lastPublication: ledger.lastID,
            seeksStrays: readBack.isDue
        )
        // Ids given before the comparison reached no reader. Counted,
        // they would hide that the store is older than the broker.
        progress.told = hasCompared ? ledger.lastID : ledger.progress.told
        progress.newestLostRun = engine.newestLostRun
        progress.owner = owner
        progress.cut = inbound.cut
        progress.formerEpochs = formerEpochs.suffix(Self.epochLimit)
        progress.handled = inbound.handled.last
        progress.boot = clock.boot
        progress.origin = clock.mayBeFound ? engine.origin : nil
        return progress
    }

    /// The number of former epochs that the store remembers.
    private static var epochLimit: Int { 16 }

    /// Lets the next report come with the next attempt of a commit: a disk that is full is no matter for a minute from now.
    private func reportHealthSoon(at now: Timestamp) {
        alarms[.health] = alarms[.health].map { min($0, now + Ledger.commitPause) }
    }
}
