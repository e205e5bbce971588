import SkerryActivity
import SkerryValues
import Testing

@testable import SkerryPhones

@Suite struct PushSchedulerChannelTests {
    private static func scheduler() -> PhoneBench {
        var settings = PushSchedulerSettings()
        settings.usesChannels = true
        var bench = PhoneBench(settings: settings)
        bench.pair("anna")
        bench.pair("berta", version: "17.5")
        bench.scheduler.pair("clara", name: "clara", credential: [], at: bench.now)
        bench.report("clara", startToken: .known("5c"), version: "18.0")
        return bench
    }

    @Test func `one broadcast reaches the scheduler, a phone with an older iOS is reached by its token`() {
        var bench = Self.scheduler()
        bench.show("running", rev: 1)
        let starts = bench.deliver()
        #expect(starts.count { $0.route == .createChannel } == 1)
        #expect(starts.count { $0.aps["input-push-channel"] != nil } == 2)
        #expect(starts.count { $0.event == .start } == 3)
        bench.token("bb", phone: "berta")
        bench.pass(.minutes(1))
        bench.show("paused", rev: 2)
        let updates = bench.deliver()
        #expect(Set(updates.map { $0.phone ?? "all" }) == ["all", "berta"])
        #expect(updates.count == 2)
        bench.pass(.minutes(1))
        bench.show("done", rev: 3, phase: .ended)
        #expect(bench.deliver().map { $0.gist } == ["end 10 done", "end 10 done"])
        #expect(bench.pass(.hours(5)).map { $0.route } == [.deleteChannel(id: "channel1")])
        #expect(bench.scheduler.activities.isEmpty)
    }

    @Test func `an alert that came with the cards does not ring a second time by their channel`() {
        var bench = Self.scheduler()
        let alert = ActivityAlert(title: "It runs", body: "")
        func broadcasts(_ pushes: [Push]) -> [Bool] {
            pushes.filter { $0.phone == nil }.map { $0.aps["alert"] != nil }
        }
        bench.show("running", rev: 1, alert: alert)
        #expect(bench.deliver().count { $0.event == .start && $0.aps["alert"] != nil } == 3)
        #expect(broadcasts(bench.pass(.minutes(1))) == [])
        bench.show("paused", rev: 2)
        #expect(broadcasts(bench.pass(.minutes(1))) == [false])
        bench.restart()
        bench.show("paused", rev: 3, alert: alert)
        #expect(broadcasts(bench.pass(.minutes(20))) == [true])
    }

    @Test func `who muted the run on one phone has nobody hear an alert twice`() {
        var bench = Self.scheduler()
        bench.show("running", rev: 1, alert: ActivityAlert(title: "It runs", body: ""))
        bench.report("clara", activities: [.init(id: "washer/w/1", isSilent: true)])
        #expect(bench.deliver().count { $0.event == .start } == 3)
        #expect(bench.pass(.minutes(20)).allSatisfy { $0.phone != nil })
    }

