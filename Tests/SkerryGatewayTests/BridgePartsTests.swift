import Logging
import SkerryEngine
import SkerryValues
import Synchronization
import Testing

@testable import SkerryGateway

/// The small parts of the bridge, each alone.
@Suite("Parts of the bridge")
struct BridgePartsTests {
    static let start = Pier.start

    @Test("a problem that comes again and again stands in the log once a minute, and in the report each time")
    func journal() {
        var journal = Journal(
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            startedAt: Self.start
        )
        for second in 0..<5 {
            journal.note(.deviceFault, "a fault", kind: "faults", at: Self.start + .seconds(Int64(second)))
        }
        #expect(journal.health.problems == 5)
        #expect(journal.health.lastProblem?.at == Self.start + .seconds(4))
        #expect(journal.due == Self.start + .minutes(1))
        journal.note(3, of: "a limit", kind: "limits", at: Self.start)
        journal.note(0, of: "nothing", kind: "none", at: Self.start)
        #expect(journal.health.problems == 8)
        #expect(journal.health.lastProblem?.message == "a limit")
        journal.noteOthers("others", at: Self.start)
        journal.noteOthers("others again", at: Self.start)
        #expect(journal.health.problems == 9)
        #expect(journal.health.lastProblem?.message == "others")
        journal.clockStepped(by: .hours(2))
        #expect(journal.due == Self.start + .hours(2) + .minutes(1))
        journal.logRepeated(at: Self.start + .hours(3))
        journal.logRepeated(at: Self.start + .hours(4))
        #expect(journal.due == nil)
    }

    @Test("the connection knows since when it is as it is, and which filters a session outlives")
    func connection() {
        var connection = BridgeConnection()
        #expect(connection.since == nil)
        connection.close("no broker", at: Self.start)
        #expect(connection.since == nil)
        #expect(connection.fault == "no broker")
        connection.abandon(["a", "b"])
        connection.open(at: Self.start + .seconds(1))
        #expect(connection.fault == nil)
        #expect(connection.since == Self.start + .seconds(1))
        connection.abandon(["c"])
        #expect(connection.obsolete(beside: ["b"]) == ["a"])
        connection.leftObsolete()
        #expect(connection.obsolete(beside: []).isEmpty)
        connection.close("gone", at: Self.start + .seconds(5))
        connection.close("still gone", at: Self.start + .seconds(9))
        #expect(connection.since == Self.start + .seconds(5))
        #expect(connection.fault == "still gone")
    }

    @Test("timelines are told to readers that have just come")
    func watcher() {
        let isThere = Mutex(false)
        var watcher = BridgeWatcher()
        watcher.wantsTimelines = { isThere.withLock(\.self) }
        let looks = [false, true, true, false, true].map { value in
            isThere.withLock { $0 = value }
            return watcher.look()
        }
        #expect(looks == [false, true, false, false, true])
        #expect(watcher.getsTimelines)
    }

    @Test("recoveries that end at one device in a row prove that it ends the process")
    func turns() {
        let lamp = DeviceKey(kind: "lamp", name: "desk")
        let other = DeviceKey(kind: "lamp", name: "hall")
        var former = RecoveryMark()
        #expect(!RecoveryTurns(after: former).isCareful)
        former.attempts = 1
        for hits in 1...RecoveryMark.proof {
            var turns = RecoveryTurns(after: former)
            #expect(turns.isCareful)
            turns.begin(other)
            #expect(turns.mark.hits == 1)
            turns.begin(nil)
            #expect(turns.mark.hits == 0)
            turns.begin(lamp)
            #expect(turns.mark == RecoveryMark(attempts: hits + 1, device: lamp, hits: hits))
            former = turns.mark
        }
        #expect(former.culprit == lamp)
    }

    @Test("as many questions are answered in a batch as there is time for, and none while much waits")
    func requests() {
        var requests = Requests(Self.ports())
        #expect(requests.admit(waiting: 0) == false)
        requests.beginBatch()
        #expect(requests.admit(waiting: Requests.waitingLimit) == false)
        let admitted = (0..<99).count { _ in requests.admit(waiting: Requests.waitingLimit - 1) }
        #expect(admitted == Requests.batchLimit)
        requests.beginBatch()
        #expect(requests.admit(waiting: 0) == true)
    }

