package import SkerryDevice

/// A detector model of AWS IoT Events, with the place of every text.
///
/// Expressions are parsed, but names are not resolved.
package struct DetectorModel: Sendable {
    /// The order of conditions and actions within a group.
    package enum Evaluation: Sendable {
        /// All conditions are evaluated before any action.
        case batch
        /// Each condition is evaluated after the actions before it.
        case serial
    }

    /// The name of the model.
    package var name: SourceText?
    /// The description of the model.
    package var summary: SourceText?
    /// The field of the inputs that identifies a detector; nil when there is only one detector.
    package var key: SourceText?
    /// The order of conditions and actions.
    package var evaluation = Evaluation.batch
    /// The name of the initial state.
    package var initial: SourceText
    /// The states.
    package var states: [DetectorState] = []

    /// Makes a model without states.
    package init(initial: SourceText) {
        self.initial = initial
    }
}

/// A state of a detector model.
package struct DetectorState: Sendable {
    /// The name of the state.
    package var name: SourceText
    /// The events on entering the state.
    package var onEnter: [DetectorEvent] = []
    /// The events on each input and each end of a timer.
    package var onInput: [DetectorEvent] = []
    /// The transitions on inputs and ends of timers.
    package var transitions: [DetectorEvent] = []
    /// The events on leaving the state.
    package var onExit: [DetectorEvent] = []

    /// Makes a state without events.
    package init(name: SourceText) {
        self.name = name
    }
}

/// An event of a detector: actions that a condition guards.
package struct DetectorEvent: Sendable {
    /// The name of the event.
    package var name: SourceText
    /// The condition; nil for always.
    package var condition: DetectorExpression?
    /// The actions, in order.
    package var actions: [DetectorAction] = []
    /// The target state; nil for an event that is no transition.
    package var next: SourceText?

    /// Makes an event without actions.
    package init(name: SourceText) {
        self.name = name
    }
}

/// An action of a detector.
package struct DetectorAction: Sendable {
    /// The kinds of actions.
    package enum Kind: Sendable {
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
    package var kind: Kind
    /// The word of the action, with its place.
    package var source: SourceText

    /// Makes an action.
    package init(_ kind: Kind, at source: SourceText) {
        self.kind = kind
        self.source = source
    }
}
