// The device that a person chooses: what the widget shows of it, and what Siri says.

import Foundation
import Security
import WidgetKit

@main
@MainActor
struct Devices {
    private static let server = Answering()
    private static let laundry = SkerryDeviceEntity(kind: "washer", device: "w1", name: "Laundry / left")
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    static func main() async throws {
        let pairing = SkerryPairing(gateway: server.address, phone: "5f", token: "secret", name: "Ada")
        expect(SkerryKeychain.store(pairing))
        try await choosing()
        timelines()
        sentences()
        await answers()
        await widgets()
        placing()
        print(failures == 0 ? "all is well" : "\(failures) failures")
        exit(0)
    }

    /// The devices of known kinds are offered by their names, with their rooms; a choice is known without the gateway.
    private static func choosing() async throws {
        let query = SkerryDeviceQuery()
        server.say("404 Not Found", "")
        server.say(
            "200 OK",
            """
            {"devices":[{"kind":"washer","device":"w2"},{"kind":"oven","device":"o"},
            {"kind":"washer","device":"w1","name":"Laundry / left"}]}
            """,
            to: "/v1/devices"
        )
        let offered = try await query.suggestedEntities()
        expect(offered.map(\.name), ["", "Laundry / left", "w2"])
        expect(offered.map(\.place), ["", "Washing machine", "Washing machine"])
        server.say(
            "200 OK",
            #"{"cards":[{"kind":"washer","device":"w1","room":"Cellar"},{"kind":"washer","device":"w2"}]}"#,
            to: "/v1/cards"
        )
        expect(try await query.suggestedEntities().map(\.place), ["", "Cellar", "Washing machine"])
        for (words, found) in [
            ("laundry", ["w1"]), ("cellar", ["w1"]), ("washing", ["w1", "w2"]), ("oven", []),
        ] {
            expect(try await query.entities(matching: words).map(\.device), found)
        }
        expect(await query.defaultResult()?.id, "/")
        try await renaming()
    }

    /// A choice is the same after its device got another name, which it has once the gateway has told it.
    private static func renaming() async throws {
        let query = SkerryDeviceQuery()
        let known = ["/", "washer/w1", "washer/w2"]
        // Earlier versions kept the name with the choice.
        let former = ["//", "washer/w1/Old", "washer/w4/Old / two"]
        let ids = known + former + ["oven/o", "washer"]
        server.say(
            "200 OK",
            #"{"devices":[{"kind":"washer","device":"w1","name":"New"},{"kind":"washer","device":"w2"}]}"#,
            to: "/v1/devices"
        )
        for names in [["", "Laundry / left", "w2"], ["", "New", "w2"]] {
            let chosen = try await query.entities(for: ids)
            expect(chosen.map(\.id), known + former)
            expect(chosen.map(\.device), ["", "w1", "w2", "", "w1", "w4"])
            expect(chosen.map(\.name), names + ["", names[1], "Old / two"])
            expect(try await query.suggestedEntities().map(\.id), known)
        }
        // Without the gateway the names stay, until the phone is paired with another one.
        server.say("503 Service Unavailable", "", to: "/v1/devices")
        expect((try? await query.suggestedEntities())?.count, nil)
        expect(try await query.entities(for: known).map(\.name), ["", "New", "w2"])
        expect(SkerryKeychain.store(SkerryKeychain.pairing()))
        expect(try await query.entities(for: known).map(\.name), ["", "w1", "w2"])
    }

    private static func snapshot(_ json: String) -> SkerrySnapshot {
        let element = try? JSONSerialization.jsonObject(with: Data(json.utf8))
        guard let snapshot = element.flatMap({ SkerrySnapshot($0) }) else { fatalError(json) }
        return snapshot
    }

    private static func timeline(_ rest: String, of activity: SkerrySnapshot) -> SkerryTimeline? {
        SkerryTimeline(Data("{\(rest)}".utf8), of: activity, at: Date(timeIntervalSince1970: 150))
    }

