public import SkerryActivity
public import SkerryValues
import Synchronization

/// Hands questions of other threads over to a running bridge.
///
/// The bridge looks into it when it is woken, so call ``Bus/wake()`` after adding something. It answers a few questions in
/// each turn, so that messages do not wait for them.
public final class QuestionMailbox: Sendable {
    /// The number of questions that may wait; further ones are refused.
    public static let capacity = 64

    /// A question and the receiver of its answer.
    struct Letter: Sendable {
        let question: BridgeQuestion
        let viewer: Viewer
        /// Called once, on the thread of the bus; hands the answer on.
        let then: @Sendable (BridgeReply) -> Void
    }

    private struct State {
        var letters: [Letter] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Makes an empty mailbox.
    public init() {}

    /// Puts a question in.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - viewer: Who asks.
    ///   - then: Called once with the answer, on the thread of the bus, and soon: it only hands the answer on.
    /// - Returns: false if too many questions wait, or the bridge has ended; `then` is not called.
    public func put(
        _ question: BridgeQuestion,
        for viewer: Viewer,
        then: @escaping @Sendable (BridgeReply) -> Void
    ) -> Bool {
        state.withLock { state in
            guard !state.isClosed, state.letters.count < Self.capacity else { return false }
            state.letters.append(Letter(question: question, viewer: viewer, then: then))
            return true
        }
    }

    /// True if no question waits.
    var isEmpty: Bool { state.withLock { $0.letters.isEmpty } }

    /// Takes the question out that has waited longest.
    func take() -> Letter? {
        state.withLock { $0.letters.isEmpty ? nil : $0.letters.removeFirst() }
    }

    /// Takes no question any more, and tells those that wait.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.letters = [] }
            return state.letters
        }
        for letter in waiting { letter.then(.ended) }
    }
}

/// A question to a running bridge from another thread.
public enum BridgeQuestion: Sendable {
    /// All devices, at most ``devicesLimit``.
    case devices
    /// The explanation of a device.
    case device(DeviceKey)
    /// The timeline of a device.
    case timeline(DeviceKey)
    /// The bridge itself.
    case status
    /// Its numbers for Prometheus.
    case metrics
    /// The number of devices of each kind.
    case deviceCounts
    /// The runs that go on; of one kind, and of one device, if that is said.
    case runs(kind: String?, device: String?)
    /// The messages that are kept of a device.
    case tape(DeviceKey)
    /// An event for a device.
    case event(DeviceKey, name: String)
    /// A message of a device that came over HTTP, with the key of the request if it has one.
    case message(DeviceKey, payload: [UInt8], key: String?)
    /// A message that was made on another thread, such as the answer to a request: it is published.
    case response(Publication)

    /// The number of devices that an answer lists; messages wait while they are written.
    public static let devicesLimit = 2000
}

/// The answer of a bridge to a question of another thread.
public enum BridgeReply: Sendable {
    /// The devices as the elements of an array that is still open, and their number; they may be fewer than there are.
    case devices(JSONWriter, count: Int)
    /// The explanation as the members of an object that is still open, and the moment before which the asker may see
    /// nothing of the device.
    case device(JSONWriter, since: Timestamp)
    /// The timeline; nil if nothing is foretold of the device.
    case timeline(ActivityTimeline?)
    /// The bridge itself.
    case status(BridgeStatus)
    /// Its numbers for Prometheus.
    case metrics(MetricsText)
    /// The number of devices of each kind that has any.
    case deviceCounts([String: Int])
    /// Runs that go on.
    case runs([CurrentRun])
    /// The messages that are kept of a device.
    case tape(MessageTape)
    /// It is done.
    case done
    /// There is no such device.
    case noDevice
    /// Nothing is kept of the messages.
    case noTape
    /// The store refuses what it is given.
    case notStored
    /// It is refused, in a sentence for people.
    case refused(String)
    /// The bridge has ended.
    case ended
}

/// The state of a running bridge, for those who ask.
public struct BridgeStatus: Sendable {
    /// Its version.
    public var version: String
    /// The moment of its start.
    public var startedAt: Timestamp
    /// The common beginning of its topics.
    public var prefix: String
    /// True while the broker is connected.
    public var isConnected: Bool
    /// The moment from which that is so.
    public var connectionSince: Timestamp
    /// Why there is no connection, and what to do; nil with one, and before the first attempt has failed.
    public var connectionFault: String?
    /// The messages taken in.
    public var messages: UInt64
    /// The revisions of activities.
    public var updates: UInt64
    /// Both by quarters of an hour, oldest first.
    public var quarters: [TrafficLog.Quarter]
    /// False while the store refuses what it is given.
    public var isStoring: Bool
    /// The health report as JSON.
    public var health: [UInt8]
    /// The time for which messages are kept.
    public var recordLength: Interval
}

/// A run that goes on.
public struct CurrentRun: Sendable {
    /// The id of its activity.
    public var id: String
    /// Its device.
    public var device: DeviceKey
    /// Its start.
    public var startedAt: Timestamp
    /// Its attributes.
    public var attributes: ValueMap
    /// The number of its revisions.
    public var revisions: Int64
}
