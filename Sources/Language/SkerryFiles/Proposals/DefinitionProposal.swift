import SkerryActivity
import SkerryDevice
import SkerryValues

/// Writes the beginning of a definition, from a recording or from nothing.
///
/// The result can be loaded and run, and its comments say what it is based on. It is a guess to begin with.
package struct DefinitionProposal {
    private let survey: RecordingSurvey
    private var draft: DefinitionDraft
    private var comments = DefinitionComments()
    private var sources: [ProposedSource] = []
    /// The signals with the names that they got.
    private var signals: [(name: String, field: ProposedField)] = []
    private var roles = ProposedRoles([])

    private init(kind: String, survey: RecordingSurvey) {
        self.survey = survey
        draft = DefinitionDraft(kind: written(kind), machine: StateDraft(name: written("")))
        draft.name = written(kind.words.joined(separator: " ").capitalizedFirst)
    }

    /// The text of a definition for the devices of a recording.
    ///
    /// - Parameters:
    ///   - kind: The kind of device.
    ///   - survey: The survey of the recording.
    ///   - file: The name of the recording, for the comment at the top.
    /// - Returns: the text; nil if no topic of the recording can be used.
    package static func text(kind: String, from survey: RecordingSurvey, file: String) -> String? {
        guard let family = TopicFamily(survey.topics, at: survey.deviceLevel) else { return nil }
        var proposal = DefinitionProposal(kind: kind, survey: survey)
        proposal.sources = family.patterns.prefix(TopicFamily.patternLimit).enumerated().map {
            index,
            pattern in
            ProposedSource(pattern, index: index, in: survey)
        }
        proposal.tellOrigin(file, family)
        proposal.roles = ProposedRoles(proposal.sources.flatMap(\.fields))
        let machine = proposal.machine()
        proposal.finish(machine)
        proposal.tellRest(family)
        return DefinitionWriter.text(of: proposal.draft, comments: proposal.comments)
    }

    /// The text of a small definition with comments, to be filled in by hand.
    package static func skeleton(kind: String) -> String {
        guard let survey = try? RecordingSurvey() else {
            preconditionFailure("no filter, no problem with it")
        }
        var proposal = DefinitionProposal(kind: kind, survey: survey)
        let pattern = TopicFamily.Pattern(levels: ["home", "{device}", "power"], topics: [], messages: 0)
        var source = ProposedSource(pattern, index: 0, in: survey)
        source.format = .number
        proposal.sources = [source]
        let power = ProposedField(source: 0, path: [], label: "power", survey: FieldSurvey())
        let signal = proposal.signal(power)
        proposal.comments.add(
            "Where the messages come from. {device} names the device; the signal is the payload.",
            at: .source(0)
        )
        proposal.finish(ProposedMachine(threshold: 10, of: signal, rest: Threshold.shortestRest))
        return DefinitionWriter.text(of: proposal.draft, comments: proposal.comments)
    }

    // MARK: Comments

    private mutating func tellOrigin(_ file: String, _ family: TopicFamily) {
        var text = "Proposed by `skerry new` from \(file.cleanLine): \(survey.messages) messages"
        if let start = survey.start, let end = survey.end {
            text += " from \(RecordingTime.text(start)) to \(RecordingTime.text(end))"
        }
        comments.add(text + ". A guess to begin with: try it with `skerry replay`.", at: .top)
        let names = family.devices.prefix(8).joined(separator: ", ").cleanLine
        let more = family.devices.count > 8 ? " and \(family.devices.count - 8) more" : ""
        comments.add("Devices: \(names)\(more).", at: .top)
    }

    /// Lists the topics that are not used.
    private mutating func tellRest(_ family: TopicFamily) {
        let taken = Set(draft.sources.map(\.topic.text))
        let others = family.patterns.map(\.filter).filter { !taken.contains($0) }
        if !others.isEmpty {
            let more = others.count > 8 ? " and \(others.count - 8) more" : ""
            let names = others.prefix(8).joined(separator: ", ").cleanLine
            comments.add("Topics left out: \(names)\(more).", at: .top)
        }
        if family.patterns.reduce(0, { $0 + $1.messages }) < survey.messages {
            comments.add("Other topics are of other devices; choose with --topic.", at: .top)
        }
    }

    // MARK: Signals

    /// The name of the signal of a field, which becomes one.
    private mutating func signal(_ field: ProposedField) -> String {
        if let known = signals.first(where: { $0.field.source == field.source && $0.field.path == field.path }
        ) {
            return known.name
        }
        var name = field.label.identifier(or: "value")
        if DefinitionDraft.reservedNames.contains(name) || name.isWordOfExpressions {
            name = "reported_" + name
        }
        while signals.contains(where: { $0.name == name }) { name += "_2" }
        signals.append((name, field))
        return name
    }

    // MARK: Machine

    private mutating func machine() -> ProposedMachine {
        if let field = roles.state {
            let known = signals
            let signal = signal(field)
            if let machine = ProposedMachine(told: field, signal: signal) { return machine }
            signals = known
        }
        if let field = roles.load, let threshold = Threshold(field.survey) {
            let machine = ProposedMachine(threshold: threshold.value, of: signal(field), rest: threshold.rest)
            comments.add(threshold.reason, at: .state("idle"))
            return machine
        }
        return ProposedMachine()
    }

    /// Puts everything together.
    private mutating func finish(_ machine: ProposedMachine) {
        draft.machine = root(machine)
        let timer = addTimer(machine)
        draft.activity = activity(machine, timer: timer.name)
        draft.island = island(timer)
        addSources(machine)
    }

    private mutating func root(_ machine: ProposedMachine) -> StateDraft {
        var root = StateDraft(name: written(""))
        root.initial = machine.names(.idle).first.map { [written($0)] } ?? []
        for state in machine.states {
            var draft = StateDraft(name: written(state.name))
            draft.title = written(state.title)
            if let seen = state.seen { comments.add(seen, at: .state(state.name)) }
            root.states.append(draft)
            guard let condition = state.condition else { continue }
            root.transitions.append(always("\(condition) && !inState(\"\(state.name)\")", to: state.name))
        }
        switch machine.kind {
        case .told:
            if machine.names(.idle).isEmpty {
                // Until the device has reported its state.
                let name = machine.waitingName
                var waiting = StateDraft(name: written(name))
                waiting.title = written("Waiting")
                root.states.insert(waiting, at: 0)
                root.initial = [written(name)]
                comments.add("Until the device has reported its state.", at: .state(name))
                if machine.names(.ended).isEmpty {
                    root.transitions.append(silence(patience, to: name))
                }
            }
            comments.add(
                "The device reports its state, so each state can be reached from every other.",
                at: .state("")
            )
        case .threshold(let signal, let limit, let rest):
            let above = "\(signal) > \(limit.shortText)"
            root.states[0].transitions = [always(above, for: .seconds(30), to: "running")]
            root.states[1].transitions = [
                always("\(signal) < \(limit.shortText)", for: rest, to: "done")
            ]
            var after = TransitionDraft(trigger: .after(SourceInterval(.minutes(15), at: .start)), at: .start)
            after.targets = [written("idle")]
            root.states[2].transitions = [always(above, to: "running"), after]
        case .messages:
            comments.add(
                "Nothing in the messages looks like a state, so this shows only that messages come.",
                at: .state("")
            )
            var talk = TransitionDraft(trigger: .event([written("message")]), at: .start)
            talk.targets = [written("talking")]
            root.states[0].transitions = [talk]
            root.states[1].transitions = [silence(survey.silence, to: "silent")]
        }
        return root
    }

    private func always(_ condition: String, for hold: Interval? = nil, to target: String) -> TransitionDraft
    {
        let trigger = hold.map {
            TransitionDraft.Trigger.sustained(SourceInterval($0, at: .start), dropout: nil)
        }
        var transition = TransitionDraft(trigger: trigger ?? .always, at: .start)
        transition.condition = written(condition)
        transition.targets = [written(target)]
        return transition
    }

    /// The silence after which what was last told is doubtful.
    private var patience: Interval { max(.minutes(30), survey.silence) }

    private func silence(_ length: Interval, to target: String) -> TransitionDraft {
        var quiet = TransitionDraft(
            trigger: .quiet(SilenceDraft(SourceInterval(length, at: .start))),
            at: .start
        )
        quiet.targets = [written(target)]
        return quiet
    }

    // MARK: Timer

    /// Adds the countdown of the device, or a count-up if it reports none.
    private mutating func addTimer(_ machine: ProposedMachine) -> (name: String, hasEnd: Bool) {
        let active = machine.names(.active).map { "inState(\"\($0)\")" }.joined(separator: " || ")
        var timer = TimerDraft(name: written("run"), kind: .countUp)
        if let field = roles.remaining {
            let signal = signal(field)
            if field.time != nil {
                timer.kind = .remaining(written(signal))
                timer.tolerance = SourceInterval(.seconds(90), at: .start)
            } else {
                let unit = Unit(field)
                timer.kind = .remaining(written(unit.length(of: signal)))
                timer.tolerance = SourceInterval(unit.tolerance, at: .start)
                let read = "\(signal): \(field.survey.summary), read as \(unit.rawValue)."
                comments.add(read, at: .timer("run"))
            }
        } else if let field = roles.end {
            timer.kind = .until(written(signal(field)))
            timer.tolerance = SourceInterval(.minutes(1), at: .start)
        } else {
            comments.add("The device reports no end, so this counts up.", at: .timer("run"))
        }
        timer.runsWhile = written(active)
        draft.timers = [timer]
        return ("run", roles.hasEnd)
    }

    /// A unit of time, and the function that makes a length of a number.
    private enum Unit: String {
        case seconds, minutes, hours, days

        /// The unit in the name, else the one in which the number falls as time passes.
        init(_ field: ProposedField) {
            if field.says(["min", "mins", "minute", "minutes"]) {
                self = .minutes
            } else if field.says(["s", "sec", "secs", "second", "seconds"]) {
                self = .seconds
            } else if field.says(["h", "hour", "hours"]) {
                self = .hours
            } else if field.says(["d", "day", "days", "tage"]) {
                self = .days
            } else {
                let fall = field.survey.fall
                // Nothing at home takes more than a day: a larger number counts seconds, and most devices tell minutes.
                let rate =
                    fall.seconds > 0 ? fall.amount / fall.seconds : field.survey.most > 1440 ? 1 : 1 / 60.0
                self = rate < 0.001 ? .hours : rate < 0.1 ? .minutes : .seconds
            }
        }

        /// The tolerance for moves of the end, as coarse as the device's reports.
        var tolerance: Interval {
            switch self {
            case .seconds: .minutes(1)
            case .minutes: .seconds(90)
            case .hours: .minutes(10)
            case .days: .hours(26)
            }
        }

        /// The expression for the length of time of a signal.
        func length(of signal: String) -> String {
            self == .days ? "hours(\(signal) * 24)" : "\(rawValue)(\(signal))"
        }
    }

    // MARK: Activity

    private mutating func activity(_ machine: ProposedMachine, timer: String) -> ActivityDraft {
        var activity = ActivityDraft(at: .start)
        activity.starts = machine.names(.active).map { written($0) }
        activity.ends = machine.names(.ended, .idle).map { written($0) }
        if activity.ends.isEmpty { activity.ends = [written(machine.waitingName)] }
        activity.attributes = [AttributeDraft(name: written("name"), value: written("device.name"))]
        activity.content = [ContentDraft(name: written("status"), value: written("state.title"))]
        if let field = roles.subject {
            activity.content.append(ContentDraft(name: written("subject"), value: written(signal(field))))
        }
        // A countdown draws a bar of its own, which moves without updates.
        if !roles.hasEnd, let field = roles.progress {
            // A part of one is shown as percent.
            let value = signal(field) + (field.survey.most <= 1 ? " * 100.0" : "")
            var content = ContentDraft(name: written("progress"), value: written(value), tolerance: 5)
            content.whole = 100
            activity.content.append(content)
        }
        activity.content.append(ContentDraft(name: written(timer), value: written("timer.\(timer)")))
        activity.alerts = machine.states.filter { $0.role == .ended }.map { state in
            AlertDraft(
                .state(written(state.name)),
                title: written("{device.name}: \(state.title)"),
                body: nil
            )
        }
        activity.stale = SilenceDraft(SourceInterval(patience, at: .start))
        activity.dismissal = .after(.minutes(15))
        return activity
    }

    private func island(_ timer: (name: String, hasEnd: Bool)) -> IslandDraft {
        var island = IslandDraft()
        island.tint = written("#2a9d8f")
        func add(_ region: IslandRegion, _ kind: IslandElementKind, _ value: String) {
            island.elements.append(IslandElementDraft(region: region, kind: kind, value: written(value)))
        }
        add(.minimal, .symbol, IslandSymbol.named(in: draft.kind.text))
        add(.compactLeading, .symbol, IslandSymbol.named(in: draft.kind.text))
        add(.compactTrailing, .countdown, timer.name)
        add(.expandedLeading, .title, "{name}")
        add(.expandedTrailing, .countdown, timer.name)
        add(.expandedCenter, .text, "{status}")
        let bar = timer.hasEnd ? timer.name : roles.progress.map { _ in "progress" }
        if let bar { add(.expandedBottom, .progress, bar) }
        add(.lock, .title, "{name}")
        add(.lock, .text, "{status}")
        if let bar { add(.lock, .progress, bar) }
        return island
    }

    // MARK: Sources

    /// Adds the sources that are used, with comments on their values.
    private mutating func addSources(_ machine: ProposedMachine) {
        var needsEvent = false
        if case .messages = machine.kind { needsEvent = true }
        // What has nothing to read is left out, unless there is nothing else.
        let hasFields = sources.contains { !$0.fields.isEmpty || $0.available != nil }
        for (index, source) in sources.enumerated() {
            let taken = signals.filter { $0.field.source == index }
            let isShown =
                needsEvent && draft.sources.count < TopicFamily.sourceLimit
                && (!source.fields.isEmpty || !hasFields)
            guard !taken.isEmpty || source.available != nil || isShown else { continue }
            var draft = SourceDraft(topic: written(source.pattern.filter))
            draft.payload = source.format
            if let key = source.pattern.elementKey {
                draft.each = written("payload")
                draft.device = written("{item.\(key)}")
            }
            draft.signals = taken.map {
                NamedText(name: written($0.name), text: written($0.field.expression))
            }
            draft.available = source.available.map { written($0) }
            if needsEvent { draft.event = written("\"message\"") }
            let spot = DefinitionComments.Spot.source(self.draft.sources.count)
            for (name, field) in taken where field.survey.count > 0 {
                comments.add("\(name): \(field.survey.summary)".cleanLine, at: spot)
            }
            let rest = source.fields.filter { field in !taken.contains { $0.field.path == field.path } }
            let moving = rest.filter { $0.survey.changes > 0 }.prefix(8)
            for field in moving {
                comments.add("not used: \(field.expression), \(field.survey.summary)".cleanLine, at: spot)
            }
            if rest.count > moving.count {
                comments.add("not used: \(rest.count - moving.count) more", at: spot)
            }
            self.draft.sources.append(draft)
        }
    }
}

