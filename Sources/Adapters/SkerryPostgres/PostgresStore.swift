package import SkerryGateway
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryMachine
package import SkerryValues

/// The store of a gateway in a PostgreSQL database, which several computers share: one has the lease, and writes.
///
/// A commit is one transaction and one round trip. Every transaction fails once another process has the lease.
package struct PostgresStore: Store, Sendable {
    /// The phones, in the same database.
    package let phones: PostgresPhoneStore
    /// The mark of the database: gateways with the same one are of one cluster.
    package let mark: String
    /// The name of this process, with the number of its lease.
    package let owner: String
    private let session: PostgresSession
    private let keeper: PostgresKeeper
    /// The longest time to read the store.
    private static let patience = Interval.minutes(10)
    private var state: StoredState
    private var planner: CommitPlanner

    /// Reads the store of a lease that was just taken.
    init(_ lease: PostgresLease, batch: Int64, mark: String) throws(StoreFault) {
        keeper = try PostgresKeeper(lease)
        session = PostgresSession(lease, batch: batch)
        phones = PostgresPhoneStore(PostgresSession(lease))
        self.mark = mark
        owner = "\(lease.options.owner), lease \(lease.token)"
        do throws(StoreFault) {
            let connection = try PostgresConnection(
                lease.options.address,
                schema: lease.options.schema,
                mark: lease.name,
                limit: Self.patience
            )
            _ = try connection.run([
                PostgresStatement(
                    "DELETE FROM layout WHERE id NOT IN (SELECT layout FROM device UNION SELECT layout FROM set_aside)"
                )
            ])
            state = try StoredState(from: connection)
        } catch {
            // A process that can't read the store must not make others wait.
            keeper.end()
            throw error
        }
        planner = CommitPlanner(lease.options.durability, layouts: state.layouts)
    }

    /// The progress of the last process, until ``load()`` returns it; nil if the store is new.
    package var progress: StoreProgress? { state.progress }

    /// The time for which the lease holds without another renewal.
    package var leaseTimeLeft: Interval { keeper.timeLeft }

    /// Gives up the lease; every later use of the store or its phones is a fault.
    package func close() {
        session.close()
        phones.close()
        keeper.end()
    }

    /// Returns the state that the last process left.
    package mutating func load() -> StoredState {
        defer { state = StoredState() }
        return state
    }

    /// Makes a batch durable in one transaction.
    package mutating func commit(_ changes: StoreChanges) throws(StoreFault) {
        let plan = planner.plan(for: changes)
        try session.commit { changes.statements(of: $0, by: plan) }
        planner.stored(changes, by: plan)
    }

    /// Stores the progress of a recovery.
    package func note(_ mark: RecoveryMark) throws(StoreFault) {
        _ = try session.change([
            .unawaited,
            PostgresStatement(
                """
                INSERT INTO recovery VALUES (1, $1::int8, $2::bytea, $3::bytea, $4::int8)
                ON CONFLICT (id) DO UPDATE SET attempts = excluded.attempts, kind = excluded.kind,
                    name = excluded.name, hits = excluded.hits
                """,
                PostgresValue(Int64(mark.attempts)),
                PostgresValue(mark.device?.kind),
                PostgresValue(mark.device?.name),
                PostgresValue(Int64(mark.hits))
            ),
        ])
    }

    /// Moves a device into a table of its own.
    package func setAside(_ device: SetAsideDevice) throws(StoreFault) {
        let (kind, name) = (PostgresValue(device.device.kind), PostgresValue(device.device.name))
        _ = try session.change([
            PostgresStatement(
                """
                INSERT INTO set_aside SELECT key, kind, name, layout, image, $3::int8 FROM device
                WHERE kind = $1::bytea AND name = $2::bytea
                ON CONFLICT (key) DO UPDATE SET layout = excluded.layout, image = excluded.image, at = excluded.at
                """,
                kind,
                name,
                PostgresValue(device.at)
            ),
            PostgresStatement("DELETE FROM device WHERE kind = $1::bytea AND name = $2::bytea", kind, name),
        ])
    }
}

extension PostgresStatement {
    /// Lets the transaction end before it is on the disk.
    static var unawaited: PostgresStatement {
        PostgresStatement("SELECT set_config('synchronous_commit', 'off', true)")
    }
}

extension StoreChanges {
    /// The statements of a batch, one for each table.
    func statements(of batch: Int64, by plan: CommitPlan) -> [PostgresStatement] {
        var statements: [PostgresStatement] = plan.waits ? [] : [.unawaited]
        if !plan.newLayouts.isEmpty {
            statements.append(
                PostgresStatement(
                    """
                    INSERT INTO layout SELECT * FROM unnest($1::int8[], $2::bytea[])
                    ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes
                    """,
                    .list(plan.newLayouts.map(\.id)),
                    .list(plan.newLayouts.map(\.bytes))
                )
            )
        }
        statements += deviceStatements + outboxStatements(batch) + deliveryStatements(batch)
        statements += historyStatements(batch, trimsStages: plan.trimsStages)
        return statements + [progress.statement(epoch: epoch, isSure: plan.isSure)]
    }

    private var deviceStatements: [PostgresStatement] {
        var statements: [PostgresStatement] = []
        if !removed.isEmpty {
            statements.append(
                PostgresStatement(
                    """
                    DELETE FROM device USING unnest($1::bytea[], $2::bytea[]) AS gone (kind, name)
                    WHERE key = sha256(gone.kind || '\\x00'::bytea || gone.name)
                    """,
                    .list(removed.map(\.kind)),
                    .list(removed.map(\.name))
                )
            )
        }
        if images.isEmpty { return statements }
        // One statement can't write a row twice.
        var places: [DeviceKey: Int] = [:]
        for (place, image) in images.enumerated() {
            places[DeviceKey(kind: image.kind, name: image.name)] = place
        }
        let last = places.values.sorted().map { images[$0] }
        statements.append(
            PostgresStatement(
                """
                INSERT INTO device (kind, name, layout, image)
                SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::int8[], $4::bytea[])
                ON CONFLICT (key) DO UPDATE SET layout = excluded.layout, image = excluded.image
                """,
                .list(last.map(\.kind)),
                .list(last.map(\.name)),
                .list(last.map(\.layout)),
                .list(last.map(\.bytes))
            )
        )
        return statements
    }

