import Foundation
import Logging
import SkerryActivity
import SkerryDashboard
import SkerryDevice
import SkerryGateway
import SkerryHouse
import SkerryMosquitto
import SkerryPhones
import SkerryPush
import SkerryPushTesting
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

/// A bridge with a washing machine of `devices/`, its HTTP API and a stand-in for Apple's service, within this process.
final class House: Sendable {
    let definition: Definition
    let desk: PhoneDesk
    private let broker: Broker
    private let bus: MosquittoBus
    private let queue: SinkQueue
    private let log: EventLog
    private let answers: HouseDesk
    private let admin: AdminSecret
    private let pushing: Task<Void, Never>
    private let apple = Apple()
    /// An element for each report that was taken, and for each decision.
    private let news: AsyncStream<Void>
    private let announce: @Sendable () -> Void
    private let logger = Logger(label: "house") { _ in SwiftLogNoOpLogHandler() }

    /// What reached Apple's service.
    private final class Apple: Sendable {
        struct State {
            var pushes: [ReceivedPush] = []
            var phone: (@Sendable (String) -> Void)?
        }

        let state = Mutex(State())
    }

    init() throws {
        definition = try #require(Sample.devices.first { $0.definition.kind == "washer" }).definition
        broker = try Broker()
        let clock = SystemClock()
        let options = BridgeOptions(version: "house")
        let queue = SinkQueue(name: "phones", options: options)
        let (news, continuation) = AsyncStream.makeStream(of: Void.self)
        let announce: @Sendable () -> Void = { continuation.yield() }
        (self.news, self.announce) = (news, announce)
        let desk = try PhoneDesk(
            store: MemoryPhoneStore(),
            queue: queue,
            clock: clock,
            logger: Logger(label: "desk") { _ in AnnouncingLog(announce: announce) }
        )
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        admin = try AdminSecret(keptIn: folder.path)
        let identity = ProviderIdentity(key: ProviderKey(), keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
        let sender = APNSSender(bundleID: "org.example.skerry")
        let judge = PushJudge(
            bundleID: sender.bundleID,
            keyID: identity.keyID,
            teamID: identity.teamID,
            publicKeyPEM: try identity.key.publicPEM
        )
        let transport = SimulatedPushService(judge, now: { clock.now }) { [apple] push in
            let phone = apple.state.withLock { state in
                state.pushes.append(push)
                return state.phone
            }
            phone?("push \(push.deviceToken ?? "-") \(String(decoding: push.body, as: UTF8.self))")
            return nil
        }
        let service = PushService(
            desk: desk,
            apps: [PushApp(transport: transport, sender: sender, identity: identity, tokenPath: nil)],
            clock: clock,
            clockIsKnown: { queue.clockIsKnown },
            logger: logger
        )
        pushing = Task { await service.run() }
        (self.queue, self.desk) = (queue, desk)
        let bus = MosquittoBus(MosquittoOptions(host: "127.0.0.1", port: broker.port, clientID: "house"))
        self.bus = bus
        (log, answers) = try Self.start(bus, definition, clock, options, queue, desk)
    }

    /// Starts the bridge on its bus.
    ///
    /// - Returns: what readers are told, and what answers questions.
    private static func start(
        _ bus: MosquittoBus,
        _ definition: Definition,
        _ clock: SystemClock,
        _ options: BridgeOptions,
        _ queue: SinkQueue,
        _ desk: PhoneDesk
    ) throws -> (EventLog, HouseDesk) {
        let (questions, history, log) = (
            QuestionMailbox(), MemoryRunHistory(), EventLog(now: { SystemClock().now })
        )
        let sources = HouseSources(
            mailbox: questions,
            wake: { bus.wake() },
            files: { [] },
            history: history,
            makeBus: { bus }
        )
        var ports = BridgePorts(logger: Logger(label: "house") { _ in SwiftLogNoOpLogHandler() })
        (ports.sinks, ports.questions) = ([queue], questions)
        ports.watcher.tell = { log.take($0) }
        let bridge = try Bridge.recover(
            definitions: [definition],
            store: MemoryStore(history: history),
            clock: clock,
            options: options,
            ports: ports
        ).bridge
        try bus.start(bridge)
        desk.publishGestures(by: MQTTSink(), through: questions, wake: { bus.wake() })
        return (log, HouseDesk(sources, clock: clock))
    }

    /// Hands all pushes to a phone from now on.
    func connect(_ phone: @escaping @Sendable (String) -> Void) { apple.state.withLock { $0.phone = phone } }

    /// The events of all pushes so far.
    var events: [String] {
        apple.state.withLock { $0.pushes }.map { push in
            guard case .map(let body)? = try? JSONReader.value(of: push.body.span),
                case .map(let aps)? = body["aps"]
            else { return "nothing" }
            if case .string(let event)? = aps["event"] { return event }
            return push.headers["apns-push-type"] ?? "nothing"
        }
    }

    /// The device token of the last push.
    var lastToken: String? { apple.state.withLock { $0.pushes.last?.deviceToken } }

    /// The washing machine says what it does.
    func say(_ state: String) throws {
        let client = try BrokerClient(port: broker.port, clientID: "washer")
        let text = "{\"OperationState\":\"\(state)\",\"ActiveProgram\":\"Cotton\"}"
        try client.publish("homeconnect/laundry/state", Array(text.utf8), isRetained: true)
        try client.flush()
        try client.disconnect()
    }

    /// Returns what a reader hears of the phones while something happens: event and activity, without the run.
    func gestures(_ count: Int, while body: () async throws -> Void) async throws -> [String] {
        let reader = try BrokerClient(port: broker.port, clientID: "reader")
        try reader.subscribe("skerry/washer/laundry/phone")
        try await body()
        return try reader.wait(forCount: count).map { message in
            guard case .map(let event)? = try? JSONReader.value(of: message.payload.span),
                case .string(let name)? = event["event"], case .string(let activity)? = event["activity"],
                case .string(let phone)? = event["phone"]
            else { return message.text }
            let device = activity.prefix { !$0.isNumber }
            return "\(phone) \(name) \(device)\(message.isRetained ? " retained" : "")"
        }
    }

    func end() async {
        pushing.cancel()
        await pushing.value
        bus.stop()
        await bus.finished()
    }
}

// MARK: - What the bridge knows

extension House {
    /// Returns once the bridge knows the only phone as it should be.
    func hears(_ isKnown: (PhoneSummary) -> Bool) async {
        await waits { desk.phones().first.map(isKnown) ?? false }
    }

