import SkerryActivity
import SkerryValues
import Testing

@testable import SkerryPhones

/// What Apple did not keep for a phone that was off, and the order in which pushes leave.
@Suite struct LostUpdateTests {
    /// A run that a phone has shown for two minutes.
    static func shown(byChannel usesChannels: Bool = false) -> PhoneBench {
        var settings = PushSchedulerSettings()
        settings.usesChannels = usesChannels
        var bench = PhoneBench(settings: settings)
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver()
        if !usesChannels { bench.token("aa") }
        bench.pass(.minutes(2))
        return bench
    }

    @Test func `an update that the phone does not show is sent again, once`() {
        var bench = Self.shown()
        bench.show("paused", rev: 4)
        #expect(bench.deliver().map { $0.gist } == ["update 10 paused"])
        bench.pass(.minutes(30))
        bench.shows([1], rev: 1)
        #expect(bench.pass(.minutes(1)).map { $0.gist } == ["update 10 paused"])
        #expect(bench.decisions().contains(.outdated))
        // However often the phone says so, over a restart, too.
        for _ in 0..<5 {
            bench.restart()
            bench.pass(.minutes(10))
            bench.shows([1], rev: 1)
            #expect(bench.pass(.minutes(1)).isEmpty)
        }
        bench.show("running", rev: 5)
        #expect(bench.deliver().map { $0.gist } == ["update 10 running"])
        bench.pass(.minutes(10))
        bench.shows([1], rev: 4)
        #expect(bench.pass(.minutes(1)).map { $0.gist } == ["update 10 running"])
    }

    @Test func `what is no news is sent again without haste`() {
        var bench = Self.shown()
        bench.show("running", rev: 2, end: bench.now + .hours(2), isNewState: false)
        #expect(bench.deliver().map { $0.gist } == ["update 5 running"])
        bench.pass(.minutes(30))
        bench.shows([1], rev: 1)
        #expect(bench.pass(.minutes(1)).map { $0.gist } == ["update 5 running"])
    }

    @Test func `a phone that is up to date, tells no revision or has just been sent one gets nothing`() {
        var bench = Self.shown()
        bench.show("paused", rev: 2)
        bench.deliver()
        bench.pass(.seconds(5))
        bench.shows([1], rev: 1)
        #expect(bench.pass(.minutes(1)).isEmpty, "it may still be on its way")
        for rev in [nil, 2, 3] as [Int64?] {
            bench.pass(.minutes(10))
            bench.shows([1], rev: rev)
            #expect(bench.pass(.minutes(1)).isEmpty)
        }
    }

    @Test func `an alert that got lost with its update is told while it is fresh`() {
        for (wait, isTold) in [(Interval.minutes(5), true), (.minutes(20), false)] {
            var bench = Self.shown()
            bench.show("door", rev: 2, alert: ActivityAlert(title: "The door is open", body: ""))
            #expect(bench.deliver().map { $0.aps["alert"] != nil } == [true])
            bench.pass(wait)
            bench.shows([1], rev: 1)
            #expect(bench.pass(.minutes(1)).map { $0.aps["alert"] != nil } == [isTold])
        }
    }

    @Test(arguments: [false, true])
    func `a reminder rings once, although the card shows the same`(usesChannels: Bool) {
        var bench = Self.shown(byChannel: usesChannels)
        for (rev, level, count) in [(2, .active, 1), (3, .passive, 0), (4, .active, 1)]
            as [(Int64, ActivityAlert.Level, Int)]
        {
            bench.show("running", rev: rev, alert: ActivityAlert(title: "Still open", body: "", level: level))
            let pushes = bench.pass(.minutes(20))
            #expect(pushes.map { $0.aps["alert"] != nil } == Array(repeating: true, count: count))
            #expect(pushes.allSatisfy { $0.priority == .immediate })
            bench.restart()
        }
    }

    @Test func `an end that got lost is sent again, with its alert`() {
        var bench = Self.shown()
        let alert = ActivityAlert(title: "Laundry is done", body: "")
        bench.show("done", rev: 2, phase: .ended, dismissAt: bench.now + .hours(1), alert: alert)
        #expect(bench.deliver().map { $0.gist } == ["end 10 done"])
        bench.pass(.minutes(10))
        bench.report(
            activities: [PhoneReport.Activity(id: "washer/w/1", token: .known("aa"))],
            shows: [.init(type: PhoneBench.type, activities: [.init(id: "washer/w/1", rev: 1)])]
        )
        let again = bench.pass(.minutes(1))
        #expect(again.map { $0.gist } == ["end 10 done"])
        #expect(again.first?.aps["alert"] != nil)
    }

