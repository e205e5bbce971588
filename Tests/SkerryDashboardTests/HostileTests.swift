import SkerryDashboard
import SkerryGateway
import SkerryValues
import Testing

/// Clients that break the rules of HTTP, and that use up connections.
@Suite struct HostileTests {
    private static let form = "Content-Type: application/json\r\n"
    private static let close = "Host: a\r\nConnection: close\r\n"
    /// A request within another, which must not be answered.
    private static let hidden = "GET /pair HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Requests with the status of their answer; nil if the connection may be closed without one.
    private static let cases: [(sent: String, status: String?)] = [
        // Two lengths, or a length that is none.
        (
            "POST /v1/pair HTTP/1.1\r\n\(close)\(form)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "0\r\n\r\n\(hidden)", "400"
        ),
        (
            "POST /v1/pair HTTP/1.1\r\n\(close)\(form)Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"
                + "0\r\n\r\n\(hidden)", "400"
        ),
        ("POST /v1/pair HTTP/1.1\r\n\(close)Content-Length: 0\r\nContent-Length: 31\r\n\r\n\(hidden)", "400"),
        ("POST /v1/pair HTTP/1.1\r\n\(close)Content-Length: +0\r\n\r\n\(hidden)", "400"),
        ("POST /v1/pair HTTP/1.1\r\n\(close)Content-Length: -1\r\n\r\n\(hidden)", "400"),
        ("POST /v1/pair HTTP/1.1\r\n\(close)Content-Length: 99999999999999999999\r\n\r\n\(hidden)", "413"),
        ("POST /v1/pair HTTP/1.1\r\n\(close)Transfer-Encoding: xchunked\r\n\r\n\(hidden)", "400"),
        ("POST /v1/pair HTTP/1.1\r\n\(close)Transfer-Encoding: gzip, chunked\r\n\r\n\(hidden)", "400"),
        ("POST /v1/pair HTTP/1.1\r\n\(close)Transfer-Encoding: chunked\r\n\r\nzz\r\n\(hidden)", "400"),
        (
            "POST /v1/pair HTTP/1.1\r\n\(close)Transfer-Encoding: chunked\r\n\r\n\(String(repeating: "f", count: 20))\r\n\r\n",
            "413"
        ),
        // Names that say two things.
        ("GET /pair HTTP/1.1\r\n\(close)Host: b\r\n\r\n", "400"),
        ("GET /pair HTTP/1.1\r\n\(close)Content-Length : 31\r\n\r\n\(hidden)", "400"),
        ("GET /pair HTTP/1.1\r\n\(close)X: a\rContent-Length: 31\r\n\r\n", "400"),
        ("GET http://evil.example/pair HTTP/1.1\r\n\(close)\r\n", "421"),
        ("GET http://a/pair HTTP/1.1\r\n\(close)\r\n", "200"),
        // First lines that are none.
        ("GET /pair?a b HTTP/1.1\r\n\(close)\r\n", "400"), ("GET /pair HTTP/2.0\r\n\(close)\r\n", "505"),
        ("GET\r\n\r\n", nil), ("\u{16}\u{3}\u{1}\u{0}\u{0}\r\n\r\n", nil), ("\0\0\0\0\r\n\r\n", nil),
        ("GET /pa\0ir HTTP/1.1\r\n\(close)\r\n", "404"),
        ("GET /pair HTTP/1.1\r\nX\0: a\r\n\(close)\r\n", "400"),
        ("OPTIONS * HTTP/1.1\r\n\(close)\r\n", "404"), ("CONNECT a:80 HTTP/1.1\r\n\(close)\r\n", "404"),
        // More than there is room for.
        ("GET /pair?\(String(repeating: "&", count: 8000)) HTTP/1.1\r\n\(close)\r\n", nil),
        ("GET /pair HTTP/1.1\r\n\(close)X: \(String(repeating: "a", count: 8200))\r\n\r\n", "431"),
        ("GET /\(String(repeating: "a", count: 8200)) HTTP/1.1\r\n\(close)\r\n", "431"),
        ("GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\n\(close)\r\n", "414"),
        ("GET /pair HTTP/1.1\r\n\(close)\(String(repeating: "X: 1\r\n", count: 63))\r\n", "431"),
    ]

    private static let local = "Host: localhost\r\nConnection: close\r\n"

    /// A request of this machine with a body that says it is JSON.
    private static func post(_ path: String, _ body: String, method: String = "POST") -> String {
        "\(method) \(path) HTTP/1.1\r\n\(local)\(form)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\n\(local)\(fields)\r\n"
    }

