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

    @Test("the same plan is the same world")
    func repeatable() {
        let plan = WorldPlan(seed: 3, steps: 60)
        let outcomes = (0..<2).map { _ in World.run(plan, definitions: Self.definitions) }
        #expect(outcomes[0].lastEvents == outcomes[1].lastEvents)
        #expect(outcomes[0].step == outcomes[1].step)
    }
}
