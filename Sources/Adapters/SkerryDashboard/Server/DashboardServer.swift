import Glibc
package import Logging
package import SkerryGateway
import SkerryValues

/// The bridge that a server shows: who may see it, and what there is to see.
package struct ServedBridge: Sendable {
    let phones: any PhoneDirectory
    let browsers: BrowserDesk
    let log: EventLog
    let house: any HouseAnswers

    /// Describes a bridge.
    ///
    /// - Parameters:
    ///   - phones: The phones.
    ///   - browsers: The browsers that were let in.
    ///   - log: The activities and events.
    ///   - house: Answers everything else.
    package init(
        phones: any PhoneDirectory,
        browsers: BrowserDesk = BrowserDesk(),
        log: EventLog,
        house: any HouseAnswers
    ) {
        self.phones = phones
        self.browsers = browsers
        self.log = log
        self.house = house
    }

    /// A bridge without phones or activities.
    init(house: any HouseAnswers = NoBridge()) {
        self.init(phones: NoBridge(), log: EventLog { SystemClock().now }, house: house)
    }
}

/// The HTTP API, as a service beside the bus: the page, and phones that pair, report their tokens and read activities.
///
/// It has a thread of its own for its connections and never waits for the bus.
package struct DashboardServer: Sendable {
    private let options: DashboardOptions
    private let desk: RequestDesk
    private let logger: Logger
    private let onListening: @Sendable (HTTPAddress) -> Void

    /// Why it can't listen.
    package struct BindFault: Error, Sendable {
        /// The fault and its remedy, in one line.
        package var message: String
    }

    /// Makes a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - options: How it behaves.
    ///   - bridge: What it shows.
    ///   - admin: The secret of those who may pair phones.
    ///   - logger: Where it tells people what happens.
    ///   - onListening: Called with its address, once it is taken, then with that for TLS.
    package init(
        options: DashboardOptions,
        of bridge: ServedBridge,
        admin: AdminSecret,
        logger: Logger,
        onListening: @escaping @Sendable (HTTPAddress) -> Void = { _ in }
    ) {
        self.options = options
        self.logger = logger
        self.onListening = onListening
        desk = RequestDesk(options: options, of: bridge, admin: admin, logger: logger)
    }

    /// Makes a server of a gateway that stands by: it tells its numbers, that it is alive, and that it is not ready.
    ///
    /// - Parameters:
    ///   - options: How it behaves.
    ///   - measure: Adds the numbers of the process.
    ///   - admin: The secret of those who may pair phones.
    ///   - onListening: Called with its address, once it is taken, then with that for TLS.
    package init(
        options: DashboardOptions,
        standby measure: @escaping @Sendable (inout MetricsText) -> Void,
        admin: AdminSecret,
        onListening: @escaping @Sendable (HTTPAddress) -> Void
    ) {
        self.init(
            options: options,
            of: ServedBridge(house: StandbyHouse(measure: measure)),
            admin: admin,
            // The log is that of the gateway, which says that it stands by.
            logger: Logger(label: "skerry") { _ in SwiftLogNoOpLogHandler() },
            onListening: onListening
        )
    }

    /// Makes a server that answers for all partitions, and asks their gateways.
    ///
    /// - Parameters:
    ///   - options: How it behaves.
    ///   - places: The partitions.
    ///   - admin: The secret of those who may pair phones, the same as that of the partitions.
    ///   - logger: Where it tells people what happens.
    ///   - onListening: Called with its address, once it is taken, then with that for TLS.
    /// - Throws: ``BindFault`` when requests can't be sent.
    package init(
        options: DashboardOptions,
        frontOf places: PartitionPlaces,
        admin: AdminSecret,
        logger: Logger,
        onListening: @escaping @Sendable (HTTPAddress) -> Void = { _ in }
    ) throws(BindFault) {
        self.options = options
        self.logger = logger
        self.onListening = onListening
        do throws(PartitionFault) {
            desk = RequestDesk(
                options: options,
                of: ServedBridge(),
                admin: admin,
                front: FrontDesk(front: try PartitionFront(places, admin: admin, logger: logger)),
                logger: logger
            )
        } catch {
            throw BindFault(message: error.message)
        }
    }

    /// Listens until the task is cancelled; requests that have arrived are still answered.
    ///
    /// - Throws: ``BindFault`` when the address can't be taken.
    package func run() async throws {
        let signal = WakeSignal()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isStarted = runOnThread(named: "skerry-http") {
                    continuation.resume(
                        returning: Result { () throws(BindFault) in try serve(until: signal) }
                    )
                }
                if !isStarted {
                    let message = "http.address: the system has no thread left"
                    continuation.resume(returning: .failure(BindFault(message: message)))
                }
            }
        } onCancel: {
            signal.stop()
        }
        try outcome.get()
    }

    /// Serves on the calling thread until the signal says stop.
    private func serve(until signal: WakeSignal) throws(BindFault) {
        let loop = HTTPLoop(options: options, desk: desk, signal: signal)
        defer { loop.close() }
        let address = try listen(on: options.address, "http.address", loop)
        logger.info(.pageOpen, "the page is on http://\(address)")
        onListening(address)
        if let secure = options.secure {
            let address = try listen(on: secure.address, "http.tls.address", loop, secure)
            logger.info(.pageOpen, "the page is on https://\(address), too")
            onListening(address)
        }
        loop.run()
    }

    /// Has the loop listen on an address, and returns it with its port.
    private func listen(
        on wish: HTTPAddress,
        _ setting: String,
        _ loop: HTTPLoop,
        _ secure: DashboardOptions.SecureAddress? = nil
    ) throws(BindFault) -> HTTPAddress {
        let socket: Int32
        do throws(HTTPAddress.SocketFault) {
            socket = try wish.listeningSocket()
        } catch {
            throw BindFault(message: "\(setting): can't listen on \(wish): \(error.message)")
        }
        guard loop.listen(on: socket, secure) else {
            close(socket)
            let reason =
                secure == nil
                ? "libmicrohttpd can't be started"
                : "http.tls.certificate and http.tls.key are no PEM files that belong together"
            throw BindFault(message: "\(setting): can't listen on \(wish): \(reason)")
        }
        var address = wish
        address.port = HTTPAddress.port(of: socket) ?? wish.port
        return address
    }
}

extension DashboardOptions {
    /// Takes the addresses for a moment, to see whether they can be had.
    ///
    /// - Throws: `DashboardServer.BindFault` when one can't be taken.
    package func demandAddresses() throws(DashboardServer.BindFault) {
        for (setting, wish) in [("http.address", address)]
            + (secure.map { [("http.tls.address", $0.address)] } ?? [])
        {
            do throws(HTTPAddress.SocketFault) {
                close(try wish.listeningSocket())
            } catch {
                throw DashboardServer.BindFault(
                    message: "\(setting): can't listen on \(wish): \(error.message)"
                )
            }
        }
    }
}

/// The house of a gateway that stands by: it has numbers of its process, and no devices.
struct StandbyHouse: HouseAnswers {
    /// Adds the numbers.
    let measure: @Sendable (inout MetricsText) -> Void

    func ask(_ question: HouseQuestion, for viewer: Viewer, then: @escaping @Sendable (HouseAnswer) -> Void) {
        if case .metrics = question {
            var text = MetricsText()
            measure(&text)
            return then(.found(Array(text.text.utf8)))
        }
        then(
            .problem(
                HouseProblem(
                    .unavailable,
                    code: "standby",
                    detail: "This gateway stands by: another one has the devices."
                )
            )
        )
    }
}
