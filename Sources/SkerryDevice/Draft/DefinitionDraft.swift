/// A definition as written, with the place of everything a problem may be reported at.
///
/// A draft is what a reader of YAML makes. Its names are not resolved and its expressions not parsed:
/// `Definition.compile(_:)` does that.
///
/// See docs/decisions/0002-drafts.md.
public struct DefinitionDraft: Sendable {
    /// The kind of device, such as `washer`; a topic level of everything published.
    public var kind: SourceText
    /// What people call this kind of device.
    public var name: SourceText?
    /// Where its messages come from.
    public var sources: [SourceDraft] = []
    /// Variables of the machine with the expressions of their first values.
    public var context: [NamedText] = []
    /// Its named timers.
    public var timers: [TimerDraft] = []
    /// The root of its machine; its name is empty.
    public var machine: StateDraft
    /// What people follow.
    public var activity: ActivityDraft?
    /// What phone and page draw.
    public var island: IslandDraft?
    /// Where devices go whose state has vanished from the definition: old name to new name.
    public var migrations: [NamedText] = []
    /// Whether something was left out because it could not be read; what seems to be missing may be just that.
    public var isIncomplete = false
    /// Kinds of names of which some could not be read, so that a name nobody knows may be one of them.
    public var unreadNames: Set<NameKind> = []
    /// Tells the text that it was read from from others, the same on every machine; 0 when there was none.
    public var fingerprint: UInt64 = 0

    /// What the author of a definition gives names to.
    public enum NameKind: Sendable {
        /// The states of the machine.
        case state
        /// The timers.
        case timer
        /// The variables of the machine.
        case variable
        /// The signals.
        case signal
        /// The attributes and the fields of the content.
        case field
    }

    /// Words that the language uses itself, which no signal can have for a name.
    public static let reservedNames = [
        "changed", "context", "device", "elapsed", "event", "inState", "now", "payload", "since", "state",
        "timer", "topic",
    ]

    /// Makes a draft of a kind with a machine, and nothing else yet.
    public init(kind: SourceText, machine: StateDraft) {
        self.kind = kind
        self.machine = machine
    }
}

/// A name and the text that belongs to it.
public struct NamedText: Sendable {
    /// The name, such as a signal's.
    public var name: SourceText
    /// The text, mostly an expression.
    public var text: SourceText

    /// Makes a pair.
    public init(name: SourceText, text: SourceText) {
        self.name = name
        self.text = text
    }
}

/// A topic filter with its payload format, and the signals taken from its messages.
public struct SourceDraft: Sendable {
    /// The topic filter; `{device}` names the device, other names in braces are captures.
    public var topic: SourceText
    /// How payloads are read.
    public var payload: PayloadFormat = .json
    /// The signals with their expressions.
    public var signals: [NamedText] = []
    /// An expression that tells whether the device can be reached.
    public var available: SourceText?
    /// An expression whose text is raised as an event of the machine by every message that is no replay.
    public var event: SourceText?

    /// Makes a source of a topic filter.
    public init(topic: SourceText) {
        self.topic = topic
    }
}

/// How a payload is read.
public enum PayloadFormat: UInt8, Sendable, CaseIterable {
    /// RFC 8259 JSON.
    case json
    /// UTF-8 text.
    case text
    /// A number in the grammar of JSON, white space around it allowed.
    case number
    /// `true`/`false`, `on`/`off`, `online`/`offline`, `yes`/`no`, `1`/`0`, in any case of letters.
    case bool

    /// The word of the definition language.
    public var name: String {
        switch self {
        case .json: "json"
        case .text: "text"
        case .number: "number"
        case .bool: "bool"
        }
    }
}

/// A named timer as written.
public struct TimerDraft: Sendable {
    /// How the end of a timer is known.
    public enum Kind: Sendable {
        /// The device tells how long it still takes.
        case remaining(SourceText)
        /// The device tells when it ends.
        case until(SourceText)
        /// The length is known when it starts.
        case duration(SourceText)
        /// It counts up and has no end.
        case countUp
    }

    /// Its name.
    public var name: SourceText
    /// How its end is known.
    public var kind: Kind
    /// The end moves only when the estimate moved by more.
    public var tolerance: SourceInterval?
    /// It runs while this holds and is frozen elsewhere; nil when only actions drive it.
    public var runsWhile: SourceText?
    /// The moment it counts from, evaluated when it starts; now when nil.
    public var from: SourceText?
    /// What becomes of it over a restart of the gateway.
    public var onRestart: RestartPolicy = .deadline
    /// What becomes of its start when the device tells another end.
    public var onNewEnd: NewEndPolicy = .keep

    /// Makes a timer.
    public init(name: SourceText, kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// What becomes of a running timer over a restart of the gateway.
public enum RestartPolicy: UInt8, Sendable, CaseIterable {
    /// It kept running.
    case deadline
    /// It goes on with the time it had left.
    case remaining
    /// It starts over with its whole length.
    case restart
    /// It is gone.
    case drop

    /// The word of the definition language.
    public var name: String {
        switch self {
        case .deadline: "deadline"
        case .remaining: "remaining"
        case .restart: "restart"
        case .drop: "drop"
        }
    }
}

/// What becomes of the start of a countdown when the device tells an end that differs by more than the tolerance.
public enum NewEndPolicy: UInt8, Sendable, CaseIterable {
    /// It stays: a progress bar shows how much of the whole is over.
    case keep
    /// It is read anew, or is now: a progress bar begins again.
    case restart

    /// The word of the definition language.
    public var name: String {
        switch self {
        case .keep: "keep"
        case .restart: "restart"
        }
    }
}
