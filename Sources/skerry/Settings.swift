import ArgumentParser
import Configuration
import FoundationEssentials
import Logging
import SkerryGateway
import SkerryMosquitto
import SkerryValues
import SystemPackage

/// What a command that talks to a broker was told: by `skerry.yaml`, by the environment, by flags, the latter outranking
/// the former.
struct Settings {
    var definitions: [String]
    var prefix: String
    var healthInterval: Interval
    var mqtt: MosquittoOptions
    var logLevel: Logger.Level
    var logsJSON: Bool

    /// Reads all three.
    ///
    /// - Throws: a `ValidationError` that names the setting and what it may be.
    static func load(
        _ options: BrokerOptions,
        _ further: [(key: String, value: SettingValue)]
    ) async throws -> Settings {
        let reader = SettingsReader(try await providers(options, further))
        let level = try reader.text("log.level") ?? "info"
        guard let logLevel = Logger.Level(rawValue: level) else {
            throw ValidationError(
                "log.level: '\(level)' is none of trace, debug, info, notice, warning, error, critical"
            )
        }
        let format = try reader.text("log.format") ?? (Terminal.errorIsTerminal ? "text" : "json")
        guard ["text", "json"].contains(format) else {
            throw ValidationError("log.format: '\(format)' is neither text nor json")
        }
        let prefix = try reader.text("prefix") ?? "skerry"
        guard !prefix.isEmpty, !prefix.contains("+"), !prefix.contains("#"), !prefix.hasPrefix("$") else {
            throw ValidationError("prefix: '\(prefix)' can't start topics; it has no '+', '#' or leading '$'")
        }
        let health = try reader.number("health-interval") ?? 60
        guard (1...86_400).contains(health) else {
            throw ValidationError("health-interval: \(health) is not between 1 and 86400 seconds")
        }
        return Settings(
            definitions: try reader.texts("definitions") ?? ["devices"],
            prefix: prefix,
            healthInterval: .seconds(Int64(health)),
            mqtt: try broker(reader),
            logLevel: logLevel,
            logsJSON: format == "json"
        )
    }

    private static func providers(
        _ options: BrokerOptions,
        _ further: [(key: String, value: SettingValue)]
    ) async throws -> [any ConfigProvider] {
        var flags: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, value) in options.values + further {
            let value: ConfigValue =
                switch value {
                case .text(let text): ConfigValue(.string(text), isSecret: false)
                case .number(let number): ConfigValue(.int(number), isSecret: false)
                case .truth(let truth): ConfigValue(.bool(truth), isSecret: false)
                }
            flags[AbsoluteConfigKey(ConfigKey(key))] = value
        }
        let path = options.config ?? "skerry.yaml"
        do {
            return [
                InMemoryProvider(name: "flags", values: flags),
                EnvironmentVariablesProvider().prefixKeys(with: "skerry"),
                try await FileProvider<YAMLSnapshot>(
                    filePath: FilePath(path),
                    allowMissing: options.config == nil
                ),
            ]
        } catch {
            throw ValidationError("\(path): can't be read as a configuration: \(error)")
        }
    }

    private static func broker(_ reader: SettingsReader) throws -> MosquittoOptions {
        let usesTLS = try reader.truth("mqtt.tls.enabled") ?? false
        let port = try reader.number("mqtt.port") ?? (usesTLS ? 8883 : 1883)
        guard (1...65_535).contains(port) else { throw ValidationError("mqtt.port: \(port) is no port") }
        var options = MosquittoOptions(
            host: try reader.text("mqtt.host") ?? "localhost",
            port: port,
            clientID: try reader.text("mqtt.client-id") ?? "skerry"
        )
        options.username = try reader.text("mqtt.username").map { .text($0) }
        if let file = try reader.text("mqtt.password-file") {
            options.password = .file(file)
        } else {
            options.password = try reader.text("mqtt.password", isSecret: true).map { .text($0) }
        }
        if usesTLS {
            options.tls = MosquittoOptions.TLS(
                authorityFile: try reader.text("mqtt.tls.ca"),
                certificateFile: try reader.text("mqtt.tls.certificate"),
                keyFile: try reader.text("mqtt.tls.key"),
                isInsecure: try reader.truth("mqtt.tls.insecure") ?? false
            )
        }
        return options
    }
}

/// Reads settings and refuses values of the wrong kind, instead of passing over them.
private struct SettingsReader {
    private let config: ConfigReader

    init(_ providers: [any ConfigProvider]) {
        config = ConfigReader(providers: providers)
    }

    func text(_ key: String, isSecret: Bool = false) throws -> String? {
        if let text = config.string(forKey: ConfigKey(key), isSecret: isSecret) { return text }
        return config.int(forKey: ConfigKey(key), isSecret: isSecret).map { String($0) }
    }

    func texts(_ key: String) throws -> [String]? {
        if let texts = config.stringArray(forKey: ConfigKey(key)) { return texts }
        return try text(key).map { [$0] }
    }

    func number(_ key: String) throws -> Int? {
        if let number = config.int(forKey: ConfigKey(key)) { return number }
        guard let text = config.string(forKey: ConfigKey(key)) else { return nil }
        throw ValidationError("\(key): '\(text)' is no whole number")
    }

    func truth(_ key: String) throws -> Bool? {
        if let truth = config.bool(forKey: ConfigKey(key)) { return truth }
        guard let text = config.string(forKey: ConfigKey(key)) else { return nil }
        throw ValidationError("\(key): '\(text)' is neither true nor false")
    }
}
