import SkerryTesting
import SkerryValues
import Synchronization
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

    /// A wall clock that the test sets, on a machine where no time passes by itself.
    final class Wall: Sendable {
        let time: Mutex<(wall: Timestamp, isSynchronized: Bool)>

        init(_ wall: Timestamp, isSynchronized: Bool = false) { time = Mutex((wall, isSynchronized)) }

        func set(_ wall: Timestamp) { time.withLock { $0.wall = wall } }

        func synchronize() { time.withLock { $0.isSynchronized = true } }

        var clock: SystemClock {
            SystemClock(
                wallClock: { [self] in time.withLock { $0.wall } },
                sinceBoot: { .zero },
                isSynchronized: { [self] in time.withLock { $0.isSynchronized } }
            )
        }
    }

    static let past = Timestamp(seconds: 1_772_355_600)

    @Test("a clock that starts in the past goes on from what is known to be past, until it is right")
    func unknown() {
        let wall = Wall(Timestamp(seconds: 40))
        var clock = wall.clock
        clock.start(notBefore: Self.past)
        #expect(clock.state == .unknown)
        #expect(clock.now == Self.past)
        #expect(clock.look() == .steady)
        wall.set(Self.past + .minutes(3))
        #expect(clock.look() == .found(.minutes(3)))
        #expect(clock.state == .known)
        #expect(clock.now == Self.past + .minutes(3))
    }

    @Test(
        "a clock that was ahead before and is right now is believed when it is set or the system vouches for it"
    )
    func wasAhead() {
        for isSet in [false, true] {
            let wall = Wall(Self.past - .hours(1))
            var clock = wall.clock
            clock.start(notBefore: Self.past)
            #expect(clock.look() == .steady)
            if isSet { wall.set(Self.past - .minutes(50)) } else { wall.synchronize() }
            let length = Interval.zero - (isSet ? .minutes(50) : .hours(1))
            #expect(clock.look() == .stepped(length))
            #expect(clock.state == .known)
            #expect(clock.now == Self.past + length)
            #expect(clock.look() == .steady)
        }
    }

    @Test("of a past that an unset clock told nobody knows how long ago it was, so no time has passed")
    func pastOfUnsetClock() {
        let wall = Wall(Self.past)
        var clock = wall.clock
        clock.start(notBefore: Timestamp(seconds: 300))
        #expect(clock.now == Timestamp(seconds: 300))
        #expect(clock.look() == .stepped(Self.past - Timestamp(seconds: 300)))
        #expect(clock.now == Self.past)
    }

    @Test("a clock that was never set is unknown until it is, and no time has passed for that")
    func unset() {
        let wall = Wall(Timestamp(seconds: 300))
        var clock = wall.clock
        #expect(clock.state == .unknown)
        #expect(clock.look() == .steady)
        wall.set(Self.past)
        #expect(clock.look() == .stepped(Self.past - Timestamp(seconds: 300)))
        #expect(clock.state == .known)
    }

    @Test("a clock that is ahead of what is past is taken as it is")
    func known() {
        var clock = SystemClock()
        clock.start(notBefore: clock.now - .hours(1))
        #expect(clock.state == .known)
    }
}
