import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryTesting
import SkerryValues

// The actions of the machine, the bus and the broker at one moment.

extension World {
    private static let batchLimit = 10
    private static let windowLimit = 20

    /// Performs all actions that are due now.
    func act() throws(Violation) {
        if let healed = storeHealsAt, healed <= time.truth {
            storeHealsAt = nil
            disk.mood = .healthy
        }
        if cluster == nil, gateway == nil, startsAt <= time.truth { try start() }
        try actOfNodes()
        for action in [connectIfDue, wakeIfDue, deliver, subscribeLate, send, tellSink] {
            if isPaused { return }
            try action()
        }
    }

    /// Starts a process from what is on the disk.
    func start() throws(Violation) {
        var expected: [Effect] = []
        try compareDisks()
        if let progress = disk.contents.progress {
            // The clock was set and no commit has recorded it. So the next process can't know by how much the clock is
            // back, or that the time by which it is ahead has not passed.
            let mayBeFound = progress.origin(in: time.makeClock().boot) != nil
            let isUntold = kept[kept.count - 1].sets != sets
            if progress.aliveAt > time.truth + time.error || isUntold && mayBeFound { forgetTruth() }
        }
        // Another node may have another clock.
        let isAlike = kept[kept.count - 1].error.map { ($0 - time.error).magnitude <= .seconds(1) } ?? false
        if cluster != nil, !isAlike { forgetTruth() }
        guard
            let new = Gateway(
                disk,
                lease: cluster?.lease,
                time: time,
                definitions: definitions,
                publishesTimelines: settingRandom.chance(1, of: 2),
                effects: &expected
            )
        else { throw Violation("start", "the store can't be read") }
        note("the bridge starts, \(disk.contents.devices.count) devices on the disk")
        gateway = new
        connectsAt = time.truth
        try compare(expected)
        try afterCall(isAcknowledged: false)
    }

    /// Checks that the real disk has the committed content.
    private func compareDisks() throws(Violation) {
        guard let below = disk.below else { return }
        let found: StoredState
        do throws(StoreFault) {
            found = try below.load()
        } catch {
            throw Violation("disk", error.message)
        }
        if let difference = found.difference(from: disk.state) { throw Violation("disk", difference) }
    }

    private func connectIfDue() throws(Violation) {
        guard let gateway, !gateway.isConnected, connectsAt <= time.truth else { return }
        guard !isCutFromBroker else {
            connectsAt = time.truth + .seconds(5)
            return
        }
        // The broker ends the former connection of this client id.
        cluster?.underway = []
        let isResumed = !forgetsSession
        forgetsSession = false
        if !isResumed {
            let keepsRetained = random.chance(1, of: 2) || isEvidence
            broker.forgetSession(bridgePrefix: Twin.commandStart, keepsRetained: keepsRetained)
            self.gateway?.forgetSession()
        }
        note("connected\(isResumed ? "" : ", the broker forgot the session")")
        self.gateway?.isConnected = true
        for publication in gateway.window { try reach(publication) }
        gateway.bridge.connected(BusSession(isResumed: isResumed))
        try afterCall(isAcknowledged: false)
        subscribe()
    }

    /// Subscribes as the bus does, after each connect and whenever it wakes the bridge.
    private func subscribe() {
        guard let gateway, gateway.isConnected, !isCutFromBroker else { return }
        // The answer comes after the messages that come again at once; without nodes no time passes meanwhile.
        if cluster != nil, broker.isRepeating { return }
        let plan = gateway.bridge.subscriptionPlan()
        if plan == gateway.plan { return }
        broker.subscribe(plan, after: gateway.plan, bridgePrefix: Twin.commandStart, at: time.truth)
        self.gateway?.plan = plan
        let filters = plan.filters + plan.own
        gateway.bridge.subscribed(filters.map { SubscriptionOutcome(filter: $0, granted: .atLeastOnce) })
    }

    /// Subscribes where nodes could not do so at once.
    private func subscribeLate() throws(Violation) { if cluster != nil { subscribe() } }

    private func wakeIfDue() throws(Violation) {
        guard let gateway else { return }
        let isDue = gateway.bridge.sleepLimit.map { $0 <= .zero } ?? false
        if !isDue, let deadline = gateway.twin.engine.nextDeadline, deadline <= gateway.twin.clock.now {
            throw Violation("sleep", "the bridge sleeps though something is due")
        }
        let hasMail = !gateway.twin.mail.isEmpty
        guard random.chance(1, of: 20) || isDue || hasMail else { return }
        if hasMail { counts[.reload] += 1 }
        gateway.bridge.wake()
        guard var expected = self.gateway?.twin.wake() else { return }
        if let reason = gateway.told.whyRefused { throw Violation("start", reason) }
        self.gateway?.followEpoch()
        expected += self.gateway?.followConnection() ?? []
        try compare(expected)
        try afterCall(isAcknowledged: false)
        subscribe()
    }

