import Foundation
import SkerryDashboard
import SkerryGateway
import SkerryValues
import Testing

/// Questions that the bridge answers later.
@Suite struct HouseTests {
    /// Requests with the question that each becomes.
    private static let questions: [(method: String, path: String, body: String, question: HouseQuestion)] = [
        ("GET", "/v1/status", "", .status), ("GET", "/v1/devices", "", .devices),
        (
            "GET", "/v1/devices/washer/the%20laundry", "",
            .device(DeviceKey(kind: "washer", name: "the laundry"))
        ),
        ("GET", "/v1/devices/washer/tokens", "", .device(DeviceKey(kind: "washer", name: "tokens"))),
        ("GET", "/v1/definitions", "", .definitions),
        ("GET", "/v1/definitions/washer", "", .definition(kind: "washer")),
        ("GET", "/v1/runs", "", .runs(kind: nil, device: nil, limit: 100)),
        ("GET", "/v1/errors", "", .failures(service: nil, recipient: nil, limit: 100)),
        (
            "GET", "/v1/errors?service=ntfy&recipient=Ada%27s%20phone&limit=7", "",
            .failures(service: "ntfy", recipient: "Ada's phone", limit: 7)
        ),
        ("GET", "/v1/runs?kind=a&device=b&limit=7", "", .runs(kind: "a", device: "b", limit: 7)),
        ("GET", "/v1/runs?before=a/b/7", "", .runs(kind: nil, device: nil, before: "a/b/7", limit: 100)),
        ("GET", "/v1/recordings/a/b", "", .recording(DeviceKey(kind: "a", name: "b"))),
        ("GET", "/v1/unread-topics", "", .unreadTopics), ("GET", "/v1/found", "", .found),
        ("GET", "/v1/found/washer", "", .shelvedDefinition(kind: "washer")), ("GET", "/v1/cards", "", .cards),
        (
            "POST", "/v1/proposals", #"{"kind":"fan","filter":"fan/{device}"}"#,
            .proposal(kind: "fan", filter: "fan/{device}")
        ),
        ("GET", "/v1/broker", "", .broker),
        (
            "PUT", "/v1/broker", #"{"host":"a","port":1883}"#,
            .chooseBroker(GivenBroker(host: "a", port: 1883))
        ),
        (
            "PUT", "/v1/broker", #"{"host":"a","port":1,"username":"b","password":"","tls":"authority"}"#,
            .chooseBroker(
                GivenBroker(host: "a", port: 1, username: "b", password: "", security: .authority(nil))
            )
        ),
        ("POST", "/v1/check", #"{"source":"kind: a"}"#, .check(source: "kind: a")),
        ("POST", "/v1/compile", #"{"source":"kind: a"}"#, .compile(source: "kind: a")),
        (
            "POST", "/v1/replay", #"{"source":"kind: a","recording":"{}"}"#,
            .replay(ReplayRequest(source: "kind: a", recording: "{}"))
        ),
        (
            "POST", "/v1/replay", #"{"kind":"a","device":"a/b","source":null}"#,
            .replay(ReplayRequest(kind: "a", device: "a/b"))
        ),
        (
            "POST", "/v1/devices/a/b/events", #"{"event":"snooze"}"#,
            .event(DeviceKey(kind: "a", name: "b"), name: "snooze")
        ),
    ]

    @Test func `requests become questions, and answers answers`() async throws {
        let house = NotedHouse()
        try await RunningServer.use(house: house) { server in
            for (method, path, body, question) in Self.questions {
                let asker = path == "/v1/broker" ? server.admin : server.client()
                let answer = try await asker.asked(method, path, body: Array(body.utf8))
                #expect(answer.status == (path.hasSuffix("events") ? 202 : 200), "\(path)")
                #expect(house.questions.last == question, "\(path)")
                let type = answer.fields["content-type"]
                if path.contains("recordings") { #expect(type == "application/x-ndjson") }
                if path.hasSuffix("compile") { #expect(type == "application/octet-stream") }
            }
        }
    }

    @Test(arguments: [
        ("{}", "/host"), (#"{"host":"","port":1}"#, "/host"), (#"{"host":"mqtt://a","port":1}"#, "/host"),
        (#"{"host":"a b","port":1}"#, "/host"), (#"{"host":"a\u0001","port":1}"#, "/host"),
        (#"{"host":"\#(String(repeating: "a", count: 254))","port":1}"#, "/host"),
        (#"{"host":"a"}"#, "/port"), (#"{"host":"a","port":0}"#, "/port"),
        (#"{"host":"a","port":65536}"#, "/port"), (#"{"host":"a","port":1.5}"#, "/port"),
        (#"{"host":"a","port":"1"}"#, "/port"), (#"{"host":"a","port":1,"username":"b\n"}"#, "/username"),
        (#"{"host":"a","port":1,"password":"b"}"#, "/username"),
        (#"{"host":"a","port":1,"username":"b","password":"\n"}"#, "/password"),
        (#"{"host":"a","port":1,"username":"b","password":7}"#, "/password"),
        (#"{"host":"a","port":1,"tls":"maybe"}"#, "/tls"),
        (#"{"host":"a","port":1,"tls":"authority","authority":"x"}"#, "/authority"),
    ])
    func `a broker that can be none is refused with its place`(body: String, place: String) async throws {
        let house = NotedHouse()
        try await RunningServer.use(house: house) { server in
            let answer = try await server.admin.asked("PUT", "/v1/broker", body: Array(body.utf8))
            #expect(answer.status == 400 && answer.json["path"].text == place, "\(answer.text)")
            #expect(house.questions.isEmpty)
        }
    }

    @Test func `a list of runs that was cut has a link to the next one`() async throws {
        let house = NotedHouse { question in
            let isFirst = if case .runs(_, _, nil, _) = question { true } else { false }
            return .found(Array((isFirst ? #"{"next":"a/the \"b\"/7","runs":[]}"# : "{}").utf8))
        }
        try await RunningServer.use(house: house) { server in
            let first = try await server.client().asked("GET", "/v1/runs?limit=7&kind=%0Aa")
            let link = try #require(first.fields["link"])
            #expect(link == "<?limit=7&kind=%0Aa&before=a/the%20%22b%22/7>; rel=\"next\"")
            let query = link.dropFirst().prefix { $0 != ">" }
            let last = try await server.client().asked("GET", "/v1/runs\(query)")
            #expect(last.fields["link"] == nil)
            let question = HouseQuestion.runs(kind: "\na", device: nil, before: "a/the \"b\"/7", limit: 7)
            #expect(house.questions.last == question)
        }
    }

    @Test(arguments: [
        (HouseProblem.Sort.notFound, 404), (.wrong, 400), (.tooMuch, 413), (.unavailable, 503),
    ])
    func `a problem has its status`(sort: HouseProblem.Sort, status: Int) async throws {
        let problem = HouseProblem(sort, code: "no-recording", detail: "there is none")
        try await RunningServer.use(house: NotedHouse { _ in .problem(problem) }) { server in
            let answer = try await server.client().asked("GET", "/v1/recordings/a/b")
            #expect(answer.status == status)
            #expect(answer.problem == "no-recording" && answer.json["detail"].text == "there is none")
            #expect(answer.json["problems"].elements.isEmpty)
        }
    }

    @Test func `the problems of a definition come with their problem`() async throws {
        let problems = Array(#"[{"code":"no-initial","line":3}]"#.utf8)
        let problem = HouseProblem(.wrong, code: "definition-has-errors", detail: "", problems: problems)
        try await RunningServer.use(house: NotedHouse { _ in .problem(problem) }) { server in
            let body = Array(#"{"source":"kind: a"}"#.utf8)
            let answer = try await server.client().asked("POST", "/v1/compile", body: body)
            #expect(answer.problem == "definition-has-errors")
            #expect(answer.json["problems"].elements.map { $0["code"].text } == ["no-initial"])
        }
    }

    @Test func `an answer that is long in coming delays no other`() async throws {
        let house = NotedHouse { $0 == .status ? nil : .found(Array("{}".utf8)) }
        try await RunningServer.use(house: house) { server in
            let slow = try RawConnection(server.address)
            slow.send("GET /v1/status HTTP/1.1\r\nHost: \(server.address)\r\nConnection: close\r\n\r\n")
            slow.finish()
            while !house.questions.contains(.status) { await Task.yield() }
            for _ in 0..<10 { #expect(try await server.client().asked("GET", "/v1/devices").status == 200) }
            house.release(.found(Array(#"{"version":"1"}"#.utf8)))
            let answer = await slow.rest()
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix(#"{"version":"1"}"#))
        }
    }

    @Test func `a house that does not answer in time is a problem, and its late answer does no harm`()
        async throws
    {
        var options = RunningServer.options
        options.answerPatience = .milliseconds(50)
        let house = NotedHouse { _ in nil }
        try await RunningServer.use(options: options, house: house) { server in
            let answer = try await server.client().asked("GET", "/v1/status")
            #expect(answer.status == 503 && answer.problem == "no-answer")
            house.release(.found(Array("{}".utf8)))
            #expect(try await server.client().asked("GET", "/pair").status == 200)
        }
    }

    @Test func `only so many wait for an answer`() async throws {
        var options = RunningServer.options
        options.connectionsPerAddress = 100
        let house = NotedHouse { _ in nil }
        try await RunningServer.use(options: options, house: house) { server in
            var waiting: [RawConnection] = []
            for _ in 0..<64 {
                let connection = try RawConnection(server.address)
                connection.send("GET /v1/status HTTP/1.1\r\nHost: \(server.address)\r\n\r\n")
                waiting.append(connection)
            }
            while house.questions.count < 64 { await Task.yield() }
            let answer = try await server.client().asked("GET", "/v1/status")
            #expect(answer.status == 503 && answer.problem == "busy")
            house.release(.found(Array("{}".utf8)))
            for connection in waiting { #expect(await connection.some().starts(with: "HTTP/1.1 200".utf8)) }
        }
    }

    @Test func `whoever waits at the end is told so`() async throws {
        var waiting: RawConnection?
        var options = RunningServer.options
        options.patience = .seconds(1)
        let house = NotedHouse { _ in nil }
        try await RunningServer.use(options: options, house: house) { server in
            let connection = try RawConnection(server.address)
            connection.send("GET /v1/status HTTP/1.1\r\nHost: \(server.address)\r\n\r\n")
            while house.questions.isEmpty { await Task.yield() }
            waiting = connection
        }
        #expect(try await #require(waiting).rest().hasPrefix("HTTP/1.1 503"))
    }

    @Test func `large bodies are for those who may send them`() async throws {
        let house = NotedHouse()
        try await RunningServer.use(house: house) { server in
            let text = String(repeating: "#", count: 4_000_000)
            let body = Array(#"{"source":"\#(text)"}"#.utf8)
            let answer = try await server.client().asked("POST", "/v1/check", body: body)
            #expect(answer.status == 200)
            #expect(house.questions == [.check(source: text)])
            let longer = Array(#"{"source":"\#(text.prefix(20_000))"}"#.utf8)
            for (client, path) in [(server.stranger, "/v1/check"), (server.client(), "/v1/guests")] {
                let refusal = try await client.asked("POST", path, body: longer)
                #expect(refusal.problem == "too-large", "\(path)")
            }
            let huge = try RawConnection(server.address)
            huge.send("POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4194305\r\n\r\n")
            #expect(await huge.rest().hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test func `readiness is that of broker and store`() async throws {
        let house = NotedHouse()
        try await RunningServer.use(house: house) { server in
            for (status, isReady) in [
                (#"{"broker":{"connected":true},"store":true}"#, true),
                (#"{"broker":{"connected":true},"store":false}"#, true),
                (#"{"broker":{"connected":true},"storing":false}"#, false),
                (#"{"broker":{"connected":false},"store":true}"#, false), ("{}", false), ("rubbish", false),
            ] {
                house.change { _ in .found(Array(status.utf8)) }
                let answer = try await server.stranger.asked("GET", "/readyz")
                #expect(answer.status == (isReady ? 200 : 503), "\(status)")
            }
            #expect(try await server.stranger.asked("GET", "/healthz").text == "ok\n")
        }
    }

    @Test func `metrics are those of the house, for a token of their own, too, which opens nothing else`()
        async throws
    {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { unlink(path) }
        var options = RunningServer.options
        let secret = try AdminSecret(keptIn: path)
        options.metricsToken = secret
        let house = NotedHouse { $0 == .metrics ? .found(Array("skerry_devices 4\n".utf8)) : .found([]) }
        // A proxy speaks for others, so that nobody is someone on this machine.
        options.proxies = ["127.0.0.1"]
        try await RunningServer.use(options: options, house: house) { server in
            let reader = server.client(secret.text)
            for client in [server.admin, reader] {
                let answer = try await client.asked("GET", "/metrics")
                #expect(answer.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
                #expect(answer.text.hasPrefix("skerry_devices 4\n"))
            }
            for path in ["/v1/status", "/v1/devices", "/v1/phones", "/v1/stream", "/v1/errors"] {
                #expect(try await reader.asked("GET", path).status == 401, "\(path)")
            }
            #expect(try await server.stranger.asked("GET", "/metrics").status == 401)
            #expect(try await server.client("wrong").asked("GET", "/metrics").status == 401)
        }
    }
}
