import Logging
import SkerryGateway
import SkerryMosquitto
import SkerrySystemd

extension MosquittoBus {
    /// Runs the bus until it is asked to end, and tells the service manager how it goes, where there is one.
    ///
    /// - Parameters:
    ///   - beside: The services that run as long as the bus does, and end after it.
    ///   - broker: The address of the broker as people know it.
    ///   - logger: Hears of a service manager that can't be told.
    ///   - makeHandler: Makes what the bus calls.
    /// - Throws: an exit code when the bus or a service can't start, after saying why.
    func runAsService<Handler: BusHandler>(
        beside: [Companion] = [],
        broker: String,
        logger: Logger,
        _ makeHandler: @escaping @Sendable () throws -> sending Handler
    ) async throws {
        let complain: @Sendable (NotifyFault) -> Void = { logger.warning("\($0.message)") }
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
