import Foundation
import Logging
import SkerryExpressions
import SkerryPhones
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryActivity
@testable import SkerryGateway
@testable import SkerryPush
@testable import SkerrySinks

/// Requests to services over real connections.
@Suite("Sending requests to services")
struct SinkSenderTests {
    static let now = Timestamp(seconds: 1_772_355_600)

    /// A sender with its desk and queue, and the service on the other end.
    final class Quay {
        let queue = SinkQueue(name: "test", options: BridgeOptions(version: "test"))
        let failures = MemoryPhoneStore()
        let peer: ServicePeer
        let desk: SinkDesk
        let task: Task<Void, Never>
        private var id: UInt64 = 0

        init(
            _ service: SinkService,
            token: String? = nil,
            account: (Int) throws -> ServiceAccount? = { _ in nil },
            key: [UInt8]? = nil,
            path: String = "",
            _ answer: @escaping @Sendable (Int, ServicePeer.Request) -> ServicePeer.Answer
        ) throws {
            let peer = ServicePeer(answer)
            Thread { peer.serve() }.start()
            self.peer = peer
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let clock = StepClock(SinkSenderTests.now)
            let scheduler = SinkScheduler(
                service,
                layouts: SinkLayouts(zone: { TimeZoneRules(firstOffset: 0) }) { _ in nil },
                alertFreshness: .minutes(15),
                at: clock.now
            )
            desk = SinkDesk(
                scheduler,
                queue: queue,
                clock: clock,
                failures: FailureLog(failures, logger: logger),
                logger: logger
            )
            let access = SinkAccess(
                address: "http://127.0.0.1:\(peer.port)\(path)",
                token: token,
                account: try account(peer.port),
                signingKey: key
            )
            let sender = try SinkSender(desk: desk, access: access, clock: clock, logger: logger)
            task = Task { await sender.run() }
        }

        /// Puts a revision of an activity into the queue.
        func put(_ state: String, rev: Int64, run: Int = 1) {
            id += 1
            let update = ActivityUpdate(
                kind: .started,
                id: "lamp/desk/\(run)",
                rev: rev,
                epoch: 1,
                at: SinkSenderTests.now,
                startedAt: SinkSenderTests.now,
                phase: .active,
                state: state,
                attributes: ValueMap(),
                content: ValueMap(),
                patch: nil,
                isNewState: true,
                relevance: 50,
                staleness: .never,
                link: nil,
                dismissAt: nil,
                alert: nil
            )
            queue.put([Delivery(id: id, sink: "test", kind: "lamp", device: "desk", update: update)])
        }

        func end() async {
            task.cancel()
            await task.value
            peer.stop()
        }
    }

