import Foundation
import SkerryDashboard
import SkerryGateway
import SkerryPhones
import SkerryValues
import Synchronization
import Testing

/// The HTTP API over a socket: pairing, who may what, and what is reported.
@Suite struct ServerTests {
    @Test func pairsAPhoneOnce() async throws {
        let phones = NotedPhones()
        try await RunningServer.use(phones) { server in
            let offer = try await server.admin.asked("POST", "/v1/pairings").json
            let code = try #require(offer["code"].text)
            let pairing = try #require(offer["pairing"].text)
            #expect(offer["link"].text == "skerry://pair?url=http://127.0.0.1:0&code=\(code)")
            #expect(
                try await server.admin.asked("GET", "/v1/pairings/\(pairing)").json["state"].text == "open"
            )
            let body = Array(#"{"code":"\#(code.lowercased())","name":"Ada"}"#.utf8)
            let answer = try await server.client().asked("POST", "/v1/pair", body: body)
            #expect(answer.status == 201)
            #expect(answer.json["token"].text?.count == 64)
            #expect(try await server.client().asked("POST", "/v1/pair", body: body).problem == "wrong-code")
            let outcome = try await server.admin.asked("GET", "/v1/pairings/\(pairing)").json
            #expect(outcome["state"].text == "paired")
            #expect(outcome["name"].text == "Ada")
            #expect(phones.phones().map(\.name) == ["Ada"])
            #expect(phones.credential(of: phones.phones()[0].id)?.count == 32)
        }
    }

    @Test func namesAreToldApart() async throws {
        let phones = NotedPhones()
        try await RunningServer.use(phones) { server in
            for _ in 0..<3 { _ = try await server.pair("iPhone") }
            #expect(phones.phones().map(\.name) == ["iPhone", "iPhone 2", "iPhone 3"])
        }
    }

