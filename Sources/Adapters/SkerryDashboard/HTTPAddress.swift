/// The address of the HTTP API.
public struct HTTPAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address of this machine.
    public var host: String
    /// The TCP port; 0 for any that is free.
    public var port: Int

    /// The port that is taken when none is named.
    public static let usualPort = 7537
    /// The port with TLS that is taken when none is named.
    public static let usualSecurePort = 7538
    /// The default address, on this machine only.
    public static let usual = HTTPAddress(host: "127.0.0.1", port: usualPort)

    /// Makes an address.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST`, `HOST:PORT`, `[IPv6]` or `[IPv6]:PORT`; nil when a text is none of these.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - usualPort: The port of an address without one.
    public init?(_ text: String, usualPort: Int = usualPort) {
        var host = text[...]
        var port: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[..<end].dropFirst()
            let rest = text[end...].dropFirst()
            if !rest.isEmpty {
                guard rest.first == ":" else { return nil }
                port = rest.dropFirst()
            }
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            port = text[colon...].dropFirst()
        }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "/" }) else { return nil }
        self.host = String(host)
        guard let port else {
            self.port = usualPort
            return
        }
        guard port.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(port),
            (0...65_535).contains(number)
        else { return nil }
        self.port = number
    }

    /// True if only this machine reaches it.
    public var isLocal: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    /// True if it stands for all addresses of this machine.
    public var isWildcard: Bool { host == "0.0.0.0" || host == "::" }

    /// The address as addresses on the web have it.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
