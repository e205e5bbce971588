#if Push
import NIOHPACK

/// A request as the stand-in for Apple's push service received it.
public struct ReceivedPush: Sendable {
    /// The method, such as `POST`.
    public var method: String
    /// The path, `/3/device/…` or that of a broadcast.
    public var path: String
    /// The headers by their names in lower case; of several with a name the first.
    public var headers: [String: String]
    /// Names of headers that came more than once.
    public var duplicates: [String]
    /// The body, byte for byte.
    public var body: [UInt8]
    /// The number of the connection it came over, from 1.
    public var connection: Int

    /// The device token of the path; nil for requests to no device.
    public var deviceToken: String? {
        path.hasPrefix("/3/device/") ? String(path.dropFirst("/3/device/".count)) : nil
    }

    /// The provider token; nil when there is none.
    public var providerToken: String? {
        guard let value = headers["authorization"], value.lowercased().hasPrefix("bearer ") else {
            return nil
        }
        return String(value.dropFirst("bearer ".count))
    }

    init(_ head: HPACKHeaders, body: [UInt8], connection: Int) {
        method = head.first(name: ":method") ?? ""
        path = head.first(name: ":path") ?? ""
        headers = [:]
        duplicates = []
        for (name, value, _) in head where !name.hasPrefix(":") {
            if headers[name] == nil { headers[name] = value } else { duplicates.append(name) }
        }
        self.body = body
        self.connection = connection
    }
}

/// What the stand-in answers to a request.
public enum PushReply: Hashable, Sendable {
    /// A status with a reason in JSON, and for 410 since when, in milliseconds.
    case reason(Int, String, since: Int64? = nil)
    /// A status with headers and a body.
    case raw(Int, headers: [String: String] = [:], body: String = "")
    /// Never anything.
    case silence
    /// The connection ends at once.
    case reset
    /// The request was not looked at: RST_STREAM with REFUSED_STREAM.
    case refuse
    /// GOAWAY with a reason, and no answer to the request.
    case goAway(String)
}
#endif
