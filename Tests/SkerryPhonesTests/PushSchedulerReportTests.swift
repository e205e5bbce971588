import SkerryActivity
import SkerryValues
import Testing

@testable import SkerryPhones

@Suite struct PushSchedulerReportTests {
    private static func shown(renewed: Bool = false) -> PhoneBench {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("aa")
        if renewed { bench.pass(.minutes(451)) }
        return bench
    }

    private static func end(_ end: PhoneReport.End, instance: Int = 1) -> [PhoneReport.Activity] {
        [PhoneReport.Activity(id: "washer/w/1", instance: instance, end: end)]
    }

    @Test func `an activity removed by the user stays silent for this run, and not for the next`() {
        var bench = Self.shown()
        bench.report(activities: Self.end(.dismissed))
        bench.show("paused", rev: 2)
        bench.show("done", rev: 3, phase: .ended)
        #expect(bench.pass(.hours(1)).isEmpty)
        bench.show("running", rev: 1, run: 2)
        #expect(bench.deliver().map { $0.gist } == ["start 10 running"])
    }

    @Test func `an end of our own is no swipe`() {
        var bench = Self.shown(renewed: true)
        #expect(bench.sent.last?.instance == 2)
        bench.token("bb", instance: 2)
        bench.deliver()
        bench.report(activities: Self.end(.dismissed))
        bench.show("paused", rev: 2)
        #expect(bench.pass(.seconds(3)).map { $0.route } == [.token("bb")])
    }

    @Test func `an older report changes nothing, one without a token neither, and null removes`() {
        var bench = Self.shown()
        bench.pass(.minutes(1))
        let old = bench.now - .hours(1)
        bench.report(startToken: .known("dead"), confirmedAt: old)
        bench.report(activities: [PhoneReport.Activity(id: "washer/w/1", token: .removed)], confirmedAt: old)
        bench.report()
        bench.show("paused", rev: 2)
        #expect(bench.deliver().map { $0.route } == [.token("aa")])
        bench.report(startToken: .removed)
        bench.show("running", rev: 1, run: 2)
        bench.pass(.minutes(1))
        #expect(bench.decisions().contains(.tokenMissing))
    }

    @Test func `an app with other kinds than before keeps all that it reports now`() {
        var bench = PhoneBench()
        bench.pair()
        func report(_ kinds: Range<Int>) {
            bench.now = bench.now + .minutes(1)
            let tokens = kinds.map {
                PhoneReport.StartToken(type: "Kind\($0)Attributes", token: .known("a\($0)"))
            }
            _ = bench.scheduler.report(
                PhoneReport(confirmedAt: bench.now, startTokens: tokens),
                of: "anna",
                at: bench.now
            )
        }
        func kept() -> [Int] {
            (0..<200).filter { bench.scheduler.phones[0].startToken(of: "Kind\($0)Attributes") != nil }
        }
        report(0..<50)
        report(40..<90)
        #expect(kept().suffix(50) == Array(40..<90))
        bench.restart()
        // More than there are places for: those that were reported first.
        report(100..<180)
        #expect(kept() == Array(100..<100 + Phone.typeLimit))
        #expect(bench.scheduler.phones[0].startTokens.count == Phone.typeLimit)
    }

    @Test func `a token that another phone reports is that phone's`() {
        var bench = Self.shown()
        bench.scheduler.pair("berta", name: "berta", credential: [], at: bench.now)
        bench.report("berta", startToken: .known("5a400"))
        bench.show("running", rev: 1, device: "x")
        #expect(
            bench.deliver().map { "\($0.phone ?? "") \($0.activity)" } == [
                "berta washer/x/1"
            ]
        )
    }

    @Test func `an activity that the app started is updated, not started again`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.token("aa", instance: 1)
        bench.pass(.seconds(1))
        #expect(bench.sent.allSatisfy { $0.event == .update })
        bench.show("paused", rev: 2)
        #expect(bench.pass(.seconds(1)).map { $0.gist } == ["update 10 paused"])
    }

    @Test func `everything outlives a restart`() {
        var bench = Self.shown()
        bench.show("paused", rev: 2)
        bench.restart()
        #expect(bench.pass(.seconds(1)).map { $0.gist } == ["update 10 paused"])
        bench.restart()
        #expect(bench.pass(.seconds(1)).isEmpty)
        #expect(bench.scheduler.budgets(of: bench.scheduler.phones[0], at: bench.now).starts.0 == 1)
        #expect(bench.decisions().contains(.sent))
    }

    @Test func `a report of many activities that are unknown here is one decision`() {
        var bench = PhoneBench()
        bench.pair()
        _ = bench.scheduler.takeNews()
        bench.report(activities: (1...64).map { PhoneReport.Activity(id: "washer/w/\($0)", end: .dismissed) })
        #expect(
            bench.scheduler.takeNews().map { $0.text } == ["the phone reports it and 63 more, unknown here"]
        )
    }

    @Test func `damaged images are left out and named`() {
        var bench = Self.shown()
        bench.scheduler.touch(phone: "anna")
        var images = bench.scheduler.takeChanges().images
        for index in images.indices { images[index].bytes[3] ^= 0x40 }
        let (scheduler, refused) = PushScheduler.restored(from: images)
        #expect(scheduler.phones.isEmpty)
        #expect(refused.map { $0.id } == images.map { $0.id })
    }
}
