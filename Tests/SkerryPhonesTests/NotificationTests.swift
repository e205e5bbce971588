import SkerryActivity
import SkerryExpressions
import SkerryValues
import Testing

@testable import SkerryPhones

/// Alerts that no card can carry.
@Suite struct NotificationTests {
    private static let done = ActivityAlert(title: "Laundry is done", body: "Take it out")

    /// A phone that takes notifications, and shows no Live Activities if they are switched off.
    private static func bench(
        _ settings: PushSchedulerSettings = PushSchedulerSettings(),
        isOff: Bool = true
    ) -> PhoneBench {
        var bench = PhoneBench(settings: settings)
        bench.pair()
        bench.report(allowsActivities: !isOff, allowsNotifications: true, notificationToken: .known("a0"))
        return bench
    }

    @Test func `with Live Activities switched off, an alert comes once, as a notification`() throws {
        var bench = Self.bench()
        bench.show("running", rev: 1)
        #expect(bench.deliver().isEmpty)
        bench.show(
            "paused",
            rev: 2,
            alert: ActivityAlert(title: "", body: "The door is open", level: .timeSensitive)
        )
        let push = try #require(bench.deliver().first)
        #expect(push.gist == "notification 10 -" && push.route == .app(token: "a0"))
        let id = "washer/w/1"
        let text =
            #"{"aps":{"alert":{"title":"w","body":"The door is open"},"sound":"default","#
            + #""interruption-level":"time-sensitive","thread-id":"\#(id)"},"activity":"\#(id)","#
            + #""link":"skerry://washer/w"}"#
        #expect(String(decoding: push.payload, as: UTF8.self) == text)
        bench.show("running", rev: 3)
        #expect(bench.pass(.hours(1)).isEmpty)
        bench.show("done", rev: 4, phase: .ended, alert: Self.done)
        let last = try #require(bench.deliver().first)
        #expect(last.collapseID == push.collapseID && last.messageID != push.messageID)
        #expect(bench.decisions() == [.disabled, .notified, .answered, .disabled, .notified, .answered])
        #expect(bench.scheduler.phones[0].counts[.notification].accepted == 2)
        #expect(bench.scheduler.budgets(of: bench.scheduler.phones[0], at: bench.now).immediate.0 == 1)
        let reasons = bench.scheduler.decisions(kind: "washer", device: "w").filter { $0.kind == .notified }
        #expect(reasons.first?.text.contains("Live Activities are switched off") ?? false)
    }

    @Test func `a phone without the token, or whose user wants none, is left alone`() {
        var bench = PhoneBench()
        bench.pair()
        bench.report(allowsActivities: false)
        bench.show("done", rev: 1, alert: Self.done)
        #expect(bench.pass(.minutes(5)).isEmpty)
        bench = Self.bench()
        bench.report(allowsNotifications: false)
        bench.show("done", rev: 1, alert: Self.done)
        #expect(bench.pass(.minutes(5)).isEmpty)
        bench.report(allowsNotifications: true)
        #expect(bench.deliver().map { $0.event } == [.notification])
        bench.report(notificationToken: .removed)
        bench.show("paused", rev: 2, alert: Self.done)
        #expect(bench.pass(.minutes(5)).isEmpty)
    }

    @Test
    func `where Allow is not tapped, a notification comes after half a minute, and the card stays silent`() {
        var bench = Self.bench(isOff: false)
        bench.show("running", rev: 1)
        #expect(bench.deliver().map { $0.event } == [.start])
        bench.show("paused", rev: 2, alert: Self.done)
        #expect(bench.pass(.seconds(29)).isEmpty)
        #expect(bench.pass(.seconds(1)).map { $0.event } == [.notification])
        bench.token("aa")
        let update = bench.pass(.seconds(1))
        #expect(update.map { $0.gist } == ["update 10 paused"] && update.first?.aps["alert"] == nil)
    }

    @Test func `where the token of the card comes soon, the card has the alert and nothing else comes`() {
        var bench = Self.bench(isOff: false)
        bench.show("running", rev: 1)
        bench.deliver()
        bench.show("paused", rev: 2, alert: Self.done)
        bench.pass(.seconds(5))
        bench.token("aa")
        let update = bench.deliver()
        #expect(update.map { $0.gist } == ["update 10 paused"] && update.first?.aps["alert"] != nil)
        #expect(bench.pass(.hours(1)).isEmpty)
    }

    @Test func `an alert that went with a start is not told again, lost or not; a later one is`() {
        var bench = Self.bench(isOff: false)
        bench.show("running", rev: 1, alert: Self.done)
        #expect(bench.deliver(.noAnswer(reason: "time-out")).map { $0.event } == [.start])
        #expect(bench.pass(.minutes(9)).isEmpty)
        bench.show("paused", rev: 2, alert: Self.done)
        #expect(bench.deliver().map { $0.event } == [.notification])
    }

