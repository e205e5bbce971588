package import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryTesting
import SkerryValues

/// The plan that determines everything that happens in a world.
package struct WorldPlan: Sendable {
    /// The seed of all devices and all faults.
    package var seed: UInt64
    /// The number of steps in the bad days.
    package var steps: Int
    /// The kinds of faults that may fire.
    package var faults: Set<Fault>

    /// Makes a plan.
    package init(seed: UInt64, steps: Int = 300, faults: Set<Fault> = Set(Fault.allCases)) {
        self.seed = seed
        self.steps = steps
        self.faults = faults
    }
}

/// The result of a world.
package struct WorldOutcome: Sendable {
    /// The broken promise; nil if all were kept.
    package var violation: Violation?
    /// The number of the last step.
    package var step: Int
    /// The last events, one line each.
    package var lastEvents: [String]
    /// The number of faults of each kind.
    package var faults: FaultCounts
    /// The number of revisions that readers saw.
    package var revisions: Int
    /// The number of timers whose end readers saw.
    package var timerEnds: Int
}

/// Devices, a broker, a disk and a clock, all determined by one seed, around a real bridge.
///
/// First come bad days with the faults of the plan. Then everything is repaired, the devices come to rest, and each has
/// one more run, which must be published as if there had been no faults.
package final class World {
    let plan: WorldPlan
    /// The definitions after the bad days.
    let usual: [Definition]
    /// The present definitions.
    var definitions: [Definition]
    let time = SimulatedTime()
    /// The nodes; nil in a world with one gateway, which has the disk for itself.
    var cluster: Cluster?
    let disk: SimulatedDisk
    var random: SimulatedRandom
    var broker = SimulatedBroker()
    var lives: [DeviceLife]
    /// The engine that gets every message at once and in order.
    var faultless: Engine
    var gateway: Gateway?
    /// The start of the next process, while none is running.
    var startsAt = SimulatedTime.origin
    /// The moment of the next connection, while there is none.
    var connectsAt = SimulatedTime.origin
    /// The moment from which the store accepts commits again; nil when it does.
    var storeHealsAt: Timestamp?
    /// The content of the disk after the last commits, each with the engine at that time.
    var kept: [Kept] = [Kept(contents: DiskContents(), engine: nil)]
    /// True if a power failure may lose commits that have not reached the disk.
    let losesCommits: Bool
    /// True if the connection breaks during the next sending.
    var breaksSending = false
    /// True if the broker forgets the session before the next connection.
    var forgetsSession = true
    /// The moment at which the system synchronizes the clock, to an error of `clockError`.
    var clockSetAt: Timestamp?
    var clockError = Interval.zero
    /// The number of times that the clock was set.
    var sets = 0
    var revisionJudge = RevisionJudge()
    var timerJudge = TimerJudge()
    var truthJudge = TruthJudge()
    var sinkJudge = SinkJudge()
    /// The moment from which the sink beside the broker works again.
    var sinkHealsAt: Timestamp?
    /// The generator for the sink, separate so that its draws leave the rest of the world the same.
    var sinkRandom: SimulatedRandom
    /// The generator for older states of broker and store, separate so that its draws leave the rest the same.
    var pastRandom: SimulatedRandom
    /// Says with which settings the next process starts.
    var settingRandom: SimulatedRandom
    /// The epoch of the last older copy of the database that was put back.
    var oldEpoch: Int64?
    var silenceJudge = SilenceJudge(stale: .minutes(20), checkpoint: Gateway.checkpointInterval)
    var counts = FaultCounts()
    var step = 0
    private var events: [String] = []

    struct Kept {
        var contents: DiskContents
        /// The engine with everything acknowledged by then.
        var engine: Engine?
        /// The tea in each kettle by then.
        var brewing: [String: TruthJudge.Brewing] = [:]
        /// The error of the bridge's clock; nil when the clock might still be found.
        var error: Interval?
        /// The number of times that the clock had been set by then, as far as the bridge had noticed.
        var sets = 0
    }

    /// Runs a world.
    ///
    /// - Parameters:
    ///   - plan: The plan, which determines everything.
    ///   - definitions: The definitions of `SimulatedHousehold.kinds`, and ``ownDefinitions()``.
    ///   - below: A function that makes a real disk below the simulated one; its argument is true for one that need not
    ///     wait until commits are safe.
    /// - Returns: The result of the world.
    package static func run(
        _ plan: WorldPlan,
        definitions: [Definition],
        below: ((_ isHasty: Bool) -> any DiskBelow)? = nil
    ) -> WorldOutcome {
        let world = World(plan, definitions, below)
        var violation: Violation?
        do throws(Violation) {
            try world.live()
        } catch {
            violation = error
        }
        return WorldOutcome(
            violation: violation,
            step: world.step,
            lastEvents: world.events,
            faults: world.counts,
            revisions: world.revisionJudge.revisions,
            timerEnds: world.timerJudge.ends
        )
    }

    /// The definitions that exist only in worlds: a kettle with all sorts of timers, and a device that shows any JSON.
    package static func ownDefinitions() -> [Definition] {
        [Kettle.definition, RandomTraffic.definition].compactMap { text in
            DefinitionReader.read(text: text).draft.flatMap { Definition.compile($0).definition }
        }
    }

    private init(
        _ plan: WorldPlan,
        _ definitions: [Definition],
        _ below: ((_ isHasty: Bool) -> any DiskBelow)?
    ) {
        self.plan = plan
        usual = definitions
        self.definitions = definitions
        var random = SimulatedRandom(seed: plan.seed)
        sinkRandom = SimulatedRandom(seed: ~plan.seed)
        pastRandom = SimulatedRandom(seed: plan.seed ^ 0x5EED_0FD1_5A57_E125)
        settingRandom = SimulatedRandom(seed: plan.seed ^ 0x0B5E_55ED_7E11_0FF5)
        lives = (0..<12 + random.below(25)).map { number in
            DeviceLife(
                seed: random.next(),
                number: number,
                from: SimulatedTime.origin + .seconds(Int64(random.below(600)))
            )
        }
        cluster = below == nil ? Cluster(plan, time) : nil
        let losesCommits = plan.faults.contains(.lostCommits) && random.chance(1, of: 4) && cluster == nil
        self.losesCommits = losesCommits
        disk = SimulatedDisk(isHasty: losesCommits, below: below?(losesCommits))
        faultless = Engine(definitions: definitions, epoch: 0, foretells: false)
        self.random = random
    }

    private func live() throws(Violation) {
        while step < plan.steps {
            step += 1
            try misfortune()
            var moment = nextMoment
            for life in lives { if let said = life.next { moment = min(moment, said.at) } }
            try pass(until: moment)
            for index in lives.indices {
                while let said = lives[index].next, said.at <= time.truth {
                    publish(said.topic, said.payload, isRetained: said.isRetained)
                    lives[index].advance()
                }
            }
            try act()
        }
        try settle()
    }

    /// Advances the time.
    func pass(until moment: Timestamp) throws(Violation) {
        silenceJudge.pass(until: time.truth, isListening: gateway != nil)
        try renewLease(until: moment)
        time.pass(until: moment)
        silenceJudge.pass(until: time.truth, isListening: gateway != nil)
        truthJudge.pass(until: time.truth, knows: knowsTime)
    }

    /// Forgets all tea, because the right end can't be known any more.
    func forgetTruth() {
        truthJudge.brewing = [:]
        for place in kept.indices { kept[place].brewing = [:] }
    }

    /// True if there is a bridge that goes on and knows how much time has passed.
    var knowsTime: Bool { gateway.map { !$0.twin.clock.mayBeFound && !isPaused } ?? false }

    /// Records an event for the report of a failure.
    func note(_ event: String) {
        events.append("step \(step), \(time.truth.microseconds): \(event)")
        if events.count > 40 { events.removeFirst(events.count - 30) }
    }

    /// The next moment at which something is due, apart from messages of devices.
    var nextMoment: Timestamp {
        var moment = Timestamp.distantFuture
        if let storeHealsAt { moment = min(moment, storeHealsAt) }
        if cluster != nil {
            moment = min(moment, nextMomentOfNodes)
            if isPaused || gateway == nil { return moment }
        }
        guard let gateway else { return min(moment, startsAt) }
        if let limit = gateway.bridge.sleepLimit { moment = min(moment, time.truth + max(.zero, limit)) }
        guard gateway.isConnected else { return min(moment, connectsAt) }
        if let delivery = broker.nextDelivery, !isCutFromBroker { moment = min(moment, delivery) }
        return moment
    }

    /// Publishes a message of a device, to the broker and to the faultless engine.
    func publish(_ topic: [UInt8], _ payload: [UInt8], isRetained: Bool = false) {
        var notBefore = time.truth
        if allows(.delay), random.chance(1, of: 30) {
            counts[.delay] += 1
            notBefore = notBefore + .seconds(Int64(1 + random.below(90)))
        }
        broker.accept(topic, payload, isRetained: isRetained, notBefore: notBefore)
        note("published \(RevisionJudge.text(topic)) \(RevisionJudge.text(payload))")
        let text = RevisionJudge.text(topic)
        if text.hasPrefix(Twin.commandStart) {
            let levels = text.split(separator: "/").map { String($0) }
            let event = Input.event(
                kind: levels[1],
                device: levels[2],
                name: RevisionJudge.text(payload)
            )
            _ = faultless.handle(event, at: time.truth)
        } else {
            let message = Message(topic: topic[...], payload: payload[...])
            _ = faultless.handle(.message(message), at: time.truth)
        }
    }

    /// True if a fault may fire now.
    func allows(_ fault: Fault) -> Bool {
        step < plan.steps && plan.faults.contains(fault)
            && (cluster == nil || !Cluster.foreignFaults.contains(fault))
    }
}

