/// A complete request.
struct Request: Sendable {
    /// The method, such as `GET`.
    let method: String
    /// The path and the query as they were sent.
    let target: String
    /// The parts of the path between slashes, decoded.
    let path: [String]
    let query: [(name: String, value: String)]
    let headers: HeaderFields
    /// The host that the request names, with its port if it names one; nil if it names no host.
    let authority: String?
    let sender: RequestSender
    let body: [UInt8]

    /// Takes a request apart.
    ///
    /// - Throws: a problem when the path is none.
    init(_ head: RequestHead, from sender: RequestSender, body: [UInt8] = []) throws(Problem) {
        self.sender = sender
        method = head.method
        headers = head.headers
        self.body = body
        var target = head.target[...]
        if let scheme = target.firstRange(of: "://"), target.first != "/" {
            // Proxies get a whole URL. Its host counts more than the field (RFC 9112, section 3.2.2).
            target = target[scheme.upperBound...]
            let end = target.firstIndex { "/?#".contains($0) } ?? target.endIndex
            authority = String(target[..<end])
            target = target[end...]
        } else {
            authority = head.headers["Host"]
        }
        target = target.prefix { $0 != "#" }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        // A target that is no path, such as *, is the name of nothing.
        guard target.isEmpty || target.first == "/" || target.first == "?" else { throw .unknownAddress }
        self.target = String(target)
        var path: [String] = []
        for part in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let part = PercentCoding.decoded(part) else { throw .unknownAddress }
            path.append(part)
        }
        self.path = path
        query = PercentCoding.form(parts.count > 1 ? String(parts[1]) : "")
    }

    /// The method whose handler answers: HEAD is GET without a body.
    var plainMethod: String { method == "HEAD" ? "GET" : method }

    /// The value of a parameter in the address.
    func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The bearer token.
    var bearer: String? {
        guard let field = headers["Authorization"], field.prefix(7).lowercased() == "bearer " else {
            return nil
        }
        return String(field.dropFirst(7).drop { $0 == " " })
    }
}

struct RequestSender: Hashable, Sendable {
    var address: String
    /// True if a trusted proxy passed the request on.
    var isForwarded: Bool
    /// True if the front of all partitions passed the request on.
    var isFront: Bool
    /// True if it speaks TLS, with this server or with a trusted proxy.
    var isSecure: Bool
    /// True if Home Assistant has passed it on, for anybody who has an account there.
    var isIngress = false
    /// The prefix below which it sees the page, without a slash at its end; empty for none.
    var base = ""

    /// Finds the sender: the peer of the connection, or the client that a trusted proxy names.
    init(
        _ headers: HeaderFields,
        peer: String,
        isSecure: Bool,
        proxies: Set<String>,
        isFront: Bool = false
    ) {
        address = peer
        self.isFront = isFront
        self.isSecure = isSecure
        isForwarded = proxies.contains(peer)
        guard isForwarded else { return }
        if let path = headers["X-Ingress-Path"], BasePath.isPath(path) { base = path }
        if let scheme = headers["X-Forwarded-Proto"] { self.isSecure = scheme == "https" }
        // Each proxy adds its client at the end. Whatever comes before the first stranger may be the stranger's invention.
        let hops = headers.values("X-Forwarded-For").flatMap { $0.split(separator: ",") }
        for hop in hops.reversed() {
            guard let hop = IPAddress.canonical(hop.filter { $0 != " " }) else { break }
            address = hop
            if !proxies.contains(hop) { break }
        }
    }
}
