import ArgumentParser
import Glibc
import Logging
import SkerryCommand
import SkerryFiles
import SkerryGateway
import SkerryHouse
import SkerryMosquitto
import SkerryTesting
import SkerryValues
import Synchronization

/// `skerry demo`: simulated devices, a real broker, the bridge, a live table.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Watch simulated devices, a broker and the bridge at work.",
        discussion: """
            Starts a mosquitto of its own on a free loopback port, plays a washer, a printer and an irrigation valve \
            through it, with dropped fields, jitter, repeated values and a pause, and runs the bridge on them. Time \
            passes 60 times faster than in reality. Ctrl-C ends it.

            The first line ends with the address of the page, which shows the devices in a browser.

            With --phones it also shows the Lock Screens of two simulated iPhones. The bridge makes real, signed \
            pushes, which a simulated push service in the same process checks as Apple does; the table tells what each \
            is for and what it costs.
            """
    )

    @Flag(help: "End when each device has finished a run, and print the totals.")
    var once = false

    @Flag(help: "Show the Lock Screens of simulated phones, and the pushes that they get.")
    var phones = false

    @Option(name: [.short, .long], help: "A file or folder of definitions; may be given several times.")
    var definitions: [String] = ["devices"]

    @Option(help: "How many times faster than in reality the time passes, 1 to 1000.")
    var speed: Int64 = 60

    @Option(help: "The seed of everything that the devices do.")
    var seed: UInt64 = 1

    mutating func validate() throws {
        guard (1...1000).contains(speed) else { throw ValidationError("--speed is 1 to 1000") }
    }

    func run() async throws {
        let files = try DefinitionLoading.loadFiles(definitions)
        let compiled = files.definitions
        let broker = try Self.startBroker()
        let clock = SystemClock(rate: speed)
        let board = DemoBoard(clock: clock)
        let logger = Logger(label: "skerry") { LogOutput(label: $0, level: LogLevel(.error), isJSON: false) }
        let options = Self.bridge
        let shown = phones ? try DemoPhones(compiled, clock: clock, options: options, logger: logger) : nil
        if let shown { board.add { shown.lines(lastPushes: 8) } }
        let sinks = shown.map { [$0.queue] } ?? []
        let pushing = Task { await shown?.run() }
        var mqtt = MosquittoOptions(host: "127.0.0.1", port: broker.port, clientID: "skerry-demo")
        mqtt.sessionExpiry = .zero
        mqtt.will = MQTTSink().state(isOnline: false)
        let bus = MosquittoBus(mqtt)
        let (inquiries, history) = (QuestionMailbox(), MemoryRunHistory())
        let house = Self.house(files, inquiries, history, mqtt) { bus.wake() }
        let page = try DemoPage(clock, phones: shown?.desk, house: house, options: options, logger: logger)
        let serving = Task { await page.serve() }
        // A reader that has closed the output ends the process in good order, with its broker.
        signal(SIGPIPE, SIG_IGN)
        await page.tellAddress()
        let player = DemoPlayer(
            household: SimulatedHousehold(seed: seed, start: clock.now, runs: once ? 1 : nil),
            clock: clock,
            port: broker.port,
            board: board
        )
        let screen = Task { await board.show(until: once ? 3 : nil) { bus.stop() } }
        let playing = Task.detached { await player.play() }
        try await bus.run {
            try Bridge.recover(
                definitions: compiled,
                store: MemoryStore(history: history),
                clock: clock,
                options: options,
                sinks: sinks,
                inquiries: inquiries,
                logger: logger,
                watch: { event in
                    page.log.take(event)
                    board.take(event)
                    house.watch(event)
                },
                wantsTimelines: { page.log.hasReaders }
            ).bridge
        }
        playing.cancel()
        screen.cancel()
        await screen.value
        serving.cancel()
        await serving.value
        broker.stop()
        board.printTotals(port: broker.port)
        pushing.cancel()
        await pushing.value
        if let shown { Terminal.write(Array("\(shown.totals)\n".utf8)) }
    }

    /// Starts a broker, which ends with the process.
    private static func startBroker() throws -> Broker {
        let broker: Broker
        do throws(Broker.Failure) {
            broker = try Broker()
        } catch {
            Terminal.complain("skerry: \(error.description)\nInstall it with: apt-get install mosquitto\n")
            throw ExitCode.unavailable
        }
        brokerOfDemo.withLock { $0 = broker }
        atexit { brokerOfDemo.withLock { $0?.discard() } }
        return broker
    }

    private static var bridge: BridgeOptions {
        var options = BridgeOptions(version: Version.current)
        options.recordLength = .hours(2)
        return options
    }

    /// The desk that answers questions about the demonstration.
    private static func house(
        _ files: CompiledFiles,
        _ inquiries: QuestionMailbox,
        _ history: MemoryRunHistory,
        _ mqtt: MosquittoOptions,
        wake: @escaping @Sendable () -> Void
    ) -> HouseDesk {
        var sources = HouseSources(
            mailbox: inquiries,
            wake: wake,
            files: { files.files },
            history: history,
            makeBus: { mqtt.surveyBus }
        )
        sources.brokerAddress = "\(mqtt.host):\(mqtt.port)"
        return HouseDesk(sources, clock: SystemClock())
    }
}

/// The broker, which must not outlive the process when writing ends it, as in `skerry demo | head`.
private let brokerOfDemo = Mutex<Broker?>(nil)

/// Publishes what simulated devices say, when they say it.
private struct DemoPlayer: Sendable {
    var household: SimulatedHousehold
    let clock: SystemClock
    let port: Int
    let board: DemoBoard

    func play() async {
        await board.subscribed()
        do {
            let client = try BrokerClient(port: port, clientID: "skerry-demo-devices")
            for message in household {
                let wait = clock.timeLeft(until: message.at)
                if wait > .zero {
                    try client.flush()
                    try await Task.sleep(for: .microseconds(wait.microseconds))
                }
                try client.publish(
                    String(decoding: message.topic, as: UTF8.self),
                    message.payload,
                    isRetained: message.isRetained
                )
                board.count(message.topic)
                if Task.isCancelled { return }
            }
            try client.flush()
        } catch is CancellationError {
            return
        } catch {
            board.fail("the devices can't publish: \(error)")
        }
    }
}
