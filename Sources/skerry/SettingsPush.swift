import SkerryActivity
import SkerryFiles
import SkerryPhones

/// The connection to Apple's push service, under `push:`.
struct SettingsPush {
    /// The `AuthKey_….p8` file.
    var keyFile: String
    var keyID: String
    var teamID: String
    var bundleID: String
    /// Another host than Apple's, with its port; for a stand-in.
    var host: String?
    /// The authorities that vouch for that host; nil for those of the system.
    var authorityFile: String?
    var household = PushSchedulerSettings()

    private static let names = ["key", "key-id", "team-id", "bundle-id", "channels", "host", "ca"]

    /// Reads them; nil when no key is set.
    init?(_ reader: SettingsReader) throws(SettingFault) {
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
        household.usesChannels = try reader.truth("push.apns.channels") ?? false
        guard let keyFile = reader.text("push.apns.key") else {
            for name in Self.names where reader.text("push.apns.\(name)") != nil {
                throw SettingFault(
                    message:
                        "push.apns.\(name) is set, and push.apns.key is not: it names the AuthKey_….p8 file that "
                        + "developer.apple.com gives under Keys"
                )
            }
            return nil
        }
        self.keyFile = keyFile
        keyID = try Self.identifier("key-id", reader, default: Self.keyID(in: keyFile))
        teamID = try Self.identifier("team-id", reader, default: nil)
        bundleID = try Self.bundleID(reader)
        host = reader.text("push.apns.host")
        authorityFile = reader.text("push.apns.ca")
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
        default value: String?
    ) throws(SettingFault) -> String {
        let place =
            name == "key-id"
            ? "it stands beside the key under Keys" : "it stands under Membership"
        guard let text = reader.text("push.apns.\(name)") ?? value else {
            throw SettingFault(message: "push.apns.\(name) is missing: \(place) on developer.apple.com")
        }
        guard isIdentifier(text) else {
            throw reader.fault(
                "push.apns.\(name)",
                "'\(text)' is not ten capital letters and digits: \(place) on developer.apple.com"
            )
        }
        return text
    }

    private static func bundleID(_ reader: SettingsReader) throws(SettingFault) -> String {
        guard let text = reader.text("push.apns.bundle-id") else {
            throw SettingFault(
                message: "push.apns.bundle-id is missing: the bundle id of your app in Xcode"
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
                "push.apns.bundle-id",
                "'\(text)' is not a bundle id such as org.example.app"
            )
        }
        guard !text.contains(".push-type.") else {
            throw reader.fault(
                "push.apns.bundle-id",
                "the bundle id alone, without .push-type.liveactivity"
            )
        }
        return text
    }
}
