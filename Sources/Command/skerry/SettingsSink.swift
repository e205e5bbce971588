import SkerryFiles
import SkerryPush
import SkerrySinks
import SkerryValues

/// A further service that shows activities, under `sinks:`.
struct SettingsSink {
    /// A secret as it is written; its file is read by the bridge only, because other commands may not be allowed to.
    fileprivate struct Secret {
        /// The setting, for errors.
        var key: String
        /// The text, or the path of the file that has it.
        var text: String
        var isFile: Bool
    }

    /// The name of its settings below `sinks.`.
    var name: String
    var service: SinkService
    var address: String
    private var secret: Secret?
    /// A PEM file of the authorities to trust; nil for those of the system.
    private var authorityFile: String?

    /// The common beginning of the names of its settings.
    private static func place(_ name: String) -> String { "sinks.\(name)" }

    private typealias Keys = SettingKeys.Sink

    /// Reads the settings of all services.
    ///
    /// - Throws: a `SettingFault` when one is wrong or missing.
    static func all(
        _ reader: SettingsReader,
        clientID: String
    ) throws(SettingFault) -> [SettingsSink] {
        var sinks: [SettingsSink] = []
        if let sink = try homeAssistant(reader) { sinks.append(sink) }
        if let sink = try webhook(reader, clientID: clientID) { sinks.append(sink) }
        if let sink = try ntfy(reader) { sinks.append(sink) }
        if let sink = try fcm(reader) { sinks.append(sink) }
        if let sink = try braze(reader) { sinks.append(sink) }
        return sinks
    }

    private static func homeAssistant(_ reader: SettingsReader) throws(SettingFault) -> SettingsSink? {
        let name = "home-assistant"
        guard
            let url = try address(
                reader,
                name,
                beside: [Keys.targets.name, Keys.token.name, Keys.tokenFile.name],
                example: "http://homeassistant.local:8123"
            )
        else { return nil }
        let (targets, people) = try targets(
            reader,
            name,
            example: "mobile_app_pixel",
            missing: "name up to \(targetLimit) actions of your phones, such as mobile_app_pixel"
                + " (Home Assistant: Settings, Developer tools, Actions, notify.…)"
        ) { written in
            let plain = written.hasPrefix("notify.") ? String(written.dropFirst("notify.".count)) : written
            let isName = plain.utf8.allSatisfy { PlainName.takes($0) && $0 != UInt8(ascii: "-") }
            return isName && (1...100).contains(plain.utf8.count) ? plain : nil
        }
        guard let token = try secret(reader, name, Keys.token, Keys.tokenFile) else {
            throw SettingFault(
                message: "sinks.\(name).token-file is missing: a file with a long-lived access token"
                    + " (Home Assistant: your profile, Security)"
            )
        }
        return SettingsSink(
            name: name,
            service: .homeAssistant(targets: targets, people: people, budget: try budget(reader, name)),
            address: url,
            secret: token,
            authorityFile: try reader[Keys.authorityFile.below(place(name))]
        )
    }

    private static let targetLimit = 32

    /// The targets of a service, and the people that they belong to, in `mobile_app_pixel for Ada`.
    ///
    /// `example` is a target for errors, `missing` says what to do when there is none, and `read` returns a target as the
    /// service has it, or nil if a text can't be one.
    private static func targets(
        _ reader: SettingsReader,
        _ name: String,
        example: String,
        missing: String,
        _ read: (String) -> String?
    ) throws(SettingFault) -> (targets: [String], people: [String: String]) {
        let key = Keys.targets.below(place(name))
        var people: [String: String] = [:]
        var targets: [String] = []
        for written in try reader[key] {
            let gap = written.firstRange(of: " for ")
            let person = gap.map { String(written[$0.upperBound...]) }
            guard let target = read(String(written[..<(gap?.lowerBound ?? written.endIndex)])), person != ""
            else {
                throw reader.fault(
                    key,
                    "'\(written)' is not a target such as \(example), or \(example) for Ada"
                )
            }
            guard !targets.contains(target) else {
                throw SettingFault(
                    message: "\(key.name) names a target twice: each belongs to one person at most"
                )
            }
            targets.append(target)
            people[target] = person
        }
        guard (1...targetLimit).contains(targets.count) else {
            throw SettingFault(message: "\(key.name) is missing: \(missing)")
        }
        return (targets, people)
    }

