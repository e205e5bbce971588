import SkerryGateway
import SkerryTesting
import SkerryValues
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
}
