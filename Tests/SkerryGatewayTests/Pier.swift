import Foundation
import Logging
import SkerryActivity
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryPhones
import SkerryTesting
import SkerryValues
import Synchronization

/// What a store was told, and whether it takes anything.
final class StoreLedger {
    var commits: [StoreChanges] = []
    var attempts = 0
    var isRefusing = false
    /// What the last process left.
    var state = StoredState()
    /// Called in the middle of a commit.
    var onCommit: () -> Void = {}
}

/// A store that writes everything into a ledger.
struct LedgerStore: Store {
    let ledger: StoreLedger

    func load() -> StoredState { ledger.state }

    mutating func commit(_ changes: StoreChanges) throws(StoreFault) {
        ledger.attempts += 1
        ledger.onCommit()
        if ledger.isRefusing { throw StoreFault("the disk is full: make room", .full) }
        ledger.commits.append(changes)
    }
}

/// What a bridge told those who watch it, apart from effects.
final class ToldEvents: Sendable {
    private let content = Mutex<[BridgeEvent]>([])

    func add(_ event: BridgeEvent) {
        if case .effect = event { return }
        content.withLock { $0.append(event) }
    }

    /// The timelines since the last call, each as its device and what it foretells.
    func takeTimelines() -> [String] {
        content.withLock { events in
            defer { events = [] }
            return events.compactMap { event in
                guard case .foretold(_, let device, let timeline) = event else { return nil }
                let states = timeline?.entries.map { $0.phase == nil ? "gone" : $0.state } ?? ["nothing"]
                return "\(device): \(states.joined(separator: ", "))"
            }
        }
    }

    /// How often definitions were read again.
    var redefinitions: Int {
        content.withLock { events in events.count { if case .redefined = $0 { true } else { false } } }
    }

    /// The steps of the clock that it told.
    var clockSteps: [Interval] {
        content.withLock { events in
            events.compactMap { if case .clock(_, let length) = $0 { length } else { nil } }
        }
    }

    /// Why the bridge may not start.
    var refusal: String? {
        content.withLock { events in
            for case .isRefused(let reason) in events { return reason }
            return nil
        }
    }
}

/// A bridge that a test calls as a bus does.
final class Pier {
    static let start = Timestamp(seconds: 1_772_355_600)

    let clock: StepClock
    let ledger = StoreLedger()
    let events = ToldEvents()
    let questions = QuestionMailbox()
    let bridge: Bridge<LedgerStore, StepClock>
    let prefix: String

    init(
        at start: Timestamp = Pier.start,
        prefix: String = "skerry",
        state: StoredState = StoredState(),
        sinks: [SinkQueue] = [],
        surroundings: BridgeSurroundings? = nil,
        mailbox: DefinitionMailbox = DefinitionMailbox(),
        definition text: String = Pier.definition,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        change: (inout BridgeOptions) -> Void = { _ in },
        room: @escaping @Sendable (DeviceKey) -> String? = { _ in nil },
        wantsTimelines: @escaping @Sendable () -> Bool = { false },
        decisions: @escaping @Sendable (_ kind: String, _ device: String) -> [PhoneDecision] = { _, _ in [] }
    )
        throws
    {
        var options = BridgeOptions(version: "1.2.3")
        options.prefix = prefix
        options.newOwner = "pier"
        options.publishesTimelines = true
        change(&options)
        self.prefix = prefix
        clock = StepClock(start)
        ledger.state = state
        var ports = BridgePorts(logger: logger)
        (ports.sinks, ports.definitions, ports.questions) = (sinks, mailbox, questions)
        ports.surroundings = surroundings
        ports.room = room
        ports.watcher.tell = { [events] in events.add($0) }
        ports.watcher.wantsTimelines = wantsTimelines
        ports.watcher.decisions = decisions
        bridge = try Bridge.recover(
            definitions: [try Pier.compiled(text)],
            store: LedgerStore(ledger: ledger),
            clock: clock,
            options: options,
            ports: ports
        ).bridge
    }

    struct BadDefinition: Error {
        var problems: [String]
    }

    static func lamp() throws -> Definition { try compiled(definition) }

    private static func compiled(_ text: String) throws -> Definition {
        let reading = DefinitionReader.read(text: text)
        guard let draft = reading.draft else {
            throw BadDefinition(problems: reading.problems.map { "\($0)" })
        }
        let compilation = Definition.compile(draft, limits: DeviceLimits())
        guard let definition = compilation.definition else {
            throw BadDefinition(problems: compilation.problems.map { "\($0)" })
        }
        return definition
    }

