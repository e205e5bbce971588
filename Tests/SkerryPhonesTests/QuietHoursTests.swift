import SkerryActivity
import SkerryExpressions
import SkerryValues
import Testing

@testable import SkerryPhones

/// The hours in which nothing sounds: when they are, and what phones get then.
@Suite struct QuietHoursTests {
    /// Berlin in 2026, with both changes of its clocks.
    private static let berlin = TimeZoneRules(
        firstOffset: 3600,
        transitions: [
            TimeZoneRules.Transition(start: 1_774_746_000, offset: 7200),
            TimeZoneRules.Transition(start: 1_792_890_000, offset: 3600),
        ]
    )

    @Test(
        arguments: [
            // The night of the change to summer time: from 22:00 to 07:00 by the clock, which are eight hours.
            ("Ada", 1_774_731_599, false), ("Ada", 1_774_731_600, true), ("Ada", 1_774_747_800, true),
            ("Ada", 1_774_760_399, true), ("Ada", 1_774_760_400, false),
            // The night of the change back, which has ten.
            ("Ada", 1_792_871_999, false), ("Ada", 1_792_872_000, true), ("Ada", 1_792_907_999, true),
            ("Ada", 1_792_908_000, false),
            // From 02:15 to 02:45: it comes twice in autumn, and not at all in spring.
            ("Ben", 1_792_888_200, true), ("Ben", 1_792_890_000, false), ("Ben", 1_792_891_800, true),
            ("Ben", 1_774_747_800, false),
            // Who has no hours of their own has those of all others; so has what belongs to nobody.
            ("Cleo", 1_774_771_200, true), (nil, 1_774_771_200, true), ("Ada", 1_774_771_200, false),
        ] as [(String?, Int64, Bool)]
    )
    func `hours begin and end by the clock`(person: String?, seconds: Int64, isQuiet: Bool) {
        let hours = QuietHours(
            [
                QuietHours.Window(person: nil, start: 36_000, end: 36_001),
                QuietHours.Window(person: "Ada", start: 79_200, end: 25_200),
                QuietHours.Window(person: "Ben", start: 8100, end: 9900),
            ],
            zone: Self.berlin
        )
        #expect(hours.isQuiet(for: person, at: Timestamp(seconds: seconds)) == isQuiet)
    }

    /// The minutes from the start of a run at 14:13 to its renewals within a day, with quiet hours in minutes after midnight.
    private static func renewals(quietFrom start: Int64, to end: Int64) -> [Int64] {
        var bench = PhoneBench()
        bench.pair("anna")
        bench.scheduler.quiet = QuietHours([
            QuietHours.Window(person: nil, start: start * 60, end: end * 60)
        ])
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("aa")
        var moments: [Int64] = []
        for minute in 1...Int64(24 * 60) {
            for push in bench.pass(.minutes(1)) where push.event == .start {
                moments.append(minute)
                bench.token("aa\(push.instance)", instance: push.instance)
            }
        }
        return moments
    }

    @Test func `a run is renewed before quiet hours if that spares a screen that lights up in them`() {
        // 21:43 is quiet, and 21:29 is not; what begins then lasts until the night is over.
        #expect(Self.renewals(quietFrom: 21 * 60 + 30, to: 4 * 60).prefix(2) == [436, 886])
        // Two renewals in a long night become one.
        #expect(Self.renewals(quietFrom: 21 * 60, to: 6 * 60).prefix(2) == [406, 856])
        // From 15:00 on, one is needed in the night whenever the first one is.
        #expect(Self.renewals(quietFrom: 15 * 60, to: 24 * 60).prefix(1) == [450])
    }

    /// A phone of Ada and one of Ben, and quiet hours of Ada from 14:30 to 15:00; it is 14:13.
    private static func bench(usesChannels: Bool = false) -> PhoneBench {
        var settings = PushSchedulerSettings()
        settings.usesChannels = usesChannels
        var bench = PhoneBench(settings: settings)
        bench.pair("anna")
        bench.pair("berta")
        for (person, phone) in [("Ada", "anna"), ("Ben", "berta")] {
            _ = bench.scheduler.assign(person, to: phone, at: bench.now)
        }
        bench.scheduler.quiet = QuietHours([QuietHours.Window(person: "Ada", start: 52_200, end: 54_000)])
        return bench
    }

