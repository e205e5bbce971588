/// The origin of a page (RFC 6454): scheme, host and port; pages that differ in one of them are of different sites.
struct WebOrigin: Equatable {
    /// `http` or `https`.
    let scheme: String
    /// The host in small letters.
    let host: String
    /// The port, also where it is the usual one of the scheme and not written.
    let port: Int

    /// Reads the beginning of an address on the web; nil for `null` and for other schemes.
    init?(_ text: String) {
        guard let end = text.firstRange(of: "://") else { return nil }
        scheme = text[..<end.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https",
            let address = HTTPAddress(
                text[end.upperBound...].prefix { $0 != "/" }.lowercased(),
                usualPort: Self.usualPort(of: scheme)
            )
        else { return nil }
        host = address.host
        port = address.port
    }

    /// The port of a scheme that addresses on the web leave out.
    static func usualPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }

    /// Returns whether a browser on a page of this origin calls its own site by an authority (the field `Host`).
    ///
    /// - Parameters:
    ///   - authority: The field.
    ///   - isSecure: True if the request came with TLS: a page without it is one of another site.
    /// - Returns: True if it does.
    func isCalled(_ authority: String, isSecure: Bool) -> Bool {
        guard let called = HTTPAddress(authority.lowercased(), usualPort: Self.usualPort(of: scheme)) else {
            return false
        }
        return called.host == host && called.port == port && !(isSecure && scheme == "http")
    }
}