    private func deliver() throws(Violation) {
        guard let gateway, gateway.isConnected, !isCutFromBroker else { return }
        var reordered = 0
        let mayReorder = allows(.reordering)
        var draws = random
        var batch = broker.deliver(1 + random.below(Self.batchLimit), at: time.truth) {
            let overtakes = mayReorder && draws.chance(1, of: 12)
            if overtakes { reordered += 1 }
            return overtakes
        }
        random = draws
        counts[.reordering] += batch.isEmpty ? 0 : reordered
        if allows(.repetition), random.chance(1, of: 12), let again = broker.repeatOne(using: &random) {
            counts[.repetition] += 1
            batch.append(again)
        }
        if batch.isEmpty { return }
        var messages = MessageBatch()
        for delivery in batch {
            messages.append(
                topic: delivery.topic,
                payload: delivery.payload,
                isRetained: delivery.isRetained,
                quality: delivery.isOwn ? .atMostOnce : .atLeastOnce,
                packet: delivery.packet,
                arrival: time.sinceBoot
            )
        }
        let wasRefusing = disk.isRefusing
        var kept: [Delivery] = []
        let outcome = gateway.bridge.handle(messages)
        // The first thing it does is to try the refused commit again. That the disk has it is not enough: the bridge must know.
        if wasRefusing, disk.answered == 0 {
            note("\(batch.count) messages not taken in")
        } else {
            guard let expected = self.gateway?.take(batch, outcome) else { return }
            kept = expected.kept
            note("\(batch.count) messages handled, \(outcome)")
            if outcome == .notCommitted { for delivery in batch { silenceJudge.take(delivery) } }
            try compare(expected.effects)
        }
        switch outcome {
        case .committed:
            for delivery in kept { silenceJudge.keep(delivery) }
            try afterCall(isAcknowledged: !disk.isRefusing)
            guard self.gateway != nil else { return }
            if isPaused {
                cluster?.isAcknowledging = true
            } else if allows(.lostAcknowledgements), random.chance(1, of: 60) {
                counts[.lostAcknowledgements] += 1
                disconnect("acknowledgements are lost")
            } else {
                broker.acknowledge()
            }
        case .notCommitted:
            try afterCall(isAcknowledged: false)
            if self.gateway != nil { disconnect("the store refused") }
        case .ended: throw Violation("start", "a bridge with all devices ended at a mark for partitions")
        }
    }

    /// Sends what the bridge has to publish.
    func send() throws(Violation) {
        guard let gateway, gateway.isConnected else { return }
        var room = breaksSending ? random.below(4) : Int.max
        // Most acknowledgements come at once, some with the next step.
        if !isCutFromBroker {
            for publication in gateway.window { gateway.bridge.settled(publication.id, .acknowledged) }
            self.gateway?.window = []
        }
        while self.gateway?.window.count ?? 0 < Self.windowLimit,
            let publication = gateway.bridge.nextPublication()
        {
            if room > 0 { try reach(publication) }
            if publication.quality == .atMostOnce {
                gateway.bridge.settled(publication.id, .acknowledged)
            } else {
                self.gateway?.window.append(publication)
            }
            guard room > 0 else {
                breaksSending = false
                counts[.brokenSending] += 1
                disconnect("in the middle of sending")
                return
            }
            room -= 1
            cluster?.lease?.pauseIfDue(.whileSending)
            if isPaused { return }
        }
    }

    /// Hands a publication to the network.
    func reach(_ publication: Publication) throws(Violation) {
        guard isCutFromBroker else { return try arrive(publication) }
        cluster?.delay(publication)
    }

    /// Delivers a publication to the broker and to all readers.
    func arrive(_ publication: Publication) throws(Violation) {
        broker.accept(publication, at: time.truth)
        try revisionJudge.take(publication)
        try timerJudge.take(publication)
        try silenceJudge.take(publication)
    }

    /// Ends the connection.
    func disconnect(_ reason: String) {
        guard let gateway, gateway.isConnected else { return }
        note("no connection: \(reason)")
        cluster?.underway = []
        self.gateway?.isConnected = false
        self.gateway?.plan = nil
        broker.disconnect()
        gateway.bridge.disconnected(BusFault(.connectionLost, reason))
        // At once, because silence stops counting now; what else is due is compared with the rest.
        let effects = self.gateway?.followConnection() ?? []
        self.gateway?.early += effects
        let isCalm = step >= plan.steps
        connectsAt = time.truth + .seconds(isCalm ? 1 : Int64(random.below(4) == 0 ? random.below(1800) : 2))
    }

