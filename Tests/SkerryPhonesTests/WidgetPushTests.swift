import SkerryActivity
import SkerryExpressions
import SkerryValues
import Testing

@testable import SkerryPhones

/// Pushes by which widgets are drawn again.
@Suite struct WidgetPushTests {
    /// A phone without cards, whose user has placed a widget for washers.
    private static func bench(
        _ settings: PushSchedulerSettings = PushSchedulerSettings(),
        kinds: [String]? = ["washer"]
    ) -> PhoneBench {
        var bench = PhoneBench(settings: settings)
        bench.pair()
        bench.report(allowsActivities: false, widgetToken: .known("d0d0"), widgetKinds: kinds)
        return bench
    }

    @Test func `a change that no timeline foretold is one push, a countdown that goes on and ends is none`()
        throws
    {
        var bench = Self.bench()
        let end = bench.now + .hours(1)
        bench.show("running", rev: 1, end: end)
        let push = try #require(bench.pass(.seconds(5)).first)
        #expect(push.gist == "widgets 10 -" && push.route == .widgets(token: "d0d0"))
        #expect(push.environment == .production && push.collapseID == nil)
        #expect(String(decoding: push.payload, as: UTF8.self) == #"{"aps":{"content-changed":true}}"#)
        #expect(bench.pass(end - bench.now - .seconds(5)).isEmpty)
        bench.now = end
        bench.show("drying", rev: 2, end: end + .minutes(30))
        #expect(bench.pass(.minutes(10)).isEmpty)
        bench.show("open", rev: 3)
        #expect(bench.pass(.minutes(1)).map(\.gist) == ["widgets 10 -"])
        bench.show("done", rev: 4, phase: .ended)
        #expect(bench.pass(.minutes(1)).map(\.gist) == ["widgets 10 -"])
        let texts = bench.scheduler.decisions(kind: "washer", device: "w").map(\.text)
        #expect(texts.contains { $0.contains("did not foretell") } && texts.contains("widgets: accepted"))
        #expect(bench.scheduler.phones[0].counts[.widgets].accepted == 3)
    }

    @Test func `changes are gathered, states come a minute apart, new values a quarter of an hour`() {
        var bench = Self.bench()
        for rev in 1...4 { bench.show("state \(rev)", rev: Int64(rev)) }
        #expect(bench.pass(.seconds(4)).isEmpty)
        #expect(bench.pass(.seconds(1)).count == 1)
        bench.show("paused", rev: 5)
        #expect(bench.pass(.seconds(59)).isEmpty)
        #expect(bench.pass(.seconds(1)).count == 1)
        func warmer(_ rev: Int64) {
            let content = ValueMap(uniqueEntries: [.init(key: .string("degrees"), value: .int(rev))])
            bench.show("paused", rev: rev, isNewState: false, content: content)
        }
        var pushes: [Push] = []
        for rev in 6...65 as ClosedRange<Int64> {
            warmer(rev)
            pushes += bench.pass(.minutes(1))
        }
        #expect(pushes.map(\.gist) == Array(repeating: "widgets 5 -", count: 4))
        // What looks the same, such as an alert alone, is no reason.
        bench.pass(.hours(1))
        bench.show(
            "paused",
            rev: 66,
            content: ValueMap(uniqueEntries: [.init(key: .string("degrees"), value: .int(65))])
        )
        #expect(bench.pass(.hours(1)).isEmpty)
    }

    @Test func `a day has a budget, of which new values leave a quarter`() {
        var settings = PushSchedulerSettings()
        settings.widgetBudget = 4
        var bench = Self.bench(settings)
        for rev in 1...3 as ClosedRange<Int64> {
            bench.show("state \(rev)", rev: rev)
            #expect(bench.pass(.hours(1)).count == 1)
        }
        bench.show(
            "state 3",
            rev: 4,
            isNewState: false,
            content: ValueMap(uniqueEntries: [.init(key: .string("a"), value: .int(1))])
        )
        #expect(bench.pass(.hours(1)).isEmpty)
        #expect(bench.scheduler.decisions(kind: "washer", device: "w").last?.kind == .held)
        bench.show("state 5", rev: 5)
        #expect(bench.pass(.hours(1)).count == 1)
        bench.show("state 6", rev: 6)
        #expect(bench.pass(.hours(18)).isEmpty)
        #expect(bench.pass(.hours(2)).count == 1, "the first of them was a day ago")
        #expect(bench.scheduler.budgets(of: bench.scheduler.phones[0], at: bench.now).widgets.1 == 4)
        settings.widgetBudget = 0
        bench = Self.bench(settings)
        bench.show("running", rev: 1)
        #expect(bench.pass(.hours(25)).isEmpty)
    }

