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
            host: host,
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
    public var uniqueID: String?
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
