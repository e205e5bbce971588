package import SkerryGateway
package import SkerryPhones
import SkerryValues

/// The store of phones in the database of the devices, over a connection of its own: a phone never waits for the bus.
package struct PostgresPhoneStore: PhoneStore {
    let session: PostgresSession

    init(_ session: PostgresSession) { self.session = session }

    /// Closes the connection.
    ///
    /// Every later use is a fault.
    func close() { session.close() }

    package func load() throws(StoreFault) -> [PhoneImage] {
        try session.read([Self.allPhones])[0].map(Self.phone)
    }

    static let allPhones = PostgresStatement("SELECT id, image FROM phone ORDER BY id")

    static func phone(_ row: PostgresRow) throws(StoreFault) -> PhoneImage {
        PhoneImage(id: try row[0], bytes: try row[1])
    }

    /// Makes phones durable in one transaction.
    package func commit(_ images: [PhoneImage], removed: [String]) throws(StoreFault) {
        if images.isEmpty, removed.isEmpty { return }
        _ = try session.change([
            PostgresStatement("DELETE FROM phone WHERE id = ANY ($1::bytea[])", .list(removed)),
            Self.keep(images),
        ])
    }

    /// Writes phones.
    static func keep(_ images: [PhoneImage]) -> PostgresStatement {
        var last: [ExactText: PhoneImage] = [:]
        // One statement can't write a row twice.
        for image in images { last[ExactText(image.id)] = image }
        return PostgresStatement(
            """
            INSERT INTO phone SELECT * FROM unnest($1::bytea[], $2::bytea[])
            ON CONFLICT (id) DO UPDATE SET image = excluded.image
            """,
            .list(last.values.map(\.id)),
            .list(last.values.map(\.bytes))
        )
    }

    /// The last failures, oldest first.
    package func failures() throws(StoreFault) -> [DeliveryFailure] {
        try session.read([Self.allFailures])[0].map(Self.failure)
    }

    static let allFailures = PostgresStatement(
        "SELECT at, service, recipient, activity, text FROM failure ORDER BY number"
    )

    static func failure(_ row: PostgresRow) throws(StoreFault) -> DeliveryFailure {
        DeliveryFailure(
            at: try row[0],
            service: try row[1],
            recipient: try row[2],
            activity: try row[3],
            text: try row[4]
        )
    }

    /// Adds failures in one transaction.
    package func add(_ failures: [DeliveryFailure]) throws(StoreFault) {
        let statements = [
            Self.keep(failures),
            PostgresStatement(
                "DELETE FROM failure WHERE number <= (SELECT max(number) FROM failure) - $1::int8",
                PostgresValue(Int64(FailureLog.limit))
            ),
        ]
        // Tried once more, a transaction that was committed after all would list them twice.
        _ = try session.change(statements, repeats: false)
    }

    static func keep(_ failures: [DeliveryFailure]) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO failure
            SELECT (SELECT coalesce(max(number), 0) FROM failure) + place, at, service, recipient, activity, text
            FROM unnest($1::int8[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[]) WITH ORDINALITY
                AS new (at, service, recipient, activity, text, place)
            """,
            .list(failures.map(\.at)),
            .list(failures.map(\.service)),
            .list(failures.map(\.recipient)),
            .list(failures.map(\.activity)),
            .list(failures.map(\.text))
        )
    }
}
