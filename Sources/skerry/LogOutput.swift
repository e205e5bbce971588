import Logging
import SkerryCommand
import SkerryFiles
import SkerryGateway
import SkerryValues

/// Writes log lines to standard error: text for people, or one JSON object a line.
struct LogOutput: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    private let label: String
    private let isJSON: Bool
    private let usesColours: Bool

    init(label: String, level: Logger.Level, isJSON: Bool) {
        self.label = label
        self.isJSON = isJSON
        logLevel = level
        usesColours = Terminal.takesColours(2)
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let time = RecordingTime.text(SystemClock().now)
        Terminal.complain(isJSON ? json(event, time) : text(event, time))
    }

    private func json(_ event: LogEvent, _ time: String) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("time")
        writer.string(time.replacing(" ", with: "T") + "Z")
        writer.key("level")
        writer.string(event.level.rawValue)
        writer.key("logger")
        writer.string(label)
        writer.key("message")
        writer.string("\(event.message)")
        writer.endObject()
        return Terminal.printable(String(decoding: writer.bytes, as: UTF8.self)) + "\n"
    }

    private func text(_ event: LogEvent, _ time: String) -> String {
        let colour: String? =
            switch event.level {
            case .critical, .error: "\u{1B}[31m"
            case .warning: "\u{1B}[33m"
            case .trace, .debug: "\u{1B}[2m"
            case .info, .notice: nil
            }
        let level = event.level.rawValue
        let space = String(repeating: " ", count: max(1, 9 - level.count))
        let line = "\(time) \(level)\(space)\(Terminal.printable("\(event.message)"))"
        guard usesColours, let colour else { return line + "\n" }
        return "\(colour)\(line)\u{1B}[0m\n"
    }
}
