import SkerryValues

/// One activity on one phone: its instances and its push lane.
struct PhoneActivity: Sendable {
    /// The id of the activity.
    let activity: String
    /// The activities of this run that the phone shows: one; for a while two, the older one first, at a renewal.
    var instances: [ActivityInstance] = []
    /// The number of the newest instance; 0 before the first.
    var lastInstance = 0
    /// True if its user removed it: nothing of this run is shown again.
    var isMuted = false
    /// True if its user wants no sounds of this run, and when the phone said so; nil if it did not.
    private(set) var silence: (isOn: Bool, confirmedAt: Timestamp)?
    /// The moment at which it ended on the phone without a push: this run is not started again.
    private(set) var overAt: Timestamp?
    /// True if this end was inferred and not reported: then another push-to-start token shows that it is another phone by
    /// now.
    private(set) var isSilentlyOver = false
    /// The last removed instances, for reports that arrive late.
    private(set) var gone: [EndedInstance] = []
    /// True if the phone has another push-to-start token than when it was over: it may have been restored.
    var mayBeAnother = false
    /// The number of repeated starts, because the phone did not show it.
    var repeats = 0
    /// The number of starts in a row that were refused.
    var refusedStarts = 0
    /// A hash of the last reason to wait, so that it is reported once.
    var lastHold: UInt64?
    var lane = PushLane()

    init(activity: String) {
        self.activity = activity
    }

    func place(ofInstance instance: Int) -> Int? { instances.firstIndex { $0.number == instance } }

    /// True if the phone shows it or has shown it.
    var hasHistory: Bool { lastInstance > 0 || isMuted || !gone.isEmpty }

    /// True if its user wants no sounds of this run.
    var isSilent: Bool { silence?.isOn ?? false }

    /// Takes in whether its user wants sounds, unless the phone has said something later.
    mutating func setSilent(_ isOn: Bool, _ confirmedAt: Timestamp) {
        if let silence, silence.confirmedAt > confirmedAt { return }
        silence = (isOn, confirmedAt)
    }

    /// True if there is anything to remember when the process ends: its history, the answer to a refused start, or its
    /// user's wish for silence.
    var isWorthKeeping: Bool { hasHistory || lane.lastSentAt != nil || silence != nil }

    /// True if an instance can be reached by a push to it or its channel, or a push to one is in flight.
    var isReachable: Bool {
        lane.flight != nil || instances.contains { $0.token.token != nil || $0.channel != nil }
    }

    /// Records that an instance is no longer on the phone.
    ///
    /// - Parameters:
    ///   - instance: The instance.
    ///   - cause: Why.
    ///   - now: The moment at which that became known; for a report, its own moment.
    ///   - endsRun: Whether nothing of the run is to be started again.
    mutating func remove(
        _ instance: Int,
        _ cause: EndedInstance.Cause,
        at now: Timestamp,
        endsRun: Bool = false
    ) {
        guard let place = place(ofInstance: instance) else { return }
        let slot = instances[place].token
        let end = EndedInstance(
            number: instance,
            cause: cause,
            at: now,
            mark: slot.mark,
            told: slot.confirmedAt
        )
        if gone.count >= EndedInstance.limit { gone.removeFirst() }
        gone.append(end)
        assert(gone.count <= EndedInstance.limit, "more removed cards are remembered than promised")
        instances.remove(at: place)
        assert(self.place(ofInstance: instance) == nil, "a phone has two activities with one number")
        // While it is renewed, the other card of the run goes on.
        guard instances.isEmpty, endsRun else { return }
        overAt = now
        isSilentlyOver = cause == .silent
    }

    /// Allows the run to be started again.
    mutating func reopen() {
        overAt = nil
        isSilentlyOver = false
        mayBeAnother = false
    }