    /// Connects, and throws away what the bridge then says of itself.
    @discardableResult
    func connect(isResumed: Bool = false, retained: [String: String] = [:]) -> [Publication] {
        bridge.connect(BusSession(isResumed: isResumed), retained: retained.mapValues { Array($0.utf8) })
        return drain()
    }

    /// One message in a batch of its own, now.
    @discardableResult
    func send(_ topic: String, _ payload: String, isRetained: Bool = false) -> BatchOutcome {
        send([(topic, payload)], isRetained: isRetained)
    }

    @discardableResult
    func send(_ messages: [(topic: String, payload: String)], isRetained: Bool = false) -> BatchOutcome {
        var batch = MessageBatch()
        for message in messages {
            batch.append(topic: message.topic.utf8, payload: message.payload.utf8, isRetained: isRetained)
        }
        return bridge.handle(batch)
    }

    /// What waits for the broker, taken and acknowledged; without timelines, which come with most updates, and without the
    /// lists of devices and definitions.
    @discardableResult
    func drain() -> [Publication] { drainAll().filter { !$0.isTimeline && !$0.isListing } }

    /// The same with timelines and lists.
    @discardableResult
    func drainAll() -> [Publication] {
        var publications: [Publication] = []
        while let publication = bridge.nextPublication() {
            publications.append(publication)
            bridge.settled(publication.id, .acknowledged)
        }
        return publications
    }

    /// The health report that comes within the next hour.
    func health() throws -> HealthReport {
        clock.move(by: .hours(1))
        bridge.wake()
        let report = drain().last { $0.topic == "\(prefix)/bridge/health" }
        return try JSONDecoder().decode(HealthReport.self, from: Data(report?.payload ?? []))
    }

    static let definition = """
        skerry: 1
        kind: lamp
        sources:
          - topic: lamp/{device}/state
            signals: { on: payload.on, level: payload.level }
          - topic: lamp/{device}/LWT
            payload: text
            available: payload == "online"
        machine:
          initial: dark
          states:
            dark:
              always: { guard: on, target: lit }
            lit:
              title: Lit
              always: { guard: "!on", target: dark }
              on: { snooze: dimmed }
              after: { 1h: forgotten }
            dimmed:
              title: Dimmed
              always: { guard: "!on", target: dark }
            forgotten:
              title: Left on
              always: { guard: "!on", target: dark }
        activity:
          starts: lit
          ends: [dark, forgotten]
          attributes: { name: device.name }
          content: { status: state.title, level: level }
          alerts: { forgotten: { title: "{device.name} is left on" } }
          dismiss: 10m
        """
}

/// What `bridge/health` holds.
struct HealthReport: Decodable {
    struct Messages: Decodable {
        var `in`: Int
        var unrouted: Int
        var refused: Int
        var beyondLimit: Int
        var oversized: Int
    }

    struct Unread: Decodable {
        var kind: String
        var device: String?
        var count: Int
        var text: String
    }

    struct LastError: Decodable {
        var at: Int
        var message: String
    }

    var uptime: Int
    var devices: Int
    var replaced: Int
    var messages: Messages
    var updates: Int
    var waiting: Int
    var dropped: Int
    var connects: Int
    var lateAlerts: Int
    var foreign: Int?
    var takenOver: Int?
    var setAside: [String]?
    var unread: [Unread]?
    var problems: Int
    var store: Store?
    var lastError: LastError?

    struct Store: Decodable {
        var problem: String
        var since: Int
        var message: String
    }
}

extension Publication {
    var isTimeline: Bool { topic.hasSuffix("/timeline") }

    /// Whether it tells which devices and definitions there are.
    var isListing: Bool {
        ["/bridge/devices", "/bridge/definitions", "/bridge/event"].contains { topic.hasSuffix($0) }
    }

    var text: String { String(decoding: payload, as: UTF8.self) }

    /// The payload as an object of JSON.
    var object: ValueMap {
        get throws {
            guard case .map(let members) = try JSONReader.value(of: payload.span) else { return ValueMap() }
            return members
        }
    }

    /// Topic and revision, `off` for a deleted snapshot.
    var summary: String {
        get throws {
            if topic.hasSuffix("/alert"), case .string(let title)? = try object["title"] {
                return "\(topic) \(title)"
            }
            guard topic.hasSuffix("/activity") || topic.hasSuffix("/diff") else { return "\(topic) \(text)" }
            if payload.isEmpty { return "\(topic) off" }
            guard case .int(let rev)? = try object["rev"] else { return topic }
            return "\(topic) \(rev)"
        }
    }
}
