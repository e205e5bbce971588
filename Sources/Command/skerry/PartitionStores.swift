import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryPostgres
import SkerryStore

/// The stores of all partitions: files of this computer, or schemas of one database.
enum PartitionStores {
    case files([String])
    case shared(PostgresMove)

    /// The number of partitions among which the devices are shared out.
    func count() throws(StoreFault) -> Int {
        switch self {
        case .files(let paths): try StoreFile.cut(at: paths[0]).partitions
        case .shared(let move): try move.count()
        }
    }

    /// Refuses stores of which one is not there, or not one of this version.
    func demand(_ partitions: Int) throws(StoreFault) {
        for number in 0..<partitions {
            switch self {
            case .files(let paths):
                if StoreMove.isThere(paths[number]) { continue }
                throw StoreFault(
                    "\(paths[number]) is not there: all partitions must have run, on this computer"
                )
            case .shared(let move):
                if try move.isThere(number) { continue }
                throw StoreFault(
                    "PostgreSQL: partition \(number) has no tables of this version: start it first"
                )
            }
        }
    }

    /// The mark at which a partition has ended; nil if it has not.
    func cut(of partition: Int) throws(StoreFault) -> Int64? {
        switch self {
        case .files(let paths): try StoreFile.cut(at: paths[partition]).cut
        case .shared(let move): try move.cut(of: partition)
        }
    }

    /// Reads all of partitions, also while bridges use them.
    func look(at partitions: Int) throws(StoreFault) -> [StoreContents] {
        var contents: [StoreContents] = []
        for number in 0..<partitions {
            switch self {
            case .files(let paths): contents.append(try StoreFile.contents(at: paths[number]))
            case .shared(let move): contents.append(try move.contents(of: number))
            }
        }
        return contents
    }

    /// Replaces the stores of some partitions by those of others, as a whole.
    ///
    /// - Throws: ``StoreFault`` as long as a bridge has one of them; it can be tried again.
    func replace(
        _ former: Int,
        by share: ([StoreContents]) -> [NewPartition]
    ) throws -> [NewPartition] {
        switch self {
        case .files(let paths):
            let move = try StoreMove(paths)
            var contents: [StoreContents] = []
            for number in 0..<former { contents.append(try move.contents(of: number)) }
            let partitions = share(contents)
            try Self.moveChoices(paths, partitions)
            try move.replace(by: partitions)
            return partitions
        case .shared(let move):
            try move.take(former)
            let partitions = share(try look(at: former))
            try move.replace(by: partitions)
            return partitions
        }
    }

    /// Returns whether a replacement was interrupted after it could no longer be taken back, if the first store is a new one.
    func isUnfinished(among count: Int) -> Bool {
        guard case .files(let paths) = self else { return false }
        return StoreMove.isUnfinished(paths, among: count)
    }

    /// Ends such a replacement.
    func finish(among count: Int) throws(StoreFault) {
        guard case .files(let paths) = self, isUnfinished(among: count) else { return }
        try StoreMove(paths).finish(among: count)
    }

    /// Lets partitions that have ended at a mark go on as before.
    func resume(_ partitions: Int) throws(StoreFault) {
        // The first one last: as long as it has its mark, no new store counts.
        for number in (0..<partitions).reversed() {
            switch self {
            case .files(let paths): try StoreMove([paths[number]]).resume()
            case .shared(let move): try move.resume(number)
            }
        }
    }

    /// Copies what people chose for devices on the page to where the devices go.
    private static func moveChoices(_ paths: [String], _ partitions: [NewPartition]) throws(FileError) {
        var former: [WrittenDevices] = []
        for path in paths {
            former.append(try DevicesFile(FileBesideStore.devices.path(beside: path)).read().devices)
        }
        for (number, partition) in partitions.enumerated() {
            var devices = former[number]
            for (device, origin) in partition.moved {
                if !former[origin].mentions(device), !devices.mentions(device) { continue }
                let settings = former[origin].settings(of: device.name, kind: device.kind)
                devices.replace(settings, of: device.name, kind: device.kind)
                let name = former[origin].name(of: device.name, kind: device.kind)?.text
                devices.rename(device.name, kind: device.kind, to: name ?? "")
            }
            if partition.moved.isEmpty || devices.isEmpty { continue }
            let file = FileBesideStore.devices.path(beside: paths[number])
            try DevicesFile(file).write(devices)
            StoreMove.giveAway(file, like: paths[0])
        }
    }
}

extension WrittenDevices {
    fileprivate func mentions(_ device: DeviceKey) -> Bool {
        name(of: device.name, kind: device.kind) != nil
            || !settings(of: device.name, kind: device.kind).isEmpty
    }
}
