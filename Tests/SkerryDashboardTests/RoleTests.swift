import SkerryDashboard
import SkerryGateway
import SkerryValues
import Testing

/// Who may look, and who may do what.
@Suite struct RoleTests {
    private static func role(_ server: RunningServer, _ fields: [String]) async throws -> String? {
        let answer = try await server.ask("GET", "/v1/session", fields).answer
        return answer.firstMatch(of: /"role":"([a-z]+)"/).map { String($0.output.1) }
    }

    @Test func `everybody on this machine may look, and nobody who comes through something else`()
        async throws
    {
        let cases: [(fields: [String], role: String)] = [
            ([], "local"), (["Host: localhost"], "local"), (["Host: LOCALHOST:7537"], "local"),
            (["Host: [::1]:7537"], "local"), (["Sec-Fetch-Site: same-origin"], "local"),
            (["Sec-Fetch-Site: none"], "local"), (["Cookie: skerry-session=admin.00"], "local"),
            (["X-Forwarded-For: 127.0.0.1"], "none"), (["X-Forwarded-For:"], "none"),
            (["Forwarded: for=127.0.0.1"], "none"), (["X-Real-IP: 127.0.0.1"], "none"),
            (["Host: gateway.local"], "none"), (["Host: 192.168.1.2"], "none"),
            (["Sec-Fetch-Site: cross-site"], "none"), (["Sec-Fetch-Site: same-site"], "none"),
            (["Authorization: Bearer wrong"], "none"),
        ]
        try await RunningServer.use { server in
            for (fields, role) in cases {
                let told = try await Self.role(server, fields)
                #expect(told == role, "\(fields)")
            }
        }
        var options = RunningServer.options
        options.proxies = ["127.0.0.1"]
        try await RunningServer.use(options: options) { server in
            let proxied = try await Self.role(server, [])
            #expect(proxied == "none", "a proxy on this machine speaks for others")
        }
    }

    private static let lookers = ["admin", "boss", "member", "viewer", "ada", "local"]
    /// Those who may do more than look.
    private static let doers = ["admin", "boss", "member", "ada", "local"]
    private static let administrators = ["admin", "boss"]

    /// Methods and addresses with those who may ask.
    private static let table: [(method: String, path: String, allowed: [String])] = [
        ("GET", "/v1/status", lookers), ("GET", "/v1/devices", lookers),
        ("GET", "/v1/devices/washer/laundry", lookers), ("GET", "/v1/definitions", lookers),
        ("GET", "/v1/definitions/washer", lookers + ["guest"]),
        ("GET", "/v1/definitions/dryer", lookers), ("GET", "/v1/runs", lookers),
        ("GET", "/v1/recordings/washer/laundry", lookers),
        ("GET", "/v1/cards", lookers), ("PUT", "/v1/cards", administrators),
        ("GET", "/v1/broker", administrators), ("PUT", "/v1/broker", administrators),
        ("DELETE", "/v1/broker", administrators),
        ("GET", "/v1/unread-topics", doers), ("GET", "/v1/found", doers),
        ("GET", "/v1/found/washer", doers), ("PUT", "/v1/found/washer/laundry", administrators),
        ("POST", "/v1/proposals", doers), ("DELETE", "/v1/definitions/washer", administrators),
        ("GET", "/v1/activities", lookers),
        ("GET", "/metrics", lookers), ("HEAD", "/v1/stream", lookers + ["guest"]),
        ("GET", "/v1/activities/washer/laundry", lookers + ["guest"]),
        ("GET", "/v1/activities/washer/dryer", lookers),
        ("POST", "/v1/check", doers), ("POST", "/v1/compile", doers),
        ("POST", "/v1/replay", lookers),
        ("POST", "/v1/devices/washer/laundry/events", doers),
        ("POST", "/v1/guests", doers), ("PUT", "/v1/definitions/washer", administrators),
        ("PUT", "/v1/activities/washer/laundry", administrators),
        ("POST", "/v1/pairings", administrators), ("GET", "/v1/pairings/1", administrators),
        ("GET", "/v1/phones", administrators + ["local"]), ("GET", "/v1/errors", administrators + ["local"]),
        ("PUT", "/v1/devices/washer/laundry/settings", administrators + ["member"]),
        ("GET", "/v1/browsers", administrators + ["local"]),
        ("DELETE", "/v1/browsers/none", administrators), ("PUT", "/v1/browsers/none", administrators),
        ("GET", "/v1/session", lookers + ["guest", "stranger"]),
        ("GET", "/", lookers + ["guest", "stranger"]),
        ("GET", "/healthz", lookers + ["guest", "stranger"]),
        ("GET", "/readyz", lookers + ["guest", "stranger"]),
        ("GET", "/v1/openapi.yaml", lookers + ["guest", "stranger"]),
    ]