    private func outboxStatements(_ batch: Int64) -> [PostgresStatement] {
        var statements: [PostgresStatement] = []
        if !enqueued.isEmpty {
            statements.append(
                PostgresStatement(
                    """
                    INSERT INTO outbox SELECT id, $1::int8, topic, payload, qos, retained, content_type, expiry
                    FROM unnest($2::int8[], $3::bytea[], $4::bytea[], $5::int8[], $6::bool[], $7::bytea[], $8::int8[])
                        AS new (id, topic, payload, qos, retained, content_type, expiry)
                    ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, topic = excluded.topic,
                        payload = excluded.payload, qos = excluded.qos, retained = excluded.retained,
                        content_type = excluded.content_type, expiry = excluded.expiry
                    """,
                    PostgresValue(batch),
                    .list(enqueued.map(\.id)),
                    .list(enqueued.map(\.topic)),
                    .list(enqueued.map(\.payload)),
                    .list(enqueued.map { Int64($0.quality.rawValue) }),
                    .list(enqueued.map(\.isRetained)),
                    .list(enqueued.map(\.contentType)),
                    .list(enqueued.map { $0.expiry?.roundedSeconds })
                )
            )
        }
        if !settled.isEmpty {
            statements.append(
                PostgresStatement(
                    "DELETE FROM outbox WHERE id = ANY ($1::int8[])",
                    .list(settled)
                )
            )
        }
        return statements
    }

    private func deliveryStatements(_ batch: Int64) -> [PostgresStatement] {
        var statements: [PostgresStatement] = []
        if !enqueuedDeliveries.isEmpty {
            // By bytes, because equal texts may be the names of two devices. The older of two deliveries of an activity
            // would be a row that nothing replaces.
            var places: [[UInt8]: Int] = [:]
            for (place, delivery) in enqueuedDeliveries.enumerated() {
                places[Array("\(delivery.sink)\0\(delivery.update.id)".utf8)] = place
            }
            let last = places.values.sorted().map { enqueuedDeliveries[$0] }
            let (sinks, activities) = (
                PostgresValue.list(last.map(\.sink)), PostgresValue.list(last.map(\.update.id))
            )
            statements = [
                PostgresStatement(
                    """
                    DELETE FROM delivery USING unnest($1::bytea[], $2::bytea[]) AS new (sink, activity)
                    WHERE delivery.activity = new.activity AND delivery.sink = new.sink
                    """,
                    sinks,
                    activities
                ),
                PostgresStatement(
                    """
                    INSERT INTO delivery SELECT id, $1::int8, sink, activity, kind, device, alert_rev, alerted_at, image
                    FROM unnest(
                        $2::int8[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bytea[], $7::int8[], $8::int8[], $9::bytea[]
                    ) AS new (id, sink, activity, kind, device, alert_rev, alerted_at, image)
                    """,
                    PostgresValue(batch),
                    .list(last.map(\.id)),
                    sinks,
                    activities,
                    .list(last.map(\.kind)),
                    .list(last.map(\.device)),
                    .list(last.map(\.alertRev)),
                    .list(last.map(\.alertedAt)),
                    .list(last.map { $0.update.image() })
                ),
            ]
        }
        if !settledDeliveries.isEmpty {
            statements.append(
                PostgresStatement(
                    "DELETE FROM delivery WHERE id = ANY ($1::int8[])",
                    .list(settledDeliveries)
                )
            )
        }
        return statements
    }
}

extension StoreProgress {
    fileprivate func statement(epoch: Int64, isSure: Bool) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO progress VALUES (1, $1::int8, $2::int8, $3::int8, $4::int8, $5::bool, $6::bool, $7::bytea, $8::int8,
                $9::int8, $10::int8, $11::int8, $12::bytea, $13::bytea, $14::bytea, $15::int8, $16::int8)
            ON CONFLICT (id) DO UPDATE SET (epoch, alive_at, sequence, last_publication, sure, seeks_strays, boot_id,
                boot_time, origin, origin_sequence, newest_lost_run, owner, former_epochs, handled, told, cut)
            = ROW (excluded.epoch, excluded.alive_at, excluded.sequence, excluded.last_publication, excluded.sure,
                excluded.seeks_strays, excluded.boot_id, excluded.boot_time, excluded.origin, excluded.origin_sequence,
                excluded.newest_lost_run, excluded.owner, excluded.former_epochs, excluded.handled, excluded.told,
                excluded.cut)
            """,
            PostgresValue(epoch),
            PostgresValue(aliveAt),
            PostgresValue(sequence),
            PostgresValue(lastPublication),
            PostgresValue(isSure),
            PostgresValue(seeksStrays),
            PostgresValue(boot?.id),
            PostgresValue(boot?.elapsed),
            PostgresValue(origin?.moment),
            PostgresValue(origin?.sequence),
            PostgresValue(newestLostRun == .min ? nil : newestLostRun),
            PostgresValue(owner),
            PostgresValue(formerEpochs.map { "\($0)" }.joined(separator: " ")),
            PostgresValue(HandledMessage.bytes(handled)),
            PostgresValue(told),
            PostgresValue(cut)
        )
    }
}
