public import SkerryDevice

/// A detector model of AWS IoT Events, with the place of every text.
///
/// Expressions are parsed, but names are not resolved.
public struct DetectorModel: Sendable {
    /// The order of conditions and actions within a group.
    public enum Evaluation: Sendable {
        /// All conditions are evaluated before any action.
        case batch
        /// Each condition is evaluated after the actions before it.
        case serial
    }

    /// The name of the model.
    public var name: SourceText?
    /// The description of the model.
    public var summary: SourceText?
    /// The field of the inputs that identifies a detector; nil when there is only one detector.
    public var key: SourceText?
    /// The order of conditions and actions.
    public var evaluation = Evaluation.batch
    /// The name of the initial state.
    public var initial: SourceText
    /// The states.
    public var states: [DetectorState] = []

    /// Makes a model without states.
    public init(initial: SourceText) {
        self.initial = initial
    }
}

/// A state of a detector model.
public struct DetectorState: Sendable {
    /// The name of the state.
    public var name: SourceText
    /// The events on entering the state.
    public var onEnter: [DetectorEvent] = []
    /// The events on each input and each end of a timer.
    public var onInput: [DetectorEvent] = []
    /// The transitions on inputs and ends of timers.
    public var transitions: [DetectorEvent] = []
    /// The events on leaving the state.
    public var onExit: [DetectorEvent] = []

    /// Makes a state without events.
    public init(name: SourceText) {
        self.name = name
    }
}

/// An event of a detector: actions that a condition guards.
public struct DetectorEvent: Sendable {
    /// The name of the event.
    public var name: SourceText
    /// The condition; nil for always.
    public var condition: DetectorExpression?
    /// The actions, in order.
    public var actions: [DetectorAction] = []
    /// The target state; nil for an event that is no transition.
    public var next: SourceText?

    /// Makes an event without actions.
    public init(name: SourceText) {
        self.name = name
    }
}

/// An action of a detector.
public struct DetectorAction: Sendable {
    /// The kinds of actions.
    public enum Kind: Sendable {
        /// Assigns a variable.
        case setVariable(String, DetectorExpression)
        /// Starts a timer for a number of seconds.
        case setTimer(String, DetectorExpression)
        /// Restarts a timer with its last length.
        case resetTimer(String)
        /// Removes a timer.
        case clearTimer(String)
        /// An action outside of the detector, in words.
        case outside(String)
    }

    /// The kind of action, with its parameters.
    public var kind: Kind
    /// The word of the action, with its place.
    public var source: SourceText

    /// Makes an action.
    public init(_ kind: Kind, at source: SourceText) {
        self.kind = kind
        self.source = source
    }
}
