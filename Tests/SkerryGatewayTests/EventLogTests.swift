import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

/// The log of events for readers on other threads.
@Suite("Event log")
struct EventLogTests {
    @Test("a reader is woken once, and again only after it has read")
    func wakes() {
        let log = EventLog { .distantFuture }
        let wakes = Mutex(0)
        log.onEvents { wakes.withLock { $0 += 1 } }
        for _ in 0..<3 {
            log.take(.connected)
            log.take(.disconnected(BusFault(.connectionLost, "gone")))
        }
        #expect(wakes.withLock { $0 } == 1, "six events, and nobody has read")
        #expect(log.entries(after: 0).count == 6)
        log.take(.connected)
        #expect(wakes.withLock { $0 } == 2)
        // Somebody else begins to listen, without having read.
        log.onEvents { wakes.withLock { $0 += 10 } }
        log.take(.disconnected(BusFault(.connectionLost, "gone")))
        #expect(wakes.withLock { $0 } == 12)
    }

    @Test("the log goes by the time of the bridge, also while that does not know it, and moves with it")
    func timeOfBridge() throws {
        let start = Timestamp(seconds: 1_790_000_000)
        let time = BridgeTime(StepClock(start))
        let (log, moves) = (EventLog { time.now }, MoveLog())
        func tell(_ event: BridgeEvent) {
            time.take(event)
            log.take(event)
            moves.take(event)
        }
        tell(.connected)
        let moved = Effect(at: start, kind: "lamp", device: "desk", what: .moved(from: "dark", to: "lit"))
        tell(.effect(moved))
        #expect(log.snapshot().at == start)
        // The wall clock shows something else, and the bridge does not go by it yet.
        tell(.clock(StepClock(start + .seconds(5)), movedBy: .zero))
        #expect(log.snapshot().at == start + .seconds(5))
        #expect(log.snapshot().broker.since == start)
        tell(.clock(StepClock(start + .hours(24)), movedBy: .hours(24)))
        #expect(log.snapshot().at == start + .hours(24))
        #expect(log.snapshot().broker.since == start + .hours(24))
        #expect(moves.moves(of: DeviceKey(kind: "lamp", name: "desk")).map(\.at) == [start + .hours(24)])
    }

    @Test("the bridge tells its clock at the start, and each time that the clock was set")
    func tellsClock() throws {
        let pier = try Pier()
        pier.clock.step(by: .hours(2))
        pier.bridge.wake()
        #expect(pier.events.clockSteps == [.zero, .hours(2)])
    }
}
