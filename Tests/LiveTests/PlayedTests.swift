import Foundation
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryHouse
import SkerryTesting
import SkerryValues
import Synchronization
import Testing

/// The tests of all definitions, played through a real broker to a real bridge.
@Suite(
    "Tests of definitions, live",
    .serialized,
    .enabled(if: Broker.isAvailable, "needs a mosquitto binary")
)
struct PlayedTests {
    @Test("over the broker a bridge publishes what the runner of tests foresees")
    func everyDefinition() async throws {
        let broker = try Broker()
        var played = 0
        for (definition, tests) in Files.testedDevices {
            for test in tests {
                let script = TestScript(test)
                // No message brings about what is given, was retained long before, or comes of a new connection.
                if script.isGiven || script.hasRetainedMessages || script.reconnects { continue }
                let prefix = "played/\(played)"
                let expected = foreseen(definition, test, prefix: prefix)
                let topics = Set(expected.flatMap { $0.shown.map(\.topic) })
                let live = try LivePlay(
                    definition.located(at: test.location),
                    broker,
                    prefix: prefix,
                    commands: topics.filter { !$0.hasPrefix("\(prefix)/") }.sorted()
                )
                let got = try live.play(
                    script,
                    device: DefinitionTestRunner(definition).onlyDevice(of: test)
                )
                #expect(got == expected, "\(definition.kind): \(test.name.text)")
                await live.end()
                played += 1
            }
        }
        #expect(played >= 20)
    }

    /// The publications that the runner makes of a test, by the moments of its steps.
    private func foreseen(_ definition: Definition, _ test: TestDraft, prefix: String) -> [LivePlay.Step] {
        let made = Mutex<[(at: Timestamp, publication: Publication)]>([])
        let runner = DefinitionTestRunner(definition) { effect in
            let publications = MQTTSink(prefix: prefix).publications(of: effect)
            made.withLock { made in made += publications.map { (effect.at, $0) } }
            return []
        }
        // Expectations about publications fail, because the runner is given none; that is not looked at here.
        _ = runner.run(test)
        let script = TestScript(test)
        var rest = made.withLock { $0 }[...]
        return script.moments.map { moment in
            let end = rest.firstIndex { $0.at > DefinitionTestRunner.start + moment } ?? rest.endIndex
            defer { rest = rest[end...] }
            return LivePlay.Step(moment, rest[..<end].map { LivePlay.Shown($0.publication) })
        }
    }
}

/// A definition's bridge on a real broker, to which a script is played.
struct LivePlay {
    /// A publication as a reader sees it.
    struct Shown: Equatable, CustomStringConvertible {
        var topic: String
        var payload: String
        var isRetained: Bool

        init(_ publication: Publication) {
            topic = publication.topic
            payload = String(decoding: publication.payload, as: UTF8.self)
            isRetained = publication.isRetained
        }

        init(_ message: BrokerClient.Message) {
            topic = message.topic
            payload = message.text
            isRetained = message.isRetained
        }

        var description: String { "\n  \(topic) \(payload)\(isRetained ? " (retained)" : "")" }
    }

    /// What is published up to a moment of a script.
    struct Step: Equatable {
        var moment: Interval
        var shown: [Shown]

        /// Makes a step; of the retained publications of a topic only the last counts, as in the outbox of a bridge.
        init(_ moment: Interval, _ all: [Shown]) {
            self.moment = moment
            shown = all.enumerated().compactMap { place, one in
                let isReplaced =
                    one.isRetained && all[(place + 1)...].contains { $0.isRetained && $0.topic == one.topic }
                return isReplaced ? nil : one
            }
        }
    }

    let bridge: LiveBridge
    let reader: BrokerClient
    let device: BrokerClient
    let prefix: String
    let kind: String

    /// Starts it; what it publishes below its prefix is read, and commands to devices on these topics.
    init(
        _ definition: Definition,
        _ broker: Broker,
        prefix: String,
        commands: [String] = [],
        change: (inout BridgeOptions) -> Void = { _ in }
    ) throws {
        bridge = try LiveBridge([definition], broker, at: DefinitionTestRunner.start) { options in
            options.prefix = prefix
            options.healthInterval = .hours(24 * 365)
            change(&options)
        }
        reader = try BrokerClient(port: broker.port)
        device = try BrokerClient(port: broker.port)
        self.prefix = prefix
        kind = definition.kind
        for filter in ["\(prefix)/#"] + commands { try reader.subscribe(filter, keepsRetainFlag: true) }
        _ = try takeNew()
    }

    /// Plays a script; events without a name are sent to the device that is named. Returns what was published up to each of
    /// its moments.
    func play(_ script: TestScript, device name: String?) throws -> [Step] {
        var steps: [Step] = []
        for moment in script.moments {
            var shown = try advance(to: DefinitionTestRunner.start + moment)
            for entry in script.entries where entry.after == moment {
                switch entry.what {
                case .message(let message, _): try device.publish(message.topic.text, message.payload)
                case .event(let event, let named):
                    try device.publish("\(prefix)/\(kind)/\(named ?? name ?? "")/event", event)
                }
                // Where filters overlap, mosquitto sends a message for each of them.
                let marks = bridge.tally.now.marks
                try device.publish("\(prefix)/mark/mark/event", "")
                try bridge.tally.wait(for: "the message") { $0.marks > marks }
                shown += try takeNew()
            }
            steps.append(Step(moment, shown))
        }
        return steps
    }

    /// Moves the clock from one thing that is due to the next.
    private func advance(to moment: Timestamp) throws -> [Shown] {
        var shown: [Shown] = []
        while true {
            let now = bridge.clock.now
            guard now < moment else { return shown }
            // Never behind what is due, so that each has its own time on the clock as well.
            let due = bridge.tally.now.sleepLimit.map { now + max($0, Interval(microseconds: 1)) } ?? moment
            try bridge.move(to: min(due, moment))
            shown += try takeNew()
        }
    }

    /// What was published about devices since the last time.
    private func takeNew() throws -> [Shown] {
        try bridge.settle()
        let before = reader.messages.count { $0.topic == "\(prefix)/mark" }
        let start = lastMark()
        try device.publish("\(prefix)/mark", "")
        let all = try reader.wait(for: "the mark") { $0.count { $0.topic == "\(prefix)/mark" } > before }
        let new = all[start...].filter {
            $0.topic != "\(prefix)/mark" && !$0.topic.hasPrefix("\(prefix)/bridge/")
        }
        return new.map { Shown($0) }.filter { $0.topic != "" && !$0.topic.hasSuffix("/event") }
    }

    private func lastMark() -> Int { (reader.messages.lastIndex { $0.topic == "\(prefix)/mark" } ?? -1) + 1 }

    func end() async { await bridge.end() }
}

extension TestScript {
    /// The moments at which something happens, and the end.
    var moments: [Interval] {
        var moments: [Interval] = []
        for moment in entries.map(\.after) + [length] where moments.last != moment { moments.append(moment) }
        return moments
    }

    /// Whether the broker sends messages that it had kept.
    var hasRetainedMessages: Bool {
        entries.contains { if case .message(_, isRetained: true) = $0.what { true } else { false } }
    }
}

extension Files {
    /// The definitions of the project with their tests.
    static let testedDevices: [(definition: Definition, tests: [TestDraft])] = {
        let files = (try? CompiledFiles([package.appendingPathComponent("devices").path]))?.files ?? []
        return files.compactMap { file in file.definition.map { ($0, file.source.reading.tests) } }
    }()
}
