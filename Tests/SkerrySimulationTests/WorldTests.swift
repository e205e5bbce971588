import Foundation
import SkerryDevice
import SkerryFiles
import Testing

@testable import SkerrySimulation

/// Worlds in which everything goes wrong.
@Suite("Worlds")
struct WorldTests {
    static let definitions: [Definition] = {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let files = try? CompiledFiles([package.appendingPathComponent("devices").path])
        return (files?.definitions ?? []) + World.ownDefinitions()
    }()

    @Test("fifty worlds pass, and every kind of fault has fired in them")
    func passing() {
        #expect(Self.definitions.count == 7)
        #expect(Kettle.others.count == 3)
        var counts = FaultCounts()
        var (revisions, timerEnds) = (0, 0)
        for seed in 0..<50 as Range<UInt64> {
            let outcome = World.run(WorldPlan(seed: seed), definitions: Self.definitions)
            if let violation = outcome.violation {
                Issue.record("seed \(seed), step \(outcome.step): \(violation.judge): \(violation.message)")
            }
            counts.add(outcome.faults)
            revisions += outcome.revisions
            timerEnds += outcome.timerEnds
        }
        for fault in Fault.allCases { #expect(counts[fault] > 0, "\(fault.rawValue) never fired") }
        #expect(revisions > 1000)
        #expect(timerEnds > 50)
    }

    @Test(
        "worlds that failed once pass",
        arguments: [
            // Silence that was forgiven after one downtime counted after the next.
            1_001_023, 1_001_136,
            // A new store began in the second of the one before it.
            1_001_215,
            // A kind was gone, and the clock stood still over a restart.
            1_002_395,
            // The judge of truth believed what no disk had: that the clock was set, and what nobody was told.
            1_002_326, 1_003_288,
        ] as [UInt64]
    )
    func mended(seed: UInt64) {
        let outcome = World.run(WorldPlan(seed: seed), definitions: Self.definitions)
        #expect(outcome.violation == nil)
    }

    @Test("the same plan is the same world")
    func repeatable() {
        let plan = WorldPlan(seed: 3, steps: 60)
        let outcomes = (0..<2).map { _ in World.run(plan, definitions: Self.definitions) }
        #expect(outcomes[0].lastEvents == outcomes[1].lastEvents)
        #expect(outcomes[0].step == outcomes[1].step)
    }
}
