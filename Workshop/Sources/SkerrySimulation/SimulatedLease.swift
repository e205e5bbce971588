import SkerryGateway
import SkerryValues

/// The row of the lease in the database of a world, with the conditions of the statements in `PostgresSession`.
struct LeaseRow {
    private(set) var token: Int64 = 0
    /// The number of the last commit.
    private(set) var batch: Int64 = 0
    /// The end of the lease by the clock of the database.
    private(set) var until = Timestamp.distantPast

    /// Gives the lease to another process, which gets a token of its own.
    mutating func take(until end: Timestamp) -> Int64 {
        token += 1
        until = end
        return token
    }

    /// Begins a transaction of the process with a token, and renews its lease.
    mutating func renew(_ token: Int64, until end: Timestamp) throws(StoreFault) {
        guard token == self.token else { throw StoreFault("another node has the lease", .taken) }
        until = end
    }

    /// Begins a commit of the process with a token, unless another one came after the commit that it knew as the last one.
    mutating func begin(_ token: Int64, after batch: Int64, until end: Timestamp) throws(StoreFault) {
        guard batch == self.batch else { throw StoreFault("another commit was first", .taken) }
        try renew(token, until: end)
        self.batch += 1
    }
}

/// A lease that a node has taken, and what lies between the node and the database.
final class SimulatedLease {
    /// The fate of the next commit of a node that is cut off from the database.
    enum Fate: CaseIterable {
        /// It does not arrive.
        case lost
        /// It is stored, and the answer does not arrive.
        case unanswered
        /// It arrives when another node takes the lease.
        case late
    }

    /// A pause of the node, which begins once it does something.
    struct Pause {
        enum Place: CaseIterable {
            case afterCommit, whileSending
        }

        var place: Place
        /// The time that the answer to the commit takes.
        var lateness: Interval
        /// The length of the pause after that.
        var length: Interval
    }

    static let length = Interval.seconds(10)

    let node: Int
    let term: LeaseTerm
    private let token: Int64
    private let time: SimulatedTime
    private let disk: SimulatedDisk
    /// The fate of the next commit; nil while the node reaches the database.
    var fate: Fate?
    /// The next pause.
    var pause: Pause?
    /// The end of the present pause.
    var pausedUntil: Timestamp?
    /// True if the process stops as soon as its next commit is on its way.
    var stopsInCommit = false

    /// Takes the lease.
    init(_ node: Int, _ time: SimulatedTime, _ disk: SimulatedDisk) {
        self.node = node
        self.time = time
        self.disk = disk
        let term = LeaseTerm(of: Self.length) { time.sinceBoot(of: node) + time.delay }
        self.term = term
        let token = try? term.hold { () throws(StoreFault) in disk.row.take(until: time.truth + Self.length) }
        self.token = token ?? 0
    }

    /// Renews the lease.
    func renew() throws(StoreFault) {
        try term.hold { () throws(StoreFault) in try disk.row.renew(token, until: time.truth + Self.length) }
    }

    /// Gives the lease up.
    func end() { try? disk.row.renew(token, until: time.truth) }

    /// Writes a commit, if it arrives and the node still has the lease.
    func commit(_ changes: StoreChanges) throws(StoreFault) {
        if stopsInCommit {
            disk.hasEnded = true
            disk.late = LateCommit(token: token, batch: disk.row.batch, changes: changes)
            throw StoreFault("the process is stopped")
        }
        if let fate {
            self.fate = .lost
            disk.isRefusing = true
            if fate == .unanswered {
                try disk.row.begin(token, after: disk.row.batch, until: time.truth + Self.length)
                try disk.applyUnanswered(changes)
            } else if fate == .late {
                disk.late = LateCommit(token: token, batch: disk.row.batch, changes: changes)
            }
            throw StoreFault("the database does not answer", .away)
        }
        try term.hold { () throws(StoreFault) in
            // In doubt about its last commit, the process asks for the number before it goes on.
            try disk.row.begin(token, after: disk.row.batch, until: time.truth + Self.length)
            if pause?.place == .afterCommit { time.delay = pause?.lateness ?? .zero }
        }
        time.delay = .zero
        // The connection on which it was sent is replaced by now.
        disk.late = nil
        try disk.apply(changes)
        pauseIfDue(.afterCommit)
    }

    /// Begins the pause that is due at a place.
    func pauseIfDue(_ place: Pause.Place) {
        guard let pause, pause.place == place else { return }
        pausedUntil = time.truth + pause.lateness + pause.length
        self.pause = nil
    }
}

/// A commit that is still on its way when the process that sent it can do nothing more.
struct LateCommit {
    var token: Int64
    /// The number of the commit before it.
    var batch: Int64
    var changes: StoreChanges
}

extension SimulatedDisk {
    /// Writes a late commit, unless another node has the lease, or a later commit came first.
    func write(_ commit: LateCommit, at now: Timestamp) throws(StoreFault) {
        try row.begin(commit.token, after: commit.batch, until: now + SimulatedLease.length)
        try apply(commit.changes)
        _ = takeWritten()
    }
}
