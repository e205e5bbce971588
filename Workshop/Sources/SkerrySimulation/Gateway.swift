import Logging
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryValues
import Synchronization

/// One process: the real bridge, its twin, and what of the bus dies with it.
struct Gateway {
    /// How long numbers that changed nothing else may wait to be kept.
    static let checkpointInterval = Interval.minutes(10)

    let bridge: Bridge<SimulatedStore, SystemClock>
    var twin: Twin
    /// What the bridge has told and nobody compared yet.
    let told: ToldEffects
    private let mailbox: DefinitionMailbox
    var isConnected = false
    /// The packet identifiers of what was handled, for what is sent again.
    private var handled: Set<UInt16>
    /// Messages that were handled and not kept.
    private var unkept: [Delivery] = []
    /// What the bus has taken over and the broker has not acknowledged.
    var window: [Publication] = []
    /// What the sink beside the broker takes from.
    let queue: SinkQueue
    /// What the sink was told and has not settled.
    var unsettled: [UInt64] = []
    /// What it has subscribed to since it was connected.
    var plan: SubscriptionPlan?
    /// Whether it has committed anything.
    var hasCommitted = false

    /// Starts a process on what the disk holds; nil when it ended at once.
    init?(
        _ disk: SimulatedDisk,
        time: SimulatedTime,
        definitions: [Definition],
        effects: inout [Effect]
    ) {
        disk.hasEnded = false
        disk.isRefusing = false
        let told = ToldEffects()
        let mailbox = DefinitionMailbox()
        let before = disk.state
        var options = BridgeOptions(version: "simulated")
        options.healthInterval = .hours(1)
        options.newOwner = "world \(disk.stores)"
        options.checkpointInterval = Self.checkpointInterval
        // No alert is ever too late here, so that each must be told.
        options.alertFreshness = .hours(24 * 365 * 100)
        let queue = SinkQueue(name: "sink", options: options)
        let bridge = try? Bridge(
            definitions: definitions,
            store: SimulatedStore(disk: disk),
            clock: time.makeClock(),
            options: options,
            sinks: [queue],
            mailbox: mailbox,
            logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() },
            watch: { told.add($0) }
        )
        guard let bridge else { return nil }
        self.bridge = bridge
        self.queue = queue
        self.told = told
        self.mailbox = mailbox
        handled = Set((before.progress?.handled ?? []).map { $0.packet })
        twin = Twin(before, definitions: definitions, clock: time.makeClock(), effects: &effects)
    }

    /// What a plain engine makes of a batch that the bridge has handled.
    ///
    /// - Returns: that, and the messages that are kept now.
    mutating func take(_ batch: [Delivery], _ outcome: BatchOutcome) -> (effects: [Effect], kept: [Delivery])
    {
        let fresh = batch.filter { !$0.isOwn && !($0.isRepeat && handled.contains($0.packet)) }
        handled.formUnion(fresh.map(\.packet))
        unkept += fresh
        defer { if outcome == .committed { unkept = [] } }
        return (twin.take(fresh), outcome == .committed ? unkept : [])
    }

    /// The broker has forgotten the session: nothing is sent again.
    mutating func forgetSession() { handled = [] }

    /// Readers knew more than the disk did, and the bridge has begun another epoch.
    mutating func followEpoch() {
        if let epoch = told.takeEpoch() { twin.engine.begin(epoch: epoch) }
    }

    /// Hands other definitions over, to be taken in with the next wake.
    mutating func put(_ definitions: [Definition]) {
        mailbox.put(definitions)
        twin.mail.append(definitions)
    }
}

/// What a bridge tells those who watch it.
final class ToldEffects: Sendable {
    private let effects = Mutex<[Effect]>([])
    private let epoch = Mutex<Int64?>(nil)
    private let refusal = Mutex<String?>(nil)

    func add(_ event: BridgeEvent) {
        switch event {
        case .effect(let effect): effects.withLock { $0.append(effect) }
        case .isRefused(let reason): refusal.withLock { $0 = reason }
        case .newEpoch(let number): epoch.withLock { $0 = number }
        default: break
        }
    }

    /// Why the bridge must not start.
    var whyRefused: String? { refusal.withLock { $0 } }

    /// The epoch that has begun since the last time.
    func takeEpoch() -> Int64? {
        epoch.withLock { epoch in
            defer { epoch = nil }
            return epoch
        }
    }

    /// What was told since the last time.
    func take() -> [Effect] {
        effects.withLock { effects in
            defer { effects.removeAll() }
            return effects
        }
    }
}

/// Compares what the bridge tells with what a plain engine makes of the same: nothing more, nothing less, in the same
/// order and at the same times.
enum TwinJudge {
    static func judge(_ told: [Effect], expected: [Effect]) throws(Violation) {
        let (told, expected) = (told.map(\.line), expected.map(\.line))
        if told == expected { return }
        let place = zip(told, expected).prefix { $0 == $1 }.count
        let found = place < told.count ? told[place] : "nothing"
        let right = place < expected.count ? expected[place] : "nothing"
        throw Violation("twin", "the bridge tells \(found), a plain engine tells \(right)")
    }
}
