import SkerryGateway
import SkerryValues

// The broker, as an administrator chooses it.
extension RequestDesk {
    /// The longest host name (RFC 1035), in bytes.
    private static let hostLimit = 253
    /// The longest user name and password, in bytes.
    private static let secretLimit = 1024
    /// The size of an authority's certificates, in bytes.
    private static let authorityLimit = 12 * 1024

    /// `PUT /v1/broker`: tries a broker, and has the bridge use it if that succeeds.
    static func broker(_ request: Request) throws(Problem) -> HouseQuestion {
        let body = try JSONObject(request.body)
        guard let host = try word("host", limit: Self.hostLimit, in: body), !host.isEmpty else {
            throw .wrongBody("missing", "the name or address of the broker", at: "/host")
        }
        // A name has neither; with them, people mean an address of the web or of a user.
        guard !host.contains(where: { " /@".contains($0) }) else {
            throw .wrongBody("unknown-value", "a name or an address, without mqtt:// and port", at: "/host")
        }
        guard let number = try body.number("port"), let port = Int(exactly: number),
            (1...65_535).contains(port)
        else { throw .wrongBody("missing", "a port from 1 to 65535", at: "/port") }
        let username = try word("username", limit: Self.secretLimit, in: body)
        let broker = GivenBroker(
            host: host,
            port: port,
            username: username.flatMap { $0.isEmpty ? nil : $0 },
            password: try word("password", limit: Self.secretLimit, in: body),
            security: try security(body)
        )
        guard broker.username != nil || broker.password ?? "" == "" else {
            throw .wrongBody("missing", "a password needs a user name", at: "/username")
        }
        return .chooseBroker(broker)
    }

    private static func security(_ body: JSONObject) throws(Problem) -> GivenBroker.Security {
        switch try body.text("tls", limit: 16) {
        case nil, "none"?: return .none
        case "system"?: return .system
        case "authority"?:
            let certificates = try body.text("authority", limit: authorityLimit)
            guard certificates?.contains("-----BEGIN CERTIFICATE-----") ?? true else {
                throw .wrongBody("unknown-value", "it holds no certificate in PEM", at: "/authority")
            }
            return .authority(certificates)
        default: throw .wrongBody("unknown-value", "one of none, system, authority", at: "/tls")
        }
    }

    /// A text without control characters, which neither MQTT nor a line of settings has.
    private static func word(_ key: String, limit: Int, in body: JSONObject) throws(Problem) -> String? {
        let text = try body.text(key, limit: limit)
        guard text?.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) ?? true else {
            throw .wrongBody("unknown-value", "it has control characters", at: body.path(key))
        }
        return text
    }
}