    @Test func `an alert whose push had no answer counts as told if the card lived then`() {
        func later(_ since: Interval?, restarts: Bool, _ phase: ActivityPhase) -> [String] {
            var bench = Self.bench(isOff: false)
            bench.show("running", rev: 1)
            bench.deliver()
            bench.token("aa")
            bench.pass(.minutes(1))
            bench.show("done", rev: 2, phase: phase, alert: Self.done)
            let sentAt = bench.now
            if restarts {
                _ = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true)
                bench.restart()
                bench.now = bench.now + .seconds(2)
            } else {
                bench.deliver(.noAnswer(reason: "time-out"))
                bench.now = bench.now + .minutes(1)
            }
            let again = bench.deliver(since.map { .tokenGone(since: sentAt + $0) } ?? .badToken)
            return (again + bench.pass(.minutes(10))).map { $0.event?.name ?? "" }
        }
        for restarts in [false, true] {
            for phase in [ActivityPhase.active, .ended] {
                let card = phase == .ended ? "end" : "update"
                #expect(later(.seconds(1), restarts: restarts, phase) == [card])
                #expect(later(.zero - .seconds(50), restarts: restarts, phase).first == card)
            }
            #expect(later(.zero - .seconds(50), restarts: restarts, .ended) == ["end", "notification"])
            #expect(later(nil, restarts: restarts, .ended) == ["end", "notification"])
        }
    }

    @Test func `what its user removed from the phone stays away, and what iOS ended does not`() {
        func gone(_ end: PhoneReport.End) -> [Push] {
            var bench = Self.bench(isOff: false)
            bench.show("running", rev: 1)
            bench.deliver()
            bench.token("aa")
            bench.report(activities: [.init(id: "washer/w/1", end: end)])
            bench.show("done", rev: 2, phase: .ended, alert: Self.done)
            return bench.pass(.hours(1))
        }
        #expect(gone(.dismissed).isEmpty)
        #expect(gone(.ended).map { $0.event } == [.notification])
        // Removed while the app is not running: APNs knows it first.
        var bench = Self.bench(isOff: false)
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("aa")
        bench.show("paused", rev: 2, alert: Self.done)
        bench.pass(.minutes(1))
        bench.show("running", rev: 3)
        bench.deliver(.tokenGone(since: bench.now))
        bench.show("done", rev: 4, phase: .ended, alert: Self.done)
        #expect(bench.pass(.hours(1)).isEmpty)
    }

    @Test func `without budget, place or token for a start, the alert is told all the same`() {
        var settings = PushSchedulerSettings()
        settings.startBudget = 1
        var bench = Self.bench(settings, isOff: false)
        bench.show("running", rev: 1, device: "a")
        bench.show("running", rev: 1, device: "b", alert: Self.done)
        #expect(Set(bench.deliver().map { $0.event }) == [.start, .notification])
        settings = PushSchedulerSettings()
        settings.places = 1
        bench = Self.bench(settings, isOff: false)
        bench.show("running", rev: 1, device: "a")
        bench.deliver()
        bench.show("running", rev: 1, device: "b", alert: Self.done)
        #expect(bench.deliver().map { $0.event } == [.notification])
        bench = Self.bench(isOff: false)
        bench.report(startToken: .removed)
        bench.show("running", rev: 1, alert: Self.done)
        #expect(bench.deliver().map { $0.event } == [.notification])
    }

    @Test func `a start by an old token is not trusted with an alert`() {
        var bench = Self.bench(isOff: false)
        bench.now = bench.now + .hours(15 * 24)
        bench.show("running", rev: 1, alert: Self.done)
        let pushes = bench.pass(.seconds(2))
        #expect(pushes.map { $0.event } == [.notification, .start])
        guard case .map(let alert)? = pushes.last?.aps["alert"] else { return #expect(Bool(false)) }
        #expect(alert["sound"] == nil)
    }

    @Test func `quiet hours, a muted run and other people's activities are as quiet as with cards`() {
        var bench = Self.bench()
        let zone = TimeZoneRules(firstOffset: 0)
        let window = QuietHours.Window(person: nil, start: 0, end: 0)
        bench.scheduler.quiet = QuietHours([window], zone: zone)
        bench.show("done", rev: 1, alert: Self.done)
        #expect(bench.pass(.hours(1)).isEmpty)
        bench.scheduler.quiet = QuietHours()
        bench.report(activities: [.init(id: "washer/w/1", isSilent: true)])
        bench.show("running", rev: 2, alert: Self.done)
        #expect(bench.pass(.hours(1)).isEmpty)
        bench = Self.bench()
        bench.scheduler.audience = AudiencePolicy(
            rules: [.init("washer/w", people: ["Ben"])],
            kinds: [.init("washer")]
        )
        bench.show("done", rev: 1, alert: Self.done)
        #expect(bench.pass(.hours(1)).isEmpty)
    }

    @Test func `a token that is none is given up, in one environment after the other`() {
        var bench = Self.bench()
        bench.show("running", rev: 1, alert: Self.done)
        bench.deliver(.tokenGone(since: bench.now))
        #expect(bench.scheduler.phones[0].notifiableSince == nil)
        #expect(bench.pass(.minutes(5)).isEmpty)
        bench.report(notificationToken: .known("a1"))
        #expect(bench.pass(.minutes(1)).map { $0.route } == [.app(token: "a1")])
        bench = PhoneBench()
        bench.scheduler.pair("anna", name: "anna", credential: [], at: bench.now)
        bench.report(environment: nil, allowsActivities: false, notificationToken: .known("a0"))
        bench.show("running", rev: 1, alert: Self.done)
        #expect(bench.deliver(.badToken).map { $0.environment } == [.production])
        #expect(bench.pass(.seconds(2)).map { $0.environment } == [.development])
    }

    @Test func `without an answer, and over a restart, it goes again under the same names`() throws {
        var bench = Self.bench()
        bench.show("running", rev: 1, alert: Self.done)
        let first = try #require(bench.deliver(.noAnswer(reason: "time-out")).first)
        bench.now = bench.now + .seconds(40)
        let next = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true)
        let second = try #require(next)
        bench.restart()
        // What the card would show by now is not in a notification.
        bench.show("running", rev: 2)
        bench.now = bench.now + .seconds(2)
        let third = try #require(bench.deliver().first)
        #expect(Set([first, second, third].map { $0.messageID }).count == 1)
        #expect(Set([first, second, third].map { $0.collapseID }).count == 1)
        bench.restart()
        #expect(bench.pass(.hours(1)).isEmpty)
        #expect(bench.scheduler.phones[0].counts[.notification].sent == 3)
    }

    @Test func `a notification that is refused for good is not sent again, and harms no card`() {
        var bench = Self.bench()
        bench.show("running", rev: 1, alert: Self.done)
        #expect(bench.deliver(.senderFault(reason: "BadTopic")).map { $0.event } == [.notification])
        #expect(bench.pass(.hours(1)).isEmpty)
        bench.report(allowsActivities: true)
        #expect(bench.pass(.minutes(1)).map { $0.event } == [.start])
    }

    @Test func `an alert that a channel has told, or that is older than the phone, is not told again`() {
        var settings = PushSchedulerSettings()
        settings.usesChannels = true
        var bench = Self.bench(settings, isOff: false)
        bench.show("running", rev: 1)
        bench.pass(.seconds(10))
        bench.show("done", rev: 2, phase: .ended, alert: Self.done)
        #expect(bench.pass(.hours(3)).compactMap { $0.event } == [.end])
        bench = PhoneBench()
        bench.show("done", rev: 1, alert: Self.done)
        bench.now = bench.now + .minutes(1)
        bench.pair()
        bench.report(allowsActivities: false, notificationToken: .known("a0"))
        #expect(bench.pass(.hours(1)).isEmpty)
    }

    @Test(arguments: [PushAnswer.tooLarge, .senderFault(reason: "BadMessageId")])
    func `where a channel can't have the content, a notification tells the alert`(answer: PushAnswer) {
        var settings = PushSchedulerSettings()
        settings.usesChannels = true
        for phase in [ActivityPhase.active, .ended] {
            var bench = Self.bench(settings, isOff: false)
            bench.show("running", rev: 1)
            bench.pass(.minutes(1))
            bench.show("done", rev: 2, phase: phase, alert: Self.done)
            var events: [Push.Event?] = []
            while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) {
                events.append(push.event)
                bench.scheduler.answered(push, push.phone == nil ? answer : .accepted, at: bench.now)
            }
            #expect(events == (phase == .ended ? [.end] : [.update, .notification]))
            bench.now = bench.now + .minutes(1)
            while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) {
                events.append(push.event)
                bench.scheduler.answered(push, push.phone == nil ? answer : .accepted, at: bench.now)
            }
            // An end is tried without its content before.
            #expect(events == (phase == .ended ? [.end, .end, .notification] : [.update, .notification]))
        }
    }

    @Test func `a tap opens the link of the activity, else the device in the app`() {
        for (link, opened) in [
            ("tel:+4930", "tel:+4930"), (nil, "skerry://washer/K%C3%BCche%201"),
            (String(repeating: "x", count: 600), "skerry://washer/K%C3%BCche%201"),
        ] {
            var bench = Self.bench()
            bench.show("running", rev: 1, device: "Küche 1", alert: Self.done, link: link)
            let bodies = bench.deliver().map { String(decoding: $0.payload, as: UTF8.self) }
            #expect(bodies.map { $0.contains(#","link":"\#(opened)"}"#) } == [true])
        }
    }

    @Test func `a passive one hurries nobody, a critical one says so`() {
        var bench = Self.bench()
        bench.show("running", rev: 1, alert: ActivityAlert(title: "A", body: "B", level: .passive))
        let passive = bench.deliver()
        #expect(passive.map { $0.gist } == ["notification 5 -"] && passive.first?.aps["sound"] == nil)
        bench.show("leaking", rev: 2, alert: ActivityAlert(title: "A", body: "B", level: .critical))
        let critical = bench.pass(.seconds(2)).map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(critical.first?.contains(#""sound":{"critical":1,"name":"default","volume":1}"#) ?? false)
    }
}