    /// The forecast is read as far as it is understood, and those of several activities become one.
    private static func timelines() {
        let activity = snapshot(#"{"id":"washer/w1/1","attributes":{"name":"Laundry"}}"#)
        let entries = """
            "entries":[{"date":100,"phase":"active","state":"running","content":{"status":"Running"}},
            {"date":200,"phase":"ended","state":"done","content":{"status":"Done"}},{"date":300,"phase":"gone"}]
            """
        let whole = timeline("\"policy\":\"after\",\"after\":500,\(entries)", of: activity)
        expect(whole?.entries.map(\.date.timeIntervalSince1970), [150, 200, 300])
        let shown = whole?.entries.map { $0.activities.map { $0.decode(WasherAttributes.ContentState.self) } }
        expect(shown?.map { $0.map { $0?.content.status } }, [["Running"], ["Done"], []])
        expect(whole?.entries[1].activities.first?.phase, "ended")
        let attributes = whole?.entries[1].activities.first?.decode(WasherAttributes.self)
        expect(attributes?.attributes.name, "Laundry")
        // Buttons of a card send events to its device, and a touch opens it in the app.
        expect(attributes?.device, "w1")
        expect(attributes?.url?.absoluteString, "skerry://washer/w1")
        let named = snapshot(#"{"id":"washer/my room/1"}"#).decode(WasherAttributes.self)
        expect(named?.url?.absoluteString, "skerry://washer/my%20room")
        for (policy, next) in [
            ("\"policy\":\"after\",\"after\":500", 500.0), ("\"policy\":\"after\",\"after\":100", 210),
            ("\"policy\":\"atEnd\"", 300), ("\"policy\":\"never\"", 3750), ("\"policy\":7", 3750),
        ] {
            expect(timeline("\(policy),\(entries)", of: activity)?.next.timeIntervalSince1970, next)
        }
        expect(timeline("\"entries\":7", of: activity)?.entries.map(\.activities.count), [0])
        expect(SkerryTimeline(Data("[]".utf8), of: activity, at: now), nil)
        let other = snapshot(#"{"id":"washer/w2/1"}"#)
        let second = timeline(
            #""policy":"atEnd","entries":[{"date":100,"phase":"active"},{"date":250,"phase":"gone"}]"#,
            of: other
        )
        let joined = SkerryTimeline([whole, second].compactMap { $0 }, at: Date(timeIntervalSince1970: 150))
        expect(joined.entries.map(\.date.timeIntervalSince1970), [150, 200, 250, 300])
        let seen = joined.entries.map { $0.activities.map(\.device).joined(separator: " ") }
        expect(seen, ["w1 w2", "w1 w2", "w1", ""])
        expect(joined.next.timeIntervalSince1970, 250)
        let empty = SkerryTimeline([], at: now)
        expect(empty.entries.map(\.activities.count), [0])
        expect(empty.next, now.addingTimeInterval(3600))
    }

    private static func sentences() {
        let end = Int(now.timeIntervalSince1970) + 701
        let time = Date(timeIntervalSince1970: Double(end)).formatted(date: .omitted, time: .shortened)
        for (rest, said) in [
            (
                #""attributes":{"name":"Laundry"},"content":{"status":"Running","cycle":{"end":\#(end)}}"#,
                "Laundry: Running, 12 minutes left, until \(time)."
            ),
            (
                #""state":"paused","content":{"status":"Paused","cycle":{"remaining":3600,"duration":7200}}"#,
                "w1: Paused, paused, 1 hour left."
            ),
            (#""state":"running","content":{"cycle":{"end":5}}"#, "w1: running."),
            (
                #""phase":"stale","attributes":{"name":7},"content":{"status":"Running"}"#,
                "w1: Running, may be out of date."
            ),
            (
                #""phase":"ended","content":{"status":"Laundry is done","cycle":{"end":\#(end)}}"#,
                "w1: Laundry is done."
            ),
        ] {
            expect(snapshot(#"{"id":"washer/w1/1",\#(rest)}"#).sentence(at: now), said)
        }
    }

    /// What is at work comes before what has ended, and kinds that this app does not know are left out.
    private static func answers() async {
        server.say("200 OK", #"{"activities":[],"next":null}"#, to: "/v1/activities")
        expect(await laundry.answer(at: now).words, "Laundry / left is not at work")
        expect(await SkerryDeviceEntity.whatever.answer(at: now).words, "Nothing is at work")
        server.say(
            "200 OK",
            """
            {"activities":[
            {"id":"washer/w1/2","at":9,"phase":"ended","content":{"status":"Done"}},
            {"id":"oven/o/1","at":8,"phase":"active","content":{"status":"Baking"}},
            {"id":"washer/w2/1","at":2,"phase":"active","content":{"status":"Running"}},
            {"id":"washer/w3/1","at":3,"phase":"active","content":{"status":"Spinning"}}],"next":null}
            """,
            to: "/v1/activities"
        )
        expect(await laundry.answer(at: now).words, "w1: Done.")
        let whatever = await SkerryDeviceEntity.whatever.answer(at: now)
        expect(whatever.words, "w3: Spinning. w2: Running. w1: Done.")
        expect(whatever.activities.map(\.device), ["w3", "w2", "w1"])
        expect(SkerryAskIntent(laundry).device.device, "w1")
    }

    /// The gallery shows a sample at once, and a widget what the gateway tells.
    private static func widgets() async {
        let provider = SkerryDeviceProvider()
        func shown(_ entry: SkerryDeviceEntry) -> String {
            switch entry.content {
            case .sample(let kind): "a sample of \(kind)"
            case .activities(let activities): activities.map(\.device).joined(separator: ", ")
            case .unknown: "nothing is known"
            }
        }
        let small = TimelineProviderContext(family: .systemSmall)
        let large = TimelineProviderContext(family: .systemLarge)
        let gallery = TimelineProviderContext(family: .systemSmall, isPreview: true)
        let whatever = SkerryWidgetIntent()
        let chosen = SkerryWidgetIntent()
        chosen.device = laundry
        expect(shown(provider.placeholder(in: small)), "a sample of washer")
        expect(shown(await provider.snapshot(for: whatever, in: gallery)), "a sample of washer")
        expect(shown(await provider.snapshot(for: chosen, in: gallery)), "a sample of washer")
        let forecast = #"{"entries":[{"date":1,"phase":"active"},{"date":9e10,"phase":"gone"}]}"#
        for device in ["w1", "w2", "w3"] {
            server.say("200 OK", forecast, to: "/v1/activities/washer/\(device)/timeline")
        }
        for (intent, context, seen) in [
            (whatever, small, ["w3", ""]), (whatever, large, ["w3, w2", ""]), (chosen, small, ["w1", ""]),
            (chosen, large, ["w1", ""]),
        ] {
            let entries = await provider.timeline(for: intent, in: context).entries
            expect(entries.map(shown), seen)
            expect(entries.map { $0.relevance?.score }, [1, 0])
            expect(shown(await provider.snapshot(for: intent, in: context)), seen[0])
        }
        server.say("503 Service Unavailable", "", to: "/v1/activities")
        let unknown = await provider.timeline(for: whatever, in: small)
        expect(unknown.entries.map(shown), ["nothing is known"])
        expect(unknown.policy, .after(unknown.entries[0].date.addingTimeInterval(900)))
        expect(await laundry.answer(at: now).words, SkerryGatewayError.unreachable.errorDescription)
    }

    /// Skerry has widgets drawn again for the kinds that they show: also for widgets that an app has of its own.
    private static func placing() {
        let chosen = SkerryWidgetIntent()
        chosen.device = SkerryDeviceEntity(kind: "dryer", device: "d", name: "D")
        let widgets = [
            WidgetInfo(kind: "skerry.device", intent: chosen), WidgetInfo(kind: "an app's own", intent: nil),
        ]
        expect(SkerryWidgetIntent.kinds(shownBy: widgets), ["an app's own", "dryer"])
        for intent in [nil, SkerryWidgetIntent()] {
            let widgets = [WidgetInfo(kind: "skerry.device", intent: intent)]
            expect(SkerryWidgetIntent.kinds(shownBy: widgets), ["washer"])
        }
    }
}
