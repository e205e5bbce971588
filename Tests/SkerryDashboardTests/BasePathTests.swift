import SkerryDashboard
import Testing

/// The page below a prefix, behind a reverse proxy, and behind Home Assistant.
@Suite struct BasePathTests {
    /// Asks with fields of our choice.
    private static func ask(
        _ server: RunningServer,
        _ method: String,
        _ path: String,
        _ fields: [String] = [],
        body: String = ""
    ) async throws -> (status: String, answer: String) {
        let connection = try RawConnection(server.address)
        let own = fields.contains { $0.hasPrefix("Host:") } ? [] : ["Host: \(server.address)"]
        var head = ["\(method) \(path) HTTP/1.1", "Connection: close"] + own + fields
        if !body.isEmpty { head += ["Content-Type: application/json"] }
        head.append("Content-Length: \(body.utf8.count)")
        connection.send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
        let answer = await connection.rest()
        return (String(answer.dropFirst(9).prefix(3)), answer)
    }

    @Test func `the page names its files relative to itself, so that it may be anywhere`() async throws {
        try await RunningServer.use { server in
            for path in ["/", "/page/app.css", "/page/views.css", "/page/manifest.webmanifest", "/pair"] {
                let text = try await server.client().asked("GET", path).text
                let absolute = text.matches(of: #/(?:href|src|action|"start_url":|url\()[= ]*["']?\/(?!\/)/#)
                #expect(absolute.isEmpty, "\(path): \(absolute.map(\.output))")
            }
            let page = try await server.client().asked("GET", "/").text
            #expect(page.contains(#"src="page/app.js""#))
        }
    }

    @Test func `a prefix that a proxy leaves on is taken off, and the cookie is for it alone`() async throws {
        var options = RunningServer.options
        options.basePath = "/home/skerry"
        try await RunningServer.use(options: options) { server in
            for (path, status) in [
                ("/home/skerry/", "200"), ("/home/skerry/page/app.js", "200"), ("/home/skerry/?wall", "200"),
                ("/home/skerry/v1/session", "200"), ("/home/skerry?wall", "200"), ("/home/skerry", "308"),
                ("/home/skerryx/", "404"), ("/home/", "404"), ("/v1/session", "200"), ("/", "200"),
            ] {
                let found = try await Self.ask(server, "GET", path)
                #expect(found.status == status, "\(path)")
            }
            let redirect = try await Self.ask(server, "GET", "/home/skerry").answer
            #expect(redirect.contains("Location: /home/skerry/\r\n"))
            let body = #"{"token":"\#(server.admin.token ?? "")"}"#
            for (path, cookie) in [("/home/skerry/v1/session", "/home/skerry/"), ("/v1/session", "/")] {
                let found = try await Self.ask(server, "POST", path, body: body)
                #expect(
                    found.status == "204" && found.answer.contains("; Path=\(cookie); "),
                    "\(found.answer)"
                )
            }
        }
    }

    @Test func `the prefix that a proxy names is believed of one that the settings name`() async throws {
        var options = RunningServer.options
        for (proxies, path, cookie) in [
            (["127.0.0.1"] as Set, "/ingress/abc_-1", "/ingress/abc_-1/"), ([], "/ingress/abc", "/"),
            (["127.0.0.1"], "/a; Domain=x", "/"), (["127.0.0.1"], "//evil", "/"),
            (["127.0.0.1"], "/a/../b", "/"),
        ] {
            options.proxies = proxies
            try await RunningServer.use(options: options) { server in
                let found = try await Self.ask(
                    server,
                    "POST",
                    "/v1/session",
                    ["X-Ingress-Path: \(path)"],
                    body: #"{"token":"\#(server.admin.token ?? "")"}"#
                )
                #expect(found.answer.contains("; Path=\(cookie); "), "\(path): \(found.answer)")
            }
        }
    }

    @Test func `what Home Assistant passes on may look and act, under any name, and administers nothing`()
        async throws
    {
        var options = RunningServer.options
        options.ingress = "127.0.0.1"
        try await RunningServer.use(options: options) { server in
            let fields = [
                "Host: ha.example.org:8123", "X-Forwarded-For: 203.0.113.7", "X-Forwarded-Proto: https",
                "X-Ingress-Path: /api/hassio_ingress/abc",
            ]
            let session = try await Self.ask(server, "GET", "/v1/session", fields)
            #expect(session.answer.contains(#""role":"local""#), "\(session.answer)")
            let page = try await Self.ask(server, "GET", "/", fields)
            #expect(page.answer.contains("frame-ancestors 'self'"))
            // A token says more than the way it came.
            let other = try await Self.ask(
                server,
                "GET",
                "/v1/session",
                fields + ["Authorization: Bearer wrong"]
            )
            #expect(other.answer.contains(#""role":"none""#))
            for (origin, status) in [("https://ha.example.org:8123", "401"), ("https://evil.example", "403")]
            {
                let found = try await Self.ask(
                    server,
                    "POST",
                    "/v1/pairings",
                    fields + ["Origin: \(origin)"],
                    body: "{}"
                )
                #expect(found.status == status, "\(origin): \(found.answer)")
            }
        }
        try await RunningServer.use { server in
            let page = try await Self.ask(server, "GET", "/", ["X-Ingress-Path: /x"])
            #expect(page.answer.contains("frame-ancestors 'none'"))
            let session = try await Self.ask(server, "GET", "/v1/session", ["X-Forwarded-For: 203.0.113.7"])
            #expect(session.answer.contains(#""role":"none""#))
        }
    }
}