    @Test func `only a phone that has such a widget and may see the device is told`() {
        var bench = Self.bench(kinds: ["oven"])
        bench.show("running", rev: 1)
        #expect(bench.pass(.hours(1)).isEmpty)
        bench.report(widgetKinds: ["oven", "washer"], confirmedAt: bench.now - .hours(2))
        bench.show("paused", rev: 2)
        #expect(bench.pass(.hours(1)).isEmpty, "an older report counts for nothing")
        bench = Self.bench(kinds: nil)
        let policy = AudiencePolicy(rules: [.init("washer/w", people: ["Ben"])], kinds: [.init("washer")])
        bench.scheduler.setAudience(policy, at: bench.now)
        bench.show("running", rev: 1)
        bench.show("running", rev: 1, device: "skerry-test")
        #expect(bench.pass(.hours(1)).count == 1, "of the other device")
        bench.show("paused", rev: 2)
        #expect(bench.pass(.hours(1)).isEmpty)
        // Once it may see the device, or may no longer, its widgets show something else.
        _ = bench.scheduler.assign("Ben", to: "anna", at: bench.now)
        #expect(bench.pass(.minutes(1)).count == 1)
        _ = bench.scheduler.assign("Ada", to: "anna", at: bench.now)
        #expect(bench.pass(.minutes(1)).count == 1)
        bench.scheduler.setAudience(AudiencePolicy(), at: bench.now)
        #expect(bench.pass(.minutes(1)).count == 1)
        _ = bench.scheduler.assign("Ben", to: "anna", at: bench.now)
        #expect(bench.pass(.hours(1)).isEmpty, "it sees what it saw")
    }

    @Test
    func
        `cards that are hidden have widgets, a test activity has none, and quiet hours are not for widgets to break`()
    {
        var bench = Self.bench()
        bench.report(hides: ["washer"])
        bench.show("running", rev: 1)
        #expect(bench.pass(.minutes(1)).map(\.gist) == ["widgets 10 -"])
        let window = QuietHours.Window(person: nil, start: 0, end: 0)
        bench.scheduler.quiet = QuietHours([window], zone: TimeZoneRules(firstOffset: 0))
        bench.show("paused", rev: 2)
        #expect(bench.pass(.minutes(1)).map(\.gist) == ["widgets 5 -"])
        bench.report(startToken: .known("5a00"), allowsActivities: true)
        let contract = LiveActivityContract(
            kind: "washer",
            attributes: [],
            content: [],
            states: nil,
            longestState: 64
        )
        guard case .begun = bench.scheduler.test([contract], on: "anna", at: bench.now) else {
            return #expect(Bool(false), "no test")
        }
        #expect(!bench.pass(.hours(1)).contains { $0.event == .widgets })
    }

    @Test func `a token that Apple calls dead is dropped, one of the other environment is tried there`() {
        var bench = Self.bench()
        bench.show("running", rev: 1)
        bench.now = bench.now + .seconds(5)
        #expect(bench.deliver(.tokenGone(since: bench.now)).count == 1)
        #expect(bench.scheduler.phones[0].drawableWidgets == nil)
        bench.show("paused", rev: 2)
        #expect(bench.pass(.hours(1)).isEmpty)
        bench.report(widgetToken: .known("d1d1"))
        bench.show("running", rev: 3)
        #expect(bench.pass(.seconds(5)).map(\.route) == [.widgets(token: "d1d1")])
        bench.show("paused", rev: 4)
        bench.now = bench.now + .minutes(1)
        #expect(bench.deliver(.wrongTopic).count == 1)
        #expect(bench.scheduler.phones[0].drawableWidgets == nil)
        bench = PhoneBench()
        bench.scheduler.pair("anna", name: "anna", credential: [], at: bench.now)
        bench.report(environment: nil, widgetToken: .known("d0d0"))
        bench.show("running", rev: 1)
        bench.now = bench.now + .seconds(5)
        #expect(bench.deliver(.badToken).map(\.environment) == [.production])
        bench.now = bench.now + .minutes(1)
        #expect(bench.deliver(.badToken).map(\.environment) == [.development])
        #expect(bench.scheduler.phones[0].drawableWidgets == nil)
    }

