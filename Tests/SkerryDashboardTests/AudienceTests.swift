import SkerryActivity
import SkerryDashboard
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryValues
import Testing

/// Who sees what over HTTP: Ada's washer and Ben's order, on their phones and for everybody else.
@Suite struct AudienceTests {
    private static let now = RunningServer.now

    /// Ada's washer by the table, orders by their customer, and an oven for all.
    private static let policy = AudiencePolicy(
        rules: [AudiencePolicy.Rule("washer/*", people: ["Ada"])],
        kinds: [
            AudiencePolicy.Kind("washer"), AudiencePolicy.Kind("order", attribute: "customer"),
            AudiencePolicy.Kind("oven"),
        ]
    )

    /// A server with a phone of Ada and one of Ben, and the activities of three devices.
    private struct Household {
        let server: RunningServer
        let phones: NotedPhones
        let house: NotedHouse
        let ada: (id: String, token: String)
        let ben: (id: String, token: String)

        static func use(_ body: (Household) async throws -> Void) async throws {
            let phones = NotedPhones()
            phones.set(AudienceTests.policy)
            let house = NotedHouse()
            let log = EventLog { AudienceTests.now }
            for (kind, device) in [("order", "counter"), ("oven", "kitchen"), ("washer", "cellar")] {
                let (activity, update) = run(kind, device)
                log.take(effect(.update(update), kind, device))
                log.take(.foretold(kind: kind, device: device, ActivityTimeline(of: activity)))
            }
            try await RunningServer.use(phones, log: log, house: house) { server in
                let ada = try await server.pair("Ada's iPhone", person: "Ada")
                let ben = try await server.pair("Ben's iPhone", person: "Ben")
                let household = Household(server: server, phones: phones, house: house, ada: ada, ben: ben)
                try await body(household)
            }
        }

        /// A run of a device, which for an order is Ben's.
        static func run(
            _ kind: String,
            _ device: String,
            _ number: Int64 = 1,
            of customer: String = "Ben"
        ) -> (Activity, ActivityUpdate) {
            var attributes = ValueMap()
            if kind == "order" { attributes.set("customer", to: .string(customer)) }
            return Activity.start(
                ActivityPlan(kind: kind, fields: []),
                device: device,
                run: number,
                epoch: 5,
                state: "running",
                attributes: attributes,
                content: [],
                at: AudienceTests.now
            )
        }

        static func effect(_ what: DeviceEffect, _ kind: String, _ device: String) -> BridgeEvent {
            .effect(Effect(at: AudienceTests.now, kind: kind, device: device, what: what))
        }

        func status(
            _ token: String?,
            _ method: String,
            _ path: String,
            _ body: String = ""
        ) async throws -> Int {
            try await server.client(token).asked(method, path, body: Array(body.utf8)).status
        }

        func stream(
            _ token: String?,
            _ target: String = "/v1/stream",
            last: String? = nil
        ) throws -> StreamClient {
            let fields = [token.map { "Authorization: Bearer \($0)" }, last.map { "Last-Event-ID: \($0)" }]
            return try StreamClient(server, target, fields.compactMap { $0 })
        }
    }

    private static func devices(_ activities: Value) -> [String] {
        activities["activities"].elements.compactMap { $0["id"].text }
            .map { $0.split(separator: "/").dropLast().joined(separator: "/") }
    }

    @Test func `activities of others are not there`() async throws {
        try await Household.use { household in
            let (ada, ben, admin) = (household.ada.token, household.ben.token, household.server.admin.token)
            let all = ["order/counter", "oven/kitchen", "washer/cellar"]
            for (token, seen) in [
                (ada, ["oven/kitchen", "washer/cellar"]), (ben, ["order/counter", "oven/kitchen"]),
                (admin, all), (nil, all),
            ] {
                let list = try await household.server.client(token).asked("GET", "/v1/activities").json
                #expect(Self.devices(list) == seen)
                for device in all {
                    let status = try await household.status(token, "GET", "/v1/activities/\(device)")
                    #expect(status == (seen.contains(device) ? 200 : 404), "\(token ?? "local"): \(device)")
                }
            }
            let unknown = try await household.server.client(ben).asked("GET", "/v1/activities/washer/none")
            let hidden = try await household.server.client(ben).asked("GET", "/v1/activities/washer/cellar")
            #expect(unknown.body == hidden.body, "nothing tells a hidden device from one that is not there")
            // One activity for each page: the next page leaves nothing out and shows nothing more.
            let first = try await household.server.client(ben).asked("GET", "/v1/activities?limit=1").json
            let next = try #require(first["next"].text)
            let rest = try await household.server.client(ben).asked("GET", "/v1/activities?after=\(next)")
            #expect(Self.devices(first) + Self.devices(rest.json) == ["order/counter", "oven/kitchen"])
        }
    }

