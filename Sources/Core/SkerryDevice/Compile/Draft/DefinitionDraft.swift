public import SkerryValues

/// A definition as written, with the place of every part that a problem may be reported at.
///
/// Readers of YAML make drafts. The names of a draft are not resolved and its expressions not parsed:
/// `Definition.compile(_:)` does both.
///
/// See docs/decisions/0002-drafts.md.
public struct DefinitionDraft: Sendable {
    /// The kind of device, such as `washer`; a topic level of everything published.
    public var kind: SourceText
    /// The name of this kind of device for people; nil for the kind itself.
    public var name: SourceText?
    /// The topics of its devices' messages, with the format of the payloads.
    public var sources: [SourceDraft] = []
    /// The values that people may choose for each device.
    public var settings: [SettingDraft] = []
    /// The messages that tell that a device of the kind is there.
    package var recognition: [RecognitionDraft] = []
    /// Variables of the machine with the expressions of their first values.
    public var context: [NamedText] = []
    /// The named timers.
    public var timers: [TimerDraft] = []
    /// The root state of the machine; its name is empty.
    public var machine: StateDraft
    /// The activity; nil when devices of the kind have none.
    public var activity: ActivityDraft?
    /// The drawing of the activity on phone and page.
    package var island: IslandDraft?
    /// The new states of devices whose state was removed: old name to new name.
    package var migrations: [NamedText] = []
    /// True if a part could not be read and was left out; a part that seems missing may be that one.
    package var isIncomplete = false
    /// The kinds of names with parts that could not be read; an unknown name of such a kind may be one of them.
    package var unreadNames: Set<NameKind> = []
    /// A hash of the source text, identical on every platform; 0 without a text.
    package var fingerprint: UInt64 = 0

    /// A kind of name that a definition introduces.
    package enum NameKind: Sendable, CaseIterable {
        /// The states of the machine.
        case state
        case timer
        /// The variables of the machine.
        case variable
        case signal
        /// The settings.
        case setting
        /// The attributes and the fields of the content.
        case field
    }

    /// The words of the language itself, which can't be names of signals.
    package static let reservedNames = [
        "changed", "context", "device", "elapsed", "event", "inState", "now", "payload", "settings", "since",
        "state", "timer", "topic",
    ]

    /// The first declaration of a signal.
    func firstDraft(ofSignal name: String) -> NamedText? {
        for source in sources {
            let signal = source.signals.first { $0.name.text.hasSameCodePoints(as: name) }
            if let signal { return signal }
        }
        return nil
    }

    /// A definition with what recognises the devices of this one, and the settings that they can have.
    package var outline: DefinitionDraft {
        var machine = StateDraft(name: machine.name)
        machine.states = [StateDraft(name: SourceText("any", at: machine.name.place))]
        var outline = DefinitionDraft(kind: kind, machine: machine)
        outline.name = name
        // A definition has one that makes devices.
        outline.sources = sources.filter { $0.reach == .new }.prefix(1).map { source in
            var source = source
            (source.signals, source.forms, source.validRanges) = ([], [], [])
            (source.available, source.event) = (nil, nil)
            return source
        }
        outline.settings = settings
        outline.recognition = recognition
        outline.fingerprint = fingerprint
        return outline
    }

    /// Makes a draft with a kind and a machine, and no other part.
    public init(kind: SourceText, machine: StateDraft) {
        self.kind = kind
        self.machine = machine
    }
}

/// A name and the text that belongs to it.
public struct NamedText: Sendable {
    /// The name, such as a signal's.
    public var name: SourceText
    /// The text, usually an expression.
    public var text: SourceText

    /// Makes a pair.
    public init(name: SourceText, text: SourceText) {
        self.name = name
        self.text = text
    }
}

/// A topic filter with its payload format, and the signals taken from its messages.
public struct SourceDraft: Sendable {
    /// The topic filter; `{device}` names the device unless ``device`` does, other names in braces are captures.
    public var topic: SourceText
    /// The format in which payloads are read.
    public var payload: PayloadFormat = .json
    /// The signals with their expressions.
    public var signals: [NamedText] = []
    /// The signals among them that follow values over time.
    package var forms: [SignalFormDraft] = []
    /// The numbers that are possible, of the signals that say so.
    package var validRanges: [(signal: SourceText, range: ClosedRange<Double>)] = []
    /// The fields of a payload of bytes; empty when the payload is the list of its bytes.
    public var fields: [PayloadField] = []
    /// An expression that is true when the device can be reached.
    public var available: SourceText?
    /// An expression whose text is raised as an event of the machine, by each message that is not retained.
    public var event: SourceText?
    /// A template that names the device, in place of `{device}` in the topic.
    public var device: SourceText?
    /// Names of devices here, with their names in this definition.
    package var aliases: [NamedText] = []
    /// The devices that messages may belong to.
    public var reach = SourceReach.new
    /// A condition under which a message counts.
    public var when: SourceText?
    /// An expression for a list whose elements are read as messages of their own.
    public var each: SourceText?
    /// An expression for the name that people gave the device.
    public var name: SourceText?