    /// Returns once the bridge has the token of so many activities.
    func knowsToken(_ count: Int) async {
        await hears { $0.activities.count == count && $0.activities.last?.tokenConfirmedAt != nil }
    }

    /// Returns once the last decision about the washing machine is of a kind.
    func decides(_ kind: PhoneDecision.Kind) async {
        await waits { desk.decisions(kind: "washer", device: "laundry").last?.kind == kind }
    }

    private func waits(until isSo: () -> Bool) async {
        if isSo() { return }
        for await _ in news where isSo() { return }
    }

    /// The desk of the phones, which announces each report after it was taken.
    private struct AnnouncingDesk: PhoneDirectory {
        let desk: PhoneDesk
        let announce: @Sendable () -> Void

        func phones() -> [PhoneSummary] { desk.phones() }

        func credential(of phone: String) -> [UInt8]? { desk.credential(of: phone) }

        func viewer(of phone: String) -> Viewer? { desk.viewer(of: phone) }

        func viewer(ofBrowser id: String, person: String?) -> Viewer {
            desk.viewer(ofBrowser: id, person: person)
        }

        var bundleIDs: [String] { desk.bundleIDs }

        var now: Timestamp { desk.now }

        var audienceVersion: UInt64 { desk.audienceVersion }

        func onAudienceChange(_ wake: @escaping @Sendable () -> Void) { desk.onAudienceChange(wake) }

        func assign(_ person: String?, to phone: String) throws(StoreFault) -> Bool {
            try desk.assign(person, to: phone)
        }