/// A text of a draft without a place.
private func written(_ text: String) -> SourceText { SourceText(text, at: .start) }

extension Place {
    fileprivate static let start = Place(line: 1, column: 1)
}

extension String {
    /// The text with its first letter in capitals.
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// A number between rest and work.
struct Threshold {
    /// Above is work.
    let value: Double
    /// Why this number.
    let reason: String
    /// For how long the number is low at the end of the work.
    let rest: Interval
    /// The rest after machines that pause for seconds only.
    static let shortestRest = Interval.minutes(3)

    /// The middle of the widest gap between the numbers seen, or a small part of the largest one; nil when the numbers
    /// do not differ enough.
    init?(_ survey: FieldSurvey) {
        let numbers = Set(survey.sample.map { max(0, $0) }).sorted()
        guard let least = numbers.first, let most = numbers.last, most > 4 * (least + 0.1) else { return nil }
        // A thermostat switches off in between.
        let pauses = survey.dips.filter { (60..<600).contains($0) }
        let longest = pauses.count >= 3 ? pauses.max() ?? 0 : 0
        rest = max(Self.shortestRest, .minutes(Int64((longest * 1.5 / 60).rounded(.up))))
        let unit = most / 1000
        var gap: (low: Double, high: Double, ratio: Double) = (least, most, 1)
        for (low, high) in zip(numbers, numbers.dropFirst()) {
            let ratio = (high + unit) / (low + unit)
            if ratio > gap.ratio { gap = (low, high, ratio) }
        }
        if gap.ratio >= 3 {
            value = Self.rounded(((gap.low + unit) * (gap.high + unit)).squareRoot())
            reason = "Nothing between \(gap.low.shortText) and \(gap.high.shortText) was seen often."
        } else {
            value = Self.rounded(least + (most - least) / 50)
            reason =
                "From \(least.shortText) to \(most.shortText) without a gap: check that the limit is right."
        }
    }

    /// The number with one digit that counts.
    private static func rounded(_ number: Double) -> Double {
        var scale = 1.0
        while number / scale >= 10, scale < 1e12 { scale *= 10 }
        while number / scale < 1, scale > 0.1 { scale /= 10 }
        return max(0.1, (number / scale).rounded() * scale)
    }
}
