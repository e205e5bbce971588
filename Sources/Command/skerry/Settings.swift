import ArgumentParser
import Glibc
import Logging
import SkerryCommand
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryMosquitto
import SkerryValues

/// The settings of a command that talks to a broker.
struct Settings {
    /// The file that was read, as an absolute path; nil when there is none, or nothing in it.
    var file: String?
    /// The place whose clocks and whose sun definitions go by.
    var location: Location
    /// The files and folders of definitions.
    var definitions: [String]
    /// True if somebody named them; the usual folder may be missing.
    var namesDefinitions: Bool
    /// True if definitions that come with Skerry are adopted when there is a device of theirs.
    var adoptsDefinitions: Bool
    /// True if the command line says so, whatever devices are kept.
    var isToldToAdopt: Bool
    /// The language of texts that definitions have in several; nil for the first one of each.
    var language: TextLanguage?
    /// The beginnings of topics that are other ones here than in definitions.
    var topics: MovedTopics
    var prefix: String
    /// The partitions of all devices; nil if one bridge has them all.
    var partitions: SettingsPartitions?
    var published: PublishedForms
    var healthInterval: Interval
    var limits: SettingsLimits
    var mqtt: MosquittoOptions
    /// The broker that may be chosen on the page.
    var broker: SettingsBroker
    /// True if the session has a name of the settings, and is not named after the store.
    var namesSession: Bool
    var store: SettingsStore
    var push: SettingsPush?
    /// Further services that show activities.
    var sinks: [SettingsSink]
    var alertFreshness: Interval
    var history: HistoryLimits
    /// The time for which the messages of each device are kept in memory.
    var recordLength: Interval
    var http: SettingsHTTP
    /// The announcement of devices to Home Assistant; nil for none.
    var homeAssistant: HomeAssistantOptions?
    var logLevel: Logger.Level
    var logsJSON: Bool

    /// Reads options, environment and file.
    ///
    /// - Parameters:
    ///   - options: How to reach the broker.
    ///   - further: Further options of the command, by names of settings.
    ///   - logs: True for a service, whose complaints are lines of its log.
    /// - Returns: the settings.
    /// - Throws: an exit code, after saying which setting is wrong, where, and what it may be.
    static func load(
        _ options: BrokerOptions,
        _ further: [String: WrittenSetting] = [:],
        logs: Bool = false
    ) throws -> Settings {
        let environment = SettingsEnvironment(ProcessEnvironment.variables)
        func reader(_ file: SettingsFile?) -> SettingsReader {
            SettingsReader(
                options: options.settings.merging(further) { $1 },
                environment: environment,
                file: file
            )
        }
        if logs {
            // Also of a file with mistakes: they are told in the form that it asks for.
            let file = try? SettingsFile(path: options.config ?? usualFile)
            LogOutput.takeComplaints(isJSON: (try? logFormat(reader(file))) == .json)
        }
        for advice in environment.advice { Terminal.complain("skerry: \(advice)\n") }
        return try complaining { () throws(SettingFault) in
            let reader = reader(try file(options.config))
            if logs, let advice = SettingsPlace.advice(reader) { Terminal.complain("skerry: \(advice)\n") }
            return try written(options.config, reader)
        }
    }

    /// Reads options, environment and file, and prints nothing.
    ///
    /// - Parameters:
    ///   - options: How to reach the broker.
    ///   - further: Further options of the command, by names of settings.
    /// - Returns: the settings, with where they were written.
    /// - Throws: the fault of one that is wrong, with its place.
    static func reading(
        _ options: BrokerOptions,
        _ further: [String: WrittenSetting]
    ) throws(SettingFault) -> (settings: Settings, reader: SettingsReader) {
        let reader = SettingsReader(
            options: options.settings.merging(further) { $1 },
            environment: SettingsEnvironment(ProcessEnvironment.variables),
            file: try file(options.config)
        )
        return (try written(options.config, reader), reader)
    }

    private static func written(
        _ config: String?,
        _ reader: SettingsReader
    ) throws(SettingFault) -> Settings {
        let path = reader.file.map { _ in absolute(config ?? usualFile) }
        var settings = try read(reader, configuration: path)
        settings.file = path
        return settings
    }

