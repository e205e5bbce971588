import Logging
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryValues
import Synchronization

/// One process: the real bridge, its twin, and the state of the bus that ends with it.
struct Gateway {
    /// The longest time for which numbers that changed nothing else may stay unstored.
    static let checkpointInterval = Interval.minutes(10)

    let bridge: Bridge<SimulatedStore, SystemClock>
    var twin: Twin
    /// The effects of the bridge that were not compared yet.
    let told: ToldEffects
    private let mailbox: DefinitionMailbox
    var isConnected = false
    /// The packet identifiers of handled messages, to recognise those that are sent again.
    private var handled: Set<UInt16>
    /// The messages that were handled and not stored.
    private var unkept: [Delivery] = []
    /// The effects of the twin that were not compared yet: of the loss of a connection.
    var early: [Effect] = []
    /// The publications that the bus has taken and the broker has not acknowledged.
    var window: [Publication] = []
    /// The queue of the sink beside the broker.
    let queue: SinkQueue
    /// The deliveries that the sink has taken and not settled.
    var unsettled: [UInt64] = []
    /// The subscriptions made on this connection.
    var plan: SubscriptionPlan?
    /// True after the first commit of the process.
    var hasCommitted = false

    /// Starts a process from the content of the disk, which publishes timelines or doesn't; nil when the store can't be
    /// read.
    init?(
        _ disk: SimulatedDisk,
        lease: SimulatedLease?,
        time: SimulatedTime,
        definitions: [Definition],
        publishesTimelines: Bool,
        effects: inout [Effect]
    ) {
        disk.hasEnded = false
        disk.isRefusing = false
        let told = ToldEffects()
        let mailbox = DefinitionMailbox()
        let before = disk.state
        var options = BridgeOptions(version: "simulated")
        options.publishesTimelines = publishesTimelines
        options.healthInterval = .hours(1)
        options.newOwner = "world \(disk.stores)"
        options.succeeds = disk.stores > 1
        options.checkpointInterval = Self.checkpointInterval
        // No alert expires here, so the judge can demand each of them.
        options.alertFreshness = .hours(24 * 365 * 100)
        let queue = SinkQueue(name: "sink", options: options)
        var ports = BridgePorts(logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() })
        (ports.sinks, ports.definitions) = ([queue], mailbox)
        ports.watcher.tell = { told.add($0) }
        let bridge = try? Bridge.recover(
            definitions: definitions,
            store: SimulatedStore(disk: disk, lease: lease),
            clock: time.makeClock(),
            options: options,
            ports: ports
        ).bridge
        guard let bridge else { return nil }
        self.bridge = bridge
        self.queue = queue
        self.told = told
        self.mailbox = mailbox
        handled = Set((before.progress?.handled ?? []).map { $0.packet })
        twin = Twin(
            before,
            definitions: definitions,
            foretells: publishesTimelines,
            clock: time.makeClock(),
            effects: &effects
        )
    }

    /// Handles in the twin a batch that the bridge has handled.
    ///
    /// - Returns: The effects of the twin, and the messages stored by now.
    mutating func take(_ batch: [Delivery], _ outcome: BatchOutcome) -> (effects: [Effect], kept: [Delivery])
    {
        let fresh = batch.filter { !$0.isOwn && !($0.isRepeat && handled.contains($0.packet)) }
        handled.formUnion(fresh.map(\.packet))
        unkept += fresh
        defer { if outcome == .committed { unkept = [] } }
        return (twin.take(fresh), outcome == .committed ? unkept : [])
    }

    /// Forgets the handled messages, because the broker lost the session and sends none of them again.
    mutating func forgetSession() { handled = [] }

    /// Begins another epoch in the twin if the bridge did, because readers knew more than the disk.
    mutating func followEpoch() {
        if let epoch = told.takeEpoch() { twin.engine.begin(epoch: epoch) }
    }

    /// Tells the twin of a connection if the bridge has told its devices of one, and of the loss of one.
    ///
    /// - Returns: The effects of the twin.
    mutating func followConnection() -> [Effect] {
        told.takeConnections().flatMap {
            twin.engine.handle($0 ? .connected : .disconnected, at: twin.clock.now)
        }
    }

    /// Puts other definitions into the mailbox; bridge and twin change to them with the next wake.
    mutating func put(_ definitions: [Definition]) {
        mailbox.put(definitions)
        twin.mail.append(definitions)
    }
}

/// The events that a bridge reports to its observers.
final class ToldEffects: Sendable {
    private let effects = Mutex<[Effect]>([])
    private let epoch = Mutex<Int64?>(nil)
    private let refusal = Mutex<String?>(nil)
    /// True for each time at which the bridge told its devices of a connection, false for each loss of one.
    private let connections = Mutex<[Bool]>([])

    func add(_ event: BridgeEvent) {
        switch event {
        case .effect(let effect): effects.withLock { $0.append(effect) }
        case .isRefused(let reason): refusal.withLock { $0 = reason }
        case .newEpoch(let number): epoch.withLock { $0 = number }
        case .compared: connections.withLock { $0.append(true) }
        case .disconnected: connections.withLock { $0.append(false) }
        default: break
        }
    }

    /// The reason for which the bridge must not start; nil if it may.
    var whyRefused: String? { refusal.withLock { $0 } }

    /// Takes what there was of connections since the last call.
    func takeConnections() -> [Bool] {
        connections.withLock { connections in
            defer { connections = [] }
            return connections
        }
    }

    /// The epoch that began since the last call; nil if none did.
    func takeEpoch() -> Int64? {
        epoch.withLock { epoch in
            defer { epoch = nil }
            return epoch
        }
    }

    /// The effects since the last call.
    func take() -> [Effect] {
        effects.withLock { effects in
            defer { effects.removeAll() }
            return effects
        }
    }
}

/// Compares the effects of the bridge with those of the twin: the same effects, in the same order and at the same
/// times.
///
/// Observers are not told of the messages of actions.
enum TwinJudge {
    static func judge(_ told: [Effect], expected: [Effect]) throws(Violation) {
        let told = told.map(\.line)
        let expected = expected.filter { if case .publication = $0.what { false } else { true } }.map(\.line)
        if told == expected { return }
        let place = zip(told, expected).prefix { $0 == $1 }.count
        let found = place < told.count ? told[place] : "nothing"
        let right = place < expected.count ? expected[place] : "nothing"
        throw Violation("twin", "the bridge tells \(found), a plain engine tells \(right)")
    }
}
