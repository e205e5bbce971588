import SkerryActivity
import SkerryValues
import Testing

@testable import SkerryPhones

@Suite struct PushSchedulerLifeTests {
    @Test func `a run is a start, updates by the token, and an end`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1, end: bench.now + .hours(1))
        let start = bench.deliver()
        #expect(start.map { $0.gist } == ["start 10 running"])
        #expect(start.first?.number("stale-date") == (bench.now + .hours(1) + .seconds(2)).flooredSeconds)
        #expect(start.first?.aps["alert"] != nil)
        #expect(start.first?.number("input-push-token") == 1)
        bench.token("aa")
        #expect(bench.deliver().isEmpty)
        bench.now = bench.now + .minutes(10)
        bench.show("running", rev: 2, end: bench.now + .hours(2), isNewState: false)
        bench.now = bench.now + .minutes(10)
        #expect(bench.deliver().map { $0.gist } == ["update 5 running"])
        bench.show("paused", rev: 3)
        #expect(bench.pass(.seconds(2)).map { $0.gist } == ["update 10 paused"])
        bench.now = bench.now + .minutes(10)
        bench.show("done", rev: 4, phase: .ended, dismissAt: bench.now + .minutes(15))
        let end = bench.deliver()
        #expect(end.map { $0.gist } == ["end 10 done"])
        #expect(end.first?.number("dismissal-date") == (bench.now + .minutes(15)).flooredSeconds)
        #expect(bench.pass(.hours(24)).isEmpty)
        #expect(bench.scheduler.activities.isEmpty)
    }

    @Test(arguments: [ActivityAlert.Level.active, .passive])
    func `a card that is dismissed at once stays for a minute if it brings an alert`(
        level: ActivityAlert.Level
    ) {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("aa")
        bench.pass(.minutes(10))
        let alert = ActivityAlert(title: "Done", body: "", level: level)
        bench.show("done", rev: 2, phase: .ended, dismissAt: bench.now, alert: alert)
        let end = bench.deliver()
        // A passive alert is not pushed, so there is nothing to wait for.
        let wait = level == .passive ? Interval.seconds(-1) : .minutes(1)
        #expect(end.map { $0.number("dismissal-date") } == [(bench.now + wait).flooredSeconds])
    }

    @Test(arguments: [("26.0", true), ("18.2", true), ("17.5", false), (nil, true)] as [(String?, Bool)])
    func `a start asks for an update token, unless iOS is known to be older than 18`(
        version: String?,
        asks: Bool
    ) {
        var bench = PhoneBench()
        bench.pair(version: version)
        bench.show("running", rev: 1)
        #expect(bench.deliver().map { $0.number("input-push-token") } == [asks ? 1 : nil])
    }

    @Test func `nothing is started while Live Activities are switched off, not even after a restart`() {
        var bench = PhoneBench()
        bench.pair()
        bench.report(allowsActivities: false)
        bench.show("running", rev: 1)
        #expect(bench.deliver().isEmpty)
        #expect(bench.decisions() == [.disabled])
        bench.restart()
        #expect(bench.pass(.hours(1)).isEmpty)
        // A report that does not mention it changes nothing.
        bench.report()
        #expect(bench.deliver().isEmpty)
        bench.report(allowsActivities: true)
        #expect(bench.deliver().map { $0.gist } == ["start 10 running"])
    }

    @Test func `the latest state waits for the token, and goes once`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver()
        for rev in 2...9 {
            bench.now = bench.now + .minutes(1)
            bench.show("state \(rev)", rev: Int64(rev))
            #expect(bench.deliver().isEmpty)
        }
        bench.pass(.minutes(10))
        #expect(bench.decisions().last == .tokenMissing)
        bench.token("aa")
        #expect(bench.deliver().map { $0.gist } == ["update 10 state 9"])
    }

    @Test func `a ten-hour run is renewed once, the new one first`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1, end: bench.now + .hours(10))
        bench.deliver()
        bench.token("aa")
        let renewal = bench.pass(.hours(7) + .minutes(31))
        #expect(renewal.map { $0.gist } == ["start 10 running"])
        #expect(renewal.first?.instance == 2)
        #expect(bench.pass(.minutes(1)).isEmpty)
        bench.token("bb", instance: 2)
        let end = bench.deliver()
        #expect(end.map { $0.gist } == ["end 10 running"])
        #expect(end.first?.route == .token("aa"))
        #expect((end.first?.number("dismissal-date") ?? .max) < bench.now.flooredSeconds)
        bench.show("done", rev: 2, phase: .ended)
        #expect(bench.pass(.seconds(3)).map { $0.route } == [.token("bb")])
    }
}