    /// The secret in a link for a guest to the washer.
    private static func invite(_ server: RunningServer) async throws -> Substring {
        let offer = try await server.ask("POST", "/v1/guests", [], body: #"{"device":"washer/laundry"}"#)
        return try #require(offer.answer.firstMatch(of: /guest=([\w.-]+)/)).output.1
    }

    @Test func `each address asks who is there`() async throws {
        let log = EventLog { RunningServer.now }
        log.take(StreamTests.beginning(of: "laundry"))
        var options = RunningServer.options
        options.requestsPerMinute = 100_000
        try await RunningServer.use(options: options, log: log) { server in
            let ada = try await server.pair("Ada")
            let secret = try await Self.invite(server)
            let far = "X-Real-IP: 10.0.0.1"
            let callers = [
                "boss": [far, try await server.signIn(#"{"role":"admin"}"#)],
                "member": [far, try await server.signIn(#"{"role":"member"}"#)],
                "viewer": [far, try await server.signIn(#"{"role":"viewer"}"#)],
                "admin": [far, "Authorization: Bearer \(server.admin.token ?? "")"],
                "ada": [far, "Authorization: Bearer \(ada.token)"], "local": [],
                "guest": [far, "Cookie: skerry-guest=\(secret)"], "stranger": [far],
            ]
            for (method, path, allowed) in Self.table {
                for (name, fields) in callers {
                    let (status, answer) = try await server.ask(
                        method,
                        path,
                        fields,
                        body: method == "GET" ? "" : "{}"
                    )
                    let isRefused = status == "401" || answer.contains("\"not-allowed\"")
                    #expect(isRefused != allowed.contains(name), "\(name): \(method) \(path): \(status)")
                }
            }
        }
    }

    @Test func `a message of a device is handed on as it is, with the key of its request`() async throws {
        let house = NotedHouse()
        try await RunningServer.use(house: house) { server in
            let token = "Authorization: Bearer \(server.admin.token ?? "")"
            let body = #"{ "status":"baking" }"#
            let keys: [(fields: [String], status: String, key: String?)] = [
                ([], "204", nil), (["Idempotency-Key: a-7"], "204", "a-7"),
                (["Idempotency-Key:"], "400", nil),
                (["Idempotency-Key: \(String(repeating: "k", count: 257))"], "400", nil),
            ]
            for (fields, status, key) in keys {
                let count = house.questions.count
                let path = "/v1/activities/order-pizza/4%207"
                let answer = try await server.ask("PUT", path, [token] + fields, body: body)
                #expect(answer.status == status, "\(fields)")
                let message = HouseQuestion.message(
                    DeviceKey(kind: "order-pizza", name: "4 7"),
                    payload: Array(body.utf8),
                    key: key
                )
                #expect(Array(house.questions.dropFirst(count)) == (status == "204" ? [message] : []))
            }
            let list = try await server.ask("PUT", "/v1/activities/a/b", [token], body: "[1]")
            #expect(list.status == "400")
        }
    }

    @Test func `of a definition, a guest gets what a card shows`() async throws {
        let log = EventLog { RunningServer.now }
        log.take(StreamTests.beginning(of: "laundry"))
        let house = NotedHouse { _ in
            .found(
                Array(
                    """
                    {"kind":"washer","name":"Washer","file":"/etc/washer.yaml","symbol":"washer","topics":["a"],\
                    "source":"kind: washer","machine":{"states":[{"name":"on"}],"transitions":[{"guard":"secret"}]},\
                    "fields":[],"attributes":[],"alerts":[],"relevance":50,"events":["stop"],"layout":{"tint":null}}
                    """.utf8
                )
            )
        }
        try await RunningServer.use(log: log, house: house) { server in
            let secret = try await Self.invite(server)
            let fields = ["X-Real-IP: 10.0.0.1", "Cookie: skerry-guest=\(secret)"]
            let (status, answer) = try await server.ask("GET", "/v1/definitions/washer", fields)
            #expect(status == "200")
            #expect(
                answer.hasSuffix(
                    """
                    {"kind":"washer","name":"Washer","symbol":"washer","fields":[],"attributes":[],"relevance":50,\
                    "layout":{"tint":null},"machine":{"states":[{"name":"on"}]}}
                    """
                )
            )
        }
    }

    @Test func `a definition is written over the one that was read`() async throws {
        var options = RunningServer.options
        options.allowsEditing = true
        let house = NotedHouse()
        try await RunningServer.use(options: options, house: house) { server in
            let read = try await server.ask("GET", "/v1/definitions/washer", [])
            let tag = try #require(read.answer.firstMatch(of: /ETag: "([0-9a-f]+)"/)).output.1
            #expect(String(tag) == HouseAnswer.version(of: Array("{}".utf8)))
            let again = ["If-None-Match: \"\(tag)\""]
            let known = try await server.ask("GET", "/v1/definitions/washer", again).status
            #expect(known == "304")
            let admin = "Authorization: Bearer \(server.admin.token ?? "")"
            for (field, versions) in [
                ("\"\(tag)\"", ["\(tag)"]), ("\"a\", W/\"b\"", ["a", "b"]), ("*", nil), (nil, nil),
            ] as [(String?, [String]?)] {
                _ = try await server.ask(
                    "PUT",
                    "/v1/definitions/washer",
                    [admin] + (field.map { ["If-Match: \($0)"] } ?? []),
                    body: #"{"source":"x"}"#
                )
                #expect(
                    house.questions.last == .saveDefinition(kind: "washer", source: "x", over: versions),
                    "\(field ?? "none")"
                )
            }
            house.change { _ in .problem(HouseProblem(.outdated, code: "definition-changed", detail: "no")) }
            let refusal = try await server.admin.asked(
                "PUT",
                "/v1/definitions/washer",
                body: Array(#"{"source":"x"}"#.utf8)
            )
            #expect(refusal.status == 412 && refusal.problem == "definition-changed")
        }
    }

    @Test func `a token becomes a cookie, which no script sees and no other site sends`() async throws {
        let far = "X-Real-IP: 10.0.0.1"
        try await RunningServer.use { server in
            let ada = try await server.pair("Ada")
            let admin = server.admin.token ?? ""
            for (token, role) in [(admin, "admin"), (ada.token, "phone")] {
                let (status, answer) = try await server.ask(
                    "POST",
                    "/v1/session",
                    [far],
                    body: #"{"token":"\#(token)"}"#
                )
                #expect(status == "204")
                #expect(answer.contains("; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict\r\n"))
                #expect(!answer.contains(token))
                let cookie = try RunningServer.cookie(answer)
                let told = try await Self.role(server, [far, cookie])
                #expect(told == role)
                // Neither a part of it nor another id is worth anything.
                for wrong in [
                    String(cookie.dropLast()), cookie + "0", cookie.replacing("=", with: "=x"),
                    "Cookie: skerry-session=", "Cookie: skerry-session=admin.",
                ] {
                    let told = try await Self.role(server, [far, wrong])
                    #expect(told == "none", "\(wrong)")
                }
            }
            let wrong = try await server.ask("POST", "/v1/session", [far], body: #"{"token":"x"}"#)
            #expect(wrong.status == "403" && wrong.answer.contains("wrong-token"))
            let end = try await server.ask("DELETE", "/v1/session", [far]).answer
            #expect(end.contains("Set-Cookie: skerry-session=; Path=/; Max-Age=0;"))
            let foreign = try await server.ask(
                "POST",
                "/v1/session",
                [far, "Origin: https://evil.example"],
                body: #"{"token":"\#(admin)"}"#
            )
            #expect(foreign.status == "403" && !foreign.answer.contains("Set-Cookie"))
        }
    }

    @Test func `a phone that was removed is let in no more`() async throws {
        let far = "X-Real-IP: 10.0.0.1"
        try await RunningServer.use { server in
            let ada = try await server.pair("Ada")
            let answer = try await server.ask(
                "POST",
                "/v1/session",
                [far],
                body: #"{"token":"\#(ada.token)"}"#
            ).answer
            let cookie = try RunningServer.cookie(answer)
            let before = try await Self.role(server, [far, cookie])
            #expect(before == "phone")
            let removal = try await server.admin.asked("DELETE", "/v1/phones/\(ada.id)").status
            #expect(removal == 204)
            let after = try await Self.role(server, [far, cookie])
            #expect(after == "none")
        }
    }

    @Test func `the cookie is for TLS only where the browser speaks it`() async throws {
        var options = RunningServer.options
        options.proxies = ["127.0.0.1"]
        try await RunningServer.use(options: options) { server in
            let body = #"{"token":"\#(server.admin.token ?? "")"}"#
            for (proto, isSecure) in [("https", true), ("http", false)] {
                let fields = ["X-Forwarded-For: 10.0.0.1", "X-Forwarded-Proto: \(proto)"]
                let answer = try await server.ask("POST", "/v1/session", fields, body: body).answer
                #expect(answer.contains("; Secure\r\n") == isSecure, "\(proto)")
            }
        }
    }

    @Test func `only an administrator writes definitions, and only where that is wanted`() async throws {
        for isAllowed in [false, true] {
            var options = RunningServer.options
            options.allowsEditing = isAllowed
            let house = NotedHouse()
            try await RunningServer.use(options: options, house: house) { server in
                let body = Array(#"{"source":"kind: washer"}"#.utf8)
                let answer = try await server.admin.asked("PUT", "/v1/definitions/washer", body: body)
                #expect(answer.status == (isAllowed ? 200 : 403))
                let question = HouseQuestion.saveDefinition(
                    kind: "washer",
                    source: "kind: washer",
                    over: nil
                )
                #expect(house.questions == (isAllowed ? [question] : []))
                let session = try await server.admin.asked("GET", "/v1/session").json
                #expect("\(session["mayEdit"])".contains("\(isAllowed)"))
            }
        }
    }

    @Test func `the addresses that apps of earlier versions call still work`() async throws {
        try await RunningServer.use { server in
            let ada = try await server.pair("Ada")
            let client = server.client(ada.token)
            let old = try await client.asked("GET", "/v1/devices/\(ada.id)")
            #expect(old.status == 200 && old.json["name"].text == "Ada")
            let report = Array(#"{"iosVersion":"19.0"}"#.utf8)
            for method in ["PUT", "POST"] {
                let answer = try await client.asked(method, "/v1/devices/\(ada.id)/tokens", body: report)
                #expect(answer.status == 200)
            }
            #expect(try await client.asked("DELETE", "/v1/devices/\(ada.id)").status == 204)
        }
    }
}
