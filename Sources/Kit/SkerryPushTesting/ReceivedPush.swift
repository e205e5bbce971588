public import SkerryPush

/// A request as Apple's push service receives it.
public struct ReceivedPush: Sendable {
    /// The method, such as `POST`.
    public var method: String
    /// The path, `/3/device/…` or that of a broadcast.
    public var path: String
    /// The headers by their names in lower case; of several with a name the first.
    public private(set) var headers: [String: String] = [:]
    /// Names of headers that came more than once.
    package private(set) var duplicates: [String] = []
    /// The body, byte for byte.
    public var body: [UInt8]

    /// Makes a request from its parts; the names of headers are in lower case.
    public init(
        method: String,
        path: String,
        headers: some Sequence<APNSRequest.Header>,
        body: [UInt8]
    ) {
        self.method = method
        self.path = path
        self.body = body
        for header in headers {
            guard self.headers[header.name] == nil else {
                duplicates.append(header.name)
                continue
            }
            self.headers[header.name] = header.value
        }
    }

    /// A request that comes as it was sent.
    public init(_ request: APNSRequest) {
        self.init(
            method: request.method.rawValue,
            path: request.path,
            headers: request.headers,
            body: request.body
        )
    }

    /// The device token of the path; nil for requests to no device.
    package var deviceToken: String? {
        path.hasPrefix("/3/device/") ? String(path.dropFirst("/3/device/".count)) : nil
    }

    /// The provider token; nil when there is none.
    public var providerToken: String? {
        guard let value = headers["authorization"], value.lowercased().hasPrefix("bearer ") else {
            return nil
        }
        return String(value.dropFirst("bearer ".count))
    }
}
