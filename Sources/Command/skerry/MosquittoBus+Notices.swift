import Logging
import SkerryGateway
import SkerryMosquitto
import SkerrySystemd

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
