/// The hosts of Apple's push service for one environment.
public struct APNSHost: Hashable, Sendable {
    /// The host and port that take pushes.
    public var push: String
    /// The host and port that manage broadcast channels.
    public var channels: String

    /// Makes a pair of hosts.
    public init(push: String, channels: String) {
        self.push = push
        self.channels = channels
    }

    /// Apps from the App Store and TestFlight.
    public static let production = APNSHost(
        push: "api.push.apple.com:443",
        channels: "api-manage-broadcast.push.apple.com:2196"
    )
    /// Apps that Xcode installed.
    package static let sandbox = APNSHost(
        push: "api.sandbox.push.apple.com:443",
        channels: "api-manage-broadcast.sandbox.push.apple.com:2195"
    )
}
