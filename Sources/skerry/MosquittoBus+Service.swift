import ArgumentParser
import Logging
import ServiceLifecycle
import SkerryCommand
import SkerryGateway
import SkerryMosquitto

extension ExitCode {
    /// A service can't be had (`EX_UNAVAILABLE` of sysexits.h).
    static let unavailable = ExitCode(69)
}

extension MosquittoBus {
    /// Runs the bus and returns once it has ended properly, which SIGTERM and SIGINT ask it to.
    ///
    /// The signals are caught before the bus starts, so that every `online` is followed by an `offline`.
    ///
    /// - Parameters:
    ///   - beside: Services that run as long as the bus, and end after it.
    ///   - onStop: Called when it is asked to end.
    ///   - makeHandler: Makes the handler of the bus.
    /// - Throws: an exit code if the bus or a service can't start, after reporting why.
    func run<Handler: BusHandler>(
        beside: [any Service] = [],
        onStop: @escaping @Sendable () -> Void = {},
        _ makeHandler: @escaping @Sendable () throws -> sending Handler
    ) async throws {
        let service = BusService(bus: self, onStop: onStop, makeHandler: makeHandler)
        let configuration = ServiceGroupConfiguration(
            // The last one is the first to be asked to end.
            services: beside.map { .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup) }
                + [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
            logger: Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }
        )
        let group = ServiceGroup(configuration: configuration)
        Signals.onStop { Task { await group.triggerGracefulShutdown() } }
        do {
            try await group.run()
        } catch let fault as BusFault {
            Terminal.complain("skerry: \(Terminal.printable(fault.message))\n")
            throw fault.kind == .configuration ? ExitCode.validationFailure : .unavailable
        } catch let fault as ServiceFault {
            Terminal.complain("skerry: \(fault.message)\n")
            throw ExitCode.unavailable
        } catch let fault as StoreFault {
            Terminal.complain("skerry: \(fault.message)\n")
            throw ExitCode.unavailable
        }
    }
}

/// A bus from its start until it has ended.
private struct BusService<Handler: BusHandler>: Service {
    let bus: MosquittoBus
    let onStop: @Sendable () -> Void
    let makeHandler: @Sendable () throws -> sending Handler

    func run() async throws {
        try bus.start(makeHandler())
        await withGracefulShutdownHandler {
            await bus.finished()
        } onGracefulShutdown: {
            onStop()
            bus.stop()
        }
    }
}
