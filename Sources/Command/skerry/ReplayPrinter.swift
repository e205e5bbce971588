import SkerryActivity
import SkerryCommand
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryValues

/// Prints the effects of a replay: messages as a recording, or a timeline for people.
struct ReplayPrinter {
    /// Bytes of topics and payloads published.
    private(set) var bytesOut: UInt64 = 0

    private let format: ReplayCommand.Format
    private let sink: MQTTSink
    private var writer = RecordingWriter()
    private var text = ""
    private var lastPacket: UInt16 = 0

    init(format: ReplayCommand.Format, sink: MQTTSink) {
        self.format = format
        self.sink = sink
    }

    mutating func print(_ effects: [Effect]) {
        for effect in effects {
            let publications = sink.publications(of: effect)
            var bytes = 0
            for publication in publications {
                bytes += publication.topic.utf8.count + publication.payload.count
            }
            bytesOut += UInt64(bytes)
            switch format {
            case .mqtt: for publication in publications { write(publication, at: effect.at) }
            case .timeline: if let words = Self.words(for: effect.what) { describe(effect, words, bytes) }
            }
        }
    }

    /// True if the buffer is large enough to be written.
    var isFull: Bool { writer.bytes.count > 65_536 || text.utf8.count > 65_536 }

    /// Writes the buffer to standard output.
    mutating func flush() {
        switch format {
        case .mqtt: if !writer.bytes.isEmpty { Terminal.writeLines(writer.takeBytes()) }
        case .timeline: if !text.isEmpty { Terminal.write(Array(text.utf8)) }
        }
        text = ""
    }

    private mutating func write(_ publication: Publication, at moment: Timestamp) {
        // Packet identifiers go round from 1 to 65,535, as a client's do.
        lastPacket = lastPacket == .max ? 1 : lastPacket + 1
        let message = RecordedMessage(
            at: moment,
            topic: Array(publication.topic.utf8)[...],
            payload: publication.payload[...],
            qos: publication.quality.rawValue,
            isRetained: publication.isRetained,
            identifier: lastPacket
        )
        writer.append(message, contentType: publication.contentType.map { Array($0.utf8)[...] })
    }

    private mutating func describe(_ effect: Effect, _ words: String, _ bytes: Int) {
        let time = RecordingTime.text(effect.at)
        text += "\(time)  " + Terminal.printable("\(effect.kind)/\(effect.device)  \(words)")
        if bytes > 0 { text += "  (\(bytes) bytes)" }
        text += "\n"
    }

    /// An event in words; nil for a forecast.
    private static func words(for what: DeviceEffect) -> String? {
        switch what {
        case .moved(let from, let to, let through):
            return DeviceEffect.words(from: from, to: to, through: through)
        case .update(let update):
            var words = "update \(update.rev): "
            switch update.kind {
            case .started: words += "activity starts"
            case .ended: words += "activity ends"
            case .stale: words += "stale"
            case .fresh: words += "heard again"
            case .changed: words += "changed"
            }
            var writer = JSONWriter()
            writer.value(.map(update.patch ?? update.content))
            words += " \(String(decoding: writer.bytes, as: UTF8.self))"
            if let alert = update.alert { words += ", alert \"\(alert.title)\"" }
            return words
        case .dismissed(let id): return "activity \(id) is dismissed"
        case .publication(let message):
            return "publishes \(message.topic) \(String(decoding: message.payload, as: UTF8.self))"
        case .foretold: return nil
        case .availability(let isAvailable): return isAvailable ? "online" : "offline"
        case .forgotten: return "forgotten"
        case .refused(let refusal): return "message refused: \(refusal.message)"
        case .fault(let fault): return "fault: \(fault.message)"
        }
    }
}
