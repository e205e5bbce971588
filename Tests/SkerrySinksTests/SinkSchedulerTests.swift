import SkerryActivity
import SkerryPhones
import SkerryValues
import Testing

@testable import SkerrySinks

/// Which request a service gets, and when.
@Suite("The scheduler of sinks")
struct SinkSchedulerTests {
    @Test("the newest state wins, and an activity keeps its pace")
    func pace() {
        var bench = SinkBench()
        bench.show("Running", rev: 1)
        #expect(bench.send().map { $0.message } == ["Running"])
        bench.now = bench.now + .seconds(1)
        bench.show("Rinsing", rev: 2)
        #expect(bench.send().isEmpty)
        #expect(bench.decisions().last == .held)
        bench.now = bench.now + .seconds(1)
        bench.show("Spinning", rev: 3)
        #expect(bench.send().isEmpty)
        #expect(bench.scheduler.takeSettled() == [1])
        let later = bench.pass(.minutes(1))
        #expect(later.map { $0.message } == ["Spinning"])
        #expect(bench.scheduler.takeSettled() == [3])
        #expect(bench.scheduler.tally.held == 0 && bench.scheduler.tally.sent == 2)
    }

    @Test("an alert does not wait for the pace, and comes once")
    func alerts() {
        var bench = SinkBench()
        bench.show("Running", rev: 1)
        bench.send()
        bench.pass(SinkBench.tokenTime)
        bench.show("Running", rev: 2, alert: "The door is open")
        let alert = bench.send()
        #expect(alert.map { $0.message } == ["The door is open"])
        #expect(alert[0].data["silent"] == nil && alert[0].data["alert_once"] == nil)
        bench.show("Running", rev: 3)
        #expect(bench.pass(.minutes(1)).isEmpty, "nobody would see a difference")
        #expect(bench.decisions().last == .equal)
    }

    @Test("an alert that waited too long is left out")
    func lateAlert() {
        var bench = SinkBench()
        bench.answers = [.busy(reason: "status 503", retryAfter: .minutes(16)), .accepted([])]
        bench.show("Running", rev: 1, alert: "Look")
        let requests = bench.pass(.minutes(20))
        #expect(requests.map { $0.message } == ["Look", "Running"])
    }

    @Test("two states that look the same are one request")
    func equal() {
        var bench = SinkBench()
        bench.show("Running", rev: 1)
        bench.send()
        bench.show("Running", rev: 2, isNewState: false)
        #expect(bench.pass(.minutes(1)).isEmpty)
        #expect(bench.decisions().last == .equal)
        #expect(bench.scheduler.takeSettled() == [1, 2])
    }

    @Test("an ended activity is shown until it is dismissed, and then removed")
    func ends() {
        var bench = SinkBench()
        bench.show("Running", rev: 1)
        bench.send()
        bench.pass(SinkBench.tokenTime)
        bench.show("Done", rev: 2, phase: .ended, dismissAfter: .minutes(15))
        #expect(bench.send().map { $0.message } == ["Done"])
        #expect(bench.scheduler.takeSettled() == [1], "a restart must not forget to remove it")
        #expect(bench.pass(.minutes(14)).isEmpty)
        #expect(bench.pass(.minutes(2)).map { $0.message } == ["clear_notification"])
        #expect(bench.scheduler.takeSettled() == [2])
        #expect(bench.scheduler.activities.isEmpty)
    }

    @Test("an activity that is dismissed at once is removed by the end itself, but an alert is seen before")
    func dismissed() {
        var bench = SinkBench()
        bench.show("Running", rev: 1)
        bench.send()
        bench.pass(SinkBench.tokenTime)
        bench.show("Off", rev: 2, phase: .ended, dismissAfter: .zero)
        #expect(bench.send().map { $0.message } == ["clear_notification"])
        bench.show("Done", rev: 1, device: "other", phase: .ended, alert: "Done", dismissAfter: .zero)
        #expect(bench.send().map { $0.message } == ["Done"])
        #expect(bench.pass(.seconds(59)).isEmpty)
        #expect(bench.pass(.seconds(2)).map { $0.message } == ["clear_notification"])
    }

    @Test("after a restart each activity is sent again by the same name, without a sound")
    func restart() {
        var bench = SinkBench()
        bench.show("Running", rev: 1)
        let first = bench.send()
        bench.now = bench.now + .minutes(10)
        bench.restart()
        bench.show("Running", rev: 1, isShownAgain: true)
        bench.show("Running", rev: 3, device: "other")
        let again = bench.send()
        #expect(again.count == 2 && again[0].data["tag"]?.text == first[0].data["tag"]?.text)
        #expect(again.allSatisfy { $0.data["silent"] != nil }, "people know them")
    }

