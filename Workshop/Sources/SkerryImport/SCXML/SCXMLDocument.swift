public import SkerryDevice

/// A statechart as SCXML writes it (https://www.w3.org/TR/scxml/), every text with its place.
///
/// What a reader makes, before names are resolved and expressions parsed.
///
/// See docs/decisions/0003-imports.md.
public struct SCXMLDocument: Sendable {
    /// The `name` of the document.
    public var name: SourceText?
    /// Whether data gets its first value when its state is entered first, not at the start (`binding="late"`).
    public var bindsLate = false
    /// The scripts that run when the document is loaded.
    public var scripts: [SCXMLAction] = []
    /// The element `scxml` as a state; it has no id.
    public var root: SCXMLState
    /// The states that ``resolved()`` gave another id, because one before has theirs.
    public var renamed: [Renaming] = []

    /// A state with another id than it is written with.
    public struct Renaming: Sendable {
        /// The id as written.
        public var id: SourceText
        /// The one it has now.
        public var name: String
    }

    /// Makes a document of its root.
    public init(root: SCXMLState) {
        self.root = root
    }
}

/// A `state`, `parallel`, `final` or `history`, or the root.
public struct SCXMLState: Sendable {
    /// What an element stands for.
    public enum Kind: Sendable, Hashable {
        /// `state`, or the root.
        case state
        /// `parallel`
        case parallel
        /// `final`
        case final
        /// `history`
        case history(deep: Bool)
    }

    /// What it stands for.
    public var kind: Kind
    /// Its `id`.
    public var id: SourceText?
    /// Where its element begins.
    public var place: Place
    /// Where it starts, or where a history leads at first: `initial`, or the targets of the transition in it.
    public var initial: [SourceText] = []
    /// What the transition of `initial` or of a history does.
    public var initialActions: [SCXMLAction] = []
    /// Its data.
    public var data: [SCXMLData] = []
    /// Its `onentry` elements, each a block.
    public var entry: [[SCXMLAction]] = []
    /// Its `onexit` elements, each a block.
    public var exit: [[SCXMLAction]] = []
    /// Its transitions in document order.
    public var transitions: [SCXMLTransition] = []
    /// The states in it, in document order.
    public var states: [SCXMLState] = []
    /// What a final state tells when it is entered.
    public var doneData: [SCXMLParameter] = []
    /// What else stands in it and is not understood, such as `invoke`.
    public var unknown: [SourceText] = []

    /// Makes an empty state.
    public init(_ kind: Kind, at place: Place) {
        self.kind = kind
        self.place = place
    }
}

/// A `transition`.
public struct SCXMLTransition: Sendable {
    /// Where its element begins.
    public var place: Place
    /// The event descriptors; none for a transition without event.
    public var events: [SourceText] = []
    /// Its condition.
    public var condition: SourceText?
    /// Where it leads.
    public var targets: [SourceText] = []
    /// Whether it is `type="internal"`.
    public var isInternal = false
    /// What it does.
    public var actions: [SCXMLAction] = []

    /// Makes a transition that leads nowhere.
    public init(at place: Place) {
        self.place = place
    }
}

/// A `data` element.
public struct SCXMLData: Sendable {
    /// The name of the variable.
    public var id: SourceText
    /// Its first value.
    public var value: SCXMLValue

    /// Makes a variable.
    public init(id: SourceText, value: SCXMLValue) {
        self.id = id
        self.value = value
    }
}

/// Where a value comes from.
public enum SCXMLValue: Sendable {
    /// Nothing is said.
    case none
    /// An expression (`expr`, `location`).
    case expression(SourceText)
    /// The text within the element: an expression or plain text.
    case content(SourceText)
    /// A file (`src`).
    case file(SourceText)
}

/// A text that is written (`event`) or computed (`eventexpr`).
public enum SCXMLText: Sendable {
    /// As it stands.
    case literal(SourceText)
    /// What an expression gives.
    case expression(SourceText)
}

/// One thing that an event carries: a `param`, a name of a `namelist`, or the whole of it as `content`.
public struct SCXMLParameter: Sendable {
    /// The name; nil for `content`.
    public var name: SourceText?
    /// What it carries.
    public var value: SCXMLValue

    /// Makes a parameter.
    public init(name: SourceText?, value: SCXMLValue) {
        self.name = name
        self.value = value
    }
}
