import SkerryValues

/// How far the bridge is, on one connection, with reading back what the broker retains below its prefix.
///
/// First it looks who is there (`bridge/state`, `bridge/info`), then it compares what is retained of devices, then it only
/// listens for others who write there. A step ends when the bridge's own echo comes back: the broker sends what it retains
/// before it. Where the echo is not allowed, a step ends when nothing has come for long enough.
///
/// See docs/decisions/0022-read-back.md.
struct ReadBack {
    /// What is done now.
    enum Stage: Equatable {
        /// Nothing: there is no connection.
        case apart
        /// Who is there?
        case meeting
        /// What is retained of devices?
        case comparing
        /// Does anybody else write there?
        case watching
    }

    private(set) var stage = Stage.apart
    /// Whether nobody knows what the broker retains of this bridge, because the store is new or has forgotten something.
    ///
    /// Then also what bears no mark of this bridge counts as its own, unless another bridge is there.
    var isDue: Bool
    /// Whether the session was there before this connection.
    private(set) var isResumed = false
    /// What `bridge/state` retains.
    var state: String?
    /// Who wrote `bridge/info` last.
    var signature: BridgeSignature?
    /// The last id that the store had given when `bridge/health` was written.
    var number = UInt64(0)
    /// Topics that the broker should retain and that were not found as they should be.
    var missing: Set<ExactText> = []
    /// Whether readers know more of this bridge than its store does.
    var isBehind = false
    /// Whether what bears no mark belongs to this bridge.
    var claims = false
    /// What was left because others may have written it.
    var left = (count: 0, example: "")
    /// What was taken away.
    var takenAway = 0
    /// Whether anything has come: the broker lets the bridge read here.
    private(set) var isReadable = false
    /// When the step ends even if no echo comes.
    private(set) var end: Timestamp?
    /// The number of the echo that is awaited; those of an earlier process are others.
    private(set) var echo: UInt64
    /// Whether the echo has to be sent.
    private var isEchoDue = false
    /// Whether the echo has come back.
    private var hasEcho = false

    /// How long after the last answer another may come.
    private var patience: Interval { stage == .meeting ? .seconds(3) : .seconds(10) }

    init(isDue: Bool, echo: UInt64) {
        self.isDue = isDue
        self.echo = echo
    }

    /// There is a connection.
    mutating func begin(_ session: BusSession, expecting topics: some Sequence<ExactText>, at now: Timestamp)
    {
        stop()
        advance(to: .meeting, at: now)
        isResumed = session.isResumed
        missing = Set(topics)
    }

    /// The broker has answered to the filters of this step.
    mutating func asked(at now: Timestamp) {
        echo += 1
        isEchoDue = true
        hasEcho = false
        end = now + patience
    }

    /// Something of what is retained has come.
    mutating func heard(at now: Timestamp) {
        isReadable = true
        if end != nil, !hasEcho { end = now + patience }
    }

    /// The number of the echo that has to be sent now.
    mutating func takeEcho() -> UInt64? {
        guard isEchoDue else { return nil }
        isEchoDue = false
        return echo
    }

    /// The echo of this step has come back.
    mutating func echoCame(at now: Timestamp) {
        guard end != nil else { return }
        isReadable = true
        hasEcho = true
        end = now
    }

    /// Goes on with the next step.
    mutating func advance(to next: Stage, at now: Timestamp) {
        stage = next
        end = next == .watching ? nil : now + patience
        isEchoDue = false
        hasEcho = false
    }

    /// Tries the end of this step again.
    mutating func postpone(until moment: Timestamp) { end = moment }

    /// The connection is gone, the next one begins again.
    mutating func stop() { self = ReadBack(isDue: isDue, echo: echo) }

    /// The clock says something else now, and nothing has waited any longer for that.
    mutating func clockMoved(by length: Interval) {
        end = end.map { $0 + length }
    }
}

/// What `bridge/info` says of the bridge that wrote it.
struct BridgeSignature: Equatable {
    /// The mark of its store; nil when an earlier version wrote it.
    var owner: String?
    /// Its MQTT client id.
    var client: String?
    /// The epoch of its revisions.
    var epoch: Int64?

    /// Reads a payload; nil when it is no object.
    init?(_ payload: ArraySlice<UInt8>) {
        guard case .map(let members)? = try? JSONReader.value(of: Array(payload).span) else { return nil }
        if case .string(let text)? = members["owner"] { owner = text }
        if case .string(let text)? = members["client"] { client = text }
        if case .int(let number)? = members["epoch"] { epoch = number }
    }
}

/// What a snapshot or a timeline says of its revision.
struct RevisionMark: Equatable {
    var id: String
    var epoch: Int64
    var rev: Int64

    /// Reads a payload; nil when it is neither.
    init?(_ payload: some Collection<UInt8>) {
        guard case .map(let members)? = try? JSONReader.value(of: Array(payload).span),
            case .string(let id)? = members["id"], case .int(let epoch)? = members["epoch"],
            case .int(let rev)? = members["rev"]
        else { return nil }
        self.id = id
        self.epoch = epoch
        self.rev = rev
    }

    /// The number of the run; later ones have higher numbers.
    private var run: Int64 { id.split(separator: "/").last.flatMap { Int64($0) } ?? .min }

    /// Whether it can only be of a time that comes after another revision of the same device and epoch, or is another
    /// one of the same number.
    func isNews(to known: RevisionMark) -> Bool {
        guard epoch == known.epoch else { return false }
        return id == known.id ? rev >= known.rev : run > known.run
    }
}

/// Others who write on the topics of this bridge, and how often it answers by writing its own again.
///
/// Two bridges that do so must not go on for ever: each answer comes later than the one before, up to ten minutes.
///
/// See docs/decisions/0023-rivals.md.
struct Rivalry {
    /// Topics on which somebody else has written since the last answer.
    private(set) var topics: Set<ExactText> = []
    /// When they are answered.
    private(set) var due: Timestamp?
    private var pause = Interval.zero
    private var answeredAt: Timestamp?

    private static let longestPause = Interval.minutes(10)

    /// Somebody else has written on a topic.
    mutating func add(_ topic: ExactText, at now: Timestamp) {
        topics.insert(topic)
        if due != nil { return }
        if let answeredAt, now - answeredAt < Self.longestPause {
            due = max(now, answeredAt + pause)
        } else {
            pause = .zero
            due = now
        }
    }

    /// The topics to answer now.
    mutating func takeDue(at now: Timestamp) -> Set<ExactText> {
        guard let due, due <= now else { return [] }
        self.due = nil
        answeredAt = now
        pause = pause == .zero ? .seconds(1) : min(pause + pause, Self.longestPause)
        defer { topics = [] }
        return topics
    }

    /// The clock says something else now.
    mutating func clockMoved(by length: Interval) {
        due = due.map { $0 + length }
        answeredAt = answeredAt.map { $0 + length }
    }
}
