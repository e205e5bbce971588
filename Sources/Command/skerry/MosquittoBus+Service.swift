import ArgumentParser
import Logging
import SkerryCommand
import SkerryFiles
import SkerryGateway
import SkerryMosquitto
import SkerrySystemd

extension ExitCode {
    /// The cause may pass, so a bridge is to be started again (`EX_TEMPFAIL` of sysexits.h).
    static let passing = ExitCode(LeaseGuard.status)
}

extension StoreFault: EndingFault {
    /// The status with which a bridge ends that can't have its store.
    var status: ExitCode { sort == .refused ? .unavailable : .passing }
}

/// A service beside the bus: runs until its task is cancelled, and then ends in good order.
typealias Companion = @Sendable () async throws -> Void

extension MosquittoBus {
    /// Runs the bus and returns once it has ended properly, which SIGTERM and SIGINT ask it to.
    ///
    /// The signals are caught before the bus starts, so that a client that read `online` will read `offline`.
    ///
    /// - Parameters:
    ///   - companions: Services that run as long as the bus, and end after it, the last one first. One that
    ///     fails ends the bus.
    ///   - onStop: Called when the bus is asked to end.
    ///   - makeHandler: Makes the handler of the bus.
    /// - Throws: an exit code if the bus or a service can't start, after reporting why.
    func run<Handler: BusHandler>(
        beside companions: [Companion] = [],
        onStop: @escaping @Sendable () -> Void = {},
        _ makeHandler: @Sendable () throws -> sending Handler
    ) async throws {
        let stop: @Sendable () -> Void = {
            onStop()
            self.stop()
        }
        Signals.onStop(stop)
        do {
            try start(makeHandler())
            try await finished(beside: companions, stop)
        } catch let fault as BusFault {
            Terminal.complain("skerry: \(Terminal.printable(fault.message))\n")
            throw fault.kind == .configuration ? ExitCode.validationFailure : .unavailable
        } catch let fault as any EndingFault {
            throw fault.report()
        }
    }

    /// Runs companions until the bus has ended, then ends them one after the other.
    ///
    /// - Throws: the first error of a companion.
    private func finished(beside companions: [Companion], _ stop: @escaping @Sendable () -> Void) async throws
    {
        let tasks = companions.map { run in
            Task {
                do {
                    try await run()
                } catch {
                    stop()
                    throw error
                }
            }
        }
        await finished()
        var outcome = Result<Void, any Error>.success(())
        for task in tasks.reversed() {
            task.cancel()
            let ended = await task.result
            if case .success = outcome { outcome = ended }
        }
        try outcome.get()
    }
}

extension MosquittoBus {
    /// Runs the bus until it is asked to end, and reports its status to the service manager, if there is one.
    ///
    /// - Parameters:
    ///   - beside: Services that run as long as the bus, and end after it.
    ///   - broker: The address of the broker, for people.
    ///   - logger: Gets a message if the service manager can't be reached.
    ///   - makeHandler: Makes the handler of the bus.
    /// - Throws: an exit code if the bus or a service can't start, after reporting why.
    func runAsService<Handler: BusHandler>(
        beside: [Companion] = [],
        broker: String,
        logger: Logger,
        _ makeHandler: @escaping @Sendable () throws -> sending Handler
    ) async throws {
        let complain: @Sendable (NotifyFault) -> Void = {
            logger.warning(.serviceManagerAway, "\($0.message)")
        }
        let found: NotifySocket?
        do {
            found = try NotifySocket(environment: ProcessEnvironment.variables)
        } catch {
            complain(error)
            found = nil
        }
        guard let socket = found else { return try await run(beside: beside, makeHandler) }
        let stopping: @Sendable () -> Void = {
            do throws(NotifyFault) { try socket.tell(.stopping) } catch { complain(error) }
        }
        try await run(beside: beside, onStop: stopping) {
            NotifyingHandler(
                try makeHandler(),
                socket: socket,
                clock: SystemClock(),
                broker: broker,
                complain: complain
            )
        }
    }
}

extension MosquittoOptions {
    /// The same with room for messages that announce a whole house, for a search for devices.
    var forSearch: MosquittoOptions {
        var options = self
        options.payloadLimit = DeviceSearch.payloadLimit
        options.maximumPacketSize = DeviceSearch.payloadLimit + 64 * 1024
        return options
    }
}