    private func compare(_ expected: [Effect]) throws(Violation) {
        guard let gateway else { return }
        let expected = gateway.early + expected
        self.gateway?.early = []
        for effect in expected { note("effect \(effect.line)") }
        sinkJudge.raise(expected)
        try TwinJudge.judge(gateway.told.take(), expected: expected)
        if let rule = gateway.twin.engine.brokenInvariant() { throw Violation("invariants", rule) }
        try truthJudge.take(expected, at: time.truth, gateway.twin)
    }

    /// Records the content of the disk, and ends the process if it ended in a commit.
    func afterCall(isAcknowledged: Bool) throws(Violation) {
        guard let gateway else { return }
        var stepped = self.gateway?.twin.takeStepped()
        if stepped != nil { timerJudge.clockWasSet = true }
        var isComplete = false
        let hasLast = disk.hasLast
        let written = disk.takeWritten()
        for (number, contents) in written.enumerated() {
            // The first commit of a process always reaches the disk, even if later ones may not.
            if self.gateway?.hasCommitted == false { kept = [] }
            self.gateway?.hasCommitted = true
            // After a commit that is not the last one, the engine has handled more than the disk has.
            let isLast = hasLast && number == written.count - 1
            isComplete = stepped == nil && isLast
            keep(contents, stepped, isLast: isLast)
            stepped = nil
            if isComplete { sinkJudge.commit() }
            if kept.count > 5 { kept.removeFirst() }
        }
        if isComplete, let progress = disk.contents.progress,
            progress.sequence != gateway.twin.engine.sequence
        {
            throw Violation(
                "order",
                "the disk counts deadlines up to \(progress.sequence), not as an engine does"
            )
        }
        if isAcknowledged, !isComplete, !disk.hasEnded {
            kept[kept.count - 1].engine = gateway.twin.engine
        }
        guard disk.hasEnded else { return }
        if cluster?.lease?.stopsInCommit != true {
            counts[disk.mood == .endingAfter ? .crashAfterCommit : .crashBeforeCommit] += 1
        }
        disk.mood = .healthy
        try end("in a commit")
    }

    /// Records the content of the disk after a commit.
    ///
    /// - Parameters:
    ///   - contents: The content of the disk.
    ///   - stepped: The engine right after the clock was set, for the commit that records the change.
    ///   - isLast: True for the last commit of a call; an earlier one of the same call was made in the midst of what
    ///     the call handled, so nothing is known of the engine at that moment.
    private func keep(_ contents: DiskContents, _ stepped: Engine?, isLast: Bool) {
        guard let twin = gateway?.twin else { return }
        var now = Kept(contents: contents, engine: stepped ?? (isLast ? twin.engine : nil))
        // Effects after the clock was set are not in the commit that records the change.
        if stepped == nil, isLast { now.brewing = truthJudge.brewing }
        let error = twin.clock.now - time.truth
        if !twin.clock.mayBeFound { now.error = error }
        now.sets = (error - time.error).magnitude < .seconds(1) ? sets : kept.last?.sets ?? 0
        kept.append(now)
    }

    /// Ends the process, with the losses that the plan allows.
    func end(_ reason: String) throws(Violation) {
        guard gateway != nil else { return }
        note("the bridge ends \(reason)")
        stopProcess()
        var lost = 0
        if losesCommits, kept.count > 1, random.chance(1, of: 2) {
            lost = 1 + random.below(kept.count - 1)
            kept.removeLast(lost)
            counts[.lostCommits] += 1
            note("\(lost) commits never reached the disk")
            silenceJudge.forget()
            sinkJudge.forget()
            disk.contents = kept[kept.count - 1].contents
        }
        disk.end(losing: lost)
        if disk.below == nil, pastFires(.oldStore, onceIn: 4), let copy = disk.copy, isEvident(copy) {
            counts[.oldStore] += 1
            note("an older copy of the database is put back")
            silenceJudge.forget()
            sinkJudge.forget()
            forgetTruth()
            oldEpoch = copy.epoch
            disk.contents = copy
            kept = [Kept(contents: copy, engine: nil)]
        }
        if pastRandom.chance(1, of: 4) { disk.copy = disk.contents }
        if fires(.lostStore, onceIn: 12) {
            disk.stores += 1
            disk.copy = nil
            broker.forgetSaved()
            disk.below?.damage()
            counts[.lostStore] += 1
            note("the database is set aside")
            forgetTruth()
            disk.contents = DiskContents()
            kept = [Kept(contents: disk.contents, engine: nil)]
        }
        truthJudge.brewing = kept[kept.count - 1].brewing
        if let acknowledged = kept[kept.count - 1].engine {
            try KeepingJudge.judge(disk.contents, acknowledged: acknowledged)
        }
        let pause = random.chance(1, of: 3) ? Int64(random.below(7200)) : 3
        startsAt = time.truth + .seconds(step >= plan.steps ? 1 : pause)
        cluster?.endActive(until: startsAt)
    }

