import SkerryActivity
import SkerryPhones
import SkerryPushStandIn
import SkerryValues
import Testing

@testable import SkerryPush

@Suite struct PushAnswerTests {
    /// Every answer that Apple documents, and some that nobody does.
    static let rows: [(reply: PushReply, answer: PushAnswer)] =
        [
            (.raw(200), .accepted),
            (.reason(400, "BadDeviceToken"), .badToken),
            (.reason(400, "DeviceTokenNotForTopic"), .wrongTopic),
            (.reason(413, "PayloadTooLarge"), .tooLarge),
            (.reason(410, "Unregistered", since: gone), .tokenGone(since: gone)),
            (.reason(410, "ExpiredToken", since: gone), .tokenGone(since: gone)),
            (.reason(410, "Unregistered"), .tokenGone(since: nil)),
            (.reason(429, "TooManyRequests"), .busy(retryAfter: nil)),
            (
                .raw(429, retryAfter: 30, body: #"{"reason":"TooManyRequests"}"#),
                .busy(retryAfter: .seconds(30))
            ),
            (.raw(503, retryAfter: -1), .unavailable(reason: silent(503), retryAfter: .zero)),
            (.reason(400, "ChannelNotRegistered"), .channelGone(reason: "ChannelNotRegistered")),
            (.raw(200, body: #"{"channels":["a","b"]}"#), .channels(["a", "b"])),
            (.raw(200, body: #"{"channels":[]}"#), .channels([])),
            (.reason(403, "TopicMismatch"), .senderFault(reason: "TopicMismatch")),
            (.raw(201), .senderFault(reason: "the new channel has no id")),
            (.raw(400), .senderFault(reason: silent(400))),
            (.raw(403), .providerToken(reason: silent(403), retryAfter: nil)),
            (.raw(410), .tokenGone(since: nil)),
            (.raw(301, body: "<html>moved</html>"), .senderFault(reason: silent(301))),
            (.raw(400, body: "<html>no</html>"), .senderFault(reason: silent(400))),
            (.raw(400, body: #"{"reason":12}"#), .senderFault(reason: silent(400))),
            (.raw(502, body: "<html>bad gateway</html>"), .unavailable(reason: silent(502), retryAfter: nil)),
        ]
        + [
            "BadTopic", "TopicDisallowed", "BadPriority", "BadExpirationDate", "InvalidPushType",
            "PayloadEmpty", "BadCollapseId", "DuplicateHeaders", "MissingTopic", "BadMessageId",
            "FeatureNotEnabled", "MissingChannelId", "BadRequestPayload", "CannotCreateChannelConfig",
        ].map { (.reason(400, $0), .senderFault(reason: $0)) }
        + [
            (.reason(404, "BadPath"), .senderFault(reason: "BadPath")),
            (.reason(405, "MethodNotAllowed"), .senderFault(reason: "MethodNotAllowed")),
        ]
        + [
            "ExpiredProviderToken", "InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken",
            "BadEnvironmentKeyIdInToken", "Forbidden",
        ].map { (.reason(403, $0), .providerToken(reason: $0, retryAfter: nil)) }
        + [
            (
                .reason(429, "TooManyProviderTokenUpdates"),
                .providerToken(reason: "TooManyProviderTokenUpdates", retryAfter: nil)
            )
        ]
        + [(500, "InternalServerError"), (503, "ServiceUnavailable"), (503, "Shutdown")].map {
            (.reason($0.0, $0.1), .unavailable(reason: $0.1, retryAfter: nil))
        }

    private static let gone = Timestamp(microseconds: 1_790_000_000_250_000)

    private static func silent(_ status: Int) -> String { "status \(status) without a reason" }

    @Test func everyAnswerOfAppleMeansSomething() async throws {
        let quay = try Quay()
        let client = try quay.client()
        for row in Self.rows {
            quay.standIn.answer(row.reply)
            let response = try await client.perform(try quay.request())
            #expect(response.answer == row.answer, "\(row.reply)")
        }
        // Only a service that is about to go gets a new connection next time.
        let goodbyes = Self.rows.dropLast().filter { row in
            if case .answer(let response) = row.reply { response.status == 503 } else { false }
        }
        #expect(quay.standIn.connectionCount == 1 + goodbyes.count)
    }

    /// What Apple would refuse, the stand-in refuses.
    @Test func theStandInRefusesWhatAppleRefuses() async throws {
        let quay = try Quay()
        let client = try quay.client()
        for (number, (request, status, reason)) in try Self.refusals(at: quay).enumerated() {
            let response = try await client.perform(request)
            #expect(response.status == status && response.reason == reason, "case \(number): \(response)")
        }
        quay.standIn.end("a1b2c3d4", at: Self.gone)
        let gone = try await client.perform(try quay.request())
        #expect(gone.answer == .tokenGone(since: Self.gone))
    }

    private static func refusals(at quay: Quay) throws -> [(APNSRequest, Int, String?)] {
        let good = try quay.request()
        func changed(_ name: String, _ value: String?) -> APNSRequest {
            var request = good
            request.headers.removeAll { $0.name == name }
            if let value { request.headers.append(.init(name, value)) }
            return request
        }
        func changed(_ change: (inout APNSRequest) -> Void) -> APNSRequest {
            var request = good
            change(&request)
            return request
        }
        func signed(
            _ key: ProviderKey,
            keyID: String = Quay.keyID,
            teamID: String = Quay.teamID,
            age: Int64 = 0
        ) throws -> APNSRequest {
            let issuedAt = Quay.now.flooredSeconds - age
            let token = try key.token(keyID: keyID, teamID: teamID, issuedAt: issuedAt)
            return changed("authorization", "bearer \(token)")
        }
        return [
            (good, 200, nil),
            (changed("apns-priority", nil), 200, nil),
            (changed("apns-collapse-id", String(repeating: "x", count: 65)), 400, "BadCollapseId"),
            (changed("apns-id", Quay.push().messageID.uppercased()), 400, "BadMessageId"),
            (changed("apns-priority", "7"), 400, "BadPriority"),
            (changed("apns-expiration", "soon"), 400, "BadExpirationDate"),
            (changed("apns-push-type", "voip"), 400, "InvalidPushType"),
            (changed("apns-push-type", "alert"), 400, "TopicDisallowed"),
            (try quay.request(Quay.push(.app(token: "a1b2c3d4"), event: .notification)), 200, nil),
            (changed("apns-topic", nil), 400, "MissingTopic"),
            (changed("apns-topic", Quay.bundleID), 400, "TopicDisallowed"),
            (changed { $0.headers.append(.init("apns-priority", "5")) }, 400, "DuplicateHeaders"),
            (changed { $0.body += Array(repeating: 0x20, count: 4096) }, 413, "PayloadTooLarge"),
            (changed { $0.body = [] }, 400, "PayloadEmpty"),
            (changed { $0.path = "/2/device/00" }, 404, "BadPath"),
            (changed { $0.method = .get }, 405, "MethodNotAllowed"),
            (changed { $0.path = "/3/device/xyz" }, 400, "BadDeviceToken"),
            (changed("authorization", nil), 403, "MissingProviderToken"),
            (changed("authorization", "bearer a.b.c"), 403, "InvalidProviderToken"),
            (try signed(ProviderKey()), 403, "InvalidProviderToken"),
            (try signed(quay.key, keyID: "OTHERKEY00"), 403, "InvalidProviderToken"),
            (try signed(quay.key, teamID: "OTHERTEAM0"), 403, "InvalidProviderToken"),
            (try signed(quay.key, age: -3600), 403, "InvalidProviderToken"),
            (try signed(quay.key, age: 3700), 403, "ExpiredProviderToken"),
            (try signed(quay.key, age: 60), 429, "TooManyProviderTokenUpdates"),
        ]
    }
}