    /// The bus to the broker of these settings.
    ///
    /// Reads name and password now, while a signal still ends the process: the writer of a pipe may never come.
    ///
    /// - Throws: an exit code, after it told which file can't be read.
    func bus() throws -> MosquittoBus {
        var settings = self
        try settings.readSecrets()
        return MosquittoBus(settings.mqtt)
    }

    /// Reads name and password, so that connections after the first one can be made of these settings, too.
    ///
    /// - Throws: an exit code, after it told which file can't be read.
    mutating func readSecrets() throws {
        do throws(BusFault) {
            mqtt = try mqtt.readingSecrets()
        } catch {
            Terminal.complain("skerry: \(error.message)\n")
            throw ExitCode.validationFailure
        }
    }

    /// Reads where the HTTP API of a bridge is.
    ///
    /// - Parameters:
    ///   - config: The configuration file, if one was named.
    ///   - options: The options of the command, by names of settings.
    /// - Returns: these settings.
    /// - Throws: an exit code, after saying which setting is wrong, where, and what it may be.
    static func loadHTTP(_ config: String?, _ options: [String: WrittenSetting]) throws -> SettingsHTTP {
        try complaining { () throws(SettingFault) in
            let reader = SettingsReader(
                options: options,
                environment: SettingsEnvironment(ProcessEnvironment.variables),
                file: try file(config)
            )
            return try SettingsHTTP(reader, SettingsPartitions(reader))
        }
    }

    static func complaining<Read>(_ read: () throws(SettingFault) -> Read) throws -> Read {
        do throws(SettingFault) {
            return try read()
        } catch {
            Terminal.complain("skerry: \(error.message)\n")
            throw ExitCode.validationFailure
        }
    }

    /// A setting that topics begin with.
    static func prefix<Value>(
        _ reader: SettingsReader,
        _ key: SettingKey<Value>
    ) throws(SettingFault) -> Value {
        if let problem = reader.text(key.name).flatMap(problem(ofPrefix:)) {
            throw reader.fault(key, problem)
        }
        return try reader[key]
    }

    /// The reason why topics can't begin with a text; nil if they can.
    static func problem(ofPrefix prefix: String) -> String? {
        let isWrong =
            prefix.isEmpty || prefix.contains("+") || prefix.contains("#") || prefix.hasPrefix("$")
            || prefix.hasSuffix("/")
        guard isWrong else { return nil }
        return
            "'\(prefix)' can't begin topics: a prefix has no '+' or '#', no '$' at its start and no '/' at its end"
    }

    private static func language(_ reader: SettingsReader) throws(SettingFault) -> TextLanguage? {
        do {
            return try reader.text(SettingKeys.Definitions.language.name).map(TextLanguage.init(argument:))
        } catch {
            throw reader.fault(SettingKeys.Definitions.language, error.message)
        }
    }

    private static func topics(_ reader: SettingsReader) throws(SettingFault) -> MovedTopics {
        let moves = try reader[SettingKeys.Definitions.topics]
        do throws(MovedTopicFault) {
            return try MovedTopics(moves)
        } catch {
            throw reader.fault(SettingKeys.Definitions.topics, error.message)
        }
    }

    /// Reads from a configuration file and the environment what changes the messages of a replay: the language of
    /// texts, the topics, and what is published beside snapshots.
    static func replayed(
        in path: String?
    ) throws(SettingFault) -> (language: TextLanguage?, topics: MovedTopics, published: PublishedForms) {
        let file = try path.flatMap { path throws(SettingFault) in try Self.file(path) }
        let environment = SettingsEnvironment(ProcessEnvironment.variables)
        let reader = SettingsReader(options: [:], environment: environment, file: file)
        return (try language(reader), try topics(reader), try PublishedForms(reader))
    }

    /// Reads the announcement to Home Assistant, which leads to the page if there is one.
    private static func homeAssistant(
        _ reader: SettingsReader,
        page: String?
    ) throws(SettingFault) -> HomeAssistantOptions? {
        let prefix = try prefix(reader, SettingKeys.HomeAssistant.prefix)
        guard try reader[SettingKeys.HomeAssistant.isAnnounced] else { return nil }
        return HomeAssistantOptions(prefix: prefix, page: page)
    }

    private enum LogFormat: String {
        case text
        case json
    }

