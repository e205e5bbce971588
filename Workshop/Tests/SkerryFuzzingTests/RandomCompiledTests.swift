import Foundation
import SkerryDevice
import SkerryFiles
import SkerryFuzzing
import SkerryTesting
import Testing

/// Compiled definitions that somebody damaged, with the checksum made right again.
@Suite("Random compiled definitions")
struct RandomCompiledTests {
    #if DEBUG
    private static let count = 2000
    #else
    private static let count = 10_000
    #endif

    private static let compiled: [[UInt8]] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "devices")
        return ((try? CompiledFiles([folder.path]))?.definitions ?? []).compactMap { try? $0.compiled() }
    }()

    @Test func `mutations are refused or run, without a crash`() async {
        #expect(Self.compiled.count > 2)
        let tally = await withTaskGroup(of: Int.self) { group in
            for seed in 0..<4 { group.addTask { Self.batch(seed: UInt64(seed), of: Self.count / 4) } }
            return await group.reduce(0, +)
        }
        #expect(tally > Self.count / 50, "most are refused, some must run")
        #expect(tally < Self.count, "some must be refused")
        print("random compiled definitions: \(Self.count) read, \(tally) accepted and run")
    }

    private static func batch(seed: UInt64, of count: Int) -> Int {
        var random = SimulatedRandom(seed: seed)
        var accepted = 0
        for number in 0..<count {
            let bytes = mutated(compiled[random.below(compiled.count)], &random)
            let trial = CompiledTrial(bytes, messages: 10)
            accepted += trial.isAccepted ? 1 : 0
            if let broken = trial.brokenPromise {
                let copy = FileManager.default.temporaryDirectory.appending(
                    path: "skerry-\(seed)-\(number).skd"
                )
                try? Data(bytes).write(to: copy)
                Issue.record("\(broken): \(copy.path)")
            }
        }
        return accepted
    }

    private static func mutated(_ bytes: [UInt8], _ random: inout SimulatedRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(3) {
            // The mark and the version stay, or nothing else is ever tried.
            let place = 4 + random.below(bytes.count - 4)
            switch random.below(6) {
            case 0: bytes[place] ^= 1 << UInt8(random.below(8))
            case 1: bytes[place] = UInt8(random.below(256))
            case 2: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF][random.below(5)]
            case 3: bytes[place] = bytes[place] &+ (random.chance(1, of: 2) ? 1 : 255)
            case 4: bytes.remove(at: place)
            default: bytes.insert(UInt8(random.below(256)), at: place)
            }
        }
        return bytes
    }
}
