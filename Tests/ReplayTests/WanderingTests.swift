import Foundation
import SkerryDevice
import SkerryFiles
import SkerryTesting
import SkerryValues
import Testing

/// Estimates that change with each message, made of a seed: how many updates people get of them.
@Suite("Estimates that wander")
struct WanderingTests {
    /// A charge of six hours at an OpenEVSE, told every ten seconds: the end wavers by up to 12 % with the clouds, for
    /// ten minutes each, and by 2 % with every message; the power by a fifth.
    private static func charge() -> [RecordedMessage] {
        var random = SimulatedRandom(seed: 7)
        var messages: [RecordedMessage] = []
        func tell(_ topic: String, _ number: Double, after seconds: Int64) {
            messages.append(
                RecordedMessage(
                    at: Timestamp(seconds: 1_767_290_400 + seconds),
                    topic: Array("openevse-1/\(topic)".utf8)[...],
                    payload: Array(String(Int(number)).utf8)[...]
                )
            )
        }
        tell("vehicle", 1, after: 0)
        tell("state", 3, after: 0)
        var clouds = 0.0
        for passed in stride(from: Int64(0), to: 21_600, by: 10) {
            if passed % 600 == 0 { clouds = Double.random(in: -0.12...0.12, using: &random) }
            let waver = 1 + clouds + Double.random(in: -0.02...0.02, using: &random)
            tell("time_to_full_charge", Double(21_600 - passed) * waver, after: passed + 10)
            tell("power", 7000 * Double.random(in: 0.8...1.2, using: &random), after: passed + 10)
            tell("session_energy", Double(passed * 2), after: passed + 10)
        }
        return messages
    }

    private static func updates(_ text: String) throws -> Int {
        let files = CompiledFiles([DefinitionFile(path: "charger-openevse.yaml", bytes: Array(text.utf8))])
        try #require(!files.hasErrors, "\(files.report(DiagnosticPrinter()))")
        return Playback(charge(), files.definitions).updates.count
    }

    @Test("A charge whose end follows the clouds gives less than half of the updates of a fixed tolerance")
    func charger() throws {
        let shipped = try String(
            contentsOfFile: "\(Files.definitions)/charger-openevse.yaml",
            encoding: .utf8
        )
        let plain = shipped.replacing("tolerance: [10m, 10%]", with: "tolerance: 10m")
            .replacing("  throttle: 1m\n", with: "")
        #expect(plain != shipped)
        let (few, many) = (try Self.updates(shipped), try Self.updates(plain))
        print("updates of a charge: \(few), and \(many) with a fixed tolerance and no throttle")
        #expect(few * 2 < many, "\(few) and \(many)")
    }
}
