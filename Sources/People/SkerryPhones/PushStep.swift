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

        /// It as a number.
        var mark: UInt64 {
            "\(kind.rawValue) \(until?.microseconds ?? 0) \(text)".utf8.fingerprint
        }
    }

    /// Nothing to do until there is news.
    static let rest = Step.hold(nil, until: .distantFuture)
}