    /// Requests that are in order as HTTP, and ask for what nobody gets.
    private static let refused: [(sent: String, status: String?)] = [
        // Ways out of the folder of the page.
        (get("/page/../../etc/passwd"), "404"), (get("/page/%2e%2e%2f%2e%2e%2fetc%2fpasswd"), "404"),
        (get("/page/..%2findex.html"), "404"), (get("/page//app.css"), "404"), (get("/page/app.css/"), "404"),
        (get("/page/APP.CSS"), "404"), (get("/page/%00"), "404"), (get("/page/app.css%00.html"), "404"),
        (get("//etc/passwd"), "404"), (get("/./page/app.css"), "404"), (get("/page/%c0%af"), "404"),
        (get("/page/%zz"), "404"), (get("/.git/config"), "404"),
        (get("/v1/recordings/../../etc/passwd"), "404"),
        (get("/v1/session/"), "404"), (get("/V1/session"), "404"),
        // Names of strangers that lead here.
        ("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", "421"),
        ("GET /v1/session HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\nConnection: close\r\n\r\n", "421"),
        ("GET /v1/stream HTTP/1.1\r\nHost: localhost.evil.example\r\nConnection: close\r\n\r\n", "421"),
        ("GET /v1/devices HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", "421"),
        ("GET /v1/devices HTTP/1.1\r\nHost: localhost:x\r\nConnection: close\r\n\r\n", "421"),
        ("GET /v1/devices HTTP/1.1\r\nHost: localhost@evil.example\r\nConnection: close\r\n\r\n", "421"),
        // Pages of strangers.
        (get("/v1/devices", "Sec-Fetch-Site: cross-site\r\n"), "401"),
        (get("/v1/stream", "Origin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\n"), "401"),
        (
            "POST /v1/guests HTTP/1.1\r\n\(local)\(form)Origin: https://evil.example\r\nContent-Length: 2\r\n\r\n{}",
            "403"
        ),
        ("DELETE /v1/session HTTP/1.1\r\n\(local)Origin: null\r\n\r\n", "403"),
        ("POST /v1/check HTTP/1.1\r\n\(local)Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}", "415"),
        ("POST /v1/check HTTP/1.1\r\n\(local)Content-Length: 2\r\n\r\n{}", "415"),
        // Tokens that are none.
        (get("/v1/devices", "Authorization: Bearer nonsense\r\n"), "401"),
        (get("/v1/devices", "Authorization: Bearer \r\nX-Real-IP: 10.0.0.1\r\n"), "401"),
        (get("/v1/devices", "Authorization: Basic YTpi\r\nX-Real-IP: 10.0.0.1\r\n"), "401"),
        (
            get(
                "/v1/devices",
                "Cookie: skerry-session=admin.\(String(repeating: "0", count: 64))\r\nForwarded: a\r\n"
            ), "401"
        ),
        (get("/v1/devices", "Cookie: skerry-session=.\r\nForwarded: a\r\n"), "401"),
        (get("/v1/devices", "Cookie: =; ;;skerry-session\r\nForwarded: a\r\n"), "401"),
        (get("/v1/devices?guest=00", "Forwarded: a\r\n"), "401"), (get("/v1/devices?guest=00"), "401"),
        (post("/v1/session", #"{"token":"admin"}"#), "403"), (post("/v1/session", #"{"token":7}"#), "400"),
        (post("/v1/pairings", ""), "401"), (post("/v1/definitions/washer", "{}", method: "PUT"), "401"),
        // Bodies that are not what they should be.
        (post("/v1/check", ""), "400"), (post("/v1/check", "[]"), "400"), (post("/v1/check", "{"), "400"),
        (post("/v1/check", "{}"), "400"), (post("/v1/check", #"{"source":[]}"#), "400"),
        (post("/v1/check", String(repeating: "[", count: 5000)), "400"),
        (post("/v1/check", #"{"source":"\ud800"}"#), "400"),
        (post("/v1/replay", #"{"source":"a","kind":"b","recording":""}"#), "400"),
        (post("/v1/replay", #"{"source":"a","recording":"","device":"a/b"}"#), "400"),
        (post("/v1/replay", #"{"source":"a"}"#), "400"),
        (post("/v1/devices/a/b/events", #"{"event":""}"#), "400"),
        (post("/v1/devices/a/b/events", #"{"event":"\#(String(repeating: "a", count: 2000))"}"#), "400"),
        (post("/v1/guests", #"{"device":"a"}"#), "404"), (post("/v1/guests", #"{"device":"a/b/c"}"#), "404"),
        // Parameters that are none.
        (get("/v1/runs?limit=0"), "400"), (get("/v1/runs?limit=-1"), "400"),
        (get("/v1/runs?limit=1e3"), "400"),
        (get("/v1/runs?limit=99999999999999999999"), "400"), (get("/v1/stream?device=a"), "400"),
        (get("/v1/stream?device=a/b/c"), "400"), (get("/v1/activities?limit=none"), "400"),
        // Methods that are none of the address.
        ("DELETE / HTTP/1.1\r\n\(local)\r\n", "405"), ("PUT /v1/stream HTTP/1.1\r\n\(local)\r\n", "405"),
        ("TRACE /v1/session HTTP/1.1\r\n\(local)\r\n", "405"),
        ("get /v1/session HTTP/1.1\r\n\(local)\r\n", "405"), (post("/metrics", "{}"), "405"),
    ]

    @Test func `a request for what nobody gets is refused`() async throws {
        var options = RunningServer.options
        options.requestsPerMinute = 1000
        #expect(Self.cases.count + Self.refused.count >= 90)
        try await RunningServer.use(options: options) { server in
            for (sent, status) in Self.refused {
                let connection = try RawConnection(server.address)
                connection.send(sent)
                let answer = await connection.rest()
                #expect(answer.hasPrefix("HTTP/1.1 \(status ?? "") "), "\(sent.prefix(200).debugDescription)")
            }
            #expect(try await server.client().asked("GET", "/v1/session").status == 200)
        }
    }

    @Test func `a request that breaks the rules is refused`() async throws {
        var options = RunningServer.options
        options.patience = .seconds(5)
        try await RunningServer.use(options: options) { server in
            for (sent, status) in Self.cases {
                let connection = try RawConnection(server.address)
                connection.send(sent)
                let answer = await connection.rest()
                if let status {
                    #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(sent.prefix(200).debugDescription)")
                }
                #expect(status == "200" || !answer.contains("HTTP/1.1 2"), "\(sent.debugDescription)")
            }
            #expect(try await server.admin.asked("GET", "/v1/phones").status == 200)
        }
    }

    @Test func `a client that sends too many chunks gets an answer`() async throws {
        try await RunningServer.use { server in
            let connection = try RawConnection(server.address)
            connection.send(
                "POST /v1/pair HTTP/1.1\r\nHost: a\r\n\(Self.form)Transfer-Encoding: chunked\r\n\r\n"
            )
            connection.send("4001\r\n\(String(repeating: " ", count: 0x4001))\r\n0\r\n\r\n")
            #expect(await connection.rest().hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test func `a client that never reads is cut off`() async throws {
        var options = RunningServer.options
        options.patience = .seconds(2)
        try await RunningServer.use(options: options) { server in
            let deaf = try RawConnection(server.address)
            await deaf.flood("GET /pair HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(!deaf.send("GET /pair HTTP/1.1\r\nHost: a\r\n\r\n"))
        }
    }

    @Test func `a client that closes its side is answered`() async throws {
        try await RunningServer.use { server in
            let connection = try RawConnection(server.address)
            connection.send("GET /pair HTTP/1.1\r\n\(Self.close)\r\n")
            connection.finish()
            #expect(await connection.rest().hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func `a connection beyond the limit waits for another to end`() async throws {
        var options = RunningServer.options
        options.connections = 2
        try await RunningServer.use(options: options) { server in
            let request = "GET /pair HTTP/1.1\r\n\(Self.close)\r\n"
            let first = try RawConnection(server.address)
            let second = try RawConnection(server.address)
            let third = try RawConnection(server.address)
            third.send(request)
            first.send(request)
            #expect(await first.rest().hasPrefix("HTTP/1.1 200"))
            #expect(await third.rest().hasPrefix("HTTP/1.1 200"))
            second.send(request)
            #expect(await second.rest().hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func `at the end a request under way is answered and an idle connection is closed`() async throws {
        var answer: Task<String, Never>?
        var idle: RawConnection?
        try await RunningServer.use { server in
            idle = try RawConnection(server.address)
            let late = try RawConnection(server.address)
            late.send("POST /v1/pair HTTP/1.1\r\nHost: a\r\n\(Self.form)Content-Length: 2\r\n\r\n{")
            // The server has read it once a later request is answered.
            #expect(try await server.admin.asked("GET", "/v1/phones").status == 200)
            answer = Task {
                while (try? RawConnection(server.address)) != nil { await Task.yield() }
                late.send("}")
                return await late.rest()
            }
        }
        let text = try #require(await answer?.value)
        #expect(text.hasPrefix("HTTP/1.1 400") && text.contains("\r\nConnection: close\r\n"))
        #expect(await idle?.rest() == "")
    }

    @Test func `half a request does not delay the end beyond its deadline`() async throws {
        var options = RunningServer.options
        options.patience = .seconds(2)
        var late: RawConnection?
        try await RunningServer.use(options: options) { server in
            late = try RawConnection(server.address)
            late?.send("POST /v1/pair HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{")
            #expect(try await server.admin.asked("GET", "/v1/phones").status == 200)
        }
        #expect(await late?.rest() == "")
    }

    @Test func `IPv6 works`() async throws {
        var options = RunningServer.options
        options.address = HTTPAddress(host: "::1", port: 0)
        do {
            try await RunningServer.use(options: options) { server in
                let status = try await server.admin.asked("GET", "/v1/phones").status
                #expect(server.address.port > 0 && status == 200)
            }
        } catch let fault as DashboardServer.BindFault {
            // This machine has no IPv6.
            #expect(fault.message.contains("can't listen on [::1]:0: Cannot assign requested address"))
        }
    }

    @Test(arguments: [
        (HTTPAddress(host: "192.0.2.1", port: 0), "192.0.2.1:0: Cannot assign requested address"),
        (HTTPAddress(host: "a..b", port: 80), "a..b:80: a..b: Name or service not known"),
    ])
    func `an address that can not be taken is an error with its reason`(
        address: HTTPAddress,
        reason: String
    ) async throws {
        let fault = await #expect(throws: DashboardServer.BindFault.self) {
            try await RunningServer.use(options: DashboardOptions(address: address)) { _ in }
        }
        #expect(fault?.message == "http.address: can't listen on \(reason)")
    }
}
