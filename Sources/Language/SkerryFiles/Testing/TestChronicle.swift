import SkerryActivity
import SkerryDevice
import SkerryEngine
import SkerryMachine
import SkerryValues

/// The last events of a test, for the reader of a failure.
struct TestChronicle {
    /// The number of events shown.
    static let limit = 8
    /// The number of characters shown of an event.
    static let width = 96

    private(set) var lines: [String] = []

    mutating func add(_ message: TestMessage, isRetained: Bool, at now: Timestamp) {
        let payload = String(decoding: message.payload, as: UTF8.self)
        let note = isRetained ? " (retained)" : ""
        add("\(message.topic.text)\(note) \(payload.isEmpty ? "(empty)" : payload)", at: now)
    }

    mutating func add(_ effect: Effect) {
        let words: String
        switch effect.what {
        case .moved(let from, let to, let through):
            words = DeviceEffect.words(from: from, to: to, through: through)
        case .update(let update):
            words =
                "update \(update.rev), \(update.phase.name)"
                + (update.alert.map { ", alert '\($0.title)'" } ?? "")
        case .publication(let message): words = "publishes \(message.topic)"
        case .dismissed: words = "the activity is dismissed"
        case .foretold: return
        case .availability(let isAvailable): words = isAvailable ? "online" : "offline"
        case .forgotten: words = "the device is forgotten"
        case .refused(let refusal): words = "message refused: \(refusal.message)"
        case .fault(let fault): words = "fault: \(fault.message)"
        }
        add("\(effect.device): \(words)", at: effect.at)
    }

    /// Adds an event in words.
    mutating func add(_ words: String, at moment: Timestamp) {
        let time = DurationText.text(moment - DefinitionTestRunner.start)
        let isLong = words.count > Self.width
        lines.append("\(time)  \(isLong ? String(words.prefix(Self.width - 1)) + "…" : words)")
        if lines.count > Self.limit { lines.removeFirst() }
    }
}

extension TestStage {
    /// The situation of a device and the events that led there.
    func story(of name: String) -> [String] {
        var lines = ["\(DurationText.text(now - DefinitionTestRunner.start)) into the test"]
        if let (device, _) = engine.device(kind: definition.kind, named: name) {
            let states = device.machine.activeAtomicStates(in: definition.chart).map { state in
                let since = device.machine.enteredAt(state).map {
                    " since \(DurationText.text($0 - DefinitionTestRunner.start))"
                }
                return path(to: state) + (since ?? "")
            }
            lines[0] += states.isEmpty ? "" : ", '\(name)' is in \(states.joined(separator: " and "))"
            let timers = definition.chart.timers.indices.compactMap { timer($0, of: device) }
            if !timers.isEmpty { lines.append("timers: \(timers.joined(separator: ", "))") }
        } else {
            lines[0] += ", no message of '\(name)' has come"
        }
        return lines + (chronicle.lines.isEmpty ? [] : ["what led there:"])
            + chronicle.lines.map { "  " + $0 }
    }

    private func path(to state: StateID) -> String {
        let chart = definition.chart
        var names: [String] = []
        var state = state
        while state != .root {
            names.append(chart[state].name)
            state = chart[state].parent
        }
        return names.reversed().joined(separator: " > ")
    }

    /// A timer in words; nil when it is stopped.
    private func timer(_ index: Int, of device: Device) -> String? {
        let name = definition.chart.timers[index]
        switch device.machine.timer(TimerID(rawValue: UInt16(index))) {
        case .stopped: return nil
        case .running(_, let end): return "\(name) running, \(DurationText.text(end - now)) left"
        case .countingUp(let start): return "\(name) counting, at \(DurationText.text(now - start))"
        case .paused(let remaining, _): return "\(name) paused, \(DurationText.text(remaining)) left"
        case .pausedCount(let elapsed): return "\(name) paused, at \(DurationText.text(elapsed))"
        case .elapsed: return "\(name) elapsed"
        }
    }
}
