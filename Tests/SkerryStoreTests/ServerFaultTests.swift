import Foundation
import SkerryEngine
import SkerryGateway
import SkerryPostgres
import SkerryTesting
import SkerryValues
import Testing

/// The connection to the server is lost after any byte, and at any statement: each batch is there as a whole and once, or not
/// at all.
@Suite(
    "Faults of the server",
    .serialized,
    .enabled(if: PostgresServer.isAvailable, "needs PostgreSQL: apt-get install postgresql")
)
struct ServerFaultTests {
    /// A store in PostgreSQL over a wire, and one in a file that gets the same batches without faults.
    private final class Scene {
        let folder: Folder
        let wire: Wire
        var store: KeptStore
        let twinFolder: Folder
        var twin: KeptStore

        init() throws {
            folder = try Folder(.postgres)
            wire = try Wire(to: #require(Backing.server).directory)
            var options = try folder.options()
            options.address = wire.address(of: options.address)
            store = KeptStore(try PostgresGate(options).open())
            twinFolder = try Folder()
            twin = try twinFolder.open()
        }

        func text(_ folder: Folder, _ store: KeptStore) throws -> String {
            let ended = try folder.history(last: 100).map { "\($0.id) \($0.endedAt.microseconds)" }
            let runs = folder.runs(of: store)
            let stages = try runs.stages(of: ["lamp"])[ExactText("lamp")] ?? []
            return "\(try FaultTests.text(folder.look())) \(ended) \(stages.map(\.state))"
        }

        var contents: String { get throws { try text(folder, store) } }
        var expected: String { get throws { try text(twinFolder, twin) } }
    }

    private static func changes(_ number: Int) -> StoreChanges {
        var changes = FaultTests.changes(number)
        changes.historyLimits = HistoryLimits(activities: 1000)
        changes.stages = [RunStage(activity: "lamp", state: "\(number)", title: nil, from: StoreTests.now)]
        return changes
    }

    /// Cuts at up to this number of places each way; scripts/faults takes all.
    private static func places(_ count: Int) -> [Int] {
        Array(stride(from: 0, to: count, by: max(1, count / max(20, FaultTests.limit))))
    }

    @Test("a connection that is cut after any byte, either way, neither loses a batch nor doubles it")
    func cut() throws {
        let scene = try Scene()
        var number = 1
        scene.wire.forget()
        scene.wire.cut(.toServer, after: .max)
        try scene.store.commit(Self.changes(number))
        try scene.twin.commit(Self.changes(number))
        let passed = scene.wire.forget()
        for way in Wire.Way.allCases {
            for place in Self.places(try #require(passed[way])) {
                number += 1
                scene.wire.cut(way, after: place)
                try scene.store.commit(Self.changes(number))
                scene.wire.forget()
                try scene.twin.commit(Self.changes(number))
                #expect(try scene.contents == scene.expected, "\(way) \(place)")
            }
        }
        #expect(number > 40)
    }

    @Test("a batch whose outcome is unknown until the server is back is there once, with what came later")
    func away() throws {
        let scene = try Scene()
        try scene.store.commit(Self.changes(1))
        try scene.twin.commit(Self.changes(1))
        var number = 1
        var outcomes: [Bool: Int] = [:]
        for way in Wire.Way.allCases {
            for place in Self.places(way == .toServer ? 11_000 : 300) {
                number += 1
                var changes = Self.changes(number)
                let before = try scene.contents
                scene.wire.refuse(true)
                scene.wire.cut(way, after: place)
                var isLost = false
                do { try scene.store.commit(changes) } catch {
                    isLost = true
                    #expect(error.sort == .away)
                }
                scene.wire.refuse(false)
                scene.wire.forget()
                let isThere = try scene.contents != before
                if isLost {
                    outcomes[isThere, default: 0] += 1
                    // A bridge hands the same changes over again, with new ones, and without publications that these replace.
                    number += 1
                    let more = Self.changes(number)
                    changes.progress = more.progress
                    changes.images += more.images
                    changes.enqueued = more.enqueued
                    changes.settled += more.settled
                    changes.enqueuedDeliveries += more.enqueuedDeliveries
                    changes.ended += more.ended
                    changes.stages += more.stages
                    try scene.store.commit(changes)
                }
                try scene.twin.commit(changes)
                #expect(try scene.contents == scene.expected, "\(way) \(place) \(isThere)")
            }
        }
        #expect(outcomes[true, default: 0] > 5 && outcomes[false, default: 0] > 5, "\(outcomes)")
    }

    @Test(
        "a server that ends the connection at a statement, or at COMMIT, has stored nothing of the batch",
        arguments: ["lease", "device", "outbox", "delivery", "history", "run_stage", "progress"],
        ["", "CONSTRAINT"]
    )
    func terminated(table: String, kind: String) throws {
        let scene = try Scene()
        try scene.store.commit(Self.changes(1))
        try scene.twin.commit(Self.changes(1))
        let (server, database) = (try #require(Backing.server), try scene.folder.options().address)
        let timing = kind.isEmpty ? "" : "DEFERRABLE INITIALLY DEFERRED"
        try server.execute(
            """
            CREATE FUNCTION skerry.die() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END';
            CREATE \(kind) TRIGGER die AFTER INSERT OR UPDATE ON skerry.\(table) \(timing)
                FOR EACH ROW EXECUTE FUNCTION skerry.die()
            """,
            in: database
        )
        #expect {
            try scene.store.commit(Self.changes(2))
        } throws: { error in
            (error as? StoreFault)?.sort == .away
        }
        #expect(try scene.contents == scene.expected)
        try server.execute("DROP FUNCTION skerry.die CASCADE", in: database)
        try scene.store.commit(Self.changes(2))
        try scene.twin.commit(Self.changes(2))
        #expect(try scene.contents == scene.expected)
    }

    @Test("after a batch that was refused while its statements were prepared, the next one is stored")
    func refused() throws {
        let scene = try Scene()
        let (server, database) = (try #require(Backing.server), try scene.folder.options().address)
        try server.execute("ALTER TABLE skerry.device RENAME TO elsewhere", in: database)
        #expect(throws: StoreFault.self) { try scene.store.commit(Self.changes(1)) }
        try server.execute("ALTER TABLE skerry.elsewhere RENAME TO device", in: database)
        try scene.store.commit(Self.changes(1))
        try scene.twin.commit(Self.changes(1))
        #expect(try scene.contents == scene.expected)
    }

    @Test("texts with U+0000, and names that no index takes, are kept as they are")
    func hostile() throws {
        let folder = try Folder(.postgres)
        var store = try folder.open()
        var changes = StoreTests.changes()
        let name = "\0" + String(repeating: "ä", count: 30_000)
        changes.images = ["a", "b"].map { DeviceImage(kind: "lamp", name: name + $0, layout: 1, bytes: [1]) }
        changes.stages = [RunStage(activity: name, state: "\0", title: "\0", from: StoreTests.now)]
        try store.commit(changes)
        changes.images.removeLast()
        changes.images[0].bytes = [2]
        try store.commit(changes)
        let devices = try folder.look().devices
        #expect(devices.map(\.name) == [name + "a", name + "b"] && devices.map(\.bytes) == [[2], [1]])
        let stages = try folder.runs(of: store).stages(of: [name])[ExactText(name)]
        #expect(stages?.map(\.title) == ["\0", "\0"])
    }
}
