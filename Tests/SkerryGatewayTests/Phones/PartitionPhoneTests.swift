import SkerryEngine
import SkerryPhones
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryGateway

/// A phone that reports the cards of all partitions to each of them.
@Suite struct PartitionPhoneTests {
    @Test func `a card of another partition is not ended as an unknown one`() throws {
        let names = (0..<2).map { number in
            (0..<9).lazy.map { "d\($0)" }.first { Partition.number(of: $0, among: 2) == number } ?? ""
        }
        let clock = StepClock(Timestamp(seconds: 1_790_000_000))
        let desk = try PhoneDesk(
            store: MemoryPhoneStore(),
            queue: SinkQueue(name: "phones", options: BridgeOptions(version: "test")),
            partition: Partition(1, of: 2),
            clock: clock,
            logger: WorldClocks.quiet
        )
        try desk.pair(NewPhone(id: "p", name: "Ada", credential: []), at: clock.now)
        let report = PhoneReport(
            confirmedAt: clock.now,
            activities: names.map {
                PhoneReport.Activity(id: "washer/\($0)/1", token: .known("token of \($0)"))
            }
        )
        _ = try desk.report(report, of: "p", at: clock.now)
        clock.move(to: clock.now + .minutes(2))
        var routes: [Push.Route] = []
        while case .push(let push) = desk.next() { routes.append(push.route) }
        #expect(routes == [.token("token of \(names[1])")])
    }
}
