// What generated code uses of ActivityKit, with the signatures of the SDK of iOS 17.2.

/// What describes an activity: what stays the same, and what changes.
public protocol ActivityAttributes: Decodable, Encodable {
    associatedtype ContentState: Decodable, Encodable, Hashable
}
