import SkerryDevice
import SkerryEngine
import SkerryValues

extension Bridge {
    /// The pause after the store refused a commit.
    private static var commitPause: Interval { .seconds(1) }

    /// The number of former epochs that the store remembers.
    private static var epochLimit: Int { 16 }

    /// The number of settled publications that justify a commit of their own.
    private static var settledLimit: Int { 500 }

    /// The longest delay until the store learns that a publication is settled; until then, the next process would send it
    /// again.
    private static var settledPause: Interval { .seconds(1) }

    /// Sends a publication about devices: once it is stored, and again after a restart if necessary.
    func enqueue(_ publication: consuming Publication, isOwn: Bool = true) {
        lastID += 1
        publication.id = lastID
        if publication.isRetained, isOwn {
            retained[ExactText(publication.topic)] = publication.payload.isEmpty ? nil : copy publication
        }
        changes.enqueued.append(publication)
    }

    /// Sends a publication about this process, which means nothing to the next one.
    func announce(_ publication: Publication) {
        var publication = publication
        lastID += 1
        publication.id = lastID
        queue(publication)
    }

    /// Publishes that this bridge is online, and before that who it is.
    func announcePresence() {
        announceAhead(sink.state(isOnline: true))
        announceInfo()
    }

    /// Publishes who this bridge is, before everything that waits.
    ///
    /// A reader that finds a bridge online, or a revision of a new epoch, must be able to find whose it is. Behind the
    /// queue a connection that breaks again and again would let revisions pass and the epoch wait.
    func announceInfo() {
        announceAhead(info)
        if outbox.holds(ExactText(sink.stateTopic)) { announceAhead(sink.state(isOnline: true)) }
    }

    private func announceAhead(_ publication: Publication) {
        var publication = publication
        lastID += 1
        publication.id = lastID
        if let obsolete = outbox.putAhead(publication) { forget(obsolete) }
    }

    /// Commits the gathered changes and moves their publications to the outbox.
    ///
    /// - Parameter all: Whether everything is stored, including readings that changed nothing else.
    /// - Returns: whether the store accepted it.
    func commit(all: Bool = false) -> Bool {
        changes.images += engine.takeImages(all: all)
        // Told ones first: those that are settled as well must not come back.
        for sink in sinks { toldDeliveries += sink.takeTold() }
        for sink in sinks { changes.settledDeliveries += sink.takeSettled() }
        let settled = changes.settled.count + changes.settledDeliveries.count
        let isSettlementDue = settled > Self.settledLimit || alarms.isDue(.settlement, at: clock.now)
        guard all || changes.isWorthwhile || isSettlementDue || alarms[.commit] != nil else {
            showActivities()
            return true
        }
        let now = clock.now
        recordProgress(at: now)
        changes.historyLimits = options.history
        if !changes.images.isEmpty { changes.layouts = engine.imageLayouts() }
        let begin = CommitMeter.time
        do throws(StoreFault) {
            var stored = changes
            stored.enqueuedDeliveries = toldDeliveries + changes.enqueuedDeliveries
            try store.commit(stored)
            health.commits.record(CommitMeter.time - begin, isRefused: false)
        } catch {
            health.commits.record(CommitMeter.time - begin, isRefused: true)
            note(
                .commitRefused,
                "the store refused a commit: \(error.message)",
                kind: "commits refused",
                at: now
            )
            if error.endsProcess { watch(.storeIsLost(error)) }
            alarms[.commit] = now + Self.commitPause
            if health.committed(error, at: now) { reportHealthSoon(at: now) }
            // The next attempt has the settlements, too; an alarm that
            // stays in the past would wake the bus without a pause.
            alarms[.settlement] = nil
            if all { alarms[.checkpoint] = alarms[.checkpoint].map { _ in now + Self.commitPause } }
            thinOut()
            return false
        }
        let (enqueued, deliveries) = (changes.enqueued, changes.enqueuedDeliveries)
        changes = StoreChanges(epoch: changes.epoch, progress: changes.progress)
        toldDeliveries = []
        alarms[.commit] = nil
        alarms[.settlement] = nil
        if health.committed(nil, at: now) { reportHealthSoon(at: now) }
        if all { alarms[.checkpoint] = options.checkpointInterval.map { now + $0 } }
        for publication in enqueued {
            // Before `queue`, which forgets the ones that it drops:
            // only those that are in the store count as settled.
            stored.insert(publication.id)
            queue(publication)
        }
        handOver(deliveries)
        showActivities()
        return true
    }

