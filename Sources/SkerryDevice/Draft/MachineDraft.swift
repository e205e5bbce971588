/// A state as written.
public struct StateDraft: Sendable {
    /// What a state is made of.
    public enum Kind: Sendable {
        /// One of its states is active, or it has none.
        case single
        /// All of its states are active at once.
        case parallel
        /// Entering it tells its parent that it is done.
        case final
        /// Entering it goes where its parent was left: the child, or with `deep` all that was below it.
        case history(deep: Bool)
    }

    /// Its name, different from that of every other state of the definition; empty for the root.
    public var name: SourceText
    /// What it is made of.
    public var kind: Kind = .single
    /// What people are told while it is active.
    public var title: SourceText?
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
    /// What sets a transition off.
    public enum Trigger: Sendable {
        /// Nothing but its guard.
        case always
        /// An event that one of these descriptors matches.
        case event([SourceText])
        /// So much time in the state.
        case after(SourceInterval)
        /// The guard has held for so long, shorter lapses than the dropout forgiven.
        case sustained(SourceInterval, dropout: SourceInterval?)
        /// No message came for so long.
        case quiet(SourceInterval)
    }

    /// What sets it off.
    public var trigger: Trigger
    /// Where it stands.
    public var place: Place
    /// Its guard.
    public var condition: SourceText?
    /// Where it leads; empty stays.
    public var targets: [SourceText] = []
    /// What it does.
    public var actions: [ActionDraft] = []
    /// A transition to a state within its own does not leave its own (SCXML `type="internal"`).
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
    /// Freezes a timer.
    case pause(SourceText)
    /// Lets a frozen timer go on.
    case resume(SourceText)
    /// Moves the end of a timer by what an expression gives.
    case extend(SourceText, by: SourceText)
    /// Raises an event within the macrostep.
    case raise(SourceText)
    /// Sends an event to the machine itself after a while, under an id by which it can be cancelled.
    case send(SourceText, delay: SourceText?, id: SourceText?)
    /// Cancels a sent event that has not come yet.
    case cancel(SourceText)
    /// Sets a context variable to the value of an expression.
    case assign(SourceText, value: SourceText)
    /// Does some actions when a condition holds, and others when it does not.
    case guarded(SourceText, [ActionDraft], otherwise: [ActionDraft])
    /// Does each of its actions, whether or not one before it failed.
    case attempt([ActionDraft])
}
