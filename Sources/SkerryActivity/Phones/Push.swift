public import SkerryValues

/// One request to the push service, rendered from the state of the moment in which it was decided.
///
/// It is sent once and as it is, or not at all: whoever tries again asks for the next push, which is rendered anew.
public struct Push: Sendable {
    /// Where a request goes.
    public enum Route: Equatable, Sendable {
        /// To the app of a phone, to start an activity, by the push-to-start token.
        case start(token: String)
        /// To one activity on one phone, by its update token.
        case token(String)
        /// To all phones that listen on a broadcast channel.
        case channel(id: String)
        /// To the manager of channels, which answers with the id of a new one.
        case createChannel
        /// To the manager of channels, for one that nobody listens to any more.
        case deleteChannel(id: String)
        /// To the manager of channels, which answers with the ids of all.
        case listChannels

        /// Whether it goes to the manager of channels, whose troubles are its own.
        public var isForManager: Bool {
            switch self {
            case .start, .token, .channel: false
            case .createChannel, .deleteChannel, .listChannels: true
            }
        }
    }

    /// What happens to the activity.
    public enum Event: UInt8, Hashable, Sendable {
        /// It appears.
        case start
        /// Its content changes.
        case update
        /// It is over.
        case end

        /// The event as APNs knows it.
        public var name: String {
            switch self {
            case .start: "start"
            case .update: "update"
            case .end: "end"
            }
        }
    }

    /// How soon it should be there, as APNs counts it.
    public enum Priority: UInt8, Hashable, Sendable {
        /// When it suits the phone; costs nothing.
        case considerate = 5
        /// At once; each phone takes only so many in an hour.
        case immediate = 10
    }

    /// Tells it from all others of this process.
    public var id: UInt64
    /// What the service knows it by, a UUID in lower case: the same when the same goes to the same place once more.
    public var messageID: String {
        var text = "\(phone ?? "") \(activity) \(instance) \(event?.name ?? "") \(repeatMark)"
        switch route {
        case .start(let token): text += " start \(token)"
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
    /// The phone; nil for what concerns a channel and so all of them.
    public var phone: String?
    /// The id of the activity.
    public var activity: String
    /// Which activity of this run on the phone, from 1; one more after each renewal.
    public var instance: Int
    /// Where it goes.
    public var route: Route
    /// Which service it goes to.
    public var environment: PushEnvironment
    /// What happens; nil for creating and deleting channels.
    public var event: Event?
    /// How soon it should be there.
    public var priority: Priority
    /// How long the service keeps trying, in Unix seconds.
    public var expiration: Int64
    /// What a start that still waits is replaced by, at most 64 bytes; nil for everything else.
    public var collapseID: String?
    /// The `timestamp` in the body, in Unix seconds; it only grows for an activity on a phone.
    public var timestamp: Int64
    /// The whole body, JSON; empty where the request has none.
    public var payload: [UInt8]
    /// What it tells, as a number: the same when it goes once more, other dates in the body aside.
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
    /// The text of a UUID (RFC 9562, version 8: made of what it names).
    private static func uuid(_ high: UInt64, _ low: UInt64) -> String {
        let high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
        let low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = Array(hexadecimal(high).utf8) + Array(hexadecimal(low).utf8)
        var text: [UInt8] = []
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

/// What came of a push.
///
/// What matters is whether the phone may have it: after ``noAnswer(reason:)`` it may, and a start goes again only when the
/// phone does not show it; after ``notSent(reason:retryAfter:)`` and every refusal it has not.
public enum PushAnswer: Equatable, Sendable {
    /// 200 (or 204 for a channel deleted): accepted, which does not prove that it is shown.
    case accepted
    /// 201: the channel that was asked for.
    case channelCreated(id: String)
    /// 410: this token is over since a moment, as far as the service said so.
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
    /// It left, and nobody knows what came of it: time-out, connection lost.
    case noAnswer(reason: String)
}
