import SkerryActivity
import SkerryPhones
import SkerryValues
import Testing

@testable import SkerrySinks

/// What follows on each kind of answer.
@Suite("Retrying requests")
struct RetryTests {
    /// The seconds from the first request to each further one within two hours.
    func attempts(_ answer: SinkAnswer) -> [Int64] {
        var bench = SinkBench(SinkBench.webhook)
        bench.answers = [answer]
        bench.show("Running", rev: 1)
        var moments: [Int64] = []
        let end = bench.now + .hours(2)
        while bench.now <= end {
            for _ in bench.send() { moments.append((bench.now - SinkBench.start).roundedSeconds) }
            guard let due = bench.scheduler.nextDeadline else { break }
            bench.now = due
        }
        return moments
    }

    @Test("pauses double up to a limit, a service may ask for longer ones, and 410 ends everything")
    func pauses() {
        #expect(
            attempts(.busy(reason: "status 503", retryAfter: nil)) == [
                0, 5, 15, 35, 75, 155, 315, 635, 1275, 2175, 3075, 3975, 4875, 5775, 6675,
            ]
        )
        #expect(
            attempts(.busy(reason: "status 429", retryAfter: .minutes(30))) == [0, 1800, 3600, 5400, 7200]
        )
        let soon = attempts(.busy(reason: "status 429", retryAfter: .zero))
        #expect(soon.prefix(5) == [0, 1, 3, 7, 15], "a service that asks for no pause gets one all the same")
        #expect(attempts(.noAnswer(reason: "no connection")).prefix(6) == [0, 2, 6, 14, 30, 62])
        #expect(attempts(.denied(reason: "status 401")) == [0, 300, 900, 2100, 4500])
        #expect(attempts(.refused(reason: "status 400")) == [0], "the same content would be refused again")
        #expect(attempts(.gone(reason: "status 410")) == [0])
    }

    @Test("after a refused start the next state is sent as the start, after 410 none")
    func next() {
        for (answer, decisions) in [
            (SinkAnswer.refused(reason: "status 400"), ["start, revision 2"]),
            (.gone(reason: "status 410"), []),
        ] {
            var bench = SinkBench(SinkBench.webhook)
            bench.answers = [answer, .accepted([])]
            bench.show("Running", rev: 1)
            bench.send()
            bench.show("Paused", rev: 2)
            bench.pass(.minutes(1))
            let sent = bench.scheduler.takeNews().filter { $0.kind == .sent }
            #expect(sent.map(\.text) == ["start, revision 1"] + decisions)
            #expect(bench.scheduler.takeSettled() == [1, 2])
            #expect(bench.scheduler.tally.failed == 1)
        }
    }

    @Test("an attempt has the same id and body as the one before")
    func identical() {
        var bench = SinkBench(SinkBench.webhook)
        bench.answers = [.noAnswer(reason: "timeout"), .accepted([])]
        bench.show("Running", rev: 1)
        let requests = bench.pass(.minutes(1))
        #expect(requests.count == 2 && requests[0].messageID == requests[1].messageID)
        #expect(requests[0].body == requests[1].body)
    }
}
