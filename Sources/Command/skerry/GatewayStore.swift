import SkerryGateway
import SkerryPostgres
import SkerryStore

/// A store in a file, in a database that several gateways share, or none.
enum GatewayStore: Store, Sendable {
    case database(SQLiteStore)
    case shared(PostgresStore)
    case memory(MemoryStore, MemoryPhoneStore)

    /// The store of phones without a database.
    private static let noPhones = MemoryPhoneStore()

    /// The phones in the same place.
    var phones: any PhoneStore {
        switch self {
        case .database(let store): store.phones
        case .shared(let store): store.phones
        case .memory(_, let phones): phones
        }
    }

    /// The progress of the last process, until it is loaded; nil if the store is new.
    var progress: StoreProgress? {
        switch self {
        case .database(let store): store.progress
        case .shared(let store): store.progress
        case .memory: nil
        }
    }

    /// The runs that have ended; those of a store that keeps nothing are known while the process runs.
    func history(at path: String?) -> any RunHistory {
        switch self {
        case .database: SQLiteRunHistory(path: path ?? "")
        case .shared(let store): store.phones
        case .memory(let store, _): store.history ?? MemoryRunHistory()
        }
    }

    /// Ends it in good order; it must not be used afterwards.
    func close() {
        switch self {
        case .database(let store): store.close()
        case .shared(let store): store.close()
        case .memory: break
        }
    }

    mutating func load() throws(StoreFault) -> StoredState {
        switch self {
        case .memory(let store, _): return store.load()
        case .database(var store):
            defer { self = .database(store) }
            return store.load()
        case .shared(var store):
            defer { self = .shared(store) }
            return store.load()
        }
    }

    mutating func commit(_ changes: StoreChanges) throws(StoreFault) {
        switch self {
        case .memory(let store, _): store.commit(changes)
        case .database(var store):
            self = .memory(MemoryStore(), Self.noPhones)
            defer { self = .database(store) }
            try store.commit(changes)
        case .shared(var store):
            self = .memory(MemoryStore(), Self.noPhones)
            defer { self = .shared(store) }
            try store.commit(changes)
        }
    }

    func note(_ mark: RecoveryMark) throws(StoreFault) {
        switch self {
        case .database(let store): try store.note(mark)
        case .shared(let store): try store.note(mark)
        case .memory: break
        }
    }

    func setAside(_ device: SetAsideDevice) throws(StoreFault) {
        switch self {
        case .database(let store): try store.setAside(device)
        case .shared(let store): try store.setAside(device)
        case .memory: break
        }
    }
}
