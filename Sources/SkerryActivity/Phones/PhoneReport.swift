public import SkerryValues

/// Which of Apple's two push services a token or a channel belongs to; a property of each, not of the gateway.
public enum PushEnvironment: UInt8, Hashable, Sendable, CaseIterable {
    /// Apps from the App Store and TestFlight.
    case production
    /// Apps that Xcode installed.
    case development

    /// The other one.
    public var other: PushEnvironment {
        switch self {
        case .production: .development
        case .development: .production
        }
    }

    /// The environment as phones report it.
    public var name: String {
        switch self {
        case .production: "production"
        case .development: "development"
        }
    }
}

/// What a phone says of a token.
public enum ReportedToken: Hashable, Sendable {
    /// The token, in lower-case hexadecimal digits.
    case known(String)
    /// There is none any more.
    case removed
}

/// What a phone tells of itself: its tokens, what its user did with activities.
///
/// A report is merged with what is known: what it does not mention stays, and of a token the report confirmed last counts,
/// whichever comes last.
public struct PhoneReport: Hashable, Sendable {
    /// When the phone read what it reports.
    public var confirmedAt: Timestamp
    /// Where its tokens belong; nil when it says nothing of it.
    public var environment: PushEnvironment?
    /// The version of iOS, such as `18.2`; nil when it says nothing of it.
    public var systemVersion: String?
    /// Whether its user allows frequent updates; nil when it says nothing of it.
    public var allowsFrequentUpdates: Bool?
    /// The push-to-start tokens, each type once.
    public var startTokens: [StartToken]
    /// Activities that the phone shows or showed, each once.
    public var activities: [Activity]
    /// What the phone shows, complete for each type that is named: what is missing there is not on the phone.
    public var shows: [Shown]

    /// Everything of one type of activities that a phone shows.
    public struct Shown: Hashable, Sendable {
        /// The type, such as `WasherPlugAttributes`.
        public var type: String
        /// The activities that are active or stale.
        public var activities: [Instance]

        /// One of them.
        public struct Instance: Hashable, Sendable {
            /// The activity's id, `<kind>/<device>/<run>`.
            public var id: String
            /// Which showing of the run it is, from 1.
            public var instance: Int

            /// Makes an instance.
            public init(id: String, instance: Int = 1) {
                self.id = id
                self.instance = instance
            }
        }

        /// Makes a list.
        public init(type: String, activities: [Instance]) {
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

    /// How an activity ended on the phone.
    public enum End: UInt8, Hashable, Sendable, CaseIterable {
        /// Its user removed it: nothing of the run is to be shown again.
        case dismissed
        /// It came to its end, by a push or because the system lets none go on for ever.
        case ended

        /// The end as phones report it.
        public var name: String {
            switch self {
            case .dismissed: "dismissed"
            case .ended: "ended"
            }
        }
    }

    /// What the phone says of one activity.
    public struct Activity: Hashable, Sendable {
        /// The activity's id, `<kind>/<device>/<run>`.
        public var id: String
        /// Which showing of the run it is: 1 for the first, one more after each renewal.
        public var instance: Int
        /// The token for updates; nil when the phone says nothing of it.
        public var token: ReportedToken?
        /// How it ended; nil while it is shown, or when the phone says nothing of it.
        public var end: End?

        /// Makes a report of one activity.
        public init(id: String, instance: Int = 1, token: ReportedToken? = nil, end: End? = nil) {
            self.id = id
            self.instance = instance
            self.token = token
            self.end = end
        }
    }

    /// Makes a report.
    public init(
        confirmedAt: Timestamp,
        environment: PushEnvironment? = nil,
        systemVersion: String? = nil,
        allowsFrequentUpdates: Bool? = nil,
        startTokens: [StartToken] = [],
        activities: [Activity] = [],
        shows: [Shown] = []
    ) {
        self.confirmedAt = confirmedAt
        self.environment = environment
        self.systemVersion = systemVersion
        self.allowsFrequentUpdates = allowsFrequentUpdates
        self.startTokens = startTokens
        self.activities = activities
        self.shows = shows
    }
}