    @Test("an end that arrived before a restart is only removed after it", arguments: [nil, "Done"])
    func arrivedEnd(alert: String?) {
        var bench = SinkBench()
        bench.show("Running", rev: 1)
        bench.pass(SinkBench.tokenTime)
        #expect(bench.scheduler.takeArrived().isEmpty)
        bench.show("Done", rev: 2, phase: .ended, alert: alert, dismissAfter: .minutes(15))
        bench.pass(.minutes(5))
        #expect(bench.scheduler.takeArrived() == [2], "the store has to know")
        bench.restart()
        bench.show("Done", rev: 2, phase: .ended, dismissAfter: .minutes(10), hasArrived: true)
        #expect(bench.pass(.minutes(9)).isEmpty)
        #expect(bench.pass(.minutes(2)).map { $0.message } == ["clear_notification"])
        #expect(bench.scheduler.activities.isEmpty)
    }

    @Test("a start that the service did not take before a restart is a start after it")
    func lostStart() {
        var bench = SinkBench(SinkBench.braze)
        bench.answers = [.busy(reason: "status 503", retryAfter: .minutes(1))]
        bench.show("Running", rev: 1)
        #expect(bench.send().map { $0.path } == ["/messages/live_activity/start"])
        bench.now = bench.now + .minutes(10)
        bench.restart()
        bench.answers = [.accepted([])]
        // The unsettled delivery comes again as it was stored.
        bench.show("Running", rev: 1)
        #expect(bench.send().map { $0.path } == ["/messages/live_activity/start"])
        bench.show("Paused", rev: 2)
        #expect(bench.pass(.minutes(1)).map { $0.path } == ["/messages/live_activity/update"])
    }

    @Test("a person who may see a run only since a restart gets its start")
    func laterPerson() {
        let people = ["anna-1": "Anna", "ben-2": "Ben"]
        let forAnna = AudiencePolicy(rules: [AudiencePolicy.Rule("*", people: ["Anna"])])
        var bench = SinkBench(
            .braze(appID: "app-1", targets: ["anna-1", "ben-2"], people: people, budget: 20)
        )
        bench.scheduler.setAudience(forAnna)
        bench.show("Running", rev: 1)
        #expect(bench.send().map { $0.path } == ["/messages/live_activity/start"])
        bench.now = bench.now + .minutes(10)
        bench.restart()
        bench.scheduler.setAudience(forAnna)
        bench.show("Running", rev: 1, isShownAgain: true)
        #expect(bench.send().map { $0.path } == ["/messages/live_activity/update"])
        bench.scheduler.setAudience(AudiencePolicy())
        #expect(bench.pass(.minutes(1)).map { $0.path } == ["/messages/live_activity/start"])
        // Who loses it and gets it back has nothing of it in between.
        bench.scheduler.setAudience(forAnna)
        bench.pass(.minutes(1))
        bench.scheduler.setAudience(AudiencePolicy())
        #expect(bench.pass(.minutes(1)).map { $0.path } == ["/messages/live_activity/start"])
    }

    @Test("in a new epoch a lower revision is news")
    func epochs() {
        var bench = SinkBench()
        bench.show("Running", rev: 5)
        bench.send()
        bench.show("Paused", rev: 2, epoch: 2)
        #expect(bench.pass(.minutes(1)).map { $0.message } == ["Paused"])
    }

    @Test("nothing is sent while the gateway does not know the time")
    func unknownClock() {
        var bench = SinkBench()
        bench.clockIsKnown = false
        bench.show("Running", rev: 1)
        #expect(bench.pass(.minutes(1)).isEmpty)
        #expect(bench.decisions() == [.clockUnknown])
        bench.clockIsKnown = true
        #expect(bench.send().count == 1)
    }

    @Test("a budget keeps a quarter for starts, alerts and new states; an end is always sent")
    func budget() {
        var bench = SinkBench(.homeAssistant(targets: ["mobile_app_anna"], budget: 4))
        bench.show("0", rev: 1)
        bench.send()
        for number in 1...5 as ClosedRange<Int64> {
            bench.now = bench.now + .minutes(1)
            bench.show("\(number)", rev: number + 1, isNewState: false)
            bench.send()
        }
        #expect(bench.scheduler.tally.sent == 3)
        #expect(bench.decisions().last == .held)
        bench.show("alert", rev: 7, alert: "alert")
        #expect(bench.send().count == 1)
        bench.show("alert", rev: 8, alert: "again")
        #expect(bench.send().isEmpty, "the budget is used up")
        bench.show("Done", rev: 9, phase: .ended, dismissAfter: .zero)
        #expect(bench.send().map { $0.message } == ["clear_notification"])
        bench.show("1", rev: 1, device: "other")
        #expect(bench.pass(.minutes(50)).isEmpty)
        #expect(bench.pass(.minutes(12)).count == 1, "the first request is an hour ago")
    }

    @Test("while a request is under way, the recipient gets no other, and the newer state waits")
    func order() throws {
        var bench = SinkBench(SinkBench.webhook)
        bench.show("Running", rev: 1)
        let next = bench.scheduler.next(at: bench.now, clockIsKnown: true)
        let first = try #require(next)
        bench.show("Paused", rev: 1, device: "other")
        let second = bench.scheduler.next(at: bench.now, clockIsKnown: true)
        #expect(second == nil)
        #expect(bench.scheduler.replaceable == [2], "the first one is under way")
        bench.scheduler.answered(first, .accepted([]), at: bench.now)
        #expect(bench.send().count == 1)
    }

