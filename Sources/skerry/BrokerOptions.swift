import ArgumentParser
import SkerryFiles

/// The flags for reaching a broker, as in `mosquitto_sub`.
struct BrokerOptions: ParsableArguments {
    @Option(
        name: [.customShort("h"), .long],
        help: "The broker's host name or address (default: localhost)."
    )
    var host: String?

    @Option(name: [.short, .long], help: "The broker's port (default: 1883, with TLS 8883).")
    var port: Int?

    @Option(name: .long, help: "The MQTT client id, the name of the session (default: skerry).")
    var clientID: String?

    @Option(name: [.short, .long], help: "The user name.")
    var username: String?

    @Option(name: .long, help: "A file with the password.", completion: .file())
    var passwordFile: String?

    @Option(
        name: .customLong("ca"),
        help: "PEM file of the trusted authorities; turns TLS on.",
        completion: .file()
    )
    var authority: String?

    @Option(name: .customLong("cert"), help: "PEM file of this client's certificate.", completion: .file())
    var certificate: String?

    @Option(name: .long, help: "PEM file of this client's private key.", completion: .file())
    var key: String?

    @Flag(help: "Use TLS with the authorities that the system trusts.")
    var tls = false

    @Flag(help: "Accept a certificate for another host name.")
    var insecure = false

    @Option(name: [.short, .long], help: Settings.fileHelp)
    var config: String?

    @Option(help: "How much to log: trace, debug, info, notice, warning, error (default: info).")
    var logLevel: String?

    @Option(help: "How to log: text or json, one object a line (default: text on a terminal, else json).")
    var logFormat: String?

    /// The given values, by names of settings.
    var settings: [String: WrittenSetting] {
        var settings: [String: WrittenSetting] = [:]
        func add(_ key: String, _ text: String?, _ option: String) {
            settings[key] = text.map { WrittenSetting($0, option: option) }
        }
        add("mqtt.host", host, "--host")
        add("mqtt.port", port.map { String($0) }, "--port")
        add("mqtt.client-id", clientID, "--client-id")
        add("mqtt.username", username, "--username")
        add("mqtt.password-file", passwordFile, "--password-file")
        add("mqtt.tls.ca", authority, "--ca")
        add("mqtt.tls.certificate", certificate, "--cert")
        add("mqtt.tls.key", key, "--key")
        if tls || authority != nil || certificate != nil || key != nil || insecure {
            add("mqtt.tls.enabled", "true", "--tls")
        }
        if insecure { add("mqtt.tls.insecure", "true", "--insecure") }
        add("log.level", logLevel, "--log-level")
        add("log.format", logFormat, "--log-format")
        return settings
    }
}
