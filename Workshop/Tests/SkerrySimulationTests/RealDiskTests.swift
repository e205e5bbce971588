import Foundation
import SkerryGateway
import SkerrySimulation
import SkerryStore
import SkerryTesting
import SkerryValues
import Testing

/// Worlds on the real store, whose last writes are missing or torn.
@Suite("Worlds on a real disk")
struct RealDiskTests {
    /// A database whose file and log are copied with each commit, so that a power cut can go back to any of them.
    final class Database: DiskBelow {
        private struct Copy {
            var file: Data
            var log: Data
        }

        private let folder = NSTemporaryDirectory() + "skerry-world-" + UUID().uuidString
        private let durability: Durability
        private var random: SimulatedRandom
        private var lives = 0
        private var store: SQLiteStore?
        private var copies: [Copy] = []
        /// Logs that ended within a commit.
        private(set) var torn = 0
        /// Databases that were set aside.
        private(set) var damaged = 0

        init(isHasty: Bool, seed: UInt64) {
            durability = isHasty ? .normal : .full
            random = SimulatedRandom(seed: seed)
            begin(nil)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        private var path: String { "\(folder)/\(lives)/skerry.db" }

        private var copy: Copy {
            let manager = FileManager.default
            return Copy(
                file: manager.contents(atPath: path) ?? Data(),
                log: manager.contents(atPath: path + "-wal") ?? Data()
            )
        }

        /// Moves to a folder of its own, as if only this were on the disk.
        private func begin(_ copy: Copy?) {
            store = nil
            try? FileManager.default.removeItem(atPath: "\(folder)/\(lives)")
            lives += 1
            try? FileManager.default.createDirectory(
                atPath: "\(folder)/\(lives)",
                withIntermediateDirectories: true
            )
            guard let copy else { return }
            try? copy.file.write(to: URL(fileURLWithPath: path))
            try? copy.log.write(to: URL(fileURLWithPath: path + "-wal"))
        }

        func load() throws(StoreFault) -> StoredState {
            store = nil
            let now = Timestamp(seconds: 1_772_355_600)
            var (opened, notice) = try StoreFile.open(path, durability: durability, at: now)
            if notice != nil { damaged += 1 }
            store = opened
            // What an earlier process committed may still be lost with the power.
            copies = copies.dropLast() + [copy]
            defer { store = opened }
            return opened.load()
        }

        func commit(_ changes: StoreChanges) throws(StoreFault) {
            guard var open = store else { throw StoreFault("no process has the store") }
            defer { store = open }
            try open.commit(changes)
            copies.append(copy)
        }

        func end(losing commits: Int) {
            guard copies.count > commits else { return }
            var there = copies[copies.count - 1 - commits]
            if commits > 0 {
                let next = copies[copies.count - commits].log
                if next.count > there.log.count, there.log == next.prefix(there.log.count) {
                    let part = random.below(next.count - there.log.count)
                    if part > 0 { torn += 1 }
                    there.log = next.prefix(there.log.count + part)
                }
            }
            begin(there)
            copies.removeLast(commits)
        }

        func damage() {
            guard var file = FileManager.default.contents(atPath: path), !file.isEmpty else { return }
            for place in 0..<min(file.count, 8192) { file[place] = 0xA5 }
            try? file.write(to: URL(fileURLWithPath: path))
            try? FileManager.default.removeItem(atPath: path + "-wal")
        }
    }

    @Test("commits are there, torn and missing writes are not, and a damaged database is set aside")
    func worlds() throws {
        var (torn, damaged) = (0, 0)
        var counts = FaultCounts()
        for seed in 0..<24 as Range<UInt64> {
            var database: Database?
            let outcome = World.run(
                WorldPlan(seed: seed, steps: 150),
                definitions: WorldTests.definitions
            ) { isHasty in
                let made = Database(isHasty: isHasty, seed: seed)
                database = made
                return made
            }
            if let violation = outcome.violation {
                Issue.record("seed \(seed), step \(outcome.step): \(violation.judge): \(violation.message)")
            }
            torn += database?.torn ?? 0
            damaged += database?.damaged ?? 0
            counts.add(outcome.faults)
        }
        #expect(torn > 0)
        #expect(damaged > 0)
        #expect(counts[.lostCommits] > 0)
        #expect(counts[.crashAfterCommit] > 0)
    }
}
