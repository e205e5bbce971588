import Foundation
import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

/// A broker that is killed in the middle of a run.
@Suite("A broker that dies", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
struct BrokerLossTests {
    /// Every message and every minute is a revision.
    static let definition = """
        skerry: 1
        kind: meter
        sources:
          - topic: meter/{device}
            payload: number
            signals: { count: payload }
        context: { minutes: 0 }
        machine:
          initial: idle
          states:
            idle:
              always: { guard: count > 0, target: counting }
            counting:
              always: { guard: count < 0, target: idle }
              after: { 1m: { target: counting, actions: { assign: { minutes: context.minutes + 1 } } } }
        activity:
          starts: counting
          ends: idle
          content: { count: count, minutes: context.minutes }
          dismiss: immediate
        """

    struct Revision: Decodable, Equatable {
        var rev: Int
        var prev: Int?
    }

    func revisions(_ reader: BrokerClient, _ topic: String) throws -> [Int] {
        try reader.messages.filter { $0.topic == topic && !$0.payload.isEmpty }.map {
            try JSONDecoder().decode(Revision.self, from: Data($0.payload)).rev
        }
    }

    @Test("the bridge reconnects, nothing is published twice and no revision is lost")
    func killed() async throws {
        let (activity, diff) = ("skerry/meter/a/activity", "skerry/meter/a/activity/diff")
        let start = Timestamp(seconds: 1_772_355_600)
        let broker = try Broker()
        let before = try BrokerClient(port: broker.port)
        try before.subscribe("skerry/#", keepsRetainFlag: true)
        let live = try LiveBridge([try Files.definition(Self.definition)], broker, at: start)
        let device = try BrokerClient(port: broker.port)
        for count in 1...20 { try device.publish("meter/a", "\(count)", isWaiting: false) }
        try device.flush()
        try before.wait(for: "20 revisions") {
            $0.last { $0.topic == diff }?.text.contains(#""rev":20,"#) == true
        }
        try live.settle()
        #expect(try revisions(before, diff) == Array(2...20))

        let asked = live.tally.now.subscriptions
        broker.kill()
        try live.tally.wait(for: "the loss") { !$0.faults.isEmpty }
        // Time goes on without a broker: five revisions that nobody hears.
        for minute in 1...5 { try live.move(to: start + .minutes(Int64(minute))) }

        try broker.start()
        let after = try BrokerClient(port: broker.port)
        try after.subscribe("skerry/#", keepsRetainFlag: true)
        try live.tally.wait(for: "the return") { $0.connects == 2 && $0.subscriptions == 2 * asked }
        try live.move(to: start + .minutes(6))
        try BrokerClient(port: broker.port).publish("meter/a", "21")
        try after.wait(for: "what comes after") {
            $0.last { $0.topic == diff }?.text.contains(#""rev":27,"#) == true
        }
        try live.settle()
        await live.end()
        try after.wait(for: "the farewell") { $0.last?.text == "offline" }

        #expect(try revisions(after, diff) == Array(21...27), "each once, none twice, none lost")
        #expect(try revisions(after, activity).last == 27)
        let first = try #require(try revisions(after, activity).first)
        #expect(first >= 25, "older snapshots were replaced while they waited")
        #expect(try revisions(after, activity) == revisions(after, activity).sorted())
        let states = after.messages.filter { $0.topic == "skerry/bridge/state" }.map(\.text)
        #expect(states == ["online", "offline"])
        #expect(live.tally.now.faults.allSatisfy { [.connectionLost, .unreachable].contains($0.kind) })
        #expect(live.tally.now.underWay == 0)
    }
}
