import SkerryCommand
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryValues

/// The progress and the result of a replay, on standard error.
struct ReplayProgress {
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var lastShown: ContinuousClock.Instant
    private var isShown = false
    private var refused: [String] = []
    private var refusedLines = 0
    private var backwardSteps = 0
    private var complaints: [String] = []
    private var unread: [String] = []
    /// The faults of devices in the order of their first moments, each with how often it came.
    private var faults: [(line: String, at: Timestamp, count: Int)] = []
    private static let faultLimit = 10

    init() {
        start = clock.now
        lastShown = start
    }

    /// Shows how far a long replay is, if people watch.
    mutating func show(_ replay: Replay) {
        let now = clock.now
        guard Terminal.errorIsTerminal, now - lastShown > .milliseconds(500), let engine = replay.engine
        else { return }
        lastShown = now
        isShown = true
        let time = RecordingTime.text(engine.now)
        Terminal.complain(
            "\r\(engine.counters.messages) messages, \(engine.counters.updates) updates, at \(time)\u{1B}[K"
        )
    }

    /// Adds the report on reading a file.
    mutating func add(_ report: RecordingReport, file: String) {
        refusedLines += report.refused
        backwardSteps += report.backwardSteps
        if let complaint = report.complaint { complaints.append("\(file) \(complaint)") }
        for refusal in report.refusals.prefix(10) {
            refused.append("\(file):\(refusal.line): refused: \(refusal.problem.message)")
        }
        if report.refused > 10 { refused.append("\(file): and \(report.refused - 10) more lines refused") }
    }

    /// Notes what a definition did not read.
    mutating func add(_ unread: [Unread], of file: DefinitionFile) {
        self.unread += unread.map { $0.line(in: file) }
    }

    /// Notes the faults of devices, of which only a timeline has lines.
    mutating func note(_ effects: [Effect]) {
        for effect in effects {
            guard case .fault(let fault) = effect.what else { continue }
            let line = Terminal.printable("\(effect.kind)/\(effect.device): \(fault.message)")
            if let place = faults.firstIndex(where: { $0.line == line }) {
                faults[place].count += 1
            } else if faults.count < Self.faultLimit {
                faults.append((line, effect.at, 1))
            }
        }
    }

    /// Prints the figures.
    ///
    /// - Returns: whether each file was a recording.
    mutating func finish(_ replay: Replay, bytesOut: UInt64) -> Bool {
        if isShown { Terminal.complain("\r\u{1B}[K") }
        for line in refused { Terminal.complain("\(line)\n") }
        if backwardSteps > 0 {
            Terminal.complain(
                "\(backwardSteps) messages are older than the one before; they count as simultaneous\n"
            )
        }
        if replay.isCutShort, let now = replay.engine?.now {
            Terminal.complain(
                "the clock stopped at \(RecordingTime.text(now)): after the last message \(Replay.mostDeadlines) deadlines and "
                    + "more came; --until lets it run on\n"
            )
        }
        let counters = replay.engine?.counters
        let messages = counters?.messages ?? 0
        let elapsed = clock.now - start
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let rate = seconds > 0 ? Int64(Double(messages) / seconds) : 0
        let rows: [(String, String)] = [
            ("messages read", "\(messages)"),
            ("messages refused", "\((counters?.refused ?? 0) + UInt64(refusedLines))"),
            ("messages for no device", "\(counters?.unrouted ?? 0)"),
            ("devices", "\(replay.engine?.deviceCount ?? 0)"),
            ("updates", "\(counters?.updates ?? 0)"),
            ("bytes in", "\(replay.bytesIn)"),
            ("bytes out", "\(bytesOut)"),
            ("messages per second", "\(rate)"),
        ]
        for (name, value) in rows {
            let space = String(repeating: " ", count: 24 - name.count)
            Terminal.complain("\(name)\(space)\(value)\n")
        }
        if let counters, messages > 0, counters.unrouted == messages, counters.updates == 0 {
            Terminal.complain(
                "no message is of a device of these definitions: 'skerry discover --recording FILE' tells whose they are\n"
            )
        }
        for line in unread { Terminal.complain(line) }
        for (line, at, count) in faults {
            let times = count == 1 ? "" : ", \(count) times"
            Terminal.complain("\(line), first at \(RecordingTime.text(at))\(times)\n")
        }
        for complaint in complaints { Terminal.complain("skerry: \(complaint)\n") }
        return complaints.isEmpty
    }
}

extension Unread {
    /// The part that is not read in one line, after its place in the definition, or after the file and the device.
    func line(in file: DefinitionFile) -> String {
        let beginning =
            place.map { "\(file.file(of: $0).path):\($0.line):\($0.column)" } ?? "\(file.path): \(device)"
        return Terminal.printable("\(beginning): \(text)") + "\n"
    }
}
