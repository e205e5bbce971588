import ArgumentParser
import Logging
import ServiceLifecycle
import SkerryGateway
import SkerryMosquitto
import UnixSignals

extension ExitCode {
    /// A service can't be had (`EX_UNAVAILABLE` of sysexits.h).
    static let unavailable = ExitCode(69)
}

extension MosquittoBus {
    /// Starts the bus; says what is wrong and ends the command when it can't.
    func begin<Handler: BusHandler>(_ handler: sending Handler) throws {
        do throws(BusFault) {
            try start(handler)
        } catch {
            Terminal.complain("skerry: \(error.message)\n")
            throw ExitCode.unavailable
        }
    }

    /// Returns once the bus has ended properly, which SIGTERM and SIGINT ask it to.
    func runUntilSignalled() async throws {
        let configuration = ServiceGroupConfiguration(
            services: [
                .init(service: BusService(bus: self), successTerminationBehavior: .gracefullyShutdownGroup)
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }
        )
        try await ServiceGroup(configuration: configuration).run()
    }
}

/// Keeps a bus that was started until it is asked to end.
private struct BusService: Service {
    let bus: MosquittoBus

    func run() async throws {
        await withGracefulShutdownHandler {
            await bus.finished()
        } onGracefulShutdown: {
            bus.stop()
        }
    }
}
