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
        let word =
            switch SinkAnswer(status: status, retryAfter: .seconds(3), body: [], from: "webhook") {
            case .accepted: "accepted"
            case .gone: "gone"
            case .busy(_, let pause): pause == .seconds(3) ? "busy" : "busy without its pause"
            case .denied: "denied"
            case .refused: "refused"
            case .noAnswer: "none"
            }
        #expect(word == meaning)
    }

    @Test("Home Assistant says 400 for an action that it does not have, or not yet")
    func unknownAction() {
        let answer = SinkAnswer(status: 400, retryAfter: nil, body: [], from: "home-assistant")
        #expect(answer.text.contains("does Home Assistant have this notify action?"))
        if case .busy = answer { return }
        Issue.record("after a restart of Home Assistant, phones would wait for minutes: \(answer)")
    }
}
