import COpenSSL
@testable import SkerryGateway
import SkerryPhones
import SkerrySinks
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerryPush

/// The access tokens that Firebase wants, from a stand-in for Google's token service and for Firebase.
@Suite("Access tokens of a service account")
struct ServiceAccountTests {
    private static let fcm = SinkService.fcm(targets: ["topic:house"], budget: 20)

    /// Answers for a token with `token 1`, `token 2` and so on, and for messages as a test says.
    private static func quay(
        key: SigningKey = SigningKey(),
        tokens: ServicePeer.Answer? = nil,
        _ messages: [Int]
    ) throws -> SinkSenderTests.Quay {
        let counts = Counts()
        return try SinkSenderTests.Quay(
            fcm,
            account: { try ServiceAccount(json: key.account(tokenAddress: "http://127.0.0.1:\($0)/token")) },
            path: "/v1/projects/house-1"
        ) { _, request in
            guard request.line.hasPrefix("POST /token ") else {
                return ServicePeer.Answer(messages[counts.next(.messages)], body: "{}")
            }
            let body =
                #"{"access_token":"ya29.\#(counts.next(.tokens) + 1)","expires_in":3599,"token_type":"Bearer"}"#
            return tokens ?? ServicePeer.Answer(body: body)
        }
    }

    @Test("a token is asked for by a signed request, used for all messages, and replaced once it is refused")
    func renewal() async throws {
        let key = SigningKey()
        let quay = try Self.quay(key: key, [200, 200, 401, 200])
        for run in 1...3 {
            quay.put("lit", rev: 1, run: run)
            await quay.peer.answered(run + 1)
        }
        // The clock of the test stands still, so the refused message waits for its pause, and another one does not come.
        await quay.end()
        let requests = quay.peer.requests
        #expect(
            requests.map { $0.line.split(separator: " ")[1] } == [
                "/token", "/v1/projects/house-1/messages:send", "/v1/projects/house-1/messages:send",
                "/v1/projects/house-1/messages:send",
            ]
        )
        #expect(requests.dropFirst().allSatisfy { $0.headers["authorization"] == "Bearer ya29.1" })
        let form = String(decoding: requests[0].body, as: UTF8.self)
        #expect(requests[0].headers["content-type"] == "application/x-www-form-urlencoded")
        #expect(form.hasPrefix("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="))
        let parts = try #require(form.split(separator: "=").last).split(separator: ".").map(String.init)
        #expect(Self.decoded(parts[0]) == #"{"alg":"RS256","typ":"JWT","kid":"key-1"}"#)
        #expect(
            Self.decoded(parts[1]) == #"{"iss":"skerry@house-1.iam.gserviceaccount.com","#
                + #""scope":"https://www.googleapis.com/auth/firebase.messaging","#
                + #""aud":"http://127.0.0.1:\#(quay.peer.port)/token","iat":1772355600,"exp":1772359200}"#
        )
        #expect(key.verifies(parts[2], of: "\(parts[0]).\(parts[1])"))
    }

    @Test("a second refusal in a row needs a person; an answer that is none makes the token good again")
    func refusals() async throws {
        let quay = try Self.quay([])
        let account = try ServiceAccount(
            json: SigningKey().account(tokenAddress: "http://127.0.0.1:\(quay.peer.port)/token")
        )
        let client = try WebClient(threads: "test")
        let tokens = AccessTokens(account, client: client)
        let now = SinkSenderTests.now.flooredSeconds
        #expect(await tokens.next(at: now) == .token("ya29.1"))
        #expect(await tokens.next(at: now + 3298) == .token("ya29.1"))
        #expect(await tokens.next(at: now + 3299) == .token("ya29.2"), "five minutes before its end")
        #expect(
            tokens.answered("ya29.1", isRefusal: true),
            "an earlier one was refused, and there is another already"
        )
        #expect(tokens.answered("ya29.2", isRefusal: true))
        #expect(await tokens.next(at: now + 3299) == .token("ya29.3"))
        #expect(!tokens.answered("ya29.3", isRefusal: true))
        #expect(await tokens.next(at: now + 3299) == .token("ya29.4"))
        #expect(!tokens.answered("ya29.4", isRefusal: false))
        #expect(tokens.answered("ya29.4", isRefusal: true))
        await client.stop()
        await quay.end()
    }

    @Test(
        "why there is no token is the result of the message that needed it",
        arguments: [
            (
                ServicePeer.Answer(
                    400,
                    body: #"{"error":"invalid_grant","error_description":"Invalid JWT"}"#
                ),
                "start: no access token: status 400 (invalid_grant, Invalid JWT): is the service account"
            ),
            (ServicePeer.Answer(503, lines: ["Retry-After: 7"]), "start: no access token: status 503"),
            (ServicePeer.Answer(200, body: "<html>"), "start: no access token: status 200: is the service"),
            (
                ServicePeer.Answer(200, body: #"{"access_token":"a b","expires_in":3599}"#),
                "start: no access token: status 200: is the service"
            ),
        ] as [(ServicePeer.Answer, String)]
    )
    func noToken(answer: ServicePeer.Answer, text: String) async throws {
        let quay = try Self.quay(tokens: answer, [])
        quay.put("lit", rev: 1)
        await quay.peer.answered(1)
        while quay.queue.tally.failed == 0 { await Task.yield() }
        await quay.end()
        let told = quay.desk.decisions(kind: "lamp", device: "desk").first { $0.kind == .failed }?.text ?? ""
        #expect(told.hasPrefix(text), "\(told)")
    }

    @Test(
        "a file that is not a service account is an error that says so",
        arguments: [
            ("", "is not JSON"), ("[]", "is not JSON"), ("{}", "has no \"project_id\""),
            (SigningKey().account(tokenAddress: "ftp://x"), "its \"token_uri\""),
            (SigningKey(pem: ProviderKey().pem).account(tokenAddress: "https://x"), "is not an RSA key"),
        ]
    )
    func files(json: String, words: String) {
        #expect { try ServiceAccount(json: json) } throws: { error in
            (error as? ServiceAccount.Fault)?.message.contains(words) ?? false
        }
    }

    private static func decoded(_ text: String) -> String {
        let plain = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        let padding = String(repeating: "=", count: (4 - plain.count % 4) % 4)
        return String(decoding: Base64.bytes(of: String(plain) + padding) ?? [], as: UTF8.self)
    }
}
