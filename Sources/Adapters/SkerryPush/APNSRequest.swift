public import SkerryPhones

/// One request to Apple's push service.
public struct APNSRequest: Hashable, Sendable {
    /// The method of a request.
    public typealias Method = WebRequest.Method
    /// A header; its name is in lower case, as HTTP/2 demands.
    public typealias Header = WebRequest.Header

    /// The method.
    public var method: Method
    /// Host and port, such as `api.push.apple.com:443`.
    public var host: String
    /// The path, from its leading slash on.
    public var path: String
    /// The headers in the order in which they are sent.
    public var headers: [Header]
    /// The body, JSON; empty for reading and removing.
    public var body: [UInt8]

    /// Makes a request.
    public init(_ method: Method, host: String, path: String, headers: [Header], body: [UInt8] = []) {
        self.method = method
        self.host = host
        self.path = path
        self.headers = headers
        self.body = body
    }

    /// The request as HTTP has it.
    var web: WebRequest {
        WebRequest(
            method,
            address: "https://\(host)\(path)",
            headers: headers,
            body: body,
            demandsHTTP2: true
        )
    }

    /// True if it can go out as it is.
    var isWellFormed: Bool { path.hasPrefix("/") && web.isWellFormed }
}

/// The answer of Apple's push service to a request.
public struct APNSResponse: Hashable, Sendable {
    /// The status of HTTP, such as 200 or 410.
    public var status: Int
    /// The id of the notification, `apns-id`.
    public var apnsID: String?
    /// The id in Apple's delivery log, `apns-unique-id`; only in the development environment.
    package var uniqueID: String?
    /// The id of a broadcast channel, `apns-channel-id`, base64.
    public var channelID: String?
    /// The seconds to wait before another attempt, `retry-after`.
    public var retryAfter: Int?
    /// The body, at most ``WebClient/bodyLimit`` bytes of it.
    public var body: [UInt8]

    /// Makes an answer.
    public init(
        status: Int,
        apnsID: String? = nil,
        channelID: String? = nil,
        retryAfter: Int? = nil,
        body: [UInt8] = []
    ) {
        self.status = status
        self.apnsID = apnsID
        self.channelID = channelID
        self.retryAfter = retryAfter
        self.body = body
    }

    /// The words of the log: the status, the reason of a refusal, and the id in Apple's delivery log.
    var words: String {
        ([String(status)] + [reason, uniqueID.map { "apns-unique-id \($0)" }].compactMap { $0 })
            .joined(separator: ", ")
    }

    /// Makes an answer of one of HTTP.
    init(_ web: WebResponse) {
        self.init(
            status: web.status,
            apnsID: web.headers["apns-id"],
            channelID: web.headers["apns-channel-id"],
            retryAfter: web.retryAfter,
            body: web.body
        )
        uniqueID = web.headers["apns-unique-id"]
    }
}

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
        switch push.route {
        case .app(let device): self.init(push, to: device, "alert", from: sender, token)
        case .widgets(let device): self.init(push, to: device, "widgets", from: sender, token)
        case .start(let device), .token(let device):
            self.init(push, to: device, "liveactivity", from: sender, token)
        case .channel(let id):
            // The channel determines the app, so there is no topic.
            self.init(
                .post,
                host: hosts.push,
                path: "/4/broadcasts/apps/\(sender.bundleID)",
                headers: [Header("authorization", "bearer \(token)"), Header("apns-channel-id", id)]
                    + Self.delivery(of: push, "liveactivity"),
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

    /// The request that carries a push of a type to a device.
    private init(
        _ push: Push,
        to device: String,
        _ type: String,
        from sender: APNSSender,
        _ token: String
    ) {
        let topic = type == "alert" ? sender.bundleID : "\(sender.bundleID).push-type.\(type)"
        let headers =
            [Header("authorization", "bearer \(token)")] + Self.delivery(of: push, type)
            + [Header("apns-topic", topic)]
        self.init(
            .post,
            host: sender.host(push.environment).push,
            path: "/3/device/\(device)",
            headers: headers,
            body: push.payload
        )
    }

    private static func delivery(of push: Push, _ type: String) -> [Header] {
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

/// The hosts of Apple's push service for one environment.
public struct APNSHost: Hashable, Sendable {
    /// The host and port that take pushes.
    public var push: String
    /// The host and port that manage broadcast channels.
    public var channels: String

    /// Makes a pair of hosts.
    public init(push: String, channels: String) {
        self.push = push
        self.channels = channels
    }

    /// Apps from the App Store and TestFlight.
    public static let production = APNSHost(
        push: "api.push.apple.com:443",
        channels: "api-manage-broadcast.push.apple.com:2196"
    )
    /// Apps that Xcode installed.
    package static let sandbox = APNSHost(
        push: "api.sandbox.push.apple.com:443",
        channels: "api-manage-broadcast.sandbox.push.apple.com:2195"
    )
}
