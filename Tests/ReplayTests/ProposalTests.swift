import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

@Suite("Definitions proposed from recordings")
struct ProposalTests {
    static func survey(
        _ messages: some Sequence<RecordedMessage>,
        filter: String? = nil
    ) throws -> RecordingSurvey {
        var survey = try RecordingSurvey(filter: filter)
        for message in messages { survey.add(message) }
        return survey
    }

    /// A proposal, which must be right whatever the recording was.
    static func proposal(
        kind: String = "thing",
        _ messages: some Sequence<RecordedMessage>,
        filter: String? = nil
    ) throws -> (text: String, definition: Definition)? {
        let survey = try survey(messages, filter: filter)
        guard let text = DefinitionProposal.text(kind: kind, from: survey, file: "day.jsonl") else {
            return nil
        }
        return (text, try compiled(text))
    }

    static func compiled(_ text: String) throws -> Definition {
        let compiled = CompiledFiles([DefinitionFile(path: "new.yaml", bytes: Array(text.utf8))])
        #expect(compiled.problems == [], "\(compiled.report(DiagnosticPrinter()))\n\(text)")
        return try #require(compiled.definitions.first)
    }

    static func messages(_ lines: [(topic: String, payload: String)]) -> [RecordedMessage] {
        lines.enumerated().map { index, line in
            RecordedMessage(
                at: Timestamp(seconds: 1_772_323_200 + Int64(index) * 60),
                topic: ArraySlice(line.topic.utf8),
                payload: ArraySlice(line.payload.utf8)
            )
        }
    }

    static func simulated(_ device: SimulatedDevice) -> [RecordedMessage] {
        var device = device
        var messages: [RecordedMessage] = []
        while let message = device.next() {
            messages.append(
                RecordedMessage(at: message.at, topic: message.topic[...], payload: message.payload[...])
            )
        }
        return messages
    }

    @Test(arguments: ["kettle", "3d-printer", "a b", "true"])
    func `a skeleton can be loaded`(kind: String) throws {
        let definition = try Self.compiled(DefinitionProposal.skeleton(kind: kind))
        #expect(definition.kind == kind)
    }

    @Test func `a device that reports its state gets a state for each value, with comments`() throws {
        let states = ["Ready", "Run", "Run", "Pause", "Run", "Finished", "Ready"]
        let messages = Self.messages(
            states.enumerated().map { index, state in
                (
                    "laundry/wm-1/status",
                    #"{"state":"\#(state)","remainingMinutes":\#(9 - index),"programName":"Cotton"}"#
                )
            } + [("laundry/wm-1/LWT", "online"), ("laundry/wm-1/LWT", "offline")]
        )
        let (text, definition) = try #require(try Self.proposal(kind: "washer", messages))
        for line in [
            "topic: laundry/{device}/status", "reported_state: payload.state",
            "remaining: minutes(remaining_minutes)",
            #"available: payload == "online""#, "# seen 3 times", "seen 7 times: Ready, Run, Pause, Finished",
            #"guard: reported_state == "Finished" && !inState("finished"), target: finished"#,
            "initial: ready",
            "starts: run\n", "ends: [ready, finished]",
        ] {
            #expect(text.contains(line), "\(line)\n\(text)")
        }
        let kinds = Playback(messages, [definition]).updates.map(\.update.kind)
        #expect(kinds.first == .started && kinds.contains(.ended), "\(kinds)")
    }

    @Test func `a plug gets a threshold in the gap between rest and work`() throws {
        let watts = [0, 1, 1, 1800, 1790, 1810, 1820, 0, 1, 0, 0, 1]
        let messages = Self.messages(watts.map { ("plug/kettle-2/power", "\($0)") })
        let (text, definition) = try #require(try Self.proposal(kind: "kettle", messages))
        #expect(text.contains("power > 70, for: 30s, target: running"), "\(text)")
        #expect(text.contains("Nothing between 1 and 1790 was seen often."))
        let kinds = Playback(messages, [definition]).updates.map(\.update.kind)
        #expect(kinds.first == .started && kinds.last == .ended, "\(kinds)")
    }

    @Test func `the level that differs from device to device is the device`() throws {
        let cases: [(topics: [String], filters: [String])] = [
            (
                ["tele/lamp/STATE", "stat/lamp/POWER", "tele/fan/STATE", "stat/fan/POWER"],
                ["tele/{device}/STATE", "stat/{device}/POWER"]
            ),
            (
                ["zigbee2mqtt/kitchen", "zigbee2mqtt/hall", "zigbee2mqtt/hall/availability"],
                ["zigbee2mqtt/{device}", "zigbee2mqtt/{device}/availability"]
            ),
            (["device/01S00C123/report"], ["device/{device}/report"]),
            (
                ["shellies/plug-7/relay/0", "shellies/plug-7/relay/0/power"],
                ["shellies/{device}/relay/0", "shellies/{device}/relay/0/power"]
            ),
        ]
        for (topics, filters) in cases {
            let lines = topics.flatMap { [($0, "on"), ($0, "off"), ($0, "on")] }
            let (text, definition) = try #require(try Self.proposal(Self.messages(lines)))
            let found = definition.sources.map { $0.filter.levels }
            let wanted = try filters.map { try TopicFilter($0).levels }
            #expect(found.allSatisfy(wanted.contains), "\(topics)\n\(text)")
        }
    }