    @Test func `while a card is renewed, an alert rings on one of its two channels`() {
        var bench = Self.scheduler()
        bench.show("running", rev: 1, end: bench.now + .hours(10))
        bench.deliver()
        bench.pass(.minutes(455))
        bench.show("paused", rev: 2, alert: ActivityAlert(title: "The door is open", body: ""))
        // As with a real service, both are on their way before the first has its answer.
        var pushes: [Push] = []
        while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) { pushes.append(push) }
        for push in pushes { bench.accept(push) }
        #expect(pushes.filter { $0.phone == nil }.map { $0.aps["alert"] != nil } == [true, false])
        #expect(bench.pass(.minutes(1)).filter { $0.phone == nil }.isEmpty)
    }

    @Test func `where channels are refused, tokens do`() {
        var bench = Self.scheduler()
        bench.show("running", rev: 1)
        while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) {
            let answer: PushAnswer =
                push.route == .createChannel ? .senderFault(reason: "FeatureNotEnabled") : .accepted
            bench.scheduler.answered(push, answer, at: bench.now)
            bench.sent.append(push)
        }
        #expect(bench.sent.count { $0.event == .start } == 3)
        #expect(bench.sent.allSatisfy { $0.aps["input-push-channel"] == nil })
    }

    @Test func `a renewal has a channel of its own, and the old one ends when all have reported it`() {
        var bench = Self.scheduler()
        bench.show("running", rev: 1, end: bench.now + .hours(10))
        bench.deliver()
        let renewal = bench.pass(.minutes(455))
        #expect(
            renewal.filter { $0.phone != "berta" }.map { $0.route == .createChannel ? "create" : $0.gist }
                == ["create", "start 10 running", "start 10 running"]
        )
        bench.shows([1, 2])
        #expect(bench.pass(.minutes(1)).filter { $0.phone == nil }.isEmpty, "another has not reported it")
        bench.shows([1, 2], phone: "clara")
        #expect(bench.pass(.minutes(1)).map { $0.route } == [.channel(id: "channel1")])
        bench.show("done", rev: 2, phase: .ended)
        #expect(bench.deliver().filter { $0.phone == nil }.map { $0.route } == [.channel(id: "channel2")])
        bench.restart()
        bench.pass(.hours(13))
        #expect(bench.scheduler.activities.isEmpty)
    }

    @Test func `a card that was swiped away while the app slept is not shown again by the renewal`() {
        var bench = Self.scheduler()
        bench.show("running", rev: 1, end: bench.now + .hours(10))
        bench.deliver()
        bench.pass(.minutes(1))
        for phone in ["anna", "clara"] { bench.shows([1], phone: phone) }
        bench.pass(.minutes(450))
        // The renewal wakes the apps.
        bench.shows([2], phone: "anna")
        bench.shows([1, 2], phone: "clara")
        func ends() -> [PhoneReport.End?] {
            bench.scheduler.phones.filter { $0.id != "berta" }.flatMap { $0.shownActivities }.map { $0.end }
        }
        #expect(ends() == [.dismissed, nil], "the app removes what its user dismissed")
        #expect(bench.pass(.minutes(1)).map { $0.route } == [.channel(id: "channel1")])
        bench.shows([], phone: "anna")
        bench.show("paused", rev: 2)
        #expect(bench.deliver().map { $0.route } == [.channel(id: "channel2")])
        #expect(!bench.pass(.hours(4)).contains { $0.phone == "anna" })
    }

    @Test func `a channel without a successor waits for what is to come, also after its eight hours`() {
        var bench = Self.scheduler()
        bench.show("running", rev: 1, end: bench.now + .hours(30))
        bench.deliver()
        bench.pass(.minutes(1))
        // Nobody wants to see it, so nobody gets a renewal with a channel of its own.
        for phone in ["anna", "clara"] { bench.shows([], phone: phone) }
        for _ in 1...20 {
            bench.pass(.hours(1))
            #expect(bench.scheduler.nextDeadline(at: bench.now).map { $0 > bench.now } ?? true)
        }
    }

    @Test func `a channel whose content is refused is closed after its end, and forgotten`() {
        var bench = Self.scheduler()
        bench.show("running", rev: 1, end: bench.now + .hours(30))
        bench.deliver()
        bench.pass(.minutes(1))
        bench.show("done", rev: 2, phase: .ended)
        while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) {
            let isToChannel = if case .channel = push.route { true } else { false }
            bench.scheduler.answered(push, isToChannel ? .tooLarge : .accepted, at: bench.now)
        }
        bench.pass(.hours(14))
        #expect(bench.scheduler.activities.isEmpty)
        #expect(bench.sent.contains { $0.route == .deleteChannel(id: "channel1") })
    }

    @Test func `whatever is wrong with making channels, phones are reached at once and one after the other`()
    {
        for answer in [
            PushAnswer.providerToken(reason: "Forbidden", retryAfter: nil),
            .unavailable(reason: "503", retryAfter: nil), .notSent(reason: "port 2196", retryAfter: nil),
            .noAnswer(reason: "time-out"), .busy(retryAfter: nil), .tokenGone(since: nil), .badToken,
        ] {
            var bench = Self.scheduler()
            bench.show("running", rev: 1)
            var starts = 0
            for _ in 0..<3 {
                while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) {
                    if push.event == .start { starts += 1 }
                    if push.route.isForManager {
                        bench.scheduler.answered(push, answer, at: bench.now)
                    } else {
                        bench.accept(push)
                    }
                }
                bench.now = bench.now + .seconds(1)
            }
            #expect(starts == 3, "\(answer)")
        }
    }

    @Test func `a channel that does not answer holds starts for five seconds`() {
        var bench = Self.scheduler()
        bench.show("running", rev: 1)
        var silent: [Push] = []
        while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) {
            if push.route.isForManager { silent.append(push) } else { bench.accept(push) }
        }
        #expect(silent.count == 1)
        let starts = bench.pass(.seconds(6))
        #expect(starts.count { $0.event == .start } == 2)
    }

    @Test(arguments: [
        PushAnswer.channelGone(reason: "ChannelNotRegistered"), .tokenGone(since: nil), .badToken,
    ])
    func `an activity whose channel fails starts again by token, with the same instance`(answer: PushAnswer) {
        var bench = Self.scheduler()
        bench.show("running", rev: 1)
        bench.deliver()
        bench.pass(.minutes(1))
        bench.show("paused", rev: 2)
        while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) {
            if case .channel = push.route {
                bench.scheduler.answered(push, answer, at: bench.now)
            } else {
                bench.sent.append(push)
                bench.accept(push)
            }
        }
        let starts = bench.sent.suffix(2)
        #expect(starts.map { $0.event } == [.start, .start])
        #expect(starts.map { $0.instance } == [1, 1])
        #expect(starts.allSatisfy { $0.aps["input-push-channel"] == nil })
        #expect(!bench.pass(.minutes(10)).contains { if case .channel = $0.route { true } else { false } })
    }

    @Test func `a channel that was made while the process ended is found again and used`() {
        var bench = Self.scheduler()
        bench.show("running", rev: 1)
        // The channels of others were there before.
        var made = ["others"]
        while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) {
            switch push.route {
            case .listChannels: bench.scheduler.answered(push, .channels(made), at: bench.now)
            case .createChannel: made.append("ours")
            default: bench.accept(push)
            }
        }
        bench.restart()
        var routes: [Push.Route] = []
        for _ in 0..<5 {
            while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) {
                routes.append(push.route)
                if push.route == .listChannels {
                    bench.scheduler.answered(push, .channels(made), at: bench.now)
                } else {
                    if push.event == .start { bench.sent.append(push) }
                    bench.accept(push)
                }
            }
            bench.now = bench.now + .seconds(1)
        }
        #expect(routes.first == .listChannels && !routes.contains(.createChannel))
        let channels = bench.sent.compactMap { push -> String? in
            if case .string(let id)? = push.aps["input-push-channel"] { id } else { nil }
        }
        #expect(Set(channels) == ["ours"])
    }
}
