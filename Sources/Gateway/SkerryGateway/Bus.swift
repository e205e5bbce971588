public import SkerryValues

/// The port to the MQTT broker: one thread that reads messages in batches and acknowledges after the commit.
///
/// The bus decides nothing. It calls its handler, always from the same thread, and keeps this order:
///
/// 1. read a batch, until nothing more has come or the batch is full;
/// 2. ``BusHandler/handle(_:)``, which runs the engine and commits;
/// 3. only then let acknowledgements leave, and take publications from ``BusHandler/nextPublication()`` for as
///    long as its window has room.
///
/// While there is no connection the bus keeps calling ``BusHandler/wake()`` in time, so timers never depend on
/// a broker.
package protocol Bus: Sendable {
    /// Starts the thread and hands the handler over to it; connecting goes on in the background.
    ///
    /// - Throws: ``BusFault`` for settings that can never work, such as a missing certificate. If the broker can't be
    ///   reached, the handler is informed by ``BusHandler/disconnected(_:)``.
    func start<Handler: BusHandler>(_ handler: sending Handler) throws(BusFault)

    /// Asks for one call of ``BusHandler/wake()`` soon; from any thread.
    func wake()

    /// Asks the bus to end; may be called from any thread, and repeatedly.
    ///
    /// It handles the messages it has read, sends the publications that ``BusHandler/nextPublication()`` still
    /// returns, then ``BusHandler/farewell()``, disconnects and ends its thread, all within a time limit.
    func stop()

    /// Returns once the thread has ended.
    func finished() async
}

/// The handler that a bus calls: the gateway's loop, on the thread of the bus.
///
/// All calls come from that one thread, one after another, so a handler needs no locks. No call may block for longer
/// than one commit takes: meanwhile the bus sends nothing, not even a ping.
public protocol BusHandler: AnyObject, SendableMetatype {
    /// Handles a batch in the order of arrival, and commits its changes before it returns.
    ///
    /// Slices of the batch share its storage. Copy the bytes that you keep, or the next batch has to allocate new
    /// storage. A batch without messages comes only to report ``MessageBatch/oversizedCount``.
    func handle(_ batch: MessageBatch) -> BatchOutcome

    /// The time that the bus may sleep before it calls ``wake()``; nil for no limit.
    ///
    /// The time from now to the handler's next deadline, asked before every sleep. Only zero or less brings a
    /// ``wake()``, so an answer that does not shrink as time passes never comes due.
    var sleepLimit: Interval? { get }

    /// Comes when ``sleepLimit`` has passed, and after ``Bus/wake()``; early and repeated calls must not hurt.
    func wake()

    /// Returns the next publication to send; nil when nothing waits.
    ///
    /// Called only while connected and with room in the window. The bus takes over the publication: it sends it,
    /// again after a lost connection if the acknowledgement is missing, and answers with exactly one
    /// ``settled(_:_:)``, in this run or never.
    func nextPublication() -> Publication?

    /// Reports the outcome of a publication, by its ``Publication/id``.
    func settled(_ id: UInt64, _ outcome: PublicationOutcome)

    /// The filters to subscribe to and to leave; asked after every connect and after every ``wake()``.
    ///
    /// Only changes since the last call are sent to the broker.
    func subscriptionPlan() -> SubscriptionPlan

    /// Reports the broker's answer to each filter of the plan.
    func subscribed(_ outcomes: [SubscriptionOutcome])

    /// Comes after each connect, before any message and before ``subscriptionPlan()`` is asked.
    func connected(_ session: BusSession)

    /// Comes for a lost connection, and for each attempt to connect that failed.
    func disconnected(_ fault: BusFault)

    /// Comes last of all, when the bus has ended and nothing more will be sent.
    func ended()

    /// The last publication, sent when the bus is about to disconnect on request; settled like all others.
    func farewell() -> Publication?
}

// A handler that only listens has nothing to publish, and needs neither a connection nor an end.
extension BusHandler {
    /// Returns nothing to send.
    package func nextPublication() -> Publication? { nil }

    /// Does nothing, because nothing was sent.
    package func settled(_ id: UInt64, _ outcome: PublicationOutcome) {}

