import SkerryCommand
import SkerryDevice
import SkerryFiles
import SkerryValues

/// The result of a search for devices, for people and as JSON.
struct DiscoveryReport {
    /// The devices that were found.
    let devices: [FoundDevice]
    private let unknown: [UnknownTopics]
    private let messages: Int
    private let now: Timestamp
    private let recording: String?

    /// Makes a report.
    ///
    /// - Parameters:
    ///   - search: The search.
    ///   - now: Its end.
    ///   - recording: The recording that was read; nil for a broker.
    init(_ search: DeviceSearch, at now: Timestamp, recording: String?) {
        devices = search.devices(at: now)
        unknown = search.unknownTopics()
        messages = search.messages
        self.now = now
        self.recording = recording
    }

    // MARK: For people

    /// The tables and what to do next.
    var text: String {
        guard messages > 0 else {
            return "Nothing was heard. Does the broker hand out messages: mosquitto_sub -v -t '#'?\n"
        }
        var text = ""
        if devices.isEmpty {
            text += "None of \(messages) messages is of a device that the definitions recognise.\n"
        } else {
            let rows = devices.map(row)
            let head = ["device", "name", "is a", "sure", "shows", "missing"]
            let columns = head.indices.filter { column in rows.contains { !$0[column].isEmpty } }
            text += TextTable(columns.map { head[$0] }, rows.map { row in columns.map { row[$0] } }).text
        }
        if !unknown.isEmpty {
            text += "\nNot recognised:\n"
            for topics in unknown { text += lines(about: topics) }
        }
        return text
    }

    private func row(of device: FoundDevice) -> [String] {
        [
            device.identity, device.name ?? "", device.definition.name, device.certainty.name,
            device.shown.map { words(for: $0) } ?? "", missing(device).joined(separator: "; "),
        ].map { Terminal.printable($0) }
    }

    /// Returns the words for an activity: the title, and the fields of the content that are not the title.
    private func words(for shown: FoundDevice.Shown) -> String {
        let title = shown.title ?? shown.state
        var words = [title]
        for entry in shown.content?.entries ?? [] {
            if case .string(title) = entry.value { continue }
            guard case .string(let field) = entry.key, let value = word(for: entry.value) else { continue }
            words.append("\(field) \(value)")
        }
        return words.joined(separator: ", ")
    }

    private func word(for value: Value) -> String? {
        switch value {
        case .null, .error: return nil
        case .string(let text): return text
        case .map(let parts):
            if let left = parts["remaining"]?.number { return Self.length(left) + " left, paused" }
            if let end = parts["end"]?.number { return Self.length(end - seconds) + " left" }
            if let start = parts["start"]?.number { return "for " + Self.length(seconds - start) }
            return nil
        default:
            var writer = JSONWriter()
            writer.value(value)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }

    private var seconds: Double { Double(now.flooredSeconds) }

    private static func length(_ seconds: Double) -> String {
        let minutes = (max(0, seconds) / 60).rounded().whole
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// Returns the signals that no message has told yet, and the decisions that a person has to make.
    private func missing(_ device: FoundDevice) -> [String] {
        var missing: [String] = []
        if device.shown == nil {
            let topics = device.awaited.joined(separator: " or ")
            missing.append("no message that the definition reads\(topics.isEmpty ? "" : " on \(topics)")")
        } else if !device.unset.isEmpty {
            let more = device.unset.count > 4 ? ", …" : ""
            missing.append("no message with \(device.unset.prefix(4).joined(separator: ", "))\(more)")
        }
        missing += device.unread
        if device.certainty == .likely { missing.append("look whether it is one: \(device.topic)") }
        if !device.alternatives.isEmpty {
            missing.append("fits as well: \(device.alternatives.joined(separator: ", "))")
        }
        return missing
    }

    private func lines(about topics: UnknownTopics) -> String {
        let names = topics.devices.prefix(6).joined(separator: ", ")
        let more = topics.devices.count > 6 ? " and \(topics.devices.count - 6) more" : ""
        var text =
            "  \(topics.filter): \(names)\(more), \(topics.messages) message\(topics.messages == 1 ? "" : "s")\n"
        if let kind = topics.like {
            text += "    Its messages are like those of \(kind), whose topics begin otherwise: if it is one, "
            text += "copy that definition, and write this beginning there\n"
        } else if topics.hasWatts {
            text +=
                topics.named.map {
                    "    It meters watts and is called like a device of \($0): copy that definition, "
                }
                ?? "    It meters watts, which do not tell the appliance: copy a definition such as washer-plug, "
            text += "and write this topic there\n"
        }
        if recording == nil {
            let filter = Terminal.shellWord(topics.filter.replacing("{device}", with: "+"))
            text += "    skerry record \(filter) > day.jsonl    # while the device does its work\n"
        }
        let (file, topic) = (Terminal.shellWord(recording ?? "day.jsonl"), Terminal.shellWord(topics.filter))
        text += "    skerry new KIND --from \(file) --topic \(topic)\n"
        return Terminal.lines(text)
    }

    // MARK: As JSON

    /// One object in one line.
    var json: [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        writer.member("messages", Int64(messages))
        writer.array("devices", devices) { writer, device in write(device, to: &writer) }
        writer.objects("unknown", unknown) { writer, topics in
            writer.member("topic", topics.filter)
            writer.member("devices", topics.devices)
            writer.member("messages", Int64(topics.messages))
            writer.member("watts", topics.hasWatts)
            writer.member("like", topics.like)
            writer.member("named", topics.named)
        }
        writer.endObject()
        return Array("\(Terminal.printable(String(decoding: writer.bytes, as: UTF8.self)))\n".utf8)
    }

    private func write(_ device: FoundDevice, to writer: inout JSONWriter) {
        writer.beginObject()
        let texts = [
            ("kind", device.definition.kind), ("device", device.device), ("name", device.name),
            ("family", device.definition.name), ("file", device.file.path), ("sure", device.certainty.name),
            ("topic", device.topic), ("state", device.shown?.state), ("title", device.shown?.title),
        ]
        for (key, text) in texts {
            writer.member(key, text)
        }
        writer.member("content", device.shown?.content.map { .map($0) } ?? .null)
        writer.member("missing", device.unset)
        writer.member("unread", device.unread)
        writer.member("alternatives", device.alternatives)
        writer.endObject()
    }
}

extension Terminal {
    /// Lines whose unprintable characters are escaped.
    fileprivate static func lines(_ text: String) -> String {
        text.split(separator: "\n").map { printable(String($0)) + "\n" }.joined()
    }
}
