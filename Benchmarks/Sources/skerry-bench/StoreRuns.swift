import Glibc
import Logging
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryStore
import SkerryTesting
import SkerryValues

/// The bytes that the store writes, by which a memory card lasts.
///
/// The messages of a recorded household come at their moments, in virtual time, with the settings as they are by default.
struct StoreRuns {
    private let house: House

    init(_ house: House) { self.house = house }

    func run() throws(BenchFailure) {
        Table.section("The store of a household")
        guard let messages = house.recording("household.jsonl"), let first = messages.first?.at,
            let last = messages.last?.at
        else { return }
        let days = Double((last - first).microseconds) / 86_400e6
        let before = bytesWritten()
        try play(messages, from: first)
        let megabytes = Double(bytesWritten() - before) / 1e6
        Table.row("messages in a day", Table.number(Double(messages.count) / days), "")
        Table.row("bytes handed to the disk in a day", Table.number(megabytes / days), "MB")
    }

    private func play(_ messages: [TimedMessage], from start: Timestamp) throws(BenchFailure) {
        var template = Array("/tmp/skerry-bench-XXXXXX\0".utf8CString)
        guard let folder = mkdtemp(&template).map({ String(cString: $0) }) else {
            throw BenchFailure("no folder for the store")
        }
        defer {
            for name in ["store", "store.lock", "store.phones"] { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
        let clock = StepClock(start)
        var options = BridgeOptions(version: "bench")
        options.checkpointInterval = .minutes(5)
        do throws(StoreFault) {
            let store = try StoreFile.open("\(folder)/store", durability: .full, at: start).store
            defer { store.close() }
            let bridge = try Bridge.recover(
                definitions: house.definitions,
                store: store,
                clock: clock,
                options: options,
                ports: BridgePorts(logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
            ).bridge
            bridge.connect(BusSession(isResumed: false))
            for (index, timed) in messages.enumerated() {
                while let wait = bridge.sleepLimit, clock.now + wait <= timed.at {
                    clock.move(by: max(wait, Interval(microseconds: 1)))
                    bridge.wake()
                    settle(bridge)
                }
                clock.move(by: max(timed.at - clock.now, .zero))
                var batch = MessageBatch()
                batch.append(
                    topic: Array(timed.message.topic),
                    payload: Array(timed.message.payload),
                    packet: UInt16(index % 65_535 + 1)
                )
                guard case .committed = bridge.handle(batch) else { break }
                settle(bridge)
            }
            bridge.ended()
        } catch {
            throw BenchFailure(error.message)
        }
    }

    private func settle(_ bridge: Bridge<some Store, StepClock>) {
        while let publication = bridge.nextPublication() { bridge.settled(publication.id, .acknowledged) }
    }

    /// The bytes that this process has handed to `write` and the like.
    private func bytesWritten() -> UInt64 {
        guard let file = fopen("/proc/self/io", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                .split(whereSeparator: \.isWhitespace)
            if words.first == "wchar:", let count = words.last.flatMap({ UInt64($0) }) { return count }
        }
        return 0
    }
}
