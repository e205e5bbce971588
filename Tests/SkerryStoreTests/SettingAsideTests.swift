import CSQLite
import Foundation
import Logging
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryStore
import SkerryTesting
import SkerryValues
import Testing

/// A device that ends the process when it is brought back.
@Suite("Devices set aside")
struct SettingAsideTests {
    /// A store that ends the process when a device's turn has come; as long as devices are not named, at once.
    struct TrapStore: Store {
        var store: SQLiteStore

        mutating func load() -> StoredState { store.load() }

        mutating func commit(_ changes: StoreChanges) throws(StoreFault) { try store.commit(changes) }

        func note(_ mark: RecoveryMark) throws(StoreFault) {
            try store.note(mark)
            if mark.device?.name == "b" || mark.attempts == 1 { abort() }
        }

        func setAside(_ device: SetAsideDevice) throws(StoreFault) { try store.setAside(device) }
    }

    /// What tells a child where the database is.
    static let variable = "SKERRY_TEST_DATABASE"

    /// Starts a bridge on the database that the environment names; it ends the process.
    static func startAndEnd() throws {
        let path = try #require(ProcessInfo.processInfo.environment[variable])
        let (store, _) = try StoreFile.open(path, durability: .full, at: RecoveryTests.start)
        let draft = try #require(DefinitionReader.read(text: RecoveryTests.definition).draft)
        _ = try Bridge.recover(
            definitions: [try #require(Definition.compile(draft).definition)],
            store: TrapStore(store: store),
            clock: StepClock(RecoveryTests.start),
            options: BridgeOptions(version: "test"),
            ports: BridgePorts(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        )
    }

    static func health(_ gateway: RecoveryTests.Gateway) -> String {
        gateway.bridge.connect(BusSession(isResumed: true))
        var report = ""
        while let publication = gateway.bridge.nextPublication() {
            if publication.topic.hasSuffix("/health") {
                report = String(decoding: publication.payload, as: UTF8.self)
            }
        }
        return report
    }

    /// The command of docs/what-is-kept.md that gives back what was set aside.
    static func remedy() throws -> String {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: package.appendingPathComponent("docs/what-is-kept.md"),
            encoding: .utf8
        )
        let command = try #require(page.firstMatch(of: /sqlite3 \S+ "(BEGIN; [^"]+)"/))
        return String(command.output.1)
    }

    @Test(
        "a device at which three starts in a row crashed is left out of the next, and the others go on"
    )
    func setAside() async throws {
        let folder = try Folder()
        do {
            let gateway = try RecoveryTests.Gateway(folder, at: RecoveryTests.start)
            for device in ["a", "b", "c"] { gateway.send(#"{"on":true,"left":600}"#, by: device) }
            _ = gateway.published()
        }
        setenv(Self.variable, folder.database, 1)
        for attempt in 1...4 {
            await #expect(processExitsWith: .signal(SIGABRT)) { try SettingAsideTests.startAndEnd() }
            let state = try StoreFile.look(at: folder.database)
            let device = attempt > 1 ? DeviceKey(kind: "oven", name: "b") : nil
            #expect(state.recovery == RecoveryMark(attempts: attempt, device: device, hits: attempt - 1))
            #expect(state.devices.count == 3)
        }
        do {
            let gateway = try RecoveryTests.Gateway(folder, at: RecoveryTests.start + .minutes(10))
            let told = gateway.published().filter { $0.contains(#""state":"done""#) && $0.contains("/diff") }
            #expect(told.map { $0.prefix(13) } == ["skerry/oven/a", "skerry/oven/c"])
            let health = Self.health(gateway)
            #expect(health.contains(#""setAside":["oven/b"]"#))
            #expect(health.contains("oven/b has ended several processes while it was being restored"))
            gateway.send(#"{"on":true,"left":60}"#, by: "b")
            #expect(gateway.published().contains { $0.hasPrefix("skerry/oven/b/activity ") })
            gateway.bridge.ended()
        }
        var state = try StoreFile.look(at: folder.database)
        #expect(state.recovery == RecoveryMark())
        #expect(state.setAside.map { "\($0.device)" } == ["oven/b"])
        #expect(state.devices.map { $0.name } == ["a", "b", "c"], "it has started anew")
        var database: OpaquePointer?
        sqlite3_open(folder.database, &database)
        #expect(sqlite3_exec(database, try Self.remedy(), nil, nil, nil) == SQLITE_OK)
        sqlite3_close(database)
        state = try StoreFile.look(at: folder.database)
        #expect(state.setAside.isEmpty)
        let gateway = try RecoveryTests.Gateway(folder, at: RecoveryTests.start + .minutes(10))
        let told = gateway.published().filter { $0.contains("/b/activity/diff") }
        #expect(
            told.contains { $0.contains(#""at":1772356200"#) },
            "it goes on from its former state: \(told)"
        )
    }

    /// A store whose process is killed while a device is brought back that does no harm.
    struct KillStore: Store {
        var state: StoredState
        let marks: Marks

        final class Marks {
            var setAside: [DeviceKey] = []
        }

        func load() -> StoredState { state }

        func commit(_ changes: StoreChanges) {}

        func setAside(_ device: SetAsideDevice) { marks.setAside.append(device.device) }
    }

    @Test(
        "a kill from outside sets no device aside, unless it hits the same one three times"
    )
    func kills() throws {
        let (a, b) = (DeviceKey(kind: "oven", name: "a"), DeviceKey(kind: "oven", name: "b"))
        let cases: [(mark: RecoveryMark, setAside: [DeviceKey])] = [
            (RecoveryMark(attempts: 2, device: a, hits: 1), []),
            (RecoveryMark(attempts: 9, device: b, hits: 2), []),
            (RecoveryMark(attempts: 9, device: nil, hits: 3), []),
            (RecoveryMark(attempts: 4, device: a, hits: 3), [a]),
        ]
        for (mark, expected) in cases {
            var state = StoredState()
            state.epoch = 1
            state.progress = StoreProgress(aliveAt: RecoveryTests.start, sequence: 0, lastPublication: 0)
            state.recovery = mark
            let marks = KillStore.Marks()
            _ = try Bridge.recover(
                definitions: [],
                store: KillStore(state: state, marks: marks),
                clock: StepClock(RecoveryTests.start),
                options: BridgeOptions(version: "test"),
                ports: BridgePorts(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            )
            #expect(marks.setAside == expected, "\(mark)")
        }
    }

    /// What keeps a device from going on.
    enum Harm: String, CaseIterable {
        case image = "UPDATE device SET image = x'00'"
        case layout = "DELETE FROM layout"
    }

    @Test(
        "retained messages of a device that can't go on are looked for",
        arguments: Harm.allCases,
        [true, false]
    )
    func ghosts(harm: Harm, isDefined: Bool) throws {
        let folder = try Folder()
        do {
            let gateway = try RecoveryTests.Gateway(folder, at: RecoveryTests.start)
            gateway.send(#"{"on":true,"left":3600}"#)
            _ = gateway.published()
            // A new store takes away all that nobody knows of, once.
            gateway.bridge.connect(BusSession(isResumed: true))
            #expect(!gateway.bridge.subscriptionPlan().wantsRetained)
            gateway.bridge.ended()
        }
        var database: OpaquePointer?
        sqlite3_open(folder.database, &database)
        #expect(sqlite3_exec(database, harm.rawValue, nil, nil, nil) == SQLITE_OK)
        sqlite3_close(database)
        let text = RecoveryTests.definition
        let gateway = try RecoveryTests.Gateway(
            folder,
            at: RecoveryTests.start,
            isDefined ? text : text.replacingOccurrences(of: "kind: oven", with: "kind: stove")
        )
        #expect(gateway.published().filter { $0.contains("/activity") } == [])
        let health = Self.health(gateway)
        #expect(health.contains("it starts again with its next message") == isDefined, "\(health)")
        #expect(health.contains("its definition no longer exists either") == !isDefined, "\(health)")
        gateway.bridge.ended()
        let kept = try StoreFile.look(at: folder.database)
        #expect(kept.devices.isEmpty == !isDefined)
        gateway.bridge.disconnected(BusFault(.connectionLost, "gone"))
        let epoch = try #require(kept.epoch)
        gateway.bridge.connect(
            BusSession(isResumed: true),
            retained: ["skerry/oven/a/activity": Array(#"{"id":"oven/a/1","rev":1,"epoch":\#(epoch)}"#.utf8)]
        )
        #expect(gateway.published().contains("skerry/oven/a/activity "))
    }

    @Test("a device for which there is no room any more ends its activity")
    func beyondLimit() throws {
        let folder = try Folder()
        do {
            let gateway = try RecoveryTests.Gateway(folder, at: RecoveryTests.start)
            for device in ["a", "b"] { gateway.send(#"{"on":true,"left":3600}"#, by: device) }
            _ = gateway.published()
            gateway.bridge.ended()
        }
        let state = try StoreFile.look(at: folder.database)
        var limits = EngineLimits()
        limits.devices = 1
        let draft = try #require(DefinitionReader.read(text: RecoveryTests.definition).draft)
        let definition = try #require(Definition.compile(draft).definition)
        let engine = Engine(definitions: [definition], epoch: try #require(state.epoch), limits: limits)
        var effects: [Effect] = []
        let downtime = Downtime(start: RecoveryTests.start, end: RecoveryTests.start)
        var restoration = EngineRestoration(of: engine, after: downtime)
        let outcomes = try state.devices.map { image in
            let layout = try #require(state.layouts.first { $0.id == image.layout })
            return restoration.restore(image, layout: layout, effects: &effects)
        }
        guard case .restored = outcomes[0], case .beyondLimit = outcomes[1] else {
            Issue.record("\(outcomes)")
            return
        }
        let updates = effects.compactMap { if case .update(let update) = $0.what { update } else { nil } }
        #expect(updates.map(\.phase) == [.ended])
        #expect(effects.allSatisfy { $0.device == "b" })
    }
}
