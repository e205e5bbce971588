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
}
