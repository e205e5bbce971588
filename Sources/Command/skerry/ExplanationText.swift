import SkerryCommand
import SkerryValues

/// A bridge's answer about a device, for people: a heading, then lines in columns.
struct ExplanationText {
    private(set) var text = ""

    private let members: ValueMap
    private let now: Double
    private let inColours: Bool

    /// Puts an answer into words.
    init(_ members: ValueMap, inColours: Bool) {
        self.members = members
        self.inColours = inColours
        now = members.number("at") ?? 0
        addHead()
        addValues("settings")
        addValues("signals")
        addValues("variables")
        addUnread()
        addTimers()
        addWaits()
        addTransitions()
        addActivity()
        addFuture()
        addPhones()
    }

    // MARK: Parts

    private mutating func addHead() {
        let name = "\(members.string("kind") ?? "")/\(members.string("device") ?? "")"
        let given = members.string("name").map { " (\($0))" } ?? ""
        text += styled(name, "1") + given + "  at " + moment(now) + "\n"
        var facts = [members.number("heard").map { "heard \(when($0))" } ?? "only retained messages so far"]
        switch members["available"] {
        case .bool(true)?: facts.append("online")
        case .bool(false)?: facts.append(styled("offline", "31"))
        default: break
        }
        if let count = members.number("refusedValues"), count > 0 {
            facts.append(styled("\(count.whole) values too large to keep", "31"))
        }
        if let count = members.number("failedReadings"), count > 0 {
            facts.append(styled("\(count.whole) failed readings", "31"))
        }
        if let run = members.string("run") {
            facts.append("the key of its run is \(Terminal.printable(run))")
        }
        if let count = members.number("swallowedRuns") {
            facts.append("\(count.whole) runs did not begin, because 'run' says once")
        }
        if let moment = members.number("forgotten") { facts.append("forgotten \(when(moment))") }
        if case .bool(true)? = members["isFinished"] { facts.append("its machine has ended") }
        add("device", [[facts.joined(separator: ", ")]])
        let states = members.objects("states").map { state in
            let title = state.string("title").map { "\"\($0)\"" } ?? ""
            return [
                state.string("name") ?? "", title, state.number("since").map { "since \(when($0))" } ?? "",
            ]
        }
        add("states", states.isEmpty ? [["not started: no message has triggered it yet"]] : states)
    }

    private mutating func addValues(_ group: String) {
        guard case .map(let values)? = members[group], !values.entries.isEmpty else { return }
        let prefix = group == "variables" ? "context." : ""
        add(
            group,
            values.entries.map { entry in
                guard case .string(let name) = entry.key else { return [] }
                let key = Terminal.printable(name)
                if case .null = entry.value { return [key, styled("not known yet", "2")] }
                return [key, time(values.number(name), of: prefix + name) ?? Self.json(entry.value)]
            }
        )
    }

    /// A number of seconds as the moment or the length of time that it is; nil for other values.
    private func time(_ seconds: Double?, of name: String) -> String? {
        func isListed(_ list: String) -> Bool {
            guard case .list(let names)? = members[list] else { return false }
            return names.contains { if case .string(name) = $0 { true } else { false } }
        }
        guard let seconds else { return nil }
        if isListed("moments") { return when(seconds) }
        guard isListed("durations"), seconds == seconds.rounded() else { return nil }
        return (seconds < 0 ? "-" : "") + PrintedTime.length(seconds.magnitude)
    }

    private mutating func addUnread() {
        guard case .list(let lines)? = members["unread"] else { return }
        add(
            "not read",
            lines.compactMap { line in
                guard case .string(let text) = line else { return nil }
                return [styled(Terminal.printable(text), "31")]
            }
        )
    }

    private mutating func addTimers() {
        add("timers", members.objects("timers").map { [$0.string("name") ?? "", words(of: $0)] })
    }

