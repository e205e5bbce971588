import ArgumentParser
import Glibc
import SkerryCommand
import SkerryFiles
import SkerryGateway
import SkerryPostgres
import SkerryStore
import SkerryValues

/// The move of everything that a bridge keeps to another place, as ``StoreMoveCommand`` makes it.
///
/// The new stores are whole before the former ones lose their names, so that it can be interrupted anywhere and be called again.
struct StoreRelocation {
    private let settings: Settings
    /// The former stores and the new ones, of each partition, or of all devices.
    private let former: [Place], new: [Place]
    private let isPartitioned: Bool

    /// A store, and the beginning of the names of the files beside it.
    private struct Place {
        let path: String
        let files: String?

        init(_ store: SettingsStore, _ settings: Settings) throws {
            guard let path = try store.path(ofBridgeWith: settings.file) else {
                throw ValidationError("nothing is kept (store.path: none), so nothing can be moved")
            }
            self.path = path
            files = try store.filesPath(ofBridgeWith: settings.file)
        }

        var isShared: Bool { SettingsStore.isShared(path) }
    }

    /// Prepares the move.
    ///
    /// - Parameters:
    ///   - config: The file of the settings.
    ///   - place: The new `store.path`.
    /// - Throws: an exit code when the settings are wrong, after saying why.
    init(config: String?, to place: String) throws {
        let settings = try Settings.load(.only(config))
        let count = settings.partitions?.count
        func places(_ further: [String: String]) throws -> [Place] {
            try (0..<(count ?? 1)).map { number in
                let own = count == nil ? [:] : ["partition": "\(number)"]
                let written = own.merging(further) { $1 }.mapValues { WrittenSetting($0, option: "--to") }
                return try Place(try Settings.load(.only(config), written).store, settings)
            }
        }
        self.settings = settings
        former = try places([:])
        new = try places(["store.path": place])
        isPartitioned = count != nil
        if former[0].path == new[0].path { throw ValidationError("--to: everything is there already") }
    }

    /// Prints what would move; no bridge needs to end for it.
    func show() throws {
        let paths = former.map(\.path)
        let stores: PartitionStores =
            former[0].isShared
            ? .shared(try PostgresMove(paths[0], isPartitioned: isPartitioned)) : .files(paths)
        Self.show(
            try stores.look(at: paths.count).map { StoreComparison($0, nil).counts.dropLast() }
        )
    }

    func run() throws {
        let source = try HeldStores(former.map(\.path), isPartitioned: isPartitioned, isNew: false)
        guard try source.isUsed(0) else { throw StoreFault(missing: former[0].path) }
        // Of a call that was interrupted at its very end, the first one has kept its name longest.
        let stores = try former.indices.map { try source.isUsed($0) ? try source.read($0) : nil }
        if stores.contains(where: { $0?.0.state.progress?.cut != nil }) {
            throw StoreFault("'skerry cluster repartition' has not come to its end: call it again first")
        }
        let target = try HeldStores(new.map(\.path), isPartitioned: isPartitioned, isNew: true)
        let wanted = stores.map { $0.map { StoreComparison($0.0, $0.1) } }
        for number in new.indices where try target.isUsed(number) {
            try compare(wanted[number], with: target, number)
        }
        if try !target.isUsed(0) {
            for (place, store) in zip(former, stores) where store == nil {
                throw StoreFault(missing: place.path)
            }
            try fill(target, with: stores.compactMap(\.self))
            for number in new.indices { try compare(wanted[number], with: target, number) }
        }
        try moveFiles()
        let suffix = "_moved_\(SystemClock().now.flooredSeconds)"
        try source.retire(suffix)
        Self.show(wanted.compactMap { $0?.counts })
        Terminal.complain(
            "skerry: everything was read back. Set store.path to the new place, and start the bridge. What it had before keeps the name "
                + "with \(suffix) at its end\n"
        )
    }

    private func fill(_ target: HeldStores, with stores: [(StoreContents, StoredPhones?)]) throws(StoreFault)
    {
        let partitions = NewPartition.all(
            of: stores.map(\.0),
            among: stores.count,
            handled: [],
            prefix: settings.prefix,
            limits: settings.history,
            clock: SystemClock()
        )
        try target.fill(partitions, stores.map { $0.1 ?? StoredPhones() }, isPartitioned: isPartitioned)
    }

    /// Refuses a new store that has anything else than the former one.
    private func compare(
        _ wanted: StoreComparison?,
        with target: HeldStores,
        _ number: Int
    ) throws(StoreFault) {
        guard let wanted else { return }
        let found = try target.read(number)
        let differences = wanted.differences(from: StoreComparison(found.0, found.1))
        if differences.isEmpty { return }
        throw StoreFault(
            "\(new[number].path) has other \(differences.joined(separator: ", ")): name a place where no bridge has kept anything"
        )
    }

    /// Copies what people decided on the page, unless it is there.
    private func moveFiles() throws {
        for (former, new) in zip(former, new) {
            guard let from = former.files, let to = new.files else { continue }
            for file in FileBesideStore.allCases where file != .broker && (file != .devices || !new.isShared)
            {
                let (old, path) = (file.path(beside: from), file.path(beside: to))
                guard StoreMove.isThere(old), !StoreMove.isThere(path) else { continue }
                try ReplacedFile.keep(try FileBytes.text(old, limit: 4_194_304), in: path)
                StoreMove.giveAway(path, like: old)
            }
            let broker = FileBesideStore.broker.path(beside: from)
            if StoreMove.isThere(broker) {
                Terminal.complain(
                    "skerry: the broker that was chosen on the page stays behind: write the lines of \(broker) into the settings\n"
                )
            }
            guard new.isShared, !former.isShared else { continue }
            let choices = FileBesideStore.devices.path(beside: from)
            guard StoreMove.isThere(choices) else { continue }
            Terminal.complain(
                "skerry: names and settings of devices that were chosen on the page are no part of a store that gateways share: write "
                    + "those of \(choices) into the settings of each of them, under 'devices'\n"
            )
        }
    }

    private static func show(_ counts: [some Collection<Int>]) {
        let titles = ["STORE", "DEVICES", "SET ASIDE", "RUNS", "WAITING", "PHONES"]
        let rows = counts.enumerated().map { number, counts in ["\(number)"] + counts.map { "\($0)" } }
        let table = TextTable(Array(titles.prefix(rows.first?.count ?? 0)), rows)
        Terminal.write(Array(table.text.utf8))
    }
}
