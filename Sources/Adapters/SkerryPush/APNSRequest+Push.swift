import SkerryActivity
public import SkerryPhones

/// The common parts of all requests of a gateway.
public struct APNSSender: Hashable, Sendable {
    /// The bundle id of the app, such as `org.example.app`.
    public var bundleID: String
    /// The hosts for apps from the App Store and TestFlight.
    public var production = APNSHost.production
    /// The hosts for apps that Xcode installed.
    public var development = APNSHost.sandbox

    /// Makes a sender that talks to Apple.
    public init(bundleID: String) {
        self.bundleID = bundleID
    }

    /// The hosts for tokens and channels of an environment.
    public func host(_ environment: PushEnvironment) -> APNSHost {
        switch environment {
        case .production: production
        case .development: development
        }
    }
}

extension APNSRequest {
    /// The request that carries a push.
    ///
    /// - Parameters:
    ///   - push: The push.
    ///   - sender: The common parts of all requests.
    ///   - token: The provider token.
    public init(_ push: Push, from sender: APNSSender, token: String) {
        let hosts = sender.host(push.environment)
        let authorization = Header("authorization", "bearer \(token)")
        switch push.route {
        case .app(let device):
            self.init(
                .post,
                host: hosts.push,
                path: "/3/device/\(device)",
                headers: [authorization] + Self.delivery(of: push, type: "alert")
                    + [Header("apns-topic", sender.bundleID)],
                body: push.payload
            )
        case .widgets(let device):
            self.init(
                .post,
                host: hosts.push,
                path: "/3/device/\(device)",
                headers: [authorization] + Self.delivery(of: push, type: "widgets")
                    + [Header("apns-topic", "\(sender.bundleID).push-type.widgets")],
                body: push.payload
            )
        case .start(let device), .token(let device):
            self.init(
                .post,
                host: hosts.push,
                path: "/3/device/\(device)",
                headers: [authorization] + Self.delivery(of: push)
                    + [Header("apns-topic", "\(sender.bundleID).push-type.liveactivity")],
                body: push.payload
            )
        case .channel(let id):
            // The channel determines the app, so there is no topic.
            self.init(
                .post,
                host: hosts.push,
                path: "/4/broadcasts/apps/\(sender.bundleID)",
                headers: [authorization, Header("apns-channel-id", id)]
                    + Self.delivery(of: push),
                body: push.payload
            )
        case .createChannel:
            self = .creatingChannel(of: sender, hosts, token: token)
        case .deleteChannel(let id):
            self = .channel(.delete, id: id, of: sender, hosts, token: token)
        case .listChannels:
            self = .allChannels(of: sender, hosts, token: token)
        }
    }

    private static func delivery(of push: Push, type: String = "liveactivity") -> [Header] {
        [
            Header("apns-push-type", type),
            Header("apns-priority", "\(push.priority.rawValue)"),
            Header("apns-expiration", "\(push.expiration)"),
            Header("apns-id", push.messageID),
        ] + (push.collapseID.map { [Header("apns-collapse-id", $0)] } ?? [])
    }

    /// Asks for a broadcast channel that keeps the most recent message; the id comes in a header of the answer.
    private static func creatingChannel(
        of sender: APNSSender,
        _ hosts: APNSHost,
        token: String
    ) -> APNSRequest {
        APNSRequest(
            .post,
            host: hosts.channels,
            path: "/1/apps/\(sender.bundleID)/channels",
            headers: [Header("authorization", "bearer \(token)")],
            body: Array("{\"message-storage-policy\":1,\"push-type\":\"LiveActivity\"}".utf8)
        )
    }

    /// Reads or removes one broadcast channel.
    public static func channel(
        _ method: Method,
        id: String,
        of sender: APNSSender,
        _ hosts: APNSHost,
        token: String
    ) -> APNSRequest {
        APNSRequest(
            method,
            host: hosts.channels,
            path: "/1/apps/\(sender.bundleID)/channels",
            headers: [Header("authorization", "bearer \(token)"), Header("apns-channel-id", id)]
        )
    }

    /// Asks for the ids of all broadcast channels of the app.
    public static func allChannels(of sender: APNSSender, _ hosts: APNSHost, token: String) -> APNSRequest {
        APNSRequest(
            .get,
            host: hosts.channels,
            path: "/1/apps/\(sender.bundleID)/all-channels",
            headers: [Header("authorization", "bearer \(token)")]
        )
    }
}
