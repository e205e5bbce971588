import Logging
import SkerryActivity
public import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

// The calls of the bus about its connection: what to subscribe to, and what came of it.

extension Bridge {
    /// The filters of all definitions, of commands and questions, and of the read-back.
    public func subscriptionPlan() -> SubscriptionPlan {
        var filters = filters + [sink.commandFilter] + sink.questionFilters + inbound.topics.cutFilters
        if let homeAssistant = announcer.homeAssistant { filters.append(homeAssistant.statusTopic) }
        // A bridge that may still have to end takes nothing in.
        let mayBeRefused = readBack.stage == .meeting && !readBack.isAdmitted
        var plan = SubscriptionPlan(
            filters: mayBeRefused ? [] : filters,
            obsolete: connection.obsolete(beside: filters),
            // A store that is new or lost commits lacks values that the session's filters brought before; and what was published
            // with QoS 0 while the bridge did not run is in no queue.
            wantsRetained: readBack.progress.isDue || !readBack.hasCompared
        )
        switch readBack.stage {
        case .apart: break
        case .meeting: plan.own = sink.meetingFilters + otherFilters
        case .comparing:
            plan.own = sink.retainedFilters + announcer.filters + [sink.echoTopic]
            plan.watched = sink.bridgeFilters
        case .watching:
            plan.watched = sink.bridgeFilters
            // Those of all partitions would come to each.
            if options.engine.partition == nil { plan.watched += sink.retainedFilters }
        }
        return plan
    }

    /// Reports filters that the broker refused; changes the step of the read-back, and the journal.
    public func subscribed(_ outcomes: [SubscriptionOutcome]) {
        let plan = subscriptionPlan()
        let answers = outcomes.filter { plan.own.contains($0.filter) }
        let others = outcomes.filter { plan.filters.contains($0.filter) }
        for outcome in others where outcome.granted == nil {
            journal.note(
                .subscriptionRefused,
                "the broker refused the subscription to \(outcome.filter): \(outcome.reason)",
                kind: "subscription to \(outcome.filter) refused",
                at: clock.now
            )
        }
        if !answers.isEmpty {
            readBack.asked(isGranted: answers.contains { $0.granted != nil }, at: clock.now)
        }
        if !others.isEmpty { watcher.tell(.subscribed) }
    }

    /// Begins the read-back; nothing is published before it shows whether another bridge is online.
    ///
    /// Changes the connection, the read-back, the lists that count as published, and which messages may be repeated.
    public func connected(_ session: BusSession) {
        connection.open(at: clock.now)
        journal.health.connects += 1
        journal.logger.info(.connected, "connected\(session.isResumed ? ", the session goes on" : "")")
        inbound.handled.begin(session)
        // The broker may have restored older ones.
        announcer.forgetLists()
        readBack.begin(session)
        watcher.tell(.connected)
    }

    /// Reports why there is no connection; changes the connection, the read-back and the journal.
    public func disconnected(_ fault: BusFault) {
        connection.close(fault.message, at: clock.now)
        if fault.kind == .takenOver { journal.health.takenOver += 1 }
        readBack.stop(isTakenOver: fault.kind == .takenOver)
        // A broker that is away is tried again every few seconds, for as long as it takes.
        journal.note(.disconnected, fault.message, kind: fault.message, at: clock.now)
        tell(engine.handle(.disconnected, at: clock.now))
        watcher.tell(.disconnected(fault))
    }

    /// The last publication, `offline`; nil if the bridge never announced itself.
    public func farewell() -> Publication? {
        // Its `offline` would stand for the bridge that is really online.
        guard readBack.isAdmitted, !readBack.isRefused else { return nil }
        var publication = sink.state(isOnline: false)
        publication.id = ledger.nextID()
        return publication
    }

    /// The filters of what bridges with this prefix retain about themselves, whatever devices they have.
    private var otherFilters: [String] {
        options.engine.partition == nil ? [] : ["\(sink.prefix)/+/state", "\(sink.prefix)/+/info"]
    }

    func reportHealth(at now: Timestamp) {
        alarms[.health] = now + options.healthInterval
        announce(healthReport(at: now))
    }

    /// The publication of `bridge/health`.
    func healthReport(at now: Timestamp) -> Publication {
        journal.health.report(engine, ledger, at: now, topic: sink.healthTopic)
    }
}

// MARK: The read-back

extension Bridge {
    /// The pause after which a step is tried again when the store refused.
    private static var retryPause: Interval { .seconds(1) }

    /// The remedy for two bridges with one prefix.
    private static var remedy: String { "end one of the two, or give it a prefix of its own (--prefix)" }

