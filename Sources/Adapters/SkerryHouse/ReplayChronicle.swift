import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryValues

/// The events of a replay, device by device: what each message did, and why most did nothing.
struct ReplayChronicle {
    /// The messages taken in.
    private(set) var messages = 0

    private let sink: MQTTSink
    private let limits: ReplayLimits
    private let begin = threadTime()
    private var engine: Engine
    private var start: Timestamp?
    /// The events of each device as the elements of an array.
    private var events: [DeviceKey: JSONWriter] = [:]
    private var devices: [DeviceKey] = []
    private var read = 0
    private var updates = 0
    private var size = 0
    private var unread: [[UInt8]: Int] = [:]
    private var isTruncated = false

    /// Makes the chronicle of a replay that begins with the time of its first message.
    init(_ definitions: [Definition], sink: MQTTSink, limits: ReplayLimits) {
        self.sink = sink
        self.limits = limits
        engine = Self.engine(definitions, epoch: 0)
    }

    /// Makes an engine in which no input takes much longer than another: the limit of time is looked at between them.
    private static func engine(_ definitions: [Definition], epoch: Int64) -> Engine {
        var limits = EngineLimits()
        limits.broadcastCost = DeviceLimits().messageCost
        return Engine(definitions: definitions, epoch: epoch, limits: limits, foretells: false)
    }

    /// Takes the messages of a recording in, until a limit is reached.
    mutating func read(_ reader: RecordingReader) throws(FileError) {
        var found = RecordedMessages()
        while !isTruncated, try reader.read(into: &found) {
            for index in 0..<found.count {
                if messages >= limits.messages || isTooMuch { isTruncated = true }
                if isTruncated { return }
                take(found[index])
            }
        }
    }

    /// Lets the clock run on until no activity is pending and no guard waits for its time, at most 48 hours.
    mutating func runOn() { pass(until: engine.now + Replay.longestRunOn) { $0.hasUnfinishedBusiness } }

    /// Handles what is due by a moment, until a limit is reached.
    ///
    /// One deadline at a time: a definition that waits for a millisecond again and again has millions of them between two
    /// messages, and one call for all would go past every limit.
    private mutating func pass(until end: Timestamp, while goesOn: (borrowing Engine) -> Bool = { _ in true })
    {
        while !isTruncated, goesOn(engine), let due = engine.nextDeadline, due <= end {
            if isTooMuch { isTruncated = true }
            for effect in engine.handle(.timePassed, at: due) { tell(effect) }
        }
    }

    /// True if the answer or the time is beyond its limit.
    private var isTooMuch: Bool { size > limits.answer || threadTime() - begin > limits.time }

    private mutating func take(_ recorded: RecordedMessage) {
        if start == nil {
            start = recorded.at
            let definitions = engine.definitions
            engine = Self.engine(definitions, epoch: recorded.at.flooredSeconds)
            engine.recordReadings()
        }
        pass(until: recorded.at)
        if isTruncated { return }
        messages += 1
        let unrouted = engine.counters.unrouted
        let message = Message(
            topic: recorded.topic,
            payload: recorded.payload,
            isRetained: recorded.isRetained
        )
        let effects = engine.handle(.message(message), at: recorded.at)
        guard engine.counters.unrouted == unrouted else {
            let topic = Array(recorded.topic)
            if unread[topic] != nil || unread.count < limits.unreadTopics { unread[topic, default: 0] += 1 }
            return
        }
        read += 1
        tell(recorded, effects)
    }

    /// Tells a message for each of its devices, and then what came of it.
    private mutating func tell(_ recorded: RecordedMessage, _ effects: [Effect]) {
        var told: [DeviceKey] = []
        for entry in engine.readings {
            let device = DeviceKey(kind: entry.kind, name: entry.device)
            let outcome = MessageOutcome(of: device, entry.reading, effects)
            tell(recorded, outcome, of: device)
            told.append(device)
        }
        for effect in effects {
            let device = DeviceKey(kind: effect.kind, name: effect.device)
            guard case .refused(let refusal) = effect.what, !told.contains(device) else { continue }
            tell(recorded, MessageOutcome(did: "nothing", why: refusal.message), of: device)
        }
        for effect in effects { tell(effect) }
    }

    private mutating func tell(_ recorded: RecordedMessage, _ outcome: MessageOutcome, of device: DeviceKey) {
        let now = engine.now
        add(to: device) { writer in
            writer.head(now, "message")
            writer.member("topic", String(decoding: recorded.topic, as: UTF8.self))
            writer.member("payload", PayloadExcerpt.text(of: recorded.payload))
            writer.member("did", outcome.did)
            writer.member("why", outcome.why)
        }
    }

