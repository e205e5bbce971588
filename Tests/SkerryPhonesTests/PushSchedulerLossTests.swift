import SkerryActivity
import SkerryValues
import Testing

@testable import SkerryPhones

/// What gets lost on the way, and what becomes of phones that are not what they were.
@Suite struct PushSchedulerLossTests {
    private static func shown() -> PhoneBench {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("aa")
        bench.pass(.minutes(2))
        return bench
    }

    @Test func `a start without an answer is sent again if the phone does not show it`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        let lost = bench.deliver(.noAnswer(reason: "time-out"))
        bench.shows([])
        #expect(bench.pass(.seconds(9)).isEmpty, "it may still be on its way")
        bench.pass(.minutes(5))
        bench.shows([])
        let again = bench.pass(.minutes(1))
        #expect(again.map { $0.gist } == ["start 10 running"])
        #expect(again.map { $0.collapseID } == lost.map { $0.collapseID })
        #expect(again.map { $0.instance } == [1])
        bench.shows([1])
        #expect(bench.pass(.hours(1)).isEmpty)
    }

    @Test func `a start without an answer that the phone shows is kept`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver(.noAnswer(reason: "time-out"))
        bench.restart()
        bench.pass(.minutes(5))
        bench.shows([1])
        #expect(bench.pass(.hours(1)).isEmpty)
        bench.token("aa")
        bench.show("paused", rev: 2)
        #expect(bench.deliver().map { $0.gist } == ["update 10 paused"])
    }

    @Test func `an alert without an answer does not sound again once the card shows its revision`() {
        for rev in [Int64(2), 1] {
            var bench = Self.shown()
            bench.show("paused", rev: 2, alert: ActivityAlert(title: "Paused", body: "Look"))
            let lost = bench.deliver(.noAnswer(reason: "time-out"))
            bench.pass(.seconds(2))
            bench.shows([1], rev: rev)
            let again = bench.pass(.minutes(1))
            let rings = (lost + again).map { String(decoding: $0.payload, as: UTF8.self).contains("Look") }
            #expect(rings == [true, rev == 1])
        }
    }

    @Test func `a start that was taken and never seen goes again once`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver()
        bench.pass(.minutes(11))
        for count in [1, 0, 0] {
            bench.shows([])
            #expect(bench.pass(.minutes(5)).count == count)
        }
    }

    @Test func `a phone that is off gets the start for as long as the run is expected to last`() {
        for (length, kept) in [
            (Interval.hours(2), Interval.hours(2)), (.hours(20), .hours(8)), (.minutes(1), .minutes(10)),
        ] {
            var bench = PhoneBench()
            bench.pair()
            bench.show("running", rev: 1, end: bench.now + length)
            #expect(bench.deliver().map { $0.expiration } == [(bench.now + kept).flooredSeconds])
        }
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        #expect(bench.deliver().map { $0.expiration } == [(bench.now + .hours(8)).flooredSeconds])
    }

    @Test func `a token that rotates is taken also right after the end of the old one`() {
        for pause in [Interval.zero, .seconds(3), .minutes(1), .minutes(10)] {
            var bench = Self.shown()
            bench.show("paused", rev: 2)
            bench.deliver(.tokenGone(since: bench.now - .seconds(1)))
            bench.pass(pause)
            bench.token("bb")
            #expect(bench.pass(.minutes(1)).map { $0.route } == [.token("bb")], "after \(pause)")
            bench.token("aa")
            bench.show("done", rev: 3, phase: .ended)
            #expect(bench.pass(.minutes(1)).map { $0.route } == [.token("bb")])
        }
    }

    @Test func `a token that is over is not tried again, however often it is reported`() {
        var bench = Self.shown()
        bench.show("paused", rev: 2)
        let asked = bench.deliver(.tokenGone(since: bench.now - .hours(1))).count
        #expect(asked == 1)
        bench.now = bench.now + .seconds(15)
        #expect(bench.deliver(.tokenGone(since: bench.now - .hours(1))).count == 1)
        for _ in 0..<10 {
            bench.pass(.minutes(10))
            bench.token("aa")
            bench.show("running", rev: Int64(bench.sent.count + 10))
            #expect(bench.deliver().isEmpty)
        }
    }

    @Test(arguments: [Interval.hours(-1), .hours(1), nil])
    func `a start token that expired is taken again once, and then not for a day`(since: Interval?) {
        var bench = PhoneBench()
        bench.pair()
        var asked: [Timestamp] = []
        let start = bench.now
        while bench.now < start + .hours(30) {
            let run = Int((bench.now - start).roundedSeconds / 3600)
            bench.show("running", rev: 1, device: "w\(run)")
            bench.report(startToken: .known("5a00"))
            bench.restart()
            asked += bench.deliver(.tokenGone(since: since.map { bench.now + $0 })).map { _ in bench.now }
            bench.now = bench.now + .minutes(5)
        }
        #expect(asked.count { $0 < start + .hours(24) } == 2)
        #expect(asked.count { $0 >= start + .hours(24) } == 1)
    }

    @Test func `another token is taken, whatever the service says of the old one`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver(.tokenGone(since: bench.now + .hours(1)))
        bench.pass(.seconds(20))
        bench.report(startToken: .known("5b"))
        #expect(bench.pass(.minutes(1)).map { $0.route } == [.start(token: "5b")])
        bench.token("aa")
        bench.pass(.seconds(20))
        bench.show("paused", rev: 2)
        bench.deliver(.tokenGone(since: bench.now + .hours(1)))
        bench.token("bb")
        #expect(bench.pass(.minutes(1)).map { $0.route } == [.token("bb")])
    }

    @Test func `a phone that was paired again shows one instance, whatever it reports first`() {
        var bench = Self.shown()
        bench.scheduler.pair("again", name: "again", credential: [], at: bench.now)
        bench.report("again", startToken: .known("5a400"), version: "18.2")
        #expect(bench.pass(.minutes(1)).isEmpty)
        bench.show("paused", rev: 2)
        #expect(bench.deliver().map { "\($0.phone ?? "") \($0.gist)" } == ["again update 10 paused"])
        // Another start token, and what it shows a little later.
        bench.scheduler.pair("third", name: "third", credential: [], at: bench.now)
        bench.report("third", startToken: .known("77"), version: "18.2")
        bench.pass(.seconds(2))
        bench.shows([1], phone: "third")
        bench.token("aa", phone: "third")
        #expect(!bench.pass(.minutes(1)).contains { $0.event == .start })
    }

    @Test func `a phone that is removed shows nothing any more`() {
        var bench = Self.shown()
        bench.show("running", rev: 1, device: "x")
        bench.deliver()
        let wasThere = bench.scheduler.unpair("anna", at: bench.now)
        #expect(wasThere && bench.scheduler.pairedPhones.isEmpty)
        let again = bench.scheduler.unpair("anna", at: bench.now)
        #expect(!again)
        bench.restart()
        let ends = bench.pass(.minutes(1))
        #expect(ends.map { $0.gist } == ["end 10 -"], "without content, which is nobody's any more")
        #expect((ends.first?.number("dismissal-date") ?? .max) < bench.now.flooredSeconds)
        #expect(bench.scheduler.phones.isEmpty)
        bench.show("paused", rev: 2)
        #expect(bench.pass(.hours(1)).isEmpty)
    }

    @Test func `a phone that was restored shows the run again`() {
        var bench = Self.shown()
        bench.show("paused", rev: 2)
        bench.deliver(.tokenGone(since: bench.now))
        #expect(bench.pass(.minutes(5)).isEmpty)
        bench.report(startToken: .known("5b"), version: "18.2")
        #expect(bench.pass(.minutes(1)).map { $0.gist } == ["start 10 paused"])

        bench = Self.shown()
        bench.report(startToken: .known("5b"), version: "18.2")
        bench.show("paused", rev: 2)
        bench.deliver(.tokenGone(since: bench.now))
        #expect(bench.pass(.minutes(5)).isEmpty)
        bench.shows([])
        #expect(bench.pass(.minutes(1)).map { $0.gist } == ["start 10 paused"])

        bench = Self.shown()
        bench.report(startToken: .known("5b"), version: "18.2")
        bench.shows([])
        #expect(bench.pass(.minutes(1)).map { $0.gist } == ["start 10 running"])
    }

    @Test func `an activity removed while the app was not running stays removed`() {
        var bench = Self.shown()
        bench.pass(.hours(1))
        bench.shows([])
        bench.show("paused", rev: 2)
        #expect(bench.pass(.hours(9)).isEmpty)
        // At a renewal only the new one is there.
        bench = Self.shown()
        bench.shows([1])
        bench.pass(.minutes(455))
        #expect(bench.sent.last?.instance == 2)
        bench.pass(.minutes(2))
        bench.token("bb", instance: 2)
        bench.shows([2])
        #expect(bench.pass(.minutes(1)).map { "\($0.gist) \($0.instance)" } == ["end 10 running 2"])
        bench.show("paused", rev: 2)
        #expect(bench.pass(.hours(9)).isEmpty)
    }

    @Test func `the token of an unknown activity gets an end`() {
        var bench = PhoneBench()
        bench.pair()
        bench.token("cc", of: "washer/w/1")
        #expect(bench.pass(.seconds(50)).isEmpty)
        let ends = bench.pass(.minutes(1))
        #expect(ends.map { $0.route } == [.token("cc")])
        #expect(ends.map { $0.event } == [.end])
        #expect(ends.first?.aps["content-state"] == nil)
        #expect(bench.pass(.hours(5)).isEmpty)
        #expect(bench.scheduler.activities.isEmpty)
        // One that the bridge tells of after all goes on.
        bench.token("dd", of: "washer/x/1")
        bench.show("running", rev: 7, device: "x")
        #expect(bench.pass(.minutes(5)).map { $0.gist } == ["update 10 running"])
    }

    @Test(arguments: [PushAnswer.tooLarge, .senderFault(reason: "BadMessageId")])
    func `an end that is refused is tried once without content`(answer: PushAnswer) {
        var bench = Self.shown()
        bench.show("done", rev: 2, phase: .ended)
        #expect(bench.deliver(answer).map { $0.gist } == ["end 10 done"])
        bench.restart()
        bench.now = bench.now + .seconds(30)
        let bare = bench.deliver(answer)
        #expect(bare.map { $0.event } == [.end])
        #expect(bare.first?.aps["content-state"] == nil)
        #expect(bench.pass(.hours(3)).isEmpty)
    }

    @Test
    func `after commits were lost, alerts are told by revisions that phones have seen, and none rings twice`()
    {
        func rings(_ pushes: [Push]) -> [String] {
            pushes.map { "\($0.gist)\($0.aps["alert"] == nil ? "" : "!")" }
        }
        let alert = ActivityAlert(title: "", body: "The door is open")
        for channels in [false, true] {
            var bench = LostUpdateTests.shown(byChannel: channels)
            bench.show("paused", rev: 7, alert: alert)
            #expect(rings(bench.pass(.seconds(1))) == ["update 10 paused!"])
            bench.restart()
            // The store is that of revision 3, and the bridge counts on from it.
            bench.show("running", rev: 4, epoch: 2)
            #expect(rings(bench.pass(.seconds(1))) == ["update 10 running"])
            bench.show("leaking", rev: 5, epoch: 2, alert: alert)
            #expect(rings(bench.pass(.seconds(1))) == ["update 10 leaking!"])
            bench.show("paused", rev: 7, epoch: 2, alert: alert)
            // One that was raised before, and not told yet, still is.
            bench.show("running", rev: 6, epoch: 3)
            #expect(rings(bench.pass(.seconds(1))) == ["update 10 running!"])
            #expect(bench.pass(.hours(1)).isEmpty)
        }
    }

    @Test func `an image of an unknown version is refused`() {
        var bench = Self.shown()
        for phone in bench.scheduler.phones { bench.scheduler.touch(phone: phone.id) }
        let images = bench.scheduler.takeChanges().images.map { image in
            var image = image
            var writer = ImageWriter(capacity: 16)
            writer.tag(12)
            writer.seal()
            image.bytes = writer.bytes
            return image
        }
        let (_, refused) = PushScheduler.restored(from: images)
        #expect(refused.map { $0.fault } == images.map { _ in .unknownVersion(12) })
    }
}