// Several nodes with one database: who is active, and what goes wrong between them.

extension World {
    /// True while the active node is stopped.
    var isPaused: Bool { cluster?.lease?.pausedUntil != nil }

    /// True while the active node is cut off from the broker.
    var isCutFromBroker: Bool {
        guard let cluster, let lease = cluster.lease else { return false }
        return cluster.nodes[lease.node].brokerCutUntil > time.truth
    }

    /// True while renewals of the lease come through.
    private var isRenewing: Bool {
        cluster?.lease?.fate == nil && !isPaused && disk.mood != .refusing
    }

    /// The moment at which a waiting node can take the lease, and its number.
    private var nextTaking: (moment: Timestamp, node: Int)? {
        guard let cluster else { return nil }
        let possible = max(time.truth, storeHealsAt ?? .distantPast)
        return cluster.nodes.indices.filter { $0 != cluster.lease?.node }
            .map { (cluster.nodes[$0].attempt(from: max(possible, freed(for: $0))), $0) }
            .min { $0.0 < $1.0 }
    }

    /// The moment from which the lease is free for a node, by the clock of the database.
    private func freed(for node: Int) -> Timestamp { disk.row.until }

    /// The next moment at which something happens to the nodes.
    var nextMomentOfNodes: Timestamp {
        guard let cluster else { return .distantFuture }
        guard let lease = cluster.lease else {
            return min(nextTaking?.moment ?? .distantFuture, cluster.arrival)
        }
        var moment = cluster.arrival
        if isCutFromBroker, gateway?.isConnected == true {
            moment = min(moment, cluster.patienceEnds, cluster.nodes[lease.node].brokerCutUntil)
        }
        if isRenewing { return moment }
        if let end = lease.pausedUntil { moment = min(moment, end) }
        if lease.fate != nil { moment = min(moment, cluster.nodes[lease.node].databaseCutUntil) }
        if let taking = nextTaking { moment = min(moment, taking.moment) }
        return min(moment, time.truth + max(.zero, lease.term.timeLeft))
    }