        func pair(_ phone: NewPhone, at now: Timestamp) throws(StoreFault) {
            try desk.pair(phone, at: now)
            announce()
        }

        func report(_ report: PhoneReport, of phone: String, at now: Timestamp) throws(StoreFault) -> Bool {
            defer { announce() }
            return try desk.report(report, of: phone, at: now)
        }

        func unpair(_ phone: String, at now: Timestamp) throws(StoreFault) -> Bool {
            try desk.unpair(phone, at: now)
        }

        func test(_ contracts: [LiveActivityContract], on phone: String) throws(StoreFault) -> PhoneTest {
            try desk.test(contracts, on: phone)
        }
    }

    /// The log of the desk, which has a line for each decision.
    private struct AnnouncingLog: LogHandler {
        let announce: @Sendable () -> Void
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { announce() }
    }
}

// MARK: - The HTTP API

extension House {
    /// The HTTP API, running until it is stopped.
    struct Server {
        let address: HTTPAddress
        let task: Task<Void, any Error>

        func stop() async {
            task.cancel()
            _ = await task.result
        }
    }

    /// Serves the HTTP API at an address, by default at a free one.
    func serve(at address: HTTPAddress = HTTPAddress(host: "127.0.0.1", port: 0)) async throws -> Server {
        let (addresses, continuation) = AsyncStream.makeStream(of: HTTPAddress.self)
        let server = DashboardServer(
            options: DashboardOptions(address: address),
            of: ServedBridge(
                phones: AnnouncingDesk(desk: desk, announce: announce),
                log: log,
                house: answers
            ),
            admin: admin,
            logger: logger
        ) { continuation.yield($0) }
        let task = Task {
            defer { continuation.finish() }
            try await server.run()
        }
        for await address in addresses { return Server(address: address, task: task) }
        try await task.value
        throw Failure("the server ended before it listened")
    }

    /// Makes a code for pairing.
    func code(at address: HTTPAddress) throws -> String {
        let client = DashboardClient(address: address, token: admin.text)
        let answer = try client.ask("POST", "/v1/pairings", body: [])
        guard case .map(let offer)? = try? JSONReader.value(of: answer.body.span),
            case .string(let code)? = offer["code"]
        else { throw Failure("no code: \(answer.status)") }
        return code
    }

    /// Why the test can't go on.
    struct Failure: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }
}

// MARK: - The app

/// The app: the program that ``Workshop/compileReporter(_:programs:)`` has made, with what it prints line by line.
final class AppProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let house: House
    private var lines: AsyncStream<String>.AsyncIterator

    init(_ workshop: borrowing Workshop, _ house: House) throws {
        self.house = house
        let folder = workshop.folder.appendingPathComponent("app")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        process.executableURL = workshop.folder.appendingPathComponent("program")
        process.arguments = [folder.path]
        process.standardInput = input
        process.standardOutput = output
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        lines = stream.makeAsyncIterator()
        let rest = Mutex("")
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { return continuation.finish() }
            rest.withLock { rest in
                rest += String(decoding: data, as: UTF8.self)
                while let end = rest.firstIndex(of: "\n") {
                    continuation.yield(String(rest[..<end]))
                    rest.removeSubrange(...end)
                }
            }
        }
        try process.run()
        let writing = input.fileHandleForWriting
        house.connect { line in writing.write(Data((line + "\n").utf8)) }
    }

    deinit { end() }

    func write(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

    /// Returns once the app has printed a line.
    func reads(_ wanted: String) async throws {
        var others: [String] = []
        while let line = await lines.next() {
            if line == wanted { return }
            others.append(line)
        }
        throw House.Failure("the app ended without '\(wanted)': \(others)")
    }

    /// Pairs the app by a code.
    func pair(at address: HTTPAddress) async throws {
        write("pair http://\(address) \(try house.code(at: address))")
        try await reads("paired")
        await house.hears { !$0.startTokens.isEmpty }
    }

    func end() {
        house.connect { _ in }
        output.fileHandleForReading.readabilityHandler = nil
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }
}
