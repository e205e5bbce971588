import Logging
import SkerryFiles
import SkerryGateway
import SkerryPhones
import SkerryPush

/// The connection to Apple's push service, under `push:`.
struct SettingsPush {
    /// The usual app, under `push.apns`, then further ones, under `push.apps`.
    var apps: [App]
    /// Another host than Apple's, with its port; for a stand-in.
    var host: String?
    /// The authorities that vouch for that host; nil for those of the system.
    var authorityFile: String?
    var household = PushSchedulerSettings()

    /// Reads them; nil when no key is set.
    init?(_ reader: SettingsReader) throws(SettingFault) {
        household.immediateBudget = try reader[SettingKeys.PushLimits.updates]
        household.frequentBudget = try reader[SettingKeys.PushLimits.frequentUpdates]
        household.startBudget = try reader[SettingKeys.PushLimits.starts]
        household.widgetBudget = try reader[SettingKeys.PushLimits.widgets]
        household.places = try reader[SettingKeys.PushLimits.activities]
        guard reader.isSet(SettingKeys.App.keyFile.below("push.apns")) else {
            for name in SettingKeys.App.ofFirst.map(\.name) where reader.text(name) != nil {
                throw SettingFault(
                    message:
                        "\(name) is set, and push.apns.key is not: it names the AuthKey_….p8 file that "
                        + "developer.apple.com gives under Keys"
                )
            }
            if let name = reader.names(below: "push.apps").first {
                throw SettingFault(
                    message: "push.apps.\(name) is set, and push.apns.key is not: the first app stands there"
                )
            }
            return nil
        }
        let app = try App(reader, at: "push.apns")
        apps = [app]
        household.usesChannels = app.usesChannels
        household.bundleID = app.bundleID
        for name in reader.names(below: "push.apps") {
            let other = try App(reader, at: "push.apps.\(name)")
            guard !apps.contains(where: { $0.bundleID == other.bundleID }) else {
                throw reader.fault(
                    SettingKeys.App.bundleID.below(other.place),
                    "another app has the same: each app once"
                )
            }
            apps.append(other)
            household.otherApps.append(
                .init(bundleID: other.bundleID, usesChannels: other.usesChannels)
            )
        }
        host = try reader[SettingKeys.App.host.below("push.apns")]
        authorityFile = try reader[SettingKeys.App.authorityFile.below("push.apns")]
    }
}

extension SettingsPush {
    /// An app, and the key that signs its pushes.
    struct App {
        /// The common beginning of its settings, such as `push.apns`.
        let place: String
        /// The `AuthKey_….p8` file.
        var keyFile: String
        var keyID: String
        var teamID: String
        var bundleID: String
        var usesChannels: Bool

        init(_ reader: SettingsReader, at place: String) throws(SettingFault) {
            self.place = place
            typealias Keys = SettingKeys.App
            guard let keyFile = try reader[Keys.keyFile.below(place)] else {
                throw SettingFault(
                    message:
                        "\(place).key is missing: the AuthKey_….p8 file that developer.apple.com gives under Keys"
                )
            }
            self.keyFile = keyFile
            keyID = try Self.identifier(
                Keys.keyID.below(place),
                reader,
                at: "it stands beside the key under Keys",
                default: Self.keyID(in: keyFile)
            )
            teamID = try Self.identifier(Keys.teamID.below(place), reader, at: "it stands under Membership")
            bundleID = try Self.bundleID(Keys.bundleID.below(place), reader)
            usesChannels = try reader[Keys.usesChannels.below(place)]
        }

        /// The id of the key in a file, by which Apple names it; nil if the file has another name.
        static func keyID(in path: String) -> String? {
            let name = path.split(separator: "/").last ?? ""
            guard name.hasPrefix("AuthKey_"), name.hasSuffix(".p8") else { return nil }
            let id = String(name.dropFirst("AuthKey_".count).dropLast(".p8".count))
            return isIdentifier(id) ? id : nil
        }

