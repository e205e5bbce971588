import SkerryActivity
import SkerryGateway
import SkerryValues

/// A piece of a stream, written once for all readers.
struct StreamPiece {
    let plain: [UInt8]
    private var packed: [UInt8]?

    init(_ plain: [UInt8]) { self.plain = plain }

    /// The bytes for a reader.
    mutating func bytes(packed isPacked: Bool) -> [UInt8] {
        guard isPacked else { return plain }
        if let packed { return packed }
        let made = Gzip.piece(plain)
        packed = made
        return made
    }
}

/// The last events of the log as they are sent.
struct StreamRing {
    /// The most bytes that are kept.
    private static let byteLimit = 1_048_576

    struct Entry {
        let device: DeviceKey?
        /// The attributes of the run that it is about, if it is about one.
        let attributes: ValueMap?
        /// The attributes of the run that took its place, if one did.
        let successor: ValueMap?
        /// The id of the activity that it is about; nil if it is about none.
        let run: String?
        /// True if an activity went away.
        let isDismissal: Bool
        var piece: StreamPiece
        /// The number of bytes of all entries up to this one, since the start.
        let end: Int
    }

    /// The position before the first entry.
    private(set) var start: UInt64 = 0
    private var entries: [Entry] = []
    private var end = 0

    /// The position of the last entry.
    var position: UInt64 { start + UInt64(entries.count) }

    /// Adds entries of the log; after a gap it starts from empty.
    mutating func add(_ events: [LoggedEvent], of process: String) {
        guard let first = events.first else { return }
        if first.position != position + 1 {
            entries = []
            start = first.position - 1
        }
        for event in events {
            assert(event.position == position + 1, "an event of the log is left out of the stream")
            let text = StreamText.event(event, of: process)
            end += text.count
            let isDismissal = if case .dismissed = event.news { true } else { false }
            entries.append(
                Entry(
                    device: event.device,
                    attributes: event.attributes,
                    successor: event.successor,
                    run: event.news.run,
                    isDismissal: isDismissal,
                    piece: StreamPiece(text),
                    end: end
                )
            )
        }
        guard let oldest = entries.first,
            entries.count > 2 * EventLog.entryLimit || end - oldest.end > Self.byteLimit
        else { return }
        // Half of them go at once, so that moving the others costs little.
        let excess = max(1, entries.count / 2)
        entries.removeFirst(excess)
        start += UInt64(excess)
    }

    /// The number of bytes after a position; nil if not all of them are there.
    func lag(after position: UInt64) -> Int? {
        guard position >= start, position <= self.position else { return nil }
        if position == self.position { return 0 }
        let entry = entries[Int(position - start)]
        return end - entry.end + entry.piece.plain.count
    }

    /// Uses the entry after a position, which must be there.
    mutating func withEntry<Result>(after position: UInt64, _ use: (inout Entry) -> Result) -> Result {
        assert(position >= start && position < self.position, "an entry is used that is not there")
        return use(&entries[Int(position - start)])
    }
}

extension LoggedEvent.News {
    /// The id of the activity that it is about; nil if it is about none.
    fileprivate var run: String? {
        switch self {
        case .alerted(let update), .revised(let update), .resumed(let update): update.id
        case .dismissed(let id): id
        case .foretold(let timeline): timeline?.id
        case .moved, .availability, .forgotten, .broker, .redefined: nil
        }
    }
}
