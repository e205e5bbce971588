import SkerryGateway
import Testing

@testable import SkerryDashboard

@Suite("Links for guests")
struct GuestLinkTests {
    static let links = [
        GuestLink(
            to: DeviceKey(kind: "washer", name: "laundry"),
            activity: "washer/laundry/17960084",
            inviter: nil
        ),
        GuestLink(
            to: DeviceKey(kind: "order", name: "Ä b/ü?"),
            activity: "order/7",
            inviter: "0123456789abcde"
        ),
    ]

    @Test("a link says what it shows, to whoever has the key", arguments: links)
    func roundTrip(link: GuestLink) {
        let text = link.text(key: "admin")
        #expect(GuestLink(text: text, key: "admin") == link)
        #expect(text.wholeMatch(of: /[\w.-]+/) != nil, "an address and a cookie take it as it is")
    }

    @Test("a link that was changed, cut or signed with another key shows nothing", arguments: links)
    func forged(link: GuestLink) {
        let text = link.text(key: "admin")
        #expect(GuestLink(text: text, key: "other") == nil)
        for place in text.indices {
            var forged = text
            forged.replaceSubrange(place...place, with: text[place] == "A" ? "Q" : "A")
            #expect(GuestLink(text: forged, key: "admin") == nil, "\(forged)")
            #expect(GuestLink(text: String(text[..<place]), key: "admin") == nil)
        }
        for other in ["", ".", "..", "0123456789abcdef", text + ".", text + "0"] {
            #expect(GuestLink(text: other, key: "admin") == nil, "\(other)")
        }
    }

    @Test("a link goes on after a restart, until the run is over")
    func restart() async throws {
        let log = EventLog { RunningServer.now }
        log.take(StreamTests.beginning(of: "laundry"))
        var path = ""
        let secret = try RunningServer.secret()
        try await RunningServer.use(log: log, secret: secret) { server in
            let link = try await server.ask("POST", "/v1/guests", [], body: #"{"device":"washer/laundry"}"#)
            let text = try #require(link.answer.firstMatch(of: /guest=([\w.-]+)/)).output.1
            path = "/v1/activities/washer/laundry?guest=\(text)"
        }
        try await RunningServer.use(log: log, secret: secret) { server in
            let answer = try await server.ask("GET", path, ["X-Real-IP: 10.0.0.1"])
            #expect(answer.status == "200")
        }
        try await RunningServer.use(log: EventLog { RunningServer.now }, secret: secret) { server in
            let answer = try await server.ask("GET", path, ["X-Real-IP: 10.0.0.1"])
            #expect(answer.status == "401")
        }
    }
}
