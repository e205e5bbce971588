import Foundation
import SkerryGateway
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

// Two bridges with one prefix, and other clients on its topics.
extension ReadBackTests {
    @Test("a bridge that finds another one online does not start, unless it is asked to take over")
    func another() throws {
        let other = #"{"version":"1","owner":"x","client":"kitchen","epoch":1}"#
        let cases: [(info: String?, isRefused: Bool)] = [
            (other, true), (nil, true), (#"{"version":"1"}"#, true),
            (#"{"owner":"pier","client":"renamed"}"#, false), (#"{"owner":"x","client":"skerry"}"#, true),
        ]
        for (info, isRefused) in cases {
            for takesOver in [false, true] {
                let pier = try Pier { $0.takesOver = takesOver }
                var retained = ["skerry/bridge/state": "online"]
                retained["skerry/bridge/info"] = info
                let sent = pier.connect(retained: retained)
                let isOut = isRefused && !takesOver
                #expect((pier.events.refusal != nil) == isOut, "\(info ?? "nothing")")
                #expect(sent.isEmpty == isOut)
                #expect((pier.bridge.farewell() == nil) == isOut, "it leaves without a word")
                if isOut, info == other {
                    #expect(pier.events.refusal?.contains("a bridge with client id 'kitchen'") == true)
                }
            }
        }
    }

    @Test("a client id that a bridge with another store has is refused, and its activities are left alone")
    func twin() throws {
        let stray = #"{"id":"lamp/attic/1","rev":1,"epoch":1700000000}"#
        let topic = "skerry/lamp/attic/activity"
        func info(_ owner: String, _ machine: String?) -> String {
            let machine = machine.map { #","machine":"\#($0)""# } ?? ""
            return #"{"owner":"\#(owner)","client":"skerry"\#(machine),"epoch":1}"#
        }
        typealias Change = (inout BridgeOptions) -> Void
        let (takes, succeeds): (Change, Change) = ({ $0.takesOver = true }, { $0.succeeds = true })
        let cases: [(info: String, own: String?, change: Change, isRefused: Bool, emptied: [String])] = [
            (info("x", "a1"), "b2", { _ in }, true, []), (info("x", "a1"), "b2", takes, false, [topic]),
            (info("x", "b2"), "b2", { _ in }, true, []), (info("x", "b2"), "b2", takes, false, [topic]),
            (info("x", nil), "b2", { _ in }, true, []), (info("x", "a1"), nil, { _ in }, true, []),
            (info("pier", "a1"), "b2", { _ in }, false, [topic]),
            // Its store is in the place of a damaged one.
            (info("x", "b2"), "b2", succeeds, false, [topic]),
            (info("x", nil), nil, succeeds, false, [topic]),
            (info("x", "a1"), "b2", succeeds, true, []),
        ]
        for (info, own, change, isRefused, expected) in cases {
            let pier = try Pier {
                $0.machine = own
                change(&$0)
            }
            // The broker has ended the other one's connection for this one, and published its Will.
            let sent = pier.connect(
                retained: ["skerry/bridge/info": info, "skerry/bridge/state": "offline", topic: stray]
            )
            #expect(emptied(sent) == expected, "\(info) \(own ?? "")")
            #expect((pier.events.refusal != nil) == isRefused, "\(info) \(own ?? "")")
            if isRefused { #expect(pier.events.refusal?.contains("--client-id") == true) }
        }
    }

    @Test(
        "a bridge that has lost its session to another store ends at once, or the second time if nobody said so"
    )
    func thrownOff() throws {
        let other = #"{"owner":"x","client":"skerry","epoch":1}"#
        let cases: [(kind: BusFault.Kind, found: [String?], isRefused: Bool)] = [
            (.takenOver, [other], true), (.connectionLost, [other], false),
            (.connectionLost, [other, other], true),
            // A broker that lost its last hours, and has what this bridge announced since.
            (.connectionLost, [other, nil, other], false), (.takenOver, [nil], false),
        ]
        for (kind, found, isRefused) in cases {
            let pier = try Pier()
            pier.connect()
            for info in found {
                pier.bridge.disconnected(BusFault(kind, "closed"))
                var retained = ["skerry/bridge/state": "online"]
                retained["skerry/bridge/info"] = info ?? #"{"owner":"pier","client":"skerry","epoch":1}"#
                pier.connect(retained: retained)
            }
            #expect((pier.events.refusal != nil) == isRefused, "\(kind) \(found)")
        }
    }

    @Test(
        "a scout finds out whose a place is before it is taken, and waits no longer than for what is retained"
    )
    func scout() throws {
        let online = #"{"owner":"x","client":"kitchen","epoch":1}"#
        let cases: [(info: String?, state: String?, isRefused: Bool)] = [
            (online, "online", true), (online, "offline", false), (nil, "online", true), (nil, nil, false),
            (#"{"owner":"x","client":"skerry","epoch":1}"#, "offline", true),
            (#"{"owner":"pier","client":"skerry","epoch":1}"#, "online", false),
        ]
        for (info, state, isRefused) in cases {
            var options = BridgeOptions(version: "1.2.3")
            options.newOwner = "pier"
            let answers = Mutex<[SessionScout.Finding]>([])
            let scout = SessionScout(options, progress: nil) { finding in
                answers.withLock { $0.append(finding) }
            }
            scout.connected(BusSession(isResumed: false))
            #expect(scout.subscriptionPlan().own == ["skerry/bridge/state", "skerry/bridge/info"])
            var batch = MessageBatch()
            for (topic, payload) in [("skerry/bridge/state", state), ("skerry/bridge/info", info)] {
                guard let payload else { continue }
                batch.append(topic: topic.utf8, payload: payload.utf8, isRetained: true)
            }
            #expect(scout.handle(batch) == .committed)
            let isComplete = info != nil && state != nil
            #expect(answers.withLock { $0.count } == (isComplete ? 1 : 0))
            let fault = BusFault(.unreachable, "no broker")
            scout.disconnected(fault)
            let finding = try #require(answers.withLock { $0.count == 1 ? $0[0] : nil })
            guard isComplete else {
                #expect(finding == .noBroker(fault))
                continue
            }
            let isTaken = if case .isTaken = finding { true } else { false }
            #expect(isTaken == isRefused, "\(info ?? "") \(state ?? "")")
        }
    }

    @Test("a store of an earlier version takes the unmarked online of its predecessor for its own")
    func upgraded() throws {
        var state = StoredState()
        state.epoch = 1_700_000_000
        state.progress = StoreProgress(aliveAt: Pier.start, sequence: 0, lastPublication: 0)
        let pier = try Pier(state: state)
        let retained = ["skerry/bridge/state": "online", "skerry/bridge/info": #"{"version":"0"}"#]
        #expect(pier.connect(retained: retained).map(\.text).contains("online"))
        #expect(pier.ledger.commits.last?.progress.owner == "pier")
    }

    @Test(
        "an online without a name is that of the former process, whose name the broker has forgotten; of a new store it is a stranger's",
        arguments: [true, false]
    )
    func forgottenName(isNew: Bool) throws {
        var state = StoredState()
        if !isNew {
            state.epoch = 1_700_000_000
            state.progress = StoreProgress(aliveAt: Pier.start, sequence: 0, lastPublication: 0)
            state.progress?.owner = "pier"
        }
        let pier = try Pier(state: state)
        let sent = pier.connect(retained: ["skerry/bridge/state": "online"])
        #expect(sent.map(\.text).contains("online") != isNew)
        #expect((pier.events.refusal != nil) == isNew)
    }

    @Test("a bridge that leaves has left its own lists, which are replaced")
    func foreignLists() throws {
        let (pier, _) = try litPier()
        pier.drainAll()
        pier.send("skerry/bridge/state", "offline")
        pier.bridge.wake()
        let topics = pier.drainAll().map(\.topic)
        #expect(topics.contains("skerry/bridge/devices") && topics.contains("skerry/bridge/definitions"))
    }

    @Test("it answers messages of others on its topics with its own, ever less often, and reports it")
    func fight() throws {
        let (pier, _) = try litPier()
        var answers: [Int64] = []
        for second in 0..<3600 as Range<Int64> {
            pier.send("skerry/bridge/state", "offline")
            pier.send("skerry/lamp/desk/activity", #"{"id":"lamp/desk/9","rev":1,"epoch":5}"#)
            pier.bridge.wake()
            let sent = pier.drain().filter { $0.topic != "skerry/bridge/health" }
            if !sent.isEmpty {
                answers.append(second)
                #expect(sent.contains { $0.topic == "skerry/bridge/state" && $0.text == "online" })
                #expect(try shown(sent) == ["skerry/lamp/desk/activity 2"])
            }
            pier.clock.move(by: .seconds(1))
        }
        #expect(answers.prefix(5) == [0, 1, 3, 7, 15])
        #expect(answers.count < 16, "\(answers)")
        let health = try pier.health()
        #expect(health.foreign == 7200)
        #expect(health.lastError?.message.contains("end one of the two") == true)
    }

    @Test("its own messages, and those of others about unknown devices, are not an attack")
    func harmless() throws {
        let (pier, retained) = try litPier()
        for (topic, payload) in retained where !topic.hasSuffix("/health") { pier.send(topic, payload) }
        pier.send("skerry/lamp/attic/activity", #"{"id":"lamp/attic/9","rev":1,"epoch":5}"#)
        pier.bridge.wake()
        #expect(pier.drain() == [])
        #expect(try pier.health().foreign == nil)
    }
}
