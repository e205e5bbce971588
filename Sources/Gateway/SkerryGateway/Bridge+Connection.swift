import Logging
import SkerryDevice
import SkerryEngine
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
            // A store that is new or lost commits lacks values that the session's filters brought before.
            wantsRetained: readBack.progress.isDue
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
        journal.note(.disconnected, fault.message, at: clock.now)
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
        journal.health.report(
            engine: engine,
            number: ledger.progress.told,
            waiting: ledger.waiting,
            dropped: ledger.droppedCount,
            sinks: ledger.sinks,
            at: now,
            topic: sink.healthTopic
        )
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
