import SkerryValues
import Testing

@testable import SkerryDevice

@Suite("Images of what was learned")
struct LearningImageTests {
    /// Runs of an hour as version 7 of images has them: without errors.
    private static func older(hasPresent: Bool) -> [UInt8] {
        var writer = ImageWriter()
        writer.unsigned(7)
        writer.list([3600, 3660, 3540] as [Int64]) { writer, seconds in
            writer.text("cotton")
            writer.interval(.seconds(seconds))
            writer.interval(.seconds(60))
            writer.double(2000)
            writer.data([255, 128, 12])
        }
        writer.optional(hasPresent ? true : nil) { writer, canBeForetold in
            writer.text("cotton")
            writer.flag(canBeForetold)
            writer.interval(.minutes(6))
            writer.interval(.seconds(15))
            writer.list([3000.0, 15]) { $0.double($1) }
            writer.interval(.seconds(30))
            writer.double(1)
            writer.optional(nil as Bool?) { $0.flag($1) }
            writer.interval(.zero)
            writer.interval(.seconds(15))
        }
        writer.seal()
        return writer.bytes
    }

    @Test("runs of older images are taken over, and written in the new form", arguments: [false, true])
    func older(hasPresent: Bool) throws {
        var reader = try ImageReader(sealed: Self.older(hasPresent: hasPresent)[...])
        var learning = try Learning(from: &reader, version: 7)
        #expect(reader.rest == 0)
        #expect(learning.runs.map { $0.length } == [.seconds(3600), .seconds(3660), .seconds(3540)])
        #expect(learning.runs.allSatisfy { $0.levels == [255, 128, 12] && $0.peak == 2000 })
        #expect(learning.runs.allSatisfy { $0.errors.isEmpty })
        #expect(learning.present?.judged == (hasPresent ? .seconds(15) : nil))
        learning.remember(LearnedRun(key: "cotton", length: .seconds(3600), curve: nil))
        #expect(learning.runs.last?.errors.count == RunEstimate.checkpoints.count)
        var writer = ImageWriter()
        learning.write(to: &writer)
        writer.seal()
        var copy = try ImageReader(sealed: writer.bytes[...])
        #expect(try Learning(from: &copy, version: 8) == learning)
        #expect(copy.rest == 0)
    }

    @Test("a run that seems to have begun in the year 1 comes back, as devices tell that know no start")
    func longest() throws {
        let length = Timestamp(seconds: 1_796_052_850) - Timestamp(seconds: -62_135_596_800)
        var learning = Learning(subject: 1)
        learning.runs = [LearnedRun(key: "", length: length, curve: nil)]
        var writer = ImageWriter()
        learning.write(to: &writer)
        writer.seal()
        var reader = try ImageReader(sealed: writer.bytes[...])
        #expect(try Learning(from: &reader, version: 8) == learning)
        var curve = RunCurve()
        curve.hold(until: length)
        #expect(curve.isPossible)
    }

    @Test("an image with too many errors of a run is refused")
    func malformed() {
        var learning = Learning(subject: 1)
        var run = LearnedRun(key: "", length: .minutes(5), curve: nil)
        run.errors = [1, 2, 3, 4, 5]
        learning.runs = [run]
        var writer = ImageWriter()
        learning.write(to: &writer)
        writer.seal()
        #expect(throws: ImageFault.self) {
            var reader = try ImageReader(sealed: writer.bytes[...])
            _ = try Learning(from: &reader, version: 8)
        }
    }
}
