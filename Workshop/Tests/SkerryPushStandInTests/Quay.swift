import Glibc
import SkerryActivity
import SkerryGateway
import SkerryPhones
import SkerryPushStandIn
import SkerryPushTesting
import SkerryTesting
import SkerryValues

@testable import SkerryPush

/// A stand-in for Apple's service, and all that a gateway needs to talk to it.
struct Quay {
    static let keyID = "ABC123DEFG"
    static let teamID = "DEF123GHIJ"
    static let bundleID = "org.example.skerry"
    /// The time by which tokens are issued and judged.
    static let now = Timestamp(seconds: 1_790_000_000)

    let key = ProviderKey()
    let standIn: PushStandIn
    let sender: APNSSender
    var options: WebClientOptions

    init(deliver: @escaping @Sendable (ReceivedPush) -> PushRefusal? = { _ in nil }) throws {
        let judge = PushJudge(
            bundleID: Self.bundleID,
            keyID: Self.keyID,
            teamID: Self.teamID,
            publicKeyPEM: try key.publicPEM
        )
        standIn = try PushStandIn(judge, now: { Self.now }, deliver: deliver)
        var sender = APNSSender(bundleID: Self.bundleID)
        sender.production = APNSHost(push: standIn.address, channels: standIn.address)
        sender.development = sender.production
        self.sender = sender
        options = WebClientOptions(trusting: standIn.authorityFile)
    }

    func client() throws -> APNSClient { try APNSClient(options) }

    func token(issuedAt: Int64 = Quay.now.flooredSeconds) throws -> String {
        try key.token(keyID: Self.keyID, teamID: Self.teamID, issuedAt: issuedAt)
    }

    func request(_ push: Push = Quay.push()) throws -> APNSRequest {
        APNSRequest(push, from: sender, token: try token())
    }

    static func push(
        _ route: Push.Route = .token("a1b2c3d4"),
        event: Push.Event? = .update,
        priority: Push.Priority = .immediate,
        payload: String =
            #"{"aps":{"timestamp":1790000000,"event":"update","content-state":{"state":"running"}}}"#
    ) -> Push {
        Push(
            id: 1,
            phone: "phone-1",
            activity: "washer/laundry/1790000000",
            instance: 1,
            route: route,
            environment: .production,
            event: event,
            priority: priority,
            expiration: 1_790_000_600,
            timestamp: 1_790_000_000,
            payload: Array(payload.utf8)
        )
    }

    /// A port on which nobody listens.
    static func closedPort() throws -> String {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(file) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(file, address, length)
                _ = getsockname(file, address, &length)
            }
            return "127.0.0.1:\(in_port_t(bigEndian: pointer.pointee.sin_port))"
        }
    }
}

extension WebClientOptions {
    /// Trusts the authority of a test, and waits longer for an answer than a busy machine stalls.
    init(trusting authorityFile: String) {
        self.init()
        self.authorityFile = authorityFile
        requestLimit = .minutes(10)
    }
}
