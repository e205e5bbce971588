import Logging
public import SkerryDevice
package import SkerryEngine
import SkerryMachine
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
    /// The memory of the broker: what it should retain, and what it does.
    var readBack: ReadBack
    /// The lists of devices and definitions, and the announcements to Home Assistant.
    var announcer: Announcer
    /// The questions and requests that wait.
    var requests: Requests
    var recorder: TapeRecorder

    /// Makes a bridge without devices, and does nothing yet; ``recover(definitions:store:clock:options:ports:)`` goes on
    /// from here.
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
        readBack = ReadBack(after: state, epoch: epoch, options: options, sink: sink, at: start)
        announcer = Announcer(options, sink: sink, room: ports.room)
        requests = Requests(ports)
        recorder = TapeRecorder(length: options.recordLength)
        alarms[.look] = lookTime
        if let homeAssistant = announcer.homeAssistant { readBack.expect(homeAssistant.bridgeAnnouncement) }
    }

    /// Handles a batch of messages and commits the changes.
    ///
    /// While the store refuses, no further batch is handled: the broker sends it again. Changes the engine and what its effects
    /// reach: the ledger, the journal and the alarms. Messages on the bridge's own topics change the read-back.
    public func handle(_ batch: MessageBatch) -> BatchOutcome {
        if !ledger.isStoring, !commit() { return takeOwn(of: batch) }
        if inbound.cut != nil || readBack.isRefused { return .ended }
        requests.beginBatch()
        lookAtClock()
        noteOversized(batch.oversizedCount)
        let former = engine.counters
        journal.record(former, at: clock.now)
        // Never another one: taken out of the bridge once, because each look at a field of it is checked.
        let topics = inbound.topics
        for position in 0..<batch.count {
            let message = batch[position]
            guard inbound.handled.add(message) else { continue }
            if topics.cut(message) != nil, meetCut(message) { break }
            // By its arrival, not by now: a slow commit before this batch must not shift the times of its messages.
            takeShared(message, topics, at: clock.moment(sinceBoot: message.arrival))
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
            if case .own(let topic) = inbound.topics.classify(message.topic, announcements: announcer.starts)
            {
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
        if requests.areWaiting { return .zero }
        var next = Timestamp.distantFuture
        func consider(_ moment: Timestamp?) {
            if let moment, moment < next { next = moment }
        }
        consider(engine.nextDeadline)
        consider(ledger.due)
        // Asked once, because each look at a field of the bridge is checked, and this comes after each lone message.
        let (alarms, mayPublish, isBehind) = (alarms, connection.isOpen, readBack.progress.isBehind)
        for alarm in BridgeAlarm.allCases where alarm.mayRing(isOpen: mayPublish, isBehind: isBehind) {
            consider(alarms[alarm])
        }
        consider(readBack.end)
        consider(journal.due)
        if mayPublish { consider(readBack.rivalsDue) }
        return next == .distantFuture ? nil : clock.timeLeft(until: next)
    }

    /// Takes changed definitions, handles due deadlines and answers questions of other threads.
    ///
    /// Changes any part: this is where time passes.
    public func wake() {
        lookAtClock()
        openMailbox()
        let now = clock.now
        journal.record(engine.counters, at: now)
        tell(engine.handle(.timePassed, at: now))
        lookForReaders()
        answerQuestions()
        journal.logRepeated(at: now)
        if let end = readBack.end, end <= now { finishStep(at: now) }
        if connection.isOpen { answerOthers(at: now) }
        if mayRing(.health), alarms.isDue(.health, at: now) { reportHealth(at: now) }
        if mayRing(.lists), alarms.isDue(.lists, at: now) { announceLists() }
        if mayRing(.announcements), alarms.isDue(.announcements, at: now) { repeatAnnouncements() }
        if mayRing(.idleDevices), alarms.isDue(.idleDevices, at: now) { announceIdleDevices() }
        requests.confirm(commit(all: ledger.isCheckpointDue(at: now)))
    }

    /// Returns whether a task is done when its moment comes, or waits for more than that.
    private func mayRing(_ alarm: BridgeAlarm) -> Bool {
        alarm.mayRing(isOpen: connection.isOpen, isBehind: readBack.progress.isBehind)
    }

    /// The next publication for the broker; changes the outbox, and what the read-back misses.
    public func nextPublication() -> Publication? {
        // Also while all else is held back: its return is what ends that.
        if let echo = readBack.takeEcho() { return sink.echo(echo, id: ledger.nextID()) }
        guard !readBack.isHeldBack, let publication = ledger.next() else { return nil }
        readBack.sent(publication)
        return publication
    }

    /// Notes that a publication need not be sent any more; changes the ledger, and the journal if the broker refused it.
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

    /// Makes everything durable, for nothing comes after it; changes the ledger, and closes the mailbox of questions.
    public func ended() {
        ledger.end()
        // A refusal changes nothing any more: the next process goes on from the last commit.
        _ = commit(all: true)
        requests.close()
    }
}

// MARK: Publishing

extension Bridge {
    /// Sends a publication about devices: once it is stored, and again after a restart if necessary.
    ///
    /// Changes the ledger; a retained one that is the bridge's own is expected at the broker from now on.
    func enqueue(_ publication: consuming Publication, isOwn: Bool = true) {
        publication.id = ledger.nextID()
        if publication.isRetained, isOwn { readBack.expect(publication) }
        ledger.enqueue(publication)
    }

    /// Sends a publication about this process, which means nothing to the next one; changes the ledger.
    package func announce(_ publication: consuming Publication) {
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
        // Before the ledger is asked: a call of the clock in between would have the whole ledger copied.
        let now = clock.now
        if !all, !ledger.needsCommit(at: now) {
            if ledger.showsActivities { ledger.showActivities(of: engine) }
            return true
        }
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
        assert(ledger.isStoring, "a commit has succeeded, and the store takes nothing")
        if journal.health.committed(nil, at: now) { reportHealthSoon(at: now) }
        noteDropped(drops)
        if ledger.showsActivities { ledger.showActivities(of: engine) }
        return true
    }

    private func progress(at now: Timestamp) -> StoreProgress {
        var progress = StoreProgress(
            aliveAt: now,
            sequence: engine.sequence,
            lastPublication: ledger.lastID,
            seeksStrays: readBack.progress.isDue
        )
        // Ids given before the comparison reached no reader. Counted,
        // they would hide that the store is older than the broker.
        progress.told = readBack.hasCompared ? ledger.lastID : ledger.progress.told
        assert(progress.told <= progress.lastPublication, "readers have what was never published")
        assert(
            progress.sequence >= ledger.progress.sequence,
            "the counter of deadlines falls between two commits"
        )
        progress.newestLostRun = engine.newestLostRun
        progress.owner = readBack.owner
        progress.cut = inbound.cut
        progress.formerEpochs = readBack.formerEpochs.suffix(Self.epochLimit)
        progress.handled = inbound.handled.last
        progress.boot = clock.boot
        // Only a clock that is yet to be found asks where the process began.
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

// MARK: The wall clock, which people and time servers set

extension Bridge {
    /// Looks whether the wall clock was set, and puts everything right that depends on it.
    func lookAtClock() {
        let change = clock.look()
        defer { tellClock() }
        alarms[.look] = lookTime
        let shift: ClockShift
        switch change {
        case .steady: return
        case .found(let length):
            journal.logger.notice(
                .clockFound,
                "the clock is now right: \(length.roundedSeconds) s more have passed than were counted"
            )
            // 0021: what was restored has waited through the time
            // that was found; only what began in this process moves.
            shift = ClockShift(by: length, since: engine.origin)
        case .stepped(let length):
            journal.logger.notice(
                .clockSet,
                "the clock was set by \(length.roundedSeconds) s; this moves no timer"
            )
            shift = ClockShift(by: length)
        }
        // What was due before the step is handled first, at its time
        // by the old clock. Afterwards it would have moved, too.
        let time = clock.now
        let formerTime = time - shift.length
        tell(engine.handle(.timePassed, at: formerTime), asOf: formerTime)
        move(by: shift)
        watcher.tell(.clock(clock, movedBy: shift.length))
        tell(engine.clockSet(by: shift.length, since: shift.origin, at: time))
        // Or the next commit would keep the new time beside deadlines of the old one.
        _ = commit(all: true)
    }

    /// The moment of the next look at the wall clock; nil if its right time would make nothing due.
    var lookTime: Timestamp? { clock.mayBeFound ? clock.now + .seconds(10) : nil }

    /// Publishes the state of the clock to the health report and to every sink.
    func tellClock() {
        journal.health.clock = clock.state
        for sink in ledger.sinks { sink.setClock(isKnown: clock.state == .known) }
    }

    /// Moves the bridge's own deadlines and the moments that it has recorded.
    private func move(by shift: ClockShift) {
        alarms.move(by: shift.length)
        readBack.clockMoved(by: shift.length)
        journal.clockStepped(by: shift.length)
        recorder.clockStepped(by: shift.length)
        ledger.move(by: shift, at: clock.now)
    }
}

extension Bridge {
    /// Takes the definitions from the mailbox.
    func openMailbox() {
        for letter in requests.definitions.takeAll() {
            switch letter {
            case .definitions(let definitions):
                answerReloads(change(to: definitions, at: clock.now))
                // Also without a change: the text of a file may have another comment.
                watcher.tell(.redefined)
            case .refusal(let id, let reason):
                journal.note(id, reason, at: clock.now)
                answerReloads([], fault: reason)
            }
        }
    }

    /// Changes to other definitions.
    ///
    /// - Returns: what has changed, line by line.
    private func change(to definitions: [Definition], at now: Timestamp) -> [String] {
        let former = filters
        let change = engine.change(to: definitions, at: now)
        // All of them: which ones are still wanted is asked once the session is open again.
        connection.abandon(former)
        tell(change.effects)
        for device in change.ended {
            forget(
                // Only kind and name count for a removal.
                DeviceImage(kind: device.kind, name: device.name, layout: 0, bytes: []),
                toldAvailability: device.toldAvailability
            )
        }
        announceAgain(kinds: change.changed + change.chosen)
        for line in change.report { journal.logger.notice(.definitionsChanged, "\(line)") }
        if connection.isOpen, readBack.isAdmitted {
            announceInfo()
            announceLists()
        }
        return change.report
    }

    /// Removes a device whose definition no longer exists from the store and from the broker.
    func forget(_ device: DeviceImage, toldAvailability: Bool) {
        ledger.forget(DeviceKey(kind: device.kind, name: device.name))
        if toldAvailability { enqueue(sink.forgottenAvailability(of: device.name, kind: device.kind)) }
        if let homeAssistant = announcer.homeAssistant {
            enqueue(homeAssistant.withdrawal(ofDevice: device.name, kind: device.kind))
        }
        publishEvent("device_forgotten", of: device.name, kind: device.kind)
    }

    /// Changes the announcements of devices whose definitions have changed.
    private func announceAgain(kinds: [String]) {
        guard announcer.homeAssistant != nil, !kinds.isEmpty else { return }
        var devices: [DeviceKey] = []
        engine.forEachDevice { kind, device in
            if kinds.contains(kind) { devices.append(DeviceKey(kind: kind, name: device.name)) }
        }
        announce(devices)
    }

    /// Changes the announcements of devices, as far as they would be other ones now.
    package func announce(_ devices: [DeviceKey]) {
        for device in devices { announce(device: device.name, kind: device.kind) }
    }

    /// The publication of `bridge/info`.
    var info: Publication {
        journal.health.info(
            of: engine,
            owner: readBack.owner,
            options: options,
            announces: announcer.namedPrefix,
            topic: sink.infoTopic
        )
    }

    /// Forgets a device because somebody asks for it.
    ///
    /// - Returns: whether there was one.
    func forgetDevice(kind: String, device: String, at now: Timestamp) -> Bool {
        guard let effects = engine.forget(kind: kind, device: device, at: now) else { return false }
        tell(effects)
        journal.logger.notice(.deviceForgotten, "\(kind)/\(device): forgotten on request")
        return true
    }

    /// The filters of messages of devices.
    var filters: [String] {
        let filters = engine.definitions.filters
        // Without a share, too: of devices that a payload names, the broker knows no partition.
        return filters + (inbound.topics.share.map { $0.filters(of: filters) } ?? []) + activityFilters
    }

    /// The filters of the activities that definitions read, which may be those of devices of other partitions.
    private var activityFilters: [String] {
        // A bridge of all devices makes each activity itself.
        if options.engine.partition == nil { return [] }
        return engine.kindsRead.map { "\(sink.prefix)/\($0)/+/\(OwnTopic.DeviceTopic.activity.rawValue)" }
    }
}

extension [Definition] {
    /// The filters of all definitions for the broker, each once.
    ///
    /// Those that tell whether a device can be reached come first, because a broker sends retained messages in this
    /// order: a will is to be known before what its device said last.
    public var filters: [String] {
        let sources = flatMap(\.sources).filter { !$0.filter.isOfEngine }
        let ordered = sources.filter(\.tellsAvailability) + sources.filter { !$0.tellsAvailability }
        // Asked each time that the bridge is woken.
        var known: Set<String> = []
        return ordered.map(\.filter.subscription).filter { known.insert($0).inserted }
    }
}

extension DefinitionChange {
    /// The change for the log, line by line.
    fileprivate var report: [String] {
        if isEmpty { return ["definitions: nothing has changed"] }
        let groups = [
            ("new", added), ("changed", changed), ("other names, settings or place", chosen),
            ("gone", removed),
        ]
        let parts = groups.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
        let ends = ended.isEmpty ? "" : ", \(ended.count.devices) \(ended.count == 1 ? "ends" : "end")"
        let sum =
            "definitions: \(parts.joined(separator: "; ")); \(kept.devices) \(kept == 1 ? "goes" : "go") on\(ends)"
        return [sum] + moves.map { $0.line }
    }
}

extension DeviceMove {
    /// Names that a line of the log shows.
    private static var nameLimit: Int { 5 }

    /// The move in words: which devices, and where they went.
    package var line: String {
        var names = devices.prefix(Self.nameLimit).joined(separator: ", ")
        if devices.count > Self.nameLimit { names += " and \(devices.count - Self.nameLimit) more" }
        switch fate {
        case .goesOn: return "\(kind)/\(names): as before"
        case .migrates(let from, let to):
            return "\(kind)/\(names): \(from) no longer exists, continues in \(to)"
        case .startsAnew(let from):
            return "\(kind)/\(names): \(from) no longer exists, starts in the initial state"
        }
    }
}

extension Int {
    /// This number of devices in words.
    var devices: String { self == 1 ? "1 device" : "\(self) devices" }
}
