package import Logging
package import SkerryPhones
package import SkerryValues
import Synchronization

/// Something that a service did not take, for people who look for the cause.
public struct DeliveryFailure: Hashable, Sendable {
    /// The moment.
    package var at: Timestamp
    /// `phones`, or the name of a sink.
    package var service: String
    /// The name of the phone, or of the recipient of a sink; empty for a broadcast channel, which concerns all phones.
    package var recipient: String
    /// The id of the activity.
    package var activity: String
    /// The message that was not delivered, and the reason.
    package var text: String

    /// Makes a record of a failure.
    package init(at: Timestamp, service: String, recipient: String, activity: String, text: String) {
        self.at = at
        self.service = service
        self.recipient = recipient
        self.activity = activity
        self.text = text
    }
}

/// The store of failures, on any thread.
public protocol FailureStore: Sendable {
    /// The last failures, oldest first.
    ///
    /// - Throws: ``StoreFault`` when they can't be read.
    func failures() throws(StoreFault) -> [DeliveryFailure]

    /// Adds failures, and forgets the oldest beyond ``FailureLog/limit``.
    ///
    /// - Throws: ``StoreFault`` if it could not; then nothing has changed.
    func add(_ failures: [DeliveryFailure]) throws(StoreFault)
}

/// The last failures of all services that carry activities to people, also over restarts.
package final class FailureLog: Sendable {
    /// The number of failures that are kept.
    package static let limit = 500

    /// A failure that is repeated is listed once within this length.
    private static let repetition = Interval.hours(1)
    /// The repetitions that are known; with more, all are forgotten, and listed once more.
    private static let repetitionLimit = 1000

    private let store: any FailureStore
    private let logger: Logger
    /// The moment at which each failure was last listed, by a hash of everything but its moment.
    private let listed = Mutex<[UInt64: Timestamp]>([:])

    /// Makes a log over its store.
    package init(_ store: any FailureStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Records those decisions that are failures; one that is repeated, once an hour.
    ///
    /// - Parameters:
    ///   - decisions: New decisions, oldest first.
    ///   - service: The service that they are about.
    package func note(_ decisions: some Sequence<PhoneDecision>, of service: String) {
        let failures = decisions.filter { $0.kind.isFailure }.map {
            DeliveryFailure(
                at: $0.at,
                service: service,
                recipient: $0.phone,
                activity: $0.activity,
                text: $0.text
            )
        }.filter(isNew)
        if failures.isEmpty { return }
        do throws(StoreFault) {
            try store.add(failures)
        } catch {
            logger.warning(.errorsNotStored, "the list of errors misses \(failures.count): \(error.message)")
        }
    }

    /// Returns whether a failure has not been listed within ``repetition``.
    private func isNew(_ failure: DeliveryFailure) -> Bool {
        let parts = [failure.service, failure.recipient, failure.activity, failure.text]
        let mark = parts.joined(separator: "\n").utf8.fingerprint
        return listed.withLock { listed in
            // A clock that was set back must not silence a failure for longer.
            if let last = listed[mark], last <= failure.at, failure.at < last + Self.repetition {
                return false
            }
            if listed.count >= Self.repetitionLimit { listed.removeAll() }
            listed[mark] = failure.at
            assert(listed.count <= Self.repetitionLimit, "more repetitions are known than promised")
            return true
        }
    }

    /// The last failures, newest first; of one service and of one recipient, if that is said.
    ///
    /// - Throws: ``StoreFault`` when they can't be read.
    package func failures(
        of service: String? = nil,
        to recipient: String? = nil,
        limit: Int = FailureLog.limit
    ) throws(StoreFault) -> [DeliveryFailure] {
        let all = try store.failures().reversed().filter { failure in
            service.map { failure.service.hasSameCodePoints(as: $0) } ?? true
                && recipient.map { failure.recipient.hasSameCodePoints(as: $0) } ?? true
        }
        return Array(all.prefix(max(0, limit)))
    }
}
