public import SkerryActivity
public import SkerryExpressions
public import SkerryMachine
public import SkerryValues

/// A compiled definition: the messages, behaviour and activity of a kind of device.
///
/// Definitions are immutable and shared by all devices of the kind. ``compile(_:)`` makes them from drafts.
public final class Definition: Sendable {
    /// The kind of device, such as `washer`; a topic level of everything published.
    public let kind: String
    /// The name of this kind of device for people.
    public let name: String
    /// The topics of its devices' messages, with the format of the payloads.
    public let sources: [Source]
    /// The messages that tell that a device of the kind is there.
    public let recognition: [Recognition]
    /// The names of its signals, in the order of the signals' numbers.
    public let signalNames: [String]
    /// The types of its signals; `dyn` where the expressions do not determine a type.
    public let signalTypes: [ExpressionType]
    /// The names of its variables, in the order of the variables' numbers.
    public let variableNames: [String]
    /// Its named timers, in the order of the timers' numbers.
    public let timers: [TimerDefinition]
    /// The states, transitions and guards of its devices.
    public let chart: Statechart
    /// The place of each state in the text, by the number of its `StateID`.
    public let statePlaces: [Place]
    /// The place of each transition in the text, by the number of its `TransitionID`.
    public let transitionPlaces: [Place]
    /// A hash of the source text, identical on every platform; see ``DefinitionDraft/fingerprint``.
    public let fingerprint: UInt64

    /// Its settings, in the order of the settings' numbers.
    public let settings: [Setting]
    /// The values of its settings, in the same order; those of one device in the form for that device.
    public let settingChoices: [SettingValue]
    /// The name that people gave the device, in the form for one device; nil when they gave none.
    public let givenName: String?

    /// The definition without the choices of people; nil when it is this one.
    let base: Definition?
    /// The definition before it was given a location; nil when it was given none.
    let unlocated: Definition?
    /// The forms for devices with settings or a name of their own, sorted by the devices' names.
    let forms: [DefinitionForm]
    /// The parts that it was made of, to make forms of it.
    let parts: DefinitionParts
    /// The values of the settings in expressions.
    let settingValues: [Value]
    /// The source text of every expression.
    var expressions: [WrittenExpression] { parts.expressions }
    /// The signals that expressions read.
    var readSignals: SignalSet { parts.readSignals }
    /// The signals that follow values over time, in the order of their histories.
    var signalForms: [SignalForm] { parts.signalForms }
    var initialContext: [Program] { parts.initialContext }
    var guards: [Program] { parts.guards }
    /// The source text of every guard, by the guard's number.
    var guardTexts: [String] { parts.guardTexts }
    let guardDependencies: [Dependencies]
    var intervals: [Program] { parts.intervals }
    var hostActions: [HostAction] { parts.hostActions }
    var titles: [TextTemplate?] { parts.titles }
    /// True if a title shows values.
    let hasVaryingTitles: Bool
    /// True if the start of a run resets signals.
    let resetsSignals: Bool
    /// True if the end of a timer is computed from variables.
    let hasTimersOfVariables: Bool
    var activity: ActivityDefinition? { parts.activity }
    var migrations: [Migration] { parts.migrations }
    /// The silences that transitions wait for and that not every message breaks.
    var silences: [SignalSilence] { parts.silences }
    /// True if waits run on while the device is known to be unavailable.
    var runsUnavailable: Bool { parts.runsUnavailable }
    /// The signals and other values that transitions without an event depend on.
    let machineDependencies: Dependencies
    /// The texts that guards distinguish in signals.
    let knownWords: KnownWords
    /// The signals without which a guard can't be evaluated, or a timer has no end.
    let neededSignals: SignalSet
    var limits: DeviceLimits { parts.limits }
    /// The timer that learns from past runs; nil when there is none.
    let learner: (timer: TimerID, plan: LearningPlan)?

