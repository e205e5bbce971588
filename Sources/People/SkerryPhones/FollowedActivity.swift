import SkerryActivity
package import SkerryValues

/// The revision with which an alert was raised, and its moment.
public struct AlertOrigin: Hashable, Sendable {
    /// The revision.
    package var rev: Int64
    /// The moment.
    package var at: Timestamp

    /// Makes it of both.
    package init(rev: Int64, at: Timestamp) { (self.rev, self.at) = (rev, at) }
}

/// An alert of an activity and where it comes from.
struct RaisedAlert: Sendable {
    let alert: ActivityAlert
    let origin: AlertOrigin

    /// The alert, raised so much later.
    func moved(by length: Interval) -> RaisedAlert {
        RaisedAlert(alert: alert, origin: AlertOrigin(rev: origin.rev, at: origin.at + length))
    }
}

/// An activity of the bridge that phones follow, as it is now.
struct FollowedActivity: Sendable {
    let kind: String
    let device: String
    /// The id of the phone that alone gets it, as a test; nil for an activity of a device.
    private(set) var recipient: String?
    /// The newest revision.
    private(set) var update: ActivityUpdate
    /// A hash of what a person sees: the same for revisions that look the same.
    private(set) var key: UInt64 = 0
    /// The content-state of the newest revision.
    private(set) var contentState: [UInt8] = []
    /// The last revision with a new state.
    private(set) var newsRev: Int64 = 0
    /// The last alert.
    private(set) var alert: RaisedAlert?
    /// The broadcast channels of the run.
    var channels: [BroadcastChannel] = []
    /// The last plan of its channels.
    var channelPlan = Plan()
    /// True if only a phone has reported it: it is ended there unless the bridge reports it soon.
    private(set) var isUnknown = false

    init(kind: String, device: String, update: ActivityUpdate, recipient: String? = nil) {
        self.kind = kind
        self.device = device
        self.recipient = recipient
        self.update = update
        _ = take(update)
    }

    /// An activity that a phone shows and that is unknown here; nil if the id is not one of an activity.
    init?(unknown id: String, at now: Timestamp) {
        let slash = UInt8(ascii: "/")
        let bytes = Array(id.utf8)
        guard let first = bytes.firstIndex(of: slash), let last = bytes.lastIndex(of: slash), first < last
        else {
            return nil
        }
        self.init(
            kind: String(decoding: bytes[..<first], as: UTF8.self),
            device: String(decoding: bytes[(first + 1)..<last], as: UTF8.self),
            update: ActivityUpdate(endOfUnknown: id, at: now)
        )
        isUnknown = true
    }

    /// The time that the bridge has for reporting an activity that a phone shows.
    static let unknownPatience = Interval.minutes(1)

    var id: String { update.id }
    var isOver: Bool { update.phase == .ended }
    var attributesType: String { LiveActivityContract.attributesType(ofKind: kind) }

    /// Takes a newer revision in.
    ///
    /// - Parameters:
    ///   - update: The revision.
    ///   - raised: The origin of its alert, if that is not the revision itself.
    /// - Returns: whether a person would see a difference.
    mutating func take(_ update: ActivityUpdate, raised: AlertOrigin? = nil) -> Bool {
        let former = self.update
        assert(update.id.hasSameCodePoints(as: former.id), "an activity takes in the news of another")
        assert(
            update.epoch != former.epoch || update.rev >= former.rev,
            "an older revision replaces a newer one"
        )
        assert(former.phase != .ended || update.rev == former.rev, "an activity goes on after its end")
        if update.isNewState || update.kind == .started || update.epoch != self.update.epoch {
            // Revisions of another epoch may be lower: compared with the old number, they would never be news.
            newsRev = update.rev
        }
        assert(newsRev <= update.rev, "the last news is of a revision that is still to come")
        if let alert = update.alert {
            self.alert = RaisedAlert(
                alert: alert,
                origin: raised ?? AlertOrigin(rev: update.rev, at: update.at)
            )
        }
        self.update = update
        contentState = LiveActivityContract.contentState(of: update)
        let key = LiveActivityContract.look(of: update)
        defer { self.key = key }
        return key != self.key
    }

    /// Has its last alert, and all that channels were sent, count as before a new epoch; returns the way to count.
    mutating func renumber(before first: Int64) -> Renumbering {
        let number = Renumbering(alert: alert?.origin.rev ?? .max, first: first)
        alert = alert.map { raised in
            let origin = AlertOrigin(rev: number(raised.origin.rev), at: raised.origin.at)
            return RaisedAlert(alert: raised.alert, origin: origin)
        }
        for index in channels.indices { channels[index].renumber(number) }
        return number
    }

