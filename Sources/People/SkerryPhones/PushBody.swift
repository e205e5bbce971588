import SkerryActivity
import SkerryValues

/// The body of a push, as APNs wants it.
struct PushBody {
    /// The route to a phone after a start.
    enum Input {
        case token
        case channel(String)
    }

    var event: Push.Event
    var timestamp: Int64
    var alert: ActivityAlert?
    /// True if it is the last push of a run, or carries a new alert.
    var isVital: Bool { alertRev != nil || (event == .end && isLast) }
    /// True if it ends the run.
    var isLast = false
    /// The revision that the alert belongs to, when a definition asked for it.
    var alertRev: Int64?
    /// True if the alert is one that a definition asked for, and may be heard.
    var isAudible = false
    /// True if it carries its alert: iOS drops a start without one, and lights up the screen for each other.
    var showsAlert: Bool { alert.map { event == .start || $0.level != .passive } ?? false }
    var staleAt: Timestamp?
    var dismissAt: Timestamp?
    var input: Input?

    /// The body for an activity, JSON.
    ///
    /// - Parameters:
    ///   - activity: The activity.
    ///   - instance: The instance of the run on the phone.
    ///   - withContent: Whether it contains the content-state; only an end may lack it (WWDC23, session 10185). The card then
    ///     shows what it showed until it goes, which is at once.
    /// - Returns: an object with the one member `aps`.
    func render(_ activity: FollowedActivity, instance: Int, withContent: Bool = true) -> [UInt8] {
        assert(withContent || event == .end, "only an end may lack its content")
        assert(event == .start || input == nil, "only a start says by which route its updates come")
        assert(event != .start || alert != nil, "iOS drops a start without an alert")
        assert(alertRev == nil || alert != nil, "an alert counts as told that is not in the push")
        var writer = JSONWriter(capacity: 1024)
        writer.beginObject()
        writer.key("aps")
        writer.beginObject()
        writer.member("timestamp", timestamp)
        writer.member("event", event.name)
        if withContent {
            writer.member("content-state", json: activity.contentState)
        }
        if event == .start { writeStart(activity, instance, to: &writer) }
        write(staleAt, as: "stale-date", to: &writer)
        write(dismissAt, as: "dismissal-date", to: &writer)
        if event != .end {
            writer.member("relevance-score", activity.update.relevance)
        }
        if let alert, showsAlert {
            write(alert.complete(for: activity), to: &writer)
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    private func writeStart(_ activity: FollowedActivity, _ instance: Int, to writer: inout JSONWriter) {
        writer.member("attributes-type", activity.attributesType)
        writer.member("attributes", json: activity.attributes(instance: instance))
        switch input {
        case nil: break
        case .token:
            writer.member("input-push-token", 1)
        case .channel(let id):
            writer.member("input-push-channel", id)
        }
    }

    private func write(_ moment: Timestamp?, as key: String, to writer: inout JSONWriter) {
        guard let moment else { return }
        writer.member(key, moment.roundedSeconds)
    }

    private func write(_ alert: ActivityAlert, to writer: inout JSONWriter) {
        writer.key("alert")
        writer.beginObject()
        alert.writeTexts(to: &writer)
        if isAudible, let sound = alert.heardSound {
            writer.member("sound", sound)
        }
        writer.endObject()
    }
}

extension PushBody {
    /// An update or an end of an activity that is shown already; one that is withheld goes away at once, without an alert.
    init(
        of activity: FollowedActivity,
        on lane: PushLane,
        isEnd: Bool,
        isWithheld: Bool = false,
        untold: RaisedAlert?,
        at now: Timestamp
    ) {
        self.init(event: isEnd ? .end : .update, timestamp: lane.nextTimestamp(at: now))
        isLast = isEnd && activity.isOver && !isWithheld
        if isLast || !isEnd, let untold {
            (alert, alertRev) = (untold.alert, untold.origin.rev)
            isAudible = true
        }
        if isEnd {
            let removal = activity.removal(isLast: isLast, timestamp: timestamp, at: now)
            // A card that is dismissed at once would take its alert with it.
            dismissAt = showsAlert ? max(removal, now + ActivityDismissal.alertShown) : removal
        } else {
            staleAt = activity.staleDate(of: timestamp, at: now)
        }
    }
}

extension FollowedActivity {
    /// The body of an ordinary notification of an alert, JSON.
    ///
    /// Beside `aps` it has the id of the activity, and the link that a tap opens.
    func notification(_ alert: ActivityAlert) -> [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        let alert = alert.complete(for: self)
        writer.beginObject()
        writer.key("aps")
        writer.beginObject()
        writer.key("alert")
        writer.beginObject()
        alert.writeTexts(to: &writer)
        writer.endObject()
        if let sound = alert.heardSound {
            writer.key("sound")
            alert.level == .critical ? Self.write(criticalSound: sound, to: &writer) : writer.string(sound)
        }
        writer.member("interruption-level", alert.level.name)
        writer.member("thread-id", id)
        writer.endObject()
        writer.member("activity", id)
        writer.member("link", LiveActivityContract.link(of: update))
        writer.endObject()
        return writer.bytes
    }

    /// A sound that is heard although the phone is set to silent, if the app may do that.
    private static func write(criticalSound sound: String, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("critical", 1)
        writer.member("name", sound)
        writer.member("volume", 1)
        writer.endObject()
    }

    func attributes(instance: Int) -> [UInt8] {
        LiveActivityContract.attributes(of: update, device: device, instance: instance)
    }

    /// The alert of a start, without which iOS drops it: one of the definition, else the name and the state.
    var startAlert: ActivityAlert {
        let title: String = if case .string(let name)? = update.attributes["name"] { name } else { device }
        let body: String =
            if case .string(let text)? = update.content["status"] { text } else { update.state }
        return ActivityAlert(title: title, body: body)
    }

    /// The alert that a lane has not delivered yet, while it is fresh; the alert of the end stays as long as the end is worth
    /// sending.
    func untoldAlert(after rev: Int64, freshness: Interval, at now: Timestamp) -> RaisedAlert? {
        guard let alert, alert.origin.rev > rev, now <= lastMoment(of: alert, freshness) else { return nil }
        return alert
    }

    /// The moment from which its alert is told no more.
    func alertEnds(freshness: Interval) -> Timestamp {
        guard let alert else { return .distantPast }
        return lastMoment(of: alert, freshness) + Interval(microseconds: 1)
    }

    private func lastMoment(of alert: RaisedAlert, _ freshness: Interval) -> Timestamp {
        let isOfEnd = isOver && alert.origin.rev == update.rev
        return alert.origin.at + (isOfEnd ? ActivityDismissal.longest : freshness)
    }
}

extension FollowedActivity {
    /// The stale-date of a push: never in the past, because iOS does not show an activity that begins stale; a
    /// countdown that stays at zero becomes stale a moment later.
    func staleDate(of timestamp: Int64, at now: Timestamp) -> Timestamp? {
        staleAt(seenFrom: now).map { max($0, Timestamp(seconds: timestamp) + Staleness.timeAtZero) }
    }
}

extension PushBody {
    /// The moment until which APNs keeps trying: as long as the card may be there, an update no longer than it is valid.
    ///
    /// iOS takes a card away twelve hours after its start. Until then a phone that was off shows it as it was, and needs
    /// the end also when the ended card is not to be seen any more.
    ///
    /// - Parameters:
    ///   - start: The start of the instance; nil if it is not known.
    ///   - now: The time.
    /// - Returns: The Unix second from which the push is of no use.
    func expiration(ofStart start: Timestamp?, at now: Timestamp) -> Int64 {
        let valid =
            switch event {
            case .update: staleAt ?? (start ?? now) + PushSchedulerSettings.activeLimit
            default: (start ?? now) + PushSchedulerSettings.shownLimit
            }
        return max(valid.roundedSeconds, now.flooredSeconds + 60)
    }
}

extension FollowedActivity {
    /// The moment at which phones remove it after an end: as the definition says after the last one, else at once.
    ///
    /// An end that comes late stays visible for a while.
    func removal(isLast: Bool, timestamp: Int64, at now: Timestamp) -> Timestamp {
        // A moment in the past has iOS remove the card now.
        let atOnce = Timestamp(seconds: timestamp - 1)
        let rest = dismissAt - update.at
        guard isLast, rest > .zero else { return atOnce }
        let seen = max(dismissAt, now + min(rest, Self.lateRest))
        return seen.roundedSeconds > timestamp ? seen : atOnce
    }

    /// The time for which a late end stays visible.
    private static let lateRest = Interval.minutes(15)

    /// The expected end of the run, from its countdowns; nil when none runs.
    var expectedEnd: Timestamp? {
        update.content.entries.compactMap { entry in
            guard case .map(let time) = entry.value, case .int(let end)? = time["end"] else { return nil }
            return Timestamp(seconds: end)
        }.max()
    }

    /// The moment until which APNs keeps a start for a phone that is off: the end of the run, at most as long as iOS would
    /// show it.
    func startExpiration(at now: Timestamp) -> Int64 {
        let latest = now + PushSchedulerSettings.activeLimit
        return min(max(expectedEnd ?? latest, now + .minutes(10)), latest).flooredSeconds
    }
}

extension ActivityAlert {
    /// Iphones and watches show title and body; neither is empty.
    fileprivate func complete(for activity: FollowedActivity) -> ActivityAlert {
        let other = activity.startAlert
        var alert = self
        if alert.title.isEmpty { alert.title = other.title.isEmpty ? activity.device : other.title }
        if alert.body.isEmpty {
            alert.body =
                [other.body, other.title, activity.device].first {
                    !$0.isEmpty && !$0.hasSameCodePoints(as: alert.title)
                } ?? alert.title
        }
        return alert
    }
}

extension ActivityAlert {
    /// Writes its title and body as members of an object, no longer than a push may have them.
    fileprivate func writeTexts(to writer: inout JSONWriter) {
        writer.member("title", LiveActivityContract.cut(title))
        writer.member("body", LiveActivityContract.cut(body))
    }
}
