import SkerryValues

// Apple keeps one push for an app: while a phone is off, each one replaces the one before, also that of another card. What
// got lost shows when the phone reports which revisions its cards have.

extension Shown {
    /// Takes note that a phone still shows an older revision, so that the present one is sent again.
    ///
    /// Each revision is sent again once at most, however often the older one is reported.
    ///
    /// - Parameters:
    ///   - older: The revision that the phone shows.
    ///   - repeated: The last revision that was sent again.
    /// - Returns: the revision that is sent again; nil if none is.
    fileprivate mutating func catchUp(from older: Int64, after repeated: Int64) -> Int64? {
        guard key != nil, older < rev, rev != repeated else { return nil }
        defer {
            key = nil
            // News since then goes as news.
            rev = older
        }
        return rev
    }
}

extension PushLane {
    /// Returns whether what was sent last has arrived, if it ever does, on a phone that reports then.
    fileprivate func isSettled(at confirmedAt: Timestamp) -> Bool {
        flight == nil && lastSentAt.map { confirmedAt > $0 + Phone.deliveryTime } ?? true
    }

    /// Takes note that the card shows a revision: whatever became of the answers, the alerts up to it were heard.
    ///
    /// - Returns: whether there was an alert without an answer.
    @discardableResult
    fileprivate mutating func showed(_ rev: Int64) -> Bool {
        guard let unanswered, unanswered.rev <= rev else { return false }
        told(alert: unanswered.rev)
        return true
    }
}

extension PhoneActivity {
    /// The channel that an instance listens on.
    func channel(ofInstance instance: Int) -> String? {
        place(ofInstance: instance).flatMap { instances[$0].channel }
    }

    /// Compares a revision that the phone shows with what it was sent.
    ///
    /// - Returns: whether a push got lost that is sent again.
    mutating func catchUp(from rev: Int64, _ instance: Int, _ confirmedAt: Timestamp) -> Bool {
        guard let place = place(ofInstance: instance), instances[place].channel == nil else { return false }
        lane.showed(rev)
        guard lane.isSettled(at: confirmedAt) else { return false }
        // A card that was thought to have ended is ended again, with its alert.
        let isBack = instances[place].shown.key == nil && instances[place].shown.rev == 0
        let lost = instances[place].shown.catchUp(from: rev, after: instances[place].repeatedRev)
        if let lost { instances[place].repeatedRev = lost }
        if isBack || lost != nil { lane.missed(alertsAfter: rev) }
        return lost != nil
    }
}

extension FollowedActivity {
    /// Takes note that a phone shows a revision that came by its channel, with its alert for all who listen.
    ///
    /// - Returns: whether there was an alert without an answer.
    mutating func showed(_ rev: Int64, by channel: String?) -> Bool {
        guard let channel,
            let place = channels.firstIndex(where: { $0.id.hasSameCodePoints(as: channel) })
        else { return false }
        return channels[place].lane.showed(rev)
    }

    /// Compares a revision that a phone shows with what was sent on its channel.
    ///
    /// - Returns: whether a push got lost that is sent again, to all phones on the channel.
    mutating func catchUp(from rev: Int64, _ channel: String?, _ confirmedAt: Timestamp) -> Bool {
        guard let channel, let place = channels.firstIndex(where: { $0.id.hasSameCodePoints(as: channel) }),
            channels[place].life == .open, channels[place].lane.isSettled(at: confirmedAt)
        else { return false }
        let lost = channels[place].shown.catchUp(from: rev, after: channels[place].repeatedRev)
        if let lost { channels[place].repeatedRev = lost }
        return lost != nil
    }
}