    init(
        _ parts: DefinitionParts,
        chart: Statechart,
        base: Definition? = nil,
        forms: [DefinitionForm] = [],
        unlocated: Definition? = nil
    ) {
        self.parts = parts
        self.base = base
        self.unlocated = unlocated
        self.forms = forms
        settings = parts.settings
        settingChoices = parts.settingChoices
        settingValues = parts.settingChoices.map { $0.value }
        givenName = parts.givenName
        kind = parts.kind
        name = parts.name
        sources = parts.sources
        recognition = parts.recognition
        signalNames = parts.signalNames
        signalTypes = parts.signalTypes
        variableNames = parts.variableNames
        timers = parts.timers
        self.chart = chart
        statePlaces = parts.statePlaces
        transitionPlaces = parts.transitionPlaces
        guardDependencies = parts.guards.map { Dependencies(ofCondition: $0) }
        hasVaryingTitles = parts.titles.contains { $0.map { $0.constant == nil } ?? false }
        resetsSignals = parts.activity.map { !$0.reset.isEmpty } ?? false
        hasTimersOfVariables = parts.timers.contains { $0.endDependencies.machine }
        fingerprint = parts.fingerprint
        learner =
            parts.timers.indices.lazy.compactMap { number in
                parts.timers[number].learning.map { (TimerID(rawValue: UInt16(number)), $0) }
            }.first
        var dependencies = Dependencies()
        for transition in chart.transitions {
            switch transition.trigger {
            case .event, .after, .quiet, .recurring: continue
            case .past(let moment): dependencies.formUnion(Dependencies(parts.intervals[Int(moment)]))
            case .always, .sustained: break
            }
            guard let condition = transition.condition else { continue }
            dependencies.formUnion(guardDependencies[Int(condition.rawValue)])
        }
        machineDependencies = dependencies
        knownWords = KnownWords(of: parts, chart: chart)
        neededSignals = SignalSet(neededBy: parts.guards + parts.timers.compactMap { $0.end })
    }
}

extension Definition {
    /// The contract of its activity, from which an app's types are generated; nil without an activity.
    public var contract: LiveActivityContract? { activity?.contract }

    /// The cost of all expressions for one message, after which the rest of its elements are left out.
    public var messageCost: Int { limits.messageCost }

    /// The views of its activities on phones and pages; nil without an activity.
    ///
    /// They are made whenever they are asked for, because a program that draws nothing should not hold them.
    public var island: IslandLayout? { activity.map { IslandLayout(parts.island, of: $0.contract) } }

    /// The attribute of its activity whose value names the person of a run; nil when runs are for everybody.
    public var audience: String? { activity?.audience }

    /// The names of innermost states, in document order, joined by commas.
    func stateName(_ states: StateSet) -> String {
        var text = ""
        for state in states {
            if !text.isEmpty { text += "," }
            text += chart[state].name
        }
        return text
    }

    /// The types of its variables; `dyn` where the expression of the first value does not determine a type.
    public var variableTypes: [ExpressionType] { initialContext.map { $0.type } }
}

/// Bounds on the cost of one device.
public struct DeviceLimits: Sendable {
    /// The cost of one evaluation of an expression; more is an error value.
    public var expressionCost: Int32 = 10_000
    /// The cost of all expressions for one message, after which the rest of its elements are left out.
    ///
    /// The last device may go beyond it, by as much: then its expressions fail, and a machine that goes on from state to state is taken for one
    /// that does not come to rest.
    public var messageCost = 2_000_000
    /// Bounds on a payload: its bytes, and the depth of JSON.
    public var json = JSONLimits()
    /// The microsteps of one macrostep; more is a fault, and the device stays in its last stable state.
    public var microsteps = 100
    /// The size of one value of a signal or variable, as counted by `Value.storage`; a larger value is dropped.
    public var valueBytes = 65_536
    /// The size of all signals and variables of a device together, as counted by `Value.storage`.
    public var deviceBytes = 262_144
    /// The bytes of an activity's content in JSON; longer content is a fault, and the content before it stays.
    public var contentBytes = ActivityPlan.defaultContentLimit

