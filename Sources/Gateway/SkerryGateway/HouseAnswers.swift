import SkerryValues

/// The port to everything that readers may ask of a running bridge; called from any thread.
///
/// A question is answered later, on another thread, because the caller must not wait for the bus.
///
/// See docs/decisions/0036-http-api.md.
public protocol HouseAnswers: Sendable {
    /// Asks a question.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - viewer: Who asks: what that one may not see is as if it were not there.
    ///   - then: Called exactly once with the answer, on any thread, and soon: it only hands the answer on. The answers to
    ///     ``HouseQuestion/devices`` and ``HouseQuestion/device(kind:name:)`` come on the thread of the bridge, between
    ///     two events that it tells, so that a reader can go on with the events after it.
    func ask(
        _ question: HouseQuestion,
        for viewer: Viewer,
        then: @escaping @Sendable (HouseAnswer) -> Void
    )
}

/// A question about the house, or something to do in it.
public enum HouseQuestion: Hashable, Sendable {
    /// All devices.
    case devices
    /// The explanation of a device.
    case device(kind: String, name: String)
    /// The timeline of a device.
    case timeline(kind: String, name: String)
    /// The bridge itself: broker, counters, health.
    case status
    /// The numbers of the bridge in the text format of Prometheus.
    case metrics
    /// All definitions.
    case definitions
    /// One definition with its text, its machine and its layout.
    case definition(kind: String)
    /// The runs that go on, and those that have ended, from the last end back; of one kind, of one device, and behind one run
    /// in this order, if that is said.
    case runs(kind: String?, device: String?, before: String? = nil, limit: Int)
    /// The recording that the bridge keeps of a device, as lines.
    case recording(kind: String, device: String)
    /// The failed deliveries to phones and recipients, newest first; with a service or a recipient, only its own.
    case failures(service: String?, recipient: String?, limit: Int)
    /// The topics of the broker that no definition reads.
    case unreadTopics
    /// The devices on the broker that definitions which come with Skerry recognise and the bridge does not run, and the topics of
    /// others.
    case found
    /// A definition that comes with Skerry, as ``definition(kind:)`` tells one in force.
    case shelvedDefinition(kind: String)
    /// Something to be done about a found device; with a name for it, if it is used.
    case decide(FoundDecision, kind: String, device: String, name: String?)
    /// A first text for the definition of a kind whose devices no definition knows, from the messages just heard on topics that a
    /// filter with `{device}` matches.
    case proposal(kind: String, filter: String)
    /// A check of a definition's text.
    case check(source: String)
    /// The compiled form of a definition's text.
    case compile(source: String)
    /// A replay of a recording.
    case replay(ReplayRequest)
    /// An event for a device.
    case event(kind: String, device: String, name: String)
    /// A message of a device in JSON, as if the broker had sent it; one with the same key and content counts once.
    case message(kind: String, device: String, payload: [UInt8], key: String?)
    /// A test activity on a phone; of one kind, if that is said.
    case test(phone: String, kind: String?)
    /// A new text for the definition of a kind, to be checked and written to its file, in place of the definition with one of
    /// these versions, see ``HouseAnswer/version(of:)``; nil for any.
    case saveDefinition(kind: String, source: String, over: [String]?)
    /// The text of a definition of a new kind, to be checked and written to a file of its own.
    case addDefinition(kind: String, source: String)
    /// The file of a definition to be removed, if it is one of these versions; nil for any.
    case removeDefinition(kind: String, over: [String]?)
    /// The settings and the name of a device in place of those that were chosen so before, to be checked and kept; nil
    /// leaves either as it is, an empty name takes it back.
    case chooseSettings(kind: String, device: String, settings: [GivenSetting]?, name: String? = nil)
    /// The cards of the devices that somebody arranged on the page, in their order.
    case cards
    /// All cards anew.
    case arrange([DeviceCard])
}

/// The card of a device on the page.
public struct DeviceCard: Hashable, Sendable {
    /// The device.
    public var device: DeviceKey
    /// The room that it is in; empty for none.
    public var room: String
    /// True if it has no card.
    public var isHidden: Bool

    /// Makes the card of a device.
    public init(device: DeviceKey, room: String = "", isHidden: Bool = false) {
        self.device = device
        self.room = room
        self.isHidden = isHidden
    }
}

/// A decision about a device that was found.
public enum FoundDecision: String, Hashable, Sendable, CaseIterable {
    /// The definition of its kind is used.
    case use
    /// The definition of its kind is no longer used.
    case giveUp = "give-up"
    /// It is not told any more.
    case hide
    /// It is told again.
    case show
}

/// A value for a setting of a device, as somebody gives it.
public struct GivenSetting: Hashable, Sendable {
    /// The name of the setting.
    public var name: String
    /// The value as it is written in YAML, without quotes: `20`, `5m`, `true`.
    public var value: String
    /// True for a text, also one that looks like a number; lengths of time are texts.
    public var isText: Bool

    /// Makes a value for a setting.
    public init(_ name: String, _ value: String, isText: Bool) {
        self.name = name
        self.value = value
        self.isText = isText
    }
}

/// A wish to run a recording through a definition.
public struct ReplayRequest: Hashable, Sendable {
    /// The text of the definition; nil for a running one.
    public var source: String?
    /// The kind of the running definition.
    public var kind: String?
    /// The lines of a recording; nil for what the bridge keeps of a device.
    public var recording: String?
    /// The device whose recording the bridge keeps, as `kind/name`.
    public var device: String?

    /// Makes a request.
    public init(
        source: String? = nil,
        kind: String? = nil,
        recording: String? = nil,
        device: String? = nil
    ) {
        self.source = source
        self.kind = kind
        self.recording = recording
        self.device = device
    }
}

/// The answer to a question about the house.
public enum HouseAnswer: Equatable, Sendable {
    /// A JSON object; for a recording its lines, for a compiled definition its bytes, and nothing for an event.
    case found([UInt8])
    /// The reason why there is none.
    case problem(HouseProblem)

    /// The mark that tells an answer from all others to the same question.
    public static func version(of bytes: [UInt8]) -> String { String(bytes.fingerprint, radix: 16) }
}

/// The reason why a question about the house has no answer.
public struct HouseProblem: Error, Hashable, Sendable {
    /// The sort of a problem, as far as HTTP tells them apart.
    public enum Sort: Hashable, Sendable, CaseIterable {
        /// There is no such thing.
        case notFound
        /// The question is wrong.
        case wrong
        /// It can't be done as things are.
        case conflict
        /// Something else is there than the one who asks has read.
        case outdated
        /// The question or its answer is too large.
        case tooMuch
        /// The bridge can't answer now.
        case unavailable
    }

    /// Its sort.
    public var sort: Sort
    /// Its code for programs, such as `no-recording`; never changes.
    public var code: String
    /// A sentence for people: what is wrong, and what to do.
    public var detail: String
    /// The problems of a definition as a JSON array, as its check has them; nil if it is about no definition.
    public var problems: [UInt8]?
    /// The name of the setting that it is about; nil if it is about none.
    public var setting: String?

    /// Makes a problem.
    public init(_ sort: Sort, code: String, detail: String, problems: [UInt8]? = nil, setting: String? = nil)
    {
        self.sort = sort
        self.code = code
        self.detail = detail
        self.problems = problems
        self.setting = setting
    }
}