    /// Renews the lease of the active node up to a moment, as the thread does that does nothing else.
    func renewLease(until moment: Timestamp) throws(Violation) {
        while let cluster, let lease = cluster.lease, isRenewing {
            let due = time.truth + max(.zero, lease.term.timeToRenewal)
            if let taking = nextTaking, taking.moment < due, taking.moment <= moment {
                time.pass(until: taking.moment)
                try take(by: taking.node)
            }
            if due > moment { return }
            time.pass(until: due)
            do throws(StoreFault) { try lease.renew() } catch { throw Violation("fence", error.message) }
        }
    }

    /// Does what is due at the nodes, apart from what the active bridge does.
    func actOfNodes() throws(Violation) {
        guard let cluster else { return }
        if cluster.arrival <= time.truth {
            self.cluster?.underway = []
            note("\(cluster.underway.count) publications arrive that were on their way")
            for publication in cluster.underway { try arrive(publication) }
        }
        if let lease = cluster.lease {
            if lease.term.timeLeft <= .zero {
                try end("because its lease has run out")
            } else {
                if lease.fate != nil, cluster.nodes[lease.node].databaseCutUntil <= time.truth {
                    lease.fate = nil
                }
                if let end = lease.pausedUntil, end <= time.truth { goOn(lease) }
                if isCutFromBroker, cluster.patienceEnds <= time.truth {
                    disconnect("nothing comes any more")
                }
            }
        }
        if self.cluster?.lease != nil, isRenewing { return }
        if let taking = nextTaking, taking.moment <= time.truth { try take(by: taking.node) }
    }

