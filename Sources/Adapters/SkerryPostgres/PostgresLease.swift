import Glibc
package import SkerryEngine
package import SkerryGateway
package import SkerryValues

/// The options of a store in PostgreSQL, which one process at a time has the lease to write.
///
/// See docs/decisions/0050-one-active-gateway.md.
package struct PostgresOptions: Sendable {
    /// The URI of the database, without a password.
    package var address: String
    /// The durability of commits.
    package var durability = Durability.full
    /// The time after which another process may take a lease that is not renewed.
    package var lease = Interval.seconds(10)
    /// The mark of gateways with the same settings, which may take the lease from each other.
    package var client: String
    /// The name of this process for people who ask who has the lease.
    package var owner: String
    /// The name of this computer, over which partitions are spread evenly.
    package var node = ""
    /// The partition whose devices these are; nil for all devices.
    package var partition: Partition?
    /// Called with the time since boot until which the lease is certainly held, on one thread at a time.
    package var onHeld: @Sendable (Interval) -> Void = { _ in }
    /// Called when another process turns out to have the lease, on the thread that renews it.
    package var onLoss: @Sendable (StoreFault) -> Void = { _ in }
    /// Called when this process should hand its partition over, with the name of the computer that waits for it, on the thread
    /// that renews.
    package var onSurplus: @Sendable (String) -> Void = { _ in }
    /// Returns whether this process has lacked for too long what it works with, so that another should have the lease; called on
    /// the thread that renews.
    package var isCutOff: @Sendable () -> Bool = { false }
    /// Called when it has, with the name of the computer that waits for the lease, on the same thread.
    package var onCutOff: @Sendable (String) -> Void = { _ in }

    /// Makes options with the usual lengths, for all devices.
    package init(address: String, client: String, owner: String) {
        (self.address, self.client, self.owner) = (address, client, owner)
    }

    /// The schema with the tables.
    var schema: String { PostgresSchema.name(ofPartition: partition?.number) }

    /// The name of the connections of the process that has the lease.
    func name(of token: Int64) -> String { "\(schema) \(token)" }
}

/// A lease that this process has taken.
struct PostgresLease: Sendable {
    let options: PostgresOptions
    /// The number that this lease alone has; each later one has a larger number.
    let token: Int64
    /// The time in which this process may act.
    let term: LeaseTerm

    /// The name of this process's connections.
    var name: String { options.name(of: token) }
}

extension PostgresOptions {
    /// The interval of renewals.
    var pause: Interval { LeaseTerm.pause(of: lease) }

    /// The longest time for an exchange of a process that waits for the lease, or has it.
    var limit: Interval { max(.seconds(1), pause) }
}

/// Renews a lease at a third of its time, on a thread of its own, as long as this object lives; commits renew it, too.
final class PostgresKeeper: Sendable {
    private let lease: PostgresLease
    private let session: PostgresSession
    private let signal: WakeSignal

    /// The time for which the lease holds without another renewal.
    var timeLeft: Interval { lease.term.timeLeft }

    init(_ lease: PostgresLease) throws(StoreFault) {
        let (session, signal) = (PostgresSession(lease), WakeSignal())
        (self.lease, self.session, self.signal) = (lease, session, signal)
        let isStarted = runOnThread(named: "skerry-lease") {
            // The gate has told the others.
            var isTold = timeSinceBoot()
            while !signal.isStopping {
                let moment = timeSinceBoot()
                let pause = min(lease.term.timeToRenewal, isTold + lease.options.pause - moment)
                if pause > .zero {
                    Self.sleep(for: pause, signal)
                    continue
                }
                do throws(StoreFault) {
                    try lease.term.hold { () throws(StoreFault) in try Self.renew(lease, session) }
                    isTold = moment
                } catch {
                    // What it means that it fails, commits report.
                    if error.sort == .taken { lease.options.onLoss(error) }
                    Self.sleep(for: .milliseconds(300), signal)
                }
            }
        }
        guard isStarted else { throw StoreFault("the system refuses a thread for the lease") }
    }

    deinit { signal.stop() }

    /// Gives the lease up, so that another process can take it at once.
    func end() {
        signal.stop()
        session.close(after: [Self.renewal(lease, by: .zero), PostgresMembers.succeed(lease.options)])
    }

    /// Renews the lease and the row that others see, and tells if another computer should have the partition.
    private static func renew(_ lease: PostgresLease, _ session: PostgresSession) throws(StoreFault) {
        let options = lease.options
        let rows = try session.change(
            [renewal(lease, by: options.lease), PostgresMembers.stay(options, isActive: true)]
                + PostgresMembers.present
        )
        // Only the last statements have rows.
        let spread = try PostgresMembers.spread(rows)
        let number = Int(options.memberNumber)
        if let other = spread.successor(of: number, on: options.node) {
            options.onSurplus(other)
        } else if options.isCutOff(), let other = spread.successor(of: number, besides: options.node) {
            options.onCutOff(other)
        }
    }

    private static func renewal(_ lease: PostgresLease, by length: Interval) -> PostgresStatement {
        PostgresStatement(
            "UPDATE lease SET until = clock_timestamp() + $2::int8 * interval '1 microsecond' WHERE token = $1::int8",
            PostgresValue(lease.token),
            PostgresValue(length)
        )
    }

    private static func sleep(for length: Interval, _ signal: WakeSignal) {
        var file = pollfd(fd: signal.file, events: Int16(POLLIN), revents: 0)
        poll(&file, 1, Int32(clamping: length.microseconds / 1000 + 1))
    }
}