    @Test func `simulated devices get activities that start and end`() throws {
        let start = Timestamp(seconds: 1_772_323_200)
        let devices: [SimulatedDevice] = [
            .washer(SimulatedWasher(name: "laundry-1", seed: 3, start: start, runs: 2)),
            .printer(SimulatedPrinter(name: "workshop-1", seed: 3, start: start, runs: 2)),
            .valve(SimulatedValve(name: "lawn-1", seed: 3, start: start, runs: 2)),
        ]
        for device in devices {
            let messages = Self.simulated(device)
            let (text, definition) = try #require(try Self.proposal(messages))
            let kinds = Playback(messages, [definition]).updates.map(\.update.kind)
            #expect(kinds.contains(.started) && kinds.contains(.ended), "\(text)")
        }
    }

    @Test(arguments: 0..<60) func `whatever a recording holds, the proposal can be loaded`(
        seed: UInt64
    ) throws {
        var random = SimulatedRandom(seed: seed)
        let levels = ["a", "", "state", "dev-1", "ö", " ", "x y", "power", "{", "+", "1", "LWT", "\"", ":"]
        let names = [
            "state", "power", "remaining", "in", "a b", "timer", "_", "0", "é", "file", "percent", "type",
            "x-y",
        ]
        let texts = [
            "on", "off", "run", "", "online", "\\\"", "\n", "a\u{0}b", "true", "{x}", "#", "é", "-", "1",
            "RUNNING", "✓",
        ]
        func text(_ choices: [String]) -> String { choices[random.below(choices.count)] }
        func json(_ depth: Int) -> String {
            switch random.below(7) {
            case 0: return "\(random.below(200))"
            case 1: return "\(Double(random.below(2000)) / 7)e\(random.below(4))"
            case 2: return random.chance(1, of: 2) ? "true" : "null"
            case 3 where depth < 8, 4 where depth < 8:
                let members = (0..<random.below(4)).map { _ in "\"\(text(names))\":\(json(depth + 1))" }
                return "{\(members.joined(separator: ","))}"
            case 5: return "[\(random.below(9))]"
            default: return "\"\(text(texts))\""
            }
        }
        var lines: [(String, String)] = []
        let topics = (0..<1 + random.below(4)).map { _ in
            (0..<1 + random.below(4)).map { _ in text(levels) }.joined(separator: "/")
        }
        for _ in 0..<random.below(40) {
            lines.append((text(topics), random.chance(3, of: 4) ? json(0) : text(texts)))
        }
        let messages = Self.messages(lines)
        guard let (_, definition) = try Self.proposal(messages) else { return }
        // It need not make sense, but it must run.
        #expect(Playback(messages, [definition]).replay.engine?.counters.messages ?? 0 <= messages.count)
    }

    @Test func `a recording without end takes no memory without end`() throws {
        var survey = try RecordingSurvey()
        for index in 0..<3000 {
            for message in Self.messages([("a/\(index)/s", #"{"f\#(index)":"\#(index)"}"#)]) {
                survey.add(message)
            }
        }
        #expect(survey.messages == 2000)
        #expect(survey.passedOver == 1000)
    }
}

@Suite(
    "Definitions proposed from real recordings",
    .enabled(if: Files.hasRecordings, "../shared/recordings is not there")
)
struct RealProposalTests {
    @Test(arguments: RecordingTests.names) func `the proposal can be loaded`(name: String) throws {
        #expect(try ProposalTests.proposal(Files.recording(name)) != nil)
    }

    @Test(arguments: ["printer-cube", "printer-pauses"])
    func `a printer gets activities that start and end`(name: String) throws {
        let messages = try Files.recording(name)
        let (text, definition) = try #require(try ProposalTests.proposal(kind: "printer", messages))
        #expect(text.contains("gcode_state: payload.print.gcode_state"), "\(text)")
        #expect(text.contains("remaining: minutes(mc_remaining_time)"), "\(text)")
        let kinds = Playback(messages, [definition]).updates.map(\.update.kind)
        #expect(kinds.contains(.started) && kinds.contains(.ended), "\(kinds)\n\(text)")
        #expect(kinds.count < 60)
    }

    @Test func `washing machines on plugs get activities that start and end`() throws {
        let messages = try Files.recording("household")
        let filter = "plug/washingmachine/+/power"
        let (text, definition) = try #require(try ProposalTests.proposal(messages, filter: filter))
        let updates = Playback(messages, [definition]).updates.map(\.update)
        #expect(updates.contains { $0.kind == .started } && updates.contains { $0.kind == .ended }, "\(text)")
    }
}