    /// Compares a message on a topic on which only this bridge should write, and does what that shows.
    func take(_ message: MessageBatch.Message, on topic: OwnTopic, at now: Timestamp) {
        let finding = readBack.meet(message, on: topic, epoch: engine.epoch, at: now) {
            isSetAside($0, isAnnouncement: topic == .announcement)
        }
        switch finding {
        // 0024: the broker repeats what was not acknowledged before anything else, and so before the echo.
        case .echo: inbound.handled.end()
        case .announces(let prefix): announcer.found(former: prefix)
        case .otherBridge(let name):
            journal.health.foreign += 1
            journal.note(
                .otherBridge,
                "\(name) has also started with the prefix '\(options.prefix)': \(Self.remedy)",
                at: now
            )
        case .rival: journal.health.foreign += 1
        case .stray(let topic):
            journal.mention(
                .retainedDeleted,
                "\(topic.prefix(Inbound.notedTopicLimit)): no device publishes this any more; it is deleted",
                kind: "retained topics deleted that no device publishes any more",
                at: now
            )
            enqueue(Publication(topic: topic, payload: [], isRetained: true))
        case .strayAnnouncement(let announcement):
            enqueue(Publication(topic: announcement, payload: [], isRetained: true))
        case nil: break
        }
    }

    /// Returns whether a topic belongs to a device that was set aside and may come back.
    private func isSetAside(_ topic: ExactText, isAnnouncement: Bool) -> Bool {
        let devices = journal.health.setAside
        if isAnnouncement { return announcer.isAnnouncement(topic, ofAnyOf: devices) }
        return devices.contains { topic.text.hasPrefix("\(sink.prefix)/\($0)/") }
    }

    /// Ends a step of the read-back.
    func finishStep(at now: Timestamp) {
        switch readBack.stage {
        case .apart, .watching: break
        case .meeting: meet(at: now)
        case .comparing: finishComparing(at: now)
        }
    }

    /// Announces this bridge, if it may use its prefix.
    private func meet(at now: Timestamp) {
        inbound.handled.end()
        switch readBack.meet(epoch: engine.epoch) {
        case .refused(let reason): watcher.tell(.isRefused(reason))
        case .admitted(let isFirst, let rival, let isReadable):
            if let rival {
                journal.note(.otherBridge, "\(rival) is online, too: \(Self.remedy)", at: now)
            }
            if !isReadable {
                journal.noteOthers(
                    "the retained messages below '\(sink.prefix)' can't be read back: allow this bridge to read them",
                    at: now
                )
            }
            announcePresence()
            // A report of this store would replace the one that shows that the store is older.
            if !readBack.progress.isBehind { reportHealth(at: now) }
            announceLists()
            readBack.beginComparing()
            // The mark of a new store must be stored as it was published.
            _ = commit(all: isFirst)
        }
    }

    /// Publishes that this bridge is online, and before that who it is.
    private func announcePresence() {
        announceAhead(sink.state(isOnline: true))
        announceInfo()
    }

    /// Publishes who this bridge is, before everything that waits.
    ///
    /// A reader that finds a bridge online, or a revision of a new epoch, must be able to find whose it is. Behind the
    /// queue a connection that breaks again and again would let revisions pass and the epoch wait.
    func announceInfo() {
        announceAhead(info)
        if ledger.holds(ExactText(sink.stateTopic)) { announceAhead(sink.state(isOnline: true)) }
    }

    /// Corrects the retained messages that differ.
    private func finishComparing(at now: Timestamp) {
        readBack.release()
        let wasDue = readBack.progress.isDue
        if readBack.findsOlderStore {
            beginNewEpoch(at: now)
        } else {
            // Nothing may be published before it is stored.
            guard commit() else { return readBack.postpone(until: now + Self.retryPause) }
            putRight()
            readBack.foundAll()
        }
        readBack.compared()
        awaitIdleDevices(at: now)
        tell(engine.handle(.connected, at: now))
        watcher.tell(.compared)
        if readBack.progress.isReadable, announcer.leftFormer() { announceInfo() }
        // The broker has left them: it has answered to all that was sent behind that.
        connection.leftObsolete()
        let (count, example) = readBack.progress.left
        if count > 0 {
            journal.noteOthers(
                "\(example) does not belong to this bridge and is left alone; there are \(count) like it",
                at: now
            )
        }
        readBack.beginWatching()
        _ = commit(all: wasDue)
    }

    private func putRight() {
        let publications = readBack.missing { ledger.holds($0) }
        for publication in publications { announce(publication) }
        let deleted = readBack.progress.takenAway
        if publications.isEmpty && deleted == 0 { return }
        journal.logger.notice(
            .retainedMended,
            "retained messages that were wrong or missing: \(publications.count) published again, \(deleted) deleted"
        )
    }

