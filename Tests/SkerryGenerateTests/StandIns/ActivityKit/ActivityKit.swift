// What generated code uses of ActivityKit, with the signatures of the SDK of iOS 17.2.

/// What describes an activity: what stays the same, and what changes.
public protocol ActivityAttributes: Decodable, Encodable {
    associatedtype ContentState: Decodable, Encodable, Hashable
}

/// One activity on the phone.
public final class Activity<Attributes: ActivityAttributes>: @unchecked Sendable {
    public static var activities: [Activity<Attributes>] { [] }
    public let attributes: Attributes
    public let content: ActivityContent<Attributes.ContentState>
    public var activityState: ActivityState { .active }

    init(attributes: Attributes, content: ActivityContent<Attributes.ContentState>) {
        self.attributes = attributes
        self.content = content
    }

    public func end(
        _ content: ActivityContent<Attributes.ContentState>?,
        dismissalPolicy: ActivityUIDismissalPolicy = .default
    ) async {}
}

/// What an activity shows.
public struct ActivityContent<State: Decodable & Encodable & Hashable> {
    public var state: State
}

/// How far an activity is.
public enum ActivityState {
    case active, ended, dismissed, stale
}

/// When an ended activity vanishes.
public struct ActivityUIDismissalPolicy {
    public static var `default`: ActivityUIDismissalPolicy { ActivityUIDismissalPolicy() }
    public static var immediate: ActivityUIDismissalPolicy { ActivityUIDismissalPolicy() }
}