    @Test func tenWrongCodesKeepOutOneAddressOnly() async throws {
        try await RunningServer.use { server in
            let code = try #require(try await server.admin.asked("POST", "/v1/pairings").json["code"].text)
            for _ in 0..<10 {
                let wrong = Array(#"{"code":"AAAAAAAA"}"#.utf8)
                #expect(try await server.client().asked("POST", "/v1/pair", body: wrong).status == 403)
            }
            let right = #"{"code":"\#(code)"}"#
            let refusal = try await server.client().asked("POST", "/v1/pair", body: Array(right.utf8))
            #expect(refusal.status == 429)
            #expect(refusal.problem == "too-many-codes")
            let phone = try RawConnection(server.address, from: "127.0.0.2")
            phone.send(
                "POST /v1/pair HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(right.utf8.count)\r\n\r\n\(right)"
            )
            #expect(await phone.rest().hasPrefix("HTTP/1.1 201"))
        }
    }

    @Test func aCodeSurvivesAStoreThatRefuses() async throws {
        let phones = NotedPhones()
        try await RunningServer.use(phones) { server in
            let code = try #require(try await server.admin.asked("POST", "/v1/pairings").json["code"].text)
            let body = Array(#"{"code":"\#(code)"}"#.utf8)
            phones.state.withLock { $0.fault = StoreFault("the disk is full") }
            let refusal = try await server.client().asked("POST", "/v1/pair", body: body)
            #expect(refusal.status == 503)
            #expect(refusal.json["detail"].text?.contains("the disk is full") == true)
            phones.state.withLock { $0.fault = nil }
            #expect(try await server.client().asked("POST", "/v1/pair", body: body).status == 201)
        }
    }

    @Test func everyAddressAsksWhoIsThere() async throws {
        try await RunningServer.use { server in
            let ada = try await server.pair("Ada")
            let bert = try await server.pair("Bert")
            let cases: [(method: String, path: String, allowed: [String])] = [
                ("POST", "/v1/pairings", ["admin"]), ("GET", "/v1/phones", ["admin", "nobody"]),
                ("GET", "/v1/phones/\(ada.id)", ["admin", "ada", "nobody"]),
                ("PUT", "/v1/phones/\(ada.id)/tokens", ["ada"]),
                ("POST", "/v1/phones/\(ada.id)/tokens", ["ada"]),
                ("GET", "/v1/phones/nobody", ["admin", "nobody"]),
                ("GET", "/v1/activities", ["admin", "ada", "bert", "nobody"]),
                ("GET", "/v1/activities/washer/laundry", ["admin", "ada", "bert", "nobody"]),
            ]
            let tokens = [
                "admin": server.admin.token, "ada": ada.token, "bert": bert.token, "nobody": nil,
                "wrong": String(repeating: "0", count: 64),
            ]
            for (method, path, allowed) in cases {
                for (name, token) in tokens {
                    let status = try await server.client(token).asked(method, path, body: Array("{}".utf8))
                        .status
                    #expect(
                        ![401, 403].contains(status) == allowed.contains(name),
                        "\(name): \(method) \(path): \(status)"
                    )
                }
            }
            let answer = try await server.stranger.asked("GET", "/v1/phones")
            #expect(answer.fields["www-authenticate"] == "Bearer")
        }
    }

    @Test func takesReports() async throws {
        let phones = NotedPhones()
        try await RunningServer.use(phones) { server in
            let ada = try await server.pair()
            let path = "/v1/phones/\(ada.id)/tokens"
            let body = Array(#"{"pushToStart":{"WasherAttributes":"AABBCCDD"},"iosVersion":"18.2"}"#.utf8)
            #expect(try await server.client(ada.token).asked("PUT", path, body: body).status == 200)
            let report = PhoneReport(
                confirmedAt: RunningServer.now,
                systemVersion: "18.2",
                startTokens: [.init(type: "WasherAttributes", token: .known("aabbccdd"))]
            )
            #expect(phones.state.withLock { $0.reports } == [report])
            let wrong = try await server.client(ada.token).asked(
                "PUT",
                path,
                body: Array(#"{"pushToStart":7}"#.utf8)
            )
            #expect(wrong.status == 400)
            #expect(wrong.json["path"].text == "/pushToStart")
            phones.state.withLock { $0.fault = StoreFault("no room") }
            let refused = try await server.client(ada.token).asked("PUT", path, body: body)
            #expect(refused.status == 503)
            #expect(refused.fields["retry-after"] == "30")
        }
    }

    @Test func tellsOfPhonesWithoutTheirSecrets() async throws {
        let phones = NotedPhones()
        try await RunningServer.use(phones) { server in
            let ada = try await server.pair("Ada")
            phones.state.withLock { state in
                state.phones[0].bundleID = "org.example.home"
                state.phones[0].environment = .development
                state.phones[0].startTokens = [.init(type: "A", confirmedAt: RunningServer.now)]
                state.phones[0].widgets = .init(kinds: ["oven"], confirmedAt: RunningServer.now)
                state.phones[0].hides = ["oven", "washer/l"]
                state.phones[0].activities = [
                    .init(id: "w/l/1", instance: 2, tokenConfirmedAt: nil, end: .dismissed)
                ]
                state.phones[0].counts[.notification].sent = 2
                state.phones[0].counts[.notification].accepted = 1
                state.phones[0].budgets = [.init(name: "starts", used: 1, limit: 8)]
            }
            let expected = """
                {"phone":"\(ada.id)","name":"Ada","person":null,"pairedAt":1790000000,"heardAt":1790000000,\
                "bundleId":"org.example.home","environment":"development","iosVersion":null,"frequentUpdates":null,"areActivitiesEnabled":null,\
                "notificationsConfirmedAt":null,"widgets":{"kinds":["oven"],"confirmedAt":1790000000},"hides":["oven","washer/l"],\
                "pushToStart":[{"type":"A","confirmedAt":1790000000}],\
                "activities":[{"id":"w/l/1","instance":2,"tokenConfirmedAt":null,"end":"dismissed","muted":false}],\
                "budgets":[{"name":"starts","used":1,"limit":8}],\
                "pushes":{"start":{"sent":0,"accepted":0,"refused":0},"update":{"sent":0,"accepted":0,"refused":0},\
                "end":{"sent":0,"accepted":0,"refused":0},"notification":{"sent":2,"accepted":1,"refused":0},\
                "widgets":{"sent":0,"accepted":0,"refused":0}}}
                """
            #expect(try await server.client(ada.token).asked("GET", "/v1/phones/\(ada.id)").text == expected)
            let all = try await server.admin.asked("GET", "/v1/phones").text
            #expect(all == #"{"now":1790000000,"phones":[\#(expected)]}"#)
        }
    }

    @Test func `metrics have the pushes to each phone, for the administrator alone`() async throws {
        let phones = NotedPhones()
        try await RunningServer.use(phones, house: NotedHouse { _ in .found([]) }) { server in
            let ada = try await server.pair(#"Ada's \\ \"new\" one"#)
            phones.state.withLock { $0.phones[0].counts[.notification].sent = 3 }
            let text = try await server.admin.asked("GET", "/metrics").text
            let label = #"{phone="Ada's \\ \"new\" one",event="notification"}"#
            #expect(text.contains("\nskerry_pushes_sent_total\(label) 3\n"))
            #expect(text.contains("# TYPE skerry_pushes_refused_total counter\n"))
            #expect(try await server.client(ada.token).asked("GET", "/metrics").text.isEmpty)
        }
    }

    @Test func forgetsAPhone() async throws {
        try await RunningServer.use { server in
            let ada = try await server.pair()
            let path = "/v1/phones/\(ada.id)"
            let answer = try await server.client(ada.token).asked("DELETE", path)
            #expect(answer.status == 204)
            #expect(try await server.client(ada.token).asked("GET", path).status == 401)
            #expect(try await server.admin.asked("DELETE", path).problem == "unknown-phone")
        }
    }

    @Test func aSecondServerCantHaveTheAddress() async throws {
        try await RunningServer.use { server in
            await #expect(throws: DashboardServer.BindFault.self) {
                let options = DashboardOptions(address: server.address)
                try await RunningServer.use(options: options) { _ in }
            }
        }
    }

    @Test func anAddressIsFreeAfterTheEnd() async throws {
        var address: HTTPAddress?
        try await RunningServer.use { address = $0.address }
        let options = DashboardOptions(address: try #require(address))
        try await RunningServer.use(options: options) { server in
            let status = try await server.admin.asked("GET", "/v1/phones").status
            #expect(status == 200)
        }
    }
}