    private static func logFormat(_ reader: SettingsReader) throws(SettingFault) -> LogFormat {
        try reader.word(SettingKeys.Log.format) ?? (Terminal.errorIsTerminal ? .text : .json)
    }

    private static func read(
        _ reader: SettingsReader,
        configuration: String?
    ) throws(SettingFault) -> Settings {
        typealias Bridge = SettingKeys.Bridge
        typealias History = SettingKeys.History
        let logLevel: Logger.Level = try reader.word(SettingKeys.Log.level)
        let format = try logFormat(reader)
        let prefix = try prefix(reader, Bridge.prefix)
        let limits = try SettingsLimits(reader)
        let partitions = try SettingsPartitions(reader)
        let clientID = try reader[SettingKeys.MQTT.clientID] + (partitions?.suffix ?? "")
        let store = try SettingsStore(reader, partitions, clientID: clientID)
        let broker = try SettingsBroker(reader, store, partitions, configuration: configuration)
        var mqtt = try mqtt(broker.reader, limits)
        mqtt.clientID = clientID
        let push = try SettingsPush(reader)
        let location = try SettingsPlace.location(reader)
        let sinks = try SettingsSink.all(reader, clientID: mqtt.clientID)
        let definitions = try reader[SettingKeys.Definitions.definitions]
        let adopts = definitions.contains(automatic)
        let http = try SettingsHTTP(reader, partitions)
        return Settings(
            location: location,
            definitions: definitions.filter { $0 != automatic },
            namesDefinitions: reader.texts(SettingKeys.Definitions.definitions.name) != nil,
            adoptsDefinitions: adopts,
            isToldToAdopt: adopts && reader.isOfCommandLine(SettingKeys.Definitions.definitions),
            language: try language(reader),
            topics: try topics(reader),
            prefix: prefix,
            partitions: partitions,
            published: try PublishedForms(reader),
            healthInterval: try reader[Bridge.healthInterval],
            limits: limits,
            mqtt: mqtt,
            broker: broker,
            // The session of a partition is known to the others by its name.
            namesSession: reader.isSet(SettingKeys.MQTT.clientID) || partitions != nil,
            store: store,
            push: push,
            sinks: sinks,
            alertFreshness: try reader[History.alertFreshness],
            history: HistoryLimits(
                activities: try reader[History.activities],
                age: .hours(24 * Int64(try reader[History.days]))
            ),
            recordLength: .hours(Int64(try reader[History.recordHours])),
            http: http,
            homeAssistant: try homeAssistant(reader, page: http.page),
            logLevel: logLevel,
            logsJSON: format == .json
        )
    }

    /// The word in place of a path of definitions that stands for those that come with Skerry.
    private static let automatic = "auto"

    /// The places of definitions, for people.
    var placesOfDefinitions: String {
        (definitions + (adoptsDefinitions ? ["the ones that come with Skerry"] : [])).joined(separator: ", ")
    }

    /// Has definitions that come with Skerry adopted where nobody named any and there is none in the usual folder, or was none
    /// before: what was adopted then goes on beside later ones.
    ///
    /// - Parameter path: The database of the bridge, beside which adopted kinds are kept.
    mutating func adoptWithoutDefinitions(store path: String?) {
        guard !namesDefinitions, !store.isShared, partitions == nil, ShippedDefinitions.folder != nil else {
            return
        }
        let own = (try? DefinitionFiles.load(definitions)) ?? []
        adoptsDefinitions = own.isEmpty || AdoptedDefinitions.areKept(beside: path)
    }

    /// The file that is read where none is named: that of this folder, or else that of the service, if it is there.
    static var usualFile: String {
        let own = "skerry.yaml"
        return access(own, F_OK) != 0 && access(serviceFile, F_OK) == 0 ? serviceFile : own
    }

    /// The file of the packaged service.
    static let serviceFile = "/etc/skerry/skerry.yaml"

    /// The help for the option that names another one.
    static let fileHelp: ArgumentHelp =
        "The configuration file (default: skerry.yaml, if it is there, else /etc/skerry/skerry.yaml)."

