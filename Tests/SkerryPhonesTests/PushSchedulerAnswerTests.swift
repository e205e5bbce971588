import SkerryActivity
import SkerryValues
import Testing

@testable import SkerryPhones

@Suite struct PushSchedulerAnswerTests {
    /// A phone that shows a running washer by its update token.
    private static func shown() -> PhoneBench {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("aa")
        bench.pass(.minutes(1))
        return bench
    }

    @Test func `410 ends the activity on this phone, and touches no other token`() {
        var bench = Self.shown()
        bench.show("paused", rev: 2)
        bench.deliver(.tokenGone(since: bench.now))
        bench.show("running", rev: 3)
        #expect(bench.pass(.hours(9)).isEmpty)
        #expect(bench.scheduler.phones[0].startableTypes.map { $0.type } == [PhoneBench.type])
        bench.show("running", rev: 1, run: 2)
        #expect(bench.deliver().map { $0.gist } == ["start 10 running"])
    }

    @Test func `410 about an earlier time than the last report keeps the token`() {
        var bench = Self.shown()
        bench.show("paused", rev: 2)
        bench.deliver(.tokenGone(since: bench.now - .minutes(5)))
        #expect(bench.pass(.seconds(20)).map { $0.gist } == ["update 10 paused"])
    }

    @Test func `a token of an environment that is not known is tried in the other one, once`() {
        var bench = PhoneBench()
        bench.scheduler.pair("anna", name: "anna", credential: [], at: bench.now)
        bench.report(startToken: .known("5a"), environment: nil)
        bench.show("running", rev: 1)
        #expect(bench.deliver(.badToken).map { $0.environment } == [.production])
        #expect(bench.pass(.seconds(2)).map { $0.environment } == [.development])
        let told = PhoneReport.Activity(id: "washer/w/1", token: .known("aa"))
        bench.report(environment: .development, activities: [told])
        bench.show("paused", rev: 2)
        #expect(bench.pass(.seconds(2)).map { $0.environment } == [.development])
    }