    /// The pushes with their priority, and `!` for an alert that is heard.
    private static func heard(_ pushes: [Push]) -> [String] {
        pushes.map { push in
            let hasSound =
                if case .map(let alert)? = push.aps["alert"] { alert["sound"] != nil } else { false }
            return
                "\(push.phone ?? "all") \(push.gist)\(hasSound ? "!" : push.aps["alert"] == nil ? "" : " card")"
        }.sorted()
    }

    private static let alert = ActivityAlert(title: "Look", body: "")

    @Test func `in quiet hours a state comes without its alert, and the alert does not come later`() {
        var bench = Self.bench()
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("aa", phone: "anna")
        bench.token("bb", phone: "berta")
        bench.pass(.minutes(40))
        bench.show("leaking", rev: 2, alert: Self.alert)
        #expect(Self.heard(bench.pass(.minutes(1))) == ["anna update 5 leaking", "berta update 10 leaking!"])
        let reasons = bench.scheduler.decisions(kind: "washer", device: "w").map { "\($0.phone) \($0.text)" }
        #expect(reasons.contains("anna quiet hours of Ada: without a sound"))
        // It is 15:01, and the alert would be fresh for some minutes more.
        bench.pass(.minutes(7))
        bench.show("running", rev: 3)
        #expect(Self.heard(bench.pass(.seconds(5))) == ["anna update 10 running", "berta update 10 running"])
        bench.show("leaking", rev: 4, alert: Self.alert)
        #expect(
            Self.heard(bench.pass(.seconds(5))) == ["anna update 10 leaking!", "berta update 10 leaking!"]
        )
    }

    @Test func `a start is a card without a sound, which iOS demands, and does not hurry`() {
        var bench = Self.bench()
        bench.pass(.minutes(20))
        bench.show("running", rev: 1, alert: Self.alert)
        #expect(Self.heard(bench.deliver()) == ["anna start 5 running card", "berta start 10 running!"])
    }

    @Test func `what matters most is heard all the same`() {
        var bench = Self.bench()
        bench.pass(.minutes(20))
        bench.show("leaking", rev: 1, relevance: 100, alert: Self.alert)
        #expect(Self.heard(bench.deliver()) == ["anna start 10 leaking!", "berta start 10 leaking!"])
    }

    @Test func `a critical alert is heard, and what follows it is not`() {
        var bench = Self.bench()
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("aa", phone: "anna")
        bench.token("bb", phone: "berta")
        bench.pass(.minutes(20))
        bench.show("leaking", rev: 2, alert: ActivityAlert(title: "Look", body: "", level: .critical))
        #expect(
            Self.heard(bench.pass(.seconds(5))) == ["anna update 10 leaking!", "berta update 10 leaking!"]
        )
        bench.show("flooded", rev: 3, alert: Self.alert)
        #expect(Self.heard(bench.pass(.seconds(5))) == ["anna update 5 flooded", "berta update 10 flooded!"])
        bench.show("leaking", rev: 4, alert: ActivityAlert(title: "Look", body: "", level: .timeSensitive))
        #expect(Self.heard(bench.pass(.seconds(5))) == ["anna update 5 leaking", "berta update 10 leaking!"])
    }

    @Test(
        arguments: [
            (.standard, .active, "default", "default"), (.silent, .active, "silent", "silent"),
            (.named("bell.caf"), .active, "bell.caf", "bell.caf"),
            (.named("bell.caf"), .passive, "silent", nil),
            (.standard, .timeSensitive, "default", "default"), (.silent, .critical, "silent", "silent"),
        ] as [(ActivityAlert.Sound, ActivityAlert.Level, String, String?)]
    )
    func `sound and urgency of an alert decide what a push carries`(
        sound: ActivityAlert.Sound,
        level: ActivityAlert.Level,
        start: String,
        update: String?
    ) throws {
        func heard(_ pushes: [Push]) throws -> String? {
            guard case .map(let alert)? = try #require(pushes.first).aps["alert"] else { return nil }
            guard case .string(let name)? = alert["sound"] else { return "silent" }
            return name
        }
        let alert = ActivityAlert(title: "Look", body: "", sound: sound, level: level)
        var bench = PhoneBench()
        bench.pair("anna")
        bench.show("running", rev: 1, alert: alert)
        #expect(try heard(bench.deliver()) == start)
        bench.token("aa")
        bench.show("leaking", rev: 2, alert: alert)
        bench.restart()
        #expect(try heard(bench.pass(.seconds(5))) == update)
        bench.show("running", rev: 3)
        #expect(try heard(bench.pass(.seconds(5))) == nil, "given once")
    }

    /// A run that two phones show.
    private static func shown() -> PhoneBench {
        var bench = bench()
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("aa", phone: "anna")
        bench.token("bb", phone: "berta")
        return bench
    }

    @Test func `a phone mutes one run for itself, also over a restart, until it says otherwise`() {
        var bench = Self.shown()
        bench.mute(true, bench.now)
        bench.mute(false, bench.now + .seconds(-60))
        bench.restart()
        bench.show("leaking", rev: 2, relevance: 100, alert: Self.alert)
        #expect(Self.heard(bench.pass(.minutes(1))) == ["anna update 10 leaking!", "berta update 5 leaking"])
        #expect(bench.scheduler.phones[1].shownActivities.map { $0.isSilent } == [true])
        bench.mute(false, bench.now)
        bench.show("flooded", rev: 3, alert: Self.alert)
        #expect(
            Self.heard(bench.pass(.seconds(5))) == ["anna update 10 flooded!", "berta update 10 flooded!"]
        )
        bench.mute(true, bench.now)
        bench.show("running", rev: 1, run: 2, alert: Self.alert)
        #expect(Self.heard(bench.deliver()).contains("berta start 10 running!"), "another run")
    }

    @Test func `what was raised while a run was muted does not ring once it is heard again`() {
        var bench = Self.shown()
        bench.mute(true, bench.now)
        bench.show("leaking", rev: 2, alert: Self.alert)
        #expect(Self.heard(bench.pass(.minutes(1))) == ["anna update 10 leaking!", "berta update 5 leaking"])
        bench.mute(false, bench.now)
        #expect(Self.heard(bench.pass(.hours(1))) == [])
        bench.mute(true, bench.now)
        let heardAgain = bench.now + .seconds(10)
        bench.pass(.seconds(20))
        bench.show("flooded", rev: 3, alert: Self.alert)
        bench.pass(.seconds(20))
        // The report was under way for long, and the alert is later than the choice.
        bench.mute(false, heardAgain)
        #expect(Self.heard(bench.pass(.seconds(5))) == ["berta update 10 flooded!"])
    }

    @Test func `an image from before runs could be muted is read`() throws {
        var bench = Self.bench()
        bench.show("running", rev: 1)
        bench.deliver()
        let phone = bench.scheduler.phones[0]
        var bytes = phone.imageBefore7
        // Version 4 ends an activity before the mark that says whether it is muted, and a token before the moment until
        // which it is expired; version 9 ends activities, instances and lanes before what tells of lost pushes, and version 10
        // lanes before what tells of alerts without an answer.
        let activity = phone.activities[0]
        let parts: [(added: Int, (inout ImageWriter) -> Void)] = [
            (2, { activity.write(to: &$0) }), (2, { activity.instances[0].write(to: &$0) }),
            (2, { activity.lane.write(to: &$0) }), (1, { activity.instances[0].token.write(to: &$0) }),
            (1, { phone.startTokens[0].slot.write(to: &$0) }),
        ]
        let newer = try parts.flatMap { added, write in
            var part = ImageWriter(capacity: 64)
            write(&part)
            return try #require(bytes.firstRange(of: part.bytes)).suffix(added)
        }
        for place in newer.sorted().reversed() { bytes.remove(at: place) }
        var old = ImageWriter(capacity: 64)
        old.tag(4)
        for byte in bytes { old.tag(byte) }
        old.seal()
        let (restored, refused) = PushScheduler.restored(from: [
            PhoneImage(id: "phone/anna", bytes: old.bytes)
        ])
        #expect(refused.isEmpty && restored.pairedPhones.map(\.person) == ["Ada"])
    }

    @Test func `a broadcast is quiet for all who listen if one of them sleeps`() {
        var bench = Self.bench(usesChannels: true)
        bench.show("running", rev: 1)
        bench.deliver()
        bench.pass(.minutes(20))
        bench.show("leaking", rev: 2, alert: Self.alert)
        #expect(Self.heard(bench.deliver()) == ["all update 5 leaking"])
        bench.pass(.minutes(40))
        bench.show("flooded", rev: 3, alert: Self.alert)
        #expect(Self.heard(bench.deliver()) == ["all update 10 flooded!"])
    }
}

extension PhoneBench {
    /// Has berta's phone report whether she has muted the run.
    fileprivate mutating func mute(_ isSilent: Bool, _ confirmedAt: Timestamp) {
        let activity = PhoneReport.Activity(id: "washer/w/1", isSilent: isSilent)
        report("berta", activities: [activity], confirmedAt: confirmedAt)
    }
}