    /// Makes the default limits.
    public init() {}
}

/// A compiled expression and the text that it was compiled from.
struct WrittenExpression: Sendable {
    var program: Program
    var text: SourceText
}

/// A variable and the expression of its new value.
struct Assignment: Sendable {
    var variable: Int
    var program: Program
}

/// A removed state and the state in which its devices continue.
struct Migration: Sendable {
    var from: String
    var to: StateID
}

// A device with settings or a name of its own has a form of its definition, in which its lengths of time are fixed.
// The engine treats a device that gets another form like one whose definition was edited.

extension Definition {
    /// The definition with the choices that people made for its devices.
    ///
    /// Choices that the definition refuses have no effect.
    ///
    /// - Parameters:
    ///   - choices: The choices, at most one for each device.
    ///   - former: The definition until now, whose unchanged forms are used again.
    /// - Returns: The definition, which is the former one if nothing differs.
    public func chosen(_ choices: [DeviceChoices], since former: Definition? = nil) -> Definition {
        let base = self.base ?? self
        let known = former?.forms ?? []
        let isSameText = (former?.base ?? former) === base
        var forms: [DefinitionForm] = []
        for choice in choices {
            let values = base.values(of: choice)
            let isUsual = values == base.settings.map { $0.standard } && choice.name == nil
            if isUsual { continue }
            if isSameText,
                let same = former?.ownForm(of: choice.device).map({ known[$0] }),
                same.definition.settingChoices == values, same.definition.givenName == choice.name
            {
                forms.append(same)
            } else {
                let form = base.form(values, name: choice.name)
                forms.append(DefinitionForm(device: choice.device, definition: form))
            }
        }
        forms.sort { $0.device.precedesByCodePoints($1.device) }
        if forms.isEmpty { return base }
        let isSame =
            isSameText && known.count == forms.count
            && zip(known, forms).allSatisfy { $0.definition === $1.definition && $0.isOf($1.device) }
        if isSame, let former { return former }
        return Definition(base.parts, chart: base.chart, base: base, forms: forms)
    }

    /// The choices that people made for its devices, each with the values of all settings.
    public var choices: [DeviceChoices] {
        forms.map { form in
            var choices = DeviceChoices(device: form.device)
            choices.settings = zip(settings, form.definition.settingChoices).map { setting, value in
                DeviceChoices.Choice(setting.name, value)
            }
            choices.name = form.definition.givenName
            return choices
        }
    }

    /// The definition as it is for one device.
    public func form(of device: String) -> Definition { form(ownForm(of: device)) }

    /// The form with a number of ``ownForm(of:)``; the usual one for nil.
    public func form(_ number: Int?) -> Definition { number.map { forms[$0].definition } ?? base ?? self }

    /// The forms for single devices.
    public var ownForms: [Definition] { forms.map { $0.definition } }

    /// The number of the form that a device has of its own; nil for a device of the usual form.
    public func ownForm(of device: String) -> Int? {
        let place = forms.partitioningIndex { !$0.device.precedesByCodePoints(device) }
        return place < forms.count && forms[place].isOf(device) ? place : nil
    }

    private func values(of choices: DeviceChoices) -> [SettingValue] {
        settings.map { setting in
            let chosen = choices.settings.last { $0.setting.hasSameCodePoints(as: setting.name) }
            guard let chosen, setting.refusal(of: chosen.value) == nil else { return setting.standard }
            return chosen.value
        }
    }

    /// The definition for a device with these values.
    private func form(_ values: [SettingValue], name: String?) -> Definition {
        var parts = parts
        parts.settingChoices = values
        parts.givenName = name
        var writer = ImageWriter()
        writer.unsigned(fingerprint)
        writer.list(values) { $0.value($1.value) }
        writer.optional(name) { $0.text($1) }
        parts.fingerprint = writer.bytes.fingerprint
        var triggers = chart.transitions.map { $0.trigger }
        for use in parts.lengthUses {
            guard case .length(let length) = values[use.setting] else { continue }
            parts.set(length, to: use.part, &triggers)
        }
        return Definition(parts, chart: parts.lengthUses.isEmpty ? chart : chart.replacing(triggers))
    }
}

