package import SkerryValues

/// The behaviour of the HTTP API.
package struct DashboardOptions: Sendable {
    /// The address on which it listens.
    package var address: HTTPAddress
    /// The address on which it also listens with TLS; nil without a certificate.
    package var secure: SecureAddress?
    /// The address that phones use, such as `https://skerry.example.org`; nil for the address itself.
    package var publicURL: String?
    /// The number of requests that an address may send in a minute; further ones are refused.
    package var requestsPerMinute = 300
    /// Further names that the bridge goes by, without ports.
    package var hosts: [String] = []
    /// Addresses of reverse proxies that are believed when they tell for whom they ask.
    package var proxies: Set<String> = []
    /// The token that opens the numbers for Prometheus, and nothing else; nil if there is none.
    package var metricsToken: AdminSecret?
    /// The prefix below which a reverse proxy that leaves it on shows the page, such as `/skerry`; empty for none.
    package var basePath = ""
    /// The address of Home Assistant's Supervisor, which lets in whoever has an account there; nil for none.
    package var ingress: String?
    /// The version in answers.
    package var version = ""
    /// True if administrators may write definitions.
    package var allowsEditing = false
    /// The number of connections that may be open; further ones wait until one is closed.
    package var connections = 640
    /// The number of connections that one address may have open besides streams; further ones are closed at once.
    package var connectionsPerAddress = 32
    /// The number of streams that may be open; further ones are refused.
    package var streams = 512
    /// The number of streams that one address may have open, unless it is this machine.
    package var streamsPerAddress = 64
    /// The longest body of a request in bytes.
    package var bodyLimit = 16_384
    /// The longest body that is a definition or a recording.
    package var largeBodyLimit = 4_194_304
    /// The time that the bridge has for an answer.
    package var answerPatience = Interval.seconds(20)
    /// The time for which a reader of a stream may take nothing.
    package var streamPatience = Interval.seconds(60)
    /// The least time between two pieces of a stream; what happens in between goes together.
    package var streamPause = Interval.milliseconds(50)
    /// The least time between two explanations of a device in a stream.
    package var watchPause = Interval.seconds(1)
    /// The time between two signs of life in a stream.
    package var heartbeat = Interval.seconds(15)
    /// The longest time for a request to arrive, and for a connection to be idle.
    package var patience = Interval.seconds(10)

    /// An address at which the API speaks TLS, 1.2 or 1.3.
    package struct SecureAddress: Sendable {
        /// The address on which it listens.
        package var address: HTTPAddress
        /// The certificate and those that it is signed with, as PEM.
        package var certificate: String
        /// The private key of the certificate, as PEM, without a password.
        package var key: String

        package init(address: HTTPAddress, certificate: String, key: String) {
            self.address = address
            self.certificate = certificate
            self.key = key
        }
    }

    /// Makes the default options.
    package init(address: HTTPAddress = .usual, publicURL: String? = nil) {
        self.address = address
        self.publicURL = publicURL
    }
}