    /// Makes a source of a topic filter.
    public init(topic: SourceText) {
        self.topic = topic
    }
}

/// A named timer as written.
public struct TimerDraft: Sendable {
    /// The kind of end of a timer.
    public enum Kind: Sendable {
        /// The device reports the time that is left.
        case remaining(SourceText)
        /// The device reports the moment of the end.
        case until(SourceText)
        /// The length is known at the start.
        case duration(SourceText)
        /// The timer counts up and has no end.
        case countUp
    }

    /// The name, as in `timer.<name>`.
    public var name: SourceText
    /// The kind of end, with its expression.
    public var kind: Kind
    /// The difference up to which a new estimate leaves the end where it is.
    public var tolerance: SourceInterval?
    /// The same difference as a part of the time that is left, from 0 to 1; 0 for none.
    package var relativeTolerance = 0.0
    /// The condition under which the timer runs, otherwise it is frozen; nil when only actions drive it.
    package var runsWhile: SourceText?
    /// True if it stops while that condition does not hold, in place of a pause.
    public var stops = false
    /// The moment from which the timer counts, evaluated at its start; the moment of the start when nil.
    public var from: SourceText?
    /// The moment from which the timer has been paused, evaluated when it is; the moment of the pause when nil.
    package var pausedFrom: SourceText?
    /// The effect of a restart of Skerry on a running timer.
    public var onRestart: RestartPolicy = .deadline
    /// The effect on the start when the device reports another end.
    public var onNewEnd: NewEndPolicy = .keep
    /// The plan for learning from past runs; nil without one.
    package var learning: LearningDraft?

    /// Makes a timer.
    public init(name: SourceText, kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// The plan for learning a timer's end from past runs, as written.
package struct LearningDraft: Sendable {
    /// The key `learn`, for problems of the whole.
    package var name: SourceText
    /// An expression for the number whose course tells runs apart.
    package var curve: SourceText?
    /// An expression for the programme.
    package var by: SourceText?
    /// The condition under which a run that ends is remembered.
    package var when: SourceText?
    /// An expression for the moment at which a run was over, if that was before its end.
    package var end: SourceText?

    /// Makes a part that learns from the length of all runs.
    package init(name: SourceText) { self.name = name }
}

/// A message that tells that a device of the kind is there, as written.
package struct RecognitionDraft: Sendable {
    /// The message, read as that of a source is; without signals.
    package var source: SourceDraft
    /// The certainty with which such a message tells of a device.
    package var certainty: Certainty

    /// Makes a recognition by the messages of a source.
    package init(_ source: SourceDraft, certainty: Certainty = .certain) {
        self.source = source
        self.certainty = certainty
    }
}

/// A setting as written: its default and its bounds.
public struct SettingDraft: Sendable {
    /// The name, as in `settings.<name>`.
    package var name: SourceText
    /// The value for devices that have no other.
    package var standard: SettingValue
    /// The smallest value allowed; nil when there is none.
    package var least: SettingValue?
    /// The greatest value allowed; nil when there is none.
    package var greatest: SettingValue?
    /// The purpose of the setting, for people.
    package var text: String?

    /// Makes a setting without bounds.
    package init(name: SourceText, standard: SettingValue) {
        self.name = name
        self.standard = standard
    }
}

/// A signal that follows values over time, as written; its first expression stands among the signals of the source.
package struct SignalFormDraft: Sendable {
    /// The name of the signal.
    package var signal: SourceText
    /// The figure that is made of the values.
    package var kind: SignalFormKind
    /// The values of a mean, a median or a rate; nil for the last two of a rate.
    package var over: SignalSpan?
    /// The unit of time of an integral or a rate; an hour when nil.
    package var per: SourceInterval?
    /// The longest time for which a value counts in an integral; a quarter of an hour when nil.
    package var gap: SourceInterval?
    /// The number at which a counter begins at 0 again; nil for one that only a reset brings back.
    package var wraps: Double?
    /// The condition under which a signal with `on` turns false; nil for "when `on` does not hold".
    package var off: SourceText?
    /// The time for which a signal with `on` must have differed before it turns.
    package var delay: SourceInterval?

    /// Makes a form without options.
    package init(signal: SourceText, kind: SignalFormKind) {
        self.signal = signal
        self.kind = kind
    }
}
