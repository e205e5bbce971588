import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryGateway

/// The clock of the machine: arithmetic only, never how long something took.
@Suite("Clocks")
struct ClockTests {
    @Test("time since boot becomes a moment, faster by the rate", arguments: [1, 60, 1000] as [Int64])
    func moments(rate: Int64) {
        let clock = SystemClock(rate: rate)
        let base = clock.moment(sinceBoot: .hours(10))
        #expect(clock.moment(sinceBoot: .hours(10)) == base, "the clock is read only once")
        #expect(clock.moment(sinceBoot: .hours(10) + .seconds(2)) - base == .seconds(2 * rate))
        #expect(clock.moment(sinceBoot: .hours(9)) - base == .seconds(-3600 * rate))
    }

    @Test("it never runs backwards", arguments: [1, 60] as [Int64])
    func monotonic(rate: Int64) {
        let clock = SystemClock(rate: rate)
        var last = clock.now
        for _ in 0..<1000 {
            let now = clock.now
            #expect(now >= last)
            last = now
        }
    }

    @Test("sleep is the rest of the time, divided by the rate", arguments: [1, 60, 1000] as [Int64])
    func timeLeft(rate: Int64) {
        let clock = SystemClock(rate: rate)
        let moment = clock.now + .hours(1000)
        let before = clock.now
        let pause = clock.timeLeft(until: moment)
        let after = clock.now
        // Between two readings of the clock: exact, however long the call took.
        #expect(pause.microseconds * rate >= (moment - after).microseconds)
        #expect((pause.microseconds - 1) * rate < (moment - before).microseconds)
    }

    @Test("what is left of a microsecond is waited for, too")
    func roundedUp() {
        let cases: [(virtual: Int64, rate: Int64, real: Int64)] = [
            (0, 60, 0), (1, 60, 1), (59, 60, 1), (60, 60, 1), (61, 60, 2), (7, 1, 7), (-1, 60, 0),
            (-120, 60, -2),
            (.max, 1, .max), (.min, 60, .min / 60),
        ]
        for (virtual, rate, real) in cases {
            let time = SystemClock.realTime(for: Interval(microseconds: virtual), rate: rate)
            #expect(time.microseconds == real, "\(virtual) at \(rate)")
        }
    }

    @Test("a moment that has come asks for no sleep")
    func past() {
        let clock = SystemClock(rate: 60)
        #expect(clock.timeLeft(until: clock.now) <= .zero)
        #expect(clock.timeLeft(until: clock.now - .hours(1)) < .zero)
        #expect(clock.timeLeft(until: .distantPast) < .zero)
        #expect(clock.timeLeft(until: .distantFuture) > .hours(24 * 365))
    }

    @Test("a step clock stands still and answers with its own time")
    func step() {
        let clock = StepClock(Timestamp(seconds: 100))
        #expect(clock.now == Timestamp(seconds: 100))
        #expect(clock.moment(sinceBoot: .hours(9)) == Timestamp(seconds: 100))
        clock.move(by: .seconds(5))
        #expect(clock.now == Timestamp(seconds: 105))
        #expect(clock.timeLeft(until: Timestamp(seconds: 107)) == .seconds(2))
        #expect(clock.timeLeft(until: Timestamp(seconds: 100)) == .seconds(-5))
    }

    @Test("a wall clock that was set is told once, forward or back, and followed")
    func stepped() {
        var clock = SystemClock()
        let now = clock.now
        #expect(clock.follow(now + .milliseconds(900), from: now) == .steady)
        #expect(clock.follow(now + .hours(1), from: now) == .stepped(.hours(1)))
        #expect(clock.now - now >= .hours(1))
        #expect(clock.follow(clock.now, from: clock.now) == .steady)
        #expect(clock.follow(now, from: now + .hours(1)) == .stepped(Interval.zero - .hours(1)))
        #expect(clock.now - now < .hours(1))
        #expect(clock.state == .known)
    }

    @Test("a clock that starts in the past goes on from what is known to be past, until it is right")
    func unknown() {
        var clock = SystemClock()
        let past = clock.now + .hours(500_000)
        clock.start(notBefore: past)
        #expect(clock.state == .unknown)
        #expect(clock.now >= past)
        let now = clock.now
        #expect(clock.follow(now - .hours(500_000), from: now) == .steady)
        #expect(clock.follow(now + .minutes(3), from: now) == .found(.minutes(3)))
        #expect(clock.state == .known)
        #expect(clock.now >= now + .minutes(3))
    }

    @Test("a clock that is ahead of what is past is taken as it is")
    func known() {
        var clock = SystemClock()
        clock.start(notBefore: clock.now - .hours(1))
        #expect(clock.state == .known)
    }
}
