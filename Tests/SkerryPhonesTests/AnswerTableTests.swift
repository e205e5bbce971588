import SkerryActivity
import SkerryValues
import Testing

@testable import SkerryPhones

/// Each kind of push, with each answer that may come: nothing leads to the same request again and again.
@Suite struct AnswerTableTests {
    /// What is pushed.
    enum Subject: CaseIterable {
        case start, startOnChannel, update, alert, end, unknown, removed, widgets
        case createChannel, listChannels, broadcast, broadcastEnd, deleteChannel

        var usesChannels: Bool {
            switch self {
            case .start, .update, .alert, .end, .unknown, .removed, .widgets: false
            default: true
            }
        }

        func isMeant(_ push: Push) -> Bool {
            switch (self, push.route) {
            case (.createChannel, .createChannel), (.listChannels, .listChannels): true
            case (.deleteChannel, .deleteChannel), (.widgets, .widgets): true
            case (.start, .start), (.startOnChannel, .start): true
            case (.broadcast, .channel): push.event == .update
            case (.broadcastEnd, .channel): push.event == .end
            case (.update, .token), (.alert, .token): push.event == .update
            case (.end, .token), (.unknown, .token), (.removed, .token): push.event == .end
            default: false
            }
        }
    }

    /// Every kind of answer, with the moments that a 410 may name.
    static let answers: [PushAnswer] = [
        .tokenGone(since: nil),
        .tokenGone(since: PhoneBench.start - .hours(24)),
        .tokenGone(since: PhoneBench.start + .minutes(1)),
        .tokenGone(since: PhoneBench.start + .hours(48)),
        .badToken, .wrongTopic, .tooLarge,
        .channelGone(reason: "ChannelNotRegistered"),
        .senderFault(reason: "BadTopic"),
        .providerToken(reason: "InvalidProviderToken", retryAfter: nil),
        .providerToken(reason: "ExpiredProviderToken", retryAfter: .zero),
        .providerToken(reason: "TooManyProviderTokenUpdates", retryAfter: .minutes(20)),
        .busy(retryAfter: nil), .busy(retryAfter: .zero), .busy(retryAfter: .seconds(-5)),
        .unavailable(reason: "Shutdown", retryAfter: nil),
        .unavailable(reason: "ServiceUnavailable", retryAfter: .zero),
        .unavailable(reason: "InternalServerError", retryAfter: .hours(1)),
        .notSent(reason: "no route", retryAfter: nil),
        .notSent(reason: "no route", retryAfter: .zero),
        .noAnswer(reason: "time-out"),
    ]

    @Test(arguments: Subject.allCases, answers)
    func `no answer leads to the same request at once, or endlessly`(subject: Subject, answer: PushAnswer) {
        var settings = PushSchedulerSettings()
        settings.usesChannels = subject.usesChannels
        var bench = PhoneBench(settings: settings)
        bench.pair()
        var asked: [Timestamp] = []
        let end = bench.now + .hours(6)
        var stage = 0
        while bench.now < end {
            Self.live(subject, stage, &bench)
            stage += 1
            var count = 0
            while let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) {
                count += 1
                guard count < 50 else { break }
                if subject.isMeant(push) {
                    asked.append(bench.now)
                    bench.scheduler.answered(push, answer, at: bench.now)
                } else {
                    bench.accept(push)
                }
            }
            #expect(count < 50, "it never rests")
            // The phone is used now and then, and reports what it sees.
            bench.report(startToken: .known("5a00"), version: "18.2")
            let due = bench.scheduler.nextDeadline(at: bench.now) ?? .distantFuture
            bench.now = max(min(due, bench.now + .minutes(10)), bench.now + .milliseconds(1))
        }
        #expect(!asked.isEmpty, "it was never sent")
        let gaps = zip(asked.dropFirst(), asked).map { $0 - $1 }
        #expect(gaps.allSatisfy { $0 >= .seconds(1) })
        // What never left may go once a minute, what was answered far less often.
        if case .notSent = answer {
            #expect(asked.count <= 6 * 60 + 10)
        } else if case .noAnswer = answer {
            #expect(asked.count <= 6 * 12 + 10)
        } else {
            #expect(asked.count <= 45, "\(asked.count) requests in six hours")
        }
        let early = asked.filter { $0 - asked[0] < .minutes(1) }
        #expect(early.count <= 8)
    }

    /// Lets happen what leads to such a push.
    private static func live(_ subject: Subject, _ stage: Int, _ bench: inout PhoneBench) {
        switch stage {
        case 0:
            if subject == .unknown {
                bench.token("cc", of: "washer/gone/7")
            } else {
                bench.show("running", rev: 1, end: bench.now + .hours(20))
            }
        case 1: if !subject.usesChannels, subject != .start, subject != .unknown { bench.token("aa") }
        case 2 where subject == .widgets:
            bench.report(widgetToken: .known("d0"))
            bench.show("paused", rev: 2)
        case 2 where subject == .update || subject == .broadcast: bench.show("paused", rev: 2)
        case 2 where subject == .alert:
            bench.show("door", rev: 2, alert: ActivityAlert(title: "The door is open", body: ""))
        case 2 where subject == .removed: _ = bench.scheduler.unpair("anna", at: bench.now)
        case 3 where [.end, .broadcastEnd, .deleteChannel].contains(subject):
            bench.show("done", rev: 2, phase: .ended)
        default: break
        }
    }
}
