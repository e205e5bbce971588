import SkerryActivity
import SkerryCommand
import SkerryDevice
import SkerryEngine
import SkerryFiles
import SkerryGateway
import SkerryValues
import Synchronization

/// The board of the demonstration: a row for each device, redrawn on a terminal, a line for each update elsewhere.
final class DemoBoard: Sendable {
    private struct Row {
        var device: String
        var state = ""
        var content = ValueMap()
        var updates = 0
        var runs = 0
    }

    private struct State {
        var rows: [Row] = []
        /// Messages by each level of their topics; a device is one of the levels.
        var messages: [[UInt8]: Int] = [:]
        var total = 0
        var isSubscribed = false
        var waiting: CheckedContinuation<Void, Never>?
        var failure: String?
        /// Further lines below the devices.
        var further: (@Sendable () -> [String])?
    }

    private let clock: SystemClock
    private let state = Mutex(State())

    init(clock: SystemClock) {
        self.clock = clock
    }

    /// Shows further lines below the devices.
    func add(_ lines: @escaping @Sendable () -> [String]) { state.withLock { $0.further = lines } }

    /// Takes what the bridge tells; from its thread.
    func take(_ event: BridgeEvent) {
        switch event {
        case .effect(let effect): take(effect)
        case .subscribed:
            let waiting = state.withLock { state in
                state.isSubscribed = true
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume()
        case .disconnected(let fault): fail(fault.message)
        case .resumed, .foretold, .entered, .redefined, .connected, .compared, .isRefused, .newEpoch,
            .storeIsLost, .clock:
            break
        }
    }

    private func take(_ effect: Effect) {
        let line: String? = state.withLock { state in
            let name = "\(effect.kind)/\(effect.device)"
            let index =
                state.rows.firstIndex { $0.device == name }
                ?? {
                    state.rows.append(Row(device: name))
                    return state.rows.count - 1
                }()
            switch effect.what {
            case .moved(_, let to, _): state.rows[index].state = to
            case .update(let update):
                state.rows[index].updates += 1
                state.rows[index].content = update.content
                if update.phase == .ended { state.rows[index].runs += 1 }
                let json = String(decoding: update.diffJSON() ?? update.snapshotJSON(), as: UTF8.self)
                return "\(RecordingTime.text(effect.at))  \(Terminal.printable("\(name)  \(json)"))\n"
            case .publication, .dismissed, .foretold, .availability, .forgotten, .refused, .fault: break
            }
            return nil
        }
        if let line, !Terminal.outputIsTerminal { Terminal.write(Array(line.utf8)) }
    }

    /// Counts a message that a device has published.
    func count(_ topic: [UInt8]) {
        state.withLock { state in
            state.total += 1
            for level in topic.split(separator: UInt8(ascii: "/")) {
                state.messages[Array(level), default: 0] += 1
            }
        }
    }

    /// Notes what ends the demonstration.
    func fail(_ message: String) {
        state.withLock { $0.failure = message }
    }

    /// Returns once the bridge hears what is published.
    func subscribed() async {
        await withCheckedContinuation { continuation in
            let isSubscribed = state.withLock { state in
                if !state.isSubscribed { state.waiting = continuation }
                return state.isSubscribed
            }
            if isSubscribed { continuation.resume() }
        }
    }

    /// Draws until it is cancelled, or until so many devices have finished a run.
    func show(until finished: Int?, then end: @Sendable () -> Void) async {
        var lines = 0
        while !Task.isCancelled {
            let (rows, failure) = state.withLock { ($0.rows, $0.failure) }
            if Terminal.outputIsTerminal { lines = draw(over: lines) }
            let isOver = finished.map { count in rows.filter { $0.runs > 0 }.count >= count } ?? false
            if isOver || failure != nil {
                end()
                return
            }
            try? await Task.sleep(for: .milliseconds(200))
        }
    }

    private func draw(over lines: Int) -> Int {
        let table = self.table()
        // Up to the first line, and nothing of the last table stays: this one may be shorter.
        let up = lines > 0 ? "\u{1B}[\(lines)A\u{1B}[J" : ""
        Terminal.write(Array((up + table.map { "\u{1B}[2K\($0)\n" }.joined()).utf8))
        return table.count
    }

    private func table() -> [String] {
        let state = state.withLock { ($0.rows, $0.messages, $0.total, $0.further) }
        var lines = [Self.row("DEVICE", "STATE", "COUNTDOWN", "MESSAGES", "UPDATES", "MESSAGES PER UPDATE")]
        var updates = 0
        for row in state.0 {
            let device = row.device.split(separator: "/").last ?? ""
            let messages = state.1[Array(device.utf8)] ?? 0
            updates += row.updates
            lines.append(
                Self.row(
                    row.device,
                    row.state,
                    countdown(row.content),
                    "\(messages)",
                    "\(row.updates)",
                    row.updates > 0 ? "\(messages / row.updates)" : ""
                )
            )
        }
        lines.append(
            Self.row("all", "", "", "\(state.2)", "\(updates)", updates > 0 ? "\(state.2 / updates)" : "")
        )
        return lines + (state.3?() ?? [])
    }

    /// The first time in a content, drawn as a phone would.
    private func countdown(_ content: ValueMap) -> String {
        for entry in content.entries {
            guard case .map(let time) = entry.value else { continue }
            if case .int(let end)? = time["end"] { return Self.text(seconds: end - clock.now.flooredSeconds) }
            if case .int(let remaining)? = time["remaining"] { return "\(Self.text(seconds: remaining)) ‖" }
            if case .int(let start)? = time["start"] {
                return "+\(Self.text(seconds: clock.now.flooredSeconds - start))"
            }
        }
        return ""
    }

    /// Minutes and seconds, as a countdown shows them.
    static func text(seconds: Int64) -> String {
        let seconds = max(seconds, 0)
        return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }

    private static func row(_ cells: String...) -> String {
        let widths = [24, 14, 12, 10, 9, 20]
        var line = ""
        for (cell, width) in zip(cells.map({ Terminal.printable($0) }), widths) {
            line += cell + String(repeating: " ", count: max(1, width - cell.count))
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// Prints what came of it all.
    func printTotals(port: Int) {
        let (rows, messages, failure) = state.withLock { ($0.rows, $0.total, $0.failure) }
        if !Terminal.outputIsTerminal { Terminal.write(Array((table().joined(separator: "\n") + "\n").utf8)) }
        let updates = rows.reduce(0) { $0 + $1.updates }
        let runs = rows.reduce(0) { $0 + $1.runs }
        let text =
            "\(runs) finished runs, \(messages) messages through a broker on port \(port), \(updates) updates\n"
        Terminal.write(Array(text.utf8))
        if let failure { Terminal.complain("skerry: \(failure)\n") }
    }
}
