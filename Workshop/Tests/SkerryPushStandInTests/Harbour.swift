import Logging
import SkerryActivity
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryMosquitto
import SkerryPhones
import SkerryPushStandIn
import SkerryPushTesting
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryPush

/// Everything between a device and a phone: a broker, the bridge, the desk, the service, the stand-in, a phone.
final class Harbour: Sendable {
    static let phone = "anna"
    /// A washing machine that says what it does.
    static let washer = """
        skerry: 1
        kind: washer
        sources:
          - topic: washer/{device}
            signals: { doing: payload.state }
        machine:
          initial: idle
          states:
            idle:
              always: { guard: doing == "wash", target: washing }
            washing:
              title: Washing
              always: { guard: doing == "rinse", target: rinsing }
            rinsing:
              title: Rinsing
              always: { guard: doing == "off", target: done }
            done:
              title: Laundry is done
              always: { guard: doing == "wash", target: washing }
        activity:
          starts: washing
          ends: [done]
          attributes: { name: device.name }
          content: { status: state.title }
          alerts: { done: { title: Washer, body: Take the laundry out, level: time-sensitive } }
        """

    let shelf: PhoneShelf
    let standIn: PushStandIn
    let desk: PhoneDesk
    private let queue: SinkQueue
    private let clock: HarbourClock
    /// The clock that a test moves; nil with that of the machine.
    private let steps: StepClock?
    private let key = ProviderKey()
    private let broker: Broker
    private let bus: MosquittoBus
    private let logger = Logger(label: "harbour") { _ in SwiftLogNoOpLogHandler() }

    init(
        settings: PushSchedulerSettings = PushSchedulerSettings(),
        rate: Int64 = 1,
        steps: StepClock? = nil
    ) throws {
        broker = try Broker()
        let clock = steps.map { HarbourClock.steps($0) } ?? .machine(SystemClock(rate: rate))
        self.steps = steps
        let options = BridgeOptions(version: "harbour")
        let queue = SinkQueue(name: "phones", options: options)
        let desk = try PhoneDesk(
            settings: settings,
            store: MemoryPhoneStore(),
            queue: queue,
            clock: clock,
            logger: logger
        )
        let shelf = PhoneShelf(now: { clock.now }) { phone, report in
            _ = try? desk.report(report, of: phone, at: clock.now)
        }
        let judge = PushJudge(
            bundleID: Quay.bundleID,
            keyID: Quay.keyID,
            teamID: Quay.teamID,
            publicKeyPEM: try key.publicPEM
        )
        standIn = try PushStandIn(judge, now: { clock.now }) { shelf.deliver($0) }
        try desk.pair(NewPhone(id: Self.phone, name: "Anna's iPhone", credential: []), at: clock.now)
        (self.clock, self.queue, self.desk, self.shelf) = (clock, queue, desk, shelf)
        bus = MosquittoBus(MosquittoOptions(host: "127.0.0.1", port: broker.port, clientID: "harbour"))
        let definition = try Self.definition()
        let contract = LiveActivityContract(
            kind: definition.kind,
            attributes: [.init(name: "name", type: .string)],
            content: [.init(name: "status", type: .string)],
            states: nil,
            longestState: 64
        )
        let decoding = PhoneDecoding([contract])
        shelf.add(Self.phone, SimulatedPhone { decoding.fault($0, $1) }, types: ["WasherAttributes"])
        var ports = BridgePorts(logger: logger)
        ports.sinks = [queue]
        let bridge = try Bridge.recover(
            definitions: [definition],
            store: MemoryStore(),
            clock: clock,
            options: options,
            ports: ports
        ).bridge
        try bus.start(bridge)
    }

    /// A service that is not running.
    func service(tokenPath: String? = nil) throws -> PushService<HarbourClock> {
        var sender = APNSSender(bundleID: Quay.bundleID)
        sender.development = APNSHost(push: standIn.address, channels: standIn.address)
        let app = PushApp(
            transport: try APNSClient(WebClientOptions(trusting: standIn.authorityFile)),
            sender: sender,
            identity: ProviderIdentity(key: key, keyID: Quay.keyID, teamID: Quay.teamID),
            tokenPath: tokenPath
        )
        return PushService(
            desk: desk,
            apps: [app],
            clock: clock,
            clockIsKnown: { [queue] in queue.clockIsKnown },
            logger: logger
        )
    }

    /// A washing machine says something; it is retained, so that a bridge hears it whenever it comes.
    func say(_ state: String, _ device: String = "laundry") throws {
        let client = try BrokerClient(port: broker.port, clientID: "washer")
        try client.publish("washer/\(device)", Array("{\"state\":\"\(state)\"}".utf8), isRetained: true)
        try client.flush()
        try client.disconnect()
    }

    /// Returns once the phone shows one card with this text, and nothing else.
    func shows(_ text: String) async { await shows([text]) }

    /// Returns once the phone shows cards with these texts, in any order, and nothing else.
    func shows(_ texts: [String]) async {
        await shelf.waits(for: Self.phone) { $0.lockScreen.compactMap(Self.text).sorted() == texts.sorted() }
    }

    /// The texts of the cards that go on, and those of the ended ones that are still to be seen.
    var screen: (live: [String], ended: [String]) {
        let cards = shelf.phone(Self.phone)?.lockScreen ?? []
        func texts(_ isLive: Bool) -> [String] {
            cards.filter { $0.isLive == isLive }.compactMap(Self.text).sorted()
        }
        return (texts(true), texts(false))
    }

    /// Moves the clock on, if a test moves it.
    func pass(_ length: Interval) { steps?.move(by: length) }

    /// Returns once the phone has these notifications, by their bodies.
    func notifies(_ texts: [String]) async {
        await shelf.waits(for: Self.phone) { $0.notices.map(\.body) == texts }
    }

    /// The phone reports something.
    func report(_ change: (inout PhoneReport) -> Void) throws {
        var report = PhoneReport(confirmedAt: clock.now)
        change(&report)
        _ = try desk.report(report, of: Self.phone, at: clock.now)
    }

    func end() async {
        bus.stop()
        await bus.finished()
    }

    /// The text on a card.
    private static func text(_ card: PhoneCard) -> String? {
        guard case .string(let text)? = card.content["status"] else { return nil }
        return text
    }

    private static func definition() throws -> Definition {
        let reading = DefinitionReader.read(text: washer)
        let draft = try #require(reading.draft)
        let compilation = Definition.compile(draft, limits: DeviceLimits())
        return try #require(compilation.definition)
    }
}
