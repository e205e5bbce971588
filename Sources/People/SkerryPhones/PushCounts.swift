import SkerryValues

/// The number of pushes to a phone since it was paired, by their events; broadcasts to all phones are not counted.
package struct PushCounts: Hashable, Sendable {
    /// The pushes of one event.
    package struct Count: Hashable, Sendable {
        /// Those that were handed to the sender.
        package var sent: UInt64 = 0
        /// Those that the service took.
        package var accepted: UInt64 = 0
        /// Those that the service refused, or that did not leave.
        package var refused: UInt64 = 0

        /// Makes a count of none.
        package init() {}

        func write(to writer: inout ImageWriter) {
            writer.unsigned(sent)
            writer.unsigned(accepted)
            writer.unsigned(refused)
        }

        init(from reader: inout ImageReader) throws(ImageFault) {
            sent = try reader.unsigned()
            accepted = try reader.unsigned()
            refused = try reader.unsigned()
        }
    }

    private var counts = [Count](repeating: Count(), count: Push.Event.allCases.count)

    /// Makes counts of none.
    package init() {}

    package subscript(event: Push.Event) -> Count {
        get { counts[Int(event.rawValue)] }
        set { counts[Int(event.rawValue)] = newValue }
    }

    /// Counts the result of a push.
    mutating func landed(_ event: Push.Event?, _ outcome: PushLane.Outcome) {
        guard let event else { return }
        assert(counts.count == Push.Event.allCases.count, "an event is not counted")
        switch outcome {
        case .arrived: self[event].accepted += 1
        case .refused: self[event].refused += 1
        case .unknown: break
        }
        assert(self[event].accepted + self[event].refused <= self[event].sent, "more is answered than sent")
    }

    init(from reader: inout ImageReader) throws(ImageFault) {
        counts = try reader.list { reader throws(ImageFault) in try Count(from: &reader) }
        // Earlier versions knew fewer events.
        guard counts.count <= Push.Event.allCases.count else { throw .malformed }
        while counts.count < Push.Event.allCases.count { counts.append(Count()) }
    }
}
