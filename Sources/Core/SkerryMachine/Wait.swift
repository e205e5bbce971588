import SkerryValues

/// A transition that waits for its time: `after`, `for`, `quiet`, `past`, or a recurring moment.
@usableFromInline
struct Wait: Sendable, Hashable {
    enum Kind: UInt8, Sendable {
        case after
        case sustained
        case quiet
        case recurring
        /// Silence that only some messages break.
        case partialQuiet
        /// A moment that an expression gives.
        case past

        var isQuiet: Bool { self == .quiet || self == .partialQuiet }
    }

    enum Phase: UInt8, Sendable {
        /// The deadline has not come yet.
        case armed
        /// The deadline passed during a lapse of the condition; the transition is taken if the lapse ends in time.
        case matured
        /// The wait is over until the condition has been false (sustained), a message has come (quiet), or the moment lies
        /// in the future again (past).
        case spent
    }

    let transition: TransitionID
    let kind: Kind
    var phase = Phase.armed
    /// The moment of arming, or the moment the condition became true.
    var since: Timestamp
    /// The moment the condition became false; the distant future while it is true.
    var lapsedAt = Timestamp.distantFuture
    /// Its end, unless a later message moves it, and its place in the order of arming.
    var due: Deadline

    init(_ transition: TransitionID, _ kind: Kind, since: Timestamp, due: Deadline) {
        self.transition = transition
        self.kind = kind
        self.since = since
        self.due = due
    }

    var isLapsed: Bool { lapsedAt != .distantFuture }

    /// Returns the end of the wait, which for silence depends on the last message; nil when no end is to come.
    func deadline(lastHeard: Timestamp) -> Deadline? {
        guard phase == .armed else { return nil }
        // A partial silence is restarted by the messages that break it, which `lastHeard` does not tell.
        guard kind == .quiet, lastHeard > since else { return due }
        // Computed when asked: a message changes `lastHeard` and no wait (0009).
        return Deadline(at: due.at + (lastHeard - since), sequence: due.sequence)
    }

    /// Puts the end of the wait at another moment; its place in the order of arming stays.
    mutating func postpone(to moment: Timestamp) {
        assert(phase == .armed, "the end of a wait moves that is over")
        due.at = moment
    }

    /// True if it waits for this moment, or has waited for one that is past.
    func waits(for moment: Timestamp, at now: Timestamp) -> Bool {
        // One that is armed may be due, but not handled yet.
        phase == .armed ? due.at == moment : moment <= now
    }

    /// Restarts a wait for silence with its full length; its place in the order of arming stays.
    mutating func restart(at now: Timestamp) {
        assert(kind.isQuiet, "a message begins a wait again that is not for silence")
        // Before `since` changes: the difference is the whole length.
        due.at = now + (due.at - since)
        since = now
        phase = .armed
    }
}

extension Wait {
    func write(to writer: inout ImageWriter) {
        writer.unsigned(UInt64(transition.rawValue))
        writer.tag(kind.rawValue)
        writer.tag(phase.rawValue)
        writer.moment(since)
        writer.optional(isLapsed ? lapsedAt : nil) { $0.moment($1) }
        due.write(to: &writer)
    }

    /// Reads a wait back; nil if the chart no longer has its transition, or has one of another kind.
    init?(from reader: inout ImageReader, map: ChartMap, chart: Statechart) throws(ImageFault) {
        let transition = map.transition(try reader.unsigned())
        guard let kind = Kind(rawValue: try reader.tag()), let phase = Phase(rawValue: try reader.tag())
        else {
            throw .malformed
        }
        let since = try reader.moment()
        let lapsedAt = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        let due = try Deadline(from: &reader)
        // Read to its end first: what follows stands behind it even if the wait is dropped.
        guard let transition, Kind(of: chart.transitions[transition.index].trigger) == kind else {
            return nil
        }
        self.init(transition, kind, since: since, due: due)
        self.phase = phase
        self.lapsedAt = lapsedAt ?? .distantFuture
    }

    /// Moves a wait that began after the origin of a shift; a wait for silence always moves,
    /// one for a recurring moment never.
    mutating func move(by shift: ClockShift) {
        if isLapsed { lapsedAt = shift.moved(lapsedAt) }
        // A time of day does not move with the clock. Silence counts only while the bridge listens (0011), so it has
        // not grown in the time that is found.
        guard kind != .recurring, kind != .past, kind.isQuiet || since >= shift.origin.moment else { return }
        since = since + shift.length
        due.move(by: shift.length)
    }

    /// Postpones a wait for silence by a length of time.
    mutating func forgive(_ length: Interval) {
        if kind.isQuiet { postpone(by: length) }
    }

    /// Moves a wait by a length of time in which it did not count.
    mutating func postpone(by length: Interval) {
        since = since + length
        due.move(by: length)
        if isLapsed { lapsedAt = lapsedAt + length }
    }
}

extension Wait.Kind {
    fileprivate init?(of trigger: Statechart.Trigger) {
        switch trigger {
        case .after: self = .after
        case .sustained: self = .sustained
        case .quiet(_, let silence): self = silence == nil ? .quiet : .partialQuiet
        case .recurring: self = .recurring
        case .past: self = .past
        case .always, .event: return nil
        }
    }
}
