public import SkerryActivity

/// What people follow, as written.
public struct ActivityDraft: Sendable {
    /// Entering one of these states starts an activity.
    public var starts: [SourceText] = []
    /// Entering one of these states ends it.
    public var ends: [SourceText] = []
    /// What stays the same for a whole run, with its expressions.
    public var attributes: [AttributeDraft] = []
    /// What may change.
    public var content: [ContentDraft] = []
    /// Alerts by state.
    public var alerts: [AlertDraft] = []
    /// How much it matters among others, from 0 to 100.
    public var relevance = ActivityPlan.defaultRelevance
    /// No message for so long makes it stale.
    public var stale: SourceInterval?
    /// When an ended one goes away.
    public var dismissal: ActivityDismissal = .default
    /// A template of the link that opens when it is touched.
    public var link: SourceText?
    /// Where it stands.
    public var place: Place

    /// Makes an activity without content.
    public init(at place: Place) {
        self.place = place
    }
}

/// An attribute of an activity, as written.
public struct AttributeDraft: Sendable {
    /// Its name.
    public var name: SourceText
    /// Its expression.
    public var value: SourceText
    /// Its type, one of `FieldType.declarable`; nil for that of the expression.
    public var type: FieldType?

    /// Makes an attribute.
    public init(name: SourceText, value: SourceText, type: FieldType? = nil) {
        self.name = name
        self.value = value
        self.type = type
    }
}

/// A field of an activity's content, as written.
public struct ContentDraft: Sendable {
    /// Its name.
    public var name: SourceText
    /// Its expression; `timer.<name>` alone is a countdown.
    public var value: SourceText
    /// A number changes for the reader only when it moved by more.
    public var tolerance: Double?
    /// Its type, one of `FieldType.declarable`; nil for that of the expression.
    public var type: FieldType?

    /// Makes a field.
    public init(name: SourceText, value: SourceText, tolerance: Double? = nil, type: FieldType? = nil) {
        self.name = name
        self.value = value
        self.tolerance = tolerance
        self.type = type
    }
}

/// An alert as written.
public struct AlertDraft: Sendable {
    /// Entering this state gives the alert.
    public var state: SourceText
    /// A template of its title.
    public var title: SourceText
    /// A template of its body.
    public var body: SourceText?

    /// Makes an alert.
    public init(state: SourceText, title: SourceText, body: SourceText?) {
        self.state = state
        self.title = title
        self.body = body
    }
}

/// What phone and page draw, as written.
public struct IslandDraft: Sendable {
    /// The colour of the key line, `#rrggbb`.
    public var tint: SourceText?
    /// What is drawn where, in the order written.
    public var elements: [IslandElementDraft] = []

    /// Makes an island that draws nothing.
    public init() {}
}

/// One thing drawn in a region.
public struct IslandElementDraft: Sendable {
    /// Where it is drawn.
    public var region: IslandRegion
    /// What it is.
    public var kind: IslandElementKind
    /// A symbol's name, a template of text, or a timer's name.
    public var value: SourceText

    /// Makes an element.
    public init(region: IslandRegion, kind: IslandElementKind, value: SourceText) {
        self.region = region
        self.kind = kind
        self.value = value
    }
}

/// The regions of the Dynamic Island and the Lock Screen.
public enum IslandRegion: UInt8, Sendable, CaseIterable {
    /// The detached dot.
    case minimal
    /// Left of the camera.
    case compactLeading
    /// Right of the camera.
    case compactTrailing
    /// Expanded, left.
    case expandedLeading
    /// Expanded, right.
    case expandedTrailing
    /// Expanded, below the camera.
    case expandedCenter
    /// Expanded, below everything.
    case expandedBottom
    /// The Lock Screen.
    case lock
}

/// What can be drawn in a region.
public enum IslandElementKind: UInt8, Sendable, CaseIterable {
    /// A symbol by name.
    case symbol
    /// Text, a template over attributes and content.
    case text
    /// A title, a template over attributes and content.
    case title
    /// A timer as a running clock.
    case countdown
    /// A timer as a bar.
    case progress
}
