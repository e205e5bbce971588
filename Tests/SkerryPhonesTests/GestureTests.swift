import SkerryValues
import Testing

@testable import SkerryActivity
@testable import SkerryPhones

/// What users do with cards, told to programs.
@Suite struct GestureTests {
    private static func household() -> PhoneBench {
        var bench = PhoneBench()
        bench.pair()
        _ = bench.scheduler.assign("Ada", to: "anna", at: bench.now)
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("a1")
        return bench
    }

    private static let dismissal = PhoneReport.Activity(id: "washer/w/1", token: .removed, end: .dismissed)

    @Test func `a card that its user removes is told once, however often it is reported`() {
        var bench = Self.household()
        #expect(bench.scheduler.takeGestures().isEmpty)
        bench.report(activities: [Self.dismissal])
        let expected = PhoneGesture(
            kind: .dismissed,
            deviceKind: "washer",
            device: "w",
            activity: "washer/w/1",
            phone: "anna",
            person: "Ada",
            at: bench.now
        )
        #expect(bench.scheduler.takeGestures() == [expected])
        bench.report(activities: [Self.dismissal])
        bench.restart()
        bench.report(activities: [Self.dismissal])
        #expect(bench.scheduler.takeGestures().isEmpty)
    }

    @Test func `an end is no gesture, and neither is what happens to what is unknown or not for the person`()
    {
        var ended = Self.household()
        ended.report(activities: [PhoneReport.Activity(id: "washer/w/1", token: .removed, end: .ended)])
        #expect(ended.scheduler.takeGestures().isEmpty)
        var unknown = Self.household()
        unknown.token("b1", of: "washer/w/7")
        unknown.report(activities: [PhoneReport.Activity(id: "washer/w/7", end: .dismissed)])
        #expect(unknown.scheduler.takeGestures().isEmpty)
        var lost = Self.household()
        lost.scheduler.audience = AudiencePolicy(rules: [AudiencePolicy.Rule("*", people: ["Ben"])])
        lost.report(opened: .init(device: "washer/w", at: lost.now), activities: [Self.dismissal])
        #expect(lost.scheduler.takeGestures().isEmpty)
    }

    @Test func `an opened card is told once, by its newest run`() {
        var bench = Self.household()
        bench.pass(.minutes(1))
        // Ids may be those of orders: the newer run has the one that stands first.
        bench.show("running", rev: 1, run: 0)
        let opened = PhoneReport.Opened(device: "washer/w", at: bench.now)
        bench.report(opened: opened)
        let gestures = bench.scheduler.takeGestures()
        #expect(gestures.map(\.kind) == [.opened] && gestures.map(\.activity) == ["washer/w/0"])
        bench.restart()
        bench.report(opened: opened)
        #expect(bench.scheduler.takeGestures().isEmpty)
        bench.report(opened: .init(device: "washer/nobody", at: bench.now + .seconds(1)))
        #expect(bench.scheduler.takeGestures().isEmpty)
        bench.report(opened: .init(device: "washer/w", at: bench.now + .seconds(2)))
        #expect(bench.scheduler.takeGestures().map(\.kind) == [.opened])
    }
}
