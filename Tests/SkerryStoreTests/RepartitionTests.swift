import Foundation
import SkerryActivity
import SkerryEngine
import SkerryGateway
import SkerryPostgres
import SkerryStore
import SkerryTesting
import SkerryValues
import Testing

/// Stores that become those of another number of partitions.
@Suite("Another number of partitions", .serialized)
struct RepartitionTests {
    private static let names = ["a", "b", "c", "d", "e", "f"]

    private static func path(_ number: Int, _ folder: Folder) -> String { "\(folder.path)/s-p\(number).db" }

    private static func open(_ number: Int, of count: Int, _ folder: Folder) throws -> KeptStore {
        guard folder.address != nil else {
            let path = path(number, folder)
            let now = StoreTests.now
            return KeptStore(try StoreFile.open(path, durability: .full, partitions: count, at: now).store)
        }
        var options = try folder.options()
        options.partition = Partition(number, of: count)
        return KeptStore(try PostgresGate(options).open())
    }

    private static func words(_ attempt: () throws -> Void) -> String {
        do { try attempt() } catch { return (error as? StoreFault)?.message ?? "\(error)" }
        return ""
    }

    /// Makes the stores of two partitions, with all that a store can have.
    private static func fill(_ folder: Folder) throws {
        for number in 0..<2 {
            var store = try open(number, of: 2, folder)
            var changes = FaultTests.changes(3 + number)
            changes.historyLimits = HistoryLimits()
            changes.epoch = 7 + Int64(number)
            changes.progress.owner = "owner \(number)"
            changes.progress.cut = 5
            changes.progress.handled = [
                HandledMessage(packet: 0, hash: 1), HandledMessage(packet: 9, hash: 2),
            ]
            let own = names.filter { Partition.number(of: $0, among: 2) == number }
            changes.images = own.map { DeviceImage(kind: "lamp", name: $0, layout: 1, bytes: [1]) }
            changes.enqueued = own.flatMap { name in
                ["activity", "activity/diff"].map {
                    Publication(
                        id: 4,
                        topic: "skerry/lamp/\(name)/\($0)",
                        payload: [1],
                        isRetained: $0 == "activity"
                    )
                }
            }
            for (place, _) in changes.enqueued.enumerated() { changes.enqueued[place].id = UInt64(1 + place) }
            changes.stages = own.map {
                RunStage(activity: "lamp/\($0)/1", state: "on", title: nil, from: StoreTests.now)
            }
            try store.commit(changes)
            // It has started again since it was set aside.
            try store.setAside(
                SetAsideDevice(device: DeviceKey(kind: "lamp", name: own[0]), at: StoreTests.now)
            )
            changes.enqueued = []
            changes.ended = []
            changes.stages = []
            changes.enqueuedDeliveries = []
            changes.images = [DeviceImage(kind: "lamp", name: own[0], layout: 1, bytes: [2])]
            try store.commit(changes)
            store.close()
        }
    }

    private static func share(_ contents: [StoreContents], among count: Int) -> [NewPartition] {
        let handled = [[HandledMessage(packet: 3, hash: 4)]]
        return NewPartition.all(
            of: contents,
            among: count,
            handled: handled,
            prefix: "skerry",
            limits: HistoryLimits(),
            clock: StepClock(StoreTests.now)
        )
    }

    private static func move(_ folder: Folder, from former: Int, to count: Int) throws {
        if let address = folder.address {
            let move = try PostgresMove(address)
            try move.take(former)
            let contents = try (0..<former).map { try move.contents(of: $0) }
            return try move.replace(by: share(contents, among: count))
        }
        let move = try StoreMove((0..<max(former, count)).map { path($0, folder) })
        let contents = try (0..<former).map { try move.contents(of: $0) }
        try move.replace(by: share(contents, among: count))
    }

    private static func contents(_ folder: Folder, of count: Int) throws -> [StoreContents] {
        if let address = folder.address {
            let move = try PostgresMove(address)
            return try (0..<count).map { try move.contents(of: $0) }
        }
        return try (0..<count).map { try StoreFile.contents(at: path($0, folder)) }
    }

