import Glibc
import SkerryCommand
import SkerryFiles
import SkerryGateway
import SkerryValues

/// The activities of a bridge: a table that is drawn again on a terminal, a line for each update elsewhere.
struct ActivityBoard {
    /// The form in which activities are shown.
    enum Form {
        case table, lines, json
    }

    private struct Row {
        var device: String
        var payload: [UInt8]
        var snapshot: ValueMap
    }

    /// The number of activities that are held; further ones are counted.
    private static let rowLimit = 1000
    /// The time for which changes are gathered before the table is drawn.
    private static let pause = Duration.milliseconds(50)

    private let form: Form
    private let clock: SystemClock
    private var rows: [Row] = []
    private var offline: Set<ExactText> = []
    private var bridge: String?
    private var trouble: String?
    /// The lines that the table has on the terminal.
    private var drawn = 0
    /// The moment of the next drawing; nil when nothing changes by itself.
    private(set) var nextDrawing: ContinuousClock.Instant?

    init(_ form: Form, clock: SystemClock) {
        self.form = form
        self.clock = clock
        // By then what the broker retains has come: the first table has it.
        if form == .table { nextDrawing = .now + .milliseconds(300) }
    }

    /// Shows what the bridge retains of a device's activity; an empty payload takes it away.
    mutating func show(_ payload: [UInt8], of device: String) {
        let place = rows.firstIndex { $0.device.hasSameCodePoints(as: device) }
        guard let snapshot = (try? JSONReader.value(of: payload.span))?.members else {
            guard payload.isEmpty, let place else { return }
            rows.remove(at: place)
            change("\(device)  dismissed", json: ["device": .string(device), "dismissed": .bool(true)])
            return
        }
        if let place {
            // The same revision comes again with each connection.
            if rows[place].payload == payload { return }
            rows[place] = Row(device: device, payload: payload, snapshot: snapshot)
        } else if rows.count < Self.rowLimit {
            rows.append(Row(device: device, payload: payload, snapshot: snapshot))
            rows.sort { $0.device < $1.device }
        } else {
            return
        }
        let phase = snapshot["phase"]?.text ?? ""
        var writer = JSONWriter()
        writer.value(snapshot["content"] ?? .null)
        let content = String(decoding: writer.bytes, as: UTF8.self)
        let state = snapshot["state"]?.text ?? ""
        change("\(device)  \(state)\(phase == "active" ? "" : " (\(phase))")  \(content)", json: nil, payload)
    }

    /// Takes note of a device that can or can't be reached.
    mutating func setOffline(_ isOffline: Bool, _ device: String) {
        let isNews =
            isOffline ? offline.insert(ExactText(device)).inserted : offline.remove(ExactText(device)) != nil
        if isNews, form == .table { drawSoon() }
        if offline.count > Self.rowLimit { offline.removeFirst() }
    }

    /// Takes note of the state of the bridge.
    mutating func setBridge(_ state: String) {
        if bridge == state { return }
        bridge = state
        if form == .table {
            drawSoon()
        } else {
            Terminal.complain("the bridge is \(Terminal.printable(state))\n")
        }
    }

    /// Takes note of trouble with the broker; nil when it is over.
    mutating func note(_ trouble: String?) {
        if self.trouble == trouble { return }
        self.trouble = trouble
        if form == .table {
            drawSoon()
        } else if let trouble {
            Terminal.complain("skerry: \(Terminal.printable(trouble))\n")
        }
    }

    private mutating func change(_ line: String, json: [String: Value]?, _ payload: [UInt8] = []) {
        switch form {
        case .table: drawSoon()
        case .lines:
            let text = "\(RecordingTime.text(clock.now))  \(Terminal.printable(line))\n"
            Terminal.write(Array(text.utf8))
        case .json:
            guard let json else {
                Terminal.write(
                    Array("\(Terminal.printable(String(decoding: payload, as: UTF8.self)))\n".utf8)
                )
                return
            }
            var writer = JSONWriter()
            writer.beginObject()
            for (name, value) in json.sorted(by: { $0.key < $1.key }) {
                writer.member(name, value)
            }
            writer.endObject()
            Terminal.write(
                Array("\(Terminal.printable(String(decoding: writer.bytes, as: UTF8.self)))\n".utf8)
            )
        }
    }

    // MARK: The table

    private mutating func drawSoon() {
        let soon = ContinuousClock.now + Self.pause
        nextDrawing = nextDrawing.map { min($0, soon) } ?? soon
    }

    /// Draws the table if something has changed, or a second of a countdown has passed.
    mutating func drawIfDue() {
        guard let due = nextDrawing, ContinuousClock.now >= due else { return }
        let now = Double(clock.now.microseconds) / 1e6
        let (lines, isRunning) = table(at: now)
        var size = winsize()
        let hasSize =
            ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 2 && size.ws_col > 10
        let (height, width) = hasSize ? (Int(size.ws_row) - 1, Int(size.ws_col)) : (24, 80)
        var shown = lines.map { String($0.prefix(width)) }
        if shown.count > height {
            shown = shown.prefix(height - 1) + ["… and \(shown.count - height + 1) more"]
        }
        // Up to the first line, and nothing of the last table stays: this one may be shorter.
        let up = drawn > 0 ? "\u{1B}[\(drawn)A\u{1B}[J" : ""
        Terminal.write(Array((up + shown.map { "\($0)\n" }.joined()).utf8))
        drawn = shown.count
        // With the second, so that all countdowns of a room tick together.
        let rest = 1 - (now - now.rounded(.down))
        nextDrawing = isRunning ? .now + .microseconds(Int64(rest * 1e6) + 1000) : nil
    }

    /// The lines of the table, and whether they are others in a second.
    private func table(at now: Double) -> (lines: [String], isRunning: Bool) {
        var isRunning = false
        let cells = rows.map { row -> [String] in
            let content = ShownContent(row.snapshot["content"]?.members ?? ValueMap(), at: now)
            isRunning = isRunning || content.isRunning
            let phase = row.snapshot["phase"]?.text ?? ""
            var state = row.snapshot["state"]?.text ?? ""
            if phase != "active" { state += " (\(phase))" }
            if offline.contains(ExactText(row.device)) { state += " (offline)" }
            return [row.device, state, content.text].map { Terminal.printable($0) }
        }
        var lines = TextTable(["DEVICE", "STATE", "SHOWN"], cells).lines
        if rows.isEmpty { lines = ["no activity goes on"] }
        if bridge != "online" { lines.append("the bridge is \(Terminal.printable(bridge ?? "not there"))") }
        if let trouble { lines.append(Terminal.printable(trouble)) }
        return (lines, isRunning)
    }
}
