import SkerryGateway
import SkerryTesting
import SkerryValues

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