    private static func webhook(
        _ reader: SettingsReader,
        clientID: String
    ) throws(SettingFault) -> SettingsSink? {
        let name = "webhook"
        let url = try address(
            reader,
            name,
            beside: [Keys.mode.name, Keys.secret.name, Keys.secretFile.name],
            example: "https://example.org/hook"
        )
        guard let url else { return nil }
        return SettingsSink(
            name: name,
            service: .webhook(mode: try reader.word(Keys.mode.below(place(name))), client: clientID),
            address: url,
            secret: try secret(reader, name, Keys.secret, Keys.secretFile),
            authorityFile: try reader[Keys.authorityFile.below(place(name))]
        )
    }

    private static func ntfy(_ reader: SettingsReader) throws(SettingFault) -> SettingsSink? {
        let name = "ntfy"
        let key = Keys.topic.below(place(name))
        guard let topic = try reader[key] else {
            try demandNone(
                reader,
                name,
                [Keys.url.name, Keys.token.name, Keys.tokenFile.name, Keys.person.name],
                without: Keys.topic.name,
                example: "a-secret-name"
            )
            return nil
        }
        guard (1...64).contains(topic.utf8.count),
            topic.utf8.allSatisfy(PlainName.takes)
        else {
            throw reader.fault(key, "'\(topic)' is not a topic: up to 64 letters, digits, '_' and '-'")
        }
        let url = try address(reader, name, beside: [], example: Keys.ntfyServer) ?? Keys.ntfyServer
        return SettingsSink(
            name: name,
            service: .ntfy(
                topic: topic,
                person: try reader[Keys.person.below(place(name))],
                budget: try budget(reader, name)
            ),
            address: url,
            secret: try secret(reader, name, Keys.token, Keys.tokenFile),
            authorityFile: try reader[Keys.authorityFile.below(place(name))]
        )
    }

    private static func fcm(_ reader: SettingsReader) throws(SettingFault) -> SettingsSink? {
        let name = "fcm"
        let key = Keys.serviceAccountFile.below(place(name))
        guard let path = try reader[key] else {
            try demandNone(
                reader,
                name,
                [Keys.targets.name, Keys.url.name],
                without: Keys.serviceAccountFile.name,
                example: "/etc/skerry/firebase.json"
            )
            return nil
        }
        let (targets, people) = try targets(
            reader,
            name,
            example: "topic:house",
            missing:
                "name up to \(targetLimit) registration tokens of your app, or topics, such as topic:house",
            { SinkService.isTargetOfFCM($0) ? $0 : nil }
        )
        return SettingsSink(
            name: name,
            service: .fcm(targets: targets, people: people, budget: try budget(reader, name)),
            address: try address(reader, name, beside: [], example: Keys.fcmServer) ?? Keys.fcmServer,
            secret: Secret(key: key.name, text: path, isFile: true),
            authorityFile: try reader[Keys.authorityFile.below(place(name))]
        )
    }

    private static func braze(_ reader: SettingsReader) throws(SettingFault) -> SettingsSink? {
        let name = "braze"
        guard
            let url = try address(
                reader,
                name,
                beside: [Keys.appID.name, Keys.targets.name, Keys.key.name, Keys.keyFile.name],
                example: "https://rest.iad-01.braze.com"
            )
        else { return nil }
        let (targets, people) = try targets(
            reader,
            name,
            example: "user-17",
            missing: "name up to \(targetLimit) external ids of users, or segments, as in segment:ID"
        ) { written in
            let isPlain = written.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
            return isPlain && (1...512).contains(written.utf8.count) && written != "segment:" ? written : nil
        }
        guard let appID = try reader[Keys.appID.below(place(name))], !appID.isEmpty else {
            throw SettingFault(
                message:
                    "sinks.\(name).app-id is missing: the identifier of the app (Braze: Settings, API keys)"
            )
        }
        guard let apiKey = try secret(reader, name, Keys.key, Keys.keyFile) else {
            throw SettingFault(
                message:
                    "sinks.\(name).key-file is missing: a file with a REST API key that has the permissions"
                    + " messages.live_activity.start and messages.live_activity.update"
            )
        }
        return SettingsSink(
            name: name,
            service: .braze(
                appID: appID,
                targets: targets,
                people: people,
                budget: try budget(reader, name)
            ),
            address: url,
            secret: apiKey,
            authorityFile: try reader[Keys.authorityFile.below(place(name))]
        )
    }

