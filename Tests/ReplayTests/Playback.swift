import Foundation
import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryTesting
import SkerryValues

/// A recording through the engine in virtual time, with everything that came of it.
struct Playback {
    /// A message that a bridge would have published.
    struct Sent {
        var at: Timestamp
        var publication: Publication
    }

    /// What happened, in order.
    var effects: [Effect] = []
    /// What was published, in order.
    var sent: [Sent] = []
    /// The replay after it.
    var replay: Replay

    private let sink = MQTTSink()

    /// Plays messages and lets the clock run on until no activity is pending.
    ///
    /// - Parameters:
    ///   - messages: the recording.
    ///   - definitions: what the devices are.
    ///   - watch: called after each message with what came of it and of the time before it.
    init(
        _ messages: some Sequence<RecordedMessage>,
        _ definitions: [Definition],
        watch: (RecordedMessage, ArraySlice<Effect>) -> Void = { _, _ in }
    ) {
        replay = Replay(definitions: definitions, foretells: true)
        for recorded in messages {
            let before = effects.count
            let message = Message(
                topic: recorded.topic,
                payload: recorded.payload,
                isRetained: recorded.isRetained
            )
            add(replay.take(message, at: recorded.at))
            watch(recorded, effects[before...])
        }
        add(replay.runOn())
    }

    private mutating func add(_ new: [Effect]) {
        effects += new
        for effect in new {
            for publication in sink.publications(of: effect) {
                sent.append(Sent(at: effect.at, publication: publication))
            }
        }
    }

    /// All revisions, in order.
    var updates: [(effect: Effect, update: ActivityUpdate)] {
        effects.compactMap { effect in
            guard case .update(let update) = effect.what else { return nil }
            return (effect, update)
        }
    }

    /// What was published, as lines of a recording.
    var text: String {
        var writer = RecordingWriter()
        for sent in sent {
            let message = RecordedMessage(
                at: sent.at,
                topic: Array(sent.publication.topic.utf8)[...],
                payload: sent.publication.payload[...],
                qos: sent.publication.quality.rawValue,
                isRetained: sent.publication.isRetained
            )
            writer.append(message, contentType: sent.publication.contentType.map { Array($0.utf8)[...] })
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Where definitions and recordings are.
enum Files {
    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of the project's definitions.
    static let definitions = package.appendingPathComponent("devices").path

    /// The definitions of the project.
    static let devices: [Definition] = (try? CompiledFiles([definitions]))?.definitions ?? []

    /// The definitions of the devices in a simulated household.
    static let household = devices.filter { SimulatedHousehold.kinds.contains($0.kind) }

    /// The folder of the shared recordings: what `SKERRY_RECORDINGS` names, else `../shared/recordings`.
    static let recordings: URL = {
        let named = ProcessInfo.processInfo.environment["SKERRY_RECORDINGS"]
        return named.map { URL(fileURLWithPath: $0) }
            ?? package.deletingLastPathComponent().appendingPathComponent("shared/recordings")
    }()

    /// Whether the shared recordings are there.
    static let hasRecordings = FileManager.default.fileExists(
        atPath: recordings.appendingPathComponent("household.jsonl").path
    )

    /// The messages of a shared recording.
    static func recording(_ name: String) throws -> [RecordedMessage] {
        try messages(RecordingReader(path: recordings.appendingPathComponent("\(name).jsonl").path))
    }

    /// The folder of the cases from the field.
    private static let cases = package.deletingLastPathComponent().appendingPathComponent("shared/cases")

    /// Whether the cases from the field are there.
    static let hasCases = FileManager.default.fileExists(
        atPath: cases.appendingPathComponent("README.md").path
    )

    /// The messages of a case; a line of it may have been cut by its recorder.
    static func messages(of name: String) throws -> [RecordedMessage] {
        let reader = try RecordingReader(path: cases.appendingPathComponent("\(name).jsonl").path)
        var messages: [RecordedMessage] = []
        while let message = try reader.next() { messages.append(message) }
        return messages
    }

    /// All messages of a reader that refuses none.
    static func messages(_ reader: RecordingReader) throws -> [RecordedMessage] {
        var messages: [RecordedMessage] = []
        while let message = try reader.next() { messages.append(message) }
        guard reader.report.refused == 0 else { throw BadFile(what: "\(reader.report.refusals)") }
        return messages
    }

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

extension SimulatedMessage {
    /// The message as one of a recording.
    var recorded: RecordedMessage {
        RecordedMessage(at: at, topic: topic[...], payload: payload[...], isRetained: isRetained)
    }
}