    @Test("who sent a message hears once whether it is stored")
    func confirmation() {
        let replies = Mutex<[Bool]>([])
        var requests = Requests(Self.ports())
        for _ in 0..<2 {
            requests.awaitCommit { problem in replies.withLock { $0.append(problem == nil) } }
            requests.confirm(replies.withLock(\.isEmpty))
            requests.confirm(true)
        }
        #expect(replies.withLock(\.self) == [true, false])
    }

    @Test("a turn answers a few questions, and none after its end")
    func turnsOfQuestions() {
        let ports = Self.ports()
        let answered = Mutex(0)
        for _ in 0..<QuestionMailbox.capacity {
            #expect(ports.questions.put { _ in answered.withLock { $0 += 1 } })
        }
        #expect(!ports.questions.put { _ in })
        var requests = Requests(ports)
        func answer() -> Int {
            while let question = requests.next() { question(nil) }
            return answered.withLock(\.self)
        }
        #expect(answer() == 0, "no turn has begun")
        requests.beginTurn()
        #expect(answer() == Requests.turnLimit)
        requests.beginTurn()
        requests.endTurn()
        #expect(answer() == Requests.turnLimit)
        requests.close()
        #expect(answer() == QuestionMailbox.capacity && !requests.areWaiting)
        #expect(!ports.questions.put { _ in })
    }

    @Test("without a program around the bridge, requests that need it are refused; beside it, so many wait")
    func reloads() {
        let request = BridgeRequest("reload", payload: [])
        var alone = Requests(Self.ports())
        #expect(alone.reload(for: request) == Requests.alone)
        let reloads = Mutex(0)
        let surroundings = BridgeSurroundings(
            house: NoAnswers(),
            reload: { reloads.withLock { $0 += 1 } },
            setLogLevel: { _ in true },
            wake: {}
        )
        var requests = Requests(Self.ports(surroundings))
        for _ in 0..<Requests.reloadLimit { #expect(requests.reload(for: request) == nil) }
        #expect(requests.reload(for: request) == "too many requests wait")
        #expect(reloads.withLock(\.self) == Requests.reloadLimit)
        let waiting = (0..<2).map { _ in requests.takeReloads().count }
        #expect(waiting == [Requests.reloadLimit, 0])
    }

    @Test("lists are published when they have changed, or when the broker may have older ones")
    func lists() throws {
        let options = BridgeOptions(version: "test")
        var announcer = Announcer(options, sink: options.sink, room: { _ in nil })
        var engine = Engine(definitions: [try Pier.lamp()], epoch: 1, hashSeed: 1)
        let first = (0..<2).map { _ in announcer.takeChangedLists(of: engine).map(\.topic) }
        #expect(first == [["skerry/bridge/devices", "skerry/bridge/definitions"], []])
        let message = Message(
            topic: Array("lamp/desk/state".utf8)[...],
            payload: Array(#"{"on":true}"#.utf8)[...],
            isRetained: false
        )
        _ = engine.handle(.message(message), at: Self.start)
        let lists = announcer.takeChangedLists(of: engine)
        #expect(lists.map(\.text) == [#"{"devices":[{"kind":"lamp","device":"desk"}]}"#])
        announcer.forgetLists()
        let all = announcer.takeChangedLists(of: engine)
        #expect(all.count == 2)
    }

    @Test("announcements below a former prefix are the bridge's own until they are deleted")
    func formerPrefix() {
        var options = BridgeOptions(version: "test")
        options.homeAssistant = HomeAssistantOptions(prefix: "ha")
        var announcer = Announcer(options, sink: options.sink, room: { _ in nil })
        #expect(announcer.filters == ["ha/device/+/config"])
        #expect(announcer.leftFormer() == false)
        announcer.found(former: "old")
        #expect(announcer.filters == ["ha/device/+/config", "old/device/+/config"])
        #expect(announcer.starts.count == 2)
        #expect(announcer.namedPrefix == "old")
        #expect(announcer.leftFormer() == true)
        #expect(announcer.leftFormer() == false)
        #expect(announcer.namedPrefix == "ha")
        #expect(announcer.starts.count == 1)
    }

    static func ports(_ surroundings: BridgeSurroundings? = nil) -> BridgePorts {
        var ports = BridgePorts(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        ports.surroundings = surroundings
        return ports
    }
}

/// A house that never answers.
private struct NoAnswers: HouseAnswers {
    func ask(_ question: HouseQuestion, for viewer: Viewer, then: @escaping @Sendable (HouseAnswer) -> Void) {
    }
}
