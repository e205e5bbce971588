import Logging
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryValues

// The retained messages below the prefix are read back on each connection: they may be older than the last
// publications (the broker crashed), newer (the store is an older copy), or another bridge's.

extension Bridge {
    /// The pause after which a step is tried again when the store refused.
    private static var retryPause: Interval { .seconds(1) }

    /// Takes a message on a topic on which only this bridge should write.
    func take(_ message: MessageBatch.Message, on topic: OwnTopic, at now: Timestamp) {
        switch topic {
        case .echo:
            guard message.payload.elementsEqual("\(owner) \(readBack.echo)".utf8) else { return }
            // 0024: the broker repeats what was not acknowledged before anything else, and so before the echo.
            inbound.handled.end()
            readBack.echoCame(at: now)
        case .health:
            guard readBack.stage == .meeting, message.isRetained else { return }
            readBack.heard(at: now)
            readBack.number = BridgeHealth.number(message.payload) ?? 0
        case .announcement: compareAnnouncement(message, at: now)
        case .state: takeState(message, at: now)
        case .info: takeInfo(message, at: now)
        case .device(let kind):
            let text = ExactText(String(decoding: message.topic, as: UTF8.self))
            if message.isRetained {
                compare(message, text, kind, at: now)
            } else if readBack.stage == .watching, let own = retained[text] {
                // An own message comes back from a broker without No Local, and is not news.
                if !own.payload.elementsEqual(message.payload) { hearOther(on: text, at: now) }
            }
        }
    }

    private func takeState(_ message: MessageBatch.Message, at now: Timestamp) {
        let state = String(decoding: message.payload, as: UTF8.self)
        if readBack.stage == .meeting, message.isRetained {
            readBack.heard(at: now)
            readBack.state = state
        } else if readBack.stage != .meeting, !message.isRetained, state != "online" {
            // `online` says the same as this bridge. Anything else, such
            // as the late Will of an earlier connection, is answered.
            hearOther(on: ExactText(sink.stateTopic), at: now)
        }
    }

    private func takeInfo(_ message: MessageBatch.Message, at now: Timestamp) {
        let signature = BridgeSignature(message.payload)
        if readBack.stage == .meeting, message.isRetained {
            readBack.heard(at: now)
            readBack.signature = signature
            if signature?.owner == owner { formerAnnouncements = signature?.announces }
        } else if readBack.stage != .meeting, !message.isRetained, let signature, !claim.isOwn(signature) {
            journal.health.foreign += 1
            journal.note(
                .otherBridge,
                "\(signature.name) has also started with the prefix '\(options.prefix)': \(Self.remedy)",
                at: now
            )
        }
    }

    /// The remedy for two bridges with one prefix.
    private static var remedy: String { "end one of the two, or give it a prefix of its own (--prefix)" }

    // MARK: Steps

    /// Ends a step of the reading back.
    func finishStep(at now: Timestamp) {
        switch readBack.stage {
        case .apart, .watching: break
        case .meeting: meet(at: now)
        case .comparing: finishComparing(at: now)
        }
    }

    /// Decides whether this bridge may use its prefix, and announces it.
    private func meet(at now: Timestamp) {
        inbound.handled.end()
        let other = readBack.signature.flatMap { claim.isOwn($0) ? nil : $0 }
        let isTaken = claim.isTaken(readBack.signature, isOnline: readBack.state == "online")
        if !options.takesOver, let reason = refusal(beside: other) {
            readBack.postpone(until: .distantFuture)
            isRefused = true
            watcher.tell(.isRefused(reason))
            return
        }
        if isTaken {
            journal.note(
                .otherBridge,
                "\(other?.name ?? "another bridge") is online, too: \(Self.remedy)",
                at: now
            )
        }
        if !readBack.isReadable {
            journal.noteOthers(
                "the retained messages below '\(sink.prefix)' can't be read back: allow this bridge to read them",
                at: now
            )
        }
        let isForeign = isTaken || other != nil
        if let signature = readBack.signature, signature.owner == owner, let epoch = signature.epoch {
            // The broker's report counts further than the store: another copy of it has published since.
            let isLater = epoch > engine.epoch || epoch == engine.epoch && readBack.number > foundNumber
            if isLater, !hasCompared { readBack.isBehind = true }
            // An older store does not know this epoch, but messages of this epoch are this bridge's own.
            own(epoch)
        }
        // A store that is older may have forgotten epochs and devices.
        let mayHaveForgotten = readBack.isDue || readBack.isBehind
        readBack.claims = mayHaveForgotten && !isForeign || options.takesOver && !isTaken && !hasCompared
        // A broker that crashes may bring back what the bridge before this one retained, long after it was deleted.
        if readBack.claims, let epoch = readBack.signature?.epoch { own(epoch) }
        let isFirst = !isAdmitted
        isAdmitted = true
        // Until the comparison the store may turn out to be older, as far as the broker lets that be seen.
        isHeldBack = !hasCompared && readBack.isReadable
        announcePresence()
        // A report of this store would replace the one that shows that the store is older.
        if !readBack.isBehind { reportHealth(at: now) }
        announceLists()
        readBack.advance(to: .comparing)
        // The mark of a new store must be stored as it was published.
        _ = commit(all: isFirst)
    }

