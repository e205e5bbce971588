import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryValues

/// Measurements of recordings that run through the engine in virtual time.
struct ReplayRuns {
    let house: House

    init(_ house: House) { self.house = house }

    func run() throws(BenchFailure) {
        Table.section("Replay, messages a second and core")
        for (name, target) in [
            ("household.jsonl", 1_000_000.0), ("printer-cube.jsonl", 300_000), ("printer-pauses.jsonl", 0),
        ] where name.contains(house.options.name) || house.options.name.isEmpty {
            guard let messages = house.recording(name), !messages.isEmpty else { continue }
            let rate = try rate(of: messages)
            let goal = target > 0 ? Table.Target.atLeast(target, rate) : nil
            Table.row("\(name), parsed before", Table.number(rate), "messages/s", target: goal)
            if let rate = try rateWithReading(name, count: messages.count) {
                Table.row("\(name), with reading the file", Table.number(rate), "messages/s")
            }
        }
        guard house.options.name.isEmpty || "fleet".contains(house.options.name) else { return }
        let rate = try rate(of: house.fleet(house.options.isQuick ? 50_000 : 200_000))
        Table.row("a fleet of 1,000 simulated devices, parsed before", Table.number(rate), "messages/s")
    }

    private func rounds(for count: Int) -> Int {
        max(3, (house.options.isQuick ? 200_000 : 2_000_000) / count)
    }

    private func rate(of messages: [TimedMessage]) throws(BenchFailure) -> Double {
        let definitions = house.definitions
        var effects = 0
        let each = try best(of: rounds(for: messages.count), count: messages.count) {
            () throws(BenchFailure) in
            var replay = Replay(definitions: definitions)
            for timed in messages { effects += replay.take(timed.message, at: timed.at).count }
            keep(replay)
        }
        keep(effects)
        return 1e9 / each
    }

    private func rateWithReading(_ name: String, count: Int) throws(BenchFailure) -> Double? {
        guard let path = house.recordingPath(name) else { return nil }
        let definitions = house.definitions
        let each = try best(of: rounds(for: count), count: count) { () throws(BenchFailure) in
            do throws(FileError) {
                let reader = try RecordingReader(path: path)
                var replay = Replay(definitions: definitions)
                var batch = RecordedMessages()
                while try reader.read(into: &batch) {
                    for recorded in batch {
                        let message = Message(
                            topic: recorded.topic,
                            payload: recorded.payload,
                            isRetained: recorded.isRetained
                        )
                        _ = replay.take(message, at: recorded.at)
                    }
                }
                keep(replay)
            } catch {
                throw BenchFailure("\(error)")
            }
        }
        return 1e9 / each
    }
}
