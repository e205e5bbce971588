public import SkerryPhones
import SkerryValues

extension APNSResponse {
    /// The reason in the body, such as `BadDeviceToken`; nil for a body that is empty or no such JSON.
    public var reason: String? {
        guard case .map(let map)? = json, case .string(let reason)? = map["reason"], reason.utf8.count <= 100
        else { return nil }
        return reason
    }

    /// The channel ids in the answer to a request for all channels; nil for any other body.
    public var channels: [String]? {
        guard case .map(let map)? = json, case .list(let list)? = map["channels"] else { return nil }
        return list.compactMap { if case .string(let id) = $0 { id } else { nil } }
    }

    /// The result of a push.
    public var answer: PushAnswer {
        let reason = self.reason ?? "status \(status) without a reason"
        let pause = retryAfter.map { Interval.seconds(Int64(clamping: max(0, $0))) }
        switch (status, self.reason) {
        case (201, _):
            guard let channelID else {
                return .senderFault(reason: "the new channel has no id")
            }
            return .channelCreated(id: channelID)
        case (200, _): return channels.map { .channels($0) } ?? .accepted
        case (204, _): return .accepted
        case (400, "BadDeviceToken"?): return .badToken
        // It concerns the connection, and says nothing of the request.
        case (400, "IdleTimeout"?): return .notSent(reason: reason, retryAfter: pause)
        case (400, "DeviceTokenNotForTopic"?): return .wrongTopic
        case (_, "ChannelNotRegistered"?), (_, "BadChannelId"?): return .channelGone(reason: reason)
        // Another provider token would not help.
        case (403, "TopicMismatch"?): return .senderFault(reason: reason)
        case (403, _): return .providerToken(reason: reason, retryAfter: pause)
        case (410, _): return .tokenGone(since: goneSince)
        case (413, _): return .tooLarge
        case (429, "TooManyProviderTokenUpdates"?): return .providerToken(reason: reason, retryAfter: pause)
        case (429, _): return .busy(retryAfter: pause)
        case (500..., _): return .unavailable(reason: reason, retryAfter: pause)
        default: return .senderFault(reason: reason)
        }
    }

    /// The moment at which a token expired: the `timestamp` of a 410, which is in milliseconds.
    private var goneSince: Timestamp? {
        guard case .map(let map)? = json else { return nil }
        let milliseconds: Double
        switch map["timestamp"] {
        case .int(let number)?: milliseconds = Double(number)
        case .double(let number)?: milliseconds = number
        default: return nil
        }
        return Interval(seconds: milliseconds / 1000).map { Timestamp(seconds: 0) + $0 }
    }

    private var json: Value? {
        try? JSONReader.value(of: body.span, limits: JSONLimits(bytes: WebClient.bodyLimit, depth: 8))
    }
}

extension PushAnswer {
    /// The result of a push without an answer.
    public init(_ fault: WebFault) {
        switch fault.kind {
        case .request: self = .senderFault(reason: fault.message)
        case _ where fault.mayHaveArrived: self = .noAnswer(reason: fault.message)
        default: self = .notSent(reason: fault.message, retryAfter: nil)
        }
    }
}
