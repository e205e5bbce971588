import Logging
import SkerryCommand
import SkerryDashboard
import SkerryGateway

/// The page of the demonstration, which only this machine sees.
struct DemoPage: Sendable {
    /// The log that readers of the page follow.
    let log: EventLog
    private let phones: PhoneDesk
    private let house: any HouseAnswers
    private let clock: SystemClock
    private let logger: Logger
    private let addresses: AsyncStream<HTTPAddress>
    private let tell: AsyncStream<HTTPAddress>.Continuation

    init(
        _ clock: SystemClock,
        phones: PhoneDesk?,
        house: any HouseAnswers,
        options: BridgeOptions,
        logger: Logger
    ) throws {
        log = EventLog(rate: clock.rate) { clock.now }
        self.phones =
            try phones
            ?? PhoneDesk(
                store: MemoryPhoneStore(),
                queue: SinkQueue(name: "phones", options: options),
                clock: clock,
                logger: logger
            )
        self.house = house
        self.clock = clock
        self.logger = logger
        (addresses, tell) = AsyncStream.makeStream()
    }

    /// Prints the address, once it is taken.
    func tellAddress() async {
        guard let address = await addresses.first(where: { _ in true }) else { return }
        Terminal.write(Array("Simulated devices, drawn on the page at http://\(address)\n".utf8))
    }

    /// Serves until it is cancelled, at the usual address or, if that is taken, at another one.
    func serve() async {
        defer { tell.finish() }
        for address in [HTTPAddress.usual, HTTPAddress(host: HTTPAddress.usual.host, port: 0)] {
            var options = DashboardOptions(address: address)
            options.version = Version.current
            let server = DashboardServer(
                options: options,
                of: ServedBridge(phones: phones, log: log, house: house),
                admin: AdminSecret(),
                logger: logger
            ) { tell.yield($0) }
            do {
                try await server.run()
                return
            } catch {
                logger.debug(.pageAway, "\(error)")
            }
        }
    }
}
