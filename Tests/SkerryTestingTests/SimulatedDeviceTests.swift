import SkerryTesting
import SkerryValues
import Testing

@Suite
struct `Simulated devices` {
    static let start = Timestamp(seconds: 1_772_323_200)
    static let seeds = UInt64(0)..<10

    @Test(arguments: seeds)
    func `the same seed gives the same messages, another seed others`(seed: UInt64) {
        let first = Array(SimulatedHousehold(seed: seed, start: Self.start))
        #expect(first == Array(SimulatedHousehold(seed: seed, start: Self.start)))
        #expect(first != Array(SimulatedHousehold(seed: seed + 1, start: Self.start)))
    }

    @Test(arguments: seeds)
    func `a run of each is more than 2,000 messages in less than an hour, in order`(seed: UInt64) throws {
        let messages = Array(SimulatedHousehold(seed: seed, start: Self.start))
        #expect(messages.count > 2000)
        let last = try #require(messages.last)
        #expect(last.at - Self.start < .hours(1))
        #expect(zip(messages, messages.dropFirst()).allSatisfy { $0.at <= $1.at })
    }

    @Test(arguments: seeds)
    func `a washer drops fields, repeats values, jumps up and pauses`(seed: UInt64) {
        var washer = SimulatedWasher(name: "w", seed: seed, start: Self.start)
        var reports: [Report] = []
        while let message = washer.next() { reports.append(Report(message)) }
        let running = reports.drop { $0.text("OperationState") != "Run" }
        #expect(running.contains { !$0.has("OperationState") })
        #expect(running.contains { !$0.has("RemainingProgramTime") })
        #expect(running.contains { !$0.has("ActiveProgram") })
        let seconds = running.compactMap { $0.number("RemainingProgramTime") }
        let pairs = zip(seconds, seconds.dropFirst())
        #expect(pairs.contains { $1 - $0 >= 100 }, "it finds a heavy load")
        #expect(pairs.count { $0 == $1 } > 500)
        let states = reports.compactMap { $0.text("OperationState") }.withoutRepeats
        #expect(states == ["Ready", "Run", "Pause", "Run", "Finished"])
    }

    @Test(arguments: seeds)
    func `a printer begins with the end of an old job, and its minutes are not monotonic`(seed: UInt64) {
        var printer = SimulatedPrinter(name: "p", seed: seed, start: Self.start)
        var reports: [Report] = []
        while let message = printer.next() { reports.append(Report(message)) }
        let states = reports.compactMap { $0.text("gcode_state") }.withoutRepeats
        #expect(states == ["FINISH", "IDLE", "PREPARE", "RUNNING", "FINISH"])
        #expect(reports.count { !$0.has("gcode_state") } > reports.count - 20, "most messages are deltas")
        let minutes = reports.compactMap { $0.number("mc_remaining_time") }
        let rises = zip(minutes, minutes.dropFirst()).count { $0 < $1 }
        #expect(rises >= 2, "from 0 at the start, and once on the way")
        #expect(minutes.first == 0 && minutes.last == 0)
    }

    @Test(arguments: seeds)
    func `a valve reports its length when it opens, and closes some seconds early or late`(
        seed: UInt64
    ) throws {
        var valve = SimulatedValve(name: "v", seed: seed, start: Self.start, runs: 3)
        var messages: [SimulatedMessage] = []
        while let message = valve.next() { messages.append(message) }
        #expect((6...12).contains(messages.count))
        var opened: (at: Timestamp, planned: Int64)?
        var closings = 0
        for message in messages {
            let report = Report(message)
            let duration = try #require(report.number("duration"))
            if report.number("state") == 1 {
                if opened == nil { opened = (message.at, duration) }
            } else if let run = opened {
                #expect((message.at - run.at).roundedSeconds == duration)
                #expect((duration - run.planned).magnitude <= 4)
                closings += 1
                opened = nil
            }
        }
        #expect(closings == 3)
    }

    @Test
    func `a fleet has as many devices as asked, each with a topic of its own`() {
        let messages = Array(SimulatedHousehold(seed: 7, start: Self.start, devices: 30))
        let topics = Set(
            messages.map { String(decoding: $0.topic, as: UTF8.self) }.filter { !$0.hasSuffix("LWT") }
        )
        #expect(topics.count == 30)
        #expect(zip(messages, messages.dropFirst()).allSatisfy { $0.at <= $1.at })
    }

    @Test
    func `devices without an end go on`() {
        var household = SimulatedHousehold(seed: 7, start: Self.start, runs: nil)
        var last: SimulatedMessage?
        for _ in 0..<20_000 { last = household.next() }
        #expect(last.map { $0.at - Self.start > .hours(4) } == true)
    }
}

/// A JSON payload, flat or wrapped as printers do it, with its numbers and texts by name.
private struct Report {
    var fields: ValueMap

    init(_ message: SimulatedMessage) {
        fields = ValueMap()
        guard case .map(let map) = try? JSONReader.value(of: message.payload.span) else { return }
        fields = map
        if case .map(let inner) = map.entries.first?.value { fields = inner }
    }

    private func value(_ name: String) -> Value? {
        fields.entries.first { entry in
            if case .string(let key) = entry.key { key == name } else { false }
        }?.value
    }

    func has(_ name: String) -> Bool { value(name) != nil }

    func number(_ name: String) -> Int64? {
        if case .int(let number) = value(name) { number } else { nil }
    }

    func text(_ name: String) -> String? {
        if case .string(let text) = value(name) { text } else { nil }
    }
}

extension [String] {
    fileprivate var withoutRepeats: [String] {
        reduce(into: []) { result, text in
            if result.last != text { result.append(text) }
        }
    }
}
