public import SkerryExpressions
public import SkerryMachine
public import SkerryValues
public import SkerryActivity

/// A compiled definition: what a kind of device says, does and shows.
///
/// Immutable, shared by all its devices. Made from a draft by ``compile(_:)``.
public final class Definition: Sendable {
    /// The kind of device, a topic level of everything published.
    public let kind: String
    /// What people call this kind of device.
    public let name: String
    /// Where its messages come from.
    public let sources: [Source]
    /// The names of its signals.
    public let signalNames: [String]
    /// The types of its signals, as far as their expressions tell.
    public let signalTypes: [ExpressionType]
    /// The names of its variables.
    public let variableNames: [String]
    /// Its named timers.
    public let timers: [TimerDefinition]
    /// Its machine.
    public let chart: Statechart
    /// Where the states of the machine stand, as numbered by `StateID`.
    public let statePlaces: [Place]
    /// Where the transitions of the machine stand, as numbered by `TransitionID`.
    public let transitionPlaces: [Place]
    /// What phones and pages draw of its activities; nil when it does not say.
    public let island: Island?
    /// Tells the text that it was compiled from from others; see ``DefinitionDraft/fingerprint``.
    public let fingerprint: UInt64

    /// All expressions as they are written.
    let expressions: [WrittenExpression]
    /// The signals that expressions read.
    let readSignals: SignalSet
    let initialContext: [Program]
    let guards: [Program]
    /// The guards as they are written.
    let guardTexts: [String]
    let guardDependencies: [Dependencies]
    let intervals: [Program]
    let assignments: [Assignment]
    let titles: [TextTemplate?]
    let activity: ActivityDefinition?
    let migrations: [Migration]
    /// What the eventless transitions read.
    let machineDependencies: Dependencies
    let limits: DeviceLimits

    init(_ parts: DefinitionParts, chart: Statechart) {
        kind = parts.kind
        name = parts.name
        sources = parts.sources
        signalNames = parts.signalNames
        signalTypes = parts.signalTypes
        variableNames = parts.variableNames
        timers = parts.timers
        self.chart = chart
        statePlaces = parts.statePlaces
        transitionPlaces = parts.transitionPlaces
        expressions = parts.expressions
        readSignals = parts.readSignals
        initialContext = parts.initialContext
        guards = parts.guards
        guardTexts = parts.guardTexts
        guardDependencies = parts.guards.map { Dependencies($0) }
        intervals = parts.intervals
        assignments = parts.assignments
        titles = parts.titles
        activity = parts.activity
        island = parts.island
        fingerprint = parts.fingerprint
        migrations = parts.migrations
        limits = parts.limits
        var dependencies = Dependencies()
        for transition in chart.transitions {
            guard let condition = transition.condition else { continue }
            switch transition.trigger {
            case .always, .sustained: dependencies.formUnion(guardDependencies[Int(condition.rawValue)])
            case .event, .after, .quiet: break
            }
        }
        machineDependencies = dependencies
    }
}

extension Definition {
    /// What an app has to know of its activities; nil when it has none.
    public var contract: LiveActivityContract? { activity?.contract }

    /// The names of innermost states, in document order, joined by commas.
    func stateName(_ states: StateSet) -> String {
        var text = ""
        for state in states {
            if !text.isEmpty { text += "," }
            text += chart[state].name
        }
        return text
    }

    /// The types of its variables, as far as the expressions of their first values tell.
    public var variableTypes: [ExpressionType] { initialContext.map { $0.type } }
}

/// Bounds on what one device may cost.
public struct DeviceLimits: Sendable {
    /// The cost of one evaluation of an expression; more is an error value.
    public var expressionCost: Int32 = 10_000
    /// What a payload may be: its bytes, and the depth of JSON.
    public var json = JSONLimits()
    /// The microsteps of one macrostep; more is a fault, and the device stays in its last stable state.
    public var microsteps = 100
    /// What one value of a signal or variable may take, as `Value.storage` counts; a larger one is not kept.
    public var valueBytes = 65_536
    /// What all signals and variables of a device may take.
    public var deviceBytes = 262_144
    /// The bytes of an activity's content in JSON; longer content is a fault, and the last one stays.
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