    /// The reason for which this bridge must end; nil if it may go on.
    private func refusal(beside other: BridgeSignature?) -> String? {
        // 0023: only a new process ends; one that was admitted before goes on and answers, unless its session is another's now.
        if isAdmitted {
            let reason = other.flatMap { claim.refusal(ofNamesake: $0) }
            // Without a word of the broker, one that has lost its last hours looks the same; but only once.
            defer { isThrownOff = reason != nil }
            return isThrownOff ? reason : nil
        }
        if let reason = claim.refusal(readBack.signature, isOnline: readBack.state == "online") {
            return reason
        }
        guard let stranger = bridgeWithSameDevices else { return nil }
        return
            "a bridge that is online (\(stranger)/state) shares the devices out otherwise, and has devices of this "
            + "partition: end it, or give this one a prefix of its own (--prefix)"
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
        isHeldBack = false
        let wasDue = readBack.isDue
        if readBack.isBehind, !hasCompared {
            beginNewEpoch(at: now)
        } else {
            // Nothing may be published before it is stored.
            guard commit() else { return readBack.postpone(until: now + Self.retryPause) }
            // Where nothing can be read everything seems to be missing:
            // then only a lost session is a reason to publish it again.
            if readBack.isReadable || !readBack.isResumed { putRight() }
            readBack.isDue = false
        }
        hasCompared = true
        awaitIdleDevices(at: now)
        endFormerAnnouncements()
        // The broker has left them: it has answered to all that was sent behind that.
        connection.leftObsolete()
        let (count, example) = readBack.left
        if count > 0 {
            journal.noteOthers(
                "\(example) does not belong to this bridge and is left alone; there are \(count) like it",
                at: now
            )
        }
        readBack.advance(to: .watching)
        _ = commit(all: wasDue)
    }

    private func putRight() {
        let topics = readBack.missing.filter { !ledger.holds($0) }
        let publications = topics.compactMap { retained[$0] }.sorted {
            $0.id == $1.id ? $0.topic < $1.topic : $0.id < $1.id
        }
        for publication in publications { announce(publication) }
        if publications.isEmpty && readBack.takenAway == 0 { return }
        journal.logger.notice(
            .retainedMended,
            "retained messages that were wrong or missing: \(publications.count) published again, \(readBack.takenAway) deleted"
        )
    }

    // MARK: Comparing

    /// Compares the retained message of a topic with the expected one.
    private func compare(
        _ message: MessageBatch.Message,
        _ topic: ExactText,
        _ kind: OwnTopic.DeviceTopic,
        at now: Timestamp
    ) {
        guard readBack.stage == .comparing else { return }
        readBack.heard(at: now)
        guard let own = retained[topic] else { return meetStray(message, kind, at: now) }
        if own.payload.elementsEqual(message.payload) {
            readBack.missing.remove(topic)
            return
        }
        // Only the first comparison tells about the store; later,
        // an older message is the broker's and is published again.
        if hasCompared { return }
        guard let there = RevisionMark(message.payload), let here = RevisionMark(own.payload) else { return }
        switch kind {
        case .activity: if there.isNews(to: here) { readBack.isBehind = true }
        // A timeline computed at the start has the same content as the one that was sent.
        case .timeline: if own.id == 0, there == here { readBack.missing.remove(topic) }
        case .availability: break
        }
    }

