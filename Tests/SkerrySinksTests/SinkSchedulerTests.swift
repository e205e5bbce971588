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
        bench.show("Running", rev: 1, startedAt: SinkBench.start)
        bench.show("Running", rev: 3, device: "other", startedAt: SinkBench.start)
        let again = bench.send()
        #expect(again.count == 2 && again[0].data["tag"]?.text == first[0].data["tag"]?.text)
        #expect(again.allSatisfy { $0.data["silent"] != nil }, "people know them")
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

    @Test(
        "an activity for one person goes to the targets of this person, and to programs; it leaves when that changes"
    )
    func audience() {
        let people = ["mobile_app_anna": "Anna", "mobile_app_ben": "Ben"]
        let targets = ["mobile_app_anna", "mobile_app_ben", "mobile_app_wall"]
        var bench = SinkBench(.homeAssistant(targets: targets, people: people, budget: 20))
        var program = SinkBench(SinkBench.webhook)
        let forAnna = AudiencePolicy(rules: [AudiencePolicy.Rule("washer/*", people: ["Anna"])])
        bench.scheduler.setAudience(forAnna)
        program.scheduler.setAudience(forAnna)
        bench.show("Running", rev: 1)
        program.show("Running", rev: 1)
        #expect(bench.send().map { $0.path } == ["/api/services/notify/mobile_app_anna"])
        #expect(bench.decisions().filter { $0 == .notAudience }.count == 2)
        #expect(program.send().count == 1)
        bench.scheduler.setAudience(AudiencePolicy(rules: [AudiencePolicy.Rule("*", people: ["Ben"])]))
        let moved = bench.send().map { "\($0.path.suffix(4)) \($0.message ?? "")" }
        #expect(moved.sorted() == ["_ben Running", "anna clear_notification"])
        bench.scheduler.setAudience(forAnna)
        let back = bench.pass(.minutes(1)).map { "\($0.path.suffix(4)) \($0.message ?? "")" }
        #expect(back.sorted() == ["_ben clear_notification", "anna Running"])
        bench.scheduler.setAudience(AudiencePolicy())
        #expect(bench.pass(.minutes(1)).map { $0.path.suffix(4) }.sorted() == ["_ben", "wall"])
    }

    @Test(
        "Braze ends an activity for a person who may not see it any more, and iOS removes ended ones itself"
    )
    func brazeAudience() {
        var bench = SinkBench(SinkBench.braze)
        bench.show("Running", rev: 1)
        bench.send()
        bench.scheduler.setAudience(AudiencePolicy(rules: [AudiencePolicy.Rule("*", people: ["Ben"])]))
        let removal = bench.send()
        #expect(removal.map { $0.path } == ["/messages/live_activity/update"])
        #expect(
            removal.first.map { String(decoding: $0.body, as: UTF8.self) }?.contains(#""end_activity":true"#)
                == true
        )
        bench.scheduler.setAudience(AudiencePolicy())
        #expect(bench.pass(.minutes(1)).map { $0.path } == ["/messages/live_activity/start"])
        bench.show("Done", rev: 2, phase: .ended, dismissAfter: .minutes(5))
        #expect(bench.pass(.hours(1)).count == 1)
    }

    @Test("in quiet hours a person's recipients get no alert and no hurry, programs and what matters most do")
    func quiet() throws {
        // From 09:10 to 09:20; it is 09:00.
        let hours = QuietHours([QuietHours.Window(person: "Ada", start: 33_000, end: 33_600)])
        func requests(
            _ service: SinkService,
            relevance: Double = 50,
            level: ActivityAlert.Level = .active
        ) -> [String] {
            var bench = SinkBench(service)
            bench.scheduler.quiet = hours
            bench.pass(.minutes(15))
            bench.show("Running", rev: 1, relevance: relevance)
            var requests = bench.send()
            bench.show("Leaking", rev: 2, alert: "Look", level: level, relevance: relevance)
            requests += bench.pass(.minutes(8))
            let what = bench.scheduler.decisions(kind: "washer", device: "laundry").map(\.text)
            let isTold = what.contains("start, revision 1, quiet hours of Ada: without a sound")
            return requests.map { String(decoding: $0.body, as: UTF8.self) } + (isTold ? ["told"] : [])
        }
        let assistant = SinkService.homeAssistant(targets: ["anna"], people: ["anna": "Ada"], budget: 20)
        let quiet = requests(assistant)
        #expect(quiet.count == 3 && quiet[2] == "told")
        #expect(quiet[0].contains(#""silent":true"#) && quiet[1].contains(#""silent":true"#))
        #expect(!quiet[1].contains("Look"))
        #expect(requests(assistant, relevance: 100).last?.contains("Look") == true)
        #expect(requests(assistant, level: .critical)[1].contains("Look"))
        #expect(!requests(assistant, level: .timeSensitive)[1].contains("Look"))
        let fcm = requests(.fcm(targets: [SinkBench.token], people: [SinkBench.token: "Ada"], budget: 20))
        #expect(fcm.dropLast().allSatisfy { $0.contains(#""priority":"normal""#) && !$0.contains("alert") })
        #expect(requests(SinkBench.homeAssistant).last?.contains("Look") == true, "it belongs to nobody")
        #expect(requests(SinkBench.webhook).last?.contains("Look") == true)
    }

    @Test(
        "the sound and the urgency of an alert, as each service has them",
        arguments: [
            // As it is: nothing more than before.
            (SinkBench.homeAssistant, .standard, .active, [], ["push", "ttl", "silent", "alert_once"]),
            (
                SinkBench.homeAssistant, .silent, .active,
                [#""push":{"sound":"none"}"#, #""alert_once":true,"silent":true"#], ["ttl"]
            ),
            (
                SinkBench.homeAssistant, .named("bell.caf"), .active, [#""push":{"sound":"bell.caf"}"#],
                ["silent"]
            ),
            (
                SinkBench.homeAssistant, .standard, .passive,
                [#""push":{"sound":"none","interruption-level":"passive"}"#, #""silent":true"#], ["ttl"]
            ),
            (
                SinkBench.homeAssistant, .standard, .timeSensitive,
                [
                    #""push":{"sound":"default","interruption-level":"time-sensitive"},"ttl":0,"priority":"high""#
                ], ["channel", "silent"]
            ),
            (
                SinkBench.homeAssistant, .named("bell.caf"), .critical,
                [
                    #""push":{"sound":{"name":"bell.caf","critical":1,"volume":1},"interruption-level":"critical"}"#,
                    #""ttl":0,"priority":"high","channel":"alarm_stream""#,
                ], ["silent"]
            ),
            (SinkBench.ntfy, .standard, .active, [#""priority":4"#], []),
            (SinkBench.ntfy, .silent, .active, [#""priority":2"#], []),
            (SinkBench.ntfy, .standard, .passive, [#""priority":2"#], []),
            (SinkBench.ntfy, .standard, .timeSensitive, [#""priority":5"#], []),
            (SinkBench.ntfy, .standard, .critical, [#""priority":5"#], []),
            (
                SinkBench.fcm, .standard, .active, [#""sound":"default""#, #""priority":"high""#],
                ["interruption", "alert_sound", "alert_level"]
            ),
            (SinkBench.fcm, .silent, .active, [#""alert_sound":"none""#], [#""sound":"#]),
            (
                SinkBench.fcm, .standard, .passive,
                [#""interruption-level":"passive""#, #""alert_level":"passive""#, #""priority":"normal""#],
                [#""sound":"#, "collapse_key"]
            ),
            (
                SinkBench.fcm, .standard, .critical,
                [
                    #""sound":{"name":"default","critical":1,"volume":1},"interruption-level":"critical""#,
                    #""alert_level":"critical""#,
                ], []
            ),
            (SinkBench.braze, .named("bell.caf"), .active, [#""sound":"bell.caf""#], []),
            (SinkBench.braze, .silent, .active, [], [#""sound":"#]),
            (SinkBench.webhook, .standard, .active, [], [#""sound":"#, #""level":"#]),
            (SinkBench.webhook, .silent, .critical, [#""sound":"none","level":"critical""#], []),
        ] as [(SinkService, ActivityAlert.Sound, ActivityAlert.Level, [String], [String])]
    )
    func urgency(
        service: SinkService,
        sound: ActivityAlert.Sound,
        level: ActivityAlert.Level,
        there: [String],
        notThere: [String]
    ) throws {
        var bench = SinkBench(service)
        bench.show("Running", rev: 1)
        bench.send()
        bench.pass(.minutes(2))
        bench.show("Leaking", rev: 2, alert: "Look", sound: sound, level: level)
        let body = String(decoding: try #require(bench.pass(.minutes(2)).first).body, as: UTF8.self)
        for part in there { #expect(body.contains(part)) }
        for part in notThere { #expect(!body.contains(part)) }
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

    @Test(
        "a card that may be there is removed from those whom it is not for any more, although no answer came"
    )
    func unansweredAudience() throws {
        var bench = SinkBench(.homeAssistant(targets: ["anna"], people: ["anna": "Anna"], budget: 20))
        bench.answers = [.noAnswer(reason: "no answer")]
        bench.show("Running", rev: 1)
        #expect(bench.send().count == 1)
        bench.scheduler.setAudience(AudiencePolicy(rules: [AudiencePolicy.Rule("*", people: ["Ben"])]))
        bench.answers = [.accepted([])]
        #expect(bench.pass(.minutes(1)).map { $0.message } == ["clear_notification"])
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
}

/// What follows on each kind of answer.
@Suite("Retrying requests")
struct RetryTests {
    /// The seconds from the first request to each further one within two hours.
    func attempts(_ answer: SinkAnswer) -> [Int64] {
        var bench = SinkBench(SinkBench.webhook)
        bench.answers = [answer]
        bench.show("Running", rev: 1)
        var moments: [Int64] = []
        let end = bench.now + .hours(2)
        while bench.now <= end {
            for _ in bench.send() { moments.append((bench.now - SinkBench.start).roundedSeconds) }
            guard let due = bench.scheduler.nextDeadline else { break }
            bench.now = due
        }
        return moments
    }

    @Test("pauses double up to a limit, a service may ask for longer ones, and 410 ends everything")
    func pauses() {
        #expect(
            attempts(.busy(reason: "status 503", retryAfter: nil)) == [
                0, 5, 15, 35, 75, 155, 315, 635, 1275, 2175, 3075, 3975, 4875, 5775, 6675,
            ]
        )
        #expect(
            attempts(.busy(reason: "status 429", retryAfter: .minutes(30))) == [0, 1800, 3600, 5400, 7200]
        )
        let soon = attempts(.busy(reason: "status 429", retryAfter: .zero))
        #expect(soon.prefix(5) == [0, 1, 3, 7, 15], "a service that asks for no pause gets one all the same")
        #expect(attempts(.noAnswer(reason: "no connection")).prefix(6) == [0, 2, 6, 14, 30, 62])
        #expect(attempts(.denied(reason: "status 401")) == [0, 300, 900, 2100, 4500])
        #expect(attempts(.refused(reason: "status 400")) == [0], "the same content would be refused again")
        #expect(attempts(.gone(reason: "status 410")) == [0])
    }

    @Test("after a refusal the next state is sent, after 410 none")
    func next() {
        for (answer, count) in [
            (SinkAnswer.refused(reason: "status 400"), 1), (.gone(reason: "status 410"), 0),
        ] {
            var bench = SinkBench(SinkBench.webhook)
            bench.answers = [answer, .accepted([])]
            bench.show("Running", rev: 1)
            bench.send()
            bench.show("Paused", rev: 2)
            #expect(bench.pass(.minutes(1)).count == count)
            #expect(bench.scheduler.takeSettled() == [1, 2])
            #expect(bench.scheduler.tally.failed == 1)
        }
    }

    @Test("an attempt has the same id and body as the one before")
    func identical() {
        var bench = SinkBench(SinkBench.webhook)
        bench.answers = [.noAnswer(reason: "timeout"), .accepted([])]
        bench.show("Running", rev: 1)
        let requests = bench.pass(.minutes(1))
        #expect(requests.count == 2 && requests[0].messageID == requests[1].messageID)
        #expect(requests[0].body == requests[1].body)
    }
}

extension Value {
    /// The text; nil for anything else.
    var text: String? { if case .string(let text) = self { text } else { nil } }
}
