import Logging
import SkerryEngine
import SkerryValues

/// The log and the health report of a bridge: every problem stands in both.
struct Journal {
    let logger: Logger
    var health: BridgeHealth
    private var traffic = TrafficLog()
    private var repeated = RepeatedNotes()
    /// True if foreign or unreadable topics have been reported.
    private var hasReportedOthers = false

    init(logger: Logger, startedAt start: Timestamp) {
        self.logger = logger
        health = BridgeHealth(startedAt: start)
    }

    /// The next moment at which the numbers of repeated notes are logged; nil without any.
    var due: Timestamp? { repeated.due }

    /// Reports a problem; one that devices cause is counted under `kind` when there are many.
    ///
    /// Changes the health report, and the counts of repeated notes.
    mutating func note(_ id: LogID, _ problem: String, kind: String? = nil, at now: Timestamp) {
        health.problems += 1
        health.lastProblem = (now, problem)
        if let kind, !repeated.isFirst(kind, at: now) { return }
        logger.warning(id, problem)
    }

    /// Reports a problem that came several times at once; changes what ``note(_:_:kind:at:)`` changes.
    mutating func note(
        _ count: UInt64,
        of problem: @autoclosure () -> String,
        kind: String,
        at now: Timestamp
    ) {
        if count == 0 { return }
        note(.beyondLimit, problem(), kind: kind, at: now)
        health.problems += count - 1
        repeated.add(Int(count - 1), kind)
    }

    /// Reports messages of others, or that nothing can be read back; once for each process.
    mutating func noteOthers(_ problem: String, at now: Timestamp) {
        if hasReportedOthers { return }
        hasReportedOthers = true
        note(.readBackFailed, problem, at: now)
    }

    /// Logs a repeated event that is not a problem: the first of a kind, then their number.
    mutating func mention(_ id: LogID, _ line: String, kind: String, at now: Timestamp) {
        if repeated.isFirst(kind, at: now) { logger.notice(id, line) }
    }

    /// Logs the numbers of repeated notes whose minute is over, and begins the next one.
    mutating func logRepeated(at now: Timestamp) {
        for line in repeated.summary(at: now) { logger.warning(.repeated, line) }
    }

    /// Begins a quarter of an hour of traffic, if one is over; called before anything is counted.
    mutating func record(_ counters: EngineCounters, at now: Timestamp) {
        traffic.note(counters, at: now)
    }

    /// The messages and updates of each quarter of an hour, oldest first.
    func quarters(upTo counters: EngineCounters) -> [TrafficLog.Quarter] {
        traffic.quarters(upTo: counters)
    }

    /// Moves all recorded moments by a step of the wall clock.
    mutating func clockStepped(by length: Interval) {
        repeated.clockStepped(by: length)
        health.clockStepped(by: length)
        traffic.clockStepped(by: length)
    }
}
