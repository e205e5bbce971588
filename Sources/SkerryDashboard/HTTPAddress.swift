#if Dashboard
import Hummingbird

/// Where the HTTP API listens.
public struct HTTPAddress: Hashable, Sendable {
    /// A name or an address of this machine.
    public var host: String
    /// The TCP port; 0 for any that is free.
    public var port: Int

    /// Makes an address.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}
#endif