    /// Publishes everything in a new epoch, because readers have seen revisions that the store does not know.
    private func beginNewEpoch(at now: Timestamp) {
        var past = StoredState()
        past.epoch = readBack.newestEpoch(beside: engine.epoch)
        past.mayHaveForgotten = true
        // See docs/decisions/0013-epochs.md.
        let epoch = past.nextEpoch(at: now, boot: clock.boot)
        journal.note(
            .storeOlder,
            "readers hold later revisions than the store, which may be an older copy: everything is published in a new epoch",
            at: now
        )
        readBack.leave(epoch: engine.epoch)
        engine.begin(epoch: epoch)
        ledger.begin(epoch: epoch, isOfEpoch: { sink.isOfEpoch($0) }, at: now)
        readBack.expect(engine, announcements: announcer.announcements(of: engine))
        for publication in readBack.expected { enqueue(publication) }
        announceInfo()
        readBack.publishedAnew()
        reportHealth(at: now)
        ledger.showActivitiesSoon()
        watcher.tell(.newEpoch(epoch))
        engine.forEachDevice { kind, device in
            guard let update = device.lastRevision else { return }
            watcher.tell(.resumed(kind: kind, device: device.name, update))
        }
    }

    /// Writes its own where others have written, ever more seldom.
    func answerOthers(at now: Timestamp) {
        let topics = readBack.takeRivals(at: now)
        guard let example = topics.min(by: { $0.text < $1.text }) else { return }
        journal.note(
            .otherBridge,
            "another client has written to \(topics.count) topics of this bridge, such as \(example.text): they are "
                + "published again; if another bridge runs, \(Self.remedy)",
            at: now
        )
        // Nothing may be published before it is stored; the next connection compares again.
        guard commit() else { return }
        if topics.contains(ExactText(sink.stateTopic)) {
            announcePresence()
            // A bridge that was here had its own.
            announcer.forgetLists()
            announceLists()
        }
        for topic in topics where !ledger.holds(topic) {
            if let own = readBack.retained[topic] { announce(own) }
        }
    }
}

extension Bridge {
    /// Makes a bridge that is not connected yet, with the devices of the store.
    ///
    /// First the unsettled publications, then the devices, then the deadlines of the downtime, in order and each at
    /// its own time. The result is committed.
    ///
    /// - Parameters:
    ///   - definitions: The definitions of the devices.
    ///   - store: The store for everything that survives a restart.
    ///   - clock: The source of time; its present time makes the epoch of all revisions if the store is new.
    ///   - options: Its options.
    ///   - ports: Its log, and those around it.
    /// - Returns: the bridge, and what was recovered; nil for that if the store is new.
    /// - Throws: ``StoreFault`` when the store can't be read.
    public static func recover(
        definitions: [Definition],
        store: Storage,
        clock: Clock,
        options: BridgeOptions,
        ports: BridgePorts
    ) throws(StoreFault) -> (bridge: Bridge, recovery: Recovery?) {
        var store = store
        var clock = clock
        let state = try store.load()
        if let past = state.progress?.past { clock.start(after: past) }
        let bridge = Bridge(
            after: state,
            definitions: definitions,
            store: store,
            clock: clock,
            options: options,
            ports: ports
        )
        bridge.tellClock()
        bridge.watcher.tell(.clock(clock, movedBy: .zero))
        return (bridge, bridge.restore(state, at: bridge.journal.health.startedAt))
    }

    /// Restores the state of the store.
    ///
    /// - Returns: what was recovered; nil if the store is new.
    private func restore(_ state: StoredState, at now: Timestamp) -> Recovery? {
        noteDropped(ledger.restore(state, at: clock.now))
        guard let progress = state.progress else { return nil }
        let downtime = Downtime(start: progress.aliveAt, end: now)
        let layouts = Dictionary(state.layouts.map { ($0.id, $0) }) { first, _ in first }
        var turns = beginRecovery(state, at: now)
        var restoration = EngineRestoration(of: engine, after: downtime)
        // 0012: the runs of the device that is left out are unknown,
        // so new ones must be named later than any of them.
        if state.recovery.culprit != nil { restoration.loseRuns(upTo: downtime.start.flooredSeconds) }
        var restored = 0
        for image in state.devices {
            let device = DeviceKey(kind: image.kind, name: image.name)
            if device == state.recovery.culprit { continue }
            if turns.isCareful { begin(device, in: &turns) }
            if let layout = layouts[image.layout] {
                if restore(image, layout, at: now, &restoration) { restored += 1 }
            } else {
                giveUp(image, "the layout of its image is missing", at: now, &restoration)
            }
        }
        // A crash from here on is not the fault of the last device.
        if turns.isCareful { begin(nil, in: &turns) }
        if state.mayHaveForgotten {
            // Before the deadlines of the downtime: a reader needs
            // the restored snapshots for the differences that follow.
            readBack.expect(
                restoration.engine,
                announcements: announcer.announcements(of: restoration.engine)
            )
            journal.logger.notice(
                .commitsLost,
                "the last commits may be missing: everything is published again, in a new epoch"
            )
            for publication in readBack.expected { enqueue(publication) }
        }
        let late: [Effect]
        (engine, late) = restoration.finish(
            since: progress.origin(in: clock.boot),
            before: turns.isCareful ? { self.begin(DeviceKey(kind: $0, name: $1), in: &turns) } : nil
        )
        if turns.isCareful { begin(nil, in: &turns) }
        tell(late)
        readBack.expect(engine, announcements: announcer.announcements(of: engine))
        engine.forEachDevice { kind, device in
            guard let update = device.lastRevision else { return }
            watcher.tell(.resumed(kind: kind, device: device.name, update))
        }
        let recovery = Recovery(devices: restored, downtime: downtime.length, late: late.count)
        journal.logger.info(.recovered, "\(recovery)")
        ledger.showActivitiesSoon()
        _ = commit()
        // Only now: a crash during the commit is one of this recovery, too.
        note(RecoveryMark())
        return recovery
    }

