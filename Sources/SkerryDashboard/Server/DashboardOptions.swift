public import SkerryValues

/// How the HTTP API behaves.
public struct DashboardOptions: Sendable {
    /// Where it listens.
    public var address: HTTPAddress
    /// What phones call it, such as `https://skerry.example.org`; nil for the address itself.
    public var publicURL: String?
    /// How many requests an address may send in a minute; beyond it they are refused.
    public var requestsPerMinute = 300
    /// Further names that the bridge goes by, without ports.
    public var hosts: [String] = []
    /// Addresses of reverse proxies that are believed when they tell for whom they ask.
    public var proxies: Set<String> = []
    /// How many connections may be open; further ones wait until one is closed.
    public var connections = 128
    /// How many connections one address may have open; further ones are closed at once.
    public var connectionsPerAddress = 32
    /// The longest body of a request in bytes.
    public var bodyLimit = 16_384
    /// How long a request may take to arrive, and a connection may be idle.
    public var patience = Interval.seconds(10)

    /// Makes the default options.
    public init(address: HTTPAddress = .usual, publicURL: String? = nil) {
        self.address = address
        self.publicURL = publicURL
    }
}
