/// What can go wrong in a world.
public enum Fault: String, CaseIterable, Sendable {
    /// The process ends between two calls of the bus.
    case crash
    /// The process ends before a commit was written.
    case crashBeforeCommit = "crash-before-commit"
    /// The process ends after a commit, before anything was acknowledged or sent.
    case crashAfterCommit = "crash-after-commit"
    /// The power fails, and the disk has not got the last commits.
    case lostCommits = "lost-commits"
    /// The store refuses for a while.
    case refusal
    /// The connection to the broker breaks.
    case lostConnection = "lost-connection"
    /// The connection breaks while the bridge sends: some publications arrive, some do not.
    case brokenSending = "broken-sending"
    /// The connection breaks while acknowledgements are on their way.
    case lostAcknowledgements = "lost-acknowledgements"
    /// The broker forgot the session, and perhaps what it retained.
    case lostSession = "lost-session"
    /// The broker crashed: the session is there, what it retains of the bridge is older.
    case oldRetained = "old-retained"
    /// An older copy of the database is put back.
    case oldStore = "old-store"
    /// The database is damaged and set aside.
    case lostStore = "lost-store"
    /// A message is delivered again.
    case repetition
    /// A message is held back, and those of its topic behind it.
    case delay
    /// A message overtakes an earlier one of another topic.
    case reordering
    /// The sink beside the broker fails for a while and gives back what it took.
    case sinkFailure = "sink-failure"
    /// The process ends after the sink was told and before it settled.
    case crashWhileTelling = "crash-while-telling"
    /// Definitions are changed, taken away and put back while devices run.
    case reload
    /// The wall clock is set forward.
    case clockForward = "clock-forward"
    /// The wall clock is set back.
    case clockBack = "clock-back"
    /// The machine starts in 1970 and learns the time later.
    case clockUnset = "clock-unset"
    /// The wall clock was ahead when the process ended, and is right when the next one starts.
    case clockCorrected = "clock-corrected"
    /// The machine starts with the time of its last end and learns the right one later.
    case clockResumed = "clock-resumed"
}

/// How often each kind of fault has fired.
public struct FaultCounts: Sendable {
    private var counts: [Int] = Array(repeating: 0, count: Fault.allCases.count)

    /// Nothing has fired.
    public init() {}

    /// How often one kind has fired.
    public subscript(fault: Fault) -> Int {
        get { counts[Self.place(fault)] }
        set { counts[Self.place(fault)] = newValue }
    }

    /// Adds the counts of another world.
    public mutating func add(_ other: FaultCounts) {
        for fault in Fault.allCases { self[fault] += other[fault] }
    }

    /// All of them in one line.
    public var line: String { Fault.allCases.map { "\($0.rawValue) \(self[$0])" }.joined(separator: ", ") }

    private static func place(_ fault: Fault) -> Int { Fault.allCases.firstIndex(of: fault) ?? 0 }
}

/// Something that must never be.
public struct Violation: Error, Sendable {
    /// Who judged.
    public var judge: String
    /// What was wrong.
    public var message: String

    /// Makes a violation.
    public init(_ judge: String, _ message: String) {
        self.judge = judge
        self.message = message
    }
}
