import Foundation
import SkerryDashboard
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryValues
import Testing

/// docs/openapi.yaml says what the server does.
@Suite struct OpenAPITests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
    }

    /// Methods and paths: two spaces before a path, four before a method.
    private static func operations() throws -> [(method: String, path: String)] {
        var operations: [(method: String, path: String)] = []
        var path: String?
        for line in try text("docs/openapi.yaml").split(separator: "\n") {
            if let match = line.wholeMatch(of: #/  (\/[^:]*):/#) {
                path = String(match.output.1)
            } else if line.first != " " {
                path = nil
            } else if let path, let match = line.wholeMatch(of: #/    (get|put|post|delete|patch):/#) {
                operations.append((match.output.1.uppercased(), path))
            }
        }
        return operations
    }

    /// The words of the list below a line, or on it.
    private static func list(after start: String) throws -> Set<String> {
        let page = try text("docs/openapi.yaml")
        let rest = page[try #require(page.firstRange(of: start)).upperBound...]
        let lines = rest.split(separator: "\n").prefix { $0.contains(/^ +- [a-z-]+$/) }
        return Set(lines.map { String($0.split(separator: "- ")[1]) })
    }

    private static func keysWithoutValue(in node: YAMLNode) -> [String] {
        switch node.content {
        case .scalar: []
        case .list(let elements): elements.flatMap { keysWithoutValue(in: $0) }
        case .map(let pairs):
            pairs.flatMap { pair in
                (pair.value.isEmpty ? [pair.key.text] : []) + keysWithoutValue(in: pair.value)
            }
        }
    }

    @Test func `no description is cut at a comma`() throws {
        let root = try #require(YAMLComposer.foreign(try Self.text("docs/openapi.yaml")).root)
        #expect(Self.keysWithoutValue(in: root) == [])
    }

    @Test func describesWhatIsThere() async throws {
        let operations = try Self.operations()
        #expect(operations.count == 61)
        try await RunningServer.use { server in
            let ada = try await server.pair()
            for path in Set(operations.map(\.path)) {
                let described = Set(operations.filter { $0.path == path }.map(\.method))
                let asked = path.replacing("{phone}", with: ada.id).replacing("{kind}", with: "washer")
                    .replacing("{device}", with: "laundry").replacing("{pairing}", with: "none")
                    .replacing("{file}", with: "app.css")
                let answer = try await server.admin.asked("PATCH", asked)
                #expect(answer.status == 405, "\(path)")
                var allowed = Set((answer.fields["allow"] ?? "").split(separator: ", ").map(String.init))
                // A device can be called tokens.
                if path == "/v1/devices/{phone}/tokens" { allowed.remove("GET") }
                #expect(allowed == described, "\(path)")
            }
        }
    }

    /// Requests, and the addresses of the description that they ask.
    private static let cases: [(method: String, path: String, asked: String, body: String)] = {
        let guest = #"{"device":"washer/laundry"}"#
        let credential = Base64.text(of: [UInt8](repeating: 7, count: 32))
        let browser = #"{"name":"B","role":"viewer","credential":"\#(credential)"}"#
        return [
            ("GET", "/", "/", ""), ("GET", "/page/{file}", "/page/nothing", ""),
            ("GET", "/v1/session", "/v1/session", ""),
            ("POST", "/v1/session", "/v1/session", #"{"token":"x"}"#),
            ("DELETE", "/v1/session", "/v1/session", ""), ("POST", "/v1/guests", "/v1/guests", guest),
            ("POST", "/v1/guests", "/v1/guests", "[]"), ("POST", "/v1/pairings", "/v1/pairings", ""),
            ("POST", "/v1/pairings", "/v1/pairings", #"{"name":1}"#),
            ("GET", "/v1/pairings/{pairing}", "/v1/pairings/none", ""),
            ("POST", "/v1/pair", "/v1/pair", #"{"code":"AAAA"}"#), ("GET", "/v1/phones", "/v1/phones", ""),
            ("GET", "/v1/phones/{phone}", "/v1/phones/none", ""), ("GET", "/v1/browsers", "/v1/browsers", ""),
            ("PUT", "/v1/browsers/{browser}", "/v1/browsers/b", "{}"),
            ("PUT", "/v1/browsers/{browser}", "/v1/browsers/b", browser),
            ("GET", "/v1/browsers", "/v1/browsers", ""),
            ("DELETE", "/v1/browsers/{browser}", "/v1/browsers/b", ""),
            ("DELETE", "/v1/browsers/{browser}", "/v1/browsers/b", ""),
            ("POST", "/v1/session", "/v1/session", #"{"code":"AAAA"}"#),
            ("POST", "/v1/pairings", "/v1/pairings", #"{"role":"viewer"}"#),
            ("POST", "/v1/pairings", "/v1/pairings", #"{"role":"guest"}"#),
            ("GET", "/v1/activities", "/v1/activities", ""),
            ("GET", "/v1/activities", "/v1/activities?limit=x", ""),
            ("GET", "/v1/activities/{kind}/{device}", "/v1/activities/washer/laundry", ""),
            ("GET", "/v1/activities/{kind}/{device}", "/v1/activities/washer/dryer", ""),
            (
                "GET", "/v1/activities/{kind}/{device}/timeline", "/v1/activities/washer/laundry/timeline",
                ""
            ),
            ("PUT", "/v1/activities/{kind}/{device}", "/v1/activities/washer/laundry", "{}"),
            ("POST", "/v1/check", "/v1/check", "{}"), ("POST", "/v1/compile", "/v1/compile", "{}"),
            ("POST", "/v1/compile", "/v1/compile", #"{"source":"kind: a"}"#),
            ("POST", "/v1/replay", "/v1/replay", "{}"),
            (
                "POST", "/v1/devices/{kind}/{device}/events", "/v1/devices/washer/laundry/events",
                #"{"event":"snooze"}"#
            ),
            ("PUT", "/v1/devices/{kind}/{device}/settings", "/v1/devices/a/b/settings", #"{"name":"B"}"#),
            ("PUT", "/v1/definitions/{kind}", "/v1/definitions/washer", #"{"source":""}"#),
            ("GET", "/v1/errors", "/v1/errors?limit=x", ""),
            ("GET", "/v1/runs", "/v1/runs?limit=x", ""), ("GET", "/v1/stream", "/v1/stream?device=x", ""),
            ("GET", "/v1/recordings/{kind}/{device}", "/v1/recordings/washer/laundry", ""),
            ("GET", "/metrics", "/metrics", ""), ("GET", "/healthz", "/healthz", ""),
            ("GET", "/readyz", "/readyz", ""), ("GET", "/v1/openapi.yaml", "/v1/openapi.yaml", ""),
        ]
    }()

    @Test func `answers are as described`() async throws {
        let document = try #require(OpenAPIDocument(Self.text("docs/openapi.yaml")))
        let log = EventLog { RunningServer.now }
        log.take(StreamTests.beginning(of: "laundry"))
        try await RunningServer.use(log: log) { server in
            _ = try await server.pair()
            for client in [server.admin, server.stranger] {
                for (method, path, asked, body) in Self.cases {
                    let answer = try await client.asked(method, asked, body: Array(body.utf8))
                    let type = answer.body.isEmpty ? nil : answer.fields["content-type"]
                    let faults = document.faults(
                        method,
                        path,
                        status: answer.status,
                        type: type,
                        body: type?.hasSuffix("/json") == true || type?.hasSuffix("+json") == true
                            ? answer.json : nil
                    )
                    #expect(faults.isEmpty, "\(method) \(asked): \(answer.status)")
                }
            }
        }
    }

    @Test func `the bridge serves the description, and names it where nothing is found`() async throws {
        try await RunningServer.use { server in
            let answer = try await server.stranger.asked("GET", "/v1/openapi.yaml")
            #expect(answer.status == 200 && answer.fields["content-type"] == "application/yaml")
            #expect(answer.text == (try Self.text("docs/openapi.yaml")))
            let nothing = try await server.admin.asked("GET", "/v1/nothing")
            #expect(nothing.status == 404)
            #expect(nothing.json["detail"].text?.contains("GET /v1/openapi.yaml") == true)
        }
    }

    @Test func namesEveryKindOfProblem() throws {
        var codes: Set<String> = []
        for folder in [
            "Adapters/SkerryDashboard/Desk", "Adapters/SkerryDashboard/Front",
            "Adapters/SkerryDashboard/Server", "Adapters/SkerryDashboard/Stream", "Adapters/SkerryHouse",
            "Gateway/SkerryGateway",
        ]
        .map({ "Sources/\($0)" }) {
            let files = try FileManager.default.contentsOfDirectory(
                atPath: Self.package.appendingPathComponent(folder).path
            )
            for file in files where file.hasSuffix(".swift") {
                let text = try Self.text("\(folder)/\(file)")
                for match in text.matches(of: /(?:code: |wrongBody\(\s*)"([a-z-]+)"/) {
                    codes.insert(String(match.output.1))
                }
            }
        }
        #expect(
            try Self.list(after: "The kind of problem; never changes.\n          enum:\n") == codes
        )
    }
}