    /// Reads the configuration file; nil when there is none, or nothing in it.
    ///
    /// Problems are reported with their places but without their lines, which may hold a password.
    static func file(_ config: String?) throws(SettingFault) -> SettingsFile? {
        let path = config ?? usualFile
        let file: SettingsFile
        do throws(FileError) {
            file = try SettingsFile(path: path)
        } catch {
            if config == nil, access(path, F_OK) != 0 { return nil }
            throw SettingFault(message: "\(error)")
        }
        if !file.problems.isEmpty { throw SettingFault(file.problems, in: path) }
        return file.isEmpty ? nil : file
    }

    /// A path from the root on.
    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        let parts = path.split(separator: "/").filter { $0 != "." }
        return "\(String(cString: folder))/\(parts.joined(separator: "/"))"
    }

    private static func mqtt(
        _ reader: SettingsReader,
        _ limits: SettingsLimits
    ) throws(SettingFault) -> MosquittoOptions {
        typealias MQTT = SettingKeys.MQTT
        let tls = MosquittoOptions.TLS(
            authorityFile: try reader[MQTT.authorityFile],
            certificateFile: try reader[MQTT.certificateFile],
            keyFile: try reader[MQTT.keyFile],
            isInsecure: try reader[MQTT.isInsecure]
        )
        // Any setting of TLS turns it on: a password must not go in the clear because `enabled` was left out.
        let usesTLS = try reader[MQTT.usesTLS] ?? (tls != MosquittoOptions.TLS())
        var options = MosquittoOptions(
            host: try reader[MQTT.host],
            port: try reader[MQTT.port] ?? (usesTLS ? 8883 : 1883),
            clientID: try reader[MQTT.clientID]
        )
        options.version = try reader.word(MQTT.version)
        options.receiveMaximum = try reader[MQTT.receiveMaximum]
        options.payloadLimit = limits.device.json.bytes
        options.maximumPacketSize = options.payloadLimit + 64 * 1024
        options.username = try reader[MQTT.username].map { .text($0) }
        if let file = try reader[MQTT.passwordFile], !reader.outranks(MQTT.password, MQTT.passwordFile) {
            options.password = .file(file)
        } else {
            options.password = try reader[MQTT.password].map { .text($0) }
        }
        if usesTLS { options.tls = tls }
        return options
    }
}

extension SettingFault {
    /// The fault of a file with problems: a line for each.
    init(_ problems: [DefinitionProblem], in path: String) {
        self.init(message: problems.map { $0.line(in: path) }.joined(separator: "\n"))
    }
}

extension DefinitionProblem {
    /// The problem of a file of settings on one line.
    func line(in path: String) -> String {
        let remedy = remedy.map { "; \($0)" } ?? ""
        return "\(path):\(place.line):\(place.column): \(message)\(remedy)"
    }
}

/// Forms in which an activity is published beside its snapshot.
struct PublishedForms {
    /// True if each change is published as a diff.
    let diffs: Bool
    /// True if the timeline is published.
    let timelines: Bool

    fileprivate init(_ reader: SettingsReader) throws(SettingFault) {
        diffs = try reader[SettingKeys.Bridge.publishesDiffs]
        timelines = try reader[SettingKeys.Bridge.publishesTimelines]
    }
}

/// The bounds that can be set.
struct SettingsLimits {
    var device = DeviceLimits()
    var engine = EngineLimits()
    var outbox: Int

    fileprivate init(_ reader: SettingsReader) throws(SettingFault) {
        typealias Limits = SettingKeys.Limits
        let bytes = try reader[Limits.payload]
        device.json = JSONLimits(bytes: bytes, depth: try reader[Limits.jsonDepth])
        let cost = try reader[Limits.expressionCost]
        device.expressionCost = Int32(cost)
        device.messageCost = max(device.messageCost, 200 * cost)
        device.microsteps = try reader[Limits.microsteps]
        device.contentBytes = try reader[Limits.content]
        engine.devices = try reader[Limits.devices]
        engine.newDevices = try reader[Limits.newDevices]
        engine.nameBytes = try reader[Limits.deviceName]
        device.valueBytes = try reader[Limits.value]
        device.deviceBytes = try reader[Limits.deviceValues]
        engine.valueBytes = try reader[Limits.allValues]
        engine.topics = try reader[Limits.topics]
        outbox = try reader[Limits.outbox]
    }
}
