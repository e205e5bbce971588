import SkerryPhones
import Testing

@testable import SkerryPush

/// Answers of Apple's service in the log.
@Suite struct APNSResponseTests {
    @Test func `the log has the reason of a refusal, and the id by which Apple's console finds a push`() {
        let headers = ["apns-id": "a", "apns-unique-id": "b"]
        #expect(WebResponse.readHeaders.isSuperset(of: headers.keys))
        #expect(APNSResponse(WebResponse(status: 200, headers: headers)).words == "200, apns-unique-id b")
        let refusal = WebResponse(status: 410, body: Array(#"{"reason":"Unregistered"}"#.utf8))
        #expect(APNSResponse(refusal).words == "410, Unregistered")
    }

    @Test func `a connection that was idle for too long refuses no content`() {
        let response = WebResponse(status: 400, body: Array(#"{"reason":"IdleTimeout"}"#.utf8))
        #expect(APNSResponse(response).answer == .notSent(reason: "IdleTimeout", retryAfter: nil))
    }
}
