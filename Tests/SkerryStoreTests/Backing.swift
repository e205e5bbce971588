import Foundation
import SkerryGateway
import SkerryPostgres
import SkerryStore
import SkerryTesting
import SkerryValues
import Testing

/// The stores that keep the same promises, so that one table of tests is for both.
enum Backing: CaseIterable, Sendable {
    case sqlite, postgres

    /// Those that this machine has.
    static let all = PostgresServer.isAvailable ? allCases : [.sqlite]

    /// The server of all tests of this process.
    static let server: PostgresServer? = {
        let server = try? PostgresServer()
        atexit { Backing.server?.discard() }
        return server
    }()
}

/// A store of either kind; one that is let go without a word is like a process that was killed.
struct KeptStore: Store, Sendable {
    private var base: any Store & Sendable
    let phones: any PhoneStore
    private let end: @Sendable () -> Void

    init(_ store: SQLiteStore) {
        base = store
        phones = store.phones
        end = { store.close() }
    }

    init(_ store: PostgresStore) {
        base = store
        phones = store.phones
        end = { store.close() }
    }

    func close() { end() }
    mutating func load() throws(StoreFault) -> StoredState { try base.load() }
    mutating func commit(_ changes: StoreChanges) throws(StoreFault) { try base.commit(changes) }
    mutating func note(_ mark: RecoveryMark) throws(StoreFault) { try base.note(mark) }
    mutating func setAside(_ device: SetAsideDevice) throws(StoreFault) { try base.setAside(device) }
}

extension Folder {
    /// The options of a process that has this folder's database of PostgreSQL.
    func options(_ durability: Durability = .full) throws -> PostgresOptions {
        let database = try #require(address, "no PostgreSQL")
        var options = PostgresOptions(address: database, client: "skerry", owner: "a test")
        options.durability = durability
        // Longer than any test, so that nothing is renewed in between.
        options.lease = .hours(12)
        return options
    }

    /// Opens the store as the next process does, after the former one has ended.
    func open(_ durability: Durability = .full, at now: Timestamp = StoreTests.now) throws -> KeptStore {
        guard address != nil else {
            return KeptStore(try StoreFile.open(database, durability: durability, at: now).store)
        }
        // A process that was killed keeps its lease until it ends by itself.
        if wasOpened { try free() }
        wasOpened = true
        return KeptStore(try PostgresGate(options(durability)).open())
    }

    /// Lets the lease of a process end that renews it no more.
    func free() throws {
        try Backing.server?.execute("UPDATE skerry.lease SET until = '-infinity'", in: options().address)
    }

    /// Reads the store beside a process.
    func look() throws -> StoredState {
        if let address { return try PostgresReader.look(at: address) }
        return try StoreFile.look(at: database)
    }

    func history(device: String? = nil, before: String? = nil, last: Int) throws -> [EndedActivity] {
        if let address {
            return try PostgresReader.history(at: address, device: device, before: before, last: last)
        }
        return try StoreFile.history(at: database, device: device, before: before, last: last)
    }

    /// The history as a process gives it to others.
    func runs(of store: KeptStore) -> any RunHistory {
        store.phones as? PostgresPhoneStore ?? SQLiteRunHistory(path: database)
    }
}
