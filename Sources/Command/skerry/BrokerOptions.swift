import ArgumentParser
import SkerryFiles

/// The flags for reaching a broker, as in `mosquitto_sub`.
struct BrokerOptions: ParsableArguments {
    @Option(MQTT.host, short: "h") var host: String?
    @Option(MQTT.port, short: "p") var port: Int?
    @Option(MQTT.clientID) var clientID: String?
    @Option(MQTT.username, short: "u") var username: String?
    @Option(MQTT.passwordFile, completion: .file()) var passwordFile: String?
    @Option(MQTT.authorityFile, completion: .file()) var authority: String?
    @Option(MQTT.certificateFile, completion: .file()) var certificate: String?
    @Option(MQTT.keyFile, completion: .file()) var key: String?
    @Flag(MQTT.usesTLS) var tls = false
    @Flag(MQTT.isInsecure) var insecure = false

    @Option(name: [.short, .long], help: Settings.fileHelp)
    var config: String?

    @Option(SettingKeys.Log.level) var logLevel: String?
    @Option(SettingKeys.Log.format) var logFormat: String?

    private typealias MQTT = SettingKeys.MQTT

    /// The given values, by names of settings.
    var settings: [String: WrittenSetting] {
        var settings: [String: WrittenSetting] = [:]
        settings.add(MQTT.host, host)
        settings.add(MQTT.port, port.map { String($0) })
        settings.add(MQTT.clientID, clientID)
        settings.add(MQTT.username, username)
        settings.add(MQTT.passwordFile, passwordFile)
        settings.add(MQTT.authorityFile, authority)
        settings.add(MQTT.certificateFile, certificate)
        settings.add(MQTT.keyFile, key)
        let usesTLS = tls || authority != nil || certificate != nil || key != nil || insecure
        settings.add(MQTT.usesTLS, usesTLS ? "true" : nil)
        settings.add(MQTT.isInsecure, insecure ? "true" : nil)
        settings.add(SettingKeys.Log.level, logLevel)
        settings.add(SettingKeys.Log.format, logFormat)
        return settings
    }

    /// The options of a command that takes nothing but the configuration file; nil for the usual one.
    static func only(_ config: String?) throws -> BrokerOptions {
        var options = try parse([])
        options.config = config
        return options
    }
}

extension SettingKey {
    /// The flag of the setting.
    fileprivate func names(_ short: Character?) -> NameSpecification {
        let long = NameSpecification.Element.customLong(declaration.flag)
        return NameSpecification(short.map { [.customShort($0), long] } ?? [long])
    }

    /// The line of `--help` about the flag.
    var flagHelp: ArgumentHelp { ArgumentHelp(declaration.flagHelp) }
}

extension Option {
    /// The option that is declared with a setting.
    init<Setting, Argument: ExpressibleByArgument>(
        _ key: SettingKey<Setting>,
        short: Character? = nil,
        completion: CompletionKind? = nil
    ) where Value == Argument? {
        self.init(name: key.names(short), help: key.flagHelp, completion: completion)
    }
}

extension Flag where Value == Bool {
    /// The flag that is declared with a setting.
    init<Setting>(wrappedValue: Bool, _ key: SettingKey<Setting>) {
        self.init(wrappedValue: wrappedValue, name: key.names(nil), help: key.flagHelp)
    }
}
