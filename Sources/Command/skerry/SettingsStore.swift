import ArgumentParser
import SkerryFiles
import SkerryGateway
import SkerryStore
import SkerryValues

/// The database that keeps devices over a restart, under `store:`.
struct SettingsStore {
    private let named: String?
    private let clientID: String
    private let partitions: SettingsPartitions?
    var durability: Durability
    var checkpointInterval: Interval
    /// The time after which another gateway takes over from one that does not answer.
    var lease: Interval
    /// The time after which a gateway without a broker hands its lease over.
    var brokerPatience: Interval

    init(
        _ reader: SettingsReader,
        _ partitions: SettingsPartitions?,
        clientID: String
    ) throws(SettingFault) {
        durability = try reader.word(SettingKeys.Store.durability)
        checkpointInterval = try reader[SettingKeys.Store.checkpointInterval]
        lease = try reader[SettingKeys.Store.lease]
        brokerPatience = try reader[SettingKeys.Store.brokerPatience]
        named = try reader[SettingKeys.Store.path]
        self.clientID = clientID
        self.partitions = partitions
        guard let named else { return }
        // Without what follows, which may have a password in it.
        let scheme = named.prefix { $0 != "/" }
        if !isShared, scheme.hasSuffix(":") {
            throw reader.fault(
                SettingKeys.Store.path,
                "'\(scheme)' begins neither a file nor a database of PostgreSQL: write a path, postgresql://…, or none"
            )
        }
        guard isShared, Self.holdsPassword(named) else { return }
        throw reader.fault(
            SettingKeys.Store.path,
            "a password does not belong here, where others may read it: put it into PGPASSWORD of the environment, or into a file "
                + "that PGPASSFILE names"
        )
    }

    /// True if it is a database that several gateways share.
    var isShared: Bool { named.map(Self.isShared) ?? false }

    /// Returns whether a path is the URI of a database of PostgreSQL.
    static func isShared(_ path: String) -> Bool {
        path.hasPrefix("postgresql://") || path.hasPrefix("postgres://")
    }

    private static func holdsPassword(_ address: String) -> Bool {
        let rest = address.drop { $0 != ":" }.dropFirst(3)
        let user = rest.prefix { $0 != "/" && $0 != "?" }.split(
            separator: "@",
            omittingEmptySubsequences: false
        )
        return user.count > 1 && user[0].contains(":")
            || rest.split(whereSeparator: { "?&".contains($0) }).contains { $0.hasPrefix("password=") }
    }

    /// The file of the database; nil keeps nothing.
    ///
    /// Without a setting it is where systemd's `StateDirectory` or the XDG base directories have such files.
    func path() throws -> String? {
        if let named { return named == "none" ? nil : isShared ? named : ownFile(named) }
        guard let folder = Self.stateFolder else {
            throw ValidationError("store.path: there is no HOME to keep devices in: name a file, or none")
        }
        return "\(folder)/\(usualName).db"
    }

    /// The database of the bridge with these settings, for a program that reads it beside the bridge.
    ///
    /// - Parameter file: The configuration file; with that of the packaged service it is the service's database.
    /// - Returns: its path; nil if it keeps nothing.
    /// - Throws: when there is no place for one.
    func path(ofBridgeWith file: String?) throws -> String? {
        guard named == nil, !Self.isService, file == Settings.serviceFile else { return try path() }
        return "\(Self.serviceFolder)/skerry\(partitions?.suffix ?? "").db"
    }

    private var usualName: String {
        Self.isService ? "skerry\(partitions?.suffix ?? "")" : clientID
    }

    /// The file of this partition: its number goes before the end of the name.
    private func ownFile(_ path: String) -> String {
        guard let suffix = partitions?.suffix, let end = path.lastIndex(where: { $0 == "." || $0 == "/" }),
            path[end] == "."
        else { return path + (partitions?.suffix ?? "") }
        return "\(path[..<end])\(suffix)\(path[end...])"
    }

    /// The beginning of the names of files that this computer keeps for itself; nil if it keeps nothing.
    func filesPath() throws -> String? {
        guard isShared else { return try path() }
        return Self.stateFolder.map { "\($0)/\(usualName)" }
    }

    /// The same for the bridge with these settings, for a program that runs beside it.
    func filesPath(ofBridgeWith file: String?) throws -> String? {
        guard isShared, !Self.isService, file == Settings.serviceFile else {
            return isShared ? try filesPath() : try path(ofBridgeWith: file)
        }
        return "\(Self.serviceFolder)/skerry\(partitions?.suffix ?? "")"
    }

    /// The file of the settings that people choose for devices on the page; nil if this computer keeps no devices.
    func devicesFile() throws -> DevicesFile? {
        isShared ? nil : try path().map { DevicesFile(FileBesideStore.devices.path(beside: $0)) }
    }

    /// True if nothing is kept over a restart.
    var keepsNothing: Bool { named == "none" }

    /// True if systemd names the folder of what is kept.
    private static var isService: Bool { ProcessEnvironment.variables["STATE_DIRECTORY"] != nil }

    /// The folder in which the packaged service keeps its data.
    static let serviceFolder = "/var/lib/skerry"

    /// The folder of what is kept: systemd's, else the one that the XDG base directories have; nil without a `HOME`.
    static var stateFolder: String? {
        let environment = ProcessEnvironment.variables
        if let folder = environment["STATE_DIRECTORY"] { return folder }
        // An empty one counts as none, as the XDG base directories have it.
        func named(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let folder = named("XDG_STATE_HOME") ?? named("HOME").map { "\($0)/.local/state" }
        return folder.map { "\($0)/skerry" }
    }

    /// Opens the store of a path.
    ///
    /// - Returns: the store, and what people should know if an old one was damaged.
    func open(
        _ path: String?,
        at now: Timestamp
    ) throws(StoreFault) -> (store: GatewayStore, notice: String?) {
        guard let path else {
            return (.memory(MemoryStore(history: MemoryRunHistory()), MemoryPhoneStore()), nil)
        }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        do throws(FileError) {
            try Folder.make(folder)
        } catch {
            throw StoreFault(
                "\(folder): can't be made: name a store.path that can be written to, or none",
                error.isOutOfSpace ? .full : .passing
            )
        }
        let (store, notice) = try StoreFile.open(
            path,
            durability: durability,
            partitions: partitions?.count ?? 0,
            at: now
        )
        return (.database(store), notice)
    }
}
