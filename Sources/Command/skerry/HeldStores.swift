import SkerryGateway
import SkerryPostgres
import SkerryStore

/// The stores of a bridge, or of all its partitions, held so that no bridge can open one of them.
enum HeldStores {
    case files(StoreMove, [String])
    case shared(PostgresMove, Int)

    /// Holds stores.
    ///
    /// - Parameters:
    ///   - paths: The files, or for each the URI of the database.
    ///   - isPartitioned: False for the store of all devices.
    ///   - isNew: True if the stores need not be there yet.
    /// - Throws: ``StoreFault`` of the sort ``StoreFault/Sort/taken`` while a bridge has one of them.
    init(_ paths: [String], isPartitioned: Bool, isNew: Bool) throws(StoreFault) {
        guard SettingsStore.isShared(paths[0]) else {
            // Before a lock makes a file where there is none.
            if !isNew, !StoreMove.isThere(paths[0]) { throw StoreFault(missing: paths[0]) }
            self = .files(try StoreMove(paths), paths)
            return
        }
        let move = try PostgresMove(paths[0], isPartitioned: isPartitioned)
        if isNew { try move.prepare(paths.count) }
        try move.take(paths.count)
        self = .shared(move, paths.count)
    }

    /// The number of stores.
    var count: Int {
        switch self {
        case .files(_, let paths): paths.count
        case .shared(_, let count): count
        }
    }

    /// Returns whether a bridge has ever kept something in a store.
    func isUsed(_ number: Int) throws(StoreFault) -> Bool {
        switch self {
        case .files(_, let paths): StoreMove.isThere(paths[number])
        case .shared(let move, _): try move.isUsed(number)
        }
    }

    func read(_ number: Int) throws(StoreFault) -> (StoreContents, StoredPhones?) {
        switch self {
        case .files(let move, _): (try move.contents(of: number), try move.phones(of: number))
        case .shared(let move, _): (try move.contents(of: number), try move.phones(of: number))
        }
    }

    /// Fills stores that were never used.
    func fill(_ partitions: [NewPartition], _ phones: [StoredPhones], isPartitioned: Bool) throws(StoreFault)
    {
        switch self {
        case .files(let move, _): try move.make(partitions, phones, of: isPartitioned ? count : 0)
        case .shared(let move, _): try move.replace(by: partitions, phones: phones)
        }
    }

    /// Gives the stores other names, under which no bridge finds them.
    func retire(_ suffix: String) throws(StoreFault) {
        switch self {
        case .files(let move, _): try move.retire(suffix)
        case .shared(let move, _): try move.retire(suffix)
        }
    }
}

extension StoreFault {
    /// There is no store at a path.
    init(missing path: String) { self.init("\(path) is not there: nothing can be moved from it") }
}
