// A browser sends requests for any page that it shows, also to addresses that only the home network reaches. What such a
// page can't do is choose Host and Origin, or send JSON to another site without asking that site first.

extension RequestDesk {
    /// Top-level names that can not be registered, so that no stranger can have a page under them.
    private static let homeEndings = [
        "localhost", "local", "lan", "home", "internal", "localdomain", "home.arpa",
    ]

    /// Makes sure that a request calls the bridge by a name of its own, and that no page of another site sent it.
    ///
    /// A stranger's name that leads to an address of this network (DNS rebinding) would else make a page of the
    /// stranger's one of the bridge's.
    func requireOwnSite(_ request: Request) throws(Problem) {
        // Home Assistant has judged by its own name who asks.
        if let authority = request.authority, !request.sender.isIngress {
            guard let host = HTTPAddress(authority)?.host, isOwn(host) else {
                throw Problem(
                    status: .misdirectedRequest,
                    code: "unknown-host",
                    detail: "this bridge does not go by that name; add it to http.hosts, or set http.url"
                )
            }
        }
        if ["GET", "HEAD"].contains(request.method) { return }
        if let origin = request.headers["Origin"] {
            try requireOwn(origin: origin, request)
        }
        if request.path.first == "v1", !request.body.isEmpty { try requireJSON(request) }
    }

    private func requireOwn(origin: String, _ request: Request) throws(Problem) {
        if let origin = WebOrigin(origin) {
            if origin.isCalled(request.authority ?? "", isSecure: request.sender.isSecure) { return }
            // A proxy may have changed the name that the browser called.
            if Self.isOwn(origin, options) { return }
        }
        throw Problem(
            status: .forbidden,
            code: "foreign-origin",
            detail:
                "a page of another site may not ask this; http.url and http.hosts tell which are the bridge's own"
        )
    }

    private func requireJSON(_ request: Request) throws(Problem) {
        let type = request.headers["Content-Type"]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == "application/json" else {
            throw Problem(
                status: .unsupportedMediaType,
                code: "wrong-content-type",
                detail: "the body must be JSON, with Content-Type: application/json"
            )
        }
    }

    /// Returns whether a host, without its port, is this bridge: an address, a name without a dot, one that no stranger
    /// can have, or one of the settings.
    private func isOwn(_ host: String) -> Bool {
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        return IPAddress.canonical(name) != nil || !name.contains(".") || ownNames.contains(name)
            || Self.homeEndings.contains { name.hasSuffix(".\($0)") }
    }

    /// Returns whether a page of an origin is one of the bridge: that of `http.url`, an address on which it listens, or a
    /// name of `http.hosts` at one of these ports or at the usual one, where a proxy listens.
    private static func isOwn(_ origin: WebOrigin, _ options: DashboardOptions) -> Bool {
        if let url = options.publicURL.flatMap({ WebOrigin($0) }), url == origin { return true }
        let places = [options.address, options.secure?.address].compactMap(\.self)
        if places.contains(where: { $0.host.lowercased() == origin.host && $0.port == origin.port }) {
            return true
        }
        let ports = places.map(\.port) + [WebOrigin.usualPort(of: origin.scheme)]
        return ports.contains(origin.port) && options.hosts.contains { $0.lowercased() == origin.host }
    }

    /// The names that the settings give the bridge, in small letters.
    static func names(_ options: DashboardOptions) -> Set<String> {
        var names = options.hosts + [options.address.host, options.secure?.address.host].compactMap(\.self)
        if let url = options.publicURL, let start = url.firstRange(of: "://")?.upperBound,
            let address = HTTPAddress(String(url[start...].prefix { $0 != "/" }))
        {
            names.append(address.host)
        }
        return Set(names.map { $0.lowercased() })
    }
}
