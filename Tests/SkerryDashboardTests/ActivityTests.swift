import SkerryActivity
import SkerryDashboard
import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryValues
import Testing

/// Activities over HTTP, as a bridge told of them.
@Suite struct ActivityTests {
    private static let start = Timestamp(seconds: 1_790_000_000)

    private static func plan(_ kind: String) -> ActivityPlan {
        ActivityPlan(kind: kind, fields: [ActivityPlan.Field(name: "status")])
    }

    /// A log with activities of these devices, some of which have links.
    private static func log(_ devices: [String], links: [String: String] = [:]) -> EventLog {
        let log = EventLog(now: { RunningServer.now })
        for device in devices {
            var (_, update) = Activity.start(
                plan("washer"),
                device: device,
                run: 1,
                epoch: 5,
                state: "running",
                attributes: ValueMap(),
                content: [.value(.string("Rinsing"))],
                at: start
            )
            update.link = links[device]
            log.take(.effect(Effect(at: start, kind: "washer", device: device, what: .update(update))))
        }
        return log
    }

    @Test func tellsSnapshotsWithTheirRevisions() async throws {
        let log = Self.log(["laundry"])
        try await RunningServer.use(log: log) { server in
            let answer = try await server.admin.asked("GET", "/v1/activities/washer/laundry")
            #expect(answer.status == 200)
            #expect(answer.fields["etag"] == #""5-1""#)
            #expect(answer.body == log.activity(kind: "washer", device: "laundry")?.snapshotJSON())
            #expect(
                try await server.admin.asked("GET", "/v1/activities/washer/dryer").problem == "no-activity"
            )
            log.take(
                .effect(
                    Effect(
                        at: Self.start,
                        kind: "washer",
                        device: "laundry",
                        what: .dismissed(id: "washer/laundry/1")
                    )
                )
            )
            #expect(try await server.admin.asked("GET", "/v1/activities/washer/laundry").status == 404)
        }
    }

    @Test func saysWhenNothingHasChanged() async throws {
        try await RunningServer.use(log: Self.log(["laundry"])) { server in
            for (path, tag) in [
                ("/v1/activities/washer/laundry", #""5-1""#),
                ("/v1/activities/washer/laundry", #"W/"x", W/"5-1""#),
                ("/v1/activities", "*"),
            ] {
                let connection = try RawConnection(server.address)
                connection.send(
                    """
                    GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nIf-None-Match: \(tag)\r\n\
                    Authorization: Bearer \(server.admin.token ?? "")\r\n\r\n
                    """
                )
                #expect(await connection.rest().hasPrefix("HTTP/1.1 304 "), "\(path) \(tag)")
            }
        }
    }

    @Test func tellsAllAPageAtATime() async throws {
        try await RunningServer.use(log: Self.log(["c", "a", "b"])) { server in
            let first = try await server.admin.asked("GET", "/v1/activities?limit=2")
            #expect(first.json["activities"].elements.map { $0["id"].text } == ["washer/a/1", "washer/b/1"])
            #expect(first.json["next"].text == "washer/b/1")
            let second = try await server.admin.asked("GET", "/v1/activities?limit=2&after=washer%2Fb%2F1")
            #expect(second.json["activities"].elements.map { $0["id"].text } == ["washer/c/1"])
            #expect(second.json["next"].text == nil)
            #expect(try await server.admin.asked("GET", "/v1/activities?limit=0").status == 400)
        }
    }

    @Test func `a list has the links of definitions, as pushes have them`() async throws {
        let shop = "https://example.org/order?id=7&x=\"1\""
        let long = "https://example.org/" + String(repeating: "x", count: 2000)
        let log = Self.log(["a", "b", "c"], links: ["a": shop, "b": long])
        try await RunningServer.use(log: log) { server in
            let answer = try await server.admin.asked("GET", "/v1/activities")
            #expect(answer.json["activities"].elements.map { $0["link"].text } == [shop, nil, nil])
            // What is retained on MQTT, where a guest may ask for it, has none.
            let one = try await server.admin.asked("GET", "/v1/activities/washer/a")
            #expect(one.json["link"].text == nil)
        }
    }
}
