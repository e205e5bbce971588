package import SkerryActivity

/// The activity of a definition, as written.
public struct ActivityDraft: Sendable {
    /// The states that start an activity when they are entered.
    package var starts: [SourceText] = []
    /// The states that end it when they are entered.
    package var ends: [SourceText] = []
    /// The expression of the key that tells one run from the next; nil when states alone do.
    package var run: SourceText?
    /// True if a key begins one run only, even if it is reported again after the end of that run.
    package var runsOnce = false
    /// The signals that are unset when a run starts.
    package var reset: [SourceText] = []
    /// The attributes, which stay the same for a whole run.
    package var attributes: [AttributeDraft] = []
    /// The attribute whose value names the person whose phones see the run; nil when the run is for everybody.
    package var audience: SourceText?
    /// The fields that may change, in the order written.
    package var content: [ContentDraft] = []
    /// The alerts, in the order written.
    package var alerts: [AlertDraft] = []
    /// The importance among other activities, from 0 to 100.
    package var relevance = ActivityPlan.defaultRelevance
    /// The expression of an importance that changes; nil when it is one number.
    package var changingRelevance: SourceText?
    /// The silence after which the activity is stale; nil if it never is.
    package var stale: SilenceDraft?
    /// The time from the end of an activity to its dismissal.
    package var dismissal: ActivityDismissal = .default
    /// The name of the setting that gives this time; nil when the definition gives it.
    package var dismissalSetting: String?
    /// The lengths of time that need no compiling.
    package var times = ActivityTimes()
    /// The time since the last update before other values alone give one; nil for none.
    package var throttle: SourceInterval?
    /// A template of the link that a touch opens.
    package var link: SourceText?
    /// The place of `activity:` in the text.
    package var place: Place

    /// Makes an activity without content.
    package init(at place: Place) {
        self.place = place
    }
}

/// An attribute of an activity, as written.
package struct AttributeDraft: Sendable {
    package var name: SourceText
    /// The expression of its value.
    package var value: SourceText
    /// The declared type, one of `FieldType.declarable`; nil for the type of the expression.
    package var type: FieldType?

    package init(name: SourceText, value: SourceText, type: FieldType? = nil) {
        self.name = name
        self.value = value
        self.type = type
    }
}

/// A field of an activity's content, as written.
package struct ContentDraft: Sendable {
    /// The name of the field.
    package var name: SourceText
    /// The expression of its value; `timer.<name>` alone is a countdown.
    package var value: SourceText
    /// The condition under which it is shown; nil for always.
    package var condition: SourceText?
    /// The difference up to which a number counts as unchanged; nil for none.
    package var tolerance: Double?
    /// The time since the last update before another value alone gives one; nil for that of the activity.
    package var throttle: SourceInterval?
    /// The number of decimals to which it is rounded; nil leaves it as it is.
    package var decimals: Int?
    /// The unit that people read after the number.
    package var unit: SourceText?
    /// The number that fills a bar; nil when no bar can show it.
    package var whole: Double?
    /// The declared type, one of `FieldType.declarable`; nil for the type of the expression.
    package var type: FieldType?

    package init(name: SourceText, value: SourceText, tolerance: Double? = nil, type: FieldType? = nil) {
        self.name = name
        self.value = value
        self.tolerance = tolerance
        self.type = type
    }
}

/// An alert as written.
package struct AlertDraft: Sendable {
    package enum Occasion: Sendable {
        /// A state that is entered.
        case state(SourceText)
        /// A condition that turns true.
        case condition(SourceText)
        /// An event that comes.
        case event(SourceText)
    }

    /// The occasion on which it is given.
    package var occasion: Occasion
    /// A template of its title.
    package var title: SourceText
    /// A template of its body.
    package var body: SourceText?
    package var sound = ActivityAlert.Sound.standard
    /// Its urgency.
    package var level = ActivityAlert.Level.active

    package init(_ occasion: Occasion, title: SourceText, body: SourceText?) {
        self.occasion = occasion
        self.title = title
        self.body = body
    }
}
