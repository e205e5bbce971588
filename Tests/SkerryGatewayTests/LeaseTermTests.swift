import SkerryGateway
import SkerryValues
import Synchronization
import Testing

/// The time in which a process may act with a lease.
@Suite("Lease terms")
struct LeaseTermTests {
    /// A clock that a test moves, and the ends that a term has reported.
    private final class Bench: Sendable {
        let now = Mutex(Interval.seconds(100))
        let ends = Mutex<[Interval]>([])

        func makeTerm() -> LeaseTerm {
            LeaseTerm(of: .seconds(9)) {
                self.now.withLock { $0 }
            } onHeld: { end in
                self.ends.withLock { $0.append(end) }
            }
        }

        func pass(_ length: Interval) { now.withLock { $0 = $0 + length } }
    }

    @Test("a term counts from before the request, however late the answer is")
    func lateAnswer() throws {
        let bench = Bench()
        let term = bench.makeTerm()
        let answer = try term.hold { () throws(StoreFault) in
            bench.pass(.seconds(2))
            return "yes"
        }
        #expect(answer == "yes")
        #expect(term.timeLeft == .seconds(7))
        #expect(term.timeToRenewal == .seconds(1))
        #expect(bench.ends.withLock { $0 } == [.seconds(109)])
        bench.pass(.seconds(8))
        #expect(term.timeLeft == .seconds(-1))
    }

    @Test("a request that failed, or was sent before another, leaves the term as it was")
    func noExtension() throws {
        let bench = Bench()
        let term = bench.makeTerm()
        try term.hold { () throws(StoreFault) in
            bench.pass(.seconds(1))
            try term.hold { () throws(StoreFault) in }
        }
        #expect(bench.ends.withLock { $0 } == [.seconds(110), .seconds(110)])
        bench.pass(.seconds(3))
        #expect(throws: StoreFault.self) {
            try term.hold { () throws(StoreFault) in throw StoreFault("no answer", .away) }
        }
        #expect(term.timeLeft == .seconds(6))
        #expect(LeaseTerm.pause(of: .zero) == .milliseconds(300))
    }
}
