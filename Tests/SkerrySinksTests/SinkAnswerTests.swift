import SkerryValues
import Testing

@testable import SkerrySinks

/// What the statuses of services mean.
@Suite("Answers of services")
struct SinkAnswerTests {
    @Test(
        "each status has one meaning",
        arguments: [
            (200, "accepted"), (204, "accepted"), (301, "denied"), (400, "refused"), (401, "denied"),
            (403, "denied"), (404, "denied"), (408, "busy"), (410, "gone"), (413, "refused"), (429, "busy"),
            (500, "busy"), (503, "busy"),
        ]
    )
    func statuses(status: Int, meaning: String) {
        let answer = SinkAnswer(status: status, retryAfter: .seconds(3), body: [], from: "webhook")
        #expect(answer.meaning == (meaning == "busy" ? "busy 3" : meaning))
    }

    @Test(
        "Firebase says by a code what its statuses mean, and asks for a minute or ten seconds",
        arguments: [
            (400, "INVALID_ARGUMENT", "refused"), (401, "UNAUTHENTICATED", "unauthorized"),
            (401, "THIRD_PARTY_AUTH_ERROR", "denied"), (403, "SENDER_ID_MISMATCH", "denied"),
            (403, "PERMISSION_DENIED", "denied"), (404, "UNREGISTERED", "gone"), (404, "NOT_FOUND", "denied"),
            (429, "QUOTA_EXCEEDED", "busy 60"), (500, "INTERNAL", "busy 10"), (503, "UNAVAILABLE", "busy 10"),
        ]
    )
    func firebase(status: Int, code: String, meaning: String) {
        let body = """
            {"error":{"code":\(status),"message":"It\\n failed","status":"X","details":[\
            {"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\(code)"}]}}
            """
        let answer = SinkAnswer(status: status, retryAfter: nil, body: Array(body.utf8), from: "fcm")
        #expect(answer.meaning == meaning)
        #expect(answer.text.hasPrefix("status \(status) (It failed)"), "\(answer.text)")
        guard meaning.hasPrefix("busy") else { return }
        let asked = SinkAnswer(status: status, retryAfter: .seconds(90), body: [], from: "fcm")
        #expect(asked.meaning == "busy 90")
    }

    @Test("Home Assistant says 400 for an action that it does not have, or not yet")
    func unknownAction() {
        let answer = SinkAnswer(status: 400, retryAfter: nil, body: [], from: "home-assistant")
        #expect(answer.text.contains("does Home Assistant have this notify action?"))
        if case .busy = answer { return }
        Issue.record("after a restart of Home Assistant, phones would wait for minutes: \(answer)")
    }
}

extension SinkAnswer {
    /// The meaning in a word, with the seconds of a pause.
    fileprivate var meaning: String {
        switch self {
        case .accepted: "accepted"
        case .gone: "gone"
        case .busy(_, let pause): "busy \(pause.map { "\($0.roundedSeconds)" } ?? "by the rules")"
        case .denied: "denied"
        case .unauthorized: "unauthorized"
        case .refused: "refused"
        case .noAnswer: "none"
        }
    }
}
