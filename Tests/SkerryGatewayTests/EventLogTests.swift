import SkerryGateway
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
}
