public import SkerryPush
public import SkerryValues

/// Why Apple's push service refuses a request.
public struct PushRefusal: Error, Hashable, Sendable {
    /// The status of HTTP.
    public let status: Int
    /// The reason in Apple's words, such as `BadDeviceToken`.
    public let reason: String
    /// Since when a token has been invalid; nil for all other refusals.
    public let since: Timestamp?

    /// Makes a refusal.
    public init(_ status: Int, _ reason: String, since: Timestamp? = nil) {
        self.status = status
        self.reason = reason
        self.since = since
    }

    /// The answer that says so, with the id of the request.
    public func response(to push: ReceivedPush) -> APNSResponse {
        APNSResponse(status: status, apnsID: push.headers["apns-id"], body: Array(body.utf8))
    }

    /// The JSON that Apple sends; the time is in milliseconds.
    public var body: String {
        let time = since.map { ",\"timestamp\":\($0.microseconds / 1000)" } ?? ""
        return "{\"reason\":\"\(reason)\"\(time)}"
    }
}