    /// Returns whether a revision follows by itself from the one before it: timelines had foretold it.
    ///
    /// That is what comes at the end of the first countdown. A revision between the two would have moved that end, or have been
    /// a reason to ask for another timeline.
    func foretells(_ next: ActivityUpdate) -> Bool {
        guard case .countdown(let end) = update.staleness else { return false }
        return next.at == end
    }

    /// Ends an activity that gets no further updates; phones remove it at once.
    mutating func vanish(at now: Timestamp) {
        assert(!isOver, "an activity ends twice")
        var last = update
        last.phase = .ended
        // News, although no device made it: phones have older revisions only.
        last.rev += 1
        last.at = now
        last.dismissAt = now
        last.staleness = .never
        last.alert = nil
        last.isNewState = true
        _ = take(last)
        assert(isOver && newsRev == update.rev, "the end of an activity is no news to phones")
    }

    /// A hash of a push's content: the same when it is sent again.
    func repeatMark(_ told: PushLane.Told, at now: Timestamp) -> UInt64 {
        let stale = staleAt(seenFrom: now)?.microseconds ?? 0
        return "\(update.epoch) \(update.rev) \(told.alertRev ?? 0) \(stale) \(told.isBare)".utf8.fingerprint
    }

    /// A hash of a notification's content: it has the alert alone, whatever the card would show by now.
    func repeatMark(ofNotice told: PushLane.Told) -> UInt64 {
        "\(update.epoch) \(told.alertRev ?? 0)".utf8.fingerprint
    }

    /// The moment from which the content may be outdated, seen from `now`; nil if it is unknown.
    ///
    /// The end of a countdown is not moved, and may be past. A date that follows from silence is: while the bridge
    /// does not call the activity stale, its device is heard, so a phone without updates must not call it stale
    /// either. Each time it moves twice as far, so that a long run in which nothing changes costs few pushes.
    func staleAt(seenFrom now: Timestamp) -> Timestamp? { staleDates(seenFrom: now).shown }

    /// The moment after `now` at which ``staleAt(seenFrom:)`` moves on.
    func staleMoves(after now: Timestamp) -> Timestamp { staleDates(seenFrom: now).moves }

    private func staleDates(seenFrom now: Timestamp) -> (shown: Timestamp?, moves: Timestamp) {
        guard update.phase == .active, let first = update.staleness.date else { return (nil, .distantFuture) }
        guard case .silence = update.staleness else { return (first, .distantFuture) }
        var length = max(first - update.at, Self.shortestSilence)
        var shown = update.at + length
        while true {
            let moves = shown - Interval(microseconds: length.microseconds / 4)
            // A quarter ahead of its time, so that a push that arrives late still finds the card fresh.
            if moves > now { return (shown, moves) }
            length = length + length
            shown = shown + length
        }
    }

    /// A shorter silence is not worth a push to prolong it.
    private static let shortestSilence = Interval.minutes(2)

    mutating func clockStepped(by length: Interval) {
        update.at = update.at + length
        update.startedAt = update.startedAt + length
        update.staleness.move(by: length)
        update.dismissAt = update.dismissAt.map { $0 + length }
        update.heardAt = update.heardAt.map { $0 + length }
        alert = alert?.moved(by: length)
        for index in channels.indices { channels[index].clockStepped(by: length) }
    }

    /// The moment at which phones remove it after its end: at most four hours later.
    var dismissAt: Timestamp {
        let latest = update.at + ActivityDismissal.longest
        return min(update.dismissAt ?? latest, latest)
    }

    func write(to writer: inout ImageWriter) {
        writer.text(kind)
        writer.text(device)
        writer.data(update.image())
        writer.signed(newsRev)
        writer.optional(alert) {
            $1.alert.write(to: &$0)
            $0.signed($1.origin.rev)
            $0.moment($1.origin.at)
        }
        writer.list(channels) { $1.write(to: &$0) }
        writer.flag(isUnknown)
        writer.optional(recipient) { $0.text($1) }
    }

    init(from reader: inout ImageReader, version: UInt8) throws(ImageFault) {
        let kind = try reader.text()
        let device = try reader.text()
        let update = try ActivityUpdate(image: try reader.data()[...])
        self.init(kind: kind, device: device, update: update)
        newsRev = try reader.signed()
        alert = try reader.optional { reader throws(ImageFault) in
            let alert = try ActivityAlert(from: &reader, hasSound: version > 5)
            let origin = AlertOrigin(rev: try reader.signed(), at: try reader.moment())
            return RaisedAlert(alert: alert, origin: origin)
        }
        channels = try reader.list { reader throws(ImageFault) in
            try BroadcastChannel(from: &reader, version: version)
        }
        if version > 1 { isUnknown = try reader.flag() }
        if version > 3 {
            recipient = try reader.optional { reader throws(ImageFault) in try reader.text() }
        }
    }
}
