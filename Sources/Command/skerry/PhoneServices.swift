import ArgumentParser
import Glibc
import Logging
import SkerryActivity
import SkerryCommand
import SkerryDashboard
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryHouse
import SkerryPhones
import SkerryPush

/// The services of `skerry run` for phones: their desk, the push service, and the HTTP API.
struct PhoneServices {
    /// The queues of further sinks.
    private(set) var sinks: [SinkQueue] = []
    /// The services that run as long as the bus.
    private(set) var services: [Companion] = []
    /// The desk of the phones; nil if no setting needs it.
    private var desk: PhoneDesk?
    /// Called with every event of the bridge.
    private(set) var watch: @Sendable (BridgeEvent) -> Void = { _ in }
    /// True if somebody wants the timelines, too.
    private(set) var wantsTimelines: @Sendable () -> Bool = { false }

    /// Makes the services that the settings ask for; `onLoss` is called when the database of the phones is lost.
    ///
    /// - Throws: a `ServiceFault`, or a `StoreFault`.
    init(
        _ parts: BridgeParts,
        time: BridgeTime,
        house: HouseSources,
        onLoss: @escaping @Sendable (StoreFault) -> Void
    ) throws {
        let (settings, feed, logger) = (parts.settings, parts.feed, parts.logger)
        guard settings.push != nil || settings.http.options != nil else { return }
        var household = settings.push?.household ?? PushSchedulerSettings()
        household.alertFreshness = settings.alertFreshness
        let queue = SinkQueue(name: "phones", options: parts.options)
        let desk = try PhoneDesk(
            settings: household,
            audience: feed.audience,
            quiet: feed.quiet,
            store: parts.store.phones,
            queue: queue,
            partition: parts.options.engine.partition,
            clock: SystemClock(),
            logger: logger,
            onLoss: onLoss
        )
        self.desk = desk
        desk.publishGestures(by: MQTTSink(prefix: settings.prefix), through: house.mailbox, wake: house.wake)
        feed.onAudience { desk.setAudience($0, quiet: $1) }
        if let push = settings.push {
            sinks.append(queue)
            let service = try push.service(
                desk: desk,
                queue: queue,
                storePath: settings.store.filesPath(),
                logger: logger
            )
            services.append { await service.run() }
        }
        var house = house
        house.phones = desk
        house.hasPushes = settings.push != nil
        let browsers = try BrowserDesk(
            parts.store.phones,
            logger: logger,
            clockIsRight: { queue.clockIsKnown },
            onLoss: onLoss
        )
        desk.onClockMove { browsers.clockMoved(by: $0) }
        watch = { desk.watch($0) }
        try addDashboard(parts, desk, browsers, house, time)
    }

    /// The last decisions about the activities of a device.
    func decisions(kind: String, device: String) -> [PhoneDecision] {
        desk?.decisions(kind: kind, device: device) ?? []
    }

    /// Adds the page and the HTTP API, when the settings have them.
    ///
    /// The bridge goes on without them when their address is taken and no setting names that address. Without a place for the
    /// secret no phone can be paired, but this machine sees the page.
    private mutating func addDashboard(
        _ parts: BridgeParts,
        _ phones: PhoneDesk,
        _ browsers: BrowserDesk,
        _ house: HouseSources,
        _ time: BridgeTime
    ) throws {
        let (http, logger) = (parts.settings.http, parts.logger)
        guard let options = try http.readingOptions() else { return }
        let admin: AdminSecret
        do throws(ServiceFault) {
            admin = try Self.secret(http, logger)
        } catch {
            if http.isDemanded { throw error }
            logger.warning(.pairingOff, "\(error.message); until then, no phone can be paired")
            admin = AdminSecret()
        }
        let log = EventLog { time.now }
        let answers = HouseDesk(house, clock: SystemClock())
        watch = { event in
            phones.watch(event)
            log.take(event)
            answers.watch(event)
        }
        wantsTimelines = { log.hasReaders }
        let server = DashboardServer(
            options: options,
            of: ServedBridge(phones: phones, browsers: browsers, log: log, house: answers),
            admin: admin,
            logger: logger
        )
        services.append { [isDemanded = http.isDemanded] in
            do {
                try await server.run()
            } catch let fault as DashboardServer.BindFault {
                if isDemanded { throw ServiceFault(message: fault.message, status: .passing) }
                logger.warning(
                    .pageAway,
                    "\(fault.message); the bridge goes on without its page and HTTP API (http.address)"
                )
            }
        }
    }

    /// The secret that allows pairing phones, created if there is none.
    static func secret(_ http: SettingsHTTP, _ logger: Logger) throws(ServiceFault) -> AdminSecret {
        let path = try http.tokenPath()
        if let end = path.lastIndex(of: "/") {
            try? Folder.make(String(path[..<end]))
        }
        do throws(AdminSecret.Fault) {
            let secret = try AdminSecret(keptIn: path)
            if secret.isReadableByOthers {
                logger.warning(.secretOpen, "\(path): others can read it, too: run chmod 600")
            }
            return secret
        } catch {
            throw ServiceFault(
                message: "\(error.message): name another http.admin-token-file, or http.address: none",
                // What is there stays as it is, however long one waits.
                status: access(path, F_OK) == 0 ? .validationFailure : .passing
            )
        }
    }
}

/// A fault that ends the process.
protocol EndingFault: Error {
    /// The fault and its remedy, one line.
    var message: String { get }
    /// The status with which the process ends.
    var status: ExitCode { get }
}

extension EndingFault {
    /// Says why the process ends, and returns its exit code.
    func report() -> ExitCode {
        Terminal.complain("skerry: \(message)\n")
        return status
    }
}

/// Why something beside the bus does not run.
struct ServiceFault: EndingFault {
    /// The fault and its remedy, one line.
    var message: String
    /// The status with which the process ends if it needs that.
    var status = ExitCode.unavailable
}