        private static func isIdentifier(_ text: String) -> Bool {
            text.utf8.count == 10
                && text.utf8.allSatisfy {
                    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                }
        }

        private static func identifier(
            _ key: SettingKey<String?>,
            _ reader: SettingsReader,
            at place: String,
            default value: String? = nil
        ) throws(SettingFault) -> String {
            guard let text = try reader[key] ?? value else {
                throw SettingFault(message: "\(key.name) is missing: \(place) on developer.apple.com")
            }
            guard isIdentifier(text) else {
                throw reader.fault(
                    key,
                    "'\(text)' is not ten capital letters and digits: \(place) on developer.apple.com"
                )
            }
            return text
        }

        private static func bundleID(
            _ key: SettingKey<String?>,
            _ reader: SettingsReader
        ) throws(SettingFault) -> String {
            guard let text = try reader[key] else {
                throw SettingFault(message: "\(key.name) is missing: the bundle id of your app in Xcode")
            }
            let isName = text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
            guard isName, text.contains("."), text.utf8.count <= 155 else {
                throw reader.fault(key, "'\(text)' is not a bundle id such as org.example.app")
            }
            guard !text.contains(".push-type.") else {
                throw reader.fault(key, "the bundle id alone, without .push-type.liveactivity")
            }
            return text
        }
    }
}

extension SettingsPush {
    /// Makes the service that sends pushes.
    ///
    /// - Parameters:
    ///   - desk: Says what is sent.
    ///   - queue: Knows whether the bridge knows the time.
    ///   - storePath: The database; the provider token is kept beside it. Nil when nothing is kept.
    ///   - logger: Where it tells people what happens.
    /// - Returns: the service, which is not running yet.
    /// - Throws: a `ServiceFault` when the key can't be read, or libcurl does not do.
    func service(
        desk: PhoneDesk,
        queue: SinkQueue,
        storePath: String?,
        logger: Logger
    ) throws -> PushService<SystemClock> {
        let apps = try self.apps.enumerated().map { number, app in
            let key = try key(of: app, logger)
            let identity = ProviderIdentity(key: key, keyID: app.keyID, teamID: app.teamID)
            var sender = APNSSender(bundleID: app.bundleID)
            if let host {
                sender.production = APNSHost(push: host, channels: host)
                sender.development = sender.production
            }
            let suffix = number == 0 ? "" : ".\(app.place.split(separator: ".").last ?? "")"
            return PushApp(
                transport: try client(),
                sender: sender,
                identity: identity,
                tokenPath: storePath.map { "\($0).apns-token\(suffix)" }
            )
        }
        return PushService(
            desk: desk,
            apps: apps,
            clock: SystemClock(),
            clockIsKnown: { queue.clockIsKnown },
            logger: logger
        )
    }

    /// Reads the keys, as the service does.
    ///
    /// - Throws: a `ServiceFault` when one can't be read.
    func demandKeys(_ logger: Logger) throws {
        for app in apps { _ = try key(of: app, logger) }
    }

    /// A connection of its own for each app: Apple takes the tokens of one team on each.
    private func client() throws -> APNSClient {
        var options = WebClientOptions()
        options.authorityFile = authorityFile
        do throws(WebFault) {
            return try APNSClient(options)
        } catch {
            throw ServiceFault(message: error.message)
        }
    }

    private func key(of app: App, _ logger: Logger) throws -> ProviderKey {
        let key: ProviderKey
        do throws(ProviderKey.Fault) {
            key = try ProviderKey(path: app.keyFile)
        } catch {
            throw ServiceFault(message: "\(app.place).key: \(error.message)")
        }
        if key.isOpenToAll {
            logger.warning(
                .secretOpen,
                "\(app.place).key: \(app.keyFile): everybody on this machine can read it: chmod 600"
            )
        }
        return key
    }
}
