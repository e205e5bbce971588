#if Push
import SkerryActivity
import SkerryPushTesting
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
            (.reason(410, "Unregistered", since: 1_790_000_000_250), .tokenGone(since: gone)),
            (.reason(410, "ExpiredToken", since: 1_790_000_000_250), .tokenGone(since: gone)),
            (.reason(410, "Unregistered"), .tokenGone(since: nil)),
            (.reason(429, "TooManyRequests"), .busy(retryAfter: nil)),
            (
                .raw(429, headers: ["retry-after": "30"], body: #"{"reason":"TooManyRequests"}"#),
                .busy(retryAfter: .seconds(30))
            ),
            (.raw(503, headers: ["retry-after": "-1"]), .unavailable(reason: silent(503), retryAfter: .zero)),
            (.reason(400, "ChannelNotRegistered"), .tokenGone(since: nil)),
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
            if case .reason(503, _, _) = row.reply { return true }
            if case .raw(503, _, _) = row.reply { return true }
            return false
        }
        #expect(quay.standIn.connectionCount == 1 + goodbyes.count)
    }

    /// What Apple would refuse, the stand-in refuses.
    @Test func theStandInRefusesWhatAppleRefuses() async throws {
        let quay = try Quay()
        let client = try quay.client()
        let good = try quay.request()
        func changed(_ name: String, _ value: String?) -> APNSRequest {
            var request = good
            request.headers.removeAll { $0.name == name }
            if let value { request.headers.append(.init(name, value)) }
            return request
        }
        var long = good
        long.body += Array(repeating: UInt8(ascii: " "), count: 4096)
        var empty = good
        empty.body = []
        var elsewhere = good
        elsewhere.path = "/2/device/00"
        var read = good
        read.method = .get
        var odd = good
        odd.path = "/3/device/xyz"
        let other = ProviderKey()
        let issued = Quay.now.flooredSeconds
        func signed(_ key: ProviderKey, _ keyID: String, _ teamID: String, _ issuedAt: Int64) throws -> String
        {
            try "bearer " + key.token(keyID: keyID, teamID: teamID, issuedAt: issuedAt)
        }
        let cases: [(APNSRequest, Int, String?)] = [
            (good, 200, nil),
            (changed("apns-priority", nil), 200, nil),
            (changed("apns-collapse-id", String(repeating: "x", count: 65)), 400, "BadCollapseId"),
            (changed("apns-id", Quay.apnsID.uppercased()), 400, "BadMessageId"),
            (changed("apns-priority", "7"), 400, "BadPriority"),
            (changed("apns-expiration", "soon"), 400, "BadExpirationDate"),
            (changed("apns-push-type", "alert"), 400, "InvalidPushType"),
            (changed("apns-topic", nil), 400, "MissingTopic"),
            (changed("apns-topic", Quay.bundleID), 400, "TopicDisallowed"),
            (long, 413, "PayloadTooLarge"), (empty, 400, "PayloadEmpty"), (elsewhere, 404, "BadPath"),
            (read, 405, "MethodNotAllowed"), (odd, 400, "BadDeviceToken"),
            (changed("authorization", nil), 403, "MissingProviderToken"),
            (changed("authorization", "bearer a.b.c"), 403, "InvalidProviderToken"),
            (
                changed("authorization", try signed(other, Quay.keyID, Quay.teamID, issued)), 403,
                "InvalidProviderToken"
            ),
            (
                changed("authorization", try signed(quay.key, "OTHERKEY00", Quay.teamID, issued)), 403,
                "InvalidProviderToken"
            ),
            (
                changed("authorization", try signed(quay.key, Quay.keyID, Quay.teamID, issued - 3700)), 403,
                "ExpiredProviderToken"
            ),
            (
                changed("authorization", try signed(quay.key, Quay.keyID, Quay.teamID, issued - 60)), 429,
                "TooManyProviderTokenUpdates"
            ),
        ]
        for (number, (request, status, reason)) in cases.enumerated() {
            let response = try await client.perform(request)
            #expect(response.status == status && response.reason == reason, "case \(number): \(response)")
        }
        quay.standIn.end("a1b2c3d4", at: Timestamp(microseconds: 1_790_000_000_250_000))
        let gone = try await client.perform(good)
        #expect(gone.answer == .tokenGone(since: Self.gone))
    }
}
#endif
