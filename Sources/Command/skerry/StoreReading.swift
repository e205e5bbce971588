import SkerryGateway
import SkerryPostgres
import SkerryStore

/// Reads a store of either kind, also while a bridge uses it; nothing is written.
enum StoreReading {
    static func look(at path: String) throws(StoreFault) -> StoredState {
        SettingsStore.isShared(path) ? try PostgresReader.look(at: path) : try StoreFile.look(at: path)
    }

    /// The last activities that have ended, in the order in which they ended.
    static func history(
        at path: String,
        device: String? = nil,
        before: String? = nil,
        last count: Int
    ) throws(StoreFault) -> [EndedActivity] {
        guard SettingsStore.isShared(path) else {
            return try StoreFile.history(at: path, device: device, before: before, last: count)
        }
        return try PostgresReader.history(at: path, device: device, before: before, last: count)
    }
}
