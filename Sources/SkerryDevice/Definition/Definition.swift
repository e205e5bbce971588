public import SkerryMachine
public import SkerryValues
import SkerryActivity
import SkerryExpressions

/// A compiled definition: what a kind of device says, does and shows. Immutable, shared by all its devices.
///
/// Made from a draft by ``compile(_:)``.
public final class Definition: Sendable {
    /// The kind of device, a topic level of everything published.
    public let kind: String
    /// What people call this kind of device.
    public let name: String
    /// Where its messages come from.
    public let sources: [Source]
    /// The names of its signals.
    public let signalNames: [String]
    /// The names of its variables.
    public let variableNames: [String]
    /// Its named timers.
    public let timers: [TimerDefinition]
    /// Its machine.
    public let chart: Statechart

    let initialContext: [Program]
    let guards: [Program]
    let guardDependencies: [Dependencies]
    let intervals: [Program]
    let assignments: [Assignment]
    let titles: [TextTemplate?]
    let activity: ActivityDefinition?
    /// What the eventless transitions read.
    let machineDependencies: Dependencies
    let limits: DeviceLimits

    init(_ parts: DefinitionParts, chart: Statechart) {
        kind = parts.kind
        name = parts.name
        sources = parts.sources
        signalNames = parts.signalNames
        variableNames = parts.variableNames
        timers = parts.timers
        self.chart = chart
        initialContext = parts.initialContext
        guards = parts.guards
        guardDependencies = parts.guards.map { Dependencies($0) }
        intervals = parts.intervals
        assignments = parts.assignments
        titles = parts.titles
        activity = parts.activity
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

/// Bounds on what one device may cost.
public struct DeviceLimits: Sendable {
    /// The cost of one evaluation of an expression; more is an error value.
    public var expressionCost: Int32 = 10_000
    /// What a JSON payload may be.
    public var json = JSONLimits()

    /// Makes the default limits.
    public init() {}
}

/// A topic filter with its payload format, and the signals taken from its messages.
public struct Source: Sendable {
    /// The topic filter.
    public let filter: TopicFilter
    /// How payloads are read.
    public let payload: PayloadFormat
    /// Which level of the topic names the device.
    public let deviceLevel: Int
    /// The levels of all captures, in the order of the filter.
    public let captureLevels: [Int]

    let plan: PayloadPlan
    /// For each path that the expressions read, whether it is the whole payload.
    let wholePayload: [Bool]
    let signals: [SignalAssignment]
    let available: Program?
    let event: Program?
    /// Whether an expression reads a capture other than the device.
    public let readsCaptures: Bool
}

/// A signal and the expression that takes it from a message.
struct SignalAssignment: Sendable {
    var signal: Int
    var program: Program
}

/// A variable and the expression of its new value.
struct Assignment: Sendable {
    var variable: Int
    var program: Program
}

/// A named timer of a definition.
public struct TimerDefinition: Sendable {
    /// How its end is known.
    enum Kind: Sendable {
        case remaining(Program)
        case until(Program)
        case duration(Program)
        case countUp
    }

    /// Its name.
    public let name: String
    /// The end moves only when the estimate moved by more.
    public let tolerance: Interval
    /// What becomes of it over a restart of the gateway.
    public let onRestart: RestartPolicy

    let kind: Kind
    let runsWhile: Program?
    let from: Program?
    /// What the end and the `while` read.
    let dependencies: Dependencies
}

/// What people follow, compiled.
struct ActivityDefinition: Sendable {
    /// Where a field of the content comes from.
    enum ContentSource: Sendable {
        case expression(Program)
        case timer(TimerID)
    }

    /// What a state's alert says.
    struct Alert: Sendable {
        var state: StateID
        var title: TextTemplate
        var body: TextTemplate?
    }

    var plan: ActivityPlan
    var starts: StateSet
    var ends: StateSet
    var attributes: [(name: String, program: Program)]
    var content: [ContentSource]
    var contentDependencies: Dependencies
    var alerts: [Alert]
    var stale: Interval?
    var dismissal: ActivityDismissal
}
