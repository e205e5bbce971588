import SkerryActivity
import SkerryValues

/// A service that shows activities to people, or hands them on: what its requests look like, and how many it takes.
package struct SinkService: Sendable {
    private enum Renderer: Sendable {
        case homeAssistant(HomeAssistantNotifier)
        case webhook(WebhookEvents)
        case ntfy(NtfyMessages)
        case fcm(FCMMessages)
        case braze(BrazeActivities)
    }

    /// The occasions on which a request removes an activity from a recipient.
    enum Removal: Sendable {
        /// Never: the service can't do that.
        case never
        /// Only if it is for others from now on; after its end the service removes it.
        case whenWithheld
        /// Also once it is dismissed.
        case always
    }

    /// The part of a state that must have changed for the next one to be sent.
    enum Comparison: Sendable {
        /// None: each state is sent.
        case nothing
        /// Texts, clock and bar.
        case shown
        /// The whole content, for an app that may show all of it.
        case content
    }

    /// The name in settings, in the log and in the store.
    package let name: String
    /// The names of the recipients, each with a connection of its own to the person: targets, or the service itself.
    let recipients: [String]
    /// Who looks at what a recipient gets, in the order of the recipients.
    let viewers: [SinkViewer]
    /// The shortest time between two requests for an activity, except for starts, ends and alerts.
    let pace: Interval
    /// The number of requests in an hour for one recipient; nil for no limit.
    let budget: Int?
    /// The occasions on which a request removes an activity.
    let removal: Removal
    /// The part of a state that must have changed for it to be sent.
    let comparison: Comparison
    /// The rules of its cards; nil where a recipient has none that it looks after.
    private(set) var cards: CardRules?
    private var renderer: Renderer

    /// The rules for cards of another app, which has a token for each and draws clocks of its own.
    struct CardRules: Sendable {
        /// The time after a start within which each request would be another start: the app has no token yet.
        let tokenTime: Interval
        /// The age at which a card is removed and started again, before iOS ends it.
        let renewalAge: Interval
        /// The time after the end of a countdown from which the clock, which would count on, is left out.
        let timeAtZero: Interval
    }

    /// Home Assistant's app on phones.
    ///
    /// - Parameters:
    ///   - targets: The names below `notify.`, such as `mobile_app_pixel`, at least one.
    ///   - people: The people whom targets belong to.
    ///   - budget: The number of notifications in an hour for each target. The relay takes 500 a day.
    /// - Returns: the service.
    package static func homeAssistant(
        targets: [String],
        people: [String: String] = [:],
        budget: Int
    ) -> SinkService {
        SinkService(
            name: "home-assistant",
            recipients: targets.map { "home-assistant \($0)" },
            viewers: targets.map { .person(people[$0]) },
            // iPhones draw an update each 15 seconds at most.
            pace: .seconds(15),
            budget: budget,
            removal: .always,
            comparison: .shown,
            cards: CardRules(
                tokenTime: .seconds(15),
                renewalAge: .minutes(450),
                timeAtZero: Staleness.timeAtZero
            ),
            renderer: .homeAssistant(HomeAssistantNotifier(targets: targets))
        )
    }

    /// A program that takes CloudEvents.
    ///
    /// - Parameters:
    ///   - mode: The form of the requests.
    ///   - client: The client id of the bridge, which is the source of the events.
    /// - Returns: the service.
    package static func webhook(mode: WebhookMode, client: String) -> SinkService {
        SinkService(
            name: "webhook",
            recipients: ["webhook"],
            viewers: [.everybody],
            pace: .seconds(1),
            budget: nil,
            removal: .never,
            comparison: .nothing,
            renderer: .webhook(WebhookEvents(mode: mode, client: client))
        )
    }

    /// A topic of ntfy.
    ///
    /// - Parameters:
    ///   - topic: The topic.
    ///   - person: The person who follows the topic; nil if none is named.
    ///   - budget: The number of messages in an hour. The public server takes 250 a day.
    /// - Returns: the service.
    package static func ntfy(
        topic: String,
        person: String? = nil,
        budget: Int
    ) -> SinkService {
        SinkService(
            name: "ntfy",
            recipients: ["ntfy"],
            viewers: [.person(person)],
            pace: .minutes(1),
            budget: budget,
            removal: .never,
            comparison: .shown,
            renderer: .ntfy(NtfyMessages(topic: topic))
        )
    }

    /// Firebase Cloud Messaging.
    ///
    /// - Parameters:
    ///   - targets: Texts for which ``isTargetOfFCM(_:)`` is true, at least one.
    ///   - people: The people whom targets belong to.
    ///   - budget: The number of messages in an hour for each target.
    /// - Returns: the service.
    package static func fcm(targets: [String], people: [String: String] = [:], budget: Int) -> SinkService {
        let places = targets.compactMap { FCMMessages.Target($0) }
        precondition(places.count == targets.count, "a target that Firebase does not know")
        return SinkService(
            name: "fcm",
            recipients: places.map { "fcm \($0.name)" },
            viewers: targets.map { .person(people[$0]) },
            pace: .seconds(15),
            budget: budget,
            removal: .always,
            comparison: .content,
            renderer: .fcm(FCMMessages(targets: places))
        )
    }

    /// True for a registration token, and for `topic:` with the name of a topic.
    package static func isTargetOfFCM(_ text: String) -> Bool { FCMMessages.Target(text) != nil }

    /// Live Activities by Braze.
    ///
    /// - Parameters:
    ///   - appID: The identifier of the app in Braze.
    ///   - targets: External ids of users, or `segment:` and the id of a segment, at least one.
    ///   - people: The people whom targets belong to.
    ///   - budget: The number of requests in an hour for each target.
    /// - Returns: the service.
    package static func braze(
        appID: String,
        targets: [String],
        people: [String: String] = [:],
        budget: Int
    ) -> SinkService {
        SinkService(
            name: "braze",
            recipients: targets.map { "braze \($0)" },
            viewers: targets.map { .person(people[$0]) },
            pace: .seconds(15),
            budget: budget,
            removal: .whenWithheld,
            comparison: .content,
            renderer: .braze(BrazeActivities(appID: appID, targets: targets))
        )
    }

    /// Makes the request of a scene for a recipient, or the reason why there is none.
    func render(_ scene: SinkScene, for recipient: Int) -> SinkRendering {
        switch renderer {
        case .homeAssistant(let notifier): notifier.render(scene, for: recipient)
        case .webhook(let events): events.render(scene)
        case .ntfy(let messages): messages.render(scene)
        case .fcm(let messages): messages.render(scene, for: recipient)
        case .braze(let activities): activities.render(scene, for: recipient)
        }
    }

    /// Returns whether a recipient has a state that is the same to it.
    func isSame(_ lane: SinkActivity.Lane, _ shown: ShownActivity, _ update: ActivityUpdate) -> Bool {
        switch comparison {
        case .nothing: false
        case .shown: lane.shown == shown
        case .content: lane.shown == shown && lane.look == LiveActivityContract.look(of: update)
        }
    }

    /// Takes in what an answer says about the service.
    mutating func learn(from body: [UInt8]) {
        guard case .ntfy(var messages) = renderer else { return }
        messages.learn(from: body)
        renderer = .ntfy(messages)
    }
}
