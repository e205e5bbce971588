import Foundation
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryPhones
import SkerryPostgres
import SkerryStore
import SkerryTesting
import SkerryValues
import Testing

/// Stores that go from a file to PostgreSQL and back; the command with bridges beside it is in the live tests.
@Suite("A store in another place", .serialized, .enabled(if: PostgresServer.isAvailable, "needs PostgreSQL"))
struct RelocationTests {
    private static func fill(_ folder: Folder) throws -> StoredPhones {
        var store = KeptStore(
            try StoreFile.open(folder.database, durability: .full, at: StoreTests.now).store
        )
        var changes = FaultTests.changes(3)
        let edited = ReloadTests.oven.replacingOccurrences(of: "hot", with: "baking")
        // No device goes by the layout of the former definition any more.
        changes.layouts = try [ReloadTests.oven, edited].map {
            DefinitionLayout(of: try ReloadTests.definition($0))
        }
        changes.images = [DeviceImage(kind: "lamp", name: "ä", layout: changes.layouts[1].id, bytes: [1])]
        try store.commit(changes)
        let phones = StoredPhones(
            [PhoneImage(id: "browser/1", bytes: [1, 2]), PhoneImage(id: "phone", bytes: [0, 255])],
            failures: (0..<3).map {
                DeliveryFailure(
                    at: StoreTests.now + .seconds($0),
                    service: "phones",
                    recipient: "é",
                    activity: "lamp/ä/1",
                    text: "410"
                )
            }
        )
        try store.phones.commit(phones.images, removed: [])
        try store.phones.add(phones.failures)
        store.close()
        return phones
    }

    private static func share(_ contents: StoreContents) -> [NewPartition] {
        NewPartition.all(
            of: [contents],
            among: 1,
            handled: [],
            prefix: "skerry",
            limits: HistoryLimits(),
            clock: StepClock(StoreTests.now)
        )
    }

    @Test(
        "devices, runs, deliveries and phones with their failures are the same in PostgreSQL, and in a file again"
    )
    func moved() throws {
        let folder = try Folder(.postgres)
        let phones = try Self.fill(folder)
        let source = try StoreMove([folder.database])
        let contents = try source.contents(of: 0)
        #expect(try source.phones(of: 0) == phones)
        let address = try #require(folder.address)
        let database = try PostgresMove(address, isPartitioned: false)
        try database.prepare(1)
        #expect(try !database.isUsed(0))
        try database.take(1)
        try database.replace(by: Self.share(contents), phones: [phones])
        #expect(try database.isUsed(0))
        let wanted = StoreComparison(contents, phones)
        let moved = StoreComparison(try database.contents(of: 0), try database.phones(of: 0))
        #expect(wanted.differences(from: moved).isEmpty && wanted.counts == moved.counts)
        try source.retire("_moved")
        #expect(try source.phones(of: 0) == nil)
        #expect(folder.files == ["skerry.db.lock", "skerry.db.phones_moved", "skerry.db_moved"])

        let other = folder.path + "/other.db"
        // Root moves the store of a service, whose user has the folder.
        if geteuid() == 0 { #expect(chown(folder.path, 4711, 4712) == 0) }
        let target = try StoreMove([other])
        try target.make(Self.share(try database.contents(of: 0)), [phones], of: 0)
        let back = StoreComparison(try target.contents(of: 0), try target.phones(of: 0))
        #expect(wanted.differences(from: back).isEmpty)
        if geteuid() == 0 {
            for file in ["", ".phones", ".lock"] {
                var status = stat()
                #expect(stat(other + file, &status) == 0 && status.st_uid == 4711 && status.st_gid == 4712)
            }
        }
        try database.take(1)
        try database.retire("_moved")
        // Another gateway finds nothing, and begins.
        let store = try PostgresGate(try folder.options()).open()
        #expect(store.progress == nil)
        store.close()
    }

    @Test("a lease that a gateway has taken meanwhile keeps what it has from another name")
    func overtaken() throws {
        let folder = try Folder(.postgres)
        let database = try PostgresMove(try #require(folder.address), isPartitioned: false)
        try database.prepare(1)
        try database.take(1)
        let store = try PostgresGate(try folder.options()).open()
        #expect { try database.retire("_moved") } throws: { ($0 as? StoreFault)?.sort == .taken }
        store.close()
    }

    @Test("what another store has otherwise is named")
    func compared() throws {
        let folder = try Folder(.sqlite)
        let phones = try Self.fill(folder)
        let contents = try StoreFile.contents(at: folder.database)
        let whole = StoreComparison(contents, phones)
        func names(_ change: (inout StoreContents, inout StoredPhones) -> Void) -> [String] {
            var (other, others) = (contents, phones)
            change(&other, &others)
            return whole.differences(from: StoreComparison(other, others))
        }
        #expect(names { _, _ in }.isEmpty)
        #expect(names { other, _ in other.state.devices[0].bytes = [2] } == ["devices"])
        #expect(names { other, _ in other.state.deliveries.removeAll() } == ["deliveries"])
        let layout = contents.state.devices[0].layout
        #expect(names { other, _ in other.state.layouts.removeAll { $0.id == layout } } == ["layouts"])
        #expect(names { other, _ in other.state.layouts.removeAll { $0.id != layout } }.isEmpty)
        #expect(names { other, _ in other.ended.removeAll() } == ["runs"])
        #expect(names { _, phones in phones.images.removeLast() } == ["phones"])
        #expect(names { _, phones in phones.failures.removeLast() } == ["failures"])
        // An interrupted move has renamed the phones, and not the store.
        #expect(StoreComparison(contents, nil).differences(from: whole).isEmpty)
        // The next bridge publishes them anew.
        #expect(names { other, _ in other.state.publications.removeAll() }.isEmpty)
    }
}
