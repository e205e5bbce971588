import CFaultyMemory
import Foundation
import SkerryActivity
import SkerryEngine
import SkerryGateway
import SkerryPhones
import SkerryStore
import SkerryValues
import Testing

/// Every call to the disk fails once, and from then on: what was committed stays, and nothing half is there.
@Suite("Faults of the disk", .serialized)
struct FaultTests {
    /// The number of calls of each sort that fail, spread over all; scripts/faults makes all of them fail.
    static let limit = ProcessInfo.processInfo.environment["SKERRY_FAULT_LIMIT"].flatMap { Int($0) } ?? 10

    /// One batch of changes: devices that change and stay, publications that come and go.
    static func changes(_ number: Int) -> StoreChanges {
        var changes = StoreChanges(
            epoch: 7,
            progress: StoreProgress(
                aliveAt: StoreTests.now + .seconds(Int64(number)),
                sequence: UInt64(number),
                lastPublication: UInt64(number)
            )
        )
        for device in [0, number, 1000 + number % 3] {
            let bytes = [UInt8](repeating: UInt8(number), count: 3000)
            changes.images.append(DeviceImage(kind: "lamp", name: "\(device)", layout: 1, bytes: bytes))
        }
        changes.enqueued = [StoreTests.publication(UInt64(number))]
        if number > 2 { changes.settled = [UInt64(number - 2)] }
        changes.enqueuedDeliveries = [DeliveryStoreTests.run(Int64(number % 3), from: UInt64(number))[0]]
        changes.ended = [EndedActivity(changes.enqueuedDeliveries[0].update, of: "a", kind: "lamp")]
        changes.historyLimits = HistoryLimits(activities: 3)
        return changes
    }

    /// The contents of a store, in one text.
    static func text(_ state: StoredState) -> String {
        let devices = state.devices.map { "\($0.name):\($0.bytes.first ?? 0)x\($0.bytes.count)" }
        let deliveries = state.deliveries.map { $0.id }
        return "\(state.progress?.sequence ?? 0) \(devices) \(state.publications.map(\.id)) \(deliveries)"
    }

    static let batches = 8

    /// The contents of a store after each number of batches, without faults.
    static let expected: [String] = {
        (0...batches).map { count in
            guard let folder = try? Folder(), var store = try? open(folder.database).store else { return "" }
            for number in 0..<count { try? store.commit(changes(number + 1)) }
            return contents(folder.database, after: &store)
        }
    }()

    static func open(_ path: String) throws -> (store: SQLiteStore, notice: String?) {
        try StoreFile.open(path, durability: .full, at: StoreTests.now)
    }

    /// The contents of the present files, as a process finds them after a crash.
    static func contents(_ path: String, after store: inout SQLiteStore) -> String {
        guard let folder = try? Folder() else { return "no folder" }
        for suffix in ["", "-wal"] {
            try? FileManager.default.copyItem(atPath: path + suffix, toPath: folder.database + suffix)
        }
        return FaultyFiles.withMemory {
            do {
                var (copy, notice) = try open(folder.database)
                return notice ?? text(copy.load())
            } catch {
                return "\(error)"
            }
        }
    }

    /// The result of a trial.
    struct Outcome {
        var calls = 0
        var faults = 0
        var complaints: [String] = []
    }

    static func trial(_ plan: FaultyFiles.Plan) throws -> Outcome {
        let folder = try Folder(mark: FaultyFiles.mark)
        var outcome = Outcome()
        func expect(_ found: String, _ counts: ClosedRange<Int>, _ when: String) {
            if counts.contains(where: { expected[$0] == found }) { return }
            outcome.complaints.append("\(plan.sort) \(plan.call) \(when) \(counts): \(found)")
        }
        var committed = 0
        /// Commits what is left until so many commits have failed, and returns how many did.
        func commitRest(to store: inout SQLiteStore, failures limit: Int) -> Int {
            var failures = 0
            while committed < batches, failures < limit {
                do throws(StoreFault) {
                    try store.commit(changes(committed + 1))
                    committed += 1
                } catch {
                    failures += 1
                    expect(contents(folder.database, after: &store), committed...committed + 1, "killed")
                }
            }
            return failures
        }
        do {
            FaultyFiles.follow(plan)
            defer { FaultyFiles.follow(nil) }
            do throws(StoreFault) {
                var (store, notice) = try StoreFile.open(
                    folder.database,
                    durability: .full,
                    at: StoreTests.now
                )
                if let notice { outcome.complaints.append("\(plan.sort) \(plan.call): \(notice)") }
                outcome.faults = commitRest(to: &store, failures: 2)
                if outcome.faults > 0 { outcome.calls = FaultyFiles.follow(nil)?.calls ?? 0 }
                if commitRest(to: &store, failures: 1) > 0 {
                    outcome.complaints.append("\(plan.sort) \(plan.call): the store takes nothing more")
                }
            } catch {
                outcome.faults += 1
            }
            outcome.calls += FaultyFiles.follow(nil)?.calls ?? 0
        }
        var (store, notice) = try open(folder.database)
        if let notice { outcome.complaints.append("\(plan.sort) \(plan.call) reopened: \(notice)") }
        expect(text(store.load()), committed...min(committed + 1, batches), "reopened")
        return outcome
    }