    /// Writes how far the bridge is into the changes.
    private func recordProgress(at now: Timestamp) {
        // Ids given before the comparison reached no reader. Counted,
        // they would hide that the store is older than the broker.
        let told = hasCompared ? lastID : changes.progress.told
        changes.progress = StoreProgress(
            aliveAt: now,
            sequence: engine.sequence,
            lastPublication: lastID,
            seeksStrays: readBack.isDue
        )
        changes.progress.told = told
        changes.progress.newestLostRun = engine.newestLostRun
        changes.progress.owner = owner
        changes.progress.cut = cut
        changes.progress.formerEpochs = formerEpochs.suffix(Self.epochLimit)
        changes.progress.handled = handled.last
        changes.progress.boot = clock.boot
        changes.progress.origin = clock.mayBeFound ? engine.origin : nil
    }

    /// Lets the next report come with the next attempt of a commit: a disk that is full is no matter for a minute from now.
    private func reportHealthSoon(at now: Timestamp) {
        alarms[.health] = alarms[.health].map { min($0, now + Self.commitPause) }
    }

    /// The next publication for the broker.
    public func nextPublication() -> Publication? {
        // Also while all else is held back: its return is what ends that.
        if let number = readBack.takeEcho() {
            lastID += 1
            return sink.echo("\(owner) \(number)", id: lastID)
        }
        guard !isHeldBack, let publication = outbox.next() else { return nil }
        if publication.isRetained, !readBack.missing.isEmpty {
            // The broker has it right now, and the end of the comparison must not publish it a second time.
            readBack.missing.remove(ExactText(publication.topic))
        }
        return publication
    }

    /// Notes that a publication need not be sent any more.
    public func settled(_ id: UInt64, _ outcome: PublicationOutcome) {
        if case .refused(let reason) = outcome {
            note(
                .publicationRefused,
                "the broker refused to publish \(reason)",
                kind: "publications refused",
                at: clock.now
            )
        }
        forget(id)
    }

    /// Makes everything durable, for nothing comes after it.
    public func ended() {
        changes.isLast = true
        _ = commit(all: true)
        inquiries.close()
    }

    /// Queues a publication for the broker, and forgets those that it replaces.
    func queue(_ publication: Publication) {
        let earlier = outbox.dropped
        for id in outbox.append(publication) { forget(id) }
        if outbox.dropped > earlier {
            note(
                .publicationsDropped,
                "too many messages wait for the broker: the oldest differences, alerts and events are dropped",
                kind: "differences, alerts and events dropped",
                at: clock.now
            )
        }
    }

    func forget(_ id: UInt64) {
        guard stored.remove(id) != nil else { return }
        changes.settled.append(id)
        if alarms[.settlement] == nil { alarms[.settlement] = clock.now + Self.settledPause }
    }

    /// Limits the changes that the store refuses to the size of the outbox, and to the last image of each device.
    private func thinOut() {
        var waiting = Outbox(limit: options.outboxLimit)
        for publication in changes.enqueued { _ = waiting.append(publication) }
        dropped += waiting.dropped
        changes.enqueued.removeAll(keepingCapacity: true)
        while let publication = waiting.next() { changes.enqueued.append(publication) }
        var seen: Set<DeviceKey> = []
        let newestFirst = changes.images.reversed().filter {
            seen.insert(DeviceKey(kind: $0.kind, name: $0.name)).inserted
        }
        changes.images = newestFirst.reversed()
        thinOutDeliveries()
        changes.ended = changes.ended.suffix(options.history.activities)
        changes.stages = changes.stages.suffix(options.outboxLimit)
    }
}

extension StoreChanges {
    /// True if something is lost when this is not committed now.
    fileprivate var isWorthwhile: Bool {
        !images.isEmpty || !enqueued.isEmpty || !removed.isEmpty || !enqueuedDeliveries.isEmpty
    }
}
