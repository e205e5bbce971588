import Foundation
import SkerryFuzzing
import SkerryTesting
import Testing

/// Four thousand definitions nobody would write.
@Suite("Random definitions")
struct RandomDefinitionTests {
    private static let batches = 8
    private static let batchSize = 500

    private struct Tally: Sendable {
        var accepted = 0
        var problems = 0
    }

    @Test("mutations of devices/ are checked without a crash, and run when they are accepted")
    func mutations() async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "devices")
        let texts = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "yaml" }.sorted { $0.path < $1.path }
            .map { try String(contentsOf: $0, encoding: .utf8) }
        #expect(texts.count > 2)
        let mutation = DefinitionMutation(texts)
        let start = ContinuousClock.now
        let tally = await withTaskGroup(of: Tally.self) { group in
            for seed in 0..<Self.batches {
                group.addTask { Self.batch(mutation, seed: UInt64(seed)) }
            }
            return await group.reduce(into: Tally()) {
                $0.accepted += $1.accepted
                $0.problems += $1.problems
            }
        }
        let count = Self.batches * Self.batchSize
        #expect(tally.accepted > count / 50, "most are refused, some must run")
        #expect(tally.problems > count)
        print(
            "random definitions: \(count) checked in \((ContinuousClock.now - start).components.seconds) s,",
            "\(tally.accepted) accepted and run, \(tally.problems) problems, each in its place"
        )
    }

    private static func batch(_ mutation: DefinitionMutation, seed: UInt64) -> Tally {
        var random = SimulatedRandom(seed: seed)
        var tally = Tally()
        for number in 0..<batchSize {
            let bytes = mutation.next(&random)
            let trial = DefinitionTrial(bytes, messages: 20)
            tally.accepted += trial.isAccepted ? 1 : 0
            tally.problems += trial.problemCount
            if let broken = trial.brokenPromise {
                let copy = FileManager.default.temporaryDirectory.appending(
                    path: "skerry-\(seed)-\(number).yaml"
                )
                try? Data(bytes).write(to: copy)
                Issue.record("\(broken): \(copy.path)")
            }
        }
        return tally
    }
}