    private static func budget(_ reader: SettingsReader, _ name: String) throws(SettingFault) -> Int {
        try reader[Keys.requestsPerHour.below(place(name))]
    }

    /// The address of a service; nil if it is not set, and nothing else of the service is.
    private static func address(
        _ reader: SettingsReader,
        _ name: String,
        beside others: [String],
        example: String
    ) throws(SettingFault) -> String? {
        let key = Keys.url.below(place(name))
        guard let url = try reader[key] else {
            try demandNone(reader, name, others, without: Keys.url.name, example: example)
            return nil
        }
        let start = ["https://", "http://"].first { url.hasPrefix($0) }
        guard let start, url.utf8.count > start.utf8.count, url.utf8.count <= 1024,
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !url.contains("#")
        else { throw reader.fault(key, "this is not an address such as \(example)") }
        // Paths are added to it, except to a webhook's, which may need its slash.
        return url.hasSuffix("/") && name != "webhook" ? String(url.dropLast()) : url
    }

    private static func demandNone(
        _ reader: SettingsReader,
        _ name: String,
        _ others: [String],
        without missing: String,
        example: String
    ) throws(SettingFault) {
        for other in others where reader.texts("sinks.\(name).\(other)") != nil {
            throw SettingFault(
                message:
                    "sinks.\(name).\(other) is set, and sinks.\(name).\(missing) is not: set it, such as to \(example)"
            )
        }
    }

    /// A secret from its setting, or from the file that another setting names; the one of the higher rank counts.
    private static func secret(
        _ reader: SettingsReader,
        _ name: String,
        _ key: SettingKey<String?>,
        _ fileKey: SettingKey<String?>
    ) throws(SettingFault) -> Secret? {
        let (key, fileKey) = (key.below(place(name)), fileKey.below(place(name)))
        if let path = try reader[fileKey], !reader.outranks(key, fileKey) {
            return Secret(key: fileKey.name, text: path, isFile: true)
        }
        return try reader[key].map { Secret(key: key.name, text: $0, isFile: false) }
    }

    /// Reads the secret, and returns what the sender needs.
    ///
    /// - Throws: a `ServiceFault` when the secret can't be read, or can't be right.
    func access() throws(ServiceFault) -> SinkAccess {
        var access = SinkAccess(address: address, authorityFile: authorityFile)
        guard let secret else { return access }
        if name == "fcm" {
            let account = try secret.account()
            access.account = account
            access.address += "/v1/projects/\(account.project)"
            return access
        }
        let text = try secret.read()
        guard name == "webhook" else {
            access.token = text
            return access
        }
        guard text.hasPrefix("whsec_"), let key = Base64.bytes(of: String(text.dropFirst(6))),
            (16...256).contains(key.count)
        else {
            throw ServiceFault(
                message: "\(secret.key): a secret is 'whsec_' and base64 of 16 to 256 bytes;"
                    + " make one with: echo whsec_$(openssl rand -base64 32)"
            )
        }
        access.signingKey = key
        return access
    }
}

extension SettingsSink.Secret {
    private static let limit = 4096

    private func content(_ limit: Int) throws(ServiceFault) -> String {
        guard isFile else { return text }
        do throws(FileError) {
            return try FileBytes.text(text, limit: limit)
        } catch {
            throw ServiceFault(message: "\(key): \(error)")
        }
    }

    /// Returns the service account of the file.
    fileprivate func account() throws(ServiceFault) -> ServiceAccount {
        let json = try content(ServiceAccount.sizeLimit)
        do throws(ServiceAccount.Fault) {
            return try ServiceAccount(json: json)
        } catch {
            throw ServiceFault(message: "\(key): \(text) \(error.message)")
        }
    }

    /// Returns the secret without white space at its end.
    fileprivate func read() throws(ServiceFault) -> String {
        var secret = try content(Self.limit)
        while let last = secret.last, last.isWhitespace { secret.removeLast() }
        guard !secret.isEmpty, secret.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ServiceFault(message: "\(key): a secret is one word of ASCII characters")
        }
        return secret
    }
}
