import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

/// Histories that nobody thought of, judged by a reader.
@Suite("Random histories")
struct HistoryTests {
    @Test(
        "2,000 of them: diffs lead from snapshot to snapshot, and none is larger than it must be",
        arguments: 0..<10
    )
    func random(part: UInt64) throws {
        let definitions = Files.household + [try Files.definition(RandomTraffic.definition)]
        var revisions = 0
        for seed in part * 200..<(part + 1) * 200 {
            let playback = Playback(RandomTraffic(seed: seed), definitions)
            let complaints = try Reader.complaints(about: playback.sent.map { $0.publication })
            try #require(complaints.isEmpty, "seed \(seed): \(complaints)")
            revisions += playback.updates.count
            if seed % 50 == 0 {
                #expect(
                    Playback(RandomTraffic(seed: seed), definitions).text == playback.text,
                    "seed \(seed)"
                )
            }
        }
        #expect(revisions > 400, "the traffic does something")
    }

    /// Simulated devices whose messages get lost, at random.
    static func lossy(seed: UInt64) -> [SimulatedMessage] {
        var random = SimulatedRandom(seed: seed &+ 77)
        let share = Int.random(in: 0...60, using: &random)
        return SimulatedHousehold(seed: seed, start: Timestamp(seconds: 1_772_355_600))
            .filter { _ in Int.random(in: 0..<100, using: &random) >= share }
    }

    @Test("simulated households, even when messages get lost", arguments: 0..<16 as Range<UInt64>)
    func simulated(seed: UInt64) throws {
        let playback = Playback(Self.lossy(seed: seed).map(\.recorded), Files.household)
        #expect(try Reader.complaints(about: playback.sent.map(\.publication)) == [])
        #expect(playback.updates.count >= 6)
        #expect(playback.replay.engine?.hasPendingActivity == false)
    }
}