    @Test(arguments: [PushAnswer.tokenGone(since: PhoneBench.start), .badToken, .wrongTopic])
    func `a late refusal of a token that was replaced meanwhile leaves the new one, to which the push goes`(
        _ answer: PushAnswer
    ) throws {
        var bench = Self.bench()
        bench.show("running", rev: 1)
        bench.now = bench.now + .seconds(5)
        let sent = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true)
        let push = try #require(sent)
        // The answer takes longer than the shortest time between two pushes.
        bench.now = bench.now + .minutes(2)
        bench.report(widgetToken: .known("d1d1"))
        bench.scheduler.answered(push, answer, at: bench.now)
        #expect(bench.scheduler.phones[0].drawableWidgets != nil)
        #expect(bench.deliver().map(\.route) == [.widgets(token: "d1d1")])
    }

    @Test func `without an answer, and over a restart, it goes again under the same id and spends no more`()
        throws
    {
        var bench = Self.bench()
        bench.show("running", rev: 1)
        bench.now = bench.now + .seconds(5)
        let sent = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true)
        let first = try #require(sent)
        bench.restart()
        #expect(bench.scheduler.phones[0].drawableWidgets?.kinds == ["washer"])
        let again = try #require(bench.pass(.minutes(1)).first)
        #expect(again.messageID == first.messageID && again.route == first.route)
        bench.show("paused", rev: 2)
        bench.now = bench.now + .minutes(1)
        let refused = bench.deliver(.notSent(reason: "no route", retryAfter: nil))
        #expect(refused.count == 1)
        #expect(bench.scheduler.budgets(of: bench.scheduler.phones[0], at: bench.now).widgets.0 == 2)
        bench.restart()
        #expect(bench.pass(.minutes(2)).map(\.messageID) == refused.map(\.messageID))
        #expect(bench.scheduler.nextPush(at: bench.now, clockIsKnown: false) == nil)
    }

    @Test func `a phone that is removed loses the token, and one that is paired again takes it along`() {
        var bench = Self.bench()
        bench.show("running", rev: 1)
        bench.pass(.minutes(1))
        bench.scheduler.pair("second", name: "second", credential: [], at: bench.now)
        bench.report(
            "second",
            startToken: .known("5a400"),
            widgetToken: .known("d0d0"),
            widgetKinds: ["washer"]
        )
        #expect(bench.scheduler.phones[0].drawableWidgets == nil)
        bench.show("paused", rev: 2)
        #expect(bench.pass(.minutes(1)).filter { $0.event == .widgets }.map(\.phone) == ["second"])
        bench.token("aa", phone: "second")
        _ = bench.scheduler.unpair("second", at: bench.now)
        #expect(bench.scheduler.phones.count == 2, "its card is still to be ended")
        #expect(bench.scheduler.phones.allSatisfy { $0.drawableWidgets == nil })
        bench.show("running", rev: 3)
        #expect(bench.pass(.hours(1)).filter { $0.event == .widgets }.isEmpty)
        #expect(bench.scheduler.phones.allSatisfy { $0.drawableWidgets == nil })
    }

    @Test func `counts from before widgets were counted are read`() throws {
        var writer = ImageWriter(capacity: 16)
        writer.list([1, 2, 3, 4] as [UInt64]) { writer, sent in
            for number in [sent, 0, 0] { writer.unsigned(number) }
        }
        writer.seal()
        var reader = try ImageReader(sealed: writer.bytes[...])
        let counts = try PushCounts(from: &reader)
        #expect(counts[.notification].sent == 4 && counts[.widgets].sent == 0)
    }
}
