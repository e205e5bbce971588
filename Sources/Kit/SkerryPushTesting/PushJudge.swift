import COpenSSL
import FoundationEssentials
import SkerryValues

/// The rules by which Apple's push service takes or refuses a request, as its documents tell them.
public struct PushJudge: Sendable {
    /// The bundle id of the app.
    public var bundleID: String
    /// The key's id.
    public var keyID: String
    /// The team's id.
    public var teamID: String
    /// The public half of the key, in PEM.
    public var publicKeyPEM: String

    /// Makes a judge for one app and one key.
    public init(bundleID: String, keyID: String, teamID: String, publicKeyPEM: String) {
        self.bundleID = bundleID
        self.keyID = keyID
        self.teamID = teamID
        self.publicKeyPEM = publicKeyPEM
    }

    /// The request of a path.
    enum Request: Hashable {
        case device(String)
        case broadcast
        case channels
        case allChannels
    }

    /// Returns whether a request is for this app, by its topic or by its path.
    func isAbout(_ push: ReceivedPush) -> Bool {
        let topic = push.headers["apns-topic"] ?? ""
        return topic == bundleID || topic.hasPrefix("\(bundleID).push-type.")
            || push.path.split(separator: "/").contains { $0 == bundleID }
    }

    func request(_ push: ReceivedPush) throws(PushRefusal) -> Request {
        let request: Request
        switch push.path {
        case "/4/broadcasts/apps/\(bundleID)": request = .broadcast
        case "/1/apps/\(bundleID)/channels": request = .channels
        case "/1/apps/\(bundleID)/all-channels": request = .allChannels
        default:
            guard let token = push.deviceToken else { throw PushRefusal(404, "BadPath") }
            request = .device(token)
        }
        let methods =
            switch request {
            case .device, .broadcast: ["POST"]
            case .channels: ["POST", "GET", "DELETE"]
            case .allChannels: ["GET"]
            }
        guard methods.contains(push.method) else { throw PushRefusal(405, "MethodNotAllowed") }
        return request
    }

    /// Returns the moment at which the provider token was issued, in Unix seconds.
    ///
    /// - Throws: ``PushRefusal`` for a token that is missing, not signed by the key, too old or of a later time.
    func issue(of push: ReceivedPush, at now: Timestamp) throws(PushRefusal) -> Int64 {
        guard let token = push.providerToken else { throw PushRefusal(403, "MissingProviderToken") }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let head = object(parts[0]), let claims = object(parts[1]),
            let signature = bytes(parts[2]),
            case .string("ES256")? = head["alg"], case .string(keyID)? = head["kid"],
            case .string(teamID)? = claims["iss"], case .int(let issuedAt)? = claims["iat"],
            isSigned("\(parts[0]).\(parts[1])", by: signature)
        else { throw PushRefusal(403, "InvalidProviderToken") }
        let age = now - Timestamp(seconds: issuedAt)
        guard age <= .hours(1) else { throw PushRefusal(403, "ExpiredProviderToken") }
        guard age >= .minutes(-5) else { throw PushRefusal(403, "InvalidProviderToken") }
        return issuedAt
    }

    func checkHeaders(_ push: ReceivedPush, _ request: Request) throws(PushRefusal) {
        func require(_ condition: Bool, _ reason: String) throws(PushRefusal) {
            guard condition else { throw PushRefusal(400, reason) }
        }
        let headers = push.headers
        try require(push.duplicates.isEmpty, "DuplicateHeaders")
        let isBroadcast = request == .broadcast
        let types = isBroadcast ? ["liveactivity"] : ["liveactivity", "alert", "widgets"]
        let type = headers["apns-push-type"]?.lowercased()
        try require(type.map(types.contains) ?? false, type == nil ? "MissingPushType" : "InvalidPushType")
        try require(
            headers["apns-priority"].map { ["1", "5", "10"].contains($0) } ?? !isBroadcast,
            "BadPriority"
        )
        try require(
            headers["apns-expiration"].map { Int64($0) != nil } ?? !isBroadcast,
            "BadExpirationDate"
        )
        if let id = headers["apns-id"] {
            try require(UUID(uuidString: id) != nil && id == id.lowercased(), "BadMessageId")
        }
        try require((headers["apns-collapse-id"]?.utf8.count ?? 0) <= 64, "BadCollapseId")
        guard !isBroadcast else { return }
        try require(headers["apns-topic"] != nil, "MissingTopic")
        let topic = type == "alert" ? bundleID : "\(bundleID).push-type.\(type ?? "")"
        try require(headers["apns-topic"] == topic, "TopicDisallowed")
    }

    func checkBody(_ push: ReceivedPush, _ request: Request) throws(PushRefusal) {
        guard !push.body.isEmpty else { throw PushRefusal(400, "PayloadEmpty") }
        guard push.body.count <= (request == .broadcast ? 5120 : 4096) else {
            throw PushRefusal(413, "PayloadTooLarge")
        }
        guard case .map(let root)? = try? JSONReader.value(of: push.body.span), case .map? = root["aps"]
        else {
            throw PushRefusal(400, "BadPayload")
        }
    }

    /// The bytes of a device token, which is hexadecimal.
    func checkToken(_ token: String) throws(PushRefusal) {
        guard !token.isEmpty, token.count.isMultiple(of: 2), token.allSatisfy(\.isHexDigit) else {
            throw PushRefusal(400, "BadDeviceToken")
        }
    }

    private func isSigned(_ text: String, by signature: [UInt8]) -> Bool {
        signature.count == 64
            && skerry_es256_verify(publicKeyPEM, publicKeyPEM.utf8.count, text, text.utf8.count, signature)
                == 1
    }

    private func object(_ text: String) -> ValueMap? {
        guard let bytes = bytes(text), case .map(let map)? = try? JSONReader.value(of: bytes.span) else {
            return nil
        }
        return map
    }

    /// The bytes of base64 for addresses without padding; nil for anything else.
    private func bytes(_ text: String) -> [UInt8]? {
        guard !text.contains("="), !text.contains("+"), !text.contains("/") else { return nil }
        var plain = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        while !plain.count.isMultiple(of: 4) { plain += "=" }
        return Data(base64Encoded: plain).map { Array($0) }
    }
}
