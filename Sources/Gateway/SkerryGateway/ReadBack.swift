import SkerryValues

/// The progress of the read-back on one connection.
///
/// First it finds out which bridge is online (`bridge/state`, `bridge/info`), then it compares the retained messages
/// of devices, then it only watches for other clients that write there. A step ends when the bridge's own echo comes
/// back, because the broker sends retained messages before it. If the echo is not allowed, a step ends some time
/// after the broker has answered to the filters, without messages.
///
/// See docs/decisions/0022-read-back.md.
struct ReadBack {
    /// The present step.
    enum Stage: Equatable {
        /// There is no connection.
        case apart
        /// Finding out which bridge is online.
        case meeting
        /// Comparing the retained messages of devices.
        case comparing
        /// Watching for other clients that write there.
        case watching
    }

    private(set) var stage = Stage.apart
    /// True if the bridge's own retained messages are unknown, because the store is new or has lost commits.
    ///
    /// Then messages without a mark of this bridge also count as its own, unless another bridge is online.
    var isDue: Bool
    /// True if the session was there before this connection.
    private(set) var isResumed = false
    /// True if retained messages of devices are repetitions: the session has or had them, and what came later may be
    /// in its queue, before or behind them.
    private(set) var ignoresRetained = false
    /// The retained `bridge/state`.
    var state: String?
    /// The bridge that wrote `bridge/info` last.
    var signature: BridgeSignature?
    /// The other bridges with this prefix, by the levels of their topics; noticed only by a bridge of a partition.
    var others: [String: OtherBridge] = [:]
    /// The last id that the store had given when `bridge/health` was written.
    var number = UInt64(0)
    /// Topics that the broker should retain and that were not found as they should be.
    var missing: Set<ExactText> = []
    /// True if readers have later revisions than the store; outlives the connection until a new epoch begins.
    var isBehind = false
    /// True if messages without a mark belong to this bridge.
    var claims = false
    /// The messages left alone because other clients may have written them.
    var left = (count: 0, example: "")
    /// The number of deleted messages.
    var takenAway = 0
    /// True if any message has come: the broker allows the bridge to read here.
    private(set) var isReadable = false
    /// The moment at which the step ends even without an echo.
    private(set) var end: Timestamp?
    /// The number of the echo that is awaited; those of an earlier process are others.
    private(set) var echo: UInt64
    /// True if the echo has to be sent.
    private var isEchoDue = false
    /// True if the echo has come back.
    private var hasEcho = false

    /// The time to wait for a further message after the last one.
    private var patience: Interval { stage == .meeting ? .seconds(3) : .seconds(10) }

    /// Begins with a process, whose start makes its echo different from those of earlier ones.
    init(isDue: Bool, at start: Timestamp) {
        self.init(isDue: isDue, echo: UInt64(bitPattern: start.microseconds))
    }

    private init(isDue: Bool, echo: UInt64) {
        self.isDue = isDue
        self.echo = echo
    }

    /// Begins with a new connection.
    mutating func begin(_ session: BusSession, expecting topics: some Sequence<ExactText>) {
        stop()
        advance(to: .meeting)
        isResumed = session.isResumed
        ignoresRetained = session.isResumed && session.repeatsRetained && !isDue
        missing = Set(topics)
    }

    /// Records that the broker has answered to the filters of this step.
    mutating func asked(at now: Timestamp) {
        echo += 1
        isEchoDue = true
        hasEcho = false
        end = now + patience
    }

    /// Records that a retained message has come.
    mutating func heard(at now: Timestamp) {
        isReadable = true
        // After the echo the step is over; a message that still comes must not prolong it.
        if end != nil, !hasEcho { end = now + patience }
    }

    /// The number of the echo that has to be sent now.
    mutating func takeEcho() -> UInt64? {
        guard isEchoDue else { return nil }
        isEchoDue = false
        return echo
    }

    /// Records that the echo of this step has come back.
    mutating func echoCame(at now: Timestamp) {
        guard end != nil else { return }
        isReadable = true
        hasEcho = true
        end = now
    }

    /// Goes on with the next step.
    mutating func advance(to next: Stage) {
        stage = next
        // The time begins with the answer of the broker: on a slow network, what it repeats, or retains, comes late.
        end = nil
        isEchoDue = false
        hasEcho = false
        if next == .watching { ignoresRetained = false }
    }

    /// Tries the end of this step again.
    mutating func postpone(until moment: Timestamp) { end = moment }

    /// Ends with the connection; the next one begins again, but remembers evidence of an older store.
    mutating func stop() {
        let isBehind = isBehind
        // The number of the echo goes on, so that a late echo of the former connection ends no step of the next one.
        self = ReadBack(isDue: isDue, echo: echo)
        self.isBehind = isBehind
    }

    /// Moves the end by a step of the wall clock.
    mutating func clockMoved(by length: Interval) {
        end = end.map { $0 + length }
    }
}

/// The identity of a bridge, read from `bridge/info`.
struct BridgeSignature: Equatable {
    /// The mark of its store; nil when an earlier version wrote it.
    var owner: String?
    /// Its MQTT client id.
    var client: String?
    /// The machine that it runs on; nil when that is unknown.
    var machine: String?
    /// The epoch of its revisions.
    var epoch: Int64?
    /// The topic prefix under which it announces devices to Home Assistant.
    var announces: String?
    /// The number of partitions of which it has one; nil if it has all devices.
    var partitions: Int64?

    /// Reads a payload; nil if it is not an object.
    init?(_ payload: ArraySlice<UInt8>) {
        guard case .map(let members)? = try? JSONReader.value(of: Array(payload).span) else { return nil }
        if case .string(let text)? = members["owner"] { owner = text }
        if case .string(let text)? = members["client"] { client = text }
        if case .string(let text)? = members["machine"] { machine = text }
        if case .int(let number)? = members["epoch"] { epoch = number }
        if case .string(let text)? = members["homeAssistant"] { announces = text }
        if case .int(let number)? = members["partitions"] { partitions = number }
    }
}

/// The retained messages of another bridge with the same prefix.
struct OtherBridge {
    var isOnline = false
    /// The number of partitions of which it has one; nil if it has all devices.
    var partitions: Int64?
}

/// The revision of a snapshot or a timeline.
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

    /// Returns whether it must be later than another revision of the same device and epoch, or is a different one with
    /// the same number.
    func isNews(to known: RevisionMark) -> Bool {
        guard epoch == known.epoch else { return false }
        return id == known.id ? rev >= known.rev : run > known.run
    }
}

/// Other clients that write to the topics of this bridge, and the moments at which it publishes its own messages again.
///
/// Two bridges must not answer each other endlessly: each answer comes later than the one before, up to ten minutes.
///
/// See docs/decisions/0023-rivals.md.
struct Rivalry {
    /// Topics to which another client has written since the last answer.
    private(set) var topics: Set<ExactText> = []
    /// The moment of the next answer.
    private(set) var due: Timestamp?
    private var pause = Interval.zero
    private var answeredAt: Timestamp?

    private static let longestPause = Interval.minutes(10)

    /// Records that another client has written to a topic.
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

    /// Moves its moments by a step of the wall clock.
    mutating func clockMoved(by length: Interval) {
        due = due.map { $0 + length }
        answeredAt = answeredAt.map { $0 + length }
    }
}
