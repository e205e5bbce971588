public import SkerryValues

/// One request to the push service, rendered from the state of the moment in which it was decided.
///
/// It is sent once and unchanged, or not at all: another attempt is the next push, rendered again.
public struct Push: Sendable {
    /// The destination of a request.
    public enum Route: Equatable, Sendable {
        /// To the app of a phone, to start an activity, by the push-to-start token.
        case start(token: String)
        /// To the app of a phone, as an ordinary notification, by the token of the app.
        case app(token: String)
        /// To all widgets of the app on a phone, which ask for their timelines then.
        case widgets(token: String)
        /// To one activity on one phone, by its update token.
        case token(String)
        /// To all phones that listen on a broadcast channel.
        case channel(id: String)
        /// To the manager of channels, which answers with the id of a new one.
        case createChannel
        /// To the channel service, to delete a channel without listeners.
        case deleteChannel(id: String)
        /// To the manager of channels, which answers with the ids of all.
        case listChannels

        /// True if it goes to the channel service, which fails independently.
        package var isForManager: Bool {
            switch self {
            case .start, .app, .widgets, .token, .channel: false
            case .createChannel, .deleteChannel, .listChannels: true
            }
        }
    }

    /// The event for the activity.
    public enum Event: UInt8, Hashable, Sendable, CaseIterable {
        /// It appears.
        case start
        /// Its content changes.
        case update
        /// It ends.
        case end
        /// An alert of it is told by an ordinary notification.
        case notification
        /// The widgets that show it are drawn again.
        case widgets

        /// The event as APNs knows it, which knows notifications and widgets without one.
        public var name: String {
            switch self {
            case .start: "start"
            case .update: "update"
            case .end: "end"
            case .notification: "notification"
            case .widgets: "widgets"
            }
        }
    }

    /// The priority, as APNs numbers it.
    public enum Priority: UInt8, Hashable, Sendable {
        /// Delivered when it suits the phone; costs no budget.
        case considerate = 5
        /// Delivered at once; the number per phone and hour is limited.
        case immediate = 10
    }

    /// A number that is unique in this process.
    public var id: UInt64
    /// The `apns-id`, a UUID in lower case: the same if the same content goes to the same place again.
    public var messageID: String {
        var text = "\(phone ?? "") \(activity) \(instance) \(event?.name ?? "") \(repeatMark)"
        switch route {
        case .start(let token): text += " start \(token)"
        case .app(let token): text += " app \(token)"
        case .widgets(let token): text += " widgets \(token)"
        case .token(let token): text += " token \(token)"
        case .channel(let id): text += " channel \(id)"
        case .createChannel: text += " create \(id)"
        case .deleteChannel(let channel): text += " delete \(channel) \(id)"
        case .listChannels: text += " list \(id)"
        }
        let high = text.utf8.fingerprint
        let low = (text + " ").utf8.fingerprint
        return Self.uuid(high, low)
    }
    /// The phone; nil for a channel, which concerns all phones.
    public var phone: String?
    /// The bundle id of the app, whose key signs it; empty for the usual one.
    public var app = ""
    /// The id of the activity.
    public var activity: String
    /// The instance of the activity within this run, from 1; one more after each renewal.
    public var instance: Int
    /// The destination.
    public var route: Route
    /// The push service.
    public var environment: PushEnvironment
    /// The event; nil for creating and deleting channels.
    public var event: Event?
    /// The priority.
    public var priority: Priority
    /// The moment until which the service keeps trying, in Unix seconds.
    public var expiration: Int64
    /// The `apns-collapse-id`, by which a waiting start and an earlier notification are replaced, at most 64 bytes; nil for
    /// other events.
    public var collapseID: String?
    /// The `timestamp` in the body, in Unix seconds; it only grows for an activity on a phone.
    public var timestamp: Int64
    /// The whole body, JSON; empty where the request has none.
    public var payload: [UInt8]
    /// A hash of its content: the same when it is sent again, apart from dates in the body.
    var repeatMark: UInt64 = 0

    /// Makes a push.
    public init(
        id: UInt64,
        phone: String?,
        activity: String,
        instance: Int,
        route: Route,
        environment: PushEnvironment,
        event: Event?,
        priority: Priority,
        expiration: Int64,
        collapseID: String? = nil,
        timestamp: Int64,
        payload: [UInt8]
    ) {
        self.id = id
        self.phone = phone
        self.activity = activity
        self.instance = instance
        self.route = route
        self.environment = environment
        self.event = event
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.timestamp = timestamp
        self.payload = payload
    }
}

extension Push {
    /// The text of a UUID (RFC 9562, version 8: a hash of its content).
    private static func uuid(_ high: UInt64, _ low: UInt64) -> String {
        let high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
        let low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = [high, low].flatMap { Array(String($0, hexadecimalDigits: 16).utf8) }
        var text: [UInt8] = []
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// The result of a push.
///
/// After ``noAnswer(reason:)`` the phone may have the push, so a start is sent again only if the phone does not show
/// it. After ``notSent(reason:retryAfter:)`` and every refusal it does not have it.
public enum PushAnswer: Equatable, Sendable {
    /// 200 (or 204 for a channel deleted): accepted, which does not prove that it is shown.
    case accepted
    /// 201: the channel that was asked for.
    case channelCreated(id: String)
    /// 410: this token has expired, at a moment that the service may name.
    case tokenGone(since: Timestamp?)
    /// 400 BadDeviceToken: no token, or one of the other environment.
    case badToken
    /// 400 DeviceTokenNotForTopic: the token of another app, or of another kind.
    case wrongTopic
    /// 200: the ids of all channels of the app.
    case channels([String])
    /// ChannelNotRegistered, BadChannelId, FeatureNotEnabled: there is no such channel.
    case channelGone(reason: String)
    /// 413: longer than the service takes.
    case tooLarge
    /// Any other 4xx: a fault of the sender or its configuration; the same push would be refused again.
    case senderFault(reason: String)
    /// 403, or 429 TooManyProviderTokenUpdates: no push can go until the provider token is another one.
    case providerToken(reason: String, retryAfter: Interval?)
    /// 429 TooManyRequests: too many for this token.
    case busy(retryAfter: Interval?)
    /// 5xx: the service has trouble.
    case unavailable(reason: String, retryAfter: Interval?)
    /// It never left: no connection.
    case notSent(reason: String, retryAfter: Interval?)
    /// It was sent, and its result is unknown: time-out, connection lost.
    case noAnswer(reason: String)
}