    private func words(of timer: ValueMap) -> String {
        switch timer.string("state") {
        case "running" where timer["isHeld"] != nil: Self.held
        case "running":
            "ends \(timer.number("end").map(when) ?? "")\(reason(of: timer) ?? ", then \(timer.string("raises") ?? "")")"
        case "counting": "counts since \(timer.number("start").map(when) ?? "")\(reason(of: timer) ?? "")"
        case "elapsed": "reached zero \(timer.number("end").map(when) ?? "")"
        case "paused":
            if let remaining = timer.number("remaining") {
                "stands still, \(PrintedTime.length(remaining)) left"
            } else {
                "stands still at \(PrintedTime.length(timer.number("elapsed") ?? 0))"
            }
        default: styled("stopped", "2")
        }
    }

    /// The reason for a learned end, or the number of runs that it was sought in; nil for other timers.
    private func reason(of timer: ValueMap) -> String? {
        guard case .map(let learned)? = timer["learned"], let runs = learned.number("runs") else {
            return nil
        }
        let programme = learned.string("by").map { " of \(Terminal.printable($0))" } ?? ""
        guard let like = learned.number("like"), let compared = learned.number("of") else {
            return ", because \(runs.whole) past runs\(programme) do not tell the end"
        }
        let tolerance = PrintedTime.length(learned.number("tolerance") ?? 0)
        return
            ", give or take \(tolerance): like \(like.whole) of the last \(compared.whole) runs\(programme)"
    }

    private static let held = "stands still: the device is unavailable"

    private mutating func addWaits() {
        let waits = members.objects("waits").map { wait in
            var state = wait.number("due").map { "due \(when($0))" } ?? "over, not taken"
            if case .bool(true)? = wait["isHeld"] { state = Self.held }
            if let lapsed = wait.number("lapsed") {
                state += ", its guard does not hold since \(when(lapsed))"
            }
            return [arrow(wait), state]
        }
        let events = members.objects("events").map { event in
            ["event \(event.string("name") ?? "")", event.number("due").map { "due \(when($0))" } ?? ""]
        }
        add("waits", waits + events)
    }

    private mutating func addTransitions() {
        add(
            "guards",
            members.objects("transitions").compactMap { transition in
                guard case .bool(let holds)? = transition["holds"] else { return nil }
                let word =
                    if let reason = transition.string("why") { "false" + styled(": \(reason)", "2") } else {
                        holds ? styled("true", "32") : "false"
                    }
                return [arrow(transition), word]
            }
        )
    }

    private mutating func addActivity() {
        guard case .map(let activity)? = members["activity"] else {
            add("activity", [["none"]])
            return
        }
        let rev = (activity.number("rev") ?? 0).whole
        var lines = [
            ["\(activity.string("id") ?? ""), \(activity.string("phase") ?? "")"],
            ["revision \(rev) \(activity.number("updated").map(when) ?? "")" + changes(activity["changed"])],
        ]
        if let gone = activity.number("dismissal") { lines.append(["goes \(when(gone))"]) }
        add("activity", lines)
    }

    private func changes(_ patch: Value?) -> String { patch.map { ": \(Self.json($0))" } ?? "" }

    private mutating func addFuture() {
        if case .map(let next)? = members["next"] {
            let what =
                if let timer = next.string("timer") {
                    "the timer \(timer) reaches zero"
                } else if let event =
                    next.string("event")
                {
                    "the event \(event)"
                } else if let activity = next.string("activity") {
                    switch activity {
                    case "update": "changes that settle are published"
                    case "stale": "the activity becomes stale, unless a message comes"
                    case "alert": "the condition of an alert turns"
                    default: "the activity goes away"
                    }
                } else { arrow(next) }
            let rest = next.string("rests").map { ", and at once → \($0): its guards hold already" } ?? ""
            add("next", [[next.number("at").map(when) ?? "", what + rest]])
        } else {
            add("next", [["nothing happens by itself"]])
        }
        guard case .map(let timeline)? = members["timeline"] else { return }
        add(
            "foreseen",
            timeline.objects("entries").dropFirst().map { entry in
                let content = entry["content"].map { Self.json($0) } ?? ""
                return [
                    entry.number("date").map(when) ?? "",
                    [entry.string("phase"), entry.string("state")].compactMap { $0 }.joined(separator: " "),
                    content,
                ]
            }
        )
    }

