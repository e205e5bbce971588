// What generated code uses of ActivityKit, with the signatures of the SDK of iOS 17.2. Activities live in memory: a test
// starts and ends them by `ActivityStage`, where on a phone pushes and the user do.

public import Foundation

/// What describes an activity: what stays the same, and what changes.
public protocol ActivityAttributes: Decodable, Encodable {
    associatedtype ContentState: Decodable, Encodable, Hashable
}

/// One activity on the phone.
public final class Activity<Attributes: ActivityAttributes>: Identifiable {
    public static var activities: [Activity<Attributes>] { ActivityStage.shared.activities() }
    public static var activityUpdates: Updates<Activity<Attributes>> {
        ActivityStage.shared.updates("activities \(Attributes.self)")
    }
    public static var pushToStartToken: Data? { ActivityStage.shared.startTokens["\(Attributes.self)"] }
    public static var pushToStartTokenUpdates: Updates<Data> {
        ActivityStage.shared.updates("start \(Attributes.self)")
    }

    public let id: String
    public let attributes: Attributes
    public internal(set) var content: ActivityContent<Attributes.ContentState>
    public internal(set) var activityState = ActivityState.active
    public internal(set) var pushToken: Data?
    public var pushTokenUpdates: Updates<Data> { ActivityStage.shared.updates("token \(id)") }
    public var activityStateUpdates: Updates<ActivityState> { ActivityStage.shared.updates("state \(id)") }
    public var contentUpdates: Updates<ActivityContent<Attributes.ContentState>> {
        ActivityStage.shared.updates("content \(id)")
    }

    init(id: String, attributes: Attributes, content: ActivityContent<Attributes.ContentState>) {
        self.id = id
        self.attributes = attributes
        self.content = content
    }

    public func end(
        _ content: ActivityContent<Attributes.ContentState>?,
        dismissalPolicy: ActivityUIDismissalPolicy = .default
    ) async {
        ActivityStage.shared.change(self, to: .dismissed)
    }
}

#if SENDABLE_ACTIVITY
extension Activity: @unchecked Sendable {}
#endif

/// A sequence of ActivityKit.
public struct Updates<Element>: AsyncSequence {
    struct Parcel: @unchecked Sendable {
        let element: Element
    }

    let stream: AsyncStream<Parcel>

    public struct Iterator: AsyncIteratorProtocol {
        var iterator: AsyncStream<Parcel>.AsyncIterator

        public mutating func next() async -> Element? { await iterator.next()?.element }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(iterator: stream.makeAsyncIterator()) }
}

/// What an activity shows.
public struct ActivityContent<State: Decodable & Encodable & Hashable> {
    public var state: State
}

extension ActivityContent: Sendable where State: Sendable {}

/// How far an activity is.
public enum ActivityState: Hashable, Sendable {
    case active, ended, dismissed, stale, pending
}

/// When an ended activity vanishes.
public struct ActivityUIDismissalPolicy: Sendable {
    public static var `default`: ActivityUIDismissalPolicy { ActivityUIDismissalPolicy() }
    public static var immediate: ActivityUIDismissalPolicy { ActivityUIDismissalPolicy() }
}

/// What the user allows.
public final class ActivityAuthorizationInfo: Sendable {
    public init() {}

    public var areActivitiesEnabled: Bool { ActivityStage.shared.areActivitiesEnabled }
    public var activityEnablementUpdates: Updates<Bool> { ActivityStage.shared.updates("enabled") }
    public var frequentPushesEnabled: Bool { true }
    public var frequentPushEnablementUpdates: Updates<Bool> { ActivityStage.shared.updates("frequent") }
}

// MARK: - The stage

/// The system behind ActivityKit: tests do here what pushes and the user do on a phone.
///
/// The main actor owns it in fact: the programs of the tests use it from there only.
public final class ActivityStage: @unchecked Sendable {
    public static let shared = ActivityStage()

    public var areActivitiesEnabled = true
    public var startTokens: [String: Data] = [:]
    private var shown: [AnyObject] = []
    private var count = 0
    private var streams: [(key: String, send: (Any) -> Void)] = []

    func activities<Attributes>() -> [Activity<Attributes>] {
        shown.compactMap { $0 as? Activity<Attributes> }
    }

    func updates<Element>(_ key: String) -> Updates<Element> {
        let (stream, continuation) = AsyncStream<Updates<Element>.Parcel>.makeStream()
        streams.append((key, { ($0 as? Element).map { _ = continuation.yield(.init(element: $0)) } }))
        return Updates(stream: stream)
    }

    private func send(_ key: String, _ element: Any) {
        for stream in streams where stream.key == key { stream.send(element) }
    }

    /// A phone that shows nothing, and an app that has just been installed.
    public func reset() { (areActivitiesEnabled, startTokens, shown, streams) = (true, [:], [], []) }

    /// iOS provides the token that starts activities.
    public func provide<Attributes: ActivityAttributes>(
        startToken: Data,
        for type: Attributes.Type,
        isAnnounced: Bool = true
    ) {
        startTokens["\(type)"] = startToken
        if isAnnounced { send("start \(type)", startToken) }
    }

    /// The user switches Live Activities on or off.
    public func allow(_ areAllowed: Bool) {
        areActivitiesEnabled = areAllowed
        send("enabled", areAllowed)
    }

    /// A push starts an activity.
    @discardableResult
    public func start<Attributes: ActivityAttributes>(
        _ attributes: Attributes,
        _ state: Attributes.ContentState,
        isAnnounced: Bool = true
    ) -> Activity<Attributes> {
        count += 1
        let content = ActivityContent(state: state)
        let activity = Activity(id: "activity-\(count)", attributes: attributes, content: content)
        shown.append(activity)
        if isAnnounced { send("activities \(Attributes.self)", activity) }
        return activity
    }

    /// iOS provides the token of an activity.
    public func provide<Attributes>(token: Data, for activity: Activity<Attributes>) {
        activity.pushToken = token
        send("token \(activity.id)", token)
    }

    /// A push changes what an activity shows.
    public func update<Attributes>(
        _ activity: Activity<Attributes>,
        _ state: Attributes.ContentState
    ) {
        activity.content = ActivityContent(state: state)
        send("content \(activity.id)", activity.content)
    }

    /// An activity ends, or the user removes it; one that is dismissed leaves the list.
    public func change<Attributes>(_ activity: Activity<Attributes>, to state: ActivityState) {
        activity.activityState = state
        if state == .dismissed { shown.removeAll { $0 === activity } }
        send("state \(activity.id)", state)
    }
}
