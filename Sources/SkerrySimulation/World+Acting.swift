import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryTesting
import SkerryValues

// What the machine, the bus and the broker do at one moment.

extension World {
    private static let batchLimit = 10
    private static let windowLimit = 20

    /// Does what is due now.
    func act() throws(Violation) {
        if let healed = storeHealsAt, healed <= time.truth {
            storeHealsAt = nil
            disk.mood = .healthy
        }
        if gateway == nil, startsAt <= time.truth { try start() }
        if gateway?.isConnected == false, connectsAt <= time.truth { try connect() }
        try wakeIfDue()
        try deliver()
        try send()
        try tellSink()
    }

    private func start() throws(Violation) {
        var expected: [Effect] = []
        let commits = disk.commits
        guard
            let new = Gateway(disk, time: time, definitions: definitions, effects: &expected)
        else { throw Violation("start", "the store can't be read") }
        note("the bridge starts, \(disk.contents.devices.count) devices on the disk")
        gateway = new
        connectsAt = time.truth
        try compare(expected)
        try afterCall(commits: commits, isAcknowledged: false)
    }

    private func connect() throws(Violation) {
        guard let gateway else { return }
        let commits = disk.commits
        let isResumed = !forgetsSession
        forgetsSession = false
        if !isResumed { broker.forgetSession(bridgePrefix: Twin.commandStart, at: time.truth) }
        note("connected\(isResumed ? "" : ", the broker forgot the session")")
        self.gateway?.isConnected = true
        for publication in gateway.window { try reach(publication) }
        gateway.bridge.connected(BusSession(isResumed: isResumed))
        try afterCall(commits: commits, isAcknowledged: false)
    }

    private func wakeIfDue() throws(Violation) {
        guard let gateway else { return }
        let isDue = gateway.bridge.sleepLimit.map { $0 <= .zero } ?? false
        if !isDue, let deadline = gateway.twin.engine.nextDeadline, deadline <= gateway.twin.clock.now {
            throw Violation("sleep", "the bridge sleeps though something is due")
        }
        guard isDue || random.chance(1, of: 20) else { return }
        let commits = disk.commits
        gateway.bridge.wake()
        guard let expected = self.gateway?.twin.wake() else { return }
        try compare(expected)
        try afterCall(commits: commits, isAcknowledged: false)
    }

    private func deliver() throws(Violation) {
        guard let gateway, gateway.isConnected else { return }
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
                arrival: time.sinceBoot
            )
        }
        let commits = disk.commits
        let outcome = gateway.bridge.handle(messages)
        guard let expected = self.gateway?.twin.take(batch) else { return }
        note("\(batch.count) messages handled, \(outcome)")
        try compare(expected)
        switch outcome {
        case .committed:
            try afterCall(commits: commits, isAcknowledged: true)
            guard self.gateway != nil else { return }
            if allows(.lostAcknowledgements), random.chance(1, of: 60) {
                counts[.lostAcknowledgements] += 1
                disconnect("acknowledgements are lost")
            } else {
                broker.acknowledge()
            }
        case .notCommitted:
            try afterCall(commits: commits, isAcknowledged: false)
            if self.gateway != nil { disconnect("the store refused") }
        }
    }

    private func send() throws(Violation) {
        guard let gateway, gateway.isConnected else { return }
        var room = breaksSending ? random.below(4) : Int.max
        // Most acknowledgements are there at once, some come with the next step.
        for publication in gateway.window { gateway.bridge.settled(publication.id, .acknowledged) }
        self.gateway?.window = []
        while let publication = gateway.bridge.nextPublication() {
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
            if (self.gateway?.window.count ?? 0) >= Self.windowLimit { break }
        }
    }

    /// A publication arrives at the broker, and with all readers.
    private func reach(_ publication: Publication) throws(Violation) {
        broker.accept(publication)
        try revisionJudge.take(publication)
        try timerJudge.take(publication)
    }

    /// The connection is gone.
    func disconnect(_ reason: String) {
        guard let gateway, gateway.isConnected else { return }
        note("no connection: \(reason)")
        self.gateway?.isConnected = false
        broker.disconnect()
        gateway.bridge.disconnected(BusFault(.connectionLost, reason))
        let isCalm = step >= plan.steps
        connectsAt = time.truth + .seconds(isCalm ? 1 : Int64(random.below(4) == 0 ? random.below(1800) : 2))
    }

    private func compare(_ expected: [Effect]) throws(Violation) {
        guard let gateway else { return }
        for effect in expected { note("effect \(effect.line)") }
        sinkJudge.raise(expected)
        try TwinJudge.judge(gateway.told.take(), expected: expected)
    }

    /// Notes what the disk holds now, and whether the process has ended in a commit.
    private func afterCall(commits: Int, isAcknowledged: Bool) throws(Violation) {
        guard let gateway else { return }
        if disk.commits > commits {
            sinkJudge.commit()
            kept.append(Kept(contents: disk.contents, engine: gateway.twin.engine))
            if kept.count > 5 { kept.removeFirst() }
            isClockUncommitted =
                isClockUncommitted && gateway.twin.clock.now > time.truth + time.error + .seconds(1)
        } else if isAcknowledged, !disk.hasEnded {
            kept[kept.count - 1].engine = gateway.twin.engine
        }
        guard disk.hasEnded else { return }
        counts[disk.mood == .endingAfter ? .crashAfterCommit : .crashBeforeCommit] += 1
        disk.mood = .healthy
        try end("in a commit")
    }

    /// The process is gone.
    func end(_ reason: String) throws(Violation) {
        guard gateway != nil else { return }
        note("the bridge ends \(reason)")
        gateway = nil
        breaksSending = false
        sinkJudge.forgetRaised()
        broker.disconnect()
        if disk.mood != .refusing { disk.mood = .healthy }
        if losesCommits, kept.count > 1, random.chance(1, of: 2) {
            let lost = 1 + random.below(kept.count - 1)
            kept.removeLast(lost)
            counts[.lostCommits] += 1
            note("\(lost) commits never reached the disk")
            revisionJudge.forget()
            timerJudge.forget()
            sinkJudge.forget()
            disk.contents = kept[kept.count - 1].contents
        }
        if let acknowledged = kept[kept.count - 1].engine {
            try KeepingJudge.judge(disk.contents, definitions: definitions, acknowledged: acknowledged)
        }
        let pause = random.chance(1, of: 3) ? Int64(random.below(7200)) : 3
        startsAt = time.truth + .seconds(step >= plan.steps ? 1 : pause)
    }
}
