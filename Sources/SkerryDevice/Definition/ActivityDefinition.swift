import SkerryActivity
import SkerryExpressions
import SkerryMachine
import SkerryValues

/// What people follow, compiled; immutable.
final class ActivityDefinition: Sendable {
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

    let plan: ActivityPlan
    let starts: StateSet
    let ends: StateSet
    let attributes: [(name: String, program: Program)]
    let content: [ContentSource]
    let contentDependencies: Dependencies
    let alerts: [Alert]
    let stale: Interval?
    let dismissal: ActivityDismissal
    let link: TextTemplate?

    init(
        plan: ActivityPlan,
        starts: StateSet,
        ends: StateSet,
        attributes: [(name: String, program: Program)],
        content: [ContentSource],
        contentDependencies: Dependencies,
        alerts: [Alert],
        stale: Interval?,
        dismissal: ActivityDismissal,
        link: TextTemplate?
    ) {
        self.plan = plan
        self.starts = starts
        self.ends = ends
        self.attributes = attributes
        self.content = content
        self.contentDependencies = contentDependencies
        self.alerts = alerts
        self.stale = stale
        self.dismissal = dismissal
        self.link = link
    }
}
