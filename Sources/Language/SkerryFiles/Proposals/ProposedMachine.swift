import SkerryValues

/// The proposed states of a definition, and their transitions.
struct ProposedMachine {
    /// The role of a state in the run of a device.
    enum Role {
        case idle, active, paused, ended
    }

    struct State {
        var name: String
        /// The title for people.
        var title: String
        /// Its role in the run.
        var role: Role
        /// The guard that leads to it from everywhere; nil when only other states lead to it.
        var condition: String?
        /// The number of times it was seen, in words.
        var seen: String?
    }

    enum Kind {
        /// The device reports its state.
        case told
        /// A number above a threshold is work: the number's signal, the threshold, and how long it is below at the end.
        case threshold(signal: String, limit: Double, rest: Interval)
        /// Nothing is known but that messages come.
        case messages
    }

    var kind: Kind
    /// Its states; there is one that is idle and one that is active.
    var states: [State]

    /// The names of the states with a role.
    func names(_ roles: Role...) -> [String] {
        states.filter { roles.contains($0.role) }.map(\.name)
    }

    /// The name of the state before the device has reported its own.
    var waitingName: String {
        var name = "waiting"
        while states.contains(where: { $0.name == name }) { name += "_2" }
        return name
    }

    /// A machine for a device that reports its state in a field; nil if the field does not look like one.
    init?(told field: ProposedField, signal: String) {
        var values: [(literal: String, word: String, seen: String)] = []
        let survey = field.survey
        if survey.isTruth {
            let quote = survey.isText ? "\"" : ""
            let (yes, no) = Self.words(of: field)
            values = [("\(quote)true\(quote)", yes, ""), ("\(quote)false\(quote)", no, "")]
        } else if survey.isText {
            values = survey.texts.map { ("\"\($0.text)\"", $0.text, "seen \($0.count.times)") }
            // A completion is an event reported beside states, and not a state.
            let states = values.filter { !$0.word.words.contains("changed") }
            if states.count > 1 { values = states }
        } else {
            let numbers = Set(survey.sample).sorted()
            guard (2...8).contains(numbers.count), numbers.allSatisfy({ $0 == $0.rounded() && abs($0) < 1e6 })
            else { return nil }
            let isSwitch = numbers == [0, 1]
            values = numbers.map { number in
                let digits = number.shortText
                let word = isSwitch ? (number == 0 ? "off" : "on") : "state \(digits)"
                let seen = survey.texts.first { $0.text == digits }.map { "seen \($0.count.times)" }
                return (digits, word, seen ?? "")
            }
        }
        kind = .told
        states = []
        for value in values {
            var name = value.word.identifier(or: "state")
            while states.contains(where: { $0.name == name }) { name += "_2" }
            // Words with blanks are for people already, as those of codes are for programs.
            let isPhrase = value.word.contains(" ") && value.word.contains(where: \.isLowercase)
            let title = isPhrase ? value.word : value.word.words.joined(separator: " ")
            states.append(
                State(
                    name: name,
                    title: title.prefix(1).uppercased() + title.dropFirst(),
                    role: Self.role(of: value.word),
                    condition: "\(signal) == \(value.literal)",
                    seen: value.seen.isEmpty ? nil : value.seen
                )
            )
        }
        if survey.isTruth {
            giveRoles()
        } else {
            giveEnds(survey, of: values.map { survey.isText ? $0.word : $0.literal })
        }
        if survey.isText, !survey.isTruth { joinTurns(survey, of: values.map(\.word), signal) }
        if names(.active).isEmpty { return nil }
    }

    /// Makes one state of active states that take turns, such as those of each layer of a print: each turn would be an update.
    private mutating func joinTurns(_ survey: FieldSurvey, of words: [String], _ signal: String) {
        func turns(_ from: Int, _ to: Int) -> Int { survey.turns(from: words[from], to: words[to]) }
        func seen(_ state: Int) -> Int { survey.texts.first { $0.text == words[state] }?.count ?? 0 }
        let rests = states.indices.filter { [.idle, .ended].contains(states[$0].role) }
        let ends = rests.reduce(0) { sum, rest in
            sum + states.indices.filter { !rests.contains($0) }.reduce(0) { $0 + turns($1, rest) }
        }
        // From the most common one on.
        let active = states.indices.filter { states[$0].role == .active }
        guard let leader = active.max(by: { seen($0) < seen($1) }) else { return }
        let members = active.filter { member in
            member == leader || min(turns(leader, member), turns(member, leader)) >= 4 * max(1, ends)
        }
        guard members.count > 1 else { return }
        let literals = members.map { "\"\(words[$0])\"" }.joined(separator: ", ")
        states[leader].condition = "\(signal) in [\(literals)]"
        let others = members.filter { $0 != leader }
        let names = others.map { words[$0] }.joined(separator: ", ")
        states[leader].seen = "\(states[leader].seen ?? ""), by turns with \(names)"
        for other in others.reversed() { states.remove(at: other) }
    }