    private mutating func addPhones() {
        add(
            "phones",
            members.objects("phones").map { decision in
                let until = decision.number("until").map { ", until \(when($0))" } ?? ""
                return [
                    decision.string("phone") ?? "", decision.number("at").map(when) ?? "",
                    decision.string("decision") ?? "", (decision.string("why") ?? "") + until,
                ]
            }
        )
    }

    // MARK: Words

    /// Adds lines under a heading, their cells in columns.
    private mutating func add(_ heading: String, _ lines: [[String]]) {
        var widths: [Int] = []
        for line in lines {
            for (column, cell) in line.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], min(cell.visibleWidth, 60))
            }
        }
        for (number, line) in lines.enumerated() {
            let head = number == 0 ? heading : ""
            var cells = styled(head, "36") + String(repeating: " ", count: max(0, 11 - head.count))
            for (column, cell) in line.enumerated() {
                cells += cell
                if column + 1 < line.count {
                    cells += String(repeating: " ", count: max(0, widths[column] - cell.visibleWidth) + 2)
                }
            }
            while cells.last == " " { cells.removeLast() }
            text += cells + "\n"
        }
    }

    /// The trigger and the target of a transition.
    private func arrow(_ transition: ValueMap) -> String {
        let condition = transition.string("guard")
        var parts: [String] = []
        if let event = transition.string("on") { parts.append("on \(event)") }
        if let length = transition.number("after") { parts.append("after \(PrintedTime.length(length))") }
        if let length = transition.number("quiet") {
            let words = [("of", " of "), ("unchanged", " without a change of ")].map { key, words in
                transition.texts(key).map { words + $0.joined(separator: ", ") } ?? ""
            }
            parts.append("quiet \(PrintedTime.length(length))\(words.joined())")
        }
        if let time = transition.string("at") { parts.append("at \(time)") }
        if let moment = transition.string("past") { parts.append("past \(moment)") }
        if let condition { parts.append(parts.isEmpty ? condition : "if \(condition)") }
        if let length = transition.number("for") { parts.append("for \(PrintedTime.length(length))") }
        if parts.isEmpty { parts.append("always") }
        let target = transition.string("to") ?? ""
        return parts.joined(separator: " ") + (target.isEmpty ? "" : " → \(target)")
    }

    /// A moment with its distance from now.
    private func when(_ seconds: Double) -> String {
        "\(moment(seconds)) " + styled("(\(PrintedTime.distance(seconds, from: now)))", "2")
    }

    private func moment(_ seconds: Double) -> String { PrintedTime.moment(seconds, at: now) }

    private static func json(_ value: Value) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return Terminal.printable(String(decoding: writer.bytes, as: UTF8.self))
    }

    private func styled(_ text: String, _ style: String) -> String {
        inColours && !text.isEmpty ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
    }
}

extension String {
    /// The number of visible characters, without colours.
    fileprivate var visibleWidth: Int {
        var width = 0
        var isColour = false
        for character in self {
            if character == "\u{1B}" { isColour = true }
            if !isColour { width += 1 }
            if isColour, character == "m" { isColour = false }
        }
        return width
    }
}

extension ValueMap {
    /// A text that can't steer the terminal.
    fileprivate func string(_ name: String) -> String? {
        guard case .string(let text)? = self[name] else { return nil }
        return Terminal.printable(text)
    }

    fileprivate func texts(_ name: String) -> [String]? {
        self[name]?.elements.compactMap { $0.text.map(Terminal.printable) }
    }

    fileprivate func number(_ name: String) -> Double? { self[name]?.number }

    fileprivate func objects(_ name: String) -> [ValueMap] {
        self[name]?.elements.compactMap(\.members) ?? []
    }
}
