import SkerryActivity
import SkerryValues
import Testing

@testable import SkerryPhones

/// Pauses, and what is worth breaking them.
@Suite struct PushSchedulerPatienceTests {
    private static func shown() -> PhoneBench {
        var bench = PhoneBench()
        bench.pair()
        bench.show("running", rev: 1)
        bench.deliver()
        bench.token("aa")
        bench.pass(.minutes(1))
        return bench
    }

    @Test func `a pause that the service asked for is kept, over news and restarts`() {
        for answer in [
            PushAnswer.unavailable(reason: "503", retryAfter: .minutes(10)), .busy(retryAfter: .minutes(10)),
        ] {
            var bench = Self.shown()
            bench.show("paused", rev: 2)
            bench.deliver(answer)
            bench.restart()
            bench.show("done", rev: 3, phase: .ended)
            #expect(bench.pass(.minutes(10) - .seconds(1)).isEmpty)
            #expect(bench.pass(.seconds(1)).map { $0.gist } == ["end 10 done"])
        }
    }

    @Test func `a restart forgets no answer to a start`() {
        for (answer, pause) in [
            (PushAnswer.unavailable(reason: "503", retryAfter: .minutes(10)), Interval.minutes(10)),
            (.busy(retryAfter: .minutes(10)), .minutes(10)),
            (.unavailable(reason: "500", retryAfter: nil), .minutes(15)),
            (.tokenGone(since: PhoneBench.start - .hours(1)), .seconds(15)),
        ] {
            var bench = PhoneBench()
            bench.pair()
            bench.show("running", rev: 1)
            bench.deliver(answer)
            bench.restart()
            #expect(bench.pass(pause - .seconds(1)).isEmpty)
            bench.restart()
            #expect(bench.pass(.seconds(1)).map { $0.gist } == ["start 10 running"])
        }
        for answer in [PushAnswer.tooLarge, .senderFault(reason: "BadTopic")] {
            var bench = PhoneBench()
            bench.pair()
            bench.show("running", rev: 1)
            bench.deliver(answer)
            bench.restart()
            #expect(bench.pass(.hours(2)).isEmpty, "the same content is refused again")
        }
    }

