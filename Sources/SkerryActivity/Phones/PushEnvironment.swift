/// Which of Apple's two services knows a token or a channel; a property of each of them, not of the gateway.
public enum PushEnvironment: UInt8, Hashable, Sendable, CaseIterable {
    /// Apps from the App Store and TestFlight.
    case production
    /// Apps that were installed by Xcode; also called development.
    case sandbox

    /// The other one.
    public var other: PushEnvironment {
        switch self {
        case .production: .sandbox
        case .sandbox: .production
        }
    }

    /// The environment in words, as phones report it.
    public var name: String {
        switch self {
        case .production: "production"
        case .sandbox: "sandbox"
        }
    }
}
