import SkerryActivity
import SkerryPhones
import SkerryValues
import Testing

@testable import SkerrySinks

/// Who gets a request, and how loud it is for them.
@Suite("Recipients")
struct RecipientTests {
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
        bench.pass(SinkBench.tokenTime)
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
        bench.show("Running", rev: 1, link: "tel:4711")
        bench.send()
        bench.scheduler.setAudience(AudiencePolicy(rules: [AudiencePolicy.Rule("*", people: ["Ben"])]))
        let removal = bench.send()
        #expect(removal.map { $0.path } == ["/messages/live_activity/update"])
        let body = removal.first.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
        #expect(body.contains(#""end_activity":true"#))
        #expect(!body.contains("unning") && !body.contains("4711"), "nothing of the run is told")
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
                ["interruption", "alert_sound", "alert_level", "alert_body"]
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
            (SinkBench.braze, .standard, .passive, [#""content_state":"#], [#""notification":"#]),
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

    @Test("after a refused removal an activity that runs on comes back to a person who may see it again")
    func refusedRemoval() {
        let people = ["mobile_app_anna": "Anna"]
        var bench = SinkBench(.homeAssistant(targets: ["mobile_app_anna"], people: people, budget: 20))
        bench.show("Running", rev: 1)
        bench.send()
        bench.answers = [.refused(reason: "status 400"), .accepted([])]
        bench.scheduler.setAudience(AudiencePolicy(rules: [AudiencePolicy.Rule("*", people: ["Ben"])]))
        #expect(bench.pass(.minutes(1)).map { $0.message } == ["clear_notification"])
        bench.scheduler.setAudience(AudiencePolicy())
        #expect(bench.pass(.minutes(1)).map { $0.message } == ["Running"])
    }
}
