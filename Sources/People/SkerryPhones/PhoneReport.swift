public import SkerryValues

/// One of Apple's two push services, to which a token or a channel belongs; a property of each, not of the gateway.
public enum PushEnvironment: UInt8, Hashable, Sendable, CaseIterable {
    /// Apps from the App Store and TestFlight.
    case production
    /// Apps that Xcode installed.
    case development

    /// The other one.
    package var other: PushEnvironment {
        switch self {
        case .production: .development
        case .development: .production
        }
    }

    /// The environment as phones report it.
    package var name: String {
        switch self {
        case .production: "production"
        case .development: "development"
        }
    }
}

/// The reported state of a token.
public enum ReportedToken: Hashable, Sendable {
    /// The token, in lower-case hexadecimal digits.
    case known(String)
    /// There is none any more.
    case removed
}

/// The report of a phone: its tokens, and what its user did with activities.
///
/// A report is merged: values that it does not mention stay, and for each token the report that was confirmed last
/// counts, not the one that arrives last.
public struct PhoneReport: Hashable, Sendable {
    /// The moment at which the phone read the reported values.
    public var confirmedAt: Timestamp
    /// The bundle id of the app; nil if the report does not mention it.
    public var bundleID: String?
    /// The push service of its tokens; nil if the report does not mention it.
    public var environment: PushEnvironment?
    /// The version of iOS, such as `18.2`; nil if the report does not mention it.
    public var systemVersion: String?
    /// True if its user allows frequent updates; nil if the report does not mention it.
    package var allowsFrequentUpdates: Bool?
    /// True if its user allows Live Activities of the app; nil if the report does not mention it.
    public var allowsActivities: Bool?
    /// True if its user allows notifications of the app; nil if the report does not mention it.
    package var allowsNotifications: Bool?
    /// The token of the app for ordinary notifications; nil if the report does not mention it.
    package var notificationToken: ReportedToken?
    /// The token by which the widgets of the app are drawn again; nil if the report does not mention it.
    package var widgetToken: ReportedToken?
    /// The kinds of devices whose widgets its user has placed; nil if the report does not mention them.
    package var widgetKinds: [String]?
    /// The cards that its user does not want on it; nil if the report does not mention them.
    ///
    /// Kinds such as `washer`, and devices such as `washer/laundry`.
    package var hides: [String]?
    /// The cards that its user did not want for a while of which no report has told, so that the app has ended them.
    package var hidBefore: [String] = []
    /// The device by whose card its user opened the app; nil if the report does not mention one.
    package var opened: Opened?
    /// The push-to-start tokens, each type once.
    public var startTokens: [StartToken]
    /// Activities that the phone shows or showed, each once.
    public var activities: [Activity]
    /// The activities that the phone shows, complete for each named type: a missing one is not on the phone.
    public var shows: [Shown]

    /// The opening of the app by a card.
    public struct Opened: Hashable, Sendable {
        /// The kind and the name of the device, such as `washer/laundry`.
        package var device: String
        /// The moment.
        package var at: Timestamp

        package init(device: String, at: Timestamp) {
            self.device = device
            self.at = at
        }
    }

    /// Everything of one type of activities that a phone shows.
    public struct Shown: Hashable, Sendable {
        /// The type, such as `WasherPlugAttributes`.
        package var type: String
        /// The activities that are active or stale.
        package var activities: [Instance]

        /// One of them.
        package struct Instance: Hashable, Sendable {
            /// The activity's id, `<kind>/<device>/<run>`.
            package var id: String
            /// The number of the instance within the run, from 1.
            package var instance: Int
            /// The revision that it shows; nil if the report does not mention it.
            package var rev: Int64?

            package init(id: String, instance: Int = 1, rev: Int64? = nil) {
                self.id = id
                self.instance = instance
                self.rev = rev
            }
        }

        /// Makes a list.
        package init(type: String, activities: [Instance]) {
            self.type = type
            self.activities = activities
        }
    }

    /// The push-to-start token of one type of activities.
    public struct StartToken: Hashable, Sendable {
        /// The type, such as `WasherPlugAttributes`.
        public var type: String
        /// The token, or that there is none any more.
        public var token: ReportedToken

        /// Makes a report of one token.
        public init(type: String, token: ReportedToken) {
            self.type = type
            self.token = token
        }
    }

    /// The end of an activity on the phone.
    public enum End: UInt8, Hashable, Sendable, CaseIterable {
        /// Its user removed it: nothing of the run is to be shown again.
        case dismissed
        /// It ended, by a push or because iOS limits the length of activities.
        case ended

        /// The end as phones report it.
        package var name: String {
            switch self {
            case .dismissed: "dismissed"
            case .ended: "ended"
            }
        }
    }

    /// The report of one activity.
    public struct Activity: Hashable, Sendable {
        /// The activity's id, `<kind>/<device>/<run>`.
        public var id: String
        /// The instance within the run: 1 for the first, one more after each renewal.
        public var instance: Int
        /// The token for updates; nil if the report does not mention it.
        public var token: ReportedToken?
        /// The kind of its end; nil while it is shown, or if the report does not mention it.
        public var end: End?
        /// True if its user wants no sounds of this run; nil if the report does not mention it.
        package var isSilent: Bool?

        /// Makes a report of one activity.
        public init(
            id: String,
            instance: Int = 1,
            token: ReportedToken? = nil,
            end: End? = nil,
            isSilent: Bool? = nil
        ) {
            self.id = id
            self.instance = instance
            self.token = token
            self.end = end
            self.isSilent = isSilent
        }
    }

    /// Makes a report.
    public init(
        confirmedAt: Timestamp,
        environment: PushEnvironment? = nil,
        systemVersion: String? = nil,
        allowsFrequentUpdates: Bool? = nil,
        allowsActivities: Bool? = nil,
        allowsNotifications: Bool? = nil,
        notificationToken: ReportedToken? = nil,
        hides: [String]? = nil,
        opened: Opened? = nil,
        startTokens: [StartToken] = [],
        activities: [Activity] = [],
        shows: [Shown] = []
    ) {
        self.confirmedAt = confirmedAt
        self.environment = environment
        self.systemVersion = systemVersion
        self.allowsFrequentUpdates = allowsFrequentUpdates
        self.allowsActivities = allowsActivities
        self.allowsNotifications = allowsNotifications
        self.notificationToken = notificationToken
        self.hides = hides
        self.opened = opened
        self.startTokens = startTokens
        self.activities = activities
        self.shows = shows
    }
}
