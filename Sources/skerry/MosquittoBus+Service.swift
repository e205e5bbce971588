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

    /// Returns once SIGTERM or SIGINT came and the bus has ended properly.
    func runUntilSignalled() async throws {
        let group = ServiceGroup(
            services: [BusService(bus: self)],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }
        )
        try await group.run()
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