    @Test("an app that gets the whole content gets what its layout does not show, too")
    func content() {
        for (service, count) in [(SinkBench.homeAssistant, 0), (SinkBench.fcm, 1), (SinkBench.braze, 1)] {
            var bench = SinkBench(service)
            bench.show("Running", rev: 1)
            bench.send()
            bench.show("Running", rev: 2, extra: 40)
            #expect(bench.pass(.minutes(1)).count == count, "\(service.name)")
            bench.show("Running", rev: 3, extra: count == 0 ? 41 : 40)
            #expect(bench.pass(.minutes(1)).isEmpty, "\(service.name)")
        }
    }

    @Test("while a service is down, the reason is told once for each activity, however often it is looked at")
    func noFlood() {
        var bench = SinkBench()
        bench.answers = [.busy(reason: "status 503", retryAfter: .hours(1))]
        for number in 1...200 { bench.show("Running", rev: 1, device: "\(number)") }
        bench.send()
        _ = bench.scheduler.takeNews()
        var told = 0
        for _ in 1...20 {
            bench.now = bench.now + .seconds(1)
            bench.send()
            told += bench.scheduler.takeNews().count
        }
        #expect(told == 0)
    }

    @Test("each target gets its own request, and one that fails does not hold up the other")
    func targets() {
        var bench = SinkBench(.homeAssistant(targets: ["mobile_app_anna", "mobile_app_ben"], budget: 20))
        bench.answers = [.busy(reason: "status 500", retryAfter: nil), .accepted([])]
        bench.show("Running", rev: 1)
        let both = bench.send()
        #expect(
            both.map { $0.path } == [
                "/api/services/notify/mobile_app_anna", "/api/services/notify/mobile_app_ben",
            ]
        )
        #expect(bench.scheduler.takeSettled().isEmpty, "one of them has it not yet")
        #expect(bench.pass(.minutes(1)).map { $0.path } == ["/api/services/notify/mobile_app_anna"])
        #expect(bench.scheduler.takeSettled() == [1])
    }

    @Test("the memory is bounded while a service can't be reached")
    func bounded() {
        var bench = SinkBench()
        bench.answers = [.noAnswer(reason: "no connection")]
        for number in 0..<(SinkScheduler.endedLimit + 5) {
            bench.show("Done", rev: 2, device: "d\(number)", phase: .ended, dismissAfter: .minutes(5))
        }
        #expect(bench.scheduler.tally.held == SinkScheduler.endedLimit)
        #expect(bench.scheduler.takeSettled() == [1, 2, 3, 4, 5])
    }

    @Test("a step of the wall clock moves pauses, paces and alerts")
    func clockStep() {
        var bench = SinkBench()
        bench.answers = [.busy(reason: "status 503", retryAfter: .minutes(5)), .accepted([])]
        bench.show("Running", rev: 1, alert: "Look")
        bench.send()
        bench.now = bench.now + .hours(24)
        bench.scheduler.clockStepped(by: .hours(24))
        #expect(bench.send().isEmpty)
        #expect(bench.pass(.minutes(6)).map { $0.message } == ["Look"])
    }

    @Test("a run that began under this process is new to a recipient also after a step of the wall clock")
    func clockStepBeforeStart() {
        for length in [Interval.hours(24), .hours(-24)] {
            var bench = SinkBench(SinkBench.webhook)
            bench.clockIsKnown = false
            bench.show("Running", rev: 1, startedAt: bench.now + .minutes(1))
            bench.show("Rinsing", rev: 2, startedAt: bench.now + .minutes(1))
            bench.show("Old", rev: 2, device: "dryer", startedAt: bench.now - .minutes(1))
            bench.now = bench.now + length
            bench.scheduler.clockStepped(by: length)
            func isNew(_ device: String) -> Bool? {
                let key = Array("washer/\(device)/1772355600".utf8)
                return bench.scheduler.activities[key]?.isNew(to: 0, since: bench.scheduler.beganAt)
            }
            #expect(isNew("laundry") == true)
            #expect(isNew("dryer") == false)
        }
    }

    @Test("a step of the wall clock moves the moment at which an ended activity is removed")
    func clockStepBeforeRemoval() {
        var bench = SinkBench()
        bench.show("Running", rev: 1)
        bench.send()
        bench.pass(SinkBench.tokenTime)
        bench.show("Done", rev: 2, phase: .ended, dismissAfter: .minutes(15))
        bench.send()
        bench.now = bench.now + .hours(24)
        bench.scheduler.clockStepped(by: .hours(24))
        #expect(bench.send().isEmpty)
        #expect(bench.pass(.minutes(16)).count == 1)
    }
}

extension Value {
    /// The text; nil for anything else.
    var text: String? { if case .string(let text) = self { text } else { nil } }
}
