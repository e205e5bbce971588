// What the reporter reports of the activities of ActivityKit.

import ActivityKit
import Foundation

/// An app with a reporter, whose bridge is the test.
@MainActor final class App {
    let stage = ActivityStage.shared
    let phone = PlainPhone(pairing)
    let transport = ScriptedTransport()
    let folder = newFolder()
    let reporter: SkerryReporter
    /// All ends that were reported.
    private(set) var ends: [String] = []

    init() {
        stage.reset()
        let clock = Clock()
        reporter = SkerryReporter(
            followers: [SkerryFollower<WasherAttributes>()],
            phone: phone,
            folder: folder,
            transport: transport,
            now: { clock.next() }
        )
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Each reading is a second later.
    final class Clock {
        private var second = 1_790_000_000.0

        func next() -> Date {
            second += 1
            return Date(timeIntervalSince1970: second)
        }
    }

    /// A push starts a washing machine.
    func start(
        _ id: String = id,
        instance: Int = 1,
        rev: Int = 1,
        isAnnounced: Bool = true
    ) -> Activity<WasherAttributes> {
        var state = WasherAttributes.ContentState()
        state.rev = rev
        return stage.start(
            WasherAttributes(id: id, device: "laundry", instance: instance),
            state,
            isAnnounced: isAnnounced
        )
    }

    func report(removed: [String] = [], where isWanted: (Body) -> Bool) async -> Body {
        await transport.report(removed: removed) { body in
            ends += body.activities.values.compactMap(\.end)
            return isWanted(body)
        }
    }
}

extension Checks {
    /// From the first launch to the end of a run.
    @MainActor static func reporter() async {
        let app = App()
        app.reporter.launch()
        var body = await app.report { _ in true }
        expect(body.environment, "development")
        expect(body.bundleId, "org.example.home")
        expect(body.iosVersion, "26.0")
        expect(body.areActivitiesEnabled, true)
        expect(body.frequentUpdates, true)
        expect(body.pushToStart, [:])
        expect(body.shows, ["WasherAttributes": []])
        app.stage.provide(startToken: Data([0x0A, 0xFF]), for: WasherAttributes.self)
        body = await app.report { !$0.pushToStart.isEmpty }
        expect(body.pushToStart, ["WasherAttributes": "0aff"])
        // The user allows notifications, and iOS hands out the token for them.
        app.phone.isNotified = true
        app.reporter.refresh()
        body = await app.report { $0.areNotificationsEnabled == true }
        expect(body.notificationToken, nil)
        app.reporter.take(notificationToken: Data([0x0C, 0x0D]))
        body = await app.report { $0.notificationToken != nil }
        expect(body.notificationToken, "0c0d")
        // iOS changed the token without a word: it is read when the app comes to the front.
        app.stage.provide(startToken: Data([0x0B]), for: WasherAttributes.self, isAnnounced: false)
        app.reporter.refresh()
        body = await app.report { $0.pushToStart["WasherAttributes"] == "0b" }
        let activity = app.start()
        body = await app.report { $0.shows["WasherAttributes"]?.isEmpty == false }
        expect(body.activities[id], .init(instance: 1))
        app.stage.provide(token: Data([1, 2]), for: activity)
        body = await app.report { $0.activities[id]?.token != nil }
        expect(body.activities[id]?.token, "0102")
        // During a renewal both are reported, in two requests.
        let second = app.start(instance: 2)
        app.stage.provide(token: Data([3, 4]), for: second)
        body = await app.report { $0.activities[id]?.token == "0304" }
        expect(body.activities[id]?.instance, 2)
        app.stage.change(activity, to: .ended)
        body = await app.report { $0.activities[id]?.end == "ended" }
        expect(body.activities[id]?.instance, 1)
        expect(body.shows["WasherAttributes"], [.init(id: id, instance: 2)])
        // One that has ended is removed by iOS: that is not the user's doing.
        app.stage.change(activity, to: .dismissed)
        app.stage.allow(false)
        body = await app.report { $0.areActivitiesEnabled == false }
        expect(body.activities[id]?.end == nil)
        app.stage.allow(true)
        app.stage.change(second, to: .dismissed)
        body = await app.report { $0.activities[id]?.end == "dismissed" }
        expect(body.activities[id]?.instance, 2)
        expect(body.shows["WasherAttributes"], [])
        expect(app.phone.redrawn.contains("washer"))
    }

    /// The user places a widget; iOS provides the token for it later.
    @MainActor static func widgets() async {
        let app = App()
        app.reporter.launch()
        var body = await app.report { _ in true }
        expect(body.widgets, nil)
        app.phone.placed = SkerryReport.Widgets(kinds: ["washer"])
        app.reporter.refresh()
        body = await app.report { $0.widgets != nil }
        expect(body.widgets, SkerryReport.Widgets(kinds: ["washer"]))
        app.phone.placed?.token = "0e0f"
        app.reporter.refresh()
        body = await app.report { $0.widgets?.token != nil }
        expect(body.widgets?.token, "0e0f")
    }

