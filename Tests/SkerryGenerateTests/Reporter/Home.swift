// The generated app at home and in other networks, with a keychain that a test locks.

import ActivityKit
import Foundation
import Security
import UIKit
import UserNotifications

@main
@MainActor
struct Home {
    static func main() async {
        let server = Answering()
        let pairing = SkerryPairing(gateway: server.address, phone: "5f", token: "secret", name: "Ada")
        expect(SkerryKeychain.store(pairing))

        // iOS launches the app after a restart of the phone, before anybody has unlocked it.
        Keychain.shared.isLocked = true
        let house = House()
        house.wake()
        expect(house.pairing, nil)
        Keychain.shared.isLocked = false
        house.wake()
        expect(house.pairing, pairing)

        server.say("200 OK", #"{"activities":[{"id":"washer/laundry/1"}],"next":null}"#)
        await house.refresh()
        expect(house.activities.map(\.device), ["laundry"])
        expect(house.silence, nil)

        // In another network a router, or the gateway of a neighbour, has the address: nothing is forgotten.
        func hear(_ error: SkerryGatewayError) async {
            await house.refresh()
            expect(house.silence, error.errorDescription)
            expect(house.trouble, nil)
            expect(house.pairing, pairing)
            expect(SkerryKeychain.pairing(), pairing)
            expect(house.activities.count, 1)
        }
        // Without `WWW-Authenticate: Basic`, which a router would say, and after which Foundation on Linux never answers.
        server.say("401 Unauthorized", "<html>")
        await hear(.noBridge)
        server.say("401 Unauthorized", #"{"status":401,"message":"Unauthorized"}"#)
        await hear(.noBridge)
        server.say("401 Unauthorized", #"{"status":401,"code":"unauthorized"}"#)
        await hear(.unpaired)
        server.say("503 Service Unavailable", "")
        await hear(.unreachable)
        server.say("200 OK", #"{"activities":[],"next":null}"#)
        await house.refresh()
        expect(house.silence, nil)
        expect(house.activities, [])
        // A question that the app takes back, because its view is gone, says nothing of the gateway.
        server.say("503 Service Unavailable", "")
        let question = Task { await house.refresh() }
        question.cancel()
        await question.value
        expect(house.silence, nil)

        await links(house, server)
        await following(house, server)
        await muting(house, server)
        await notifying()
        await leaving(house, server, pairing)
        await self.pairing(house, server)
        print(failures == 0 ? "all is well" : "\(failures) failures")
        exit(0)
    }

    /// The app asks for notifications while it is open, and a tap on one opens its link.
    private static func notifying() async {
        let center = UNUserNotificationCenter.current()
        let phone = SkerryHandset()
        UIApplication.shared.applicationState = .background
        expect(await phone.allowsNotifications(), nil)
        expect(await phone.widgets(), nil)
        UIApplication.shared.applicationState = .active
        expect(await phone.widgets()?.kinds, [])
        center.isAllowed = false
        expect(await phone.allowsNotifications(), false)
        expect(UIApplication.shared.registrations, 0)
        center.isAllowed = true
        expect(await phone.allowsNotifications(), true)
        expect(UIApplication.shared.registrations, 1)
        expect(center.asked, [[.alert, .sound], [.alert, .sound]])
        let delegate = SkerryAppDelegate()
        center.delegate = delegate
        center.tap(["activity": "washer/laundry/1"])
        center.tap(["link": "https://example.org/cellar", "activity": "washer/laundry/1"])
        center.tap(["link": "skerry://washer/cellar", "activity": "washer/laundry/1"])
        center.tap(["link": "https://example.org/", "activity": "washer/skerry-test/1"])
        while UIApplication.shared.opened.last != "https://example.org/" { await Task.yield() }
        expect(
            UIApplication.shared.opened.suffix(5),
            [
                "skerry://washer/laundry", "skerry://washer/laundry", "https://example.org/cellar",
                "skerry://washer/cellar", "https://example.org/",
            ]
        )
    }

    /// iOS hands the app the links of its activities, whatever they lead to.
    private static func links(_ house: House, _ server: Answering) async {
        for link in ["tel:+4930123", "https://example.org/map", "oven://washer"] {
            if let link = URL(string: link) { await house.open(link) }
        }
        expect(UIApplication.shared.opened, ["tel:+4930123", "https://example.org/map", "oven://washer"])
        expect(house.trouble, nil)
        UIApplication.shared.canOpen = false
        if let link = URL(string: "oven://oven") { await house.open(link) }
        expect(house.trouble, "No app on this phone opens oven://oven.")
        house.isInTrouble = false
        // A widget shows what has no card here: its link leads to the page of its device, too.
        server.say(
            "200 OK",
            #"{"activities":[{"id":"washer/cellar/1","link":"https://example.org/cellar"}],"next":null}"#
        )
        // The link does not wait for the gateway.
        var known: [String] = []
        UIApplication.shared.willOpen = { known = house.activities.map(\.id) }
        if let link = URL(string: "https://example.org/cellar") { await house.open(link) }
        UIApplication.shared.willOpen = {}
        expect(known.contains("washer/cellar/1"), false)
        expect(house.page, "washer/cellar")
        expect(house.trouble, nil)
        house[pages: .now] = []
        // A link of this app shows the page of a device; another one shows what is at work.
        server.say(
            "200 OK",
            #"{"activities":[{"id":"oven/a/1","at":9},{"id":"washer/my room/1","at":1}],"next":null}"#
        )
        await house.refresh()
        expect(house.activities.map(\.kind), ["oven", "washer"])
        for (link, page) in [
            ("skerry://washer/my%20room", "washer/my room"), ("skerry://nap/my%20room", nil),
            ("skerry://washer/", nil), ("skerry://", nil), ("SKERRY://washer/a", "washer/a"),
        ] {
            house.tab = .settings
            house[pages: .now] = []
            if let link = URL(string: link) { await house.open(link) }
            expect(house.tab, .now)
            expect(house.page, page)
        }
        expect(UIApplication.shared.opened.count, 5)
        await cards(house)
        // Each kind of the app, with the devices that are known.
        expect(house.choices, ["washer", "washer/my room"])
        house[shows: "washer/my room"] = false
        expect(house.hidden, ["washer/my room"])
        house[shows: "washer/my room"] = true
        expect(SkerryReporter.shared.hidden, [])
        // People read the names that they gave, also of devices that have never run.
        _ = server.questions()
        server.say(
            "200 OK",
            #"{"devices":[{"kind":"washer","device":"w1","name":"Laundry"},{"kind":"oven","device":"a"}]}"#
        )
        await house.readDevices()
        expect(server.questions(), ["GET /v1/devices "])
        expect(house.choices, ["washer", "washer/my room", "washer/w1"])
        expect(house.choices.map(house.title), ["Washing machine", "my room", "Laundry"])
    }

    /// The link of a card leads to its app, above the page of its device; to the page alone if no app opens it.
    private static func cards(_ house: House) async {
        var attributes = WasherAttributes()
        (attributes.id, attributes.link) = ("washer/cellar/1", "oven://cellar")
        _ = ActivityStage.shared.start(attributes, WasherAttributes.ContentState())
        for canOpen in [false, true] {
            UIApplication.shared.canOpen = canOpen
            house[pages: .now] = []
            if let link = URL(string: "oven://cellar") { await house.open(link) }
            expect(house.page, "washer/cellar")
            expect(house.trouble, nil)
        }
        expect(UIApplication.shared.opened.suffix(2), ["oven://cellar", "oven://cellar"])
    }

    /// The app takes in what the stream tells, goes on where it ended, and asks where there is none.
    private static func following(_ house: House, _ server: Answering) async {
        func follow(until isSo: () -> Bool) async {
            let following = Task { await house.follow() }
            while !isSo() { await Task.yield() }
            following.cancel()
            await following.value
        }
        server.say("503 Service Unavailable", "")
        let asked = #"{"activities":[{"id":"washer/asked/1","rev":1}],"next":null}"#
        server.say("200 OK", asked, to: "/activities")
        house[pages: .now] = []
        // The stream fails, and the question after it is answered.
        var questions: [String] = []
        await follow {
            questions += server.questions()
            return questions.contains("GET /v1/stream ") && house.silence == nil
        }
        expect(house.activities.map(\.device), ["asked"])
        expect(questions.first, "GET /v1/activities ")
        expect(questions.suffix(2), ["GET /v1/stream ", "GET /v1/activities "])
        let events = [
            #"{"activities":[{"id":"washer/a/1","epoch":5,"rev":1,"phase":"active"}]}"#,
            #"{"id":"washer/a/1","epoch":5,"rev":2,"prev":1,"patch":{"phase":"ended"}}"#,
            #"{"kind":"washer","device":"a","at":7}"#,
        ]
        let texts = zip(["snapshot", "diff", "device"], events).map { "id: x-1\nevent: \($0)\ndata: \($1)" }
        server.stream(texts)
        house.tab = .before
        house[pages: .before] = ["washer/a"]
        await follow { house.explanation(of: "washer/a") != nil }
        expect(house.activities.map(\.phase), ["ended"])
        expect(house.explanation(of: "washer/b"), nil)
        expect(house.silence, nil)
        expect(server.questions().last, "GET /v1/stream?device=washer%2Fa ")
        // The next stream begins where the last one ended; a diff that follows nothing known makes the app ask.
        server.stream([texts[1].replacing("washer/a", with: "washer/c")])
        house.tab = .now
        house[pages: .now] = []
        await follow { house.activities.map(\.device) == ["asked"] }
        expect(server.questions(), ["GET /v1/stream x-1", "GET /v1/activities "])
        await reading(house, server)
    }

    /// The page of a device asks for its reasons, its last runs and once for its definition; a person sends it events.
    private static func reading(_ house: House, _ server: Answering) async {
        server.say("404 Not Found", #"{"status":404,"code":"no-device"}"#)
        server.say("200 OK", #"{"machine":{"states":[]}}"#, to: "/v1/definitions")
        server.say(
            "200 OK",
            #"{"runs":[{"id":"r","kind":"washer","device":"a","start":1,"phases":[]}]}"#,
            to: "/v1/runs"
        )
        await house.read("washer/a")
        await house.read("washer/a")
        let all = [
            "GET /v1/devices/washer/a ", "GET /v1/definitions/washer ",
            "GET /v1/runs?device=a&kind=washer&limit=10 ",
        ]
        expect(server.questions(), all + [all[0], all[2]])
        expect(house.definitions.keys.sorted(), ["washer"])
        expect(house.lastRuns["washer/a"]?.count, 1)
        expect(house.silence, nil)
        server.say("202 Accepted", "")
        await house.send("stop", to: "washer/a")
        expect(server.questions(), [#"POST /v1/devices/washer/a/events {"event":"stop"}"#])
        expect(house.trouble, nil)
        server.say("503 Service Unavailable", "")
        await house.send("stop", to: "washer/a")
        expect(house.trouble, SkerryGatewayError.unreachable.errorDescription)
        _ = server.questions()
        house.isInTrouble = false
    }

    /// The alerts of one run are left out, and come again.
    private static func muting(_ house: House, _ server: Answering) async {
        _ = server.questions()
        server.say("200 OK", #"{"activities":[]}"#)
        await house.mute("oven/a/1", true)
        expect(house.muted, ["oven/a/1"])
        let question = server.questions().first ?? ""
        expect(question.hasPrefix("PUT /v1/phones/5f/tokens {"), question)
        expect(question.contains(#""oven\/a\/1":{"muted":true}"#), question)
        server.say("503 Service Unavailable", "")
        await house.mute("oven/a/1", false)
        expect(house.trouble, SkerryGatewayError.unreachable.errorDescription)
        expect(house.muted, ["oven/a/1"])
        house.isInTrouble = false
    }

    /// A person types the address of a gateway at home as it is, and the gateway has no certificate.
    private static func pairing(_ house: House, _ server: Answering) async {
        let address = server.address.absoluteString.replacingOccurrences(of: "http://", with: "")
        server.say("201 Created", #"{"phone":"60","token":"new","name":"Ada"}"#)
        await house.pair(address: address, code: "ACDE-3467")
        expect(house.trouble, nil)
        expect(house.pairing?.gateway, server.address)
        expect(house.pairing?.phone, "60")
        expect(server.questions().contains { $0.hasPrefix("POST /v1/pair {") })
    }

    /// The gateway forgets this phone, too; if it can't be told, or another one answered, the user is.
    private static func leaving(_ house: House, _ server: Answering, _ pairing: SkerryPairing) async {
        for (status, body, isTold) in [
            ("204 No Content", "", true), ("503 Service Unavailable", "", false),
            ("404 Not Found", #"{"status":404,"code":"unknown-phone"}"#, false),
        ] {
            expect(SkerryKeychain.store(pairing))
            house.wake()
            expect(house.pairing, pairing)
            server.say(status, body)
            _ = server.questions()
            await house.unpair()
            expect(server.questions(), ["DELETE /v1/phones/5f "])
            expect(house.pairing, nil)
            expect(SkerryKeychain.pairing(), nil)
            expect(house.trouble == nil, isTold)
            house.isInTrouble = false
        }
    }
}
