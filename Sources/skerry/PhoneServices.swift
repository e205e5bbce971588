import Logging
import ServiceLifecycle
import SkerryActivity
import SkerryGateway

/// What `skerry run` has beside the bus for phones: where they are looked after, and what sends to them.
struct PhoneServices {
    /// What takes updates besides the broker.
    private(set) var sinks: [SinkQueue] = []
    /// What runs as long as the bus does.
    private(set) var services: [any Service] = []
    /// Where phones are looked after; nil when nothing is set that is for phones.
    private(set) var desk: PhoneDesk?

    /// Makes what the settings ask for.
    ///
    /// - Throws: a `ServiceFault`, or a `StoreFault`.
    init(
        _ settings: Settings,
        options: BridgeOptions,
        store: GatewayStore,
        storePath: String?,
        logger: Logger
    ) throws {
        guard settings.push != nil else { return }
        var household = settings.push?.household ?? HouseholdSettings()
        household.alertFreshness = settings.alertFreshness
        let queue = SinkQueue(name: "phones", options: options)
        let desk = try PhoneDesk(
            settings: household,
            store: store.phones,
            queue: queue,
            clock: SystemClock(),
            logger: logger
        )
        self.desk = desk
        #if Push
        if let push = settings.push {
            sinks.append(queue)
            services.append(
                try push.service(desk: desk, queue: queue, storePath: storePath, logger: logger)
            )
        }
        #endif
    }
}

/// Why something beside the bus does not run.
struct ServiceFault: Error {
    /// What happened and what to do, one line.
    var message: String
}
