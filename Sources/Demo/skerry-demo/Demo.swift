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

/// `skerry-demo`, which `skerry demo` runs: simulated devices, a real broker, the bridge, a live table.
@main
enum Demo {
    /// The program: it reads what `skerry demo` has read before it.
    static func main() async {
        Terminal.openStandardStreams()
        var command = DemoCommand.readArguments()
        do {
            if let demo = command as? DemoCommand { try await play(demo) } else { try command.run() }
        } catch {
            DemoCommand.end(type(of: command), with: error)
        }
    }

    /// Runs the demonstration until Ctrl-C, or until each device has finished a run.
    private static func play(_ demo: DemoCommand) async throws {
        let (once, speed) = (demo.once, demo.speed)
        let files = try DefinitionLoading.loadFiles(demo.definitions)
        let compiled = files.definitions
        let broker = try startBroker()
        let clock = SystemClock(rate: speed)
        let board = DemoBoard(clock: clock)
        let options = bridge
        let shown =
            demo.phones ? try DemoPhones(compiled, clock: clock, options: options, logger: logger) : nil
        if let shown { board.add { shown.lines(lastPushes: 8) } }
        let sinks = shown.map { [$0.queue] } ?? []
        let pushing = Task { await shown?.run() }
        var mqtt = MosquittoOptions(host: "127.0.0.1", port: broker.port, clientID: "skerry-demo")
        mqtt.sessionExpiry = .zero
        mqtt.will = MQTTSink().state(isOnline: false)
        let bus = MosquittoBus(mqtt)
        let (inquiries, history) = (QuestionMailbox(), MemoryRunHistory())
        let house = house(files, inquiries, history, mqtt) { bus.wake() }
        let page = try DemoPage(clock, phones: shown?.desk, house: house, options: options, logger: logger)
        let serving = Task { await page.serve() }
        // A reader that has closed the output ends the process in good order, with its broker.
        signal(SIGPIPE, SIG_IGN)
        await page.tellAddress()
        let player = DemoPlayer(
            household: SimulatedHousehold(seed: demo.seed, start: clock.now, runs: once ? 1 : nil),
            clock: clock,
            port: broker.port,
            board: board
        )
        let screen = Task { await board.show(until: once ? 3 : nil) { bus.stop() } }
        let playing = Task.detached { await player.play() }
        try await run(on: bus) {
            var ports = BridgePorts(logger: logger)
            (ports.sinks, ports.questions) = (sinks, inquiries)
            ports.watcher.tell = { event in
                page.log.take(event)
                board.take(event)
                house.watch(event)
            }
            ports.watcher.wantsTimelines = { page.log.hasReaders }
            return try Bridge.recover(
                definitions: compiled,
                store: MemoryStore(history: history),
                clock: clock,
                options: options,
                ports: ports
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

    /// The log, of errors alone.
    private static let logger = Logger(label: "skerry") { label in
        var output = StreamLogHandler.standardError(label: label)
        output.logLevel = .error
        return output
    }

    /// Runs the bridge until Ctrl-C, or until the board ends the bus.
    private static func run<Handler: BusHandler>(
        on bus: MosquittoBus,
        _ makeBridge: () throws -> sending Handler
    ) async throws {
        Signals.onStop { bus.stop() }
        do {
            try bus.start(makeBridge())
        } catch let fault as BusFault {
            Terminal.complain("skerry: \(fault.message)\n")
            throw ExitCode.unavailable
        }
        await bus.finished()
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
        sources.brokerAddress = mqtt.address
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
