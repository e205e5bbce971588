public import SkerryValues

/// A request to a service, without its address and its secrets, which the sender adds.
public struct SinkRequest: Hashable, Sendable {
    /// A header; its name is in lower case, and both are plain ASCII.
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

    /// The number of the request at its scheduler.
    public var id: UInt64
    /// The recipient, by its place in the list of the settings.
    public var recipient: Int
    /// The id of the activity.
    public var activity: String
    /// The rest of the URL after the address of the service; empty, or from its leading slash on.
    public var path: String
    /// The headers.
    public var headers: [Header]
    /// The body, JSON.
    public var body: [UInt8]
    /// The id of the message, the same for each attempt; only signed requests have one.
    public var messageID: String?
}

/// The result of a request.
public enum SinkAnswer: Hashable, Sendable {
    /// The service took it, with the body of its answer.
    case accepted([UInt8])
    /// The service wants no further requests: status 410.
    case gone
    /// The service takes it later, perhaps.
    case busy(reason: String, retryAfter: Interval?)
    /// The service knows neither the address nor the secret: a person has to change a setting.
    case denied(reason: String)
    /// The service does not take this content.
    case refused(reason: String)
    /// No answer came, and perhaps no request arrived.
    case noAnswer(reason: String)

    /// The meaning of an HTTP answer.
    ///
    /// - Parameters:
    ///   - status: The status, such as 200.
    ///   - retryAfter: The pause that the service asks for.
    ///   - body: The body, or its beginning.
    ///   - service: The name of the service.
    public init(status: Int, retryAfter: Interval?, body: [UInt8], from service: String) {
        let reason = "status \(status)"
        switch status {
        case 200..<300: self = .accepted(body)
        case 300..<400: self = .denied(reason: "\(reason), a redirect: set the address that it leads to")
        case 401, 403, 407: self = .denied(reason: "\(reason): is the token right, and may it do this?")
        case 404, 405: self = .denied(reason: "\(reason): is the address right?")
        case 400 where service == "home-assistant":
            // Also for a moment of each start of Home Assistant: it takes requests before it has its notify actions.
            self = .busy(
                reason: "\(reason): does Home Assistant have this notify action?",
                retryAfter: retryAfter
            )
        case 410: self = .gone
        case 408, 425, 429, 500...: self = .busy(reason: reason, retryAfter: retryAfter)
        default: self = .refused(reason: reason)
        }
    }

    /// The result in words.
    public var text: String {
        switch self {
        case .accepted: "accepted"
        case .gone: "status 410: it wants no further requests; nothing is sent until the next start"
        case .busy(let reason, _), .denied(let reason), .refused(let reason), .noAnswer(let reason): reason
        }
    }
}
