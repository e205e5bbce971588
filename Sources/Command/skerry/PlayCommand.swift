import ArgumentParser
import SkerryCommand
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryHouse
import SkerryMosquitto
import SkerryValues

/// `skerry play`: a simulated device for every definition.
struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play the messages of a definition's tests to a broker, as the device would send them.",
        discussion: """
            Publishes what the steps 'send' of the tests contain, on the topics and with the pauses that stand there, so that \
            a bridge can be tried without the device:
              skerry play devices/washer.yaml --test pause --speed 60
              skerry play devices/washer.yaml --list

            Without --test it plays all tests, one after the other. --speed shortens the pauses between messages; a countdown of \
            the device still takes as long as its message says. Moments in payloads are those of the test, which begins at \
            2026-01-01 00:00 UTC. Steps 'event' are sent to '<prefix>/<kind>/<device>/event'; what 'given' describes is \
            not brought about, and 'expect' is not looked at.

            The broker is that of 'skerry run', with its settings.

            Exit status: 0 when all was played, 1 for a wrong definition or when no test has such a name, 64 for wrong \
            settings, 69 when the broker can't be reached.
            """,
        // -h is the host, as mosquitto's own clients have it.
        helpNames: .long
    )

    @Argument(help: "The definition.", completion: .file(extensions: ["yaml"]))
    var file: String

    @Option(help: "Only tests whose name contains this.")
    var test: String?

    @Option(help: "How many times faster than written, 1 to 100000.")
    var speed: Int64 = 1

    @Flag(help: "List the tests, and play nothing.")
    var list = false

    @OptionGroup var broker: BrokerOptions

    @Option(help: "The start of the bridge's topics, for events (default: skerry).")
    var prefix: String?

    func validate() throws {
        guard (1...100_000).contains(speed) else { throw ValidationError("--speed is 1 to 100000") }
    }

    func run() async throws {
        let files = try DefinitionLoading.loadFiles([file])
        let tests = files.files.flatMap(\.source.reading.tests)
        let meant = tests.filter { test == nil || $0.name.text.contains(test ?? "") }
        guard !meant.isEmpty, let definition = files.definitions.first else {
            let names = tests.map { "  \(Terminal.printable($0.name.text))\n" }.joined()
            Terminal.complain(
                tests.isEmpty
                    ? "skerry: \(file) has no tests: write some, see docs/testing.md\n"
                    : "skerry: no test of \(file) has '\(test ?? "")' in its name; there are:\n\(names)"
            )
            throw ExitCode.badInput
        }
        if list {
            for test in meant {
                let length = PrintedTime.length(Double(TestScript(test).length.microseconds) / 1e6)
                Terminal.write(Array("\(Terminal.printable(test.name.text)) (\(length))\n".utf8))
            }
            return
        }
        try await play(meant, of: definition)
    }

    private func play(_ tests: [TestDraft], of definition: Definition) async throws {
        let (settings, bus) = try broker.bus(named: "play", prefix: prefix)
        let cues = Cue.all(tests, of: definition, prefix: settings.prefix, speed: speed)
        let fault = Found<String?>(nil)
        try await bus.run {
            TestPlayer(cues) { reason in
                fault.put(reason)
                bus.stop()
            }
        }
        guard let reason = fault.finding else { return }
        Terminal.complain("skerry: \(Terminal.printable(reason))\n")
        throw ExitCode.unavailable
    }
}

/// Something to publish, and when.
private struct Cue {
    /// The time since the beginning of all tests.
    var after: Duration
    /// The name of the test that begins.
    var heading: String?
    var publication: Publication?

    /// The cues of tests, one after the other.
    static func all(_ tests: [TestDraft], of definition: Definition, prefix: String, speed: Int64) -> [Cue] {
        var cues: [Cue] = []
        var begin = Interval.zero
        for test in tests {
            let script = TestScript(test)
            let device = DefinitionTestRunner(definition).onlyDevice(of: test)
            func moment(_ after: Interval) -> Duration { .microseconds((begin + after).microseconds / speed) }
            cues.append(Cue(after: moment(.zero), heading: test.name.text))
            for entry in script.entries {
                var cue = Cue(after: moment(entry.after))
                switch entry.what {
                case .message(let message, let isRetained):
                    cue.publication = Publication(
                        topic: message.topic.text,
                        payload: message.payload,
                        isRetained: isRetained
                    )
                case .event(let name, let named):
                    guard let device = named ?? device else { continue }
                    cue.publication = Publication(
                        topic: "\(prefix)/\(definition.kind)/\(device)/event",
                        payload: Array(name.utf8)
                    )
                }
                cues.append(cue)
            }
            begin = begin + script.length
            cues.append(Cue(after: .microseconds(begin.microseconds / speed)))
        }
        return cues
    }
}

/// Publishes the messages of tests at their times.
private final class TestPlayer: BusHandler {
    private let cues: [Cue]
    private var next = 0
    private var start: ContinuousClock.Instant?
    private var waiting: [Publication] = []
    private var underWay = 0
    private let finish: (_ fault: String?) -> Void
    private var isOver = false

    init(_ cues: [Cue], finish: @escaping (_ fault: String?) -> Void) {
        self.cues = cues
        self.finish = finish
    }

    private func end(_ fault: String? = nil) {
        if isOver { return }
        isOver = true
        finish(fault)
    }

    func connected(_ session: BusSession) {
        if start == nil { start = .now }
    }

    var sleepLimit: Interval? {
        guard let start else { return nil }
        return next < cues.count ? (start + cues[next].after).distance : nil
    }

    func wake() {
        guard let start else { return }
        while next < cues.count, ContinuousClock.now >= start + cues[next].after {
            let cue = cues[next]
            next += 1
            if let heading = cue.heading {
                Terminal.write(Array("# \(Terminal.printable(heading))\n".utf8))
            }
            guard var publication = cue.publication else { continue }
            publication.id = UInt64(next)
            waiting.append(publication)
            let payload = String(decoding: publication.payload, as: UTF8.self)
            let line = "\(RecordingTime.text(SystemClock().now))  \(publication.topic)  \(payload)"
            Terminal.write(Array("\(Terminal.printable(line))\n".utf8))
        }
        endIfDone()
    }

    private func endIfDone() {
        if next == cues.count, waiting.isEmpty, underWay == 0 { end() }
    }

    func nextPublication() -> Publication? {
        guard !waiting.isEmpty else { return nil }
        underWay += 1
        return waiting.removeFirst()
    }

    func settled(_ id: UInt64, _ outcome: PublicationOutcome) {
        underWay -= 1
        if case .refused(let reason) = outcome { return end("the broker refused to publish \(reason)") }
        endIfDone()
    }

    func subscriptionPlan() -> SubscriptionPlan { SubscriptionPlan(filters: []) }

    func subscribed(_ outcomes: [SubscriptionOutcome]) {}

    func handle(_ batch: MessageBatch) -> BatchOutcome { .committed }

    func disconnected(_ fault: BusFault) { end(fault.message) }
}
