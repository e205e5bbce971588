import SkerryActivity
import SkerryExpressions
import SkerryMachine
import SkerryValues

/// The compiled activity of a definition; immutable.
final class ActivityDefinition: Sendable {
    /// The expression of an attribute or a field, and the type of its value.
    struct Typed: Sendable {
        var program: Program
        /// The type that the definition declares; nil leaves the value as it is.
        var type: FieldType?
        /// The number of decimals to which it is rounded; nil leaves it as it is.
        var decimals: Int?
    }

    /// The source of a field of the content.
    enum ContentSource: Sendable {
        case expression(Typed)
        case timer(TimerID)
    }

    struct ContentField: Sendable {
        var source: ContentSource
        /// The condition under which it is shown; nil for always.
        var condition: Program?
    }

    /// The expression whose value tells one run from the next.
    struct RunKey: Sendable {
        /// The longest key, in bytes; a longer one counts as absent.
        static let limit = 256

        var program: Program
        var dependencies: Dependencies
        /// True if a key that was known begins no other run, even after the end of its run.
        var isOnce = false
    }

    /// The occasion for an alert.
    enum Occasion: Sendable {
        case state(StateID)
        /// A condition that turns true; the fingerprint of its text finds it again in an edited definition.
        case condition(Program, Dependencies, fingerprint: UInt64)
        case event([String])
    }

    /// An alert with its texts.
    struct Alert: Sendable {
        /// The condition, if only time may make it hold; nil for other occasions.
        var movingCondition: Program? {
            guard case .condition(let program, _, _) = occasion else { return nil }
            let moving = [ReferenceKind.timer, .elapsed, .now]
            return program.references.contains { one in moving.contains { $0.rawValue == one.kind } }
                ? program : nil
        }

        var occasion: Occasion
        var title: TextTemplate
        var body: TextTemplate?
        var sound: ActivityAlert.Sound
        var level: ActivityAlert.Level
    }

    /// The relevance of a run as it changes; without both parts, the plan's holds.
    struct Weight: Sendable {
        /// The relevance of each state; empty when no state has one.
        var states: [Double?] = []
        /// The relevance in other states; nil for the plan's.
        var expression: Program?
    }

    /// The length limit of a link in bytes; an activity with a longer link has none.
    static let linkLimit = 2048
    /// The most alerts of an activity.
    static let alertLimit = Marks.capacity

    let plan: ActivityPlan
    let starts: StateSet
    let ends: StateSet
    let key: RunKey?
    let reset: SignalSet
    let attributes: [(name: String, value: Typed)]
    /// The attribute whose value names the person of a run; nil for none.
    let audience: String?
    let content: [ContentField]
    let contentDependencies: Dependencies
    let alerts: [Alert]
    /// True if the condition of an alert may come to hold while only time passes.
    let hasMovingAlerts: Bool
    let stale: Interval?
    /// The silence after which it is stale, if not every message breaks it; nil for that of the whole device.
    let staleSilence: SignalSilence?
    let dismissal: ActivityDismissal
    let times: ActivityTimes
    let link: TextTemplate?
    let weight: Weight
    let contract: LiveActivityContract

    init(
        plan: ActivityPlan,
        starts: StateSet,
        ends: StateSet,
        key: RunKey?,
        reset: SignalSet,
        attributes: [(name: String, value: Typed)],
        audience: String?,
        content: [ContentField],
        contentDependencies: Dependencies,
        alerts: [Alert],
        stale: Interval?,
        staleSilence: SignalSilence?,
        dismissal: ActivityDismissal,
        times: ActivityTimes,
        link: TextTemplate?,
        weight: Weight,
        contract: LiveActivityContract
    ) {
        assert(content.count == plan.fields.count, "a field of the plan has no source")
        var (plan, contract) = (plan, contract)
        plan.isLinkContent = link?.references.contains { !$0.staysForRun } ?? false
        contract.isLinkContent = plan.isLinkContent
        self.plan = plan
        self.starts = starts
        self.ends = ends
        self.key = key
        self.reset = reset
        self.attributes = attributes
        self.audience = audience
        self.content = content
        self.contentDependencies = contentDependencies
        self.alerts = alerts
        hasMovingAlerts = alerts.contains { $0.movingCondition != nil }
        self.stale = stale
        self.staleSilence = staleSilence
        self.dismissal = dismissal
        self.times = times
        self.link = link
        self.weight = weight
        self.contract = contract
    }

    /// The values that the content depends on, also through the titles of states.
    ///
    /// What a title reads of time is that of the last change: it gives no update of its own.
    static func dependencies(of content: [ContentField], titles: [TextTemplate?]) -> Dependencies {
        var dependencies = Dependencies()
        for field in content {
            var references = field.condition?.references ?? []
            switch field.source {
            case .expression(let value): references += value.program.references
            case .timer: dependencies.machine = true
            }
            dependencies.formUnion(Dependencies(references))
            guard references.contains(where: { $0.kind == ReferenceKind.stateTitle.rawValue }) else {
                continue
            }
            for case let title? in titles {
                dependencies.signals.formUnion(Dependencies(title.references).signals)
            }
        }
        return dependencies
    }

    /// The same activity with another silence after which it is stale.
    func replacing(stale: Interval) -> ActivityDefinition {
        var plan = plan
        plan.silence = stale
        return replacing(plan, stale: stale, dismissal: dismissal)
    }

    /// The same activity with another time from its end to its dismissal.
    func replacing(dismissal: ActivityDismissal) -> ActivityDefinition {
        replacing(plan, stale: stale, dismissal: dismissal)
    }

    private func replacing(
        _ plan: ActivityPlan,
        stale: Interval?,
        dismissal: ActivityDismissal
    ) -> ActivityDefinition {
        ActivityDefinition(
            plan: plan,
            starts: starts,
            ends: ends,
            key: key,
            reset: reset,
            attributes: attributes,
            audience: audience,
            content: content,
            contentDependencies: contentDependencies,
            alerts: alerts,
            stale: stale,
            staleSilence: staleSilence,
            dismissal: dismissal,
            times: times,
            link: link,
            weight: weight,
            contract: contract
        )
    }
}

extension Reference {
    /// True for what stays the same for a run: the name, the id and the kind of the device.
    fileprivate var staysForRun: Bool {
        [ReferenceKind.deviceName, .deviceID, .deviceKind].contains { $0.rawValue == kind }
    }
}
