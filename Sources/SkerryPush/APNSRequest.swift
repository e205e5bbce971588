/// One request to Apple's push service.
public struct APNSRequest: Hashable, Sendable {
    /// The method of a request.
    public enum Method: String, Hashable, Sendable {
        /// Reads.
        case get = "GET"
        /// Sends or creates.
        case post = "POST"
        /// Removes.
        case delete = "DELETE"
    }

    /// A header; its name is in lower case, as HTTP/2 demands.
    public struct Header: Hashable, Sendable {
        /// The name in lower case.
        public var name: String
        /// The value.
        public var value: String

        /// Makes a header.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

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

    /// True if host, path and headers can go into a request as they are: ASCII that is seen, and spaces in values of headers.
    ///
    /// Parts of them come from devices and phones, and a line break would begin a header of its own.
    var isWellFormed: Bool {
        let isPlain: (UInt8) -> Bool = { (0x21...0x7E).contains($0) }
        return path.hasPrefix("/") && path.utf8.allSatisfy(isPlain) && host.utf8.allSatisfy(isPlain)
            && headers.allSatisfy { header in
                !header.name.isEmpty && header.name.utf8.allSatisfy(isPlain)
                    && header.value.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: " ") }
            }
    }
}

/// The answer of Apple's push service to a request.
public struct APNSResponse: Hashable, Sendable {
    /// The status of HTTP, such as 200 or 410.
    public var status: Int
    /// The id of the notification, `apns-id`.
    public var apnsID: String?
    /// The id of a broadcast channel, `apns-channel-id`, base64.
    public var channelID: String?
    /// The seconds to wait before another attempt, `retry-after`.
    public var retryAfter: Int?
    /// The body, at most ``APNSClient/bodyLimit`` bytes of it.
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
}

/// Why a request got no answer.
public struct APNSFault: Error, Hashable, Sendable {
    /// The kind of fault.
    public enum Kind: Hashable, Sendable {
        /// The request can't be made: a host, path or header has characters that none may have.
        case request
        /// No connection: an unknown host, a refusal, a network that is down.
        case unreachable
        /// The connection is not secure as it must be.
        case security
        /// The connection ended before the answer.
        case connectionLost
        /// The other end does not speak HTTP/2.
        case notHTTP2
        /// No answer in time.
        case timeout
        /// The task that asked was cancelled, or the client was stopped.
        case cancelled
    }

    /// The kind of fault.
    public var kind: Kind
    /// The fault and a remedy, one line.
    public var message: String
    /// Whether the request may have arrived, so that its result is unknown.
    public var mayHaveArrived: Bool

    /// Makes a fault.
    public init(_ kind: Kind, _ message: String, mayHaveArrived: Bool = false) {
        self.kind = kind
        self.message = message
        self.mayHaveArrived = mayHaveArrived
    }
}
