import ArgumentParser
import Logging
import SkerryDevice
import SkerryGateway
import SkerryMosquitto

/// `skerry run`: the bridge.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the bridge between devices and those who watch them.",
        discussion: """
            Subscribes to the topics of all definitions and publishes, under the prefix:
              <kind>/<device>/activity        the snapshot, retained
              <kind>/<device>/activity/diff   what changed, an RFC 7396 merge patch
              <kind>/<device>/availability    online or offline, retained
              bridge/state, bridge/info, bridge/health
            Events for a device go to <prefix>/<kind>/<device>/event.

            Settings come from skerry.yaml, from the environment (SKERRY_MQTT_HOST …) and from flags; the latter \
            outrank the former. The password comes from SKERRY_MQTT_PASSWORD or a file, never from a flag.

            Devices, timers and what was not yet delivered are kept in a database, and go on after a restart or a \
            power cut: store.path, by default $STATE_DIRECTORY/skerry.db or ~/.local/state/skerry/<client id>.db; \
            'none' keeps nothing.

            As a service of systemd (Type=notify) it says when it is ready, how the connection is, and that it is \
            alive, for the watchdog.

            A changed file of the definitions is read at once, SIGHUP reads them all: devices and timers go on. Files \
            with an error change nothing, and the log tells why; 'skerry check --against' tells beforehand what would \
            become of the devices.

            SIGTERM and SIGINT end it: it finishes its batch, publishes 'offline' and disconnects. Exit status: 0 \
            after such an end, 1 for wrong definitions, 64 for wrong settings, 69 when the bus can't start.
            """,
        // -h is the host, as mosquitto's own clients have it.
        helpNames: .long
    )

    @OptionGroup var broker: BrokerOptions

    @Option(name: [.short, .long], help: "A file or folder of definitions (default: devices).")
    var definitions: [String] = []

    @Option(help: "What all published topics start with (default: skerry).")
    var prefix: String?

    @Option(help: "The database that keeps devices over a restart, or 'none'.")
    var store: String?

    func run() async throws {
        var further: [(key: String, value: SettingValue)] = []
        if let prefix { further.append(("prefix", .text(prefix))) }
        if let store { further.append(("store.path", .text(store))) }
        var settings = try await Settings.load(broker, further)
        if !definitions.isEmpty { settings.definitions = definitions }
        let (level, isJSON) = (settings.logLevel, settings.logsJSON)
        let logger = Logger(label: "skerry") { LogOutput(label: $0, level: level, isJSON: isJSON) }
        let mailbox = DefinitionMailbox()
        let feed = try DefinitionFeed(
            settings.definitions,
            limits: settings.limits.device,
            mailbox: mailbox,
            logger: logger
        )
        let compiled = feed.definitions
        var options = BridgeOptions(version: Version.current)
        options.prefix = settings.prefix
        options.healthInterval = settings.healthInterval
        options.outboxLimit = settings.limits.outbox
        options.engine = settings.limits.engine
        settings.mqtt.will = MQTTSink(prefix: settings.prefix).state(isOnline: false)
        options.alertFreshness = settings.alertFreshness
        options.history = settings.history
        options.checkpointInterval = settings.store.checkpointInterval
        let clock = SystemClock()
        let storePath = try settings.store.path()
        let kept: (store: GatewayStore, notice: String?)
        do {
            kept = try settings.store.open(storePath, at: clock.now)
        } catch {
            Terminal.complain("skerry: \(error.message)\n")
            throw ExitCode.unavailable
        }
        if let notice = kept.notice { logger.error("\(notice)") }
        let bus = MosquittoBus(settings.mqtt)
        let broker = "\(settings.mqtt.host):\(settings.mqtt.port)"
        logger.info("skerry \(Version.current), \(compiled.count) definitions, broker \(broker)")
        logger.debug("devices are kept in \(storePath ?? "memory only")")
        let store = kept.store
        feed.start { bus.wake() }
        try await bus.runAsService(broker: broker, logger: logger) { [options] in
            try Bridge(
                definitions: compiled,
                store: store,
                clock: clock,
                options: options,
                mailbox: mailbox,
                logger: logger
            )
        }
        logger.info("ended")
    }
}
