import SkerryActivity
import SkerryExpressions
import SkerryMachine
import SkerryValues

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