    @Test func `a broadcast that got lost is sent again, once`() {
        var bench = Self.shown(byChannel: true)
        bench.shows([1], rev: 1)
        bench.show("paused", rev: 2)
        bench.deliver()
        bench.pass(.minutes(10))
        for count in [1, 0] {
            bench.shows([1], rev: 1)
            #expect(bench.pass(.minutes(1)).map { $0.event } == Array(repeating: .update, count: count))
        }
    }

    @Test(arguments: [ActivityPhase.active, .ended])
    func `a broadcast without an answer goes again without its alert, once a phone shows its revision`(
        phase: ActivityPhase
    ) {
        var bench = Self.shown(byChannel: true)
        bench.show("door", rev: 2, phase: phase, alert: ActivityAlert(title: "The door is open", body: ""))
        #expect(bench.deliver(.noAnswer(reason: "time-out")).map { $0.aps["alert"] != nil } == [true])
        _ = bench.scheduler.takeChanges()
        bench.shows([1], rev: 2)
        #expect(bench.scheduler.changes.activities == ["washer/w/1"], "it is stored")
        #expect(bench.pass(.minutes(1)).map { $0.aps["alert"] != nil } == [false])
    }

    @Test(arguments: [false, true])
    func `an alert that came with a start rings again where the phone never showed that`(usesChannels: Bool) {
        var settings = PushSchedulerSettings()
        settings.usesChannels = usesChannels
        var bench = PhoneBench(settings: settings)
        bench.pair()
        bench.show("running", rev: 1, alert: ActivityAlert(title: "It runs", body: ""))
        bench.deliver()
        bench.pass(.minutes(2))
        bench.shows([])
        let again = bench.pass(.minutes(1))
        #expect(again.map { $0.gist } == ["start 10 running"])
        guard case .map(let alert)? = again.first?.aps["alert"] else { return #expect(Bool(false)) }
        #expect(alert["sound"] != nil)
    }

    @Test func `an end waits at Apple for as long as the card can be there`() {
        var bench = Self.shown()
        let start = bench.sent[0].timestamp
        bench.pass(.hours(3))
        bench.show("paused", rev: 2)
        #expect(bench.deliver().map { $0.expiration } == [start + 8 * 3600])
        bench.pass(.hours(1))
        bench.show("running", rev: 3, end: bench.now + .hours(1))
        #expect(
            bench.deliver().map { $0.expiration } == [(bench.now + .hours(1) + .seconds(2)).flooredSeconds]
        )
        bench.pass(.minutes(1))
        bench.show("done", rev: 4, phase: .ended, dismissAt: bench.now + .minutes(15))
        #expect(bench.deliver().map { $0.expiration } == [start + 12 * 3600])
    }

    @Test func `a push to a channel waits as long`() {
        var settings = PushSchedulerSettings()
        settings.usesChannels = true
        var bench = PhoneBench(settings: settings)
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver()
        let start = bench.now
        bench.pass(.hours(3))
        bench.show("done", rev: 2, phase: .ended)
        let ends = bench.deliver().filter { $0.event == .end }
        #expect(ends.map { $0.expiration } == [(start + .hours(12)).flooredSeconds])
    }

    @Test func `an alert leaves before everything else`() {
        var bench = PhoneBench()
        bench.pair()
        for device in 0..<4 { bench.show("running", rev: 1, device: "w\(device)") }
        bench.deliver()
        for device in 0..<4 { bench.token("a\(device)", of: "washer/w\(device)/1") }
        bench.pass(.minutes(2))
        bench.show("running", rev: 1, device: "w4")
        bench.show("paused", rev: 2, device: "w0")
        bench.show("done", rev: 2, device: "w1", phase: .ended)
        bench.pass(.zero)
        bench.pass(.minutes(2))
        bench.show("running", rev: 1, device: "w5")
        bench.show("running", rev: 3, device: "w0")
        bench.show("paused", rev: 2, device: "w2", alert: ActivityAlert(title: "", body: "", level: .passive))
        bench.now = bench.now + .seconds(1)
        bench.show("door", rev: 2, device: "w3", alert: ActivityAlert(title: "The door is open", body: ""))
        let order = bench.deliver().map { $0.state ?? "" }
        #expect(order.first == "door")
        #expect(order.count == 4)
    }
}
