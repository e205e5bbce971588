import SkerryActivity
import SkerryValues
import Testing

@testable import SkerryPhones

@Suite struct PushSchedulerBudgetTests {
    @Test func `news beyond the budget is sent with priority 5, with a decision`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("state 1", rev: 1)
        bench.deliver()
        bench.token("aa")
        for rev in 2...20 {
            bench.pass(.minutes(3))
            bench.show("state \(rev)", rev: Int64(rev))
            bench.deliver()
        }
        #expect(bench.sent.count { $0.priority == .immediate } == 12)
        #expect(bench.sent.count == 20)
        #expect(bench.decisions().contains(.held))
        bench.pass(.hours(1))
        bench.show("state 21", rev: 21)
        #expect(bench.deliver().map { $0.priority } == [.immediate])
    }

    @Test func `a limit holds up to the highest that settings take`() {
        var ledger = BudgetLedger()
        for _ in 0..<1000 { ledger.spend(in: .hours(1), at: PhoneBench.start) }
        #expect(ledger.used(in: .hours(1), at: PhoneBench.start) == 1000)
        #expect(ledger.room(1000, in: .hours(1), at: PhoneBench.start) == PhoneBench.start + .hours(1))
    }

    @Test func `starts beyond the budget wait for it`() {
        var bench = PhoneBench()
        bench.pair()
        for run in 1...9 {
            bench.show("running", rev: 1, run: run)
            bench.pass(.seconds(5))
            bench.token("aa\(run)", of: "washer/w/\(run)")
            bench.show("done", rev: 2, run: run, phase: .ended)
            bench.pass(.seconds(5))
        }
        #expect(bench.sent.count { $0.event == .start } == 8)
        bench.show("running", rev: 1, run: 10)
        #expect(bench.pass(.minutes(1)).isEmpty)
        #expect(bench.decisions().last == .held)
        #expect(bench.pass(.hours(1)).map { $0.gist } == ["start 10 running"])
    }

    @Test func `the least relevant yields, and gets its place back`() {
        var bench = PhoneBench()
        bench.pair()
        for number in 1...5 {
            bench.show("running", rev: 1, device: "w\(number)", relevance: Double(number * 10))
            bench.deliver()
            bench.token("aa\(number)", of: "washer/w\(number)/1")
            bench.pass(.seconds(1))
        }
        bench.show("running", rev: 1, device: "less", relevance: 5)
        #expect(bench.pass(.seconds(5)).isEmpty)
        #expect(bench.decisions("less") == [.yielded])
        bench.show("running", rev: 1, device: "more", relevance: 99)
        let pushes = bench.pass(.seconds(5))
        #expect(
            pushes.map { "\($0.event?.name ?? "") \($0.activity)" } == [
                "end washer/w1/1", "start washer/more/1",
            ]
        )
        bench.token("cc", of: "washer/more/1")
        bench.report(activities: [PhoneReport.Activity(id: "washer/w1/1", end: .dismissed)])
        bench.show("done", rev: 2, device: "more", phase: .ended)
        let back = bench.pass(.seconds(5))
        #expect(
            back.map { "\($0.event?.name ?? "") \($0.activity)" } == [
                "end washer/more/1", "start washer/w1/1",
            ]
        )
        #expect(back.last?.instance == 2)
    }

    @Test func `one push in a second, the last state wins`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("state 1", rev: 1)
        bench.deliver()
        bench.token("aa")
        for rev in 2...30 {
            bench.now = bench.now + .milliseconds(100)
            bench.show("state \(rev)", rev: Int64(rev))
            bench.deliver()
        }
        bench.pass(.seconds(2))
        #expect(bench.sent.count <= 5)
        #expect(bench.sent.last?.state == "state 30")
        #expect(zip(bench.sent, bench.sent.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
    }

    @Test func `a revision that looks the same is not sent`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("aa")
        bench.show("running", rev: 2)
        #expect(bench.pass(.minutes(1)).isEmpty)
        #expect(bench.decisions().contains(.equal))
    }

    @Test func `an activity without changes does not become stale on the phone while the device is heard`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("waiting", rev: 1, silence: bench.now + .minutes(20))
        bench.deliver()
        bench.token("aa")
        let refreshed = bench.pass(.minutes(16))
        #expect(refreshed.map { $0.gist } == ["update 5 waiting"])
        #expect(refreshed.first?.number("stale-date") == (PhoneBench.start + .minutes(60)).flooredSeconds)
        bench.show("waiting", rev: 2, phase: .stale)
        #expect(bench.pass(.hours(2)).map { $0.aps["stale-date"] == nil } == [true])
    }

    @Test func `an alert is sent once, and not when it is old`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("aa")
        bench.pass(.minutes(1))
        bench.show("door", rev: 2, alert: ActivityAlert(title: "The door is open", body: ""))
        #expect(bench.deliver().map { $0.aps["alert"] != nil } == [true])
        bench.pass(.minutes(1))
        bench.show("running", rev: 3)
        #expect(bench.deliver().map { $0.aps["alert"] != nil } == [false])
        bench.pass(.minutes(1))
        bench.show("door", rev: 4, alert: ActivityAlert(title: "The door is open", body: ""))
        bench.deliver(.notSent(reason: "", retryAfter: .minutes(11)))
        #expect(bench.pass(.minutes(12)).map { $0.aps["alert"] != nil } == [false])
    }

    @Test func `a push that is too large is not sent`() {
        var bench = PhoneBench()
        bench.pair()
        var content = ValueMap()
        for number in 0..<20 { content.set("text\(number)", to: .string(String(repeating: "x", count: 250))) }
        bench.show("running", rev: 1, content: content)
        #expect(bench.pass(.minutes(1)).isEmpty)
        #expect(bench.decisions() == [.tooLarge])
        bench.show("paused", rev: 2)
        #expect(bench.deliver().map { $0.gist } == ["start 10 paused"])
    }
}
