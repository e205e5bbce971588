import SkerryDevice
import SkerryEngine
import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

/// The same messages, live through a real broker and in a replay.
@Suite("Live and replayed", .serialized, .enabled(if: Broker.isAvailable, "needs a mosquitto binary"))
struct LiveReplayTests {
    /// One thing that happens, and what the replay publishes because of it.
    struct Step {
        var at: Timestamp
        /// Nil when only time passes.
        var message: SimulatedMessage?
        var published: [Publication] = []
    }

    /// Replays messages and writes down, moment by moment, what comes of them.
    static func script(_ messages: [SimulatedMessage], _ definitions: [Definition] = Files.devices) -> [Step]
    {
        var replay = Replay(definitions: definitions, foretells: true)
        let sink = MQTTSink()
        var steps: [Step] = []
        func add(_ effects: [Effect], message: SimulatedMessage?, at moment: Timestamp?) {
            var last = Step(at: moment ?? .distantPast, message: message)
            for effect in effects {
                let publications = sink.publications(of: effect)
                if let moment, effect.at == moment {
                    last.published += publications
                } else if !publications.isEmpty {
                    steps.append(Step(at: effect.at, published: publications))
                }
            }
            if moment != nil { steps.append(last) }
        }
        for message in messages {
            let input = Message(
                topic: message.topic[...],
                payload: message.payload[...],
                isRetained: message.isRetained
            )
            add(replay.take(input, at: message.at), message: message, at: message.at)
        }
        add(replay.runOn(), message: nil, at: nil)
        return steps
    }

    /// What of a publication can be seen, on one line.
    static func line(_ topic: String, _ payload: [UInt8], _ isRetained: Bool, _ type: String?) -> String {
        "\(topic) \(isRetained) \(type ?? "-") \(String(decoding: payload, as: UTF8.self))"
    }

    /// Plays the messages through a broker, each at its own time, and compares everything that a reader gets.
    func compare(_ messages: [SimulatedMessage], atLeast count: Int) async throws {
        let steps = Self.script(messages)
        let expected = steps.flatMap(\.published)
            .map { Self.line($0.topic, $0.payload, $0.isRetained, $0.contentType) }
        #expect(expected.count >= count)
        let broker = try Broker()
        let reader = try BrokerClient(port: broker.port)
        try reader.subscribe("skerry/+/+/activity/#", keepsRetainFlag: true)
        try reader.subscribe("skerry/+/+/availability", keepsRetainFlag: true)
        try reader.subscribe("skerry/+/+/timeline", keepsRetainFlag: true)
        try reader.subscribe("skerry/+/+/alert", keepsRetainFlag: true)
        let commands = Set(steps.flatMap(\.published).map(\.topic).filter { !$0.hasPrefix("skerry/") })
        for topic in commands.sorted() { try reader.subscribe(topic, keepsRetainFlag: true) }
        let device = try BrokerClient(port: broker.port)
        let live = try LiveBridge(Files.devices, broker, at: try #require(steps.first).at) {
            $0.publishesTimelines = true
        }
        var taken = 0
        var published = 0
        for step in steps {
            try live.move(to: step.at)
            if let message = step.message {
                // What was retained when it was recorded is so for the bridge only at its subscription.
                try device.publish(String(decoding: message.topic, as: UTF8.self), message.payload)
                taken += 1
                try live.tally.wait(for: "message \(taken)") { $0.messages >= taken }
            }
            published += step.published.count
            try reader.wait(forCount: published)
        }
        await live.end()
        let received = reader.messages.map { Self.line($0.topic, $0.payload, $0.isRetained, $0.contentType) }
        #expect(received == expected)
        #expect(reader.messages.allSatisfy { $0.quality == 1 && !$0.isDuplicate })
        #expect(live.tally.now.faults.isEmpty)
    }

    @Test("a printer with pauses", .enabled(if: Files.hasPauses, "../shared/recordings is not there"))
    func printer() async throws {
        try await compare(try Files.messages(path: Files.pauses), atLeast: 26)
    }

    @Test("a simulated household", arguments: [1, 2] as [UInt64])
    func household(seed: UInt64) async throws {
        let household = SimulatedHousehold(seed: seed, start: Timestamp(seconds: 1_772_355_600))
        let messages = household.map { message in
            SimulatedMessage(at: message.at, topic: message.topic, payload: message.payload)
        }
        #expect(messages.count > 2000)
        try await compare(messages, atLeast: 20)
    }
}
