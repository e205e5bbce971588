import Glibc
import Logging
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryStore
import SkerryTesting
import SkerryValues
import WasherLoad

/// `skerry-hot-path`: drives a bridge without broker, for `scripts/instructions` to count what a message takes.
@main
enum HotPath {
    static func main() throws {
        let words = CommandLine.arguments
        let isElsewhere = words.last == "elsewhere"
        guard words.count == (isElsewhere ? 7 : 6), let period = Int(words[2]), let size = Int(words[3]),
            let count = Int(words[5])
        else {
            print("usage: skerry-hot-path DEFINITIONS PERIOD BATCH STORE|none MESSAGES [elsewhere]")
            exit(64)
        }
        var messages = Messages(WasherLoad(period: period), batch: size, count: count)
        // A partition that has none of the machines.
        if isElsewhere { messages.partition = Partition(1023, of: 1024) }
        if words[4] == "none" {
            try messages.run(words[1], store: MemoryStore())
        } else {
            let store = try StoreFile.open(words[4], durability: .normal, at: Timestamp(seconds: 0)).store
            try messages.run(words[1], store: store)
            store.close()
        }
    }
}

/// A number of messages, in batches as a broker would bring them.
private struct Messages {
    let load: WasherLoad
    let size: Int
    let count: Int
    var partition: Partition?

    init(_ load: WasherLoad, batch size: Int, count: Int) {
        self.load = load
        self.size = size
        self.count = count
    }

    func run(_ definitions: String, store: some Store) throws {
        let clock = StepClock(Timestamp(seconds: 1_772_323_200))
        var options = BridgeOptions(version: "bench")
        options.checkpointInterval = .minutes(5)
        options.engine.partition = partition
        let bridge = try Bridge.recover(
            definitions: try CompiledFiles([definitions]).definitions,
            store: store,
            clock: clock,
            options: options,
            ports: BridgePorts(logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        ).bridge
        bridge.connect(BusSession(isResumed: false))
        let messages = load.messages(upTo: count)
        var batch = MessageBatch()
        for index in 0..<count {
            batch.append(
                topic: messages[index % messages.count].topic,
                payload: messages[index % messages.count].payload,
                packet: UInt16(truncatingIfNeeded: index % 65_535 + 1)
            )
            clock.move(by: .milliseconds(1))
            guard batch.count == size else { continue }
            guard case .committed = bridge.handle(batch) else { exit(1) }
            batch.removeAll()
            serve(bridge)
        }
        bridge.ended()
    }

    /// What the bus does between two batches.
    private func serve(_ bridge: Bridge<some Store, StepClock>) {
        if let limit = bridge.sleepLimit, limit <= .zero { bridge.wake() }
        while let publication = bridge.nextPublication() { bridge.settled(publication.id, .acknowledged) }
    }
}
