import Foundation
import SkerryDashboard
import SkerryGateway
import Testing

/// What pages of other sites, shown by a browser in the home network, can do: nothing.
@Suite struct OriginTests {
    private static let code = #"{"code":"AAAAAAAA"}"#

    /// The status of an answer to a request with fields of our choice.
    private func status(
        _ server: RunningServer,
        line: String = "POST /v1/pair",
        _ fields: [String],
        body: String = code
    ) async throws -> String {
        let connection = try RawConnection(server.address)
        let head = ["\(line) HTTP/1.1", "Connection: close", "Content-Length: \(body.utf8.count)"] + fields
        connection.send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
        return String(await connection.rest().dropFirst(9).prefix(3))
    }

    @Test func aPageOfAnotherSiteCanAskNothing() async throws {
        var options = RunningServer.options
        options.publicURL = "https://skerry.example.org"
        let json = "Content-Type: application/json"
        try await RunningServer.use(options: options) { server in
            let own = "Host: \(server.address)"
            let cases: [(fields: [String], status: String)] = [
                ([own, json], "403"),
                ([own, "Content-Type: Application/JSON; charset=utf-8"], "403"),
                ([own, json, "Origin: http://\(server.address)"], "403"),
                ([own, json, "Origin: https://skerry.example.org"], "403"),
                ([own], "415"), ([own, "Content-Type: text/plain"], "415"),
                ([own, "Content-Type: application/x-www-form-urlencoded"], "415"),
                ([own, "Content-Type: application/jsonp"], "415"),
            ]
            for (fields, expected) in cases {
                let answer = try await status(server, fields)
                #expect(answer == expected, "\(fields)")
            }
            for origin in [
                "null", "https://evil.example", "http://127.0.0.1:1",
                "https://skerry.example.org.evil.example",
            ] {
                let answer = try await status(server, [own, json, "Origin: \(origin)"])
                #expect(answer == "403", "\(origin)")
            }
            // What is refused for its origin is no try.
            for _ in 0..<20 {
                _ = try await status(server, [own, json, "Origin: https://evil.example"])
                _ = try await status(server, [own, "Content-Type: text/plain"])
            }
            let right = try #require(try await server.admin.asked("POST", "/v1/pairings").json["code"].text)
            let paired = try await status(server, [own, json], body: #"{"code":"\#(right)"}"#)
            #expect(paired == "201")
        }
    }

    @Test func aPageAtAnotherPortIsOneOfAnotherSite() async throws {
        var options = RunningServer.options
        options.publicURL = "https://skerry.example.org/phones"
        options.hosts = ["gate.example.net"]
        try await RunningServer.use(options: options) { server in
            let port = server.address.port
            func answer(to origin: String, calling host: String) async throws -> String {
                let fields = ["Host: \(host)", "Origin: \(origin)"]
                return try await status(server, line: "DELETE /v1/session", fields, body: "")
            }
            for (origin, host) in [
                ("http://127.0.0.1:\(port)", "127.0.0.1:\(port)"), ("https://gateway", "gateway"),
                ("https://gateway:443", "gateway"), ("http://gateway", "gateway:80"),
                ("https://SKERRY.example.org", "10.0.0.2"), ("https://skerry.example.org:443", "10.0.0.2"),
                ("https://gate.example.net", "10.0.0.2"), ("http://gate.example.net", "10.0.0.2"),
            ] {
                let answer = try await answer(to: origin, calling: host)
                #expect(answer == "204", "\(origin)")
            }
            for (origin, host) in [
                ("http://127.0.0.1:\(port ^ 1)", "127.0.0.1:\(port)"),
                ("http://127.0.0.1", "127.0.0.1:\(port)"),
                ("http://gateway:8080", "gateway"), ("http://skerry.example.org", "10.0.0.2"),
                ("https://skerry.example.org:8443", "10.0.0.2"),
                ("https://gate.example.net:8443", "10.0.0.2"),
                ("ftp://gateway", "gateway"), ("gateway", "gateway"), ("http://", "gateway"),
                ("null", "gateway"),
            ] {
                let answer = try await answer(to: origin, calling: host)
                #expect(answer == "403", "\(origin)")
            }
        }
    }

    @Test func aNameOfAStrangerLeadsNowhere() async throws {
        var options = RunningServer.options
        options.publicURL = "https://skerry.example.org/phones"
        options.hosts = ["Gate.example.net"]
        try await RunningServer.use(options: options) { server in
            for host in [
                "127.0.0.1", "127.0.0.1:7537", "[::1]:7537", "[fe80::1]", "localhost", "gateway",
                "gateway:80",
                "gateway.local", "Gateway.Local.", "pi.lan", "pi.home.arpa", "skerry.example.org",
                "SKERRY.example.org:443", "gate.example.net",
            ] {
                let answer = try await status(server, line: "GET /pair", ["Host: \(host)"], body: "")
                #expect(answer == "200", "\(host)")
            }
            for host in [
                "evil.example", "127.0.0.1.evil.example", "local.evil.example:7537", "1.2.3.4.5", "a..b.",
            ] {
                let answer = try await status(server, line: "GET /pair", ["Host: \(host)"], body: "")
                #expect(answer == "421", "\(host)")
            }
        }
    }

    @Test func addressesAreWrittenInOneWay() {
        let cases: [(String, String?)] = [
            ("127.0.0.1", "127.0.0.1"), ("::FFFF:10.0.0.1", "10.0.0.1"), ("FE80:0::1%eth0", "fe80::1"),
            ("2001:db8:0:0::1", "2001:db8::1"), ("127.1", nil), ("", nil), ("a", nil), ("1.2.3.4.5", nil),
        ]
        for (text, canonical) in cases { #expect(IPAddress.canonical(text) == canonical, "\(text)") }
    }

    @Test func aTokenThatOthersReadIsTold() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let made = try AdminSecret(keptIn: path)
        #expect(!made.isReadableByOthers)
        for (mode, isOpen) in [(0o644, true), (0o640, true), (0o604, true), (0o600, false)] {
            chmod(path, mode_t(mode))
            let secret = try AdminSecret(readFrom: path)
            #expect(secret.isReadableByOthers == isOpen, "\(mode)")
        }
        try FileManager.default.removeItem(atPath: path)
        mkfifo(path, 0o600)
        #expect(throws: AdminSecret.Fault.self) { try AdminSecret(keptIn: path) }
    }
}