    @Test(arguments: [
        PushAnswer.notSent(reason: "no route", retryAfter: nil),
        .providerToken(reason: "ExpiredProviderToken", retryAfter: .zero),
    ])
    func `pushes that fail together are one failure of the service`(answer: PushAnswer) {
        var bench = PhoneBench()
        bench.pair()
        for device in ["v", "w", "x"] { bench.show("running", rev: 1, device: device) }
        var flying: [Push] = []
        while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) { flying.append(push) }
        for push in flying { bench.scheduler.answered(push, answer, at: bench.now) }
        #expect(bench.pass(.seconds(1)).count == 3)
    }

    @Test func `a shorter pause does not end a longer one that is on`() {
        var bench = Self.shown()
        bench.show("running", rev: 1, device: "v")
        bench.show("paused", rev: 2)
        var flying: [Push] = []
        while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) { flying.append(push) }
        #expect(flying.count == 2)
        bench.scheduler.answered(
            flying[0],
            .providerToken(reason: "InvalidProviderToken", retryAfter: .minutes(20)),
            at: bench.now
        )
        bench.scheduler.answered(flying[1], .notSent(reason: "no route", retryAfter: nil), at: bench.now)
        #expect(bench.pass(.minutes(19)).isEmpty)
        #expect(bench.pass(.minutes(1)).count == 2)
    }

    @Test func `pushes that were on their way together to the wrong environment all go to the other one`() {
        var bench = PhoneBench()
        bench.scheduler.pair("anna", name: "anna", credential: [], at: bench.now)
        bench.report(startToken: .known("5a"), environment: nil)
        for device in ["v", "w", "x"] { bench.show("running", rev: 1, device: device) }
        var flying: [Push] = []
        while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) { flying.append(push) }
        #expect(flying.map { $0.environment } == [.production, .production, .production])
        for push in flying.dropLast() { bench.scheduler.answered(push, .badToken, at: bench.now) }
        #expect(bench.pass(.seconds(2)).map { $0.environment } == [.development, .development])
        // The last answer comes when the other environment has taken the token.
        bench.scheduler.answered(flying[2], .badToken, at: bench.now)
        #expect(bench.pass(.seconds(2)).map { $0.environment } == [.development])
    }

    @Test(arguments: [PushAnswer.tokenGone(since: PhoneBench.start), .badToken, .wrongTopic])
    func `a token that rotates while a push is on its way to the one before costs no pause`(
        answer: PushAnswer
    ) throws {
        var bench = Self.shown()
        bench.show("paused", rev: 2)
        let next = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true)
        let push = try #require(next)
        bench.token("bb")
        bench.scheduler.answered(push, answer, at: bench.now)
        #expect(bench.pass(.seconds(1)).map { $0.route } == [.token("bb")])
    }

    @Test func `a start token that rotates while a start is on its way costs no pause`() throws {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        let next = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true)
        let push = try #require(next)
        bench.report(startToken: .known("5b"))
        bench.scheduler.answered(push, .tokenGone(since: nil), at: bench.now)
        #expect(bench.pass(.seconds(1)).map { $0.route } == [.start(token: "5b")])
    }

    @Test func `a start without an answer is never sent again, not even after a restart`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        #expect(bench.scheduler.nextPush(at: bench.now, clockIsKnown: true)?.event == .start)
        bench.restart()
        bench.show("paused", rev: 2)
        #expect(bench.pass(.hours(7)).isEmpty)
        bench.token("aa")
        #expect(bench.deliver().map { $0.gist } == ["update 10 paused"])

        bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver(.noAnswer(reason: "timed out"))
        #expect(bench.pass(.hours(11)).isEmpty)
    }

    @Test(arguments: [
        (PushAnswer.busy(retryAfter: nil), Interval.seconds(30)),
        (.busy(retryAfter: .seconds(7)), .seconds(7)),
        (.unavailable(reason: "503", retryAfter: nil), .minutes(15)),
        (.notSent(reason: "no route", retryAfter: nil), .seconds(1)),
        (.providerToken(reason: "ExpiredProviderToken", retryAfter: nil), .minutes(5)),
        (.noAnswer(reason: "timed out"), .seconds(5)),
    ])
    func `a failed push is sent again after a pause, rendered again`(answer: PushAnswer, pause: Interval) {
        var bench = Self.shown()
        bench.show("paused", rev: 2)
        bench.deliver(answer)
        bench.now = bench.now + pause - .milliseconds(1)
        #expect(bench.deliver().isEmpty)
        bench.show("spinning", rev: 3, isNewState: false)
        #expect(bench.pass(.milliseconds(1)).map { $0.gist } == ["update 10 spinning"])
    }

    @Test func `news waits less long than the refused content`() {
        var bench = Self.shown()
        bench.show("paused", rev: 2)
        bench.deliver(.unavailable(reason: "503", retryAfter: nil))
        bench.show("done", rev: 3, phase: .ended)
        #expect(bench.pass(.seconds(15)).map { $0.gist } == ["end 10 done"])
    }

    @Test func `content that was refused as a fault of the sender is not sent again, the next one is`() {
        var bench = Self.shown()
        bench.show("paused", rev: 2)
        bench.deliver(.senderFault(reason: "BadPriority"))
        #expect(bench.pass(.hours(1)).isEmpty)
        bench.show("spinning", rev: 3)
        #expect(bench.deliver().map { $0.gist } == ["update 10 spinning"])
    }

    @Test func `a start that was refused costs no budget and is made when there is a token`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver(.tokenGone(since: nil))
        #expect(bench.scheduler.budgets(of: bench.scheduler.phones[0], at: bench.now).starts.0 == 0)
        #expect(bench.pass(.hours(1)).isEmpty)
        bench.report(startToken: .known("5b"))
        #expect(bench.deliver().map { $0.route } == [.start(token: "5b")])
    }

    @Test func `nothing goes while the clock is not known`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        #expect(bench.scheduler.nextPush(at: bench.now, clockIsKnown: false) == nil)
        #expect(bench.decisions() == [.clockUnknown])
        #expect(bench.deliver().count == 1)
    }

    @Test func `timestamps grow when the clock is set back, and nothing comes later for that`() {
        var bench = Self.shown()
        let before = bench.sent.last?.timestamp ?? 0
        bench.now = bench.now - .hours(2)
        bench.scheduler.clockStepped(by: .hours(-2))
        bench.show("paused", rev: 2)
        let push = bench.deliver()
        #expect(push.map { $0.timestamp } == [before + 1])
        bench.show("running", rev: 3)
        #expect(bench.deliver().isEmpty)
        #expect(bench.pass(.seconds(1)).map { $0.timestamp } == [before + 2])
    }
}
