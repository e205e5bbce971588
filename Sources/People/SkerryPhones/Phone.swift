package import SkerryValues

/// A phone of the household: its last report, its activities and its budgets.
package struct Phone: Sendable {
    /// Its id in addresses.
    package let id: String
    /// Its name for people.
    package let name: String
    /// The person that it belongs to; nil until it is given to one.
    public internal(set) var person: String?
    /// Its credential; opaque.
    public internal(set) var credential: [UInt8]
    /// The moment of pairing.
    public internal(set) var pairedAt: Timestamp
    /// The moment of its last report.
    public internal(set) var heardAt: Timestamp
    /// The moment of its removal, after which its activities are ended; nil until then.
    var leftAt: Timestamp?
    /// The bundle id of its app; nil if it does not tell, as an app of an earlier version.
    public internal(set) var bundleID: String?
    /// The push service of its tokens; nil until it reports one.
    public internal(set) var environment: PushEnvironment?
    /// Its version of iOS; nil until it reports one.
    public internal(set) var systemVersion: String?
    /// True if its user allows frequent updates; nil until it reports that.
    public internal(set) var allowsFrequentUpdates: Bool?
    /// True if its user allows Live Activities of the app; nil until it reports that.
    public internal(set) var allowsActivities: Bool?
    /// True if its user allows notifications of the app; nil until it reports that.
    public internal(set) var allowsNotifications: Bool?
    /// The cards that its user does not want on it: kinds such as `washer`, and devices such as `washer/laundry`.
    public internal(set) var hides: [String] = []
    /// The last moment at which its user opened the app by a card, as it tells.
    var openedAt: Timestamp?
    /// The token of the app for ordinary notifications.
    var notificationToken = TokenSlot()
    /// The widgets of the app on it.
    var widgets = PhoneWidgets()
    var startTokens: [StartToken] = []
    var activities: [PhoneActivity] = []
    /// Pushes of priority 10.
    var immediate = BudgetLedger()
    /// Activities that were started.
    var starts = BudgetLedger()
    /// The pushes to it, by their results.
    public internal(set) var counts = PushCounts()
    var decisions = DecisionRing()
    /// The last plan of what is sent to it.
    var plan = Plan()

    /// The push-to-start token of one type of activities.
    struct StartToken: Sendable {
        let type: String
        var slot: TokenSlot
    }

    init(id: String, name: String, credential: [UInt8], pairedAt: Timestamp) {
        self.id = id
        self.name = name
        self.credential = credential
        self.pairedAt = pairedAt
        heardAt = pairedAt
    }

    /// The time that a newly paired phone has for reporting which earlier runs it shows.
    static let introduction = Interval.seconds(5)
    /// Types of activities that a phone may report; of more, those that it reported longest ago are forgotten.
    static let typeLimit = 64

    /// The whole number that the version of iOS begins with; 0 when it is not known.
    var systemMajor: Int {
        var major = 0
        for byte in (systemVersion ?? "").utf8 {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), major < 1000 else { break }
            major = major * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return major
    }

    /// True if a start asks for an update token, as iOS 18 needs it to return one; iOS 17 returns one unasked.
    ///
    /// A phone that reported no version is asked: a newer one would never get another push, an older one ignores the key.
    var takesInputToken: Bool { systemMajor >= 18 || systemMajor == 0 }

    /// True if it can follow a broadcast channel.
    var canListen: Bool { systemMajor >= 18 && environment != nil }

    func startToken(of type: String) -> TokenSlot? {
        startTokens.first { $0.type.hasSameCodePoints(as: type) }?.slot
    }

    func place(of activity: String) -> Int? { activities.place(of: activity) }

    /// The choice of its user by which an activity has no card here, such as `washer/laundry`; nil if there is none.
    func hiding(_ activity: String) -> String? {
        let slash = UInt8(ascii: "/")
        guard !hides.isEmpty, let first = activity.utf8.firstIndex(of: slash),
            let last = activity.utf8.lastIndex(of: slash)
        else { return nil }
        let (kind, device) = (activity[..<first], activity[..<last])
        return hides.first { $0.utf8.elementsEqual(kind.utf8) || $0.utf8.elementsEqual(device.utf8) }
    }

    /// Takes in what its user hides; a run that is hidden no longer may be started again.
    mutating func hide(_ choices: [String]) {
        let before = activities.map { hiding($0.activity) != nil }
        hides = choices
        for index in activities.indices where before[index] && hiding(activities[index].activity) == nil {
            activities[index].reopen()
        }
    }

    /// Takes over what a report says of the app and of its settings.
    mutating func takeSettings(of report: PhoneReport) {
        bundleID = report.bundleID ?? bundleID
        environment = report.environment ?? environment
        systemVersion = report.systemVersion ?? systemVersion
        allowsFrequentUpdates = report.allowsFrequentUpdates ?? allowsFrequentUpdates
        allowsActivities = report.allowsActivities ?? allowsActivities
        allowsNotifications = report.allowsNotifications ?? allowsNotifications
    }

    /// The budget of pushes of priority 10 within the window.
    func immediateLimit(_ settings: PushSchedulerSettings) -> Int {
        allowsFrequentUpdates == true ? settings.frequentBudget : settings.immediateBudget
    }

    /// Changes the push-to-start token of a type, if that is the one that is meant.
    mutating func changeStartToken(of type: String, _ change: (inout TokenSlot) -> Void) {
        guard let place = startTokens.firstIndex(where: { $0.type.hasSameCodePoints(as: type) }) else {
            return
        }
        change(&startTokens[place].slot)
    }

    mutating func clockStepped(by length: Interval) {
        // Not `openedAt`, nor when tokens were confirmed: these are told by the phone, whose clock was not set.
        pairedAt = pairedAt + length
        heardAt = heardAt + length
        leftAt = leftAt.map { $0 + length }
        widgets.clockStepped(by: length)
        immediate.clockStepped(by: length)
        starts.clockStepped(by: length)
        for index in activities.indices { activities[index].clockStepped(by: length) }
    }
}