    /// Takes a start back that no phone has seen.
    mutating func undoStart(_ instance: Int) {
        instances.removeAll { $0.number == instance }
        // The next start gets the same number, and replaces one that APNs still keeps for the phone.
        if lastInstance == instance { lastInstance -= 1 }
        assert(lastInstance >= 0, "a start is taken back that there never was")
        assert(
            instances.allSatisfy { $0.number <= lastInstance },
            "the next start gets a number that is taken"
        )
    }

    mutating func clockStepped(by length: Interval) {
        for index in instances.indices {
            instances[index].startedAt = instances[index].startedAt + length
            instances[index].shown.clockStepped(by: length)
        }
        // Not `silence`: its moment is told by the phone, whose clock was not set.
        lane.clockStepped(by: length)
    }

    func write(to writer: inout ImageWriter) {
        writer.text(activity)
        let flight = lane.flight
        writer.list(instances) { writer, instance in
            var instance = instance
            // The result of a push in flight will never be known: it is sent again.
            if flight?.instance == instance.number {
                instance.shown.key = nil
                if flight?.event == .end { instance.isLeaving = true }
            }
            instance.write(to: &writer)
        }
        writer.count(lastInstance)
        writer.flag(isMuted)
        writer.optional(overAt) { $0.moment($1) }
        lane.write(to: &writer)
        writer.flag(isSilentlyOver)
        writer.list(gone) { $1.write(to: &$0) }
        writer.count(repeats)
        writer.flag(mayBeAnother)
        writer.optional(silence) {
            $0.flag($1.isOn)
            $0.moment($1.confirmedAt)
        }
        writer.count(refusedStarts)
    }

    init(from reader: inout ImageReader, version: UInt8) throws(ImageFault) {
        activity = try reader.text()
        instances = try reader.list { reader throws(ImageFault) in
            try ActivityInstance(from: &reader, version: version)
        }
        lastInstance = try reader.smallNumber()
        isMuted = try reader.flag()
        overAt = try reader.optional { reader throws(ImageFault) in try reader.moment() }
        lane = try PushLane(from: &reader, version: version)
        // No run ever has more, and planning relies on that.
        guard instances.count <= 2 else { throw .malformed }
        guard version > 1 else { return }
        isSilentlyOver = try reader.flag()
        gone = try reader.list { reader throws(ImageFault) in try EndedInstance(from: &reader) }
        repeats = try reader.smallNumber()
        mayBeAnother = try reader.flag()
        guard version > 4 else { return }
        silence = try reader.optional { reader throws(ImageFault) in
            (try reader.flag(), try reader.moment())
        }
        if version > 9 { refusedStarts = try reader.smallNumber() }
    }
}

/// One Live Activity on one phone, as iOS knows it.
struct ActivityInstance: Sendable {
    /// Its number in the run.
    let number: Int
    /// The moment at which its start was sent.
    var startedAt: Timestamp
    /// True if the start was accepted, or the phone reported the instance: as far as is known, it exists.
    var isAccepted = false
    /// True if the phone reported it.
    var isSeen = false
    /// The token for updates.
    var token = TokenSlot()
    /// The channel that it listens on, instead of a token.
    var channel: String?
    var shown = Shown()
    /// The push-to-start token of the phone on which it began, as a number.
    var startedBy: UInt64?
    /// The revision whose alert was sent with its start.
    var alertRev: Int64?
    /// True if an end was sent whose result is not known: it is sent until it is, because the card may have gone.
    var isLeaving = false
    /// The revision that was sent again because the phone reported an older one.
    var repeatedRev: Int64 = 0

    init(number: Int, startedAt: Timestamp) {
        self.number = number
        self.startedAt = startedAt
    }

    /// Makes an instance that is about to be started.
    init(_ number: Int, at now: Timestamp, on channel: String?, startedBy: UInt64?, alertRev: Int64?) {
        self.init(number: number, startedAt: now)
        self.channel = channel
        self.startedBy = startedBy
        self.alertRev = alertRev
    }

    /// True if it is certain that it is there, so that another one can go.
    var isConfirmed: Bool { token.token != nil || (channel != nil && isAccepted) }

