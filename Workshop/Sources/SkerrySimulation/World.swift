public import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryTesting
import SkerryValues

/// What decides everything that happens in a world.
public struct WorldPlan: Sendable {
    /// The seed of all devices and of all misfortune.
    public var seed: UInt64
    /// How many moments the bad days have.
    public var steps: Int
    /// What may go wrong.
    public var faults: Set<Fault>

    /// Makes a plan.
    public init(seed: UInt64, steps: Int = 300, faults: Set<Fault> = Set(Fault.allCases)) {
        self.seed = seed
        self.steps = steps
        self.faults = faults
    }
}

/// What came of a world.
public struct WorldOutcome: Sendable {
    /// What must not be; nil when all was well.
    public var violation: Violation?
    /// At which step it ended.
    public var step: Int
    /// The last things that happened, one line each.
    public var lastEvents: [String]
    /// What went wrong on purpose.
    public var faults: FaultCounts
    /// Revisions that readers saw.
    public var revisions: Int
    /// Timers whose end readers saw.
    public var timerEnds: Int
}

/// Devices, a broker, a disk and a clock, all made of one seed, and the real bridge among them.
///
/// First come bad days, in which everything goes wrong that the plan lets go wrong. Then all is repaired, the devices
/// come to rest, and each does one more run, which must be told as if nothing had ever been.
public final class World {
    let plan: WorldPlan
    /// The definitions of good days.
    let usual: [Definition]
    /// The definitions now.
    var definitions: [Definition]
    let time = SimulatedTime()
    let disk: SimulatedDisk
    var random: SimulatedRandom
    var broker = SimulatedBroker()
    var lives: [DeviceLife]
    /// The engine that every message reaches at once and in order.
    var faultless: Engine
    var gateway: Gateway?
    /// When the next process starts, while there is none.
    var startsAt = SimulatedTime.origin
    /// When the next connection is made, while there is none.
    var connectsAt = SimulatedTime.origin
    /// When the store takes commits again.
    var storeHealsAt: Timestamp?
    /// What the disk held after the last commits, and what the engine was then.
    var kept: [Kept] = [Kept(contents: DiskContents(), engine: nil)]
    /// Whether the power may fail with commits that the disk has not got yet.
    let losesCommits: Bool
    /// Whether the next time that the bridge sends, the connection breaks.
    var breaksSending = false
    /// Whether the broker has forgotten the session before the next connection.
    var forgetsSession = true
    /// When the system synchronizes the clock, and how wrong it is then.
    var clockSetAt: Timestamp?
    var clockError = Interval.zero
    /// How often somebody has set the clock.
    var sets = 0
    var revisionJudge = RevisionJudge()
    var timerJudge = TimerJudge()
    var truthJudge = TruthJudge()
    var sinkJudge = SinkJudge()
    /// When the sink beside the broker works again.
    var sinkHealsAt: Timestamp?
    /// What the sink draws from, so that it changes nothing else in a world.
    var sinkRandom: SimulatedRandom
    /// What faults of the broker's and the store's past draw from, so that they change nothing else in a world.
    var pastRandom: SimulatedRandom
    /// The epoch of the last older copy of the database that was put back.
    var oldEpoch: Int64?
    var silenceJudge = SilenceJudge(stale: .minutes(20), checkpoint: Gateway.checkpointInterval)
    var counts = FaultCounts()
    var step = 0
    private var events: [String] = []

    struct Kept {
        var contents: DiskContents
        /// What was acknowledged up to then.
        var engine: Engine?
        /// What tea was told of by then.
        var brewing: [String: TruthJudge.Brewing] = [:]
        /// How far the clock of the bridge was ahead; nil when it might still have been found.
        var error: Interval?
        /// How often the clock had been set by then, as far as the bridge knew.
        var sets = 0
    }

    /// Lets a world happen.
    ///
    /// - Parameters:
    ///   - plan: What decides everything.
    ///   - definitions: Those of `devices/`, and ``ownDefinitions()``.
    ///   - below: Makes a real disk below the simulated one, told whether it need not wait for commits to be safe.
    /// - Returns: what came of it.
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

    /// The definitions that only worlds have: a kettle with all sorts of timers, a thing that shows any JSON.
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
        lives = (0..<12 + random.below(25)).map { number in
            DeviceLife(
                seed: random.next(),
                number: number,
                from: SimulatedTime.origin + .seconds(Int64(random.below(600)))
            )
        }
        let losesCommits = plan.faults.contains(.lostCommits) && random.chance(1, of: 4)
        self.losesCommits = losesCommits
        disk = SimulatedDisk(isHasty: losesCommits, below: below?(losesCommits))
        faultless = Engine(definitions: definitions, epoch: 0)
        self.random = random
    }

    private func live() throws(Violation) {
        while step < plan.steps {
            step += 1
            try misfortune()
            var moment = nextMoment
            for life in lives { if let said = life.next { moment = min(moment, said.at) } }
            pass(until: moment)
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

    /// Lets time pass.
    func pass(until moment: Timestamp) {
        silenceJudge.pass(until: time.truth, isListening: gateway != nil)
        time.pass(until: moment)
        silenceJudge.pass(until: time.truth, isListening: gateway != nil)
        truthJudge.pass(until: time.truth, knows: knowsTime)
    }

    /// Nobody can tell any more when tea must be ready.
    func forgetTruth() {
        truthJudge.brewing = [:]
        for place in kept.indices { kept[place].brewing = [:] }
    }

    /// Whether there is a bridge that has counted all time.
    var knowsTime: Bool { gateway.map { !$0.twin.clock.mayBeFound } ?? false }

    /// Keeps what happened, for those who look for a reason.
    func note(_ event: String) {
        events.append("step \(step), \(time.truth.microseconds): \(event)")
        if events.count > 40 { events.removeFirst(events.count - 30) }
    }

    /// When something is due that is no message of a device.
    var nextMoment: Timestamp {
        var moment = Timestamp.distantFuture
        if let storeHealsAt { moment = min(moment, storeHealsAt) }
        guard let gateway else { return min(moment, startsAt) }
        if let limit = gateway.bridge.sleepLimit { moment = min(moment, time.truth + max(.zero, limit)) }
        guard gateway.isConnected else { return min(moment, connectsAt) }
        if let delivery = broker.nextDelivery { moment = min(moment, delivery) }
        return moment
    }

    /// A device publishes.
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

    /// Whether a fault may fire now.
    func allows(_ fault: Fault) -> Bool { step < plan.steps && plan.faults.contains(fault) }
}
