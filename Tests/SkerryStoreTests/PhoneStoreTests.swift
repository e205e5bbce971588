@preconcurrency import Dispatch
import Foundation
import Logging
import SkerryActivity
import SkerryGateway
import SkerryPhones
import SkerryStore
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

/// How long a thread has time to come, where tests beside this one keep all cores and Dispatch's threads busy.
private let patience = DispatchTimeInterval.seconds(300)

/// Holds a thread until it is opened, so that a test sees what goes on meanwhile.
final class Gate: Sendable {
    private let arrival = DispatchSemaphore(value: 0)
    private let opening = DispatchSemaphore(value: 0)
    private let gaveUp = Mutex(false)

    /// Waits until the gate is opened, for at most five minutes: a test that waits for this thread fails instead of hanging.
    func pass() {
        arrival.signal()
        if opening.wait(timeout: .now() + patience) == .timedOut { gaveUp.withLock { $0 = true } }
    }

    /// Waits until a thread stands at the gate; returns false if none comes.
    func isReached() -> Bool { arrival.wait(timeout: .now() + patience) == .success }

    /// Lets all threads pass; returns false if one gave up waiting.
    func open() -> Bool {
        for _ in 0..<100 { opening.signal() }
        return gaveUp.withLock { !$0 }
    }
}

/// The phones in a database of their own.
@Suite("The store of phones")
struct PhoneStoreTests {
    static let quiet = Logger(label: "phones", factory: { _ in SwiftLogNoOpLogHandler() })

    static func desk(
        _ store: any PhoneStore,
        clock: some GatewayClock = StepClock(StoreTests.now),
        onLoss: @escaping @Sendable (StoreFault) -> Void = { _ in }
    ) throws -> PhoneDesk {
        try PhoneDesk(
            store: store,
            queue: SinkQueue(name: "phones", options: BridgeOptions(version: "test")),
            clock: clock,
            logger: quiet,
            onLoss: onLoss
        )
    }

    static func report(at moment: Timestamp) -> PhoneReport { PhoneReport(confirmedAt: moment) }

    static func store(_ folder: Folder) throws -> SQLiteStore {
        try StoreFile.open(folder.database, durability: .full, at: StoreTests.now).store
    }

    @Test("devices and phones are lost separately", arguments: ["", ".phones"])
    func damaged(suffix: String) throws {
        let folder = try Folder()
        do {
            var store = try Self.store(folder)
            try store.commit(StoreTests.changes())
            try store.phones.commit([PhoneImage(id: "phone/1", bytes: [1])], removed: [])
            store.close()
        }
        try Data(repeating: 0xA5, count: 8192).write(to: URL(fileURLWithPath: folder.database + suffix))
        var (store, notice) = try StoreFile.open(folder.database, durability: .full, at: StoreTests.now)
        let loss =
            suffix.isEmpty ? "devices start from what the broker retains" : "phones have to be paired again"
        #expect(notice?.contains(".damaged-1772355600; \(loss)") == true, "\(notice ?? "")")
        #expect((store.load().epoch == nil) == suffix.isEmpty)
        #expect(try store.phones.load().isEmpty == !suffix.isEmpty)
        try store.commit(StoreTests.changes())
        try store.phones.commit([PhoneImage(id: "phone/2", bytes: [2])], removed: ["phone/1"])
        #expect(try store.phones.load().map(\.id) == ["phone/2"])
    }

    @Test(
        "phones whose database was deleted while the bridge ran are written again, and the bridge must end"
    )
    func deleted() throws {
        let folder = try Folder()
        let losses = Mutex<[StoreFault]>([])
        do {
            let store = try Self.store(folder)
            let desk = try Self.desk(store.phones) { fault in losses.withLock { $0.append(fault) } }
            try desk.pair(NewPhone(id: "1", name: "Ada", credential: [1]), at: StoreTests.now)
            try FileManager.default.removeItem(atPath: folder.database + ".phones")
            #expect(throws: StoreFault.self) { try desk.unpair("1", at: StoreTests.now) }
            #expect(losses.withLock { $0.map(\.sort) } == [.gone])
            #expect(desk.phones().map(\.name) == ["Ada"])
            store.close()
        }
        #expect(try Self.desk(Self.store(folder).phones).phones().map(\.name) == ["Ada"])
    }

    @Test(
        "the newest failures survive a restart, and nothing that was taken is among them",
        arguments: Backing.all
    )
    func failures(_ backing: Backing) throws {
        let folder = try Folder(backing)
        func decision(_ number: Int, _ kind: PhoneDecision.Kind) -> PhoneDecision {
            PhoneDecision(
                at: StoreTests.now + .seconds(Int64(number)),
                phone: number.isMultiple(of: 2) ? "Ada's phone" : "",
                activity: "lamp/desk/1",
                kind: kind,
                text: "update: \(number)"
            )
        }
        do {
            let store = try folder.open()
            let log = FailureLog(store.phones, logger: Self.quiet)
            for number in 0..<FailureLog.limit { log.note([decision(number, .failed)], of: "phones") }
            let kinds: [PhoneDecision.Kind] = [.sent, .answered, .tooLarge, .held, .failed]
            log.note(kinds.enumerated().map { decision(1000 + $0, $1) }, of: "webhook")
            store.close()
        }
        let log = FailureLog(try folder.open().phones, logger: Self.quiet)
        let kept = try log.failures()
        #expect(kept.count == FailureLog.limit)
        #expect(kept.prefix(2).map(\.text) == ["update: 1004", "update: 1002"], "the newest first")
        #expect(kept.last?.text == "update: 2", "two pushed out the two oldest")
        #expect(kept[2].recipient.isEmpty && kept[2].at == StoreTests.now + .seconds(499))
        #expect(try log.failures(of: "webhook").count == 2)
        #expect(try log.failures(of: "phones", to: "Ada's phone").count == 249)
        #expect(try log.failures(to: "Ada's phone", limit: 3).map(\.text).last == "update: 498")
    }

