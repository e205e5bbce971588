#if Dashboard
import Glibc
import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle
public import SkerryGateway
public import SkerryValues

/// The HTTP API, as a service beside the bus: phones pair, report their tokens and read activities.
///
/// It has a thread of its own for its connections and never waits for the bus.
public struct DashboardServer: Service {
    private let options: DashboardOptions
    private let desk: RequestDesk
    private let logger: Logger
    private let onListening: @Sendable (HTTPAddress) -> Void

    /// Why it can't listen.
    public struct BindFault: Error, Sendable {
        /// What happened and what to do, one line.
        public var message: String
    }

    /// Makes a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - options: How it behaves.
    ///   - phones: The phones.
    ///   - board: The activities.
    ///   - admin: The secret of those who may pair phones.
    ///   - now: The time of the wall clock.
    ///   - logger: Where it tells people what happens.
    ///   - onListening: Called with the address, once it is taken.
    public init(
        options: DashboardOptions,
        phones: any PhoneDirectory,
        board: ActivityBoard,
        admin: AdminSecret,
        now: @escaping @Sendable () -> Timestamp = { SystemClock().now },
        logger: Logger,
        onListening: @escaping @Sendable (HTTPAddress) -> Void = { _ in }
    ) {
        self.options = options
        self.logger = logger
        self.onListening = onListening
        desk = RequestDesk(
            options: options,
            phones: phones,
            board: board,
            admin: admin,
            now: now,
            logger: logger
        )
    }

    /// Listens until the service group ends, gracefully in any case: what was asked is still answered.
    ///
    /// - Throws: ``BindFault`` when the address can't be taken.
    public func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let outcome: Result<Void, any Error>
        do {
            try await serve(group)
            outcome = .success(())
        } catch let error as IOError {
            outcome = .failure(fault(String(cString: strerror(error.errnoCode))))
        } catch let error as SocketAddressError {
            outcome = .failure(fault("\(error)"))
        } catch {
            outcome = .failure(error)
        }
        try await group.shutdownGracefully()
        try outcome.get()
    }

    /// Runs the server in a task of its own.
    ///
    /// A server of SwiftNIO that is cancelled may drop connections that it has just accepted, and traps then. So it is
    /// asked to end gracefully instead.
    private func serve(_ eventLoops: MultiThreadedEventLoopGroup) async throws {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let group = ServiceGroup(services: [application(eventLoops, quiet)], logger: quiet)
        let task = Task.detached { try await group.run() }
        let stop: @Sendable () -> Void = { Task { await group.triggerGracefulShutdown() } }
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await task.value
            } onGracefulShutdown: {
                stop()
            }
        } onCancel: {
            stop()
        }
    }

    private func fault(_ reason: String) -> BindFault {
        BindFault(message: "http.address: can't listen on \(options.address): \(reason)")
    }

    private func application(
        _ eventLoops: MultiThreadedEventLoopGroup,
        _ quiet: Logger
    ) -> Application<RequestResponder> {
        let patience = TimeAmount.microseconds(options.patience.microseconds)
        let counts = ConnectionCounts(limit: options.connectionsPerAddress, proxies: options.proxies)
        return Application(
            responder: RequestResponder(desk: desk, patience: patience),
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [ConnectionGuard(counts, patience: patience)],
                    idleTimeout: patience,
                    httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                        maxHeaderFieldSize: DashboardOptions.headLimit,
                        maxHeaderListSize: DashboardOptions.headLimit,
                        maxHeaderFieldCount: DashboardOptions.fieldLimit
                    )
                )
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(options.address.host, port: options.address.port),
                availableConnectionsDelegate: .maximum(options.connections, logger: quiet)
            ),
            onServerRunning: { [options, onListening, logger] channel in
                var address = options.address
                address.port = channel.localAddress?.port ?? address.port
                logger.info("HTTP API on \(address)")
                onListening(address)
            },
            eventLoopGroupProvider: .shared(eventLoops),
            logger: quiet
        )
    }
}
#endif
