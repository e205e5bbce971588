import Logging
import SkerryDevice
import SkerryEngine
import SkerryValues

/// How far the search for strays is: what the broker retains of devices and no device here has told.
///
/// There may be some when the store is behind what was told, and when a broker with a new session kept what it retained.
struct StraySearch {
    /// Whether the broker must be looked at, from the beginning if it was left in the middle.
    private(set) var isDue: Bool
    /// Whether what the broker retains is coming in.
    private(set) var isListening = false
    /// When nothing more is expected.
    private(set) var end: Timestamp?

    /// How long after the last one another may come.
    private static let patience = Interval.seconds(10)

    init(isDue: Bool) {
        self.isDue = isDue
    }

    /// There is a connection.
    mutating func begin(_ session: BusSession) {
        if !session.isResumed { isDue = true }
        isListening = isDue
    }

    /// Something of it has come.
    mutating func goOn(at now: Timestamp) {
        if isListening { end = now + Self.patience }
    }

    /// Ends the search when nothing has come for long enough.
    mutating func finish(at now: Timestamp) {
        if let end, end <= now { self = StraySearch(isDue: false) }
    }

    /// The connection is gone, the next one begins again.
    mutating func stop() {
        isListening = false
        end = nil
    }

    /// The clock says something else now, and the search has waited no longer for that.
    mutating func clockMoved(by length: Interval) {
        end = end.map { $0 + length }
    }
}

extension Bridge {
    /// Takes away from the broker what no device here has told: an activity, a timeline, an availability.
    ///
    /// Also one of a kind that has no definition now: it may come back, and what is under the prefix is ours.
    func takeAwayStray(_ message: MessageBatch.Message, at now: Timestamp) {
        let topic = String(decoding: message.topic, as: UTF8.self)
        guard sink.retains(topic) else { return }
        strays.goOn(at: now)
        guard retained[ExactText(topic)] == nil, !message.payload.isEmpty else { return }
        logger.notice("\(topic): nobody knows of this any more; it is taken away")
        enqueue(Publication(topic: topic, payload: [], isRetained: true))
    }
}
