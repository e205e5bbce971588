public import SkerryExpressions
import SkerryValues

/// A service that shows activities to people, or hands them on: what its requests look like, and how many it takes.
public struct SinkService: Sendable {
    private enum Renderer: Sendable {
        case homeAssistant(HomeAssistantNotifier)
        case webhook(WebhookEvents)
        case ntfy(NtfyMessages)
    }

    /// The name in settings, in the log and in the store.
    public let name: String
    /// The names of the recipients, each with a connection of its own to the person: targets, or the service itself.
    let recipients: [String]
    /// Who looks at what a recipient gets, in the order of the recipients.
    let viewers: [SinkViewer]
    /// The shortest time between two requests for an activity, except for starts, ends and alerts.
    let pace: Interval
    /// The number of requests in an hour for one recipient; nil for no limit.
    let budget: Int?
    /// True if an ended activity is removed by a request of its own.
    let clearsEnded: Bool
    /// True if a state that looks like the last one need not be sent.
    let comparesLooks: Bool
    private var renderer: Renderer

    /// Home Assistant's app on phones.
    ///
    /// - Parameters:
    ///   - targets: The names below `notify.`, such as `mobile_app_pixel`, at least one.
    ///   - people: The people whom targets belong to.
    ///   - budget: The number of notifications in an hour for each target. The relay takes 500 a day.
    /// - Returns: the service.
    public static func homeAssistant(
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
            clearsEnded: true,
            comparesLooks: true,
            renderer: .homeAssistant(HomeAssistantNotifier(targets: targets))
        )
    }

    /// A program that takes CloudEvents.
    ///
    /// - Parameters:
    ///   - mode: The form of the requests.
    ///   - client: The client id of the bridge, which is the source of the events.
    /// - Returns: the service.
    public static func webhook(mode: WebhookMode, client: String) -> SinkService {
        SinkService(
            name: "webhook",
            recipients: ["webhook"],
            viewers: [.everybody],
            pace: .seconds(1),
            budget: nil,
            clearsEnded: false,
            comparesLooks: false,
            renderer: .webhook(WebhookEvents(mode: mode, client: client))
        )
    }

    /// A topic of ntfy.
    ///
    /// - Parameters:
    ///   - topic: The topic.
    ///   - person: The person who follows the topic; nil for nobody in particular.
    ///   - zone: The time zone of times in texts.
    ///   - budget: The number of messages in an hour. The public server takes 250 a day.
    /// - Returns: the service.
    public static func ntfy(
        topic: String,
        person: String? = nil,
        zone: TimeZoneRules,
        budget: Int
    ) -> SinkService {
        SinkService(
            name: "ntfy",
            recipients: ["ntfy"],
            viewers: [.person(person)],
            pace: .minutes(1),
            budget: budget,
            clearsEnded: false,
            comparesLooks: true,
            renderer: .ntfy(NtfyMessages(topic: topic, zone: zone))
        )
    }

    private init(
        name: String,
        recipients: [String],
        viewers: [SinkViewer],
        pace: Interval,
        budget: Int?,
        clearsEnded: Bool,
        comparesLooks: Bool,
        renderer: Renderer
    ) {
        precondition(!recipients.isEmpty, "a service without recipients does nothing")
        self.name = name
        self.recipients = recipients
        self.viewers = viewers
        self.pace = pace
        self.budget = budget
        self.clearsEnded = clearsEnded
        self.comparesLooks = comparesLooks
        self.renderer = renderer
    }

    /// Makes the request of a scene for a recipient, or the reason why there is none.
    func render(_ scene: SinkScene, for recipient: Int) -> SinkRendering {
        switch renderer {
        case .homeAssistant(let notifier): notifier.render(scene, for: recipient)
        case .webhook(let events): events.render(scene)
        case .ntfy(let messages): messages.render(scene)
        }
    }

    /// Takes in what an answer says about the service.
    mutating func learn(from body: [UInt8]) {
        guard case .ntfy(var messages) = renderer else { return }
        messages.learn(from: body)
        renderer = .ntfy(messages)
    }
}
