public import SkerryExpressions
public import SkerryMachine
public import SkerryValues
public import SkerryActivity

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
        guardDependencies = parts.guards.map { Dependencies($0) }
        hasVaryingTitles = parts.titles.contains { $0.map { $0.constant == nil } ?? false }
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
        knownWords = KnownWords(of: parts)
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