    /// The words for the two values of a field that is true or false.
    private static func words(of field: ProposedField) -> (yes: String, no: String) {
        let words = field.words.filter { $0 != "is" }
        guard let word = words.first(where: { activeWords.contains($0) }), word != "active" else {
            return words.contains("open") ? ("open", "closed") : ("on", "off")
        }
        return (word, "not \(word)")
    }

    /// Assigns roles to the last states seen, if no state's name shows that the device rests or is done.
    ///
    /// The first state seen gets none: it is often the first phase of the work.
    private mutating func giveEnds(_ survey: FieldSurvey, of texts: [String]) {
        guard names(.idle, .ended).isEmpty else {
            giveRoles()
            return
        }
        let former = states
        for (index, text) in texts.enumerated() where survey.lastTexts.contains(text) {
            states[index].role = survey.firstTexts.contains(text) ? .idle : .ended
        }
        if names(.active).isEmpty { states = former }
    }

    /// A machine for a device with only a number.
    init(threshold limit: Double, of signal: String, rest: Interval) {
        kind = .threshold(signal: signal, limit: limit, rest: rest)
        states = [
            State(name: "idle", title: "Idle", role: .idle),
            State(name: "running", title: "Running", role: .active),
            State(name: "done", title: "Done", role: .ended),
        ]
    }

    /// A machine for a device without any known field.
    init() {
        kind = .messages
        states = [
            State(name: "silent", title: "Silent", role: .idle),
            State(name: "talking", title: "Talking", role: .active),
        ]
    }

    /// Sees to it that there is something to do and an end of it.
    private mutating func giveRoles() {
        if names(.active).isEmpty {
            let last = states.lastIndex { $0.role == .paused } ?? states.indices.last { $0 > 0 } ?? 0
            states[last].role = .active
        }
        if names(.idle, .ended).isEmpty { states[0].role = .idle }
        if names(.active).isEmpty, let other = states.indices.last(where: { $0 > 0 }) {
            states[other].role = .active
        }
    }

    private static let idleWords: Set = [
        "idle", "off", "standby", "ready", "inactive", "stopped", "stop", "closed", "none", "offline",
        "unknown", "waiting", "home", "docked", "unavailable", "disconnected", "low", "no", "false", "free",
        "available", "online", "asleep", "sleeping", "parked", "operational", "not", "unplugged", "aus",
        "bereit",
    ]
    private static let endWords: Set = [
        "finish", "finished", "done", "complete", "completed", "end", "ended", "success", "failed", "fail",
        "failure", "error", "abort", "aborted", "aborting", "cancelled", "canceled", "cancel", "fault",
        "delivered", "arrived", "collected", "returned", "rejected", "won", "lost", "fertig", "beendet",
        "ende", "fehler",
    ]
    private static let pauseWords: Set = ["pause", "paused", "pausing", "hold", "suspended"]

    /// Words for work, as fields have them for names that are true or false.
    static let activeWords: Set = [
        "running", "active", "charging", "watering", "printing", "cleaning", "washing", "drying", "heating",
        "cooking", "brewing", "playing", "working", "cooling", "mowing", "irrigating", "started",
    ]

    /// The words of devices for their states.
    static let knownWords = idleWords.union(endWords).union(pauseWords).union(activeWords).union([
        "on", "run", "running", "active", "busy", "printing", "print", "prepare", "preparing", "washing",
        "rinsing", "spinning", "drying", "heating", "cooling", "charging", "cleaning", "open", "opening",
        "closing", "working", "starting", "playing", "returning", "slicing", "cooking", "delayed", "true",
        "an", "läuft", "heizt", "lädt",
    ])

    private static func role(of text: String) -> Role {
        let words = text.words
        if words.contains(where: pauseWords.contains) { return .paused }
        if words.contains(where: endWords.contains) { return .ended }
        // "Not charging" is rest, "ready for pickup" is not.
        return words.first == "not" || !words.isEmpty && words.allSatisfy(idleWords.contains)
            ? .idle : .active
    }
}