    /// Restores a device in the engine.
    ///
    /// - Returns: whether it was restored.
    private func restore(
        _ image: DeviceImage,
        _ layout: DefinitionLayout,
        at now: Timestamp,
        _ restoration: inout EngineRestoration
    ) -> Bool {
        var effects: [Effect] = []
        defer { tell(effects) }
        switch restoration.restore(image, layout: layout, effects: &effects) {
        case .restored: return true
        case .orphaned(let toldAvailability):
            forget(image, toldAvailability: toldAvailability)
            journal.mention(
                .deviceOrphaned,
                "\(image.kind)/\(image.name): its definition no longer exists; its activity ends",
                kind: "devices whose definition no longer exists",
                at: now
            )
        case .beyondLimit(let toldAvailability):
            forget(image, toldAvailability: toldAvailability)
            journal.note(
                .deviceLost,
                "\(image.kind)/\(image.name): there are too many devices; its activity ends",
                kind: "devices beyond the limit",
                at: now
            )
        case .refused(let fault):
            giveUp(image, "its image can't be read, \(fault.message)", at: now, &restoration)
        }
        return false
    }

    /// Reports a device that can't be restored; its retained messages will be found and deleted.
    private func giveUp(
        _ image: DeviceImage,
        _ reason: String,
        at now: Timestamp,
        _ restoration: inout EngineRestoration
    ) {
        readBack.seekStrays()
        restoration.loseRuns(upTo: ledger.progress.aliveAt.flooredSeconds)
        let isDefined = engine.definitions.contains { $0.kind.hasSameCodePoints(as: image.kind) }
        if !isDefined { forget(image, toldAvailability: true) }
        let outcome =
            isDefined ? "it starts again with its next message" : "its definition no longer exists either"
        journal.note(
            .deviceLost,
            "\(image.kind)/\(image.name): \(reason); \(outcome)",
            kind: "devices that can't be restored",
            at: now
        )
    }

    /// Records that the recovery begins, and sets aside the device at which the last processes ended.
    ///
    /// - Returns: the turns of the devices.
    private func beginRecovery(_ state: StoredState, at now: Timestamp) -> RecoveryTurns {
        for device in state.setAside {
            journal.logger.warning(
                .deviceSetAside,
                "\(device.device) has been set aside since \(device.at.flooredSeconds)"
            )
        }
        journal.health.setAside = state.setAside.map { "\($0.device)" }
        if let device = state.recovery.culprit { setAside(device, at: now) }
        let turns = RecoveryTurns(after: state.recovery)
        note(turns.mark)
        if turns.isCareful {
            journal.logger.warning(
                .recoveryRepeated,
                "the last start ended while devices were being restored: this time they are restored one by one"
            )
        }
        return turns
    }

    private func setAside(_ device: DeviceKey, at now: Timestamp) {
        journal.note(
            .deviceSetAside,
            "\(device) has ended several processes while it was being restored: it is set aside, and starts again with its next message",
            at: now
        )
        if !journal.health.setAside.contains("\(device)") { journal.health.setAside.append("\(device)") }
        do throws(StoreFault) {
            try store.setAside(SetAsideDevice(device: device, at: now))
        } catch {
            journal.note(.commitRefused, "the store can't set \(device) aside: \(error.message)", at: now)
        }
    }

    /// Names a device to the store before its turn, or nil behind the last one.
    private func begin(_ device: DeviceKey?, in turns: inout RecoveryTurns) {
        turns.begin(device)
        note(turns.mark)
    }

    /// Stores the progress of the recovery.
    private func note(_ mark: RecoveryMark) {
        do throws(StoreFault) {
            try store.note(mark)
        } catch {
            journal.note(
                .commitRefused,
                "the store did not note the progress of the recovery: \(error.message)",
                at: clock.now
            )
        }
    }
}
