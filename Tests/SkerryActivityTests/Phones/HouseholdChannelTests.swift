import SkerryValues
import Testing

@testable import SkerryActivity

@Suite struct HouseholdChannelTests {
    private static func household() -> PhoneBench {
        var settings = HouseholdSettings()
        settings.usesChannels = true
        var bench = PhoneBench(settings: settings)
        bench.pair("anna")
        bench.pair("berta", version: "17.5")
        bench.household.pair("clara", name: "clara", credential: [], at: bench.now)
        bench.report("clara", startToken: .known("5c"), version: "18.0")
        return bench
    }

    @Test func `the household is told once, a phone with an older iOS by its token`() {
        var bench = Self.household()
        bench.show("running", rev: 1)
        let starts = bench.deliver()
        #expect(starts.count { $0.route == .createChannel } == 1)
        #expect(starts.count { $0.aps["input-push-channel"] != nil } == 2)
        #expect(starts.count { $0.event == .start } == 3)
        bench.token("bb", phone: "berta")
        bench.pass(.minutes(1))
        bench.show("paused", rev: 2)
        let updates = bench.deliver()
        #expect(Set(updates.map { $0.phone ?? "all" }) == ["all", "berta"])
        #expect(updates.count == 2)
        bench.pass(.minutes(1))
        bench.show("done", rev: 3, phase: .ended)
        #expect(bench.deliver().map { $0.gist } == ["end 10 done", "end 10 done"])
        #expect(bench.pass(.hours(5)).map { $0.route } == [.deleteChannel(id: "channel1")])
        #expect(bench.household.activities.isEmpty)
    }

    @Test func `where channels are refused, tokens do`() {
        var bench = Self.household()
        bench.show("running", rev: 1)
        while let push = bench.household.nextPush(at: bench.now, clockIsKnown: true) {
            let answer: PushAnswer =
                push.route == .createChannel ? .senderFault(reason: "FeatureNotEnabled") : .accepted
            bench.household.answered(push, answer, at: bench.now)
            bench.sent.append(push)
        }
        #expect(bench.sent.count { $0.event == .start } == 3)
        #expect(bench.sent.allSatisfy { $0.aps["input-push-channel"] == nil })
    }

    @Test func `a renewal has a channel of its own, and the old one ends when all have moved`() {
        var bench = Self.household()
        bench.show("running", rev: 1, end: bench.now + .hours(10))
        bench.deliver()
        let renewal = bench.pass(.minutes(455))
        #expect(
            renewal.filter { $0.phone != "berta" }.map { $0.route == .createChannel ? "create" : $0.gist }
                == [
                    "create", "start 10 running", "start 10 running", "end 10 running",
                ]
        )
        #expect(renewal.last?.route == .channel(id: "channel1"))
        bench.show("done", rev: 2, phase: .ended)
        #expect(bench.deliver().filter { $0.phone == nil }.map { $0.route } == [.channel(id: "channel2")])
        bench.restart()
        bench.pass(.hours(13))
        #expect(bench.household.activities.isEmpty)
    }
}
