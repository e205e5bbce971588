import Foundation
import SkerryDashboard
import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

/// What the HTTP API does with those who mean it ill, or know no better.
@Suite struct BoundsTests {
    private static var impatient: DashboardOptions {
        var options = RunningServer.options
        options.patience = .seconds(5)
        return options
    }

    @Test func knowsItsAddressesAndMethods() async throws {
        try await RunningServer.use { server in
            for path in [
                "/page", "/page/", "/page/..", "/page/../index.html", "/v1", "/v2/devices", "/v1/phones/a/b",
                "/v1//", "/v1/%ff", "/..", "/v1/activities/a",
            ] {
                let answer = try await server.admin.asked("GET", path)
                #expect(answer.status == 404, "\(path)")
                #expect(answer.problem == "unknown-address", "\(path)")
            }
            let answer = try await server.admin.asked("PATCH", "/v1/phones/a/tokens")
            #expect(answer.status == 405)
            #expect(answer.fields["allow"] == "PUT, POST")
            let head = try await server.admin.asked("HEAD", "/pair")
            #expect(head.status == 200)
        }
    }

    @Test func aHugeBodyIsRefused() async throws {
        try await RunningServer.use(options: Self.impatient) { server in
            let answer = try await server.admin.asked(
                "POST",
                "/v1/pair",
                body: [UInt8](repeating: 0x20, count: 16_385)
            )
            #expect(answer.status == 413)
            #expect(answer.problem == "too-large")
            // One that does not say how long it is, and never ends.
            let flood = try RawConnection(server.address)
            flood.send("POST /v1/pair HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            let piece = "4000\r\n" + String(repeating: " ", count: 0x4000) + "\r\n"
            await flood.flood(piece)
            #expect(try await server.admin.asked("GET", "/v1/phones").status == 200)
        }
    }

    @Test func whoIsSlowIsCutOff() async throws {
        try await RunningServer.use(options: Self.impatient) { server in
            let starts = [
                "", "GET /v1/phones HT", "GET / HTTP/1.1\r\nHost: a\r\nX: ",
                "POST /v1/pair HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{",
            ]
            let slow = try starts.map { start in
                let connection = try RawConnection(server.address)
                connection.send(start)
                return connection
            }
            for (start, connection) in zip(starts, slow) {
                let answer = await connection.rest()
                #expect(!answer.hasPrefix("HTTP/1.1 2"), "\(start)")
            }
        }
    }

    @Test func aHeadIsBounded() async throws {
        try await RunningServer.use { server in
            let long = String(repeating: "a", count: 100_000)
            let many = (0..<1000).map { "X-\($0): 1\r\n" }.joined()
            for head in [
                "GET /\(long) HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nX: \(long)\r\n\r\n",
                "GET / HTTP/1.1\r\n\(many)\r\n",
            ] {
                let connection = try RawConnection(server.address)
                connection.send(head)
                let answer = await connection.rest()
                #expect(!answer.hasPrefix("HTTP/1.1 2"))
            }
            #expect(try await server.admin.asked("GET", "/v1/phones").status == 200)
        }
    }

    @Test func rubbishDoesNoHarm() async throws {
        var random = SimulatedRandom(seed: 5)
        let starts = [
            "", "GET ", "POST /v1/pair HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n", "\u{16}\u{3}\u{1}",
        ]
        try await RunningServer.use(options: Self.impatient) { server in
            for start in starts {
                for _ in 0..<10 {
                    let connection = try RawConnection(server.address)
                    let noise = (0..<40).map { _ in Unicode.Scalar(UInt8.random(in: 0...127, using: &random))
                    }
                    connection.send(start + String(String.UnicodeScalarView(noise)))
                }
            }
            #expect(try await server.admin.asked("GET", "/v1/phones").status == 200)
        }
    }

    /// A thousand connections of which most say nothing: whoever comes after them is answered.
    @Test func aThousandConnections() async throws {
        var options = Self.impatient
        options.connectionsPerAddress = 1000
        try await RunningServer.use(options: options) { server in
            var connections: [RawConnection] = []
            for _ in 0..<1000 {
                // The system may refuse what is more than it keeps waiting.
                guard let connection = try? RawConnection(server.address) else { break }
                connections.append(connection)
            }
            #expect(connections.count > 200)
            connections.removeAll()
            let status = try await server.admin.asked("GET", "/v1/phones").status
            #expect(status == 200)
        }
    }

    @Test func anAddressHasOnlySoManyConnections() async throws {
        var options = RunningServer.options
        options.connectionsPerAddress = 4
        try await RunningServer.use(options: options) { server in
            var connections: [RawConnection] = []
            for _ in 0..<4 { connections.append(try RawConnection(server.address)) }
            let fifth = try RawConnection(server.address)
            #expect(await fifth.rest().isEmpty)
            let request = "GET /pair HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let other = try RawConnection(server.address, from: "127.0.0.2")
            other.send(request)
            #expect(await other.rest().hasPrefix("HTTP/1.1 200"))
            // One that is closed makes room for another.
            connections[0].send(request)
            #expect(await connections[0].rest().hasPrefix("HTTP/1.1 200"))
            connections.removeFirst()
            var answer = ""
            for _ in 0..<1000 where answer.isEmpty {
                let next = try RawConnection(server.address)
                next.send(request)
                answer = await next.rest()
            }
            #expect(answer.hasPrefix("HTTP/1.1 200"))
        }
    }

    /// A head whose bytes trickle in is never idle, and cut off all the same.
    @Test func aHeadThatTricklesInIsCutOff() async throws {
        var options = RunningServer.options
        options.patience = .seconds(2)
        try await RunningServer.use(options: options) { server in
            let slow = try RawConnection(server.address)
            slow.send("GET /pair HTTP/1.1\r\nHost: a\r\nX: ")
            await slow.trickle("a")
            #expect(await !slow.rest().hasPrefix("HTTP/1.1 2"))
        }
    }

    @Test func aProxyIsBelievedOnlyWhenItIsNamed() async throws {
        let request = "GET /pair HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Forwarded-For: "
        let cases: [(proxies: Set<String>, told: [String], last: Int)] = [
            ([], ["10.0.0.1", "10.0.0.2", "10.0.0.3"], 429),
            (["127.0.0.1"], ["10.0.0.1", "10.0.0.2", "10.0.0.3"], 200),
            // What a stranger wrote himself stands before what the proxy adds.
            (["127.0.0.1"], ["1.1.1.1, 10.0.0.9", "2.2.2.2, 10.0.0.9", "3.3.3.3, 10.0.0.9"], 429),
            (
                ["127.0.0.1", "10.0.0.9"], ["1.1.1.1, 10.0.0.9", "2.2.2.2, 10.0.0.9", "3.3.3.3, 10.0.0.9"],
                200
            ),
            (["127.0.0.1"], ["nonsense", "nonsense", "other"], 429),
        ]
        for (proxies, told, last) in cases {
            var options = RunningServer.options
            options.requestsPerMinute = 2
            options.proxies = proxies
            try await RunningServer.use(options: options) { server in
                var answer = ""
                for address in told {
                    let connection = try RawConnection(server.address)
                    connection.send(request + address + "\r\n\r\n")
                    answer = await connection.rest()
                }
                #expect(answer.hasPrefix("HTTP/1.1 \(last)"), "\(proxies) \(told)")
            }
        }
    }

    @Test func tooManyRequestsAreRefused() async throws {
        var options = RunningServer.options
        options.requestsPerMinute = 5
        try await RunningServer.use(options: options) { server in
            var answers: [DashboardClient.Answer] = []
            for _ in 0..<20 { answers.append(try await server.admin.asked("GET", "/v1/phones")) }
            #expect(answers.prefix(5).allSatisfy { $0.status == 200 })
            let refused = try #require(answers.first { $0.status == 429 })
            #expect(refused.problem == "too-many-requests")
            #expect(refused.fields["retry-after"].flatMap { Int($0) } ?? 0 > 0)
        }
    }

    /// Requests that one client sends without waiting are answered in order on one connection.
    @Test func answersOneAfterTheOther() async throws {
        try await RunningServer.use { server in
            let connection = try RawConnection(server.address)
            let request = "GET /v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n"
            let last = "GET /pair HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            connection.send(request + request + last)
            let statuses = await connection.rest().matches(of: /HTTP\/1\.1 ([0-9]+)/).map { $0.output.1 }
            #expect(statuses == ["404", "404", "200"])
        }
    }
}
