import Logging
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

    @Test("fractions of a microsecond are waited for, too")
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

    @Test("there is no sleep until a moment that has come")
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

    @Test("a step of the wall clock is reported once, forward or back, and followed")
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
        let time: Mutex<(wall: Timestamp, isSynchronized: Bool, passed: Interval)>
        let boot: BootMoment?

        init(_ wall: Timestamp, isSynchronized: Bool = false, boot: BootMoment? = nil) {
            time = Mutex((wall, isSynchronized, .zero))
            self.boot = boot
        }

        func set(_ wall: Timestamp) { time.withLock { $0.wall = wall } }

        /// Lets time pass, by this clock and by the one since boot.
        func pass(_ length: Interval) {
            time.withLock { time in
                time.wall = time.wall + length
                time.passed = time.passed + length
            }
        }

        func synchronize() { time.withLock { $0.isSynchronized = true } }

        var clock: SystemClock {
            SystemClock(
                wallClock: { [self] in time.withLock { $0.wall } },
                sinceBoot: { [self] in (boot?.elapsed ?? .zero) + time.withLock { $0.passed } },
                isSynchronized: { [self] in time.withLock { $0.isSynchronized } },
                bootID: boot?.id
            )
        }
    }

    static let past = Timestamp(seconds: 1_772_355_600)

    @Test("a clock that starts in the past continues from the last known moment, until it is right")
    func unknown() {
        let wall = Wall(Timestamp(seconds: 40))
        var clock = wall.clock
        clock.start(after: PastMoment(at: Self.past))
        #expect(clock.state == .unknown)
        #expect(clock.now == Self.past + Interval(microseconds: 1))
        #expect(clock.look() == .steady)
        wall.set(clock.now + .minutes(3))
        #expect(clock.look() == .found(.minutes(3)))
        #expect(clock.state == .known)
        #expect(clock.now == wall.clock.now)
    }

    @Test(
        "a clock that is right after one that was ahead is believed when it is set or synchronized"
    )
    func wasAhead() {
        for isSet in [false, true] {
            let wall = Wall(Self.past - .hours(1))
            var clock = wall.clock
            clock.start(after: PastMoment(at: Self.past))
            #expect(clock.look() == .steady)
            if isSet { wall.set(Self.past - .minutes(50)) } else { wall.synchronize() }
            let length = wall.clock.now - clock.now
            #expect(clock.look() == .stepped(length))
            #expect(clock.state == .known)
            #expect(clock.now == wall.clock.now)
            #expect(clock.look() == .steady)
        }
    }

    @Test("a past moment of an unset clock has an unknown age, so no time has passed")
    func pastOfUnsetClock() {
        let wall = Wall(Self.past)
        var clock = wall.clock
        clock.start(after: PastMoment(at: Timestamp(seconds: 300)))
        #expect(clock.now == Timestamp(seconds: 300) + Interval(microseconds: 1))
        let length = Self.past - clock.now
        #expect(clock.look() == .stepped(length))
        #expect(clock.now == Self.past)
    }

    @Test("a clock that was never set is unknown until it is set, and that step counts as no time")
    func unset() {
        let wall = Wall(Timestamp(seconds: 300))
        var clock = wall.clock
        #expect(clock.state == .unknown)
        #expect(clock.look() == .steady)
        wall.set(Self.past)
        #expect(clock.look() == .stepped(Self.past - Timestamp(seconds: 300)))
        #expect(clock.state == .known)
    }

    @Test("a clock ahead of the last known moment is believed")
    func known() {
        var clock = SystemClock()
        clock.start(after: PastMoment(at: clock.now - .hours(1)))
        #expect(clock.state == .known)
    }

    private static func boot(_ id: String, _ elapsed: Interval) -> BootMoment {
        BootMoment(id: id, elapsed: elapsed)
    }

    @Test(
        "after a boot, the first step forward means that the clock was behind; it counts as known all the while"
    )
    func resumedFromLastEnd() {
        let wall = Wall(Self.past + .seconds(17), boot: Self.boot("b", .seconds(20)))
        var clock = wall.clock
        clock.start(after: PastMoment(at: Self.past, boot: Self.boot("a", .hours(9))))
        #expect(clock.state == .known)
        #expect(clock.mayBeFound)
        #expect(clock.now == Self.past + .seconds(17))
        #expect(clock.look() == .steady)
        wall.set(Self.past + .hours(3))
        #expect(clock.look() == .found(.hours(3) - .seconds(17)))
        #expect(!clock.mayBeFound)
        wall.set(Self.past + .hours(4))
        #expect(clock.look() == .stepped(.hours(1)))
    }

    @Test("a clock that is set back after a boot, or is synchronized, can't be found any more")
    func provenAfterBoot() {
        for isSynchronized in [false, true] {
            let wall = Wall(Self.past + .seconds(17), boot: Self.boot("b", .seconds(20)))
            var clock = wall.clock
            clock.start(after: PastMoment(at: Self.past, boot: Self.boot("a", .hours(9))))
            if isSynchronized { wall.synchronize() } else { wall.set(Self.past) }
            #expect(clock.look() == (isSynchronized ? .steady : .stepped(.seconds(-17))))
            #expect(!clock.mayBeFound)
            wall.set(clock.now + .hours(3))
            #expect(clock.look() == .stepped(.hours(3)))
        }
        let proven = Wall(Self.past, isSynchronized: true, boot: Self.boot("b", .seconds(20)))
        var clock = proven.clock
        clock.start(after: PastMoment(at: Self.past - .hours(1), boot: Self.boot("a", .hours(9))))
        #expect(!clock.mayBeFound, "the system vouched for it at the start")
    }

    @Test("within one boot the time goes on over a restart, and a step of the clock in between is recognised")
    func sameBoot() {
        let past = Self.boot("a", .hours(1))
        for (mayBeFound, change) in [
            (false, ClockChange.stepped(.hours(2))), (true, ClockChange.found(.hours(2))),
        ] {
            let wall = Wall(
                Self.past + .seconds(30) + .hours(2),
                boot: Self.boot("a", .hours(1) + .seconds(30))
            )
            var clock = wall.clock
            clock.start(after: PastMoment(at: Self.past, boot: past, mayBeFound: mayBeFound))
            #expect(clock.now == Self.past + .seconds(30))
            #expect(clock.look() == change)
        }
        let wall = Wall(Timestamp(seconds: 300), boot: Self.boot("a", .hours(1) + .seconds(30)))
        var clock = wall.clock
        clock.start(after: PastMoment(at: Self.past, boot: past, mayBeFound: true))
        #expect(clock.state == .unknown)
        #expect(clock.look() == .steady)
        wall.set(Self.past + .seconds(30) + .hours(2))
        #expect(clock.look() == .found(.hours(2)))
    }

    @Test("a step of the clock while no process ran, in a boot that began in 1970, is recognised")
    func setInTheBootOf1970() {
        let wall = Wall(Self.past, boot: Self.boot("a", .seconds(70)))
        var clock = wall.clock
        let boot = Self.boot("a", .seconds(40))
        clock.start(after: PastMoment(at: Timestamp(seconds: 40), boot: boot, mayBeFound: true))
        #expect(clock.now == Timestamp(seconds: 70))
        #expect(clock.look() == .stepped(Self.past - Timestamp(seconds: 70)))
        #expect(clock.now == Self.past)
    }

    @Test("less than a second behind is not behind: a quick restart leaves the clock known")
    func quickRestart() {
        let wall = Wall(Self.past - .milliseconds(900))
        var clock = wall.clock
        clock.start(after: PastMoment(at: Self.past))
        #expect(clock.state == .known)
        #expect(clock.now > Self.past)
        #expect(clock.look() == .steady)
    }

    @Test("a bridge in 1970 reports it with its first health, and looks for the right time every ten seconds")
    func bridgeInThePast() throws {
        let wall = Wall(Timestamp(seconds: 40))
        let bridge = try Bridge.recover(
            definitions: [Pier.lamp()],
            store: MemoryStore(),
            clock: wall.clock,
            options: BridgeOptions(version: "test"),
            ports: BridgePorts(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        ).bridge
        #expect(bridge.sleepLimit == .seconds(10))
        wall.pass(.seconds(9))
        #expect(bridge.sleepLimit == .seconds(1))
        wall.pass(.seconds(1))
        #expect(bridge.sleepLimit == .zero)
        bridge.wake()
        #expect(bridge.sleepLimit == .seconds(10))
        bridge.connect(BusSession(isResumed: false))
        var report = ""
        while let publication = bridge.nextPublication() {
            if publication.topic == "skerry/bridge/health" {
                report = String(decoding: publication.payload, as: UTF8.self)
            }
        }
        #expect(report.contains(#""clock":"unknown""#), "\(report)")
    }
}
