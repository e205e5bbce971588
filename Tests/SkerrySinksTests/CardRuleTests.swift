import SkerryActivity
import SkerryValues
import Testing

@testable import SkerrySinks

/// Cards that Home Assistant's app shows: their tokens, their lives and their clocks.
@Suite("Cards of Home Assistant")
struct CardRuleTests {
    /// What was sent, and when, in seconds since the start.
    private static func told(_ bench: inout SinkBench, within length: Interval) -> [String] {
        var told: [String] = []
        let end = bench.now + length
        while bench.now < end {
            for request in bench.pass(.seconds(1)) {
                told.append("\((bench.now - SinkBench.start).roundedSeconds) \(request.message ?? "")")
            }
        }
        return told
    }

    /// Whether a request says true to a key.
    private static func isSet(_ request: SinkRequest, _ key: String) -> Bool {
        if case .bool(true)? = request.data[key] { true } else { false }
    }

    @Test("nothing follows a start before its token can be there: no alert, no end")
    func tokenTime() {
        var bench = SinkBench()
        bench.show("Running", rev: 1)
        bench.send()
        bench.now = bench.now + .milliseconds(800)
        bench.show("Running", rev: 2, alert: "The door is open")
        #expect(bench.send().isEmpty)
        bench.now = bench.now + .milliseconds(1200)
        bench.show("Done", rev: 3, phase: .ended, alert: "Laundry is done", dismissAfter: .minutes(5))
        #expect(bench.pass(.seconds(12)).isEmpty)
        #expect(bench.pass(.seconds(1)).map { $0.message } == ["Laundry is done"])
        #expect(bench.pass(.minutes(10)).map { $0.message } == ["clear_notification"])
    }

    @Test("a start without an answer may have arrived, one that was refused has not")
    func lostStart() {
        for (answer, seconds) in [
            (SinkAnswer.noAnswer(reason: "time-out"), Int64(15)), (.busy(reason: "503", retryAfter: nil), 5),
        ] {
            var bench = SinkBench()
            bench.answers = [answer, .accepted([])]
            bench.show("Running", rev: 1)
            bench.send()
            #expect(Self.told(&bench, within: .minutes(2)) == ["\(seconds) Running"])
        }
    }

    @Test("others have no such time")
    func others() {
        for service in [SinkBench.webhook, SinkBench.ntfy, SinkBench.fcm, SinkBench.braze] {
            var bench = SinkBench(service)
            bench.show("Running", rev: 1)
            bench.send()
            bench.show("Running", rev: 2, alert: "The door is open")
            #expect(bench.send().count == 1)
            #expect(bench.pass(.hours(20)).isEmpty)
        }
    }

    @Test("a card is removed and started again before iOS ends it, each time")
    func renewal() {
        var bench = SinkBench()
        bench.show("Running", rev: 1)
        bench.send()
        #expect(bench.pass(.minutes(449)).isEmpty)
        let again = Self.told(&bench, within: .minutes(5))
        #expect(again == ["27000 clear_notification", "27015 Running"])
        #expect(bench.pass(.hours(7)).isEmpty)
        #expect(bench.pass(.hours(1)).map { $0.message } == ["clear_notification", "Running"])
        bench.show("Done", rev: 2, phase: .ended, dismissAfter: .minutes(5))
        #expect(bench.pass(.hours(20)).map { $0.message } == ["Done", "clear_notification"])
    }

    @Test("after a restart the renewals go on in their steps")
    func renewalAfterRestart() {
        var bench = SinkBench()
        bench.now = SinkBench.start + .hours(9)
        bench.restart()
        bench.show("Running", rev: 1, isShownAgain: true)
        #expect(bench.pass(.hours(5)).map { $0.message } == ["Running"])
        #expect(bench.pass(.hours(2)).map { $0.message } == ["clear_notification", "Running"])
    }

    @Test("a clock that has run down is left out, by one request")
    func timeOver() {
        var bench = SinkBench()
        bench.show("Running", rev: 1, end: 3600)
        #expect(bench.send().map { Self.isSet($0, "chronometer") } == [true])
        #expect(bench.pass(.seconds(3601)).isEmpty)
        let over = bench.pass(.hours(5))
        #expect(over.map { $0.data["chronometer"] == nil && $0.data["when"] == nil } == [true])
        #expect(over.map { Self.isSet($0, "silent") } == [true])
        // The device says so as well: nobody would see a difference.
        bench.show("Running", rev: 2, end: 3600, isNewState: false)
        #expect(bench.pass(.minutes(10)).isEmpty)
    }

    @Test("a clock that moves on in time is not left out")
    func timeMoves() {
        var bench = SinkBench()
        bench.show("Running", rev: 1, end: 3600)
        bench.send()
        bench.pass(.seconds(3590))
        bench.show("Running", rev: 2, end: 7200, isNewState: false)
        #expect(bench.pass(.minutes(50)).map { $0.data["when"] != nil } == [true])
    }

    @Test("a request that is refused is not sent again and again")
    func refused() {
        var bench = SinkBench()
        bench.answers = [.accepted([]), .refused(reason: "status 422")]
        bench.show("Running", rev: 1, end: 3600)
        bench.send()
        #expect(bench.pass(.hours(3)).count == 1)
    }

    @Test("the alert of an end is told once all have it, and the delivery waits for the dismissal")
    func told() {
        var bench = SinkBench(
            .homeAssistant(targets: ["mobile_app_anna", "mobile_app_ben"], people: [:], budget: 20)
        )
        bench.show("Running", rev: 1)
        bench.pass(.minutes(1))
        _ = bench.scheduler.takeSettled()
        bench.answers = [.accepted([]), .busy(reason: "503", retryAfter: .minutes(1)), .accepted([])]
        bench.show("Done", rev: 2, phase: .ended, alert: "Done", dismissAfter: .minutes(30))
        bench.send()
        #expect(bench.scheduler.takeArrived().isEmpty)
        bench.pass(.minutes(2))
        #expect(bench.scheduler.takeArrived() == [2])
        #expect(bench.scheduler.takeSettled().isEmpty)
        bench.pass(.hours(1))
        #expect(bench.scheduler.takeSettled() == [2] && bench.scheduler.takeArrived().isEmpty)
    }
}