extension Phone {
    /// The types of activities that can be started on it, each with the moment at which its token was confirmed.
    package var startableTypes: [(type: String, confirmedAt: Timestamp)] {
        startTokens.filter { $0.slot.token != nil }.map { ($0.type, $0.slot.confirmedAt) }
    }

    /// The moment at which the token for notifications was confirmed; nil if none can be sent.
    package var notifiableSince: Timestamp? {
        allowsNotifications == false || notificationToken.token == nil ? nil : notificationToken.confirmedAt
    }

    /// The kinds whose widgets can be drawn again, all if they are nil, and when their token was confirmed; nil without one.
    package var drawableWidgets: (kinds: [String]?, since: Timestamp)? {
        widgets.token.token == nil ? nil : (widgets.kinds, widgets.token.confirmedAt)
    }

    /// An activity that the phone shows or was asked to show.
    package struct ShownActivity: Hashable, Sendable {
        /// The activity's id.
        package var id: String
        /// The number of the instance within the run, from 1.
        package var instance: Int
        /// The moment at which the update token was confirmed; nil without a token.
        package var tokenConfirmedAt: Timestamp?
        /// The kind of its end on the phone; nil while none is known.
        package var end: PhoneReport.End?
        /// True if its user wants no sounds of it.
        package var isSilent: Bool

        package init(
            id: String,
            instance: Int,
            tokenConfirmedAt: Timestamp?,
            end: PhoneReport.End?,
            isSilent: Bool = false
        ) {
            self.id = id
            self.instance = instance
            self.tokenConfirmedAt = tokenConfirmedAt
            self.end = end
            self.isSilent = isSilent
        }
    }

    /// The activities that it shows or was asked to show, in the order of their starts.
    package var shownActivities: [ShownActivity] {
        activities.filter { $0.lastInstance > 0 }.map { phoneActivity in
            let token = phoneActivity.instances.last?.token
            return ShownActivity(
                id: phoneActivity.activity,
                instance: phoneActivity.lastInstance,
                tokenConfirmedAt: token?.token == nil ? nil : token?.confirmedAt,
                end: phoneActivity.isMuted ? .dismissed : phoneActivity.instances.isEmpty ? .ended : nil,
                isSilent: phoneActivity.isSilent
            )
        }
    }
}

extension [PhoneActivity] {
    func place(of activity: String) -> Int? {
        indices.first { self[$0].activity.hasSameCodePoints(as: activity) }
    }
}