    private mutating func tell(_ effect: Effect) {
        let device = DeviceKey(kind: effect.kind, name: effect.device)
        switch effect.what {
        case .moved(let from, let to, let through):
            add(to: device) { writer in
                writer.head(effect.at, "moved")
                writer.key("from")
                if from.isEmpty { writer.null() } else { writer.string(from) }
                writer.member("to", to)
                if !through.isEmpty { writer.member("through", through) }
            }
        case .update(let update):
            updates += 1
            let bytes = sink.publications(of: effect).reduce(0) {
                $0 + $1.topic.utf8.count + $1.payload.count
            }
            add(to: device) { writer in
                writer.head(effect.at, "update")
                writer.member("rev", update.rev)
                writer.member("id", update.id)
                writer.member("bytes", Int64(bytes))
                writer.key("patch")
                if let patch = update.patch { writer.value(.map(patch)) } else { writer.null() }
                writer.member("snapshot", json: update.snapshotJSON())
                if let alert = update.alertJSON() { writer.member("alert", json: alert) }
            }
        case .dismissed(let id):
            add(to: device) { writer in
                writer.head(effect.at, "dismissed")
                writer.member("id", id)
            }
        case .publication, .foretold, .availability, .forgotten, .refused, .fault: break
        }
    }

    /// Adds an event to those of a device.
    private mutating func add(to device: DeviceKey, _ write: (inout JSONWriter) -> Void) {
        if events[device] == nil {
            devices.append(device)
            var writer = JSONWriter(capacity: 4096)
            writer.beginArray()
            events[device] = writer
        }
        assert(devices.count == events.count, "a device is listed twice, or has no events")
        let before = events[device]?.bytes.count ?? 0
        events[device]?.beginObject()
        // In place, because a copy of all events for each of them would take long.
        write(&events[device, default: JSONWriter()])
        events[device]?.endObject()
        size += (events[device]?.bytes.count ?? 0) - before
    }

    /// The whole as JSON, with the problems of the definition and of the recording.
    consuming func json(_ problems: [DefinitionProblem], _ report: RecordingReport) -> [UInt8] {
        var writer = JSONWriter(capacity: size + 4096)
        writer.beginObject()
        writer.member("from", start)
        writer.key("to")
        if start != nil { writer.seconds(engine.now) } else { writer.null() }
        for (name, count) in [
            ("messages", messages), ("read", read), ("updates", updates), ("refused", report.refused),
        ] {
            writer.member(name, Int64(count))
        }
        writer.key("problems")
        writer.beginArray()
        for problem in problems { problem.write(to: &writer) }
        for refusal in report.refusals { refusal.write(to: &writer) }
        writer.endArray()
        writer.key("unread")
        writer.beginArray()
        for (topic, count) in unread.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            writer.beginObject()
            writer.member("topic", String(decoding: topic, as: UTF8.self))
            writer.member("messages", Int64(count))
            writer.endObject()
        }
        writer.endArray()
        writeDevices(to: &writer)
        writer.member("truncated", isTruncated)
        writer.endObject()
        return writer.bytes
    }

    private mutating func writeDevices(to writer: inout JSONWriter) {
        writer.objects("devices", devices) { writer, device in
            writer.member("kind", device.kind)
            writer.member("device", device.name)
            writer.key("events")
            if var list = events.removeValue(forKey: device) {
                list.endArray()
                writer.json(list.bytes)
            }
        }
    }
}

/// The outcome of a message for one device.
struct MessageOutcome {
    /// The most that it did: `nothing`, `signals`, `moved` or `update`.
    var did: String
    /// The reason why it did not do more; nil if it brought an update or a move.
    var why: String?
}

extension MessageOutcome {
    /// Finds the outcome in the effects of a message.
    init(of device: DeviceKey, _ reading: MessageReading, _ effects: [Effect]) {
        var fault: String?
        var hasMoved = false
        self.init(did: reading.changed.isEmpty ? "nothing" : "signals", why: nil)
        for effect in effects where DeviceKey(kind: effect.kind, name: effect.device) == device {
            switch effect.what {
            case .update:
                did = "update"
                why = nil
                return
            case .moved: hasMoved = true
            case .fault(let found): fault = found.message
            default: break
            }
        }
        if hasMoved { did = "moved" }
        if hasMoved, fault == nil { return }
        why = fault ?? reading.reasonForSilence
    }
}

extension JSONWriter {
    fileprivate mutating func head(_ moment: Timestamp, _ what: String) {
        key("at")
        seconds(moment)
        key("what")
        string(what)
    }
}

extension RecordingReport.Refusal {
    /// Writes the refused line as a problem.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("code", "recording-line")
        writer.member("severity", "warning")
        writer.member("message", problem.message)
        writer.key("help")
        writer.null()
        writer.member("line", Int64(line))
        writer.member("column", 1)
        writer.key("endColumn")
        writer.null()
        writer.endObject()
    }
}

/// The beginning of a payload, for people.
enum PayloadExcerpt {
    /// The number of characters.
    static let limit = 200

    /// The first characters of a payload; what can't be shown becomes U+FFFD.
    static func text(of payload: ArraySlice<UInt8>) -> String {
        // A cut within a character must not look like a damaged one: there are more characters than are shown.
        let start = String(decoding: payload.prefix(4 * limit + 4), as: UTF8.self)
        return String(start.prefix(limit).map { $0.isPlain ? $0 : "\u{FFFD}" })
    }
}

extension Character {
    /// True if it is seen as it is: neither a control character nor one that changes the direction of what follows.
    fileprivate var isPlain: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar == "\t" || scalar == "\n" || scalar == "\r"
            case .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                scalar.value == 0x200D
            default: true
            }
        }
    }
}