    func write(to writer: inout ImageWriter) {
        writer.count(number)
        writer.moment(startedAt)
        writer.flag(isAccepted)
        token.write(to: &writer)
        writer.optional(channel) { $0.text($1) }
        shown.write(to: &writer)
        writer.flag(isSeen)
        writer.optional(startedBy) { $0.unsigned($1) }
        writer.optional(alertRev) { $0.signed($1) }
        writer.flag(isLeaving)
        writer.signed(repeatedRev)
    }

    init(from reader: inout ImageReader, version: UInt8) throws(ImageFault) {
        number = try reader.smallNumber()
        startedAt = try reader.moment()
        isAccepted = try reader.flag()
        token = try TokenSlot(from: &reader, version: version)
        channel = try reader.optional { reader throws(ImageFault) in try reader.text() }
        shown = try Shown(from: &reader)
        guard version > 1 else {
            // That version did not store it; but only the phone itself can have told a token.
            isSeen = token.token != nil
            return
        }
        isSeen = try reader.flag()
        startedBy = try reader.optional { reader throws(ImageFault) in try reader.unsigned() }
        alertRev = try reader.optional { reader throws(ImageFault) in try reader.signed() }
        guard version > 9 else { return }
        isLeaving = try reader.flag()
        repeatedRev = try reader.signed()
    }
}

/// An instance that is not on the phone any more, for all that is known.
struct EndedInstance: Sendable {
    /// The reason for its removal.
    enum Cause: UInt8, Sendable {
        /// A push ended it.
        case ended
        /// The phone reported it.
        case told
        /// Its token has expired, or the phone does not show it and gives no reason.
        case silent
    }

    let number: Int
    let cause: Cause
    /// The moment at which that became known; for a report, its own moment.
    let at: Timestamp
    /// Its last token, as a number.
    let mark: UInt64?
    /// The moment at which that token was confirmed.
    let told: Timestamp

    /// The number of removed instances to remember.
    static let limit = 4
    /// The time that an end may take to reach the phone; an instance reported later is still shown.
    private static let endDelay = Interval.minutes(1)

    /// Returns whether a report shows that it is there after all.
    ///
    /// Another token than the last is one that the phone got later: it rotates while the activity lives.
    func isContradicted(by token: String?, confirmedAt: Timestamp) -> Bool {
        let isSame = token.map { TokenSlot.mark(of: $0) == mark } ?? true
        return switch cause {
        // With its token, the card may just not have gone yet. With
        // another one, the end went to a token that was none any more.
        case .ended: confirmedAt > (isSame ? at + Self.endDelay : max(told, at - Self.endDelay))
        case .told: confirmedAt > at
        // Its token has expired for certain: only a list without tokens, or another token, proves more than that.
        case .silent: isSame ? token == nil && confirmedAt > at + Self.endDelay : confirmedAt > told
        }
    }

    func write(to writer: inout ImageWriter) {
        writer.count(number)
        writer.tag(cause.rawValue)
        writer.moment(at)
        writer.optional(mark) { $0.unsigned($1) }
        writer.moment(told)
    }

    init(from reader: inout ImageReader) throws(ImageFault) {
        number = try reader.smallNumber()
        guard let cause = Cause(rawValue: try reader.tag()) else { throw .malformed }
        self.cause = cause
        at = try reader.moment()
        mark = try reader.optional { reader throws(ImageFault) in try reader.unsigned() }
        told = try reader.moment()
    }

    init(number: Int, cause: Cause, at: Timestamp, mark: UInt64?, told: Timestamp) {
        self.number = number
        self.cause = cause
        self.at = at
        self.mark = mark
        self.told = told
    }
}

extension ImageReader {
    /// Reads a number of things that come one after the other.
    mutating func smallNumber() throws(ImageFault) -> Int {
        let number = try unsigned()
        // Far more than is ever counted here, and yet so few that counting on can't overflow.
        guard number < 1 << 31 else { throw .malformed }
        return Int(number)
    }
}
