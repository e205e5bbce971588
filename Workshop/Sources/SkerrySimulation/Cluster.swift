import SkerryGateway
import SkerryTesting
import SkerryValues

/// The nodes of a world that share its database by a lease: one is active, the others wait for the lease.
struct Cluster {
    struct Node {
        /// The moment from which its process runs.
        var startsAt = SimulatedTime.origin
        /// The moments until which it is cut off.
        var databaseCutUntil = Timestamp.distantPast
        var brokerCutUntil = Timestamp.distantPast
        /// The part of a second at which it tries to take the lease.
        var phase: Interval

        /// The moment of its first attempt from a moment on.
        func attempt(from moment: Timestamp) -> Timestamp {
            let moment = max(moment, startsAt, databaseCutUntil)
            let seconds = (moment - SimulatedTime.origin - phase).microseconds
            let passed = (max(0, seconds) + 999_999) / 1_000_000
            return SimulatedTime.origin + phase + .seconds(passed)
        }
    }

    /// Faults that worlds with nodes don't have: their clocks are off all the time, and their database loses nothing.
    static let foreignFaults: Set<Fault> = [
        .lostCommits, .lostStore, .oldStore, .clockForward, .clockBack, .clockUnset, .clockCorrected,
        .clockResumed,
    ]

    var nodes: [Node]
    /// The lease of the active node, whose bridge is that of the world.
    var lease: SimulatedLease?
    /// The generator of everything about nodes, so that its draws leave other worlds the same.
    var random: SimulatedRandom
    /// True if the active node was paused after a commit, before it acknowledged the messages.
    var isAcknowledging = false
    /// Publications that the kernel of a node cut off from the broker has taken and not delivered.
    var underway: [Publication] = []
    /// The node that has sent it.
    private var sender = 0
    /// The moment at which the active node gives up a connection on which nothing comes any more.
    var patienceEnds = Timestamp.distantPast

    /// Makes two or three nodes; nil in three of four worlds.
    init?(_ plan: WorldPlan, _ time: SimulatedTime) {
        random = SimulatedRandom(seed: plan.seed ^ 0x10DE_5A11_0F7E_1EA5)
        guard random.chance(1, of: 4) else { return nil }
        nodes = []
        for number in 0..<2 + random.below(2) {
            let part = Int64(random.below(2001) - 1000)
            let error = Interval.milliseconds(part * (random.chance(1, of: 2) ? 20 : 1))
            let isOff = plan.faults.contains(.nodeClock)
            if number == 0 {
                time.error = isOff ? error : .zero
            } else {
                time.addMachine(bootedBefore: .hours(Int64(random.below(500))), error: isOff ? error : .zero)
            }
            nodes.append(Node(phase: .milliseconds(Int64(random.below(1000)))))
        }
    }

    /// Keeps a publication of the active node, which is cut off from the broker, until it can arrive.
    mutating func delay(_ publication: Publication) {
        guard let lease else { return }
        underway.append(publication)
        sender = lease.node
    }

    /// The moment at which publications arrive that are under way, unless the broker has ended the connection by then.
    var arrival: Timestamp { underway.isEmpty ? .distantFuture : nodes[sender].brokerCutUntil }

    /// Repairs everything.
    mutating func heal(at now: Timestamp) {
        for index in nodes.indices {
            nodes[index].startsAt = min(nodes[index].startsAt, now + .seconds(1))
            nodes[index].databaseCutUntil = .distantPast
            nodes[index].brokerCutUntil = min(nodes[index].brokerCutUntil, now)
        }
        lease?.fate = nil
        lease?.pause = nil
        lease?.stopsInCommit = false
        if lease?.pausedUntil != nil { lease?.pausedUntil = now }
    }

    /// Ends the process of the active node, which waits for the lease from a moment on.
    mutating func endActive(until moment: Timestamp) {
        guard let lease else { return }
        nodes[lease.node].startsAt = max(moment, (lease.pausedUntil ?? .distantPast) + .seconds(1))
        isAcknowledging = false
        self.lease = nil
    }
}