    /// Boots the machine, which loses nothing: the next process finds what was committed.
    func boot() {
        note("the machine boots")
        stopProcess()
        disk.end(losing: 0)
        truthJudge.brewing = kept[kept.count - 1].brewing
        time.boot()
        startsAt = time.truth + .seconds(1)
        cluster?.endActive(until: startsAt)
    }

    private func stopProcess() {
        gateway = nil
        breaksSending = false
        sinkJudge.forgetRaised()
        silenceJudge.forgetTaken()
        broker.disconnect()
        if disk.mood != .refusing { disk.mood = .healthy }
    }

    /// True if only the broker's retained messages show that the store is an older copy.
    var isEvidence: Bool { oldEpoch != nil && oldEpoch == disk.contents.epoch }

    /// True if the broker's retained messages show that a copy of the database is older.
    private func isEvident(_ copy: DiskContents) -> Bool {
        let start = "\(Twin.commandStart)bridge/"
        guard let progress = copy.progress, let report = broker.retained[start + "health"],
            let info = broker.retained[start + "info"],
            let bridge = try? RevisionJudge.members(info),
            case .string(progress.owner)? = bridge["owner"],
            case .int(let epoch)? = bridge["epoch"], let known = copy.epoch, epoch >= known,
            case .int(let number)? = try? RevisionJudge.members(report)["number"]
        else { return false }
        // Numbers of different epochs can't be compared.
        return (epoch > known || number > Int64(progress.told)) && !losesCommits
    }
}

// The faults, and their moments.

extension World {
    /// Makes the faults of this step.
    func misfortune() throws(Violation) {
        if isPaused { return }
        try misfortuneOfNodes()
        if fires(.crash, onceIn: 40), gateway != nil {
            counts[.crash] += 1
            try end("at once")
            startAnotherClock(after: kept[kept.count - 1].error)
        }
        if disk.mood == .healthy {
            if fires(.crashBeforeCommit, onceIn: 60) { disk.mood = .endingBefore }
            if fires(.crashAfterCommit, onceIn: 60) { disk.mood = .endingAfter }
        }
        if fires(.refusal, onceIn: 50), disk.mood == .healthy {
            counts[.refusal] += 1
            disk.mood = .refusing
            storeHealsAt = time.truth + .seconds(Int64(1 + random.below(random.chance(1, of: 3) ? 900 : 5)))
        }
        if fires(.lostConnection, onceIn: 30), gateway?.isConnected == true {
            counts[.lostConnection] += 1
            disconnect("it broke")
        }
        if fires(.brokenSending, onceIn: 40) { breaksSending = true }
        if fires(.lostSession, onceIn: 120), gateway?.isConnected == true {
            counts[.lostSession] += 1
            forgetsSession = true
            disconnect("the broker starts again")
        }
        if pastRandom.chance(1, of: 30) { broker.save(bridgePrefix: Twin.commandStart) }
        if pastFires(.oldRetained, onceIn: 60), gateway?.isConnected == true, !isEvidence {
            counts[.oldRetained] += 1
            disconnect("the broker has crashed")
            broker.crash(bridgePrefix: Twin.commandStart)
        }
        if fires(.reload, onceIn: 50) { changeDefinitions() }
        misfortuneOfClock()
    }

    /// Changes the definitions: another kettle, a missing kind, or the usual ones.
    private func changeDefinitions() {
        var next = usual
        if let place = next.firstIndex(where: { $0.kind == "kettle" }), random.chance(2, of: 3) {
            next[place] = Kettle.others[random.below(Kettle.others.count)]
        }
        if random.chance(1, of: 3) { next.remove(at: random.below(next.count)) }
        reload(next)
    }

    /// Replaces the definitions in the bridge and in the faultless engine.
    func reload(_ next: [Definition]) {
        note("the definitions are changed")
        forgetTruth()
        definitions = next
        _ = faultless.change(to: next, at: time.truth)
        gateway?.put(next)
    }

    /// True if a fault fires now, which has a chance of one in `times`.
    func fires(_ fault: Fault, onceIn times: Int) -> Bool {
        // Drawn in any case, so that without this fault the rest of the world stays the same.
        let isDrawn = random.chance(1, of: times)
        return isDrawn && allows(fault)
    }

