import ArgumentParser
import Configuration
import FoundationEssentials
import Logging
import SkerryCommand
import SkerryDevice
import SkerryGateway
import SkerryMosquitto
import SkerryValues
import SystemPackage

/// What a command that talks to a broker was told: by `skerry.yaml`, by the environment, by flags, the latter outranking
/// the former.
struct Settings {
    /// The file that was read, as an absolute path; nil when there is none, or nothing in it.
    var file: String?
    var definitions: [String]
    var prefix: String
    var healthInterval: Interval
    var limits: SettingsLimits
    var mqtt: MosquittoOptions
    var store: SettingsStore
    var push: SettingsPush?
    var alertFreshness: Interval
    var history: HistoryLimits
    var http: SettingsHTTP
    var logLevel: Logger.Level
    var logsJSON: Bool

    /// Reads all three.
    ///
    /// - Throws: an exit code, after it told which setting is wrong and what it may be.
    static func load(
        _ options: BrokerOptions,
        _ further: [(key: String, value: SettingValue)]
    ) async throws -> Settings {
        for advice in SettingsEnvironment.advice { Terminal.complain("skerry: \(advice)\n") }
        return try await complaining {
            let (reader, file) = try await reader(options.config, options.values + further)
            var settings = try read(reader)
            settings.file = file
            return settings
        }
    }

    /// The bus to the broker of these settings.
    ///
    /// Reads name and password now, while a signal still ends the process: the writer of a pipe may never come.
    ///
    /// - Throws: an exit code, after it told which file can't be read.
    func bus() throws -> MosquittoBus {
        do throws(BusFault) {
            return MosquittoBus(try mqtt.readingSecrets())
        } catch {
            Terminal.complain("skerry: \(error.message)\n")
            throw ExitCode.validationFailure
        }
    }

    /// Reads what tells where the HTTP API of a bridge is.
    ///
    /// - Throws: an exit code, after it told which setting is wrong and what it may be.
    static func loadHTTP(
        _ config: String?,
        _ values: [(key: String, value: SettingValue)]
    ) async throws -> SettingsHTTP {
        try await complaining { try SettingsHTTP(await reader(config, values).reader, keepsNothing: false) }
    }

    private static func complaining<Read>(_ read: () async throws -> Read) async throws -> Read {
        do {
            return try await read()
        } catch let error as ValidationError {
            Terminal.complain("skerry: \(error.message)\n")
            throw ExitCode.validationFailure
        }
    }

    private static func read(_ reader: SettingsReader) throws -> Settings {
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
        guard !prefix.isEmpty, !prefix.contains("+"), !prefix.contains("#"), !prefix.hasPrefix("$"),
            !prefix.hasSuffix("/")
        else {
            throw ValidationError(
                "prefix: '\(prefix)' can't start topics; it has no '+', '#', leading '$' or '/' at its end"
            )
        }
        let limits = try SettingsLimits(reader)
        let mqtt = try broker(reader, limits)
        let push = try SettingsPush(reader)
        let store = try SettingsStore(reader, clientID: mqtt.clientID)
        return Settings(
            definitions: try reader.texts("definitions") ?? ["devices"],
            prefix: prefix,
            healthInterval: .seconds(Int64(try reader.number("health-interval", in: 1...86_400) ?? 60)),
            limits: limits,
            mqtt: mqtt,
            store: store,
            push: push,
            alertFreshness: .seconds(Int64(try reader.number("alerts.freshness", in: 0...86_400) ?? 900)),
            history: HistoryLimits(
                activities: try reader.number("history.activities", in: 0...1_000_000) ?? 10_000,
                age: .hours(24 * Int64(try reader.number("history.days", in: 1...36_500) ?? 90))
            ),
            http: try SettingsHTTP(reader, keepsNothing: store.keepsNothing),
            logLevel: logLevel,
            logsJSON: format == "json"
        )
    }

    private static func reader(
        _ config: String?,
        _ values: [(key: String, value: SettingValue)]
    ) async throws -> (reader: SettingsReader, file: String?) {
        var flags: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, value) in values {
            let value: ConfigValue =
                switch value {
                case .text(let text): ConfigValue(.string(text), isSecret: false)
                case .number(let number): ConfigValue(.int(number), isSecret: false)
                case .truth(let truth): ConfigValue(.bool(truth), isSecret: false)
                }
            flags[AbsoluteConfigKey(ConfigKey(key))] = value
        }
        let path = config ?? "skerry.yaml"
        let hasFile = try SettingsFile.check(path, mayBeMissing: config == nil)
        do {
            let providers: [any ConfigProvider] =
                [
                    InMemoryProvider(name: "flags", values: flags),
                    EnvironmentVariablesProvider().prefixKeys(with: "skerry"),
                ] + (hasFile ? [try await FileProvider<YAMLSnapshot>(filePath: FilePath(path))] : [])
            let file = URL(filePath: path).standardized.path
            return (SettingsReader(providers), hasFile ? file : nil)
        } catch {
            throw ValidationError("\(path): can't be read as a configuration: \(error)")
        }
    }

    private static func broker(_ reader: SettingsReader, _ limits: SettingsLimits) throws -> MosquittoOptions
    {
        let tls = MosquittoOptions.TLS(
            authorityFile: try reader.text("mqtt.tls.ca"),
            certificateFile: try reader.text("mqtt.tls.certificate"),
            keyFile: try reader.text("mqtt.tls.key"),
            isInsecure: try reader.truth("mqtt.tls.insecure") ?? false
        )
        // Whoever says anything of TLS wants it: a password must not go in the clear for a word left out.
        let usesTLS = try reader.truth("mqtt.tls.enabled") ?? (tls != MosquittoOptions.TLS())
        let port = try reader.number("mqtt.port", in: 1...65_535) ?? (usesTLS ? 8883 : 1883)
        var options = MosquittoOptions(
            host: try reader.text("mqtt.host") ?? "localhost",
            port: port,
            clientID: try reader.text("mqtt.client-id") ?? "skerry"
        )
        if let maximum = try reader.number("mqtt.receive-maximum", in: 1...65_535) {
            options.receiveMaximum = maximum
        }
        options.payloadLimit = limits.device.json.bytes
        options.maximumPacketSize = options.payloadLimit + 64 * 1024
        options.username = try reader.text("mqtt.username").map { .text($0) }
        if let file = try reader.text("mqtt.password-file"),
            !reader.outranks("mqtt.password", "mqtt.password-file")
        {
            options.password = .file(file)
        } else {
            options.password = try reader.text("mqtt.password", isSecret: true).map { .text($0) }
        }
        if usesTLS { options.tls = tls }
        return options
    }
}
