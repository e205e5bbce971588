import Logging
import SkerryGateway
import SkerryValues
import Testing

@testable import SkerryDashboard

/// Requests and the desk, without a socket.
@Suite struct RequestTests {
    private static func desk(_ change: (inout DashboardOptions) -> Void = { _ in }) throws -> RequestDesk {
        var options = DashboardOptions()
        change(&options)
        return RequestDesk(
            options: options,
            of: ServedBridge(
                phones: NotedPhones(),
                log: EventLog(now: { RunningServer.now }),
                house: NotedHouse()
            ),
            admin: try RunningServer.secret(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private static let sender = RequestSender([:], peer: "10.0.0.1", isSecure: false, proxies: [])

    @Test(arguments: [
        ("/v1/devices/a%20b?limit=2&after=a%2Fb", ["v1", "devices", "a b"], ["2", "a/b"], "gateway"),
        ("/v1%2Fdevices", ["v1/devices"], [], "gateway"), ("/", [""], [], "gateway"),
        ("//v1/", ["", "v1", ""], [], "gateway"), ("/a?b?c=/#d", ["a"], ["/"], "gateway"),
        ("/a://b", ["a:", "", "b"], [], "gateway"),
        ("http://other:80/v1/devices?a=b", ["v1", "devices"], ["b"], "other:80"),
        ("http://other?a=b", [""], ["b"], "other"), ("", [""], [], "gateway"),
    ])
    func `a target is taken apart`(target: String, path: [String], values: [String], authority: String) throws
    {
        let head = RequestHead(method: "GET", target: target, headers: ["Host": "gateway"])
        let request = try Request(head, from: Self.sender)
        #expect(request.path == path)
        #expect(request.query.map(\.value) == values)
        #expect(request.authority == authority)
    }

    @Test func `the case of field names does not matter`() {
        var headers: HeaderFields = ["ETag": "1", "X-A": "a", "x-a": "b"]
        #expect(headers["etag"] == "1" && headers["X-a"] == "a, b" && headers["X"] == nil)
        headers["x-A"] = "c"
        #expect(headers.values("X-A") == ["c"])
        headers["ETAG"] = nil
        #expect(headers.entries.map(\.name) == ["x-A"])
    }

    @Test(
        arguments: [
            (["Host": "a"], nil), (["Content-Length": "5"], nil), (["Transfer-Encoding": "Chunked"], nil),
            (["Host": "a", "host": "a"], "malformed-head"),
            (["Content-Length": "5", "content-length": "5"], "malformed-head"),
            (["Content-Length": "5, 5"], "malformed-head"), (["Content-Length": ""], "malformed-head"),
            (["Content-Length": "٥"], "malformed-head"),
            (["Content-Length": "99999999999999999999"], "malformed-head"),
            (["Content-Length": "5", "Transfer-Encoding": "chunked"], "malformed-head"),
            (["Transfer-Encoding": "identity"], "malformed-head"),
            (["Transfer-Encoding": "chunked", "transfer-encoding": "chunked"], "malformed-head"),
            (["X ": "a"], "malformed-head"), (["": "a"], "malformed-head"),
            (["X": "a\u{7F}"], "malformed-head"),
            (["X": "a\rb"], "malformed-head"), (["X": "a\tb"], nil),
            (["X": String(repeating: "a", count: RequestHead.byteLimit)], "head-too-large"),
        ] as [(HeaderFields, String?)]
    )
    func `a head that can be read in two ways is refused`(headers: HeaderFields, code: String?) throws {
        let desk = try Self.desk()
        do throws(Problem) {
            _ = try IncomingRequest(
                RequestHead(method: "GET", target: "/pair", headers: headers),
                from: "",
                isSecure: false,
                to: desk
            )
            #expect(code == nil)
        } catch {
            #expect(error.code == code)
            #expect(error.headers["Connection"] == "close")
        }
    }

    @Test func `the number of fields is bounded`() throws {
        var head = RequestHead(method: "GET", target: "/pair")
        for _ in 0..<RequestHead.fieldLimit { head.headers.append("X", "1") }
        try head.check()
        head.headers.append("X", "1")
        let problem = #expect(throws: Problem.self) { try head.check() }
        #expect(problem?.response.status == .headTooLarge)
    }

    @Test(arguments: [
        // Pieces of a body, whether the last one is taken, and the status.
        ([2], true, Status.badRequest), ([16_384], true, .badRequest), ([16_384, 1], true, .contentTooLarge),
        ([16_384, 65_536], true, .contentTooLarge), ([16_384, 65_537], false, .contentTooLarge),
    ])
    func `a body is bounded`(pieces: [Int], isTaken: Bool, status: Status) throws {
        let head = RequestHead(
            method: "POST",
            target: "/v1/pair",
            headers: ["Transfer-Encoding": "chunked", "Content-Type": "application/json"]
        )
        var request = try IncomingRequest(head, from: "10.0.0.1", isSecure: false, to: Self.desk())
        var wasTaken = true
        for count in pieces {
            wasTaken = [UInt8](repeating: 0x20, count: count).withUnsafeBytes { request.take($0) }
        }
        #expect(wasTaken == isTaken)
        #expect(request.reply().response?.status == status)
    }

    @Test func `a body that is announced as too long is refused at once`() throws {
        let head = RequestHead(method: "POST", target: "/v1/pair", headers: ["Content-Length": "16385"])
        let problem = #expect(throws: Problem.self) {
            _ = try IncomingRequest(head, from: "10.0.0.1", isSecure: false, to: Self.desk())
        }
        #expect(problem?.status == .contentTooLarge)
    }

    @Test(arguments: [
        ("GET", "/pair", Status.ok), ("HEAD", "/pair", .ok), ("get", "/pair", .methodNotAllowed),
        ("DELETE", "/pair", .methodNotAllowed), ("GET", "/pair/", .notFound), ("GET", "/v1/%ff", .notFound),
        ("GET", "/v1/devices", .unauthorized), ("PATCH", "/v1/devices", .methodNotAllowed),
        ("GET", "/v1/phones", .unauthorized), ("GET", "*", .notFound), ("GET", "/", .ok),
    ])
    func `addresses and methods have their statuses`(method: String, target: String, status: Status) throws {
        let head = RequestHead(method: method, target: target, headers: ["Host": "gateway"])
        #expect(
            try IncomingRequest(head, from: "10.0.0.1", isSecure: false, to: Self.desk()).reply().response?
                .status == status
        )
    }
}

extension Reply {
    /// The answer, if it was there at once.
    fileprivate var response: Response? {
        if case .response(let response) = self { response } else { nil }
    }
}
