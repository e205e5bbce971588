import Foundation
import Logging
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryHouse
import SkerryTesting
import SkerryValues
import Synchronization

/// A folder that is gone when the test ends.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/house-\(UInt64.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        return file
    }
}

/// A bridge with a desk, called as a bus does, in virtual time.
final class House {
    static let start = Timestamp(seconds: 1_772_355_600)

    let clock: StepClock
    let mailbox = QuestionMailbox()
    let history = MemoryRunHistory()
    let failures = FailureLog(
        MemoryPhoneStore(),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    let phones: PhoneDesk
    let bus = QuietBus()
    let desk: HouseDesk
    let bridge: Bridge<MemoryStore, StepClock>
    let log: EventLog
    /// The revisions of activities that the bridge told, as `<id> <rev>`.
    let updates = Lines()
    /// Rings when the desk wakes the bridge.
    private let bell = Bell()

    /// Makes a house of definitions; of one lamp, if none are given.
    init(
        _ files: CompiledFiles? = nil,
        folder: String = "",
        hasPushes: Bool = true,
        change: (inout BridgeOptions) -> Void = { _ in },
        prepare: (inout HouseSources) -> Void = { _ in }
    ) throws {
        let files = files ?? CompiledFiles([DefinitionFile(path: "lamp.yaml", bytes: Array(lamp.utf8))])
        var options = BridgeOptions(version: "1.2.3")
        change(&options)
        clock = StepClock(Self.start)
        var sources = HouseSources(
            mailbox: mailbox,
            wake: { [bell] in bell.ring() },
            files: { files.files },
            history: history,
            makeBus: { [bus] in bus }
        )
        sources.definitionPaths = [folder]
        sources.brokerAddress = "broker:1883"
        let phones = try PhoneDesk(
            store: MemoryPhoneStore(),
            queue: SinkQueue(name: "phones", options: options),
            clock: clock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        for id in ["anna", "ben"] {
            try phones.pair(NewPhone(id: id, name: id, credential: [1]), at: Self.start)
        }
        self.phones = phones
        sources.phones = phones
        sources.hasPushes = hasPushes
        sources.failures = failures
        prepare(&sources)
        let desk = HouseDesk(sources, clock: clock)
        self.desk = desk
        let log = EventLog { [clock] in clock.now }
        self.log = log
        var ports = BridgePorts(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        ports.questions = mailbox
        ports.room = { [cards = sources.cards] in cards.room(of: $0) }
        ports.watcher.tell = { [updates] event in
            log.take(event)
            desk.watch(event)
            guard case .effect(let effect) = event, case .update(let update) = effect.what else { return }
            updates.add("\(update.id) \(update.rev)")
        }
        ports.watcher.wantsTimelines = { log.hasReaders }
        bridge = try Bridge.recover(
            definitions: files.definitions,
            store: MemoryStore(history: history),
            clock: clock,
            options: options,
            ports: ports
        ).bridge
    }

    /// A message after a while.
    func send(
        _ topic: String,
        _ payload: String,
        after length: Interval = .zero,
        isRetained: Bool = false
    ) {
        pass(length)
        var batch = MessageBatch()
        batch.append(topic: topic.utf8, payload: payload.utf8, isRetained: isRetained)
        _ = bridge.handle(batch)
    }

    /// Lets time pass, as a bus does.
    func pass(_ length: Interval) {
        let end = clock.now + length
        while let limit = bridge.sleepLimit, clock.now + limit < end {
            clock.move(by: limit)
            bridge.wake()
        }
        clock.move(to: end)
    }

    /// Asks a question, and lets the bridge answer it whenever the desk wakes it.
    func ask(_ question: HouseQuestion, for viewer: Viewer = .unrestricted) async -> HouseAnswer {
        let events = AsyncStream<HouseAnswer?>.makeStream()
        bell.onRing { events.continuation.yield(nil) }
        desk.ask(question, for: viewer) { events.continuation.yield($0) }
        for await event in events.stream {
            if let event { return event }
            while bridge.sleepLimit == .zero { bridge.wake() }
        }
        return .found([])
    }

    /// The answer as JSON.
    func json(_ question: HouseQuestion, for viewer: Viewer = .unrestricted) async throws -> JSON {
        try JSON(await ask(question, for: viewer))
    }

    /// The code of the problem that comes for an answer.
    func problem(_ question: HouseQuestion, for viewer: Viewer = .unrestricted) async -> String? {
        if case .problem(let problem) = await ask(question, for: viewer) { problem.code } else { nil }
    }
}

/// A number that threads count.
final class Counter: Sendable {
    private let number = Mutex(0)

    func add() { number.withLock { $0 += 1 } }

    var value: Int { number.withLock { $0 } }
}

/// Calls a function whenever a thread rings.
final class Bell: Sendable {
    private let call = Mutex<@Sendable () -> Void>({})

    func onRing(_ call: @escaping @Sendable () -> Void) { self.call.withLock { $0 = call } }

    func ring() { call.withLock { $0 }() }
}

/// Lines that threads add.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    var value: [String] { lines.withLock { $0 } }
}

/// A bus that keeps its handler, for a test to call.
final class QuietBus: Bus {
    private let stops = Counter()
    private let box = Mutex<[Box]>([])

    /// Only the test's own thread calls the handler.
    final class Box: Sendable {
        let call: @Sendable (Call) -> Void

        init(_ call: @escaping @Sendable (Call) -> Void) { self.call = call }
    }

    /// A call of a bus.
    enum Call: Sendable {
        case subscribed(granted: Bool)
        case message(topic: String, payload: String)
        case wake
        case disconnected
        case ended
    }

    var isStopped: Bool { stops.value > 0 }
    var starts: Int { box.withLock { $0.count } }

    /// Returns when it was started so many times, by a thread of the desk.
    func hasStarted(times: Int = 1) async { while starts < times { await Task.yield() } }

    func start<Handler: BusHandler>(_ handler: sending Handler) throws(BusFault) {
        let mutex = Mutex<Handler?>(handler)
        let held = Held(mutex)
        box.withLock { $0.append(Box { held.take($0) }) }
    }

    func call(_ call: Call) { box.withLock { $0.last }?.call(call) }

    func wake() {}

    func stop() { stops.add() }

    func finished() async {}
}

/// A handler that one thread at a time calls.
final class Held<Handler: BusHandler>: Sendable {
    private let handler: Mutex<Handler?>

    init(_ handler: consuming sending Mutex<Handler?>) { self.handler = handler }

    func take(_ call: QuietBus.Call) {
        handler.withLock { handler in
            guard let handler else { return }
            switch call {
            case .subscribed(let isGranted):
                handler.subscribed([
                    SubscriptionOutcome(
                        filter: "#",
                        granted: isGranted ? .atMostOnce : nil,
                        reason: isGranted ? "" : "not authorized"
                    )
                ])
            case .message(let topic, let payload):
                var batch = MessageBatch()
                batch.append(topic: topic.utf8, payload: payload.utf8)
                _ = handler.handle(batch)
            case .wake: handler.wake()
            case .disconnected: handler.disconnected(BusFault(.unreachable, "nobody listens"))
            case .ended: handler.ended()
            }
        }
    }
}

/// JSON that a test looks into.
struct JSON: Equatable {
    let value: Value

    init(_ value: Value) { self.value = value }

    init(_ answer: HouseAnswer) throws {
        switch answer {
        case .found(let bytes): value = try JSONReader.value(of: bytes.span)
        case .problem(let problem): throw problem
        }
    }

    subscript(name: String) -> JSON {
        guard case .map(let members) = value else { return JSON(.null) }
        return JSON(members[name] ?? .null)
    }

    subscript(index: Int) -> JSON {
        guard case .list(let elements) = value, elements.indices.contains(index) else { return JSON(.null) }
        return JSON(elements[index])
    }

    var elements: [JSON] {
        if case .list(let elements) = value { elements.map { JSON($0) } } else { [] }
    }

    static func == (left: JSON, right: JSON) -> Bool { left.text == right.text }

    /// A text without its quotes, anything else as JSON.
    var plain: String {
        if case .string(let text) = value { text } else { text }
    }

    /// As JSON without spaces.
    var text: String {
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// A lamp with a state, an event, a wait, and a level with a tolerance.
let lamp = """
    skerry: 1
    kind: lamp
    name: Desk lamp
    sources:
      - topic: lamp/{device}/state
        signals: { on: payload.on, level: double(payload.level), colour: payload.colour }
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
      content:
        status: state.title
        level: { value: level, tolerance: 5 }
      alerts: { forgotten: { title: Left on } }
      dismiss: 10m
    """
