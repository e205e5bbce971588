public import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryTesting
import SkerryValues

/// The plan that determines everything that happens in a world.
public struct WorldPlan: Sendable {
    /// The seed of all devices and all faults.
    public var seed: UInt64
    /// The number of steps in the bad days.
    public var steps: Int
    /// The kinds of faults that may fire.
    public var faults: Set<Fault>

    /// Makes a plan.
    public init(seed: UInt64, steps: Int = 300, faults: Set<Fault> = Set(Fault.allCases)) {
        self.seed = seed
        self.steps = steps
        self.faults = faults
    }
}

/// The result of a world.
public struct WorldOutcome: Sendable {
    /// The broken promise; nil if all were kept.
    public var violation: Violation?
    /// The number of the last step.
    public var step: Int
    /// The last events, one line each.
    public var lastEvents: [String]
    /// The number of faults of each kind.
    public var faults: FaultCounts
    /// The number of revisions that readers saw.
    public var revisions: Int
    /// The number of timers whose end readers saw.
    public var timerEnds: Int
}

/// Devices, a broker, a disk and a clock, all determined by one seed, around a real bridge.
///
/// First come bad days with the faults of the plan. Then everything is repaired, the devices come to rest, and each has
/// one more run, which must be published as if there had been no faults.
public final class World {
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
    public static func run(
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
    public static func ownDefinitions() -> [Definition] {
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
