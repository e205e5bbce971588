package import SkerryValues

/// A request to a service, without its address and its secrets, which the sender adds.
package struct SinkRequest: Hashable, Sendable {
    /// A header; its name is in lower case, and both are plain ASCII.
    package struct Header: Hashable, Sendable {
        /// The name in lower case.
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The number of the request at its scheduler.
    package var id: UInt64
    /// The recipient, by its place in the list of the settings.
    package var recipient: Int
    /// The id of the activity.
    package var activity: String
    /// The rest of the URL after the address of the service; empty, or from its leading slash on.
    package var path: String
    package var headers: [Header]
    /// The body, JSON.
    package var body: [UInt8]
    /// The id of the message, the same for each attempt; only signed requests have one.
    package var messageID: String?
}

/// The result of a request.
package enum SinkAnswer: Hashable, Sendable {
    /// The service took it, with the body of its answer.
    case accepted([UInt8])
    /// The service wants no further requests, such as by status 410.
    case gone(reason: String)
    /// The service takes it later, perhaps.
    case busy(reason: String, retryAfter: Interval?)
    /// The service knows neither the address nor the secret: a person has to change a setting.
    case denied(reason: String)
    /// The same, where another access token may help.
    case unauthorized(reason: String)
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
    package init(status: Int, retryAfter: Interval?, body: [UInt8], from service: String) {
        if service == "fcm", let meaning = FCMMessages.meaning(of: status, body, retryAfter: retryAfter) {
            self = meaning
            return
        }
        let reason = Self.reason(status, body)
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
        case 410: self = .gone(reason: reason)
        case 408, 425, 429, 500...: self = .busy(reason: reason, retryAfter: retryAfter)
        default: self = .refused(reason: reason)
        }
    }

    /// The result in words.
    package var text: String {
        switch self {
        case .accepted: "accepted"
        case .gone(let reason): "\(reason): nothing is sent until the next start"
        case .busy(let reason, _), .denied(let reason), .unauthorized(let reason), .refused(let reason),
            .noAnswer(let reason):
            reason
        }
    }

    /// A status with the message of the service, as in `status 400 (Invalid registration token)`.
    package static func reason(_ status: Int, _ body: [UInt8]) -> String {
        let limits = JSONLimits(bytes: max(body.count, 1), depth: 16)
        guard case .map(let members)? = try? JSONReader.value(of: body.span, limits: limits) else {
            return "status \(status)"
        }
        var words: [String] = []
        for place in ["error", "error_description", "message"] {
            switch members[place] {
            case .string(let text)?: words.append(text)
            case .map(let error)?: if case .string(let text)? = error["message"] { words.append(text) }
            default: break
            }
        }
        let line = words.joined(separator: ", ").split { $0.isWhitespace }.joined(separator: " ")
        return line.isEmpty ? "status \(status)" : "status \(status) (\(line.prefix(longestReason)))"
    }

    private static let longestReason = 160

    /// True if the service took it, or may have taken it.
    var mayHaveArrived: Bool {
        switch self {
        case .accepted, .noAnswer: true
        case .gone, .busy, .denied, .unauthorized, .refused: false
        }
    }
}
