public import SkerryDevice

/// A detector model of AWS IoT Events, every text with its place.
///
/// What a reader makes: expressions are parsed, names not looked up.
public struct DetectorModel: Sendable {
    /// When conditions see what the actions of the same group did.
    public enum Evaluation: Sendable {
        /// All conditions of a group are looked at before anything is done.
        case batch
        /// Each condition is looked at when its turn comes.
        case serial
    }

    /// What it is called.
    public var name: SourceText?
    /// What it says of itself.
    public var summary: SourceText?
    /// The field of the inputs that tells detectors apart; nil when there is just one.
    public var key: SourceText?
    /// When conditions see what actions did.
    public var evaluation = Evaluation.batch
    /// The name of the state in which detectors begin.
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
    /// Its name.
    public var name: SourceText
    /// What is done on entering it.
    public var onEnter: [DetectorEvent] = []
    /// What is done with each input and each timer that is over.
    public var onInput: [DetectorEvent] = []
    /// Where inputs and timers lead.
    public var transitions: [DetectorEvent] = []
    /// What is done on leaving it.
    public var onExit: [DetectorEvent] = []

    /// Makes a state in which nothing happens.
    public init(name: SourceText) {
        self.name = name
    }
}

/// Something that a detector does when a condition holds.
public struct DetectorEvent: Sendable {
    /// What it is called.
    public var name: SourceText
    /// When it happens; nil for always.
    public var condition: DetectorExpression?
    /// What is done.
    public var actions: [DetectorAction] = []
    /// The state it leads to; nil for an event that is no transition.
    public var next: SourceText?

    /// Makes an event that does nothing.
    public init(name: SourceText) {
        self.name = name
    }
}

/// An action of a detector.
public struct DetectorAction: Sendable {
    /// What is done.
    public enum Kind: Sendable {
        /// Gives a variable a value.
        case setVariable(String, DetectorExpression)
        /// Starts a timer for so many seconds.
        case setTimer(String, DetectorExpression)
        /// Starts a timer again for as long as before.
        case resetTimer(String)
        /// Forgets a timer.
        case clearTimer(String)
        /// Something outside of the detector, in words.
        case outside(String)
    }

    /// What is done.
    public var kind: Kind
    /// Where it stands, with its word.
    public var source: SourceText

    /// Makes an action.
    public init(_ kind: Kind, at source: SourceText) {
        self.kind = kind
        self.source = source
    }
}
