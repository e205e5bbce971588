import Dispatch
import Logging
import SkerryActivity
import SkerryDashboard
import SkerryEngine
import SkerryPhones
import SkerryPushTesting
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryGateway
@testable import SkerryPush

/// A phone that pairs with the front of two partitions, and gets the pushes of both.
@Suite(.timeLimit(.minutes(5))) struct FrontPushTests {
    private static let logger = Logger(label: "front") { _ in SwiftLogNoOpLogHandler() }

    /// A partition: its desk of phones, its pushes to Apple's service, and its API.
    private struct Gateway {
        let device: String
        let queue: SinkQueue
        let service: PushService<SystemClock>
        let server: DashboardServer
        private let first: (activity: Activity, update: ActivityUpdate)

        init(
            _ number: Int,
            at address: HTTPAddress,
            _ admin: AdminSecret,
            _ apple: Apple,
            onListening: @escaping @Sendable (HTTPAddress) -> Void
        ) throws {
            let names = (0..<9).map { "d\($0)" }
            device = try #require(names.first { Partition.number(of: $0, among: 2) == number })
            queue = SinkQueue(name: "phones", options: BridgeOptions(version: "front"))
            let desk = try PhoneDesk(
                store: MemoryPhoneStore(),
                queue: queue,
                partition: Partition(number, of: 2),
                clock: SystemClock(),
                logger: logger
            )
            service = PushService(
                desk: desk,
                apps: [
                    PushApp(
                        transport: apple.service,
                        sender: APNSSender(bundleID: Apple.app),
                        identity: apple.identity,
                        tokenPath: nil
                    )
                ],
                clock: SystemClock(),
                clockIsKnown: { true },
                logger: logger
            )
            server = DashboardServer(
                options: DashboardOptions(address: address),
                of: ServedBridge(
                    phones: desk,
                    log: EventLog(now: { SystemClock().now }),
                    house: Silence()
                ),
                admin: admin,
                logger: logger,
                onListening: onListening
            )
            first = Activity.start(
                ActivityPlan(kind: "washer", fields: [ActivityPlan.Field(name: "status")]),
                device: device,
                run: 1,
                epoch: 1,
                state: "running",
                attributes: ValueMap(),
                content: [.value(.string("Rinsing"))],
                at: SystemClock().now
            )
        }

        /// Has the phones show the activity, or its next state.
        func show(_ status: String? = nil) {
            var update: ActivityUpdate? = first.update
            if let status {
                var activity = first.activity
                update = activity.render(
                    state: "running",
                    content: [.value(.string(status))],
                    exactly: true,
                    at: SystemClock().now
                )
            }
            guard let update else { return }
            let delivery = Delivery(
                id: status == nil ? 1 : 2,
                sink: "phones",
                kind: "washer",
                device: device,
                update: update
            )
            queue.put([delivery])
        }
    }

    /// A house of which nothing is asked.
    private struct Silence: HouseAnswers {
        func ask(
            _ question: HouseQuestion,
            for viewer: Viewer,
            then: @escaping @Sendable (HouseAnswer) -> Void
        ) {
            then(.problem(HouseProblem(.unavailable, code: "busy", detail: "Nothing is here.")))
        }
    }

    /// Apple's service, and the phone behind it.
    private struct Apple {
        static let app = "org.example.skerry"
        let identity = ProviderIdentity(key: ProviderKey(), keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
        let service: SimulatedPushService
        let shelf: PhoneShelf

        init(_ report: @escaping @Sendable (_ phone: String, String) -> Void) throws {
            let shelf = PhoneShelf(now: { SystemClock().now }) { phone, said in report(phone, Self.json(said))
            }
            let judge = PushJudge(
                bundleID: Self.app,
                keyID: identity.keyID,
                teamID: identity.teamID,
                publicKeyPEM: try identity.key.publicPEM
            )
            service = SimulatedPushService(judge, now: { SystemClock().now }) { shelf.deliver($0) }
            self.shelf = shelf
        }

        private static func json(_ report: PhoneReport) -> String {
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("confirmedAt", report.confirmedAt)
            writer.member("environment", "development")
            writer.object("pushToStart") { writer in
                for token in report.startTokens { writer.member(token.type, text(token.token)) }
            }
            writer.object("activities") { writer in
                for activity in report.activities {
                    writer.object(activity.id) { $0.member("token", activity.token.flatMap(text)) }
                }
            }
            writer.endObject()
            return String(decoding: writer.bytes, as: UTF8.self)
        }

        private static func text(_ token: ReportedToken) -> String? {
            if case .known(let text) = token { text } else { nil }
        }
    }

    /// Asks on a thread that the gateways do not need.
    @discardableResult
    private static func ask(
        _ client: DashboardClient,
        _ method: String,
        _ path: String,
        _ body: String
    ) async throws -> ValueMap {
        let answer: Result<DashboardClient.Answer, DashboardClient.Fault> = await withCheckedContinuation {
            continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Result { () throws(DashboardClient.Fault) in
                        try client.ask(method, path, body: Array(body.utf8))
                    }
                )
            }
        }
        let found = try answer.get()
        try #require(found.status < 300, "\(String(decoding: found.body, as: UTF8.self))")
        guard case .map(let map) = try JSONReader.value(of: found.body.span) else { return ValueMap() }
        return map
    }

    /// Passes on what a phone reports, as its app does.
    private static func pass(
        _ reports: AsyncStream<(phone: String, body: String)>,
        to client: DashboardClient
    ) async {
        for await said in reports {
            await #expect(throws: Never.self) {
                try await ask(client, "PUT", "/v1/phones/\(said.phone)/tokens", said.body)
            }
        }
    }

    @Test func `a phone that pairs with the front gets the pushes of all partitions`() async throws {
        let folder = try Folder()
        let admin = try AdminSecret(keptIn: "\(folder.path)/admin-token")
        let port = try Broker.findFreePorts(3, distance: PartitionPlaces.portStep)
        let address = HTTPAddress(host: "127.0.0.1", port: port)
        let front = DashboardClient(address: address, token: admin.text)
        let (reports, report) = AsyncStream.makeStream(of: (phone: String, body: String).self)
        let apple = try Apple { report.yield(($0, $1)) }
        let (listening, listens) = AsyncStream.makeStream(of: HTTPAddress.self)
        let gateways = try (0..<2).map { number in
            try Gateway(
                number,
                at: HTTPAddress(host: "127.0.0.1", port: port + PartitionPlaces.portStep * (number + 1)),
                admin,
                apple
            ) { listens.yield($0) }
        }
        let places = PartitionPlaces(
            count: 2,
            hosts: ["127.0.0.1"],
            port: port + PartitionPlaces.portStep,
            isSecure: false
        )
        let server = try DashboardServer(
            options: DashboardOptions(address: address),
            frontOf: places,
            admin: admin,
            logger: Self.logger
        ) { listens.yield($0) }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for gateway in gateways {
                tasks.addTask { try await gateway.server.run() }
                tasks.addTask { await gateway.service.run() }
            }
            tasks.addTask { try await server.run() }
            for await _ in listening.prefix(3) {}
            let offer = try await Self.ask(front, "POST", "/v1/pairings", "{}")
            guard case .string(let code)? = offer["code"] else { throw CancellationError() }
            let paired = try await Self.ask(front, "POST", "/v1/pair", #"{"code":"\#(code)","name":"Ada"}"#)
            guard case .string(let id)? = paired["phone"], case .string(let token)? = paired["token"] else {
                throw CancellationError()
            }
            let client = DashboardClient(address: address, token: token)
            tasks.addTask { await Self.pass(reports, to: client) }
            apple.shelf.add(id, types: ["WasherAttributes"])
            for gateway in gateways { gateway.show() }
            await apple.shelf.waits(for: id) { $0.lockScreen.count == 2 }
            for gateway in gateways { gateway.show("Spinning") }
            await apple.shelf.waits(for: id) { phone in
                phone.lockScreen.allSatisfy { "\($0.state)".contains("Spinning") }
            }
            #expect(apple.shelf.phone(id)?.lockScreen.count == 2)
            report.finish()
            tasks.cancelAll()
        }
    }
}