    @Test("Home Assistant gets its token, and connections are used again")
    func homeAssistant() async throws {
        let quay = try Quay(
            .homeAssistant(targets: ["mobile_app_anna"], budget: 20),
            token: "a.b.c"
        ) { _, _ in ServicePeer.Answer(body: "[]") }
        quay.put("lit", rev: 1)
        await quay.peer.answered(1)
        quay.put("lit", rev: 1, run: 2)
        await quay.peer.answered(2)
        await quay.end()
        let request = quay.peer.requests[0]
        #expect(request.line == "POST /api/services/notify/mobile_app_anna HTTP/1.1")
        #expect(request.headers["authorization"] == "Bearer a.b.c")
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["expect"] == nil && request.headers["transfer-encoding"] == nil)
        #expect((try? JSONReader.value(of: request.body.span)) != nil)
        #expect(quay.peer.connections == 1)
    }

    @Test("a webhook is signed over id, time and body, and 410 ends it")
    func webhook() async throws {
        let key = Array("sixteen letters.".utf8)
        let quay = try Quay(.webhook(mode: .binary, client: "skerry"), key: key, path: "/hook?x=1") {
            number,
            _ in
            ServicePeer.Answer(number == 0 ? 204 : 410)
        }
        quay.put("lit", rev: 1)
        await quay.peer.answered(1)
        quay.put("lit", rev: 1, run: 2)
        await quay.peer.answered(2)
        let request = quay.peer.requests[0]
        #expect(request.line == "POST /hook?x=1 HTTP/1.1")
        #expect(request.headers["ce-type"] == "skerry.activity.started")
        let id = try #require(request.headers["webhook-id"])
        #expect(id == request.headers["ce-id"] && request.headers["webhook-timestamp"] == "1772355600")
        let signature = SinkAccess.signature(of: request.body, id: id, at: 1_772_355_600, key: key)
        #expect(request.headers["webhook-signature"] == signature)
        var settled = quay.queue.takeSettled()
        while !settled.contains(2) {
            await Task.yield()
            settled += quay.queue.takeSettled()
        }
        await quay.end()
        #expect(quay.desk.decisions(kind: "lamp", device: "desk").last?.text.contains("410") == true)
        let failures = quay.failures.failures()
        #expect(failures.map(\.activity) == ["lamp/desk/2"] && failures[0].service == "webhook")
        #expect(failures[0].text.contains("410"))
    }

    @Test("a service that is not there is tried again, and nothing is settled before")
    func unreachable() async throws {
        let quay = try Quay(.webhook(mode: .structured, client: "skerry")) { _, _ in ServicePeer.Answer(503) }
        quay.put("lit", rev: 1)
        await quay.peer.answered(1)
        while quay.queue.tally.failed == 0 { await Task.yield() }
        #expect(quay.queue.takeSettled().isEmpty && quay.queue.tally.held == 1)
        await quay.end()
    }

    @Test(
        "a pause is asked for in seconds, as a date in each form of RFC 9110, or as the end of a limit",
        arguments: [
            (["X-RateLimit-Reset: 784111777", "Date: Sun, 06 Nov 1994 08:49:07 GMT"], 30),
            (["X-RateLimit-Reset: -9223372036854775808", "Date: Sun, 06 Nov 1994 08:49:07 GMT"], nil),
            (["X-RateLimit-Reset: 784111777"], nil),
            (["Retry-After: 30"], 30), (["Retry-After:   7  "], 7), ([], nil),
            (["Retry-After: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:49:07 GMT"], 30),
            (["Retry-After: Sunday, 06-Nov-94 08:50:07 GMT", "Date: Sun, 06 Nov 1994 08:49:07 GMT"], 60),
            (["Retry-After: Sun Nov  6 09:49:07 1994", "Date: Sun, 06 Nov 1994 08:49:07 GMT"], 3600),
            (["Retry-After: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:50:07 GMT"], 0),
            (["Retry-After: Sun, 06 Nov 1994 08:49:37 GMT"], nil), (["Retry-After: tomorrow"], nil),
            (["Retry-After: soon", "Date: Sun, 06 Nov 1994 08:49:07 GMT"], nil),
        ] as [([String], Int?)]
    )
    func pauses(lines: [String], seconds: Int?) async throws {
        let peer = ServicePeer { _, _ in ServicePeer.Answer(429, lines: lines) }
        Thread { peer.serve() }.start()
        let client = try WebClient(threads: "test")
        let request = WebRequest(
            .post,
            address: "http://127.0.0.1:\(peer.port)/",
            headers: [],
            body: []
        )
        let response = try await client.perform(request)
        await client.stop()
        peer.stop()
        #expect(response.retryPause == seconds.map { .seconds(Int64($0)) })
    }

    @Test("the signature is that of the published example of Standard Webhooks")
    func signature() throws {
        let key = try #require(Base64.bytes(of: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = SinkAccess.signature(
            of: Array(#"{"test": 2432232314}"#.utf8),
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            at: 1_614_265_330,
            key: key
        )
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test("hosts in the log have no names and passwords")
    func hosts() {
        #expect(SinkAccess(address: "http://a:b@ha.local:8123/x").host == "ha.local:8123")
        #expect(SinkAccess(address: "https://example.org?x=//y").host == "example.org")
    }
}