/// A definition as it is for one device.
///
/// See docs/decisions/0044-settings-as-forms.md.
struct DefinitionForm: Sendable {
    /// The name of the device.
    let device: String
    let definition: Definition

    func isOf(_ device: String) -> Bool { self.device.hasSameCodePoints(as: device) }
}

extension DefinitionParts {
    /// Sets a length of time that a setting gives.
    fileprivate mutating func set(
        _ length: Interval,
        to part: LengthUse.Part,
        _ triggers: inout [Statechart.Trigger]
    ) {
        switch part {
        case .hold(let number):
            guard case .sustained(_, let dropout, let reports) = triggers[number] else { return }
            triggers[number] = .sustained(for: length, dropout: dropout, reports: reports)
        case .dropout(let number):
            guard case .sustained(let hold, _, let reports) = triggers[number] else { return }
            triggers[number] = .sustained(for: hold, dropout: length, reports: reports)
        case .quiet(let number):
            guard case .quiet(_, let silence) = triggers[number] else { return }
            triggers[number] = .quiet(length, of: silence)
        case .tolerance(let number): timers[number].tolerance = length
        case .stale: activity = activity?.replacing(stale: length)
        case .dismissal: activity = activity?.replacing(dismissal: .after(length))
        }
    }
}

// What readers outside of the engine may know of a definition: pages, and conventions of other systems.

extension Definition {
    /// Returns the names of the signals without which a device can't leave its present states, of those that messages on topics
    /// report.
    public func missingSignals(of device: Device, on topics: [String]) -> [String] {
        let guards = device.machine.configuration.flatMap { chart[$0].transitions }
            .compactMap { chart[$0].condition }
        var needed = SignalSet(neededBy: guards.map { parts.guards[Int($0.rawValue)] })
        var (missing, before) = (SignalSet(), SignalSet())
        // What is computed from other signals lacks these.
        repeat {
            before = needed
            for source in sources {
                let isHeard = topics.contains { source.filter.matches(ArraySlice($0.utf8)) }
                for assignment in source.signals where needed.contains(assignment.signal) {
                    guard case .error = device.memory.values[assignment.signal] else { continue }
                    if assignment.isComputed {
                        needed.formUnion(SignalSet(neededBy: [assignment.program]))
                    } else if isHeard, assignment.form?.kind != .pace, !assignment.program.asksPresence {
                        missing.insert(assignment.signal)
                    }
                }
            }
        } while needed != before
        return signalNames.indices.filter { missing.contains($0) }.map { signalNames[$0] }
    }

    /// The events that may come from outside: those that transitions and alerts wait for and those of buttons, without those
    /// that the machine raises itself, those that begin with `device.`, which only messages of the device raise, and those
    /// that begin with `bridge.`, which only the bridge raises.
    public var events: [String] {
        let own = ownEvents
        var events: [String] = []
        func add(_ name: String) {
            if !Self.isReserved(name), !events.contains(name) { events.append(name) }
        }
        for button in parts.island?.buttons ?? [] where button.link == nil { add(button.name) }
        for name in awaitedEvents
        where !own.contains(where: { EventDescriptor.matches(name, $0) || EventDescriptor.matches($0, name) })
        {
            add(name)
        }
        return events
    }

    /// Returns whether an event may come from outside: it is one of ``events``, or a more precise name of one.
    public func accepts(event: String) -> Bool {
        let events = events
        if events.contains(event) { return true }
        return events.contains { EventDescriptor.matches($0, event) }
            && !ownEvents.contains { EventDescriptor.matches($0, event) }
    }

    /// The event that the bridge raises for each device whenever it has connected to the broker, at its start, too: what
    /// the device said before may have gone unheard.
    public static let connected = "bridge.connected"