    @Test(
        "all that two partitions have is in three, and then in one, each device where it belongs",
        arguments: Backing.all
    )
    func moved(_ backing: Backing) throws {
        let folder = try Folder(backing)
        try Self.fill(folder)
        let before = try Self.contents(folder, of: 2)
        for (former, count) in [(2, 3), (3, 1)] {
            try Self.move(folder, from: former, to: count)
            let after = try Self.contents(folder, of: count)
            for (number, store) in after.enumerated() {
                let partition = Partition(number, of: count)
                #expect(store.state.devices.allSatisfy { partition.owns($0.name) })
                #expect(store.state.progress?.cut == nil && !store.state.mayHaveForgotten)
                #expect(store.state.epoch ?? 0 > 8 && store.state.progress?.formerEpochs.prefix(2) == [7, 8])
                #expect(store.state.progress?.handled.contains(HandledMessage(packet: 0, hash: 1)) == true)
                let ids = store.state.publications.map(\.id) + store.state.deliveries.map(\.id)
                #expect(
                    Set(ids).count == ids.count
                        && ids.allSatisfy { $0 <= store.state.progress?.lastPublication ?? 0 }
                )
            }
            #expect(after[0].state.progress?.owner == "owner 0")
            if count == 3 {
                #expect(after[2].state.progress?.handled.last == HandledMessage(packet: 3, hash: 4))
                #expect(Set(after.compactMap(\.state.progress?.owner)).count == 3)
            }
            func all(_ stores: [StoreContents], _ list: (StoreContents) -> [String]) -> [String] {
                stores.flatMap(list).sorted()
            }
            let lists: [(StoreContents) -> [String]] = [
                { $0.state.devices.map { "\($0.name) \($0.bytes)" } },
                { $0.setAside.map { "\($0.image.name) \($0.at)" } },
                { $0.state.publications.filter { !$0.isRetained }.map(\.topic) },
                { $0.state.deliveries.map { "\($0.sink) \($0.update.id)" } }, { $0.ended.map(\.id) },
                { $0.stages.map(\.activity) },
            ]
            for list in lists { #expect(all(after, list) == all(before, list)) }
            // The bridges publish snapshots of the new epoch.
            #expect(!after.contains { $0.state.publications.contains(where: \.isRetained) })
        }
        try Self.open(0, of: 1, folder).close()
        #expect(
            Self.words { _ = try Self.open(0, of: 2, folder) }.contains("skerry cluster repartition --to 2")
        )
    }

    @Test(
        "a partition that has ended at the mark does not start before the end of it all",
        arguments: Backing.all
    )
    func cut(_ backing: Backing) throws {
        let folder = try Folder(backing)
        try Self.fill(folder)
        #expect(
            Self.words { _ = try Self.open(1, of: 2, folder) }.contains(
                "'skerry cluster repartition' come to its end"
            )
        )
        if let address = folder.address {
            let move = try PostgresMove(address)
            #expect(try move.cut(of: 1) == 5)
            try move.resume(1)
        } else {
            #expect(try StoreFile.cut(at: Self.path(1, folder)) == (2, 5))
            try StoreMove([Self.path(1, folder)]).resume()
        }
        try Self.open(1, of: 2, folder).close()
    }

    @Test("files of which only some are exchanged are refused, and the exchange can be finished")
    func interrupted() throws {
        let folder = try Folder(.sqlite)
        try Self.fill(folder)
        try Self.move(folder, from: 2, to: 3)
        let (path, new) = (Self.path(2, folder), Self.path(2, folder) + ".new")
        try FileManager.default.moveItem(atPath: path, toPath: new)
        #expect(
            Self.words { _ = try Self.open(2, of: 3, folder) }.contains(
                "'skerry cluster repartition' come to its end"
            )
        )
        let paths = (0..<3).map { Self.path($0, folder) }
        #expect(StoreMove.isUnfinished(paths, among: 3))
        try StoreMove(paths).finish(among: 3)
        #expect(!StoreMove.isUnfinished(paths, among: 3) && !folder.files.contains { $0.hasSuffix(".new") })
        try Self.open(2, of: 3, folder).close()
    }
}