    /// Deletes a retained message of this bridge for a device that no longer exists.
    ///
    /// Messages that another bridge may have published are left alone.
    private func meetStray(_ message: MessageBatch.Message, _ kind: OwnTopic.DeviceTopic, at now: Timestamp) {
        if message.payload.isEmpty { return }
        let topic = String(decoding: message.topic, as: UTF8.self)
        if journal.health.setAside.contains(where: { topic.hasPrefix("\(sink.prefix)/\($0)/") }) { return }
        let isOwn =
            switch kind {
            case .activity, .timeline: RevisionMark(message.payload).map { isOwnEpoch($0.epoch) } ?? false
            // It bears no mark, so the bridge that was here last counts.
            case .availability: readBack.signature?.owner == owner
            }
        guard isOwn || readBack.claims else {
            readBack.left = (
                readBack.left.count + 1, readBack.left.count == 0 ? topic : readBack.left.example
            )
            return
        }
        journal.mention(
            .retainedDeleted,
            "\(topic.prefix(Inbound.notedTopicLimit)): no device publishes this any more; it is deleted",
            kind: "retained topics deleted that no device publishes any more",
            at: now
        )
        readBack.takenAway += 1
        // A broker that crashes may retain another one of this epoch again.
        if let mark = RevisionMark(message.payload) { own(mark.epoch) }
        enqueue(Publication(topic: topic, payload: [], isRetained: true))
    }

    private func isOwnEpoch(_ epoch: Int64) -> Bool { epoch == engine.epoch || formerEpochs.contains(epoch) }

    /// Takes note that an epoch was one of this bridge.
    private func own(_ epoch: Int64) {
        if !isOwnEpoch(epoch) { formerEpochs.append(epoch) }
    }

    // MARK: An older store

    /// Publishes everything in a new epoch, because readers have seen revisions that the store does not know.
    private func beginNewEpoch(at now: Timestamp) {
        var past = StoredState()
        past.epoch = max(
            engine.epoch,
            readBack.signature?.owner == owner ? readBack.signature?.epoch ?? 0 : 0
        )
        past.mayHaveForgotten = true
        // See docs/decisions/0013-epochs.md.
        let epoch = past.nextEpoch(at: now, boot: clock.boot)
        journal.note(
            .storeOlder,
            "readers hold later revisions than the store, which may be an older copy: everything is published in a new epoch",
            at: now
        )
        formerEpochs.append(engine.epoch)
        engine.begin(epoch: epoch)
        ledger.begin(epoch: epoch, isOfEpoch: { sink.isOfEpoch($0) }, at: now)
        for topic in retained.keys {
            if let old = retained[topic], sink.isOfEpoch(old) { retained[topic] = nil }
        }
        rememberRetained(of: engine)
        for publication in retained.values.sorted(by: { $0.topic < $1.topic }) { enqueue(publication) }
        announceInfo()
        readBack.isBehind = false
        reportHealth(at: now)
        // The retained messages of devices may be newer than the store, too.
        readBack.isDue = true
        ledger.showActivitiesSoon()
        watcher.tell(.newEpoch(epoch))
        engine.forEachDevice { kind, device in
            guard let update = device.lastRevision else { return }
            watcher.tell(.resumed(kind: kind, device: device.name, update))
        }
    }

    // MARK: Others

    /// Somebody else has written on a topic of this bridge.
    private func hearOther(on topic: ExactText, at now: Timestamp) {
        journal.health.foreign += 1
        rivalry.add(topic, at: now)
    }

    /// Writes its own where others have written, ever more seldom.
    func answerOthers(at now: Timestamp) {
        let topics = rivalry.takeDue(at: now)
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
            lists = [:]
            announceLists()
        }
        for topic in topics where !ledger.holds(topic) {
            if let own = retained[topic] { announce(own) }
        }
    }
}

extension BridgeSignature {
    /// It, for people.
    var name: String { client.map { "a bridge with client id '\($0)'" } ?? "another bridge" }
}

extension MQTTSink {
    /// Returns whether a publication contains a revision, and so belongs to an epoch.
    fileprivate func isOfEpoch(_ publication: Publication) -> Bool {
        !publication.payload.isEmpty
            && ["/activity", "/activity/diff", "/timeline"].contains { publication.topic.hasSuffix($0) }
    }
}
