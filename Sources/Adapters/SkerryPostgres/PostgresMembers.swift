import SkerryEngine
package import SkerryGateway
package import SkerryValues

/// The table of the processes that have a lease or wait for one, of all partitions of a database.
///
/// A row counts until its time, by the database's clock. It protects nothing: the lease of a partition does that.
enum PostgresMembers {
    static let table = PostgresStatement(
        """
        CREATE TABLE IF NOT EXISTS skerry.member (
            partition int8, node bytea, active bool, since timestamptz NOT NULL, until timestamptz NOT NULL,
            PRIMARY KEY (partition, node, active)
        )
        """
    )

    /// The table of the computers on which owners have died, and until when others go first there.
    static let deaths = PostgresStatement(
        """
        CREATE TABLE IF NOT EXISTS skerry.death (
            partition int8, node bytea, times int8 NOT NULL, until timestamptz NOT NULL, PRIMARY KEY (partition, node)
        )
        """
    )

    /// The rows that count: who is there, and who rests.
    static let present = [
        PostgresStatement(
            "SELECT partition, node, active FROM skerry.member WHERE until > clock_timestamp()"
        ),
        PostgresStatement("SELECT partition, node FROM skerry.death WHERE until > clock_timestamp()"),
    ]

    /// Notes that the owner of a free partition has died, if it has not given the lease up: others go first for a lease, and
    /// twice as long with each further death within the hour, up to 64 leases.
    static func bury(_ options: PostgresOptions) -> PostgresStatement {
        PostgresStatement(
            """
            WITH gone AS (
                DELETE FROM skerry.member WHERE partition = $1::int8 AND active AND until <= clock_timestamp()
                RETURNING partition, node
            )
            INSERT INTO skerry.death AS former
            SELECT partition, node, 0, clock_timestamp() + $2::int8 * interval '1 microsecond' FROM gone
            ON CONFLICT (partition, node) DO UPDATE SET
                times = CASE WHEN former.until + interval '1 hour' > clock_timestamp() THEN least(former.times + 1, 6) ELSE 0 END,
                until = clock_timestamp() + $2::int8 * interval '1 microsecond'
                    * CASE WHEN former.until + interval '1 hour' > clock_timestamp() THEN 2 ^ least(former.times + 1, 6) ELSE 1 END
            """,
            PostgresValue(options.memberNumber),
            PostgresValue(options.lease)
        )
    }

    /// Forgets that a process waits.
    static func leave(_ options: PostgresOptions) -> PostgresStatement {
        PostgresStatement(
            "DELETE FROM skerry.member WHERE partition = $1::int8 AND node = $2::bytea AND NOT active",
            PostgresValue(options.memberNumber),
            PostgresValue(options.node)
        )
    }

    /// Has a process counted for as long as a lease.
    static func stay(_ options: PostgresOptions, isActive: Bool) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO skerry.member
            VALUES ($1::int8, $2::bytea, $3::bool, clock_timestamp(), clock_timestamp() + $4::int8 * interval '1 microsecond')
            ON CONFLICT (partition, node, active) DO UPDATE SET until = excluded.until
            """,
            PostgresValue(options.memberNumber),
            PostgresValue(options.node),
            PostgresValue(isActive),
            PostgresValue(options.lease)
        )
    }

    /// Forgets the former owner of a partition, and that its new one has waited for it.
    static func succeed(_ options: PostgresOptions) -> PostgresStatement {
        PostgresStatement(
            "DELETE FROM skerry.member WHERE partition = $1::int8 AND (active OR node = $2::bytea)",
            PostgresValue(options.memberNumber),
            PostgresValue(options.node)
        )
    }

    /// Returns how the partitions are spread, from the rows of ``present``.
    static func spread(_ rows: [PostgresRows]) throws(StoreFault) -> PartitionSpread {
        PartitionSpread(
            try rows[0].map { row throws(StoreFault) in
                PartitionSpread.Member(Int(try row[0] as Int64), try row[1], isActive: try row[2])
            },
            resting: try rows[1].map { row throws(StoreFault) in
                PartitionSpread.Rest(Int(try row[0] as Int64), try row[1])
            }
        )
    }
}

extension PostgresOptions {
    /// The number under which the partition has its members; -1 for a gateway with all devices.
    var memberNumber: Int64 { Int64(partition?.number ?? -1) }
}

/// The gateway that has a lease.
package struct LeaseHolder: Sendable {
    /// The partition; nil if one gateway has all devices.
    package let partition: Int?
    /// The computer and the process; nil if none has the lease.
    package internal(set) var owner: String?
    /// The number of the lease: each take-over adds one.
    package internal(set) var token: Int64 = 0
    /// The time of the last take-over; nil if it is not known.
    package internal(set) var since: Timestamp?
    /// The time until which the lease is held, unless it is renewed.
    package internal(set) var until = Timestamp.distantPast
    /// The computers that wait for the lease.
    package internal(set) var standbys: [String] = []
    /// The publications that the broker has not acknowledged.
    package internal(set) var waiting: Int64 = 0
}

extension PostgresReader {
    /// Reads who has the leases of a database: that of each partition, or the only one.
    ///
    /// - Throws: ``StoreFault`` if there is no store, or it can't be read.
    package static func leases(at address: String) throws(StoreFault) -> [LeaseHolder] {
        let connection = try connection(to: address)
        guard let count = try connection.partitions(), count > 0 else {
            return [try holder(ofPartition: nil, connection)]
        }
        var holders: [LeaseHolder] = []
        for number in 0..<count { holders.append(try holder(ofPartition: number, connection)) }
        return holders
    }

    private static func holder(
        ofPartition number: Int?,
        _ connection: PostgresConnection
    ) throws(StoreFault) -> LeaseHolder {
        var holder = LeaseHolder(partition: number)
        let isThere = try connection.rows(
            PostgresSchema.choose(number),
            PostgresStatement("SELECT to_regclass('lease') IS NOT NULL")
        ).map { row throws(StoreFault) in try row[0] as Bool }
        guard isThere == [true] else { return holder }
        let rows = try connection.run([
            PostgresStatement(
                """
                SELECT owner, token, (extract(epoch FROM until) * 1000000)::int8 FROM lease
                WHERE until > clock_timestamp()
                """
            ),
            PostgresStatement("SELECT count(*) FROM outbox"),
            PostgresStatement(
                """
                SELECT active, node, (extract(epoch FROM since) * 1000000)::int8 FROM skerry.member
                WHERE partition = $1::int8 AND until > clock_timestamp() ORDER BY node
                """,
                PostgresValue(Int64(number ?? -1))
            ),
        ])
        _ = try rows[0].map { row throws(StoreFault) in
            holder.owner = try row[0]
            holder.token = try row[1]
            holder.until = try row[2]
        }
        _ = try rows[1].map { row throws(StoreFault) in holder.waiting = try row[0] }
        _ = try rows[2].map { row throws(StoreFault) in
            if try row[0] {
                holder.since = try row[2]
            } else {
                holder.standbys.append(try row[1])
            }
        }
        return holder
    }
}
