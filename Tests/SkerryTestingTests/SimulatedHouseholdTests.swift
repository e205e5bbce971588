import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryTesting
import SkerryValues
import Testing

@Suite
struct `Simulated households and the definitions of the project` {
    /// The folder `devices` at the top of the package.
    static let definitions: [Definition] = {
        let folders = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        return (try? CompiledFiles([folders.joined(separator: "/") + "/devices"]))?.definitions ?? []
    }()

    @Test(arguments: UInt64(0)..<10)
    func `three finished runs are at most 20 updates`(seed: UInt64) throws {
        try #require(!Self.definitions.isEmpty)
        var engine = Engine(definitions: Self.definitions, epoch: 1)
        var updates = 0
        var finished: [String] = []
        for message in SimulatedHousehold(seed: seed, start: Timestamp(seconds: 1_772_323_200)) {
            let input = Message(
                topic: message.topic[...],
                payload: message.payload[...],
                isRetained: message.isRetained
            )
            for effect in engine.handle(.message(input), at: message.at) {
                guard case .update(let update) = effect.what else { continue }
                updates += 1
                if case .ended = update.phase { finished.append("\(effect.kind) \(update.state)") }
            }
        }
        #expect(updates <= 20)
        #expect(finished.sorted() == ["printer-bambu done", "sprinkler done", "washer done"])
        #expect(engine.counters.refused == 0)
        #expect(engine.counters.unrouted == 0)
    }
}
