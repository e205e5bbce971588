import SkerryValues

/// The progress of the read-back on one connection.
///
/// First it finds out which bridge is online (`bridge/state`, `bridge/info`), then it compares the retained messages
/// of devices, then it only watches for other clients that write there. A step ends when the bridge's own echo comes
/// back, because the broker sends retained messages before it. If the echo is not allowed, a step ends some time
/// after the broker has answered to the filters, without messages.
///
/// See docs/decisions/0022-read-back.md.
struct ReadBackProgress {
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
        assert(stage == .apart && end == nil && missing.isEmpty, "a step of the last connection goes on")
        advance(to: .meeting)
        isResumed = session.isResumed
        ignoresRetained = session.isResumed && session.repeatsRetained && !isDue
        missing = Set(topics)
    }

    /// Records that the broker has answered to the filters of this step.
    mutating func asked(at now: Timestamp) {
        assert(stage == .meeting || stage == .comparing, "an echo is awaited in no step")
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
        assert(next != stage && next != .apart, "a step of the read-back is not followed by another one")
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
        self = ReadBackProgress(isDue: isDue, echo: echo)
        self.isBehind = isBehind
    }

    /// Moves the end by a step of the wall clock.
    mutating func clockMoved(by length: Interval) {
        end = end.map { $0 + length }
    }
}