    /// True if transitions or alerts wait for ``connected`` by name.
    public var awaitsConnection: Bool {
        awaitedEvents.contains { $0 != "*" && EventDescriptor.matches($0, Self.connected) }
    }

    /// Returns whether nobody outside may send an event of this name, whatever waits for it.
    private static func isReserved(_ name: String) -> Bool {
        isRaisedInside(name) || name.utf8.contains(UInt8(ascii: "*"))
    }

    /// Returns whether an event is one that the device, the bridge or a final state raises.
    static func isRaisedInside(_ name: String) -> Bool {
        EventDescriptor.matches("device", name) || EventDescriptor.matches("bridge", name)
            || name.hasPrefix("done.")
    }

    /// True if its activity may raise alerts.
    package var hasAlerts: Bool { activity?.alerts.isEmpty == false }

    /// The names of events for which transitions and alerts wait.
    private var awaitedEvents: [String] {
        var names: [String] = []
        for id in chart.states.flatMap({ $0.transitions }) {
            if case .event(let descriptors) = chart[id].trigger { names += descriptors }
        }
        for alert in activity?.alerts ?? [] {
            if case .event(let descriptors) = alert.occasion { names += descriptors }
        }
        return names
    }

    /// The events that the machine raises itself: those of timers, of final states and of actions.
    private var ownEvents: [String] {
        var own = chart.timers.map { $0 + ".elapsed" }
        for state in chart.states {
            if chart.states.contains(where: { $0.kind == .final && chart[$0.parent].name == state.name }) {
                own.append("done.state." + state.name)
            }
            for action in (state.entry + state.exit).joined() { action.addRaised(to: &own) }
        }
        for action in chart.transitions.flatMap({ $0.actions }) { action.addRaised(to: &own) }
        return own
    }

    /// The title of a state, its own or that of the nearest state around it; nil if there is none or it is computed.
    public func fixedTitle(ofState name: String) -> String? { title(ofState: name)?.fixedText }

    /// The title of a state, or the words before what is computed in it; nil if there are none.
    public func titleBeginning(ofState name: String) -> String? { title(ofState: name)?.beginning }

    /// Returns whether a machine may rest in a state without an activity: it begins there, or a run ends there.
    public func restsWithoutRun(inState name: String) -> Bool {
        guard var state = chart.state(named: name) else { return false }
        var first = StateID.root
        while let target = chart[first].initialTargets.first { first = target }
        if state == first { return true }
        while state != .root {
            if activity?.ends.contains(state) ?? true { return true }
            state = chart[state].parent
        }
        return false
    }

    private func title(ofState name: String) -> TextTemplate? {
        guard var state = chart.state(named: name) else { return nil }
        while true {
            if let title = titles[Int(state.rawValue)] { return title }
            if state == .root { return nil }
            state = chart[state].parent
        }
    }
}

extension TextTemplate {
    /// The text, or the words before the first value, without a mark at their end; nil if there are none.
    fileprivate var beginning: String? {
        if let text = fixedText { return text }
        guard case .literal(let words)? = parts.first else { return nil }
        var kept = words[...]
        while let last = kept.last, !last.isLetter && !last.isNumber { kept.removeLast() }
        return kept.isEmpty ? nil : String(kept)
    }

    /// The text, if nothing in it is computed.
    fileprivate var fixedText: String? {
        var text = ""
        for part in parts {
            guard case .literal(let piece) = part else { return nil }
            text += piece
        }
        return text
    }
}

extension Statechart.Action {
    /// Adds the events that the action raises, or sends to the machine itself.
    fileprivate func addRaised(to names: inout [String]) {
        switch self {
        case .raise(let event), .send(let event, delay: _, id: _): names.append(event)
        case .choose(_, let actions, let otherwise):
            for action in actions + otherwise { action.addRaised(to: &names) }
        case .attempt(let actions):
            for action in actions { action.addRaised(to: &names) }
        case .cancel, .start, .stop, .pause, .resume, .extend, .host: break
        }
    }
}