    /// The same for faults that draw from `pastRandom`, and so leave the rest of the world the same.
    func pastFires(_ fault: Fault, onceIn times: Int) -> Bool {
        let isDrawn = pastRandom.chance(1, of: times)
        return isDrawn && allows(fault)
    }

    private func misfortuneOfClock() {
        if let setAt = clockSetAt, setAt <= time.truth {
            clockSetAt = nil
            time.error = clockError
            time.isSynchronized = true
            note("the clock is synchronized")
        }
        guard clockSetAt == nil, gateway != nil else { return }
        let before = sets
        // If the clock may still be found, the time by which it is ahead looks like time that has passed.
        defer { if sets != before, !knowsTime { forgetTruth() } }
        let length = Interval.seconds(Int64(2 + random.below(random.chance(1, of: 2) ? 120 : 7200)))
        if fires(.clockForward, onceIn: 80), isStep(to: time.error + length) {
            counts[.clockForward] += 1
            time.error = time.error + length
            sets += 1
            note("the clock is set forward by \(length.roundedSeconds) s")
        }
        if fires(.clockBack, onceIn: 80), isStep(to: time.error - length) {
            counts[.clockBack] += 1
            time.error = time.error - length
            sets += 1
            note("the clock is set back by \(length.roundedSeconds) s")
        }
    }

    /// True if the bridge will notice the correction of such an error as a step; an error of a second is slewed.
    private func isStep(to error: Interval) -> Bool {
        error == .zero || error.magnitude > .seconds(1) && error.magnitude < .hours(6)
    }

    /// Boots the machine with a clock that may have no battery, or that was set wrongly.
    ///
    /// - Parameter error: The clock error that the stored times have; nil when it is unknown.
    private func startAnotherClock(after error: Interval?) {
        guard clockSetAt == nil else { return }
        if fires(.clockUnset, onceIn: 4) {
            counts[.clockUnset] += 1
            clockError = time.error
            time.error = .zero - .hours(24 * 365 * 56)
            note("the clock is in 1970")
        } else if time.error > .seconds(2), fires(.clockCorrected, onceIn: 2) {
            counts[.clockCorrected] += 1
            clockError = .zero
            time.error = .zero
            note("the clock is right")
        } else if fires(.clockResumed, onceIn: 3) {
            let behind = startsAt - time.truth - .seconds(Int64(random.below(2)))
            // The gateway does not notice a clock that is off by a second.
            guard behind > .seconds(1) else { return }
            counts[.clockResumed] += 1
            clockError = time.error
            time.error = time.error - behind
            note("the clock goes on from the end")
        } else {
            return
        }
        time.boot()
        // If the stored times go by a different clock error, the right end of the tea can't be known.
        if error.map({ ($0 - clockError).magnitude > .seconds(1) }) ?? true { forgetTruth() }
        time.isSynchronized = false
        clockSetAt = startsAt + .seconds(Int64(1 + random.below(1200)))
    }
}

// The sink beside the broker: it takes deliveries and settles them sooner or later, or fails.

extension World {
    /// Passes waiting deliveries to the sink.
    func tellSink() throws(Violation) {
        guard let gateway else { return }
        let queue = gateway.queue
        if !gateway.unsettled.isEmpty, sinkRandom.chance(1, of: 2) {
            queue.settle(gateway.unsettled)
            self.gateway?.unsettled = []
        }
        if let healsAt = sinkHealsAt, healsAt > time.truth, step < plan.steps { return }
        sinkHealsAt = nil
        let deliveries = queue.take(at: gateway.twin.clock.now)
        if deliveries.isEmpty { return }
        let ids = deliveries.map { $0.id }
        if allows(.sinkFailure), sinkRandom.chance(1, of: 8) {
            counts[.sinkFailure] += 1
            sinkHealsAt =
                time.truth + .seconds(Int64(sinkRandom.below(sinkRandom.chance(1, of: 3) ? 7200 : 30)))
            queue.putBack(ids)
            return
        }
        for delivery in deliveries { try sinkJudge.take(delivery, &disk.contents.told) }
        note("the sink is told of \(deliveries.map { "\($0.update.id) \($0.update.rev)" })")
        if allows(.crashWhileTelling), sinkRandom.chance(1, of: 100) {
            counts[.crashWhileTelling] += 1
            try end("when the sink was told and had not settled")
        } else if sinkRandom.chance(1, of: 3) {
            self.gateway?.unsettled += ids
        } else {
            queue.settle(ids)
        }
    }
}
