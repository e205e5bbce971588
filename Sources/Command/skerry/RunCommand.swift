import ArgumentParser
import Logging
import SkerryCommand
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryHouse
import SkerryMosquitto
import SkerryPostgres
import SkerryStore
import SkerryValues

/// `skerry run`: the bridge.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the bridge between devices and the people who follow them.",
        discussion: """
            Subscribes to the topics of all definitions and publishes, under the prefix:
              <kind>/<device>/activity        the snapshot, retained
              <kind>/<device>/activity/diff   what changed, an RFC 7396 merge patch
              <kind>/<device>/alert           an alert, when it is given
              <kind>/<device>/phone           what somebody did with a card on a phone
              <kind>/<device>/availability    online or offline, retained
              bridge/state, bridge/info, bridge/health
            Events for a device go to <prefix>/<kind>/<device>/event.

            Settings come from skerry.yaml or /etc/skerry/skerry.yaml, from the environment (SKERRY_MQTT_HOST …) and from flags; the environment \
            outranks the file, and flags outrank both. The password comes from SKERRY_MQTT_PASSWORD or a file, never \
            from a flag.

            Devices, timers and undelivered messages are kept in a database, and survive a restart or a power cut: \
            store.path, by default $STATE_DIRECTORY/skerry.db or ~/.local/state/skerry/<client id>.db; 'none' keeps \
            nothing. postgresql://user@host/database is for several gateways with the same settings: one of them is active, the \
            others stand by, and take over when it fails; the password comes from PGPASSWORD or PGPASSFILE.

            If the setting 'partitions' counts several, each process has the devices of one of them, which --partition names, \
            with a session, a store and topics of the bridge (bridge-p0/state …) of its own.

            As a systemd service (Type=notify) it reports when it is ready, the state of the connection, and, for the \
            watchdog, that it is alive.

            A page shows what the devices do, at http.address, by default on http://127.0.0.1:7537; 'none' turns that off. \
            Phones pair and report their tokens there, too: see 'skerry help pair'.

            With push.apns.key it sends Live Activities to phones, through Apple's push service and no other. With \
            sinks.home-assistant.url, sinks.webhook.url, sinks.ntfy.topic, sinks.fcm.service-account-file or \
            sinks.braze.url, these services get the activities, too.

            Without a definition it starts, too: devices that are recognised beyond doubt get one of those that come with \
            Skerry ('auto'), and the page shows what else is heard.

            A definition file that changes is read at once, and SIGHUP reads all of them: devices and timers go on. If \
            a file has an error, nothing changes, and the log says why; 'skerry check --against' shows beforehand what \
            would happen to the devices.

            SIGTERM and SIGINT end it: it finishes its batch, publishes 'offline' and disconnects. Exit status: 0 \
            after such an end, 1 for wrong definitions, 64 for wrong settings, 69 when somebody has to help, as when a newer \
            version has written the database or another bridge is online with the same prefix, 75 when the next start may \
            succeed, as after the loss of the database or of its lease.
            """,
        // -h is the host, as mosquitto's own clients have it.
        helpNames: .long
    )

    @OptionGroup var options: RunOptions

    @Flag(
        help: "Start even if another bridge is online with this prefix, and take over its retained messages."
    )
    var takeOver = false

    @Argument(help: .hidden) var others: [String] = []

    func validate() throws {
        guard let first = others.first else { return }
        throw ValidationError(
            "'\(first)' belongs to no option; definitions are named with -d: skerry run -d \(first)"
        )
    }

    func run() async throws {
        if try await serve() { try Restart.begin() }
    }

    /// Runs the bridge until it ends.
    ///
    /// - Returns: whether it is to begin anew.
    private func serve() async throws -> Bool {
        var settings = try written()
        let level = LogLevel(settings.logLevel)
        let logger = Self.logger(settings, level)
        let mailbox = DefinitionMailbox()
        let storePath = try settings.store.path()
        let feed = try Self.feed(settings, storePath, mailbox, logger)
        settings.mqtt.will = settings.will
        let clock = SystemClock()
        let bus = MosquittoBus(settings.mqtt)
        logger.info(.starting, Self.beginning(settings, feed, store: storePath))
        NoDefinitions.tell(settings, feed, logger)
        // Before the store, for which a standby waits long: until here SIGHUP ends the process.
        feed.start { bus.wake() }
        let end = EarlyEnd { bus.stop() }
        let opening = StoreOpening(settings, storePath, logger, end)
        guard let store = try await opening.open(by: clock) else { return false }
        defer { store.close() }
        end.broker.begin()
        let options = Self.bridge(settings, store, opening, takesOver: takeOver)
        bus.name(options.clientID)
        let parts = BridgeParts(
            settings: settings,
            feed: feed,
            options: options,
            store: store,
            logger: logger
        )
        if Signals.isStopAsked(within: .zero) { return false }
        try await Self.demandPlace(parts)
        let time = BridgeTime(clock)
        let house = try Self.house(parts, storePath, end) { bus.wake() }
        let phones = try Self.phones(parts, time, house) { end.look(at: .storeIsLost($0)) }
        let sinks = try Self.sinks(parts)
        let scout = feed.adopted.map { DefinitionScout.companion(settings, feed, $0, logger) { bus.wake() } }
        let services = phones.services + sinks.services + [scout].compactMap { $0 }
        try await bus.runAsService(beside: services, broker: house.brokerAddress, logger: logger) {
            var ports = Self.ports(parts, mailbox, house, level)
            ports.sinks = phones.sinks + sinks.queues
            ports.watcher.tell = { event in
                time.take(event)
                phones.watch(event)
                end.look(at: event)
            }
            ports.watcher.wantsTimelines = phones.wantsTimelines
            ports.watcher.decisions = {
                phones.decisions(kind: $0, device: $1) + sinks.decisions(kind: $0, device: $1)
            }
            return try Bridge.recover(
                definitions: feed.definitions,
                store: store,
                clock: clock,
                options: options,
                ports: ports
            ).bridge
        }
        try end.report()
        logger.info(.ended, end.isBeginning ? "ended, to begin anew with the broker of the page" : "ended")
        return end.isBeginning
    }

    /// The settings, with those of the command line; from then on a signal ends the bridge in order.
    private func written() throws -> Settings {
        var settings = try Settings.load(options.broker, options.settings, logs: true)
        try settings.partitions?.demandOwn()
        settings.adoptWithoutDefinitions(store: try settings.store.path())
        // May wait for the writer of a pipe.
        try settings.readSecrets()
        Signals.catchStop()
        return settings
    }

    /// The definitions of the bridge, which are read for the first time.
    ///
    /// - Throws: an exit code when they can't be used, after telling people what to do.
    private static func feed(
        _ settings: Settings,
        _ store: String?,
        _ mailbox: DefinitionMailbox,
        _ logger: Logger
    ) throws -> DefinitionFeed {
        if settings.adoptsDefinitions, settings.store.isShared || settings.partitions != nil {
            let other = settings.store.isShared ? "gateway" : "partition"
            Terminal.complain(
                "skerry: definitions: auto keeps what it finds for this process, and another \(other) would not know it: name the "
                    + "definitions (definitions)\n"
            )
            throw ExitCode.validationFailure
        }
        let adopted = settings.adoptsDefinitions ? try adopted(settings, store) : nil
        let feed = try DefinitionFeed(settings, adopting: adopted, mailbox: mailbox, logger: logger)
        try NoDefinitions.demandNothingIsLost(settings, feed, store: store)
        return feed
    }

    /// The definitions that come with Skerry, and those of them that were adopted.
    private static func adopted(_ settings: Settings, _ store: String?) throws -> AdoptedDefinitions {
        let folder = try DefinitionLoading.demandShipped()
        do throws(FileError) {
            return try AdoptedDefinitions(folder, store: store, for: settings)
        } catch {
            Terminal.complain("skerry: \(error)\n")
            throw ExitCode.badInput
        }
    }

    /// The first line of the log: the definitions, settings and store in use.
    private static func beginning(_ settings: Settings, _ feed: DefinitionFeed, store: String?) -> String {
        let count = feed.definitions.count
        let definitions = "\(count) definition\(count == 1 ? "" : "s")"
        return [
            "skerry \(Version.current)", settings.file.map { "settings in \($0)" } ?? "no settings file",
            "\(definitions) in \(settings.placesOfDefinitions)",
            store.map { "store in \($0)" } ?? "no store",
            "broker \(settings.mqtt.address)"
                + (settings.broker.isChosen ? ", chosen on the page" : ""),
        ].joined(separator: ", ")
    }

    /// A hash of the machine's id (machine-id(5)), which is not for others; nil where there is none, as in most containers.
    private static var machine: String? {
        guard let id = try? FileBytes.text("/etc/machine-id", limit: 64), id.utf8.count > 31 else {
            return nil
        }
        return String("skerry \(id)".utf8.fingerprint, radix: 16)
    }

    private static func bridge(
        _ settings: Settings,
        _ store: GatewayStore,
        _ opening: StoreOpening,
        takesOver: Bool
    ) -> BridgeOptions {
        var options = BridgeOptions(version: Version.current)
        options.takesOver = takesOver
        options.prefix = settings.prefix
        options.machine = machine
        let damaged = store.progress == nil ? opening.path.flatMap { StoreFile.markOfDamaged($0) } : nil
        options.succeeds = damaged != nil || opening.wasEmptied
        options.newOwner = mark(settings, store, damaged: damaged ?? nil)
        let isNamed = settings.namesSession || !options.newOwner.hasPrefix(markStart)
        options.clientID = isNamed ? settings.mqtt.clientID : options.newOwner
        if case .shared(let store) = store {
            // A gateway that shares the store is no stranger, wherever it runs.
            options.machine = store.mark
            options.node = store.owner
        }
        options.publishesDiffs = settings.published.diffs
        options.publishesTimelines = settings.published.timelines
        options.healthInterval = settings.healthInterval
        options.outboxLimit = settings.limits.outbox
        options.engine = settings.limits.engine
        options.engine.partition = settings.partitions?.own
        options.partitionPrefix = settings.partitions?.prefix
        options.alertFreshness = settings.alertFreshness
        options.history = settings.history
        options.recordLength = settings.recordLength
        options.homeAssistant = settings.homeAssistant
        options.checkpointInterval = settings.store.checkpointInterval
        return options
    }

    /// The beginning of marks of stores after which sessions are named; those of earlier versions have none.
    private static let markStart = "skerry-"

    /// The mark of a store, or that of a new one, which is then given to it.
    private static func mark(_ settings: Settings, _ store: GatewayStore, damaged: String?) -> String {
        let fresh = UInt64.random(in: .min ... .max)
        if let progress = store.progress { return progress.owner ?? String(fresh, radix: 16) }
        if let damaged { return damaged }
        if case .memory = store {
            // It has no place for a mark that outlives the process.
            let place = "\(machine ?? "") \(settings.prefix) \(settings.mqtt.clientID)"
            return markStart + String(place.utf8.fingerprint, radix: 16)
        }
        return markStart + String(fresh, radix: 16)
    }

    /// Makes sure that no other bridge must keep the place at the broker, as far as that can be known yet.
    ///
    /// - Throws: an exit code, after saying why it must.
    private static func demandPlace(_ parts: BridgeParts) async throws {
        if parts.options.takesOver { return }
        let bus = parts.settings.mqtt.surveyBus
        let finding = Found(SessionScout.Finding.isFree)
        do {
            try bus.start(
                SessionScout(parts.options, progress: parts.store.progress) {
                    finding.put($0)
                    bus.stop()
                }
            )
        } catch {
            // The bus of the bridge tells it.
            return
        }
        await bus.finished()
        // Without a broker, the bridge finds out when it connects.
        guard case .isTaken(let reason) = finding.finding else { return }
        Terminal.complain("skerry: \(reason)\n")
        throw ExitCode.unavailable
    }

    private static func logger(_ settings: Settings, _ level: LogLevel) -> Logger {
        let isJSON = settings.logsJSON
        return Logger(label: "skerry") { LogOutput(label: $0, level: level, isJSON: isJSON) }
    }

    /// The sources from which the desk of the house answers.
    private static func house(
        _ parts: BridgeParts,
        _ storePath: String?,
        _ end: EarlyEnd,
        wake: @escaping @Sendable () -> Void
    ) throws -> HouseSources {
        let (settings, feed) = (parts.settings, parts.feed)
        var house = HouseSources(
            mailbox: QuestionMailbox(),
            wake: wake,
            files: { feed.files },
            history: parts.store.history(at: storePath),
            makeBus: { [mqtt = settings.mqtt.forSearch] in mqtt.surveyBus }
        )
        house.failures = parts.failures
        house.definitionPaths = settings.definitions
        house.location = { feed.location }
        house.language = settings.language
        house.topics = settings.topics
        house.limits = settings.limits.device
        house.sink = MQTTSink(prefix: settings.prefix, publishesDiffs: settings.published.diffs)
        house.broker = settings.brokerChoice(parts.options, parts.store.progress, end)
        house.brokerAddress = settings.mqtt.address
        house.isStored = !settings.store.keepsNothing
        let measures = Measures(parts.store, at: storePath)
        house.measure = { measures.write(to: &$0, isActive: true) }
        house.settings = { feed.settings }
        house.devicesFile = try settings.store.devicesFile()
        house.readDevices = { feed.readPage() }
        house.offerDefinitions(settings, feed, store: settings.store.isShared ? nil : storePath)
        return house
    }

    /// The ports of a bridge: the mailboxes, and the parts of this process that requests over MQTT reach.
    private static func ports(
        _ parts: BridgeParts,
        _ mailbox: DefinitionMailbox,
        _ house: HouseSources,
        _ level: LogLevel
    ) -> BridgePorts {
        var ports = BridgePorts(logger: parts.logger)
        (ports.definitions, ports.questions) = (mailbox, house.mailbox)
        ports.room = { [cards = house.cards] in cards.room(of: $0) }
        ports.surroundings = BridgeSurroundings(
            house: HouseDesk(house, clock: SystemClock()),
            reload: { [feed = parts.feed] in feed.readAgain(house.wake) },
            setLogLevel: { name in
                guard let wanted = Logger.Level(rawValue: name) else { return false }
                level.value = wanted
                return true
            },
            wake: house.wake
        )
        return ports
    }

    /// - Throws: an exit code when a further service can't be served, after saying why.
    private static func sinks(_ parts: BridgeParts) throws -> SinkServices {
        do throws(ServiceFault) {
            return try SinkServices(parts)
        } catch {
            throw error.report()
        }
    }

    /// - Throws: an exit code when the phones can't be looked after, after saying why.
    private static func phones(
        _ parts: BridgeParts,
        _ time: BridgeTime,
        _ house: HouseSources,
        onLoss: @escaping @Sendable (StoreFault) -> Void
    ) throws -> PhoneServices {
        do {
            return try PhoneServices(parts, time: time, house: house, onLoss: onLoss)
        } catch let fault as any EndingFault {
            throw fault.report()
        }
    }
}
