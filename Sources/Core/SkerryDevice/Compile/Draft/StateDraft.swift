/// A state as written.
public struct StateDraft: Sendable {
    /// The kind of a state.
    public enum Kind: Sendable {
        /// A state with one active child, or without children.
        case single
        /// A state whose children are all active at once.
        case parallel
        /// A final state; entering it raises the event that its parent is done.
        case final
        /// A history state; entering it restores the child of its parent that was active last, or with `deep` all
        /// states below.
        case history(deep: Bool)
    }

    /// The name, unique in the definition; empty for the root.
    public var name: SourceText
    /// The kind of state.
    public var kind: Kind = .single
    /// A template of the text that people see while the state is active.
    public var title: SourceText?
    /// The symbol that an island can draw while the state is active.
    package var symbol: SourceText?
    /// The colour of the island while the state is active, `#rrggbb`.
    package var tint: SourceText?
    /// The importance of the activity while the state is active, from 0 to 100; nil for that of the state around it.
    package var relevance: Double?
    /// True if waits run on while the device is known to be unavailable; only the machine says so.
    package var runsUnavailable = false
    /// The states entered with it, or the default of a history state; the first child when empty.
    public var initial: [SourceText] = []
    /// Actions on entering it.
    public var entry: [ActionDraft] = []
    /// Actions on leaving it.
    public var exit: [ActionDraft] = []
    /// Its transitions in document order.
    public var transitions: [TransitionDraft] = []
    /// The states within it.
    public var states: [StateDraft] = []

    /// Makes a state without content.
    public init(name: SourceText) {
        self.name = name
    }
}

/// A transition as written.
public struct TransitionDraft: Sendable {
    /// The cause of a transition.
    public enum Trigger: Sendable {
        /// No event: the guard alone.
        case always
        /// An event that one of these descriptors matches.
        case event([SourceText])
        /// A length of time in the state.
        case after(SourceInterval)
        /// A length of time for which the guard holds; lapses shorter than the dropout do not end the wait.
        ///
        /// If more than one report is asked for, as many must have confirmed it, or as much time must have passed as they take.
        case sustained(SourceInterval, dropout: SourceInterval?, reports: UInt8 = 1)
        /// A length of time without a message.
        case quiet(SilenceDraft)
        /// A time of day.
        case at(TimeOfDay)
        /// A moment that an expression gives, once it is past.
        case past(SourceText)
    }

    /// The cause of the transition.
    public var trigger: Trigger
    /// The place of the transition in the text.
    public var place: Place
    /// The guard; nil when the transition has none.
    public var condition: SourceText?
    /// The states that the transition enters; none to stay in the present ones.
    public var targets: [SourceText] = []
    /// The actions, performed between the exits and the entries.
    public var actions: [ActionDraft] = []
    /// True for a transition that does not leave its own state when the target is within it (SCXML `type="internal"`).
    public var isInternal = false

    /// Makes a transition that leads nowhere yet.
    public init(trigger: Trigger, at place: Place) {
        self.trigger = trigger
        self.place = place
    }
}

/// An action as written.
public indirect enum ActionDraft: Sendable {
    /// Starts a timer, for a length that an expression gives or the one of its definition.
    case start(SourceText, duration: SourceText?)
    /// Stops a timer.
    case stop(SourceText)
    /// Freezes a timer, from the moment on that an expression gives.
    case pause(SourceText, from: SourceText? = nil)
    /// Continues a frozen timer.
    case resume(SourceText)
    /// Moves the end of a timer by what an expression gives.
    case extend(SourceText, by: SourceText)
    /// Raises an event within the macrostep.
    case raise(SourceText)
    /// Sends an event to the machine itself after a delay, under an id by which the event can be cancelled.
    case send(SourceText, delay: SourceText?, id: SourceText?)
    /// Cancels a sent event that is not due yet.
    case cancel(SourceText)
    /// Sets a context variable to the value of an expression.
    case assign(SourceText, value: SourceText)
    /// Performs some actions when a condition holds, and others when it does not.
    case guarded(SourceText, [ActionDraft], otherwise: [ActionDraft])
    /// Performs each of its actions, even after one of them failed.
    case attempt([ActionDraft])
    /// Publishes a message.
    case publish(PublicationDraft)

    /// The action and those within it.
    var parts: [ActionDraft] {
        switch self {
        case .guarded(_, let then, let otherwise): [self] + (then + otherwise).flatMap { $0.parts }
        case .attempt(let actions): actions.flatMap { $0.parts }
        default: [self]
        }
    }
}

/// A message that an action publishes, as written.
public struct PublicationDraft: Sendable {
    /// A template of the topic.
    package var topic: SourceText
    /// A template of the payload; nil for an empty one.
    package var payload: SourceText?
    /// True if the broker keeps it for later readers.
    package var isRetained: Bool
    /// The quality of service, 0 or 1.
    package var quality: UInt8

    /// Makes a message.
    package init(topic: SourceText, payload: SourceText?, isRetained: Bool = false, quality: UInt8 = 1) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.quality = quality
    }
}

/// A silence as written.
public struct SilenceDraft: Sendable {
    package var length: SourceInterval
    /// The signals whose silence it is; none for that of the whole device.
    package var signals: [SourceText] = []
    /// True if only a change of a signal breaks it, and not each report.
    package var asksChange = false

    /// Makes a silence of the whole device.
    package init(_ length: SourceInterval) { self.length = length }

    /// The signals in words, to follow the length; empty for the whole device.
    package var subject: String {
        if signals.isEmpty { return "" }
        return (asksChange ? " without a change of " : " of ")
            + signals.map { $0.text }.joined(separator: ", ")
    }
}
