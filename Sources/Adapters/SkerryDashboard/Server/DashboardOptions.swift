public import SkerryValues

/// The behaviour of the HTTP API.
public struct DashboardOptions: Sendable {
    /// The address on which it listens.
    public var address: HTTPAddress
    /// The address on which it also listens with TLS; nil without a certificate.
    public var secure: SecureAddress?
    /// The address that phones use, such as `https://skerry.example.org`; nil for the address itself.
    public var publicURL: String?
    /// The number of requests that an address may send in a minute; further ones are refused.
    public var requestsPerMinute = 300
    /// Further names that the bridge goes by, without ports.
    public var hosts: [String] = []
    /// Addresses of reverse proxies that are believed when they tell for whom they ask.
    public var proxies: Set<String> = []
    /// The token that opens the numbers for Prometheus, and nothing else; nil if there is none.
    public var metricsToken: AdminSecret?
    /// The prefix below which a reverse proxy that leaves it on shows the page, such as `/skerry`; empty for none.
    public var basePath = ""
    /// The address of Home Assistant's Supervisor, which lets in whoever has an account there; nil for none.
    public var ingress: String?
    /// The version in answers.
    public var version = ""
    /// True if administrators may write definitions.
    public var allowsEditing = false
    /// The number of connections that may be open; further ones wait until one is closed.
    public var connections = 640
    /// The number of connections that one address may have open besides streams; further ones are closed at once.
    public var connectionsPerAddress = 32
    /// The number of streams that may be open; further ones are refused.
    public var streams = 512
    /// The number of streams that one address may have open, unless it is this machine.
    public var streamsPerAddress = 64
    /// The longest body of a request in bytes.
    public var bodyLimit = 16_384
    /// The longest body that is a definition or a recording.
    public var largeBodyLimit = 4_194_304
    /// The time that the bridge has for an answer.
    public var answerPatience = Interval.seconds(20)
    /// The time for which a reader of a stream may take nothing.
    public var streamPatience = Interval.seconds(60)
    /// The least time between two pieces of a stream; what happens in between goes together.
    public var streamPause = Interval.milliseconds(50)
    /// The least time between two explanations of a device in a stream.
    public var watchPause = Interval.seconds(1)
    /// The time between two signs of life in a stream.
    public var heartbeat = Interval.seconds(15)
    /// The longest time for a request to arrive, and for a connection to be idle.
    public var patience = Interval.seconds(10)

    /// An address at which the API speaks TLS, 1.2 or 1.3.
    public struct SecureAddress: Sendable {
        /// The address on which it listens.
        public var address: HTTPAddress
        /// The certificate and those that it is signed with, as PEM.
        public var certificate: String
        /// The private key of the certificate, as PEM, without a password.
        public var key: String

        /// Makes an address with its certificate.
        public init(address: HTTPAddress, certificate: String, key: String) {
            self.address = address
            self.certificate = certificate
            self.key = key
        }
    }

    /// Makes the default options.
    public init(address: HTTPAddress = .usual, publicURL: String? = nil) {
        self.address = address
        self.publicURL = publicURL
    }
}
