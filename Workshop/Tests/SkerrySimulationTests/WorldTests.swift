import Foundation
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

@testable import SkerrySimulation

/// Worlds in which everything goes wrong.
@Suite("Worlds")
struct WorldTests {
    static let definitions: [Definition] = {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let files = try? CompiledFiles([package.appendingPathComponent("devices").path])
        return (files?.definitions ?? []).filter { SimulatedHousehold.kinds.contains($0.kind) }
            + World.ownDefinitions()
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

    /// Worlds of nodes in which the world itself was wrong, see Workshop/README.md.
    @Test(
        "worlds pass in which a commit is written that its process does not know of, or that comes after its successor",
        arguments: [41_127_243, 41_131_240, 77_003_978] as [UInt64]
    )
    func unknownCommits(seed: UInt64) {
        let outcome = World.run(WorldPlan(seed: seed), definitions: Self.definitions)
        #expect(outcome.violation == nil, "step \(outcome.step): \(outcome.violation?.message ?? "")")
    }

    @Test("a world passes in which the broker forgets whose the online is that it retains")
    func forgottenName() {
        let plan = WorldPlan(
            seed: 17_957_872_320_017,
            steps: 24,
            faults: [
                .crashAfterCommit, .lostCommits, .lostAcknowledgements, .oldRetained, .repetition,
                .reordering, .reload,
                .pause, .handOver,
            ]
        )
        let outcome = World.run(plan, definitions: Self.definitions)
        #expect(outcome.violation == nil, "step \(outcome.step): \(outcome.violation?.message ?? "")")
    }

    @Test("a world passes in which the clock is set back behind a countdown that is over")
    func overBeforeItsEnd() {
        let faults: [Fault] = [
            .crash, .crashBeforeCommit, .crashAfterCommit, .lostCommits, .lostConnection, .brokenSending,
            .lostAcknowledgements, .lostSession, .oldRetained, .repetition, .delay, .reordering,
            .sinkFailure,
            .reload, .clockForward, .clockBack, .clockUnset,
        ]
        let plan = WorldPlan(seed: 17_957_938_197_456, steps: 228, faults: Set(faults))
        let outcome = World.run(plan, definitions: Self.definitions)
        #expect(outcome.violation == nil, "step \(outcome.step): \(outcome.violation?.message ?? "")")
    }

    @Test("a commit that comes after a later one of its process is refused, as by the number of its batch")
    func overtaken() throws {
        let disk = SimulatedDisk(isHasty: false, below: nil)
        let lease = SimulatedLease(0, SimulatedTime(), disk)
        func changes(_ count: UInt64) -> StoreChanges {
            StoreChanges(
                epoch: 1,
                progress: StoreProgress(aliveAt: SimulatedTime.origin, sequence: count, lastPublication: 0)
            )
        }
        var known: [Bool] = []
        for (count, fate) in [(1, .late), (2, .unanswered)] as [(UInt64, SimulatedLease.Fate)] {
            lease.fate = fate
            known.append((try? lease.commit(changes(count))) != nil)
        }
        #expect(known == [false, false], "the process knows of neither")
        #expect(disk.contents.progress?.sequence == 2)
        let late = try #require(disk.late)
        #expect(throws: StoreFault.self) { try disk.write(late, at: SimulatedTime.origin) }
        #expect(disk.contents.progress?.sequence == 2)
    }

    @Test(
        "the judge of silence counts a message from its handling, not from its repetition and commit"
    )
    func takenAndKept() throws {
        let start = SimulatedTime.origin
        let payload = Array(#"{"heat":31}"#.utf8)
        let message = SkerrySimulation.Delivery(
            id: 7,
            topic: Array("kettle/a/state".utf8),
            payload: payload,
            notBefore: start
        )
        let stale = Publication(
            topic: "skerry/kettle/a/activity",
            payload: Array(#"{"id":"kettle/a/1","rev":2,"phase":"stale"}"#.utf8),
            isRetained: true
        )
        for (minutes, endsBetween) in [(8, false), (1, false), (8, true)] as [(Int64, Bool)] {
            var judge = SilenceJudge(stale: .minutes(20), checkpoint: .minutes(10))
            judge.pass(until: start, isListening: true)
            judge.take(message)
            judge.pass(until: start + .minutes(3), isListening: true)
            if endsBetween { judge.forgetTaken() }
            judge.keep(message)
            judge.pass(until: start + .minutes(3 + minutes), isListening: true)
            if minutes == 8, !endsBetween {
                try judge.take(stale)
            } else {
                #expect(throws: Violation.self) { try judge.take(stale) }
            }
        }
    }

    @Test("the same plan is the same world")
    func repeatable() {
        let plan = WorldPlan(seed: 3, steps: 60)
        let outcomes = (0..<2).map { _ in World.run(plan, definitions: Self.definitions) }
        #expect(outcomes[0].lastEvents == outcomes[1].lastEvents)
        #expect(outcomes[0].step == outcomes[1].step)
    }
}
