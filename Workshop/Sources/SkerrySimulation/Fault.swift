/// The kinds of faults in a world.
package enum Fault: String, CaseIterable, Sendable {
    /// The process ends between two calls of the bus.
    case crash
    /// The process ends before a commit was written.
    case crashBeforeCommit = "crash-before-commit"
    /// The process ends after a commit, before anything was acknowledged or sent.
    case crashAfterCommit = "crash-after-commit"
    /// The power fails before the last commits have reached the disk.
    case lostCommits = "lost-commits"
    /// The store refuses commits for a while.
    case refusal
    /// The connection to the broker breaks.
    case lostConnection = "lost-connection"
    /// The connection breaks while the bridge sends: some publications arrive, some do not.
    case brokenSending = "broken-sending"
    /// The connection breaks while acknowledgements are on their way.
    case lostAcknowledgements = "lost-acknowledgements"
    /// The broker forgets the session, and perhaps its retained messages.
    case lostSession = "lost-session"
    /// The broker crashes: the session survives, but its retained messages from the bridge are older ones.
    case oldRetained = "old-retained"
    /// An older copy of the database is put back.
    case oldStore = "old-store"
    /// The database is damaged and set aside.
    case lostStore = "lost-store"
    /// A message is delivered again.
    case repetition
    /// A message is delayed, and with it the later ones of its topic.
    case delay
    /// A message overtakes an earlier one of another topic.
    case reordering
    /// The sink beside the broker fails for a while and returns its deliveries.
    case sinkFailure = "sink-failure"
    /// The process ends after the sink got a delivery and before it settled the delivery.
    case crashWhileTelling = "crash-while-telling"
    /// Definitions are changed, removed and put back while devices run.
    case reload
    /// The wall clock is set forward.
    case clockForward = "clock-forward"
    /// The wall clock is set back.
    case clockBack = "clock-back"
    /// The machine boots in 1970 and learns the time later.
    case clockUnset = "clock-unset"
    /// The wall clock was ahead when the process ended, and is right when the next one starts.
    case clockCorrected = "clock-corrected"
    /// The machine boots with the time of its last end and learns the right one later.
    case clockResumed = "clock-resumed"
    /// A node is paused after a commit or while it sends, and goes on, perhaps after the end of its lease.
    case pause
    /// A node is cut off from the database for a while.
    case cutDatabase = "cut-database"
    /// A node is cut off from the broker for a while.
    case cutBroker = "cut-broker"
    /// A commit of the former owner of the lease arrives when another node takes it.
    case lateCommit = "late-commit"
    /// The active node ends in good order, and another one takes over.
    case handOver = "hand-over"
    /// A node becomes active whose wall clock is off.
    case nodeClock = "node-clock"
}

/// The number of times that each kind of fault has fired.
package struct FaultCounts: Sendable {
    private var counts: [Int] = Array(repeating: 0, count: Fault.allCases.count)

    /// Makes counts that are all 0.
    package init() {}

    /// The number of times that one kind of fault has fired.
    package subscript(fault: Fault) -> Int {
        get { counts[Self.place(fault)] }
        set { counts[Self.place(fault)] = newValue }
    }

    /// Adds the counts of another world.
    package mutating func add(_ other: FaultCounts) {
        for fault in Fault.allCases { self[fault] += other[fault] }
    }

    /// All counts in one line.
    package var line: String { Fault.allCases.map { "\($0.rawValue) \(self[$0])" }.joined(separator: ", ") }

    private static func place(_ fault: Fault) -> Int { Fault.allCases.firstIndex(of: fault) ?? 0 }
}

/// A broken promise that a judge found.
package struct Violation: Error, Sendable {
    /// The name of the judge.
    package var judge: String
    /// The finding, in words.
    package var message: String

    /// Makes a violation.
    package init(_ judge: String, _ message: String) {
        self.judge = judge
        self.message = message
    }
}
