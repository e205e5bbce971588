import Logging
import SkerryActivity
import SkerryPhones
import SkerryPushTesting
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

@testable import SkerryGateway
@testable import SkerryPush

/// Two apps on phones, of two teams with a key each, or of one team with one key.
@Suite(.timeLimit(.minutes(5))) struct SeveralAppsTests {
    private static let own = "org.example.own"
    private static let shop = "com.example.shop"

    /// A gateway, two phones, and Apple's service, which checks key, topic and token of each push.
    private struct Household {
        let service: PushService<SystemClock>
        let shelf: PhoneShelf
        let received: @Sendable () -> [ReceivedPush]

        init(_ identities: [ProviderIdentity], tokens: String) throws {
            let clock = SystemClock()
            var settings = PushSchedulerSettings()
            settings.bundleID = own
            settings.otherApps = [.init(bundleID: shop)]
            let queue = SinkQueue(name: "phones", options: BridgeOptions(version: "apps"))
            let logger = Logger(label: "apps") { _ in SwiftLogNoOpLogHandler() }
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
            for (phone, app) in [("anna", own), ("shopper", shop)] {
                try desk.pair(NewPhone(id: phone, name: phone, credential: []), at: clock.now)
                let widgets = app == shop ? ["washer"] : []
                shelf.add(phone, bundleID: app, types: ["WasherAttributes"], widgets: widgets)
            }
            let pushes = Log()
            let judges = try zip(identities, [own, shop]).map { try judge($0, of: $1) }
            let apple = SimulatedPushService(judges[0], others: [judges[1]], now: { clock.now }) { push in
                let refusal = shelf.deliver(push)
                if refusal == nil { pushes.note(push) }
                return refusal
            }
            let (first, other) = (identities[0], identities[1])
            func app(_ bundleID: String, _ identity: ProviderIdentity, _ path: String) -> PushApp {
                let sender = APNSSender(bundleID: bundleID)
                return PushApp(transport: apple, sender: sender, identity: identity, tokenPath: path)
            }
            service = PushService(
                desk: desk,
                apps: [app(own, first, tokens), app(shop, other, "\(tokens).shop")],
                clock: clock,
                clockIsKnown: { true },
                logger: logger
            )
            self.shelf = shelf
            received = { pushes.all }
            let contract = LiveActivityContract(
                kind: "washer",
                attributes: [],
                content: [],
                states: nil,
                longestState: 64
            )
            let update = ActivityUpdate(testOf: contract, at: clock.now)
            queue.put([Delivery(id: 1, sink: "phones", kind: "washer", device: "laundry", update: update)])
        }

        /// Runs until both phones show the activity, and a widget has asked for its timeline.
        func run() async {
            let pushing = Task { await service.run() }
            for phone in ["anna", "shopper"] { await shelf.waits(for: phone) { !$0.lockScreen.isEmpty } }
            await shelf.waits(for: "shopper") { $0.redraws > 0 }
            pushing.cancel()
            await pushing.value
        }
    }

    private static func judge(_ identity: ProviderIdentity, of app: String) throws -> PushJudge {
        PushJudge(
            bundleID: app,
            keyID: identity.keyID,
            teamID: identity.teamID,
            publicKeyPEM: try identity.key.publicPEM
        )
    }

    private final class Log: Sendable {
        private let pushes = Mutex<[ReceivedPush]>([])

        var all: [ReceivedPush] { pushes.withLock { $0 } }

        func note(_ push: ReceivedPush) { pushes.withLock { $0.append(push) } }
    }

    @Test func `each phone gets pushes with the key and the topic of its app, and each key has a token file`()
        async throws
    {
        let folder = try Folder()
        for name in ["token.shop", "token.shop.copy"] { folder.write(name, "") }
        let household = try Household(
            [
                ProviderIdentity(key: ProviderKey(), keyID: "OWN0000KEY", teamID: "OWN000TEAM"),
                ProviderIdentity(key: ProviderKey(), keyID: "SHOP000KEY", teamID: "SHOP00TEAM"),
            ],
            tokens: "\(folder.path)/token"
        )
        await household.run()
        let topics = household.received().map { $0.headers["apns-topic"] ?? "" }
        #expect(
            topics.sorted() == [
                "\(Self.shop).push-type.liveactivity", "\(Self.shop).push-type.widgets",
                "\(Self.own).push-type.liveactivity",
            ]
        )
        #expect(Set(household.received().map(\.providerToken)).count == 2)
        for (name, key, team) in [
            ("token", "OWN0000KEY", "OWN000TEAM"), ("token.shop", "SHOP000KEY", "SHOP00TEAM"),
        ] {
            let file = ProviderTokenFile(path: "\(folder.path)/\(name)", keyID: key, teamID: team)
            let token = try #require(file.load()).text
            #expect(household.received().contains { $0.providerToken == token })
        }
    }

    @Test func `apps with the same key share its token, which Apple counts for the team`() async throws {
        let folder = try Folder()
        let identity = ProviderIdentity(key: ProviderKey(), keyID: "OWN0000KEY", teamID: "OWN000TEAM")
        let household = try Household([identity, identity], tokens: "\(folder.path)/token")
        await household.run()
        #expect(household.received().count == 3)
        #expect(Set(household.received().map(\.providerToken)).count == 1)
        #expect(folder.mode("token.shop") == 0, "there is no such file")
    }
}