    @Test func `the house is asked in the name of the phone`() async throws {
        let asked = [
            ("GET", "/v1/status", ""), ("GET", "/v1/devices", ""), ("GET", "/v1/devices/washer/cellar", ""),
            ("GET", "/v1/runs", ""), ("GET", "/v1/recordings/washer/cellar", ""),
            ("GET", "/v1/activities/washer/cellar/timeline", ""),
            ("GET", "/v1/unread-topics", ""), ("GET", "/v1/definitions", ""), ("GET", "/metrics", ""),
            ("POST", "/v1/devices/washer/cellar/events", #"{"event":"stop"}"#),
            ("POST", "/v1/replay", #"{"kind":"washer","device":"washer/cellar"}"#),
        ]
        try await Household.use { household in
            let ben = Viewer.phone(household.ben.id, person: "Ben", Self.policy)
            for (method, path, body) in asked {
                for (token, viewer) in [
                    (household.ben.token, ben), (household.server.admin.token, .unrestricted),
                    (nil, .unrestricted),
                ] {
                    let before = household.house.viewers.count
                    _ = try await household.status(token, method, path, body)
                    #expect(household.house.viewers.dropFirst(before) == [viewer], "\(method) \(path)")
                }
            }
        }
    }

    @Test func `a stream has nothing of others, at its start, as it goes on and when it is resumed`()
        async throws
    {
        try await Household.use { household in
            let log = household.server.log
            let readers = [
                (household.ada.token, ["oven/kitchen", "washer/cellar"]),
                (household.ben.token, ["order/counter", "oven/kitchen"]),
            ]
            for (token, seen) in readers {
                let reader = try household.stream(token)
                let snapshot = try #require(await reader.next())
                #expect(Self.devices(snapshot.json) == seen)
                #expect(snapshot.json["timelines"].elements.count == seen.count)
                for device in ["cellar", "kitchen", "counter"] {
                    let kind = ["cellar": "washer", "kitchen": "oven"][device] ?? "order"
                    let (_, update) = Household.run(kind, device)
                    log.take(Household.effect(.moved(from: "a", to: "b"), kind, device))
                    log.take(Household.effect(.availability(true), kind, device))
                    log.take(Household.effect(.update(update), kind, device))
                }
                log.take(.disconnected(BusFault(.connectionLost, "gone")))
                log.take(.connected)
                // While a run of an order goes on, its person is also told what is about the device alone.
                let expected = 3 * seen.count
                let events = await reader.next(expected)
                let names = seen.map { $0.split(separator: "/")[1] }
                #expect(events.allSatisfy { event in names.contains { event.data.contains($0) } })
                #expect(await reader.next()?.name == "broker")
                let again = try household.stream(token, last: snapshot.id)
                #expect(await again.next(expected).map(\.data) == events.map(\.data))
                let last = await again.next()
                #expect(last?.name == "broker")
            }
        }
    }

    @Test func `the run of somebody leaves the page when that of somebody else takes its place`() async throws
    {
        try await Household.use { household in
            let ben = try household.stream(household.ben.token)
            #expect(await ben.next()?.name == "snapshot")
            let admin = try household.stream(household.server.admin.token ?? "")
            #expect(await admin.next()?.name == "snapshot")
            let (_, ada) = Household.run("order", "counter", 2, of: "Ada")
            household.server.log.take(Household.effect(.update(ada), "order", "counter"))
            household.server.log.take(.connected)
            let event = await ben.next()
            #expect(event?.name == "dismissed" && event?.json["id"].text == "order/counter/1")
            #expect(await ben.next()?.name == "broker", "and nothing of the new run")
            // Who sees the new run has it in place of the old one, as ever.
            #expect(await admin.next()?.name == "activity")
            #expect(await admin.next()?.name == "broker")
        }
    }

    @Test func `a stream begins again when a phone may see something else`() async throws {
        try await Household.use { household in
            let reader = try household.stream(household.ada.token)
            let first = try #require(await reader.next())
            #expect(Self.devices(first.json) == ["oven/kitchen", "washer/cellar"])
            let other = try household.stream(household.ben.token)
            _ = await other.next()
            household.phones.set(AudiencePolicy(rules: [AudiencePolicy.Rule("*", people: ["Ben"])]))
            #expect(Self.devices(try #require(await reader.next()).json) == [])
            #expect(Self.devices(try #require(await other.next()).json).count == 3)
            // What it had before is not taken for what it may have now.
            let again = try household.stream(household.ada.token, last: first.id)
            let snapshot = try #require(await again.next())
            #expect(snapshot.name == "snapshot" && Self.devices(snapshot.json) == [])
            let body = #"{"person":"Ben"}"#
            let path = "/v1/phones/\(household.ada.id)/person"
            #expect(try await household.status(household.server.admin.token, "PUT", path, body) == 200)
            #expect(Self.devices(try #require(await reader.next()).json).count == 3)
        }
    }

    @Test func `the streams of a phone that is removed end, also those of its guests`() async throws {
        try await Household.use { household in
            let reader = try household.stream(household.ada.token)
            #expect(await reader.next()?.name == "snapshot")
            let body = #"{"device":"washer/cellar"}"#
            let offer = try await household.server.client(household.ada.token)
                .asked("POST", "/v1/guests", body: Array(body.utf8)).json
            let secret = try #require(offer["url"].text?.split(separator: "=").last)
            let far = ["X-Real-IP: 10.0.0.1"]
            let guest = try StreamClient(household.server, "/v1/stream?guest=\(secret)", far)
            #expect(Self.devices(try #require(await guest.next()).json) == ["washer/cellar"])
            let other = try household.stream(household.ben.token)
            #expect(await other.next()?.name == "snapshot")
            let admin = household.server.admin.token
            #expect(try await household.status(admin, "DELETE", "/v1/phones/\(household.ada.id)") == 204)
            #expect(await reader.next() == nil)
            #expect(await guest.next() == nil)
            #expect(try await household.status(household.ada.token, "GET", "/v1/activities") == 401)
            let path = "/v1/activities/washer/cellar?guest=\(secret)"
            let late = try StreamClient(household.server, path, far)
            #expect(try await late.head().contains("401"))
            let (_, update) = Household.run("oven", "kitchen")
            household.server.log.take(Household.effect(.update(update), "oven", "kitchen"))
            #expect(await other.next() != nil, "others go on")
        }
    }

    @Test func `who may not see a device may not invite to it, nor watch it`() async throws {
        try await Household.use { household in
            let body = #"{"device":"washer/cellar"}"#
            #expect(try await household.status(household.ben.token, "POST", "/v1/guests", body) == 404)
            #expect(try await household.status(household.ada.token, "POST", "/v1/guests", body) == 201)
            let order = #"{"device":"order/counter"}"#
            #expect(try await household.status(household.ada.token, "POST", "/v1/guests", order) == 404)
            #expect(try await household.status(household.ben.token, "POST", "/v1/guests", order) == 201)
            let ben = Viewer.phone(household.ben.id, person: "Ben", Self.policy)
            let watcher = try household.stream(household.ben.token, "/v1/stream?device=washer/cellar")
            #expect(await watcher.next()?.name == "snapshot")
            #expect(await watcher.next()?.name == "device", "the house answers whatever it is asked here")
            #expect(household.house.viewers.allSatisfy { $0 == ben })
        }
    }

    @Test func `a page with the cookie of a phone sees what the phone sees`() async throws {
        try await Household.use { household in
            let connection = try RawConnection(household.server.address)
            let body = #"{"token":"\#(household.ben.token)"}"#
            connection.send(
                """
                POST /v1/session HTTP/1.0\r\nHost: \(household.server.address)\r\n\
                Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
                """
            )
            let answer = await connection.rest()
            let cookie = try #require(answer.firstMatch(of: /Set-Cookie: ([^;]+);/)).output.1
            let reader = try StreamClient(household.server, "/v1/stream", ["Cookie: \(cookie)"])
            let snapshot = try #require(await reader.next())
            #expect(Self.devices(snapshot.json) == ["order/counter", "oven/kitchen"])
            let washer = try StreamClient(
                household.server,
                "/v1/activities/washer/cellar",
                ["Cookie: \(cookie)"]
            )
            #expect(try await washer.head().contains("404"))
        }
    }
}