    /// Lets a node go on that was paused.
    private func goOn(_ lease: SimulatedLease) {
        note("node \(lease.node) goes on")
        lease.pausedUntil = nil
        if cluster?.isAcknowledging == true, gateway?.isConnected == true { broker.acknowledge() }
        cluster?.isAcknowledging = false
    }

    private func take(by node: Int) throws(Violation) {
        if let lease = cluster?.lease {
            throw Violation("fence", "node \(node) takes the lease while node \(lease.node) may still act")
        }
        let late = disk.late
        disk.late = nil
        if late != nil { counts[.lateCommit] += 1 }
        if let late, cluster?.random.chance(1, of: 2) == true {
            note("node \(node) waits for a commit of the former owner")
            guard (try? disk.write(late, at: time.truth)) != nil else {
                note("it was replaced by a later one")
                return
            }
            forgetTruth()
            sinkJudge.forget()
            kept = [Kept(contents: disk.contents, engine: nil)]
            return
        }
        note("node \(node) takes the lease")
        time.present = node
        if time.error != .zero { counts[.nodeClock] += 1 }
        cluster?.lease = SimulatedLease(node, time, disk)
        try start()
        connectsAt = time.truth + .seconds(Int64(cluster?.random.below(4) ?? 0))
        if let late, (try? disk.write(late, at: time.truth)) == nil {
            note("a commit of the former owner comes too late")
        }
    }

    // MARK: Faults

    /// Makes the faults of this step that only several nodes have.
    func misfortuneOfNodes() throws(Violation) {
        guard let count = cluster?.nodes.count else { return }
        for fault in [Fault.cutDatabase, .cutBroker] where fires(fault, at: 50) {
            let node = cluster?.lease?.node ?? draw(count)
            cut(draw(3) == 0 ? draw(count) : node, from: draw(3) == 0 ? [.cutDatabase, .cutBroker] : [fault])
        }
        guard let lease = cluster?.lease, gateway != nil, isRenewing else { return }
        if fires(.pause, at: 25), lease.pause == nil {
            let lateness = Interval.milliseconds(Int64(draw(2) * draw(3300)))
            let length = [draw(9000), 7000 + draw(7000), draw(7_200_000)][draw(3)]
            let places = SimulatedLease.Pause.Place.allCases
            let place = places[draw(places.count)]
            counts[.pause] += 1
            lease.pause = SimulatedLease.Pause(
                place: place,
                lateness: place == .afterCommit ? lateness : .zero,
                length: .milliseconds(Int64(length))
            )
        }
        if fires(.lateCommit, at: 60) { lease.stopsInCommit = true }
        if fires(.handOver, at: 60) { try handOver(lease) }
    }

    private func fires(_ fault: Fault, at times: Int) -> Bool { draw(times) == 0 && allows(fault) }

    private func draw(_ count: Int) -> Int { cluster?.random.below(count) ?? 0 }

    /// Cuts a node off for a while.
    private func cut(_ node: Int, from places: [Fault]) {
        let end = time.truth + .milliseconds(Int64([draw(9000), draw(60_000), draw(1_800_000)][draw(3)]))
        let isActive = cluster?.lease?.node == node
        guard let former = cluster?.nodes[node] else { return }
        let (patience, fate) = (Int64(5 + draw(60)), SimulatedLease.Fate.allCases[draw(3)])
        note("node \(node) is cut off: \(places.map(\.rawValue))")
        for place in places {
            counts[place] += 1
            if place == .cutBroker {
                cluster?.nodes[node].brokerCutUntil = max(former.brokerCutUntil, end)
                if isActive { cluster?.patienceEnds = time.truth + .seconds(patience) }
            } else {
                cluster?.nodes[node].databaseCutUntil = max(former.databaseCutUntil, end)
                if isActive { cluster?.lease?.fate = fate }
            }
        }
    }

    /// Ends the active node in good order, so that another can take the lease at once.
    private func handOver(_ lease: SimulatedLease) throws(Violation) {
        counts[.handOver] += 1
        try send()
        guard let gateway, !isPaused else { return }
        if gateway.isConnected, let farewell = gateway.bridge.farewell() { try reach(farewell) }
        gateway.bridge.ended()
        try afterCall(isAcknowledged: false)
        guard self.gateway != nil else { return }
        lease.end()
        try end("in good order")
    }
}

// The end of the bad days.