    @Test("a failure that is repeated is listed once an hour")
    func repeatedFailures() throws {
        let log = FailureLog(MemoryPhoneStore(), logger: Self.quiet)
        func note(_ minute: Int64, _ text: String, phone: String = "Ada's phone") {
            let decision = PhoneDecision(
                at: StoreTests.now + .minutes(minute),
                phone: phone,
                activity: "lamp/desk/1",
                kind: .failed,
                text: text
            )
            log.note([decision], of: "phones")
        }
        for minute in 0..<Int64(61) { note(minute, "update: no connection") }
        note(61, "update: no connection", phone: "Ben's phone")
        note(62, "update: 410")
        note(63, "update: no connection")
        #expect(
            try log.failures().map { "\(($0.at - StoreTests.now).roundedSeconds / 60) \($0.text)" } == [
                "62 update: 410", "61 update: no connection", "60 update: no connection",
                "0 update: no connection",
            ]
        )
    }

    @Test("a fault that passes ends nothing")
    func closed() throws {
        let folder = try Folder()
        let losses = Mutex(0)
        let store = try Self.store(folder)
        let desk = try Self.desk(store.phones) { _ in losses.withLock { $0 += 1 } }
        store.close()
        #expect(throws: StoreFault.self) {
            try desk.pair(NewPhone(id: "1", name: "Ada", credential: [1]), at: StoreTests.now)
        }
        #expect(desk.phones().isEmpty)
        #expect(losses.withLock { $0 } == 0)
    }
}

extension FaultTests {
    @Test("while the disk of the phones is slow, messages are acknowledged and the desk can be asked")
    func slowPhones() throws {
        FaultyFiles.install()
        let folder = try Folder(mark: FaultyFiles.mark)
        let gateway = try RecoveryTests.Gateway(folder, at: StoreTests.now)
        let desk = try PhoneStoreTests.desk(gateway.phones)
        try desk.pair(NewPhone(id: "1", name: "Ada", credential: [1]), at: StoreTests.now)
        let gate = Gate()
        FaultyFiles.gate.withLock { $0 = gate }
        defer { FaultyFiles.gate.withLock { $0 = nil } }
        let later = StoreTests.now + .minutes(1)
        let report = DispatchGroup()
        DispatchQueue.global()
            .async(group: report) {
                _ = try? desk.report(PhoneStoreTests.report(at: later), of: "1", at: later)
            }
        try #require(gate.isReached())

        gateway.send(#"{"on":true,"left":600}"#)
        #expect(gateway.isCommitted)
        #expect(desk.decisions(kind: "oven", device: "a").isEmpty)
        #expect(desk.credential(of: "1") == [1])
        #expect(desk.phones().map(\.heardAt) == [StoreTests.now], "what is not stored does not count yet")

        #expect(gate.open(), "somebody waited for the disk of the phones")
        report.wait()
        #expect(desk.phones().map(\.heardAt) == [later])
    }

    @Test("a step of the clock is not lost when a test begins during a commit")
    func stepDuringCommit() throws {
        FaultyFiles.install()
        let folder = try Folder(mark: FaultyFiles.mark)
        let store = try PhoneStoreTests.store(folder)
        let clock = AskedClock()
        let desk = try PhoneStoreTests.desk(store.phones, clock: clock)
        try desk.pair(NewPhone(id: "1", name: "Ada", credential: [1]), at: StoreTests.now)
        let gate = Gate()
        FaultyFiles.gate.withLock { $0 = gate }
        defer { FaultyFiles.gate.withLock { $0 = nil } }
        let others = DispatchGroup()
        DispatchQueue.global()
            .async(group: others) {
                _ = try? desk.report(PhoneStoreTests.report(at: StoreTests.now), of: "1", at: StoreTests.now)
            }
        try #require(gate.isReached())
        clock.time.step(by: .hours(1))
        DispatchQueue.global().async(group: others) { _ = try? desk.test([], on: "1") }
        #expect(clock.isAsked())
        #expect(gate.open())
        others.wait()
        _ = desk.next()
        #expect(desk.phones().map(\.pairedAt) == [StoreTests.now + .hours(1)])
    }
}

/// A clock that tells when somebody asks for its time.
private struct AskedClock: GatewayClock {
    let time = StepClock(StoreTests.now)
    private let asked = DispatchSemaphore(value: 0)

    var now: Timestamp {
        defer { asked.signal() }
        return time.now
    }

    func moment(sinceBoot interval: Interval) -> Timestamp { time.now }
    func timeLeft(until moment: Timestamp) -> Interval { time.timeLeft(until: moment) }
    func look() -> ClockChange { time.look() }

    /// Waits until it is asked; returns false if nobody asks.
    func isAsked() -> Bool { asked.wait(timeout: .now() + patience) == .success }
}
