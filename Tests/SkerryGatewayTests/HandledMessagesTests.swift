import SkerryGateway
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

/// A message that the broker sends again counts once, as far as MQTT lets one know.
@Suite("Messages that are sent again")
struct HandledMessagesTests {
    /// Messages of a lamp, as `(packet, payload)`.
    func batch(_ messages: [(packet: UInt16, payload: String)]) -> MessageBatch {
        var batch = MessageBatch()
        for message in messages {
            batch.append(topic: "lamp/desk/state".utf8, payload: message.payload.utf8, packet: message.packet)
        }
        return batch
    }

    static let run: [(packet: UInt16, payload: String)] = [(7, #"{"on":true}"#), (8, #"{"on":false}"#)]

    /// A process that ended after a commit, and what the next one finds.
    func crashed() throws -> StoredState {
        let pier = try Pier()
        pier.connect()
        #expect(pier.bridge.handle(batch(Self.run)) == .committed)
        var state = StoredState()
        let last = try #require(pier.ledger.commits.last)
        state.epoch = last.epoch
        state.progress = last.progress
        return state
    }

    /// Runs that ended in a process.
    func runs(_ pier: Pier) -> Int { pier.ledger.commits.flatMap(\.ended).count }

    @Test("after a crash, messages of the last commit count once if the session is resumed")
    func afterCrash() throws {
        for (isResumed, expected) in [(true, 0), (false, 1)] {
            let pier = try Pier(at: Pier.start + .minutes(1), state: try crashed())
            pier.bridge.connected(BusSession(isResumed: isResumed))
            #expect(pier.bridge.handle(batch(Self.run)) == .committed)
            #expect(runs(pier) == expected)
        }
    }

    @Test("a message with the identifier and other bytes, or after the repetitions, is new")
    func new() throws {
        let pier = try Pier(at: Pier.start + .minutes(1), state: try crashed())
        pier.bridge.connected(BusSession(isResumed: true))
        #expect(
            pier.bridge.handle(batch([(7, #"{"on":true,"level":1}"#), (9, #"{"on":false}"#)])) == .committed
        )
        #expect(runs(pier) == 1)
        let later = try Pier(at: Pier.start + .minutes(1), state: try crashed())
        later.connect(isResumed: true)
        #expect(later.bridge.handle(batch(Self.run)) == .committed)
        #expect(runs(later) == 1)
    }

    @Test("a message counts once, too, if the network is slow and it comes again long after the connection")
    func slowNetwork() throws {
        let pier = try Pier(at: Pier.start + .minutes(1), state: try crashed())
        pier.bridge.connected(BusSession(isResumed: true))
        pier.clock.move(by: .seconds(20))
        pier.bridge.wake()
        #expect(pier.bridge.handle(batch(Self.run)) == .committed)
        #expect(runs(pier) == 0)
    }

    @Test("the same when acknowledgements were lost with the connection, even twice in a row")
    func lostAcknowledgements() throws {
        let pier = try Pier()
        pier.connect()
        #expect(pier.bridge.handle(batch(Self.run)) == .committed)
        for _ in 0..<2 {
            pier.bridge.disconnected(BusFault(.connectionLost, "gone"))
            pier.bridge.connected(BusSession(isResumed: true))
            #expect(pier.bridge.handle(batch(Self.run)) == .committed)
        }
        #expect(runs(pier) == 1)
    }

    @Test("only the last 512 are remembered")
    func bounded() throws {
        let pier = try Pier()
        pier.connect()
        for packet in 1...3000 as ClosedRange<UInt16> {
            let message = (packet: packet, payload: #"{"on":\#(packet.isMultiple(of: 2))}"#)
            #expect(pier.bridge.handle(batch([message])) == .committed)
        }
        let handled = try #require(pier.ledger.commits.last?.progress.handled)
        #expect(handled.map(\.packet) == Array(2489...3000))
    }

    /// What became of messages over HTTP, in the order of the answers.
    final class Outcomes: Sendable {
        private let outcomes = Mutex<[String]>([])

        func add(_ outcome: String) { outcomes.withLock { $0.append(outcome) } }

        var all: [String] { outcomes.withLock { $0 } }
    }

    /// Sends a lamp messages over HTTP, and returns the replies.
    func put(_ pier: Pier, _ messages: [(key: String?, payload: String)]) -> [String] {
        let outcomes = Outcomes()
        for (key, payload) in messages {
            let desk = DeviceKey(kind: "lamp", name: "desk")
            let isPut = pier.questions.put { bridge in
                bridge?.take(Array(payload.utf8), of: desk, key: key) { outcomes.add($0?.code ?? "done") }
            }
            #expect(isPut)
        }
        // The commit comes before the replies.
        pier.ledger.onCommit = { outcomes.add("commit") }
        pier.bridge.wake()
        pier.ledger.onCommit = {}
        return outcomes.all
    }

    @Test("a message over HTTP is answered after its commit, and counts once for its key")
    func overHTTP() throws {
        let pier = try Pier()
        pier.connect()
        let run: [(key: String?, payload: String)] = [("a", #"{"on":true}"#), ("b", #"{"on":false}"#)]
        #expect(put(pier, run) == ["commit", "done", "done"])
        #expect(runs(pier) == 1)
        #expect(put(pier, run) == ["done", "done"])
        // A new session of the broker says nothing of HTTP.
        pier.bridge.connected(BusSession(isResumed: false))
        #expect(put(pier, run) == ["done", "done"])
        #expect(runs(pier) == 1)
        var state = StoredState()
        let last = try #require(pier.ledger.commits.last)
        (state.epoch, state.progress) = (last.epoch, last.progress)
        let next = try Pier(at: Pier.start + .minutes(1), state: state)
        _ = put(next, run)
        #expect(runs(next) == 0)
        _ = put(next, [("c", run[0].payload), (nil, run[1].payload)])
        _ = put(next, [(nil, run[0].payload), (nil, run[1].payload)])
        #expect(runs(next) == 2, "another key, or none, is another message")
    }

    @Test("while the store refuses, a message over HTTP is not acknowledged, and can be sent again")
    func overHTTPNotStored() throws {
        let pier = try Pier()
        pier.connect()
        pier.ledger.isRefusing = true
        let on: (key: String?, payload: String) = ("a", #"{"on":true}"#)
        #expect(put(pier, [on]) == ["commit", "not-stored"])
        #expect(put(pier, [("b", #"{"on":false}"#)]) == ["not-stored", "commit"], "nothing more is taken")
        pier.ledger.isRefusing = false
        pier.clock.move(by: .minutes(1))
        pier.bridge.wake()
        #expect(pier.ledger.commits.last?.progress.handled.isEmpty == false)
        #expect(put(pier, [on]) == ["done"])
        #expect(put(pier, [("b", #"{"on":false}"#)]) == ["commit", "done"])
        #expect(runs(pier) == 1)
    }
}