    /// The keychain is locked until the phone is unlocked for the first time after its start.
    @MainActor static func unlocking() async {
        let phone = PlainPhone()
        let folder = newFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let transport = ScriptedTransport()
        let reporter = SkerryReporter(followers: [], phone: phone, folder: folder, transport: transport)
        reporter.launch()
        expect(reporter.pairing, nil)
        phone.kept = pairing
        expect(reporter.pairing, pairing)
        do {
            try await reporter.pair(URL(string: "skerry://pair?url=https%3A%2F%2Fa.example&code=A")!)
            expect(false, "a paired phone was paired again")
        } catch { expect("\(error)", "paired") }
        // What waited is sent.
        expect((await transport.next()).request.url?.path, "/home/v1/phones/5f0c2d4e/tokens")
    }

    /// What happened while the app was not running is reported at its launch.
    @MainActor static func sleepers() async {
        let app = App()
        app.stage.provide(startToken: Data([1]), for: WasherAttributes.self, isAnnounced: false)
        let running = app.start("washer/laundry/2", isAnnounced: false)
        app.stage.provide(token: Data([2]), for: running)
        let ended = app.start("washer/laundry/1", isAnnounced: false)
        app.stage.change(ended, to: .ended)
        let stale = app.start("washer/dryer/1", isAnnounced: false)
        app.stage.change(stale, to: .stale)
        app.reporter.launch()
        let body = await app.report { _ in true }
        expect(body.pushToStart, ["WasherAttributes": "01"])
        expect(
            body.activities,
            [
                "washer/laundry/2": .init(instance: 1, token: "02"),
                "washer/laundry/1": .init(instance: 1, end: "ended"),
                "washer/dryer/1": .init(instance: 1),
            ]
        )
        expect(
            body.shows["WasherAttributes"],
            [.init(id: "washer/laundry/2", instance: 1), .init(id: "washer/dryer/1", instance: 1)]
        )
    }

    /// Activities that the app itself removes are not reported as removed by the user.
    @MainActor static func duplicates() async {
        let app = App()
        let older = app.start(rev: 3, isAnnounced: false)
        let newer = app.start(rev: 4, isAnnounced: false)
        app.reporter.launch()
        var body = await app.report { _ in true }
        expect(older.activityState, .dismissed)
        expect(newer.activityState, .active)
        expect(body.activities[id], .init(instance: 1))
        expect(body.shows["WasherAttributes"], [.init(id: id, instance: 1)])
        // The user removed it while the app did not run, and the bridge says so when a renewal has brought it back.
        app.reporter.report()
        _ = await app.report(removed: [id]) { _ in true }
        app.reporter.report()
        body = await app.report { $0.shows["WasherAttributes"]?.isEmpty == true }
        expect(newer.activityState, .dismissed)
        app.stage.allow(false)
        _ = await app.report { $0.areActivitiesEnabled == false }
        expect(app.ends, [])
    }

    /// A phone that forgets its gateway, which nobody could tell, has no cards of it any more.
    @MainActor static func leaving() async {
        let app = App()
        app.phone.kept?.gateway = URL(string: "http://127.0.0.1:9")!
        let shown = app.start(isAnnounced: false)
        let test = app.start("washer/skerry-test/1", isAnnounced: false)
        app.reporter.launch()
        _ = await app.report { $0.shows["WasherAttributes"]?.count == 2 }
        app.phone.redrawn = []
        do {
            try await app.reporter.unpair()
            expect(false, "a gateway answered that is none")
        } catch { expect("\(error)", "unreachable") }
        expect(shown.activityState, .dismissed)
        expect(test.activityState, .dismissed)
        expect(app.phone.kept, nil)
        expect(app.phone.redrawn.contains("all"))
    }

    /// A card that the user hides is ended by the app, and so is one that comes later; the choice outlives the app.
    @MainActor static func choices() async {
        let app = App()
        let hidden = app.start("washer/my/room/1", isAnnounced: false)
        let shown = app.start("washer/my/1", isAnnounced: false)
        app.reporter.launch()
        var body = await app.report { _ in true }
        expect(body.hides, nil)
        expect(app.reporter.kinds, ["washer"])
        app.reporter.hide("washer/my/room", true)
        body = await app.report { $0.hides == ["washer/my/room"] }
        expect(hidden.activityState, .dismissed)
        expect(shown.activityState, .active)
        expect(body.shows["WasherAttributes"], [.init(id: "washer/my/1", instance: 1)])
        app.reporter.hide("washer", true)
        body = await app.report { $0.hides == ["washer/my/room", "washer"] }
        expect(body.shows["WasherAttributes"], [])
        let late = app.start("washer/my/2")
        let test = app.start("washer/skerry-test/1")
        body = await app.report { $0.shows["WasherAttributes"]?.isEmpty == false }
        while late.activityState != .dismissed { await Task.yield() }
        expect(test.activityState, .active)
        app.reporter.noteOpening(of: "washer/my/room")
        body = await app.report { $0.opened != nil }
        expect(body.opened?.device, "washer/my/room")
        app.reporter.hide("washer", false)
        body = await app.report { $0.hides == ["washer/my/room"] }
        expect(body.opened, nil)
        expect(app.ends, [])
        let again = SkerryReporter(
            followers: [],
            phone: app.phone,
            folder: app.folder,
            transport: ScriptedTransport()
        )
        expect(again.hidden, ["washer/my/room"])
        for number in 0..<100 { again.hide("oven/\(number)", true) }
        expect(again.hidden?.count, SkerryReport.choiceLimit)
    }
}
