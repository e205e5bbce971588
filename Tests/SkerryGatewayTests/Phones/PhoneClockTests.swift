import SkerryPhones
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

@testable import SkerryGateway

/// The clock of the phones in a gateway that sends no pushes, so that nobody asks the desk for its next step.
@Suite struct PhoneClockTests {
    /// The state of the bridge's clock before it is set and after, and by how much; whether the moment of a phone moves,
    /// as it does unless time has passed uncounted.
    @Test(arguments: [
        (before: ClockState.known, after: ClockState.known, days: 60, moves: true),
        (.known, .known, -60, true),
        (.unknown, .known, 60, false),
    ])
    func `it follows the bridge's`(before: ClockState, after: ClockState, days: Int64, moves: Bool) throws {
        let start = Timestamp(seconds: 1_790_000_000)
        let clock = StepClock(start)
        let queue = SinkQueue(name: "phones", options: BridgeOptions(version: "test"))
        let desk = try PhoneDesk(
            store: MemoryPhoneStore(),
            queue: queue,
            clock: clock,
            logger: WorldClocks.quiet
        )
        let steps = Mutex<[Interval]>([])
        desk.onClockMove { step in steps.withLock { $0.append(step) } }
        let length = Interval.hours(24 * days)
        desk.watch(.clock(Told(state: before), movedBy: .zero))
        try desk.pair(NewPhone(id: "p", name: "Ada", credential: []), at: desk.now)
        clock.step(by: length)
        desk.watch(.clock(Told(state: after), movedBy: length))
        #expect(steps.withLock { $0 } == [length])
        #expect(desk.now == start + length)
        #expect(queue.clockIsKnown == (after == .known))
        #expect(desk.phones().map(\.pairedAt) == [moves ? start + length : start])
    }

    /// A clock as the bridge tells of it.
    private struct Told: GatewayClock {
        let state: ClockState
        var now: Timestamp { Timestamp(seconds: 0) }
        func moment(sinceBoot interval: Interval) -> Timestamp { now }
        func timeLeft(until moment: Timestamp) -> Interval { .zero }
    }
}
