import SkerryActivity
import SkerryFiles
import SkerryPhones

/// The connection to Apple's push service, under `push:`.
struct SettingsPush {
    /// The usual app, under `push.apns`.
    var app: App
    /// Further apps, under `push.apps`.
    var others: [App] = []
    /// Another host than Apple's, with its port; for a stand-in.
    var host: String?
    /// The authorities that vouch for that host; nil for those of the system.
    var authorityFile: String?
    var household = PushSchedulerSettings()

    private static let names = ["key", "key-id", "team-id", "bundle-id", "channels", "host", "ca"]

    /// Reads them; nil when no key is set.
    init?(_ reader: SettingsReader) throws(SettingFault) {
        try Self.readLimits(reader, into: &household)
        guard reader.text("push.apns.key") != nil else {
            for name in Self.names where reader.text("push.apns.\(name)") != nil {
                throw SettingFault(
                    message:
                        "push.apns.\(name) is set, and push.apns.key is not: it names the AuthKey_….p8 file that "
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
        app = try App(reader, at: "push.apns")
        household.usesChannels = app.usesChannels
        household.bundleID = app.bundleID
        for name in reader.names(below: "push.apps") {
            let other = try App(reader, at: "push.apps.\(name)")
            guard !([app] + others).contains(where: { $0.bundleID == other.bundleID }) else {
                throw reader.fault("\(other.place).bundle-id", "another app has the same: each app once")
            }
            others.append(other)
            household.otherApps.append(
                .init(bundleID: other.bundleID, usesChannels: other.usesChannels)
            )
        }
        host = reader.text("push.apns.host")
        authorityFile = reader.text("push.apns.ca")
    }

    private static func readLimits(
        _ reader: SettingsReader,
        into household: inout PushSchedulerSettings
    ) throws(SettingFault) {
        if let number = try reader.number("push.limits.updates", in: 0...BudgetLedger.highestLimit) {
            household.immediateBudget = number
        }
        if let number = try reader.number("push.limits.frequent-updates", in: 0...BudgetLedger.highestLimit) {
            household.frequentBudget = number
        }
        if let number = try reader.number("push.limits.starts", in: 1...100) {
            household.startBudget = number
        }
        if let number = try reader.number("push.limits.widgets", in: 0...BudgetLedger.highestLimit) {
            household.widgetBudget = number
        }
        if let number = try reader.number("push.limits.activities", in: 1...20) { household.places = number }
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
            guard let keyFile = reader.text("\(place).key") else {
                throw SettingFault(
                    message:
                        "\(place).key is missing: the AuthKey_….p8 file that developer.apple.com gives under Keys"
                )
            }
            self.keyFile = keyFile
            keyID = try Self.identifier("key-id", reader, place, default: Self.keyID(in: keyFile))
            teamID = try Self.identifier("team-id", reader, place, default: nil)
            bundleID = try Self.bundleID(reader, place)
            usesChannels = try reader.truth("\(place).channels") ?? false
        }

        /// Apple names a key's file by its id.
        private static func keyID(in path: String) -> String? {
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
            _ name: String,
            _ reader: SettingsReader,
            _ setting: String,
            default value: String?
        ) throws(SettingFault) -> String {
            let place =
                name == "key-id"
                ? "it stands beside the key under Keys" : "it stands under Membership"
            guard let text = reader.text("\(setting).\(name)") ?? value else {
                throw SettingFault(message: "\(setting).\(name) is missing: \(place) on developer.apple.com")
            }
            guard isIdentifier(text) else {
                throw reader.fault(
                    "\(setting).\(name)",
                    "'\(text)' is not ten capital letters and digits: \(place) on developer.apple.com"
                )
            }
            return text
        }

        private static func bundleID(
            _ reader: SettingsReader,
            _ setting: String
        ) throws(SettingFault) -> String {
            guard let text = reader.text("\(setting).bundle-id") else {
                throw SettingFault(
                    message: "\(setting).bundle-id is missing: the bundle id of your app in Xcode"
                )
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
                throw reader.fault(
                    "\(setting).bundle-id",
                    "'\(text)' is not a bundle id such as org.example.app"
                )
            }
            guard !text.contains(".push-type.") else {
                throw reader.fault(
                    "\(setting).bundle-id",
                    "the bundle id alone, without .push-type.liveactivity"
                )
            }
            return text
        }
    }
}