    /// Does nothing.
    package func connected(_ session: BusSession) {}

    /// Does nothing.
    package func ended() {}

    /// Returns nothing to send.
    package func farewell() -> Publication? { nil }
}

/// The handler's answer to a batch.
public enum BatchOutcome: Sendable {
    /// All it changed is stored: acknowledge the messages.
    case committed

    /// It could not be stored: acknowledge nothing.
    ///
    /// The bus drops the connection and comes back after a pause; then the broker sends the messages again.
    case notCommitted

    /// It is stored up to a message that ends the handler: acknowledge nothing, and end.
    ///
    /// What was handled comes again in this session, see docs/decisions/0024-handled-messages.md.
    case ended
}

/// The outcome of a publication.
public enum PublicationOutcome: Sendable, Equatable {
    /// QoS 1: the broker has it. QoS 0: it was handed to the network, and nothing more can be known.
    case acknowledged
    /// The broker or the library will never take it; sending it again would not help. The reason begins with the topic.
    case refused(reason: String)
}

/// The filters of a subscription.
public struct SubscriptionPlan: Sendable, Equatable {
    /// Filters to subscribe to, with QoS 1 and No Local: the handler's own publications do not come back.
    public var filters: [String]
    /// Filters of the handler's own topics, to read back the retained messages; QoS 0, so that none of them waits in
    /// the session.
    public var own: [String]
    /// Filters of the handler's own topics, to notice other clients that write there; QoS 0, without retained messages.
    package var watched: [String]
    /// Filters that a persistent session may still have and that are no longer wanted.
    package var obsolete: [String]
    /// True if the broker sends retained messages also for filters that the session had before.
    public var wantsRetained: Bool

    /// Makes a plan.
    public init(
        filters: [String],
        own: [String] = [],
        watched: [String] = [],
        obsolete: [String] = [],
        wantsRetained: Bool = false
    ) {
        self.filters = filters
        self.own = own
        self.watched = watched
        self.obsolete = obsolete
        self.wantsRetained = wantsRetained
    }
}

/// The broker's answer to one filter.
public struct SubscriptionOutcome: Sendable, Equatable {
    /// The filter as it was asked for.
    public var filter: String
    /// The quality the broker grants; nil if it refused.
    public var granted: QualityOfService?
    /// Why it refused, in its words; empty if it did not.
    public var reason: String

    /// Makes an outcome.
    public init(filter: String, granted: QualityOfService?, reason: String = "") {
        self.filter = filter
        self.granted = granted
        self.reason = reason
    }
}

/// The broker's answer to a new connection.
public struct BusSession: Sendable, Equatable {
    /// True if the broker still held the session: subscriptions are intact, and messages of the meantime follow.
    public var isResumed: Bool
    /// True if the broker sends retained messages again for filters that the session had before, also if it was asked
    /// for new ones only: MQTT 3.1.1 has no such choice.
    package var repeatsRetained: Bool

    /// Makes a session.
    public init(isResumed: Bool, repeatsRetained: Bool = false) {
        self.isResumed = isResumed
        self.repeatsRetained = repeatsRetained
    }
}

/// The reason why there is no connection, in words for the person who can do something about it.
public struct BusFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of fault; each has its remedy.
    public enum Kind: Sendable, Equatable {
        /// A setting can never work.
        case configuration
        /// The host name leads nowhere.
        case unknownHost
        /// There is no answer, or no listener.
        case unreachable
        /// The secure connection could not be made.
        case security
        /// The broker refuses this user.
        case notAuthorized
        /// The broker refused the connection for another reason.
        case refused
        /// A connection that stood has ended.
        case connectionLost
        /// Another client with the same client id has taken the session over.
        case takenOver
        /// The handler could not commit, so the connection was given up.
        case notCommitted
    }

    /// The kind.
    public var kind: Kind
    /// The fault and its remedy: one line, no full stop.
    public var message: String
    /// The pause before the next attempt; nil if there is none.
    package var retryIn: Interval?

    /// Makes a fault.
    public init(_ kind: Kind, _ message: String, retryIn: Interval? = nil) {
        self.kind = kind
        self.message = message
        self.retryIn = retryIn
    }

    /// The message.
    public var description: String { message }
}
