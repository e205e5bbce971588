import SkerryValues
import Testing

@testable import SkerryActivity
@testable import SkerryPhones

/// Cards that the user of a phone does not want on it.
@Suite struct HiddenTests {
    private static let alert = ActivityAlert(title: "Done", body: "")

    @Test(arguments: ["washer", "washer/w"])
    func `what a phone hides is not started there, tells no alert, and explain says why`(choice: String) {
        var bench = PhoneBench()
        bench.pair()
        bench.pair("berta")
        bench.report(notificationToken: .known("a0"), hides: [choice])
        bench.restart()
        #expect(bench.scheduler.pairedPhones.map(\.hides) == [[choice], []])
        bench.show("running", rev: 1)
        bench.show("running", rev: 1, device: "x")
        let starts = bench.pass(.minutes(1))
        #expect(Set(starts.map(\.phone)) == (choice == "washer" ? ["berta"] : ["anna", "berta"]))
        #expect(starts.filter { $0.phone == "anna" }.allSatisfy { $0.activity == "washer/x/1" })
        bench.show("done", rev: 2, phase: .ended, alert: Self.alert)
        let ends = bench.pass(.minutes(1))
        #expect(!ends.contains { $0.phone == "anna" }, "no card, and no notification in its place")
        var told = PhoneBench()
        told.pair()
        told.report(hides: [choice])
        told.show("running", rev: 1)
        told.deliver()
        let reasons = told.scheduler.decisions(kind: "washer", device: "w").filter { $0.kind == .hidden }
        #expect(reasons.map(\.text) == ["its user chose not to see \(choice) on this phone"])
    }

    @Test func `a card that its user hides ends at once without content, and comes back when it may`() throws
    {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("a1")
        bench.pass(.minutes(1))
        bench.show("paused", rev: 2, alert: Self.alert)
        bench.report(hides: ["washer/w"])
        let pushes = bench.pass(.minutes(1))
        #expect(pushes.map(\.gist) == ["end 10 -"])
        let end = try #require(pushes.first)
        #expect(end.aps["alert"] == nil)
        #expect(try #require(end.number("dismissal-date")) < bench.now.flooredSeconds)
        bench.report(hides: [])
        let again = bench.pass(.minutes(1))
        #expect(again.map(\.gist) == ["start 10 paused"])
    }

    /// The gateway was away from the first choice to the second one, and learns both by one report.
    @Test func `a card that was hidden and shown again while no report arrived comes back`() {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("a1")
        bench.pass(.minutes(5))
        bench.report(
            hides: [],
            hidBefore: ["washer/w"],
            shows: [.init(type: PhoneBench.type, activities: [])]
        )
        let again = bench.pass(.minutes(1))
        #expect(again.map(\.gist) == ["start 10 running"])
        #expect(bench.scheduler.pairedPhones.map(\.hides) == [[]])
    }

    /// The app ends it itself: the channel goes on for the others.
    @Test(arguments: [false, true])
    func `a card on a channel is ended by the app, and comes back when it may`(saysEnded: Bool) {
        var settings = PushSchedulerSettings()
        settings.usesChannels = true
        var bench = PhoneBench(settings: settings)
        bench.pair()
        bench.pair("berta")
        bench.show("running", rev: 1)
        let starts = bench.pass(.seconds(30)).filter { $0.event == .start }
        #expect(starts.map(\.phone) == ["anna", "berta"])
        bench.report(hides: ["washer"])
        let ended = PhoneReport.Activity(id: "washer/w/1", end: .ended)
        if saysEnded { bench.report(activities: [ended]) } else { bench.shows([]) }
        let nothing = bench.pass(.minutes(1))
        #expect(nothing.isEmpty)
        bench.show("paused", rev: 2)
        let update = bench.pass(.minutes(1))
        #expect(update.map(\.gist) == ["update 10 paused"])
        #expect(update.map(\.route) == [.channel(id: "channel1")])
        bench.report(hides: ["oven"])
        bench.shows([])
        let again = bench.pass(.minutes(1))
        #expect(again.map(\.phone) == ["anna"] && again.map(\.gist) == ["start 10 paused"])
    }

    @Test func `names are compared whole, and a device may have slashes in its name`() {
        var phone = Phone(id: "a", name: "a", credential: [], pairedAt: PhoneBench.start)
        #expect(phone.hiding("washer/w/1") == nil)
        phone.hides = ["washer/my", "oven"]
        #expect(phone.hiding("washer/my/1") == "washer/my")
        #expect(phone.hiding("washer/my/room/1") == nil)
        #expect(phone.hiding("washer/m/1") == nil)
        #expect(phone.hiding("oven/a/b/1") == "oven")
        #expect(phone.hiding("oven-plug/a/1") == nil)
    }

    @Test func `an image from before cards could be hidden is read`() throws {
        var bench = PhoneBench()
        bench.pair()
        var old = ImageWriter(capacity: 64)
        old.tag(7)
        // Version 8 added no choices, and no moment of an opening.
        for byte in bench.scheduler.phones[0].imageBefore9.dropLast(2) { old.tag(byte) }
        old.seal()
        let (restored, refused) = PushScheduler.restored(
            from: [PhoneImage(id: "phone/anna", bytes: old.bytes)]
        )
        #expect(refused.isEmpty)
        #expect(restored.pairedPhones.map(\.hides) == [[]])
    }

    @Test func `a test is shown whatever the phone hides`() {
        var bench = PhoneBench()
        bench.pair()
        bench.report(hides: ["washer"])
        let contract = LiveActivityContract(
            kind: "washer",
            attributes: [],
            content: [],
            states: nil,
            longestState: 10
        )
        _ = bench.scheduler.test([contract], on: "anna", at: bench.now)
        let starts = bench.deliver()
        #expect(starts.map(\.event) == [.start])
    }
}
