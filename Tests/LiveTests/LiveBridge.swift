import Foundation
import Logging
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryMosquitto
import SkerryTesting
import SkerryValues

/// A bridge on a real broker whose clock a test moves.
struct LiveBridge {
    let clock: StepClock
    let tally = Tally()
    let bus: MosquittoBus

    /// Starts it, with a store that is lost with it unless another one is given; returns once it hears what is published and
    /// holds nothing back.
    init<Storage: Store & Sendable>(
        _ definitions: [Definition],
        _ broker: Broker,
        store: Storage = MemoryStore(),
        at start: Timestamp,
        change: (inout BridgeOptions) -> Void = { _ in }
    ) throws {
        var settings = BridgeOptions(version: "live")
        change(&settings)
        clock = StepClock(start)
        var options = MosquittoOptions(
            host: "127.0.0.1",
            port: broker.port,
            clientID: "live-\(settings.prefix)"
        )
        options.firstRetry = .milliseconds(20)
        options.longestRetry = .milliseconds(100)
        options.will = MQTTSink(prefix: settings.prefix).state(isOnline: false)
        bus = MosquittoBus(options)
        var ports = BridgePorts(logger: Logger(label: "live") { _ in SwiftLogNoOpLogHandler() })
        ports.watcher.tell = { [tally] event in
            if case .compared = event { tally.edit { $0.comparisons += 1 } }
        }
        let bridge = try Bridge.recover(
            definitions: definitions,
            store: store,
            clock: clock,
            options: settings,
            ports: ports
        ).bridge
        try bus.start(Overseer(bridge, tally, prefix: settings.prefix))
        try tally.wait(for: "the subscriptions") { $0.subscriptions > 0 && $0.isOnline }
    }

    /// Moves the clock; returns once the bridge has handled what was due.
    func move(to moment: Timestamp) throws {
        clock.move(to: moment)
        // The first one may have begun before the clock moved.
        for _ in 0..<2 {
            let wakes = tally.now.wakes
            bus.wake()
            try tally.wait(for: "a wake") { $0.wakes > wakes }
        }
    }

    /// Returns once the broker has acknowledged all that was published.
    func settle() throws { try tally.wait(for: "acknowledgements") { $0.underWay == 0 && !$0.isBusy } }

    func end() async {
        bus.stop()
        await bus.finished()
    }
}

/// Where definitions and recordings are.
enum Files {
    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The files of the definitions that these tests have devices for.
    static let definitions = SimulatedHousehold.kinds.map { "devices/\($0).yaml" }

    /// The definitions that these tests have devices for.
    static let devices: [Definition] = {
        (try? CompiledFiles(definitions.map { package.appendingPathComponent($0).path }))?.definitions ?? []
    }()

    /// All definitions of `devices/`.
    static let shipped: [Definition] = {
        (try? CompiledFiles([package.appendingPathComponent("devices").path]))?.definitions ?? []
    }()

    /// The folder of the cases from the field.
    private static let cases = package.deletingLastPathComponent().appendingPathComponent("shared/cases")

    /// The names of the cases from the field; none where they are not there.
    static let namesOfCases: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: cases.path)
        return (files ?? []).filter { $0.hasSuffix(".jsonl") }.map { String($0.dropLast(6)) }.sorted()
    }()

    /// The messages of a case; a line of it may have been cut by its recorder.
    static func messages(of name: String) throws -> [SimulatedMessage] {
        try messages(path: cases.appendingPathComponent("\(name).jsonl").path)
    }

    /// The messages of a recording, as a device publishes them.
    static func messages(path: String) throws -> [SimulatedMessage] {
        let reader = try RecordingReader(path: path)
        var messages: [SimulatedMessage] = []
        while let recorded = try reader.next() {
            // What was retained when it was recorded is so for the bridge only at its subscription.
            messages.append(
                SimulatedMessage(
                    at: recorded.at,
                    topic: Array(recorded.topic),
                    payload: Array(recorded.payload)
                )
            )
        }
        return messages
    }

    /// The options of a program for them.
    static let options = definitions.flatMap { ["--definitions", $0] }

    /// A recording of the golden replays.
    static func golden(_ name: String) -> String {
        package.appendingPathComponent("Tests/ReplayTests/Goldens/\(name).jsonl").path
    }

    /// The shared recording of a printer with pauses, if it is there.
    static let pauses: String = {
        let folder = ProcessInfo.processInfo.environment["SKERRY_RECORDINGS"].map { URL(fileURLWithPath: $0) }
        let shared = package.deletingLastPathComponent().appendingPathComponent("shared/recordings")
        return (folder ?? shared).appendingPathComponent("printer-pauses.jsonl").path
    }()

    static let hasPauses = FileManager.default.fileExists(atPath: pauses)

    /// Compiles a definition that a test has inside.
    static func definition(_ text: String) throws -> Definition {
        let reading = DefinitionReader.read(text: text)
        guard let draft = reading.draft else { throw BadFile(what: "\(reading.problems)") }
        let compilation = Definition.compile(draft, limits: DeviceLimits())
        guard let definition = compilation.definition else { throw BadFile(what: "\(compilation.problems)") }
        return definition
    }

    struct BadFile: Error {
        var what: String
    }
}
