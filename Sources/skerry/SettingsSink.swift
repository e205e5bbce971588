import SkerryExpressions
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
    /// The service.
    var service: SinkService
    /// The address.
    var address: String
    private var secret: Secret?
    /// A PEM file of the authorities to trust; nil for those of the system.
    private var authorityFile: String?

    private static let budgets = 1...240

    /// Reads the settings of all services.
    ///
    /// - Throws: a `SettingFault` when one is wrong or missing.
    static func all(
        _ reader: SettingsReader,
        clientID: String,
        zone: TimeZoneRules
    ) throws(SettingFault) -> [SettingsSink] {
        var sinks: [SettingsSink] = []
        if let sink = try homeAssistant(reader) { sinks.append(sink) }
        if let sink = try webhook(reader, clientID: clientID) { sinks.append(sink) }
        if let sink = try ntfy(reader, zone: zone) { sinks.append(sink) }
        return sinks
    }

    private static func homeAssistant(_ reader: SettingsReader) throws(SettingFault) -> SettingsSink? {
        let name = "home-assistant"
        guard
            let url = try address(
                reader,
                name,
                beside: ["targets", "token", "token-file"],
                example: "http://homeassistant.local:8123"
            )
        else { return nil }
        let key = "sinks.\(name).targets"
        var people: [String: String] = [:]
        let targets = try (reader.texts(key) ?? []).map { written throws(SettingFault) in
            let (target, person) = Self.target(written)
            guard !target.isEmpty, target.utf8.count <= 100,
                target.utf8.allSatisfy({ PlainName.takes($0) && $0 != UInt8(ascii: "-") }),
                person != ""
            else {
                throw reader.fault(
                    key,
                    "'\(written)' is not a target such as mobile_app_pixel, or mobile_app_pixel for Ada"
                )
            }
            if let person { people[target] = person }
            return target
        }
        guard Set(targets).count == targets.count else {
            throw SettingFault(message: "\(key) names a target twice: each belongs to one person at most")
        }
        guard !targets.isEmpty, targets.count <= 32 else {
            throw SettingFault(
                message: "\(key) is missing: name up to 32 actions of your phones, such as mobile_app_pixel"
                    + " (Home Assistant: Settings, Developer tools, Actions, notify.…)"
            )
        }
        guard let token = secret(reader, name, "token") else {
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
            authorityFile: reader.text("sinks.\(name).ca")
        )
    }

    /// The name of an action without `notify.`, and the person that it belongs to, in `mobile_app_pixel for Ada`.
    private static func target(_ written: String) -> (target: String, person: String?) {
        let plain = written.hasPrefix("notify.") ? String(written.dropFirst("notify.".count)) : written
        guard let gap = plain.firstRange(of: " for ") else { return (plain, nil) }
        return (String(plain[..<gap.lowerBound]), String(plain[gap.upperBound...]))
    }

    private static func webhook(
        _ reader: SettingsReader,
        clientID: String
    ) throws(SettingFault) -> SettingsSink? {
        let name = "webhook"
        let url = try address(
            reader,
            name,
            beside: ["mode", "secret", "secret-file"],
            example: "https://example.org/hook"
        )
        guard let url else { return nil }
        let key = "sinks.\(name).mode"
        let written = reader.text(key) ?? WebhookMode.structured.rawValue
        guard let mode = WebhookMode(rawValue: written) else {
            throw reader.fault(key, "'\(written)' is neither structured nor binary")
        }
        return SettingsSink(
            name: name,
            service: .webhook(mode: mode, client: clientID),
            address: url,
            secret: secret(reader, name, "secret"),
            authorityFile: reader.text("sinks.\(name).ca")
        )
    }

    private static func ntfy(
        _ reader: SettingsReader,
        zone: TimeZoneRules
    ) throws(SettingFault) -> SettingsSink? {
        let name = "ntfy"
        let key = "sinks.\(name).topic"
        guard let topic = reader.text(key) else {
            try demandNone(
                reader,
                name,
                ["url", "token", "token-file", "person"],
                without: "topic",
                example: "a-secret-name"
            )
            return nil
        }
        guard (1...64).contains(topic.utf8.count),
            topic.utf8.allSatisfy(PlainName.takes)
        else {
            throw reader.fault(key, "'\(topic)' is not a topic: up to 64 letters, digits, '_' and '-'")
        }
        let url = try address(reader, name, beside: [], example: "https://ntfy.sh") ?? "https://ntfy.sh"
        return SettingsSink(
            name: name,
            service: .ntfy(
                topic: topic,
                person: reader.text("sinks.\(name).person"),
                zone: zone,
                budget: try budget(reader, name)
            ),
            address: url,
            secret: secret(reader, name, "token"),
            authorityFile: reader.text("sinks.\(name).ca")
        )
    }

    private static func budget(_ reader: SettingsReader, _ name: String) throws(SettingFault) -> Int {
        try reader.number("sinks.\(name).requests-per-hour", in: budgets) ?? 20
    }

    /// The address of a service; nil if it is not set, and nothing else of the service is.
    private static func address(
        _ reader: SettingsReader,
        _ name: String,
        beside others: [String],
        example: String
    ) throws(SettingFault) -> String? {
        let key = "sinks.\(name).url"
        guard let url = reader.text(key) else {
            try demandNone(reader, name, others, without: "url", example: example)
            return nil
        }
        let start = ["https://", "http://"].first { url.hasPrefix($0) }
        guard let start, url.utf8.count > start.utf8.count, url.utf8.count <= 1024,
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !url.contains("#")
        else { throw reader.fault(key, "this is not an address such as \(example)") }
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
    private static func secret(_ reader: SettingsReader, _ name: String, _ what: String) -> Secret? {
        let (key, fileKey) = ("sinks.\(name).\(what)", "sinks.\(name).\(what)-file")
        if let path = reader.text(fileKey), !reader.outranks(key, fileKey) {
            return Secret(key: fileKey, text: path, isFile: true)
        }
        return reader.text(key).map { Secret(key: key, text: $0, isFile: false) }
    }

    /// Reads the secret, and returns what the sender needs.
    ///
    /// - Throws: a `ServiceFault` when the secret can't be read, or can't be right.
    func access() throws(ServiceFault) -> SinkAccess {
        var access = SinkAccess(address: address, authorityFile: authorityFile)
        guard let secret else { return access }
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

    /// Returns the secret without white space at its end.
    fileprivate func read() throws(ServiceFault) -> String {
        var secret = text
        if isFile {
            do throws(FileError) {
                secret = try FileBytes.text(text, limit: Self.limit)
            } catch {
                throw ServiceFault(message: "\(key): \(error)")
            }
        }
        while let last = secret.last, last.isWhitespace { secret.removeLast() }
        guard !secret.isEmpty, secret.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ServiceFault(message: "\(key): a secret is one word of ASCII characters")
        }
        return secret
    }
}