    @Test func `a service in trouble has its quarter of an hour, whatever the chance`() {
        for chance in [0, 0.5, 0.999] {
            var bench = Self.shown()
            bench.show("paused", rev: 2)
            guard let push = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true) else { return }
            let answer = PushAnswer.unavailable(reason: "503", retryAfter: nil)
            bench.scheduler.answered(push, answer, chance: chance, at: bench.now)
            #expect(bench.pass(.minutes(15) - .seconds(1)).isEmpty)
            #expect(bench.pass(.minutes(8)).count == 1)
        }
    }

    @Test func `an end and an alert go again soon, and less soon each time`() {
        var bench = Self.shown()
        let alert = ActivityAlert(title: "Laundry is done", body: "")
        bench.show("done", rev: 2, phase: .ended, dismissAt: bench.now + .minutes(15), alert: alert)
        var moments: [Timestamp] = []
        for _ in 0..<200 {
            if !bench.deliver(.unavailable(reason: "503", retryAfter: nil)).isEmpty {
                moments.append(bench.now)
            }
            bench.now = bench.now + .seconds(5)
        }
        let gaps = zip(moments.dropFirst(), moments).map { ($0 - $1).roundedSeconds }
        #expect(gaps == [30, 60, 120, 240, 480])
    }

    @Test func `an end that comes late still has its alert`() {
        var bench = Self.shown()
        let alert = ActivityAlert(title: "Laundry is done", body: "")
        bench.show("done", rev: 2, phase: .ended, dismissAt: bench.now + .minutes(15), alert: alert)
        bench.deliver(.unavailable(reason: "503", retryAfter: .hours(1)))
        bench.restart()
        let end = bench.pass(.hours(1) + .seconds(1))
        #expect(end.map { $0.gist } == ["end 10 done"])
        #expect(end.first?.aps["alert"] != nil)
        let dismissal = end.first?.number("dismissal-date") ?? 0
        #expect(dismissal >= (bench.now + .minutes(5)).flooredSeconds)
        #expect(dismissal <= (bench.now + .hours(4)).flooredSeconds)
    }

    @Test func `an activity to be dismissed at once is, even if the end is late`() {
        var bench = Self.shown()
        bench.show("done", rev: 2, phase: .ended, dismissAt: bench.now)
        bench.deliver(.unavailable(reason: "503", retryAfter: .hours(1)))
        let end = bench.pass(.hours(1) + .seconds(1))
        #expect((end.first?.number("dismissal-date") ?? .max) < bench.now.flooredSeconds)
    }

    @Test func `news leaves enough of the budget for starts, ends and alerts`() {
        var bench = Self.shown()
        for rev in 2...40 {
            bench.pass(.seconds(70))
            bench.show("state \(rev)", rev: Int64(rev))
            bench.deliver()
        }
        let alert = ActivityAlert(title: "The door is open", body: "")
        bench.show("door", rev: 50, alert: alert)
        #expect(bench.pass(.seconds(2)).map { $0.priority } == [.immediate])
        bench.show("done", rev: 51, phase: .ended)
        #expect(bench.pass(.seconds(2)).map { $0.gist } == ["end 10 done"])
    }

    @Test func `a device that flaps uses only its share`() {
        var bench = Self.shown()
        for rev in 2...200 {
            bench.pass(.seconds(1))
            bench.show(rev % 2 == 0 ? "on" : "off", rev: Int64(rev))
            bench.deliver()
        }
        #expect(bench.sent.count { $0.priority == .immediate } <= 6)
        #expect(bench.sent.count <= 40)
        bench.show("running", rev: 1, device: "other")
        bench.deliver()
        bench.token("bb", of: "washer/other/1")
        bench.pass(.seconds(10))
        bench.show("paused", rev: 2, device: "other")
        #expect(bench.pass(.seconds(2)).contains { $0.gist == "update 10 paused" })
        bench.show("done", rev: 300, phase: .ended)
        #expect(bench.pass(.seconds(2)).contains { $0.gist == "end 10 done" })
    }

    @Test func `an alert that may not have arrived is sent again, with the same id`() {
        var bench = Self.shown()
        let alert = ActivityAlert(title: "The door is open", body: "")
        bench.show("door", rev: 2, alert: alert)
        let first = bench.scheduler.nextPush(at: bench.now, clockIsKnown: true)
        // The process ends before the answer.
        bench.restart()
        let again = bench.pass(.seconds(2))
        #expect(again.map { $0.aps["alert"] != nil } == [true])
        #expect(again.map { $0.messageID } == [first?.messageID ?? ""])
        bench.restart()
        bench.show("running", rev: 3)
        let next = bench.pass(.seconds(2))
        #expect(next.map { $0.aps["alert"] == nil } == [true])
        #expect(next.first?.messageID != first?.messageID)
    }

    @Test func `an alert has a title and a body`() {
        for alert in [ActivityAlert(title: "The door is open", body: ""), ActivityAlert(title: "", body: "")]
        {
            var bench = Self.shown()
            bench.show("door", rev: 2, alert: alert)
            guard case .map(let told)? = bench.deliver().first?.aps["alert"] else {
                Issue.record("no alert")
                continue
            }
            for key in ["title", "body"] {
                guard case .string(let text)? = told[key] else {
                    Issue.record("no \(key)")
                    continue
                }
                #expect(!text.isEmpty)
            }
        }
    }

    @Test func `many activities that a phone does not show are reported once`() {
        var bench = PhoneBench()
        bench.pair()
        for number in 0..<300 {
            bench.show("running", rev: 1, device: "w\(number)")
            bench.pass(.seconds(10))
        }
        _ = bench.scheduler.takeNews()
        for rev in 2...20 {
            bench.show("running \(rev)", rev: Int64(rev), device: "w299")
            bench.deliver()
            #expect(bench.scheduler.takeNews().count <= 3)
        }
    }

    @Test func `decisions name phones as people do`() {
        var bench = PhoneBench()
        bench.scheduler.pair("5f0c", name: "Anna's iPhone", credential: [], at: bench.now)
        bench.show("running", rev: 1)
        bench.deliver()
        #expect(bench.scheduler.decisions(kind: "washer", device: "w").map { $0.phone } == ["Anna's iPhone"])
    }
}
