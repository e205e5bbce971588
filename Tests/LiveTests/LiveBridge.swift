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

    /// Starts it; returns once it hears what is published and holds nothing back.
    init(
        _ definitions: [Definition],
        _ broker: Broker,
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
        let bridge = try Bridge.recover(
            definitions: definitions,
            store: MemoryStore(),
            clock: clock,
            options: settings,
            logger: Logger(label: "live") { _ in SwiftLogNoOpLogHandler() }
        ).bridge
        try bus.start(Overseer(bridge, tally, prefix: settings.prefix))
        try tally.wait(for: "the subscriptions") { $0.subscriptions > 0 && $0.isOnline }
    }

    /// Moves the clock; returns once the bridge has handled what was due.
    func move(to moment: Timestamp) throws {
        let wakes = tally.now.wakes
        clock.move(to: moment)
        bus.wake()
        try tally.wait(for: "a wake") { $0.wakes > wakes }
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