extension World {
    /// Repairs everything, brings the devices to rest, runs each once more, and compares the results.
    func settle() throws(Violation) {
        note("all is repaired")
        reload(usual)
        disk.mood = .healthy
        storeHealsAt = nil
        breaksSending = false
        startsAt = min(startsAt, time.truth + .seconds(1))
        connectsAt = min(connectsAt, time.truth + .seconds(1))
        cluster?.heal(at: time.truth)
        try run(for: .minutes(2))
        if clockSetAt != nil { time.error = clockError }
        clockSetAt = nil
        time.isSynchronized = true
        try run(for: .minutes(12))
        time.correct()
        try run(for: .minutes(12))
        try judgeRetained()
        try bringToRest()
        try run(for: .hours(14))
        try bringToRest()
        try run(for: .hours(2))
        try RestJudge.judge(broker, against: faultless)
        try forgetPastRuns()
        var run: [(minute: Int64, topic: String, payload: String)] = []
        for life in lives { run += life.lastRun }
        var minute: Int64 = 0
        for message in run.enumerated().sorted(by: {
            ($0.element.minute, $0.offset) < ($1.element.minute, $1.offset)
        }) {
            if message.element.minute > minute {
                try self.run(for: .minutes(message.element.minute - minute))
                minute = message.element.minute
                try RestJudge.judge(broker, against: faultless)
            }
            publish(Array(message.element.topic.utf8), Array(message.element.payload.utf8))
        }
        for _ in 0..<6 {
            try self.run(for: .minutes(12))
            try RestJudge.judge(broker, against: faultless)
        }
        try self.run(for: .hours(3))
        try RestJudge.judge(broker, against: faultless)
        try endInOrder()
        try revisionJudge.finish()
        try timerJudge.finish(at: time.truth)
        guard let gateway else { return }
        try sinkJudge.finish(disk.contents.told, gateway.twin.engine)
        if disk.setAside > 0 { throw Violation("recovery", "a device was set aside without a reason") }
    }

    /// Compares the broker with the bridge's own engine, once the broker has everything: later, new revisions would hide
    /// that old ones were left.
    private func judgeRetained() throws(Violation) {
        var rest = 60
        while rest > 0, !disk.contents.state.publications.isEmpty {
            try run(for: .seconds(10))
            rest -= 1
        }
        if let gateway { try RestJudge.judge(broker, against: gateway.twin.engine) }
    }

    /// Ends the process in good order, and checks that nothing is left to send.
    private func endInOrder() throws(Violation) {
        gateway?.bridge.ended()
        guard let left = disk.contents.state.publications.first else { return }
        throw Violation(
            "outbox",
            "\(left.topic) \(RevisionJudge.text(left.payload)) was acknowledged and would be sent again"
        )
    }

    /// Takes the definitions away that learn from past runs, and brings them back.
    ///
    /// Faults change past runs: a message that came late made one longer. So ends that are learned from them may
    /// rightly differ from those of an engine that never met a fault.
    private func forgetPastRuns() throws(Violation) {
        reload(usual.filter { !$0.timers.contains { $0.isLearned } })
        try run(for: .minutes(12))
        try RestJudge.judge(broker, against: faultless)
        reload(usual)
        try run(for: .minutes(12))
        try correctClock()
        try bringToRest()
        try run(for: .minutes(12))
        try RestJudge.judge(broker, against: faultless)
    }

    /// Boots the machine once more if the clock of the bridge is off.
    ///
    /// An error of up to a second is no step, and lasts until the next boot, so moments would differ from those of an
    /// engine that never met a fault. See docs/decisions/0021-clock-steps.md. The devices are brought to rest again,
    /// because a new session gets old retained messages.
    private func correctClock() throws(Violation) {
        guard let gateway, gateway.twin.clock.now != time.truth else { return }
        boot()
        try run(for: .minutes(12))
        try bringToRest()
        try run(for: .hours(14))
    }

    private func bringToRest() throws(Violation) {
        for life in lives {
            for message in life.rest { publish(Array(message.topic.utf8), Array(message.payload.utf8)) }
        }
    }

    /// Advances the time, with all actions that are due meanwhile.
    private func run(for length: Interval) throws(Violation) {
        let end = time.truth + length
        while true {
            let moment = nextMoment
            if moment > end { break }
            let before = time.truth
            try pass(until: moment)
            step += 1
            try act()
            if step > plan.steps + 20_000 {
                throw Violation("rest", "the world does not come to rest after \(before.microseconds)")
            }
        }
        try pass(until: end)
        _ = faultless.handle(.timePassed, at: time.truth)
        try act()
    }
}
