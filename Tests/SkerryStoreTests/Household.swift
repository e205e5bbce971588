import Foundation
import Logging
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryStore
import SkerryTesting
import SkerryValues

/// The shared recording of a household through a bridge with a store, in virtual time.
final class Household {
    /// Commits of a store.
    final class Commits {
        var count = 0
    }

    /// A store that counts.
    struct CountingStore: Store {
        var store: SQLiteStore
        let commits: Commits

        mutating func load() -> StoredState { store.load() }

        mutating func commit(_ changes: StoreChanges) throws(StoreFault) {
            commits.count += 1
            try store.commit(changes)
        }
    }

    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let recording: String = {
        let named = ProcessInfo.processInfo.environment["SKERRY_RECORDINGS"].map { URL(fileURLWithPath: $0) }
        let folder = named ?? package.deletingLastPathComponent().appendingPathComponent("shared/recordings")
        return folder.appendingPathComponent("household.jsonl").path
    }()

    static let isThere = FileManager.default.fileExists(atPath: recording)

    let commits = Commits()
    private(set) var messages = 0
    private let folder: Folder

    init() throws { folder = try Folder(mark: FaultyFiles.mark) }

    func play() throws {
        let reader = try RecordingReader(path: Self.recording)
        guard let first = try reader.next() else { return }
        let clock = StepClock(first.at)
        let (store, _) = try StoreFile.open(folder.database, durability: .full, at: first.at)
        var options = BridgeOptions(version: "test")
        options.checkpointInterval = .minutes(5)
        let bridge = try Bridge.recover(
            definitions: CompiledFiles([Self.package.appendingPathComponent("devices").path]).definitions,
            store: CountingStore(store: store, commits: commits),
            clock: clock,
            options: options,
            ports: BridgePorts(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        ).bridge
        var next: RecordedMessage? = first
        while let message = next {
            while let pause = bridge.sleepLimit, clock.now + pause < message.at {
                clock.move(by: pause)
                bridge.wake()
                settle(bridge)
            }
            if message.at > clock.now { clock.move(to: message.at) }
            var batch = MessageBatch()
            batch.append(topic: message.topic, payload: message.payload, isRetained: message.isRetained)
            _ = bridge.handle(batch)
            messages += 1
            settle(bridge)
            next = try reader.next()
        }
    }

    /// The broker takes everything at once.
    private func settle(_ bridge: Bridge<CountingStore, StepClock>) {
        while let publication = bridge.nextPublication() { bridge.settled(publication.id, .acknowledged) }
    }
}
