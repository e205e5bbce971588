import SkerryValues

/// The next step for one activity on one phone, or on one channel.
enum Step {
    /// This can go now.
    case send(Intent)
    /// Nothing to do before a moment, unless there is news.
    case hold(Hold?, until: Timestamp)

    /// The purpose of a push.
    enum Intent: Equatable {
        /// Ask for a channel, on which the next instance is started.
        case openChannel
        case start
        /// Tell an alert by a notification, for a reason.
        case notice(String)
        case update(instance: Int)
        case end(instance: Int)
        /// Ask which channels there are: before the first of ours, and when the answer to the wish for one got lost.
        case listChannels
        /// Give a channel back.
        case closeChannel
    }

    /// Why nothing is sent, worth telling.
    struct Hold {
        var kind: PhoneDecision.Kind
        var text: String
        var until: Timestamp?

        /// A hash that identifies the hold.
        var mark: UInt64 {
            "\(kind.rawValue) \(until?.microseconds ?? 0) \(text)".utf8.fingerprint
        }
    }

    /// Nothing to do until there is news.
    static let rest = Step.hold(nil, until: .distantFuture)
}

/// The outcome of the last look at a phone, or at the channels of an activity, so that a push costs only what has changed.
///
/// It is good until its moment comes, or until something changes on which it depends (``PushScheduler/touch(phone:)``,
/// ``PushScheduler/touch(activity:)``, ``PushScheduler/planAnew()``).
struct Plan: Sendable {
    /// The moment at which it has to be made again; nothing has been planned yet at first.
    var due = Timestamp.distantPast
    /// The rank of the best push that can go now; nil if none can.
    var rank: Rank?

    /// Returns the moment at which something can be sent, or the plan has to be made again.
    func moment(at now: Timestamp) -> Timestamp {
        assert(rank != nil || due > now, "what waits is due already, and would be asked again without end")
        return rank == nil ? due : now
    }

    /// The rank of a push among others.
    struct Rank: Hashable, Sendable {
        /// True if it brings an alert, which goes before everything else.
        var hasAlert: Bool
        /// True if it is news; a new estimate of a known end is not.
        var isUrgent: Bool
        var waitsSince: Timestamp

        func goesBefore(_ other: Rank) -> Bool {
            if hasAlert != other.hasAlert { return hasAlert }
            return isUrgent == other.isUrgent ? waitsSince < other.waitsSince : isUrgent
        }
    }
}