    @Test(
        "whichever call fails, commits are stored as a whole or not at all, and the next one succeeds",
        arguments: FaultyFiles.Sort.allCases
    )
    func faults(sort: FaultyFiles.Sort) throws {
        FaultyFiles.install()
        try #require(faulty_memory_is_installed())
        try #require(Set(Self.expected).count == Self.batches + 1)
        var trials = 0
        var faults = 0
        let total = try Self.trial(.init(sort: sort, call: .max, persists: false)).calls
        for persists in [false, true] {
            for call in stride(from: 1, to: .max, by: max(1, total / Self.limit)) {
                let outcome = try Self.trial(.init(sort: sort, call: call, persists: persists))
                if outcome.calls < call { break }
                trials += 1
                faults += outcome.faults
                #expect(outcome.complaints.isEmpty, "\(outcome.complaints.joined(separator: "\n"))")
            }
        }
        print("\(sort.rawValue): \(trials) calls made to fail, \(faults) told as a fault of the store")
        #expect(trials > 0 || sort == .truncate)
    }

    @Test(
        "whichever call fails while a store is opened, it is unchanged, or a fault is thrown and it opens later",
        arguments: FaultyFiles.Sort.allCases,
        [false, true]
    )
    func faultsOfOpening(sort: FaultyFiles.Sort, isOfEarlierVersion: Bool) throws {
        FaultyFiles.install()
        let origin = try Folder()
        var former: SQLiteStore?
        if isOfEarlierVersion {
            EarlierStoreTests.make(EarlierStoreTests.last, origin)
        } else {
            // Still open, so that there is a log to be read, too.
            var store = try Self.open(origin.database).store
            for number in 1...Self.batches { try store.commit(Self.changes(number)) }
            try store.phones.commit([PhoneImage(id: "phone/1", bytes: [1])], removed: [])
            former = store
        }
        let whole = try Self.reopening(origin, .init(sort: sort, call: .max, persists: false))
        #expect(whole.found.count == 1)
        for persists in [false, true] {
            for call in stride(from: 1, through: whole.calls, by: max(1, whole.calls / Self.limit)) {
                let plan = FaultyFiles.Plan(sort: sort, call: call, persists: persists)
                let found = try Self.reopening(origin, plan).found
                #expect(found.isSubset(of: whole.found), "\(sort) \(call)")
            }
        }
        withExtendedLifetime(former) {}
    }

    @Test("memory that is missing for a moment while a store is checked is no damage")
    func momentWithoutMemory() throws {
        FaultyFiles.install()
        let origin = try Folder()
        var store = try Self.open(origin.database).store
        for number in 1...Self.batches { try store.commit(Self.changes(number)) }
        let whole = try Self.reopening(origin, .init(sort: .memory, call: .max, persists: false))
        // The check of the pages makes ten calls in a row.
        for call in stride(from: 1, through: whole.calls, by: 7) {
            let plan = FaultyFiles.Plan(sort: .memory, call: call, persists: false)
            #expect(try Self.reopening(origin, plan).found.isSubset(of: whole.found), "\(call)")
        }
        withExtendedLifetime(store) {}
    }

    /// Opens a copy of a store by a plan, and again without faults, and returns the different contents that were found.
    static func reopening(
        _ origin: Folder,
        _ plan: FaultyFiles.Plan
    ) throws -> (calls: Int, found: Set<String>) {
        let folder = try Folder(mark: FaultyFiles.mark)
        for file in origin.files where !file.hasSuffix("-shm") {
            try FileManager.default.copyItem(
                atPath: "\(origin.path)/\(file)",
                toPath: "\(folder.path)/\(file)"
            )
        }
        var found: Set<String> = []
        func look(_ opened: (store: SQLiteStore, notice: String?)) throws {
            var store = opened.store
            found.insert(try opened.notice ?? "\(text(store.load())) \(store.phones.load().map(\.id))")
        }
        let calls: Int
        do {
            FaultyFiles.follow(plan)
            let opened = try? open(folder.database)
            calls = FaultyFiles.follow(nil)?.calls ?? 0
            // A page that can't be read is damage, whatever the reason.
            if plan.sort == .read, folder.files.contains(where: { $0.contains(".damaged-") }) {
                return (calls, [])
            }
            if let opened { try look(opened) }
        }
        try look(open(folder.database))
        return (calls, found)
    }

    @Test(
        "what a day of seven machines on metering plugs writes",
        .enabled(if: Household.isThere, "needs the recording of a household")
    )
    func writes() throws {
        FaultyFiles.install()
        FaultyFiles.follow(.init(sort: .write, call: .max, persists: false))
        defer { FaultyFiles.follow(nil) }
        let household = try Household()
        try household.play()
        let bytes = FaultyFiles.follow(nil)?.bytes ?? 0
        let commits = household.commits.count
        print("household: \(household.messages) messages, \(commits) commits, \(bytes) bytes in 24 hours;")
        print("household: an hour has \(commits / 24) commits and \(bytes / 24 / 1000) kB")
        #expect(commits > 0)
        #expect(commits < household.messages / 2, "numbers that change nothing else wait")
    }
}
