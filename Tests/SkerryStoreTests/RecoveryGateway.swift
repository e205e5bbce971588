import Foundation
import Logging
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryTesting
import SkerryValues
import Testing

extension RecoveryTests {
    /// A bridge on a store, called as a bus calls it.
    final class Gateway {
        let clock: StepClock
        let mailbox = DefinitionMailbox()
        let definition: Definition
        let bridge: Bridge<KeptStore, StepClock>
        let recovery: Recovery?
        let phones: any PhoneStore
        /// Whether the last batch may be acknowledged.
        private(set) var isCommitted = true
        /// Kept, for a bridge tells nothing more once its database is gone.
        private let folder: Folder

        init(
            _ folder: Folder,
            at now: Timestamp,
            _ text: String = RecoveryTests.definition,
            durability: Durability = .full,
            publishesTimelines: Bool = true
        ) throws {
            self.folder = folder
            clock = StepClock(now)
            let store = try folder.open(durability, at: now)
            phones = store.phones
            let reading = DefinitionReader.read(text: text)
            let draft = try #require(reading.draft, "\(reading.problems)")
            try #require(reading.problems.isEmpty, "\(reading.problems)")
            let compilation = Definition.compile(draft)
            var options = BridgeOptions(version: "test")
            options.checkpointInterval = .minutes(5)
            options.publishesTimelines = publishesTimelines
            definition = try #require(compilation.definition, "\(compilation.problems)")
            var ports = BridgePorts(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            ports.definitions = mailbox
            (bridge, recovery) = try Bridge.recover(
                definitions: [definition],
                store: store,
                clock: clock,
                options: options,
                ports: ports
            )
        }

        func send(_ payload: String, isRetained: Bool = false, by device: String = "a") {
            var batch = MessageBatch()
            batch.append(topic: "oven/\(device)/state".utf8, payload: payload.utf8, isRetained: isRetained)
            if case .committed = bridge.handle(batch) { isCommitted = true } else { isCommitted = false }
        }

        /// Puts other definitions in the place of those there are.
        func change(to definitions: [Definition]) {
            mailbox.put(definitions)
            bridge.wake()
        }

        /// What waits for the broker, by topics without what the bridge says of itself.
        func published(acknowledged: Bool = true) -> [String] {
            var lines: [String] = []
            while let publication = bridge.nextPublication() {
                if acknowledged { bridge.settled(publication.id, .acknowledged) }
                guard !publication.topic.contains("/bridge/") else { continue }
                lines.append("\(publication.topic) \(String(decoding: publication.payload, as: UTF8.self))")
            }
            return lines
        }

        /// The states that diffs tell of.
        var states: [String] {
            published().compactMap { line in
                let parts = line.split(separator: #""state":""#)
                guard line.hasPrefix("skerry/oven/a/activity/diff "), parts.count > 1 else { return nil }
                return parts[1].split(separator: "\"").first.map { String($0) }
            }
        }
    }
}

extension FileManager {
    func removeItemIfThere(_ path: String) throws {
        for suffix in ["", "-wal", "-shm", ".lock"] where fileExists(atPath: path + suffix) {
            try removeItem(atPath: path + suffix)
        }
    }
}
