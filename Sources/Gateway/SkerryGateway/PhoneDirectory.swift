package import SkerryActivity
package import SkerryPhones
package import SkerryValues

/// The port to the phones, for adapters that receive reports and show phones; called from any thread.
///
/// A call that changes something returns once the change is stored.
///
/// See docs/decisions/0036-http-api.md.
package protocol PhoneDirectory: Sendable {
    /// All phones, in the order of their pairing.
    func phones() -> [PhoneSummary]

    /// The SHA-256 of the token by which a phone is known; nil when there is no such phone.
    func credential(of phone: String) -> [UInt8]?

    /// The right of a phone to see, as it is now; nil when there is no such phone.
    func viewer(of phone: String) -> Viewer?

    /// The right to see of a browser with an id, by the person who uses it, as it is now.
    func viewer(ofBrowser id: String, person: String?) -> Viewer

    /// A number that is another one after every change of what a phone may see.
    var audienceVersion: UInt64 { get }

    /// Has a function called, from any thread, after each such change.
    func onAudienceChange(_ wake: @escaping @Sendable () -> Void)

    /// The time by which the phones are looked after: that of reports, and of the answers to them.
    var now: Timestamp { get }

    /// Adds a phone.
    ///
    /// - Throws: ``StoreFault`` when it could not be stored; the phone is not there then.
    func pair(_ phone: NewPhone, at now: Timestamp) throws(StoreFault)

    /// The bundle ids of the apps that the bridge has keys for; empty when phones may have any app.
    var bundleIDs: [String] { get }

    /// Takes a report of a phone in.
    ///
    /// - Returns: false when there is no such phone.
    /// - Throws: ``StoreFault`` when it could not be stored; the phone reports again.
    func report(_ report: PhoneReport, of phone: String, at now: Timestamp) throws(StoreFault) -> Bool

    /// Changes the person that a phone belongs to; nil for none.
    ///
    /// - Returns: false when there is no such phone.
    /// - Throws: ``StoreFault`` when it could not be stored; nothing has changed then.
    func assign(_ person: String?, to phone: String) throws(StoreFault) -> Bool

    /// Forgets a phone.
    ///
    /// - Returns: false when there is no such phone.
    /// - Throws: ``StoreFault`` when it could not be stored; the phone is still there then.
    func unpair(_ phone: String, at now: Timestamp) throws(StoreFault) -> Bool

    /// Begins a test activity on a phone: of the first of some kinds that it can start.
    ///
    /// - Throws: ``StoreFault`` when it could not be stored; nothing is sent then.
    func test(_ contracts: [LiveActivityContract], on phone: String) throws(StoreFault) -> PhoneTest
}

/// A phone that was just paired.
public struct NewPhone: Hashable, Sendable {
    /// Its id in addresses; no other phone has or had it.
    public var id: String
    /// Its name for people; no other phone has it.
    public var name: String
    /// The person that it belongs to; nil if it was given to none.
    public var person: String?
    /// The SHA-256 of the token by which it is known.
    public var credential: [UInt8]

    /// Makes a phone.
    public init(id: String, name: String, person: String? = nil, credential: [UInt8]) {
        self.id = id
        self.name = name
        self.person = person
        self.credential = credential
    }
}

/// A summary of a phone, without its secrets.
public struct PhoneSummary: Hashable, Sendable {
    /// Its id in addresses.
    package var id: String
    /// Its name for people.
    package var name: String
    /// The person that it belongs to; nil if it was given to none.
    package var person: String?
    /// The moment of pairing.
    package var pairedAt: Timestamp
    /// The moment of its last report.
    package var heardAt: Timestamp
    /// The bundle id of its app, if it reported one.
    package var bundleID: String?
    /// The push service of its tokens, if it reported one.
    package var environment: PushEnvironment?
    /// Its version of iOS, if it reported one.
    package var systemVersion: String?
    /// True if its user allows frequent updates, if it reported that.
    package var allowsFrequentUpdates: Bool?
    /// True if its user allows Live Activities of the app, if it reported that.
    package var allowsActivities: Bool?
    /// The cards that its user does not want on it: kinds such as `washer`, and devices such as `washer/laundry`.
    package var hides: [String] = []
    /// The moment at which it confirmed the token for notifications; nil if none can be sent.
    package var notifiableSince: Timestamp?
    /// The widgets that can be drawn again; nil if none can.
    package var widgets: Widgets?
    /// The types of activities that can be started on it.
    package var startTokens: [StartToken]
    /// The activities that it shows or was asked to show.
    package var activities: [Phone.ShownActivity]
    package var budgets: [Budget]
    /// The pushes to it, by their results.
    package var counts = PushCounts()

    /// The widgets of the app.
    package struct Widgets: Hashable, Sendable {
        /// The kinds of devices that have one on the phone; nil if the phone does not tell.
        package var kinds: [String]?
        /// The moment at which the phone last confirmed their token.
        package var confirmedAt: Timestamp

        /// Makes a summary of widgets.
        package init(kinds: [String]?, confirmedAt: Timestamp) {
            self.kinds = kinds
            self.confirmedAt = confirmedAt
        }
    }

    /// A type of activities that can be started.
    package struct StartToken: Hashable, Sendable {
        /// The type, such as `WasherPlugAttributes`.
        package var type: String
        /// The moment at which the phone last confirmed its token.
        package var confirmedAt: Timestamp

        /// Makes a summary of a token.
        package init(type: String, confirmedAt: Timestamp) {
            self.type = type
            self.confirmedAt = confirmedAt
        }
    }

    /// A budget of pushes or starts.
    package struct Budget: Hashable, Sendable {
        /// Its name, in a word or two.
        package var name: String
        /// The number sent within the window.
        package var used: Int
        package var limit: Int

        package init(name: String, used: Int, limit: Int) {
            self.name = name
            self.used = used
            self.limit = limit
        }
    }

    /// Makes a summary of a phone without further details.
    package init(id: String, name: String, pairedAt: Timestamp) {
        self.id = id
        self.name = name
        self.pairedAt = pairedAt
        heardAt = pairedAt
        startTokens = []
        activities = []
        budgets = []
    }
}
